/* Multipliers of natural coordinates as the forces they represent, and wrenches of joints on bodies by the equations
 * of each body; see record.h.
 *
 *   |d|^2 = L^2: tension of the bar N = 2 lambda L (R000-75)
 *   a . b = c: the couple lambda |a x b| on b about a x b, the opposite on a (R000-77, R000-85)
 *   linear rows: parallel forces in equilibrium, lambda on the last (R000-79)
 *   u . u = 1: along u, no force (R000-86)
 *   a number z of q (--mixed): lambda Psi_z, the effort that its row transfers to the bodies: on the second
 *     along z, the opposite on the first (R000-81, R000-87)
 *   a row of a joint: -lambda along its direction on the second body; a drive: its effort -lambda */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/coordinates/natural.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static RbvVec3 core_vector(const RbvNatural *n, RbvCoreVector a, const double *q) {
    RbvVec3 head = rbv_use_at(n, a.head, q, false);
    return a.tail < 0 ? head : rbv_sub(head, rbv_use_at(n, a.tail, q, false));
}

/* Meaning, value and unit of a rigid row's multiplier. */
static void mean_rigid(const RbvNatural *n, const RbvRigidRow *row, const double *q, double lambda,
                       RbvMultiplierNote *note) {
    const RbvNaturalBody *body = &n->bodies[row->body];
    note->meant = true;
    switch (row->kind) {
    case RBV_RIGID_DISTANCE:
        note->meaning = note->brief = "tension";
        note->value = 2 * lambda * sqrt(row->constant);
        note->unit = "N";
        return;
    case RBV_RIGID_NORM:
        note->meaning = "no force: along a unit vector nothing turns";
        note->brief = "no force";
        note->meant = false;
        note->value = NAN;
        note->unit = "";
        return;
    case RBV_RIGID_DOT:
        note->brief = "couple";
        note->meaning = "couple on the second about first x second, the opposite on the first";
        note->value =
            lambda * rbv_norm(rbv_cross(core_vector(n, body->a[row->i], q), core_vector(n, body->a[row->j], q)));
        note->unit = "N.m";
        return;
    case RBV_RIGID_LINEAR:
        note->meaning = n->basics[n->uses[row->i].basic].vector
                            ? "couples in equilibrium: on this vector along the axis, per unit of length"
                            : "parallel forces in equilibrium: on this point along the axis";
        note->brief = n->basics[n->uses[row->i].basic].vector ? "couples" : "parallel forces";
        note->value = -lambda;
        note->unit = n->basics[n->uses[row->i].basic].vector ? "N.m" : "N";
        return;
    }
}

/* Meaning, value and unit of the multiplier of the row of a number of q. */
static void mean_number(const RbvNatural *n, const RbvNaturalNumber *number, const double *q, double lambda,
                        RbvMultiplierNote *note) {
    note->meant = true;
    note->holds = rbv_record_number_row((int32_t)number->kind);
    note->meaning = number->kind == RBV_NUMBER_ANGLE
                        ? "couple along the angle, on the second; the opposite on the first"
                        : "force along the distance, on the second; the opposite on the first";
    note->unit = number->kind == RBV_NUMBER_ANGLE ? "N.m" : "N";
    note->brief = number->kind == RBV_NUMBER_ANGLE ? "couple" : "force";
    note->value = lambda * rbv_natural_number_slope(n, number, q);
}

static const char *copied(RbvResult *result, const char *text, bool *lost) {
    const char *fresh = rbv_arena_copy(&result->arena, text, strlen(text));
    *lost = *lost || !fresh;
    return fresh ? fresh : "";
}

/* Name "body.row2" of an own row. */
static const char *rigid_name(RbvResult *result, const RbvSystem *system, int32_t own, bool *lost) {
    const RbvNatural *n = rbv_natural_of(&system->coordinates);
    if (own >= n->row_count) {
        char row[700];
        const char *name = rbv_record_number(result, system, own - n->row_count);
        snprintf(row, sizeof row, "%s.row", name ? name : "");
        *lost = *lost || !name;
        return copied(result, row, lost);
    }
    char text[400];
    rbv_natural_row_name(system, own, text, sizeof text);
    return copied(result, text, lost);
}

const char *rbv_record_multiplier_name(RbvResult *result, const RbvSystem *system, int32_t k, const char **unit) {
    const RbvNatural *n = rbv_natural_of(&system->coordinates);
    bool lost = false;
    if (k >= n->row_count) {
        *unit = n->numbers[k - n->row_count].kind == RBV_NUMBER_ANGLE ? "N.m" : "N";
        const char *number = rigid_name(result, system, k, &lost);
        return lost ? NULL : number;
    }
    const RbvRigidRow *row = &n->rows[k];
    bool vector = row->kind == RBV_RIGID_LINEAR && n->basics[n->uses[row->i].basic].vector;
    *unit = row->kind == RBV_RIGID_DOT || vector ? "N.m" : "N";
    if (row->kind == RBV_RIGID_NORM)
        *unit = "";
    const char *name = rigid_name(result, system, k, &lost);
    return lost ? NULL : name;
}

RbvStatus rbv_record_multipliers(RbvRecord *record, const RbvState *state, RbvReactions *reactions) {
    const RbvSystem *system = state->system;
    const RbvNatural *n = rbv_natural_of(&system->coordinates);
    RbvNaturalMultipliers m;
    RbvStatus status = rbv_natural_multipliers_create(state, reactions, record->options.soft, &m);
    int32_t at = 0;
    for (int32_t j = 0; status == RBV_OK && j < m.count; j++) {
        int32_t own = m.row[j] - system->all_count;
        RbvMultiplierNote note = {.meant = false};
        if (own < 0 || (record->options.rigid_rows && !record->options.rigid_rows[own]))
            continue;
        if (own >= n->row_count)
            mean_number(n, &n->numbers[own - n->row_count], state->q, m.lambda[j], &note);
        else
            mean_rigid(n, &n->rows[own], state->q, m.lambda[j], &note);
        if (!note.meant)
            continue;
        RbvColumn *column = &record->result->columns[record->first_multiplier + at];
        RbvVerdict verdict = m.unique[j] ? RBV_UNIQUE : RBV_NOT_UNIQUE;
        column->verdict = verdict > column->verdict ? verdict : column->verdict;
        record->multiplier[at++] = note.value;
        status = isfinite(note.value) ? RBV_OK : RBV_NOT_FINITE;
    }
    rbv_natural_multipliers_free(&m);
    return status;
}

bool rbv_record_multiplier(RbvRecord *record, const RbvState *state, int32_t own, int32_t at, double lambda,
                           bool unique) {
    const RbvNatural *n = rbv_natural_of(&state->system->coordinates);
    RbvMultiplierNote note = {.value = NAN};
    mean_rigid(n, &n->rows[own], state->q, lambda, &note);
    RbvColumn *column = &record->result->columns[record->first_multiplier + at];
    RbvVerdict verdict = unique ? RBV_UNIQUE : RBV_NOT_UNIQUE;
    column->verdict = verdict > column->verdict ? verdict : column->verdict;
    record->multiplier[at] = note.value;
    return isfinite(note.value);
}

double rbv_record_multiplier_share(const RbvState *state, int32_t own) {
    const RbvNatural *n = rbv_natural_of(&state->system->coordinates);
    RbvMultiplierNote note = {.value = NAN};
    mean_rigid(n, &n->rows[own], state->q, 1, &note);
    return note.value;
}

/* Meaning, value and unit of the multiplier of a row of a joint, constraint, drive, stop or sticking friction. */
static void mean_row(RbvResult *result, const RbvSystem *system, int32_t k, double lambda, RbvMultiplierNote *note,
                     bool *lost) {
    const RbvRow *row = &system->rows[k];
    const RbvModel *model = system->model;
    char text[400];
    note->meant = true;
    note->value = -lambda;
    if (row->owner == RBV_OWNER_JOINT) {
        snprintf(text, sizeof text, "%s.%s", model->joints.items[row->index].name, rbv_record_joint_row(system, k));
        note->row = copied(result, text, lost);
        note->holds = copied(result, rbv_record_joint_row(system, k), lost);
        note->meaning =
            row->angular ? "couple of the joint along what it holds" : "force of the joint along what it holds";
        note->brief = row->angular ? "couple" : "force";
        note->unit = row->angular ? "N.m" : "N";
    } else if (row->owner == RBV_OWNER_DRIVE) {
        note->row = copied(result, model->drives.items[row->index].name, lost);
        note->holds = "motion";
        note->meaning = note->brief = "effort";
        note->unit = copied(result, model->drives.items[row->index].unit, lost);
    } else if (row->owner == RBV_OWNER_STOP) {
        note->row = copied(result, model->stops.items[row->index].name, lost);
        note->holds = "stop";
        note->meaning = note->brief = "push of the stop";
        note->unit = copied(result, model->stops.items[row->index].force_unit, lost);
    } else if (row->owner != RBV_OWNER_CONSTRAINT) { /* sticking friction */
        rbv_system_row_name(system, k, text, sizeof text);
        note->row = copied(result, text, lost);
        note->holds = "rate";
        note->meaning = note->brief = row->angular ? "couple of friction" : "force of friction";
        note->unit = row->angular ? "N.m" : "N";
    } else {
        note->row = copied(result, model->constraints.items[row->index].name, lost);
        note->holds = "equation";
        note->meaning = note->brief = "effort";
        note->unit = copied(result, model->constraints.items[row->index].unit, lost);
    }
}

static bool note_rows(RbvResult *result, const RbvState *state, const RbvNaturalMultipliers *m) {
    const RbvSystem *system = state->system;
    const RbvNatural *n = rbv_natural_of(&system->coordinates);
    RbvNaturalNote *to = &result->natural;
    bool lost = false;
    to->rows = rbv_arena_array(&result->arena, (size_t)m->count + 1, sizeof *to->rows);
    for (int32_t j = 0; to->rows && j < m->count; j++) {
        RbvMultiplierNote *note = &to->rows[j];
        int32_t own = m->row[j] - system->all_count;
        *note = (RbvMultiplierNote){.verdict = m->unique[j] ? RBV_UNIQUE : RBV_NOT_UNIQUE, .lambda = m->lambda[j]};
        if (own < 0) {
            mean_row(result, system, m->row[j], m->lambda[j], note, &lost);
            continue;
        }
        note->row = rigid_name(result, system, own, &lost);
        if (own >= n->row_count) {
            mean_number(n, &n->numbers[own - n->row_count], state->q, m->lambda[j], note);
            continue;
        }
        note->body = copied(result, system->model->bodies.items[n->rows[own].body].name, &lost);
        note->holds = rbv_record_rigid_row(result, system, own);
        lost = lost || !note->holds;
        mean_rigid(n, &n->rows[own], state->q, m->lambda[j], note);
    }
    to->row_count = m->count;
    return to->rows && !lost;
}

/* Worst verdict of all components of the joint and of its wrench by these equations, which alone do not see
 * self-stresses between points of ground. */
static RbvVerdict joint_verdict(const RbvReactions *reactions, int32_t joint, bool unique) {
    RbvVerdict worst = unique ? RBV_UNIQUE : RBV_NOT_UNIQUE;
    for (int32_t c = 0; c < 6 && c < rbv_reactions_components(reactions, joint); c++)
        worst = reactions->verdict[joint][c] > worst ? reactions->verdict[joint][c] : worst;
    return worst;
}

/* Wrenches of joints on their second bodies, and the opposite on their first bodies, both about the second marker. */
static bool note_elements(RbvResult *result, const RbvReactions *reactions, const RbvNaturalMultipliers *m) {
    const RbvModel *model = reactions->system->model;
    RbvNaturalNote *to = &result->natural;
    bool lost = false;
    to->elements = rbv_arena_array(&result->arena, 2 * (size_t)model->joints.count + 1, sizeof *to->elements);
    for (int32_t b = 1; to->elements && b < model->bodies.count; b++) {
        const char *body = copied(result, model->bodies.items[b].name, &lost);
        for (int32_t k = 0; k < model->joints.count; k++)
            for (int side = 0; side < 2; side++) {
                const RbvElementWrench *joint = &m->joint[k];
                if (model->markers.items[model->joints.items[k].marker[side]].body != b)
                    continue;
                double sign = side ? 1 : -1;
                const RbvVec3 F = rbv_scale(sign, joint->wrench.force), T = rbv_scale(sign, joint->wrench.torque);
                to->elements[to->element_count++] = (RbvElementNote){body,
                                                                     copied(result, model->joints.items[k].name, &lost),
                                                                     joint_verdict(reactions, k, joint->unique),
                                                                     {F.x, F.y, F.z},
                                                                     {T.x, T.y, T.z}};
            }
    }
    return to->elements && !lost;
}

RbvStatus rbv_record_natural(RbvResult *result, const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft) {
    const RbvSystem *system = state->system;
    if (!rbv_is_natural(&system->coordinates))
        return RBV_OK;
    result->natural.missing = rbv_natural_multipliers_missing(system);
    if (result->natural.missing)
        return RBV_OK;
    RbvNaturalMultipliers m;
    RbvStatus status = rbv_natural_multipliers_create(state, reactions, soft, &m);
    if (status == RBV_OK) {
        result->natural.found = true;
        result->natural.spatial = system->bodies.spatial;
        result->natural.t = state->t;
        result->natural.residual = m.residual;
        result->natural.yields = m.yield.found;
        result->natural.augmented = m.yield.augmented;
        result->natural.alpha = m.yield.alpha;
        result->natural.error = m.yield.error;
        result->natural.rounds = m.yield.rounds;
        status = note_rows(result, state, &m) && note_elements(result, reactions, &m) ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_natural_multipliers_free(&m);
    return status;
}

/* Errors of the penalty and augmented methods, and the augmented method's own multipliers of redundant rows. */

static void enlarge(double *to, double value) {
    if (value > *to || isnan(value))
        *to = value;
}

static const char *unit_of_multiplier(const RbvSystem *system, int32_t row) {
    const RbvRow *r = &system->rows[row];
    return r->owner == RBV_OWNER_CONSTRAINT ? system->model->constraints.items[r->index].unit
           : r->angular                     ? "N.m"
                                            : "N";
}

/* Multipliers of all active rows: those of least sum lambda^2/alpha. False: no memory. */
static bool keep_rows(RbvRecord *record, RbvSolvability *solvability, const RbvMethodReport *report) {
    const RbvSystem *system = record->system;
    RbvSoftRows *soft = &record->result->soft;
    const double one = 1;
    soft->rows = rbv_arena_alloc(&record->result->arena, ((size_t)system->row_count + 1) * sizeof *soft->rows);
    if (!soft->rows)
        return false;
    for (int32_t k = 0; k < system->row_count && k < report->rows; k++) {
        RbvOwner owner = system->rows[k].owner;
        if (!(report->alpha[k] > 0) ||
            (owner != RBV_OWNER_JOINT && owner != RBV_OWNER_CONSTRAINT && owner != RBV_OWNER_DRIVE))
            continue;
        RbvRowVerdict row = rbv_record_row(system, record->result, k, rbv_solvability_verdict(solvability, k, 1, &one));
        const char *unit = rbv_arena_copy(&record->result->arena, unit_of_multiplier(system, k),
                                          strlen(unit_of_multiplier(system, k)));
        if (!unit)
            return false;
        soft->rows[soft->row_count++] = (RbvSoftRow){row, unit, report->lambda[k], report->alpha[k]};
    }
    return true;
}

bool rbv_record_soft(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                     RbvSolvability *solvability, const RbvMethodReport *report) {
    RbvSoftRows *soft = &record->result->soft;
    if (!soft->found || record->options.instant)
        *soft = (RbvSoftRows){.found = true,
                              .augmented = report->augmented,
                              .at = state->t,
                              .rows = soft->rows,
                              .row_count = soft->row_count};
    enlarge(&soft->coefficient, report->coefficient);
    enlarge(&soft->acceleration_error, report->acceleration_error);
    enlarge(&soft->force_error, reactions->method_error);
    soft->rounds = report->rounds > soft->rounds ? report->rounds : soft->rounds;
    bool requested = report->augmented && solvability->redundant > 0 && !soft->rows && !record->options.instant;
    if (requested)
        soft->at = state->t;
    return !requested || keep_rows(record, solvability, report);
}

/* Writes virtual motions of reactions into the result; see record.h. */

static const char *copy_motion_name(RbvResult *result, const char *text) {
    return rbv_arena_copy(&result->arena, text, strlen(text));
}

static double largest_motion(const RbvState *state, const double *u) {
    double most = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++) {
        RbvTwist twist = rbv_bodies_twist(&state->system->bodies, b, u);
        most = rbv_max(most, rbv_max(rbv_norm(twist.v), rbv_state_body_arm(state, b) * rbv_norm(twist.w)));
    }
    return most;
}

static void clear_small(double x[3], double least) {
    for (int k = 0; k < 3; k++)
        x[k] = fabs(x[k]) > least ? x[k] : 0;
}

static RbvVirtualBody moved(const RbvState *state, int32_t b, const double *u) {
    const RbvBody *body = &state->system->model->bodies.items[b];
    RbvTwist twist = rbv_bodies_twist(&state->system->bodies, b, u);
    RbvVec3 origin =
        rbv_add(twist.v, rbv_cross(twist.w, rbv_apply(&state->bodies[b].A, rbv_scale(-1, body->centroid))));
    return (RbvVirtualBody){body->name, {origin.x, origin.y, origin.z}, {twist.w.x, twist.w.y, twist.w.z}};
}

bool rbv_record_virtual_motion(RbvResult *result, const RbvState *state, const char *name, const double *u) {
    const RbvSystem *system = state->system;
    RbvVirtualMotion *motion = &result->virtual_motions[result->virtual_motion_count++];
    double most = u ? largest_motion(state, u) : 0;
    motion->name = copy_motion_name(result, name);
    motion->found = u != NULL;
    result->planar_motions = !system->bodies.spatial;
    motion->bodies = rbv_arena_array(&result->arena, u ? (size_t)system->bodies.count : 1, sizeof *motion->bodies);
    if (!motion->name || !motion->bodies)
        return false;
    for (int32_t b = 1; u && b < system->bodies.count; b++) {
        if (system->model->bodies.items[b].generalized)
            continue;
        RbvVirtualBody *body = &motion->bodies[motion->body_count++];
        *body = moved(state, b, u);
        /* Relative to the fastest body: slower motion is rounding. */
        clear_small(body->velocity, RBV_DATA * most);
        clear_small(body->angular, RBV_DATA * most / rbv_state_body_arm(state, b));
        body->name = copy_motion_name(result, body->name);
        if (!body->name)
            return false;
    }
    return true;
}

bool rbv_record_stretch(RbvResult *result, const RbvState *state, const char *name, const double *rates, double scale) {
    const RbvNatural *n = rbv_natural_of(&state->system->coordinates);
    RbvVirtualMotion *motion = &result->virtual_motions[result->virtual_motion_count++];
    double most = 0;
    for (int32_t k = 0; rates && k < n->basics_size; k++)
        most = rbv_max(most, fabs(rates[k]));
    *motion = (RbvVirtualMotion){.name = copy_motion_name(result, name), .found = rates != NULL, .stretches = true};
    motion->bodies = rbv_arena_array(&result->arena, (size_t)n->basic_count + 1, sizeof *motion->bodies);
    result->planar_motions = !state->system->bodies.spatial;
    if (!motion->name || !motion->bodies)
        return false;
    for (int32_t k = 0; rates && k < n->basic_count; k++) {
        char basic[RBV_NAME_SIZE];
        RbvVirtualBody *point = &motion->bodies[motion->body_count];
        if (n->basics[k].column < 0)
            continue;
        rbv_record_basic(state->system, k, basic, sizeof basic);
        *point = (RbvVirtualBody){.name = copy_motion_name(result, basic)};
        for (int d = 0; d < n->dims; d++)
            point->velocity[d] =
                fabs(rates[n->basics[k].column + d]) > RBV_DATA * most ? scale * rates[n->basics[k].column + d] : 0;
        if (!point->name)
            return false;
        motion->body_count++;
    }
    return true;
}
