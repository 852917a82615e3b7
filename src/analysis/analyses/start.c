/* A state from another result; see start.h.
 *
 * Positions and velocities of bodies are taken unchanged. Other data follow from them: active conditions, contacts and
 * friction are found as at any start. Whole turns are those of the result's columns of coordinates; of drives, those
 * nearest to their targets; of meshes and screws in space, those that satisfy the relation. In a prescribed motion
 * turns continue from sample to sample by the rates.
 */
#include "analysis/analyses/start.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/text.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rbv_body_take(const RbvBody *body, const RbvBodyMotion *motion, bool spatial, RbvBodyState *placed,
                   RbvTwist *twist, RbvTwist *acceleration) {
    const double *v = motion->velocity, *w = motion->angular_velocity, *a = motion->acceleration,
                 *dw = motion->angular_acceleration;
    RbvVec3 spin = {0, 0, w[2]}, gain = {0, 0, dw[2]};
    if (spatial) {
        spin = rbv_vec3(w[0], w[1], w[2]);
        gain = rbv_vec3(dw[0], dw[1], dw[2]);
    }
    placed->turn = motion->angle;
    placed->whole = 0;
    placed->p = rbv_quat_normalised(
        (RbvQuat){motion->rotation[0], {motion->rotation[1], motion->rotation[2], motion->rotation[3]}});
    placed->A = spatial ? rbv_mat3_of_quat(placed->p) : rbv_mat3_about_z(motion->angle);
    RbvVec3 arm = rbv_apply(&placed->A, body->centroid), round = rbv_cross(spin, arm);
    placed->r = rbv_add(rbv_vec3(motion->at[0], motion->at[1], spatial ? motion->at[2] : 0), arm);
    twist->v = rbv_add(rbv_vec3(v[0], v[1], spatial ? v[2] : 0), round);
    twist->w = spin;
    acceleration->v =
        rbv_add(rbv_vec3(a[0], a[1], spatial ? a[2] : 0), rbv_add(rbv_cross(gain, arm), rbv_cross(spin, round)));
    acceleration->w = gain;
}

/* Most whole turns of a wheel that are tried. */
#define MOST_TURNS 100000

/* A start while it is read. */
typedef struct Taking {
    RbvArena arena; /* owns bodies and twists */
    const RbvStart *start;
    RbvState *state;
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    RbvNameTable names;
    RbvText missing, others; /* missing columns; bodies that the model does not have */
    bool rates;              /* the result has velocities */
    RbvBodyState *bodies;    /* [bodies] positions and twists from the columns, to check the fit: coordinates that keep
                                joints satisfy them by construction. NULL: no absolute system, or a prescribed motion */
    RbvTwist *twists;
    RbvTwist *seconds; /* [bodies] accelerations of a prescribed motion; NULL: a start, which needs none */
    double since;      /* [s] prescribed motion: time of the previous sample; NaN: first sample */
} Taking;

/* The value of column owner.part (part NULL: owner); NaN: there is no such column. */
static double find_value(const Taking *t, const char *owner, const char *part) {
    char name[2 * RBV_NAME_SIZE];
    snprintf(name, sizeof name, part ? "%s.%s" : "%s", owner, part);
    int32_t k = rbv_name_table_find(&t->names, name);
    return k < 0 ? NAN : t->start->values[k];
}

static void list(RbvText *text, const char *owner, const char *part) {
    const char *format = part ? "%s%s.%s" : "%s%s";
    rbv_text_format(text, format, text->length > 0 ? ", " : "", owner, part);
}

/* The value of a required column; a missing one is listed in t->missing and 0 returned. */
static double need(Taking *t, const char *owner, const char *part) {
    double value = find_value(t, owner, part);
    if (isnan(value))
        list(&t->missing, owner, part);
    return isnan(value) ? 0 : value;
}

static double need_rate(Taking *t, const char *owner, const char *part) {
    return t->rates ? need(t, owner, part) : 0;
}

static double need_second(Taking *t, const char *owner, const char *part) {
    return t->seconds ? need(t, owner, part) : 0;
}

static void take_second(Taking *t, const RbvBody *body, RbvBodyMotion *motion) {
    static const char *const second[] = {"ax", "ay", "az"}, *const gain[] = {"alphax", "alphay", "alphaz"};
    bool spatial = t->model->space == RBV_SPATIAL;
    for (int k = 0; k < (spatial ? 3 : 2); k++)
        motion->acceleration[k] = need_second(t, body->name, second[k]);
    for (int k = 0; spatial && !body->particle && k < 3; k++)
        motion->angular_acceleration[k] = need_second(t, body->name, gain[k]);
    if (!spatial && !body->particle)
        motion->angular_acceleration[2] = need_second(t, body->name, "alpha");
}

static void take_motion(Taking *t, const RbvBody *body, RbvBodyMotion *motion) {
    static const char *const at[] = {"x", "y", "z"}, *const turn[] = {"qw", "qx", "qy", "qz"},
                             *const rate[] = {"vx", "vy", "vz"}, *const spin[] = {"omegax", "omegay", "omegaz"};
    bool spatial = t->model->space == RBV_SPATIAL;
    take_second(t, body, motion);
    for (int k = 0; k < (spatial ? 3 : 2); k++) {
        motion->at[k] = need(t, body->name, at[k]);
        motion->velocity[k] = need_rate(t, body->name, rate[k]);
    }
    for (int k = 0; spatial && !body->particle && k < 4; k++)
        motion->rotation[k] = need(t, body->name, turn[k]);
    for (int k = 0; spatial && !body->particle && k < 3; k++)
        motion->angular_velocity[k] = need_rate(t, body->name, spin[k]);
    if (!spatial && !body->particle) {
        motion->angle = need(t, body->name, "angle");
        motion->angular_velocity[2] = need_rate(t, body->name, "omega");
    }
}

/* Store positions and twists of bodies as read, before they are converted to coordinates. */
static void keep_bodies(Taking *t) {
    size_t count = (size_t)t->model->bodies.count;
    if (!t->state->system->absolute || t->seconds)
        return;
    t->bodies = rbv_arena_array(&t->arena, count, sizeof *t->bodies);
    t->twists = rbv_arena_array(&t->arena, count, sizeof *t->twists);
    t->state->no_memory = t->state->no_memory || !t->bodies || !t->twists;
    if (t->bodies)
        memcpy(t->bodies, t->state->bodies, count * sizeof *t->bodies);
    if (t->twists)
        memcpy(t->twists, t->state->twists, count * sizeof *t->twists);
}

static void read_bodies(Taking *t) {
    const RbvSystem *system = t->state->system;
    RbvState *state = t->state;
    for (int32_t b = 1; b < t->model->bodies.count; b++) {
        const RbvBody *body = &t->model->bodies.items[b];
        RbvBodyMotion motion = {.rotation = {1, 0, 0, 0}};
        RbvTwist twist = {{0, 0, 0}, {0, 0, 0}}, gain = twist;
        if (body->generalized) {
            const char *name = t->model->generalized.items[body->generalized - 1].name;
            char rate[RBV_NAME_SIZE + 2];
            snprintf(rate, sizeof rate, "%s''", name);
            gain.v.x = need_second(t, rate, NULL);
            snprintf(rate, sizeof rate, "%s'", name);
            state->bodies[b].r.x = need(t, name, NULL);
            twist.v.x = need_rate(t, rate, NULL);
        } else {
            take_motion(t, body, &motion);
            rbv_body_take(body, &motion, system->bodies.spatial, &state->bodies[b], &twist, &gain);
        }
        state->twists[b] = twist;
        if (t->seconds)
            t->seconds[b] = gain;
    }
    keep_bodies(t);
    rbv_coordinates_from_bodies(&system->coordinates, state->bodies, state->q);
    for (int32_t b = 1; system->coordinates.of_bodies && b < t->model->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, state->twists[b], state->v);
    if (!system->coordinates.of_bodies)
        system->coordinates.kind->take_rates(&system->coordinates, rbv_state_at(state), state->twists, state->v);
}

static int32_t find_body(const RbvModel *model, const char *name, size_t length) {
    for (int32_t b = 1; b < model->bodies.count; b++)
        if (strncmp(model->bodies.items[b].name, name, length) == 0 && model->bodies.items[b].name[length] == '\0')
            return b;
    return -1;
}

/* List bodies of the result, by their columns x and y, that the model does not have, or has as a particle although they
 * turn. */
static void look_for_others(Taking *t) {
    for (int32_t k = 0; k < t->start->count; k++) {
        const char *dot = strchr(t->start->names[k], '.');
        char name[RBV_NAME_SIZE];
        if (!dot || strcmp(dot, ".x") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - t->start->names[k]), t->start->names[k]);
        if (isnan(find_value(t, name, "y")))
            continue;
        int32_t b = find_body(t->model, name, strlen(name));
        bool turns = !isnan(find_value(t, name, "angle")) || !isnan(find_value(t, name, "qw"));
        if (b < 0)
            list(&t->others, name, NULL);
        else if (turns && t->model->bodies.items[b].particle)
            rbv_text_format(&t->others, "%s%s (a particle in this model)", t->others.length > 0 ? ", " : "", name);
    }
}

static RbvStatus decide_names(Taking *t) {
    const char *file = t->model->file;
    if (t->missing.no_memory || t->others.no_memory)
        return RBV_NO_MEMORY;
    if (t->missing.length > 0)
        rbv_diagnose(t->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "%s lacks columns that a %s of this model needs: %s", t->start->from,
                     t->seconds ? "motion" : "start", t->missing.data);
    if (t->others.length > 0)
        rbv_diagnose(t->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "%s has bodies that are not in this model: %s", t->start->from, t->others.data);
    return t->missing.length > 0 || t->others.length > 0 ? RBV_BAD_INPUT : RBV_OK;
}

/* Own states of the user; one without a column starts at its start: value, with a note. */
static void take_own(Taking *t) {
    for (int32_t k = 0; k < t->model->states.count; k++) {
        const RbvOwnState *own = &t->model->states.items[k];
        double value = find_value(t, own->name, NULL);
        if (isnan(value))
            rbv_diagnose(t->diagnostics, RBV_NOTE, t->model->file, own->where,
                         "%s has no column '%s': the state begins at its start:", t->start->from, own->name);
        else
            t->state->own[k] = value;
    }
}

/* Set the turns of a coordinate from its column [rad]. */
static void take_turn(double find_start_column, RbvMeasureKind kind, double value, RbvMeasureMemory *memory) {
    if (isnan(find_start_column) || !rbv_measure_counts_turns(kind))
        return;
    double turns = RBV_TWO_PI * round((find_start_column - value) / RBV_TWO_PI);
    memory->turn = kind == RBV_MEASURE_ANGLE ? memory->turn + turns : value + turns;
}

static void take_turns(Taking *t) {
    RbvState *state = t->state;
    for (int32_t k = 0; k < t->model->joints.count; k++) {
        const RbvJoint *joint = &t->model->joints.items[k];
        for (int direction = 5; direction > 2; direction--) {
            if (!(joint->coordinates >> direction & 1))
                continue;
            RbvMeasure measure = rbv_joint_coordinate(joint, direction);
            int32_t known =
                rbv_model_find_measure(t->model, measure.kind, measure.marker[0], measure.marker[1], measure.axis);
            if (known >= 0)
                take_turn(find_value(t, joint->name,
                                     rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction)),
                          measure.kind, state->measures[known].value, &state->memory[known]);
        }
    }
}

/* Is the number of turns of this measure not given by positions of bodies? */
static bool turns_are_open(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_DIRECTION;
}

/* Add the rate times `half` of the step to turns. From one sample to the next turns advance by the mean of both rates:
 * half the step with one rate, half with the other. */
static void advance_turns(RbvState *state, double half) {
    for (int32_t m = 0; m < state->system->model->measures.count; m++)
        if (turns_are_open(state->system->model->measures.items[m].kind) && isfinite(half * state->measures[m].rate))
            state->memory[m].turn += half * state->measures[m].rate;
}

/* Whole turns of driven angles: those nearest to the target. */
static void turn_drives(RbvState *state) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->owner != RBV_OWNER_DRIVE || !row->angular || row->count != 1 || row->equation ||
            !isfinite(state->phi[k]))
            continue;
        int32_t m = system->terms[row->first].measure;
        RbvMeasureKind kind = system->model->measures.items[m].kind;
        take_turn(state->measures[m].value - state->phi[k], kind, state->measures[m].value, &state->memory[m]);
    }
}

/* Whole turns of the two wheels of a mesh that bring its residual to zero; the least turns are taken. The residual
 * changes by a constant for each whole turn. */
static void turn_mesh(RbvState *state, int32_t k, int32_t m) {
    const RbvMesh *mesh = &state->system->model->meshes.items[state->system->model->measures.items[m].axis];
    /* Allowed residual of the state, as a part of the size, or of the fastest velocity. */
    double c = state->system->terms[state->system->rows[k].first].coefficient * RBV_TWO_PI, one = c * mesh->turn[0],
           other = c * mesh->turn[1], fits = RBV_FITS * rbv_state_row_size(state, k);
    for (int32_t n = 0; n <= 2 * MOST_TURNS && other != 0; n++) {
        double first = n % 2 ? (n + 1) / 2 : -n / 2, second = -round((state->phi[k] + one * first) / other);
        if (fabs(state->phi[k] + one * first + other * second) > fits)
            continue;
        state->memory[m].contact[0] = state->measures[m].contact[0] + RBV_TWO_PI * first;
        state->memory[m].contact[1] = state->measures[m].contact[1] + RBV_TWO_PI * second;
        return;
    }
}

/* Whole turns of rows of a joint that have one measure with open turns beside others: the displacement of a screw gives
 * them; for wheels, the turn of the line of centres. */
static void turn_rows(RbvState *state) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        const RbvTerm *open = NULL;
        int32_t count = 0;
        for (int32_t n = 0; row->owner == RBV_OWNER_JOINT && !row->equation && !row->on_rates && n < row->count; n++)
            if (turns_are_open(system->model->measures.items[system->terms[row->first + n].measure].kind))
                open = &system->terms[row->first + n], count++;
        if (count != 1 || row->count < 2 || !rbv_state_holds(state, k) || !isfinite(state->phi[k]))
            continue;
        double turns = -round(state->phi[k] / (RBV_TWO_PI * open->coefficient));
        if (turns != 0)
            state->memory[open->measure].turn = state->measures[open->measure].value + RBV_TWO_PI * turns;
    }
    rbv_state_place(state);
}

static void turn_meshes(RbvState *state) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->count == 1 && !row->equation && !row->on_rates &&
            system->model->measures.items[system->terms[row->first].measure].kind == RBV_MEASURE_MESH &&
            isfinite(state->phi[k]))
            turn_mesh(state, k, system->terms[row->first].measure);
    }
}

static RbvStatus not_finite(const Taking *t) {
    char why[256];
    rbv_state_explain(t->state, why, sizeof why);
    rbv_diagnose(t->diagnostics, RBV_ERROR, t->model->file, (RbvPosition){0, 0},
                 "the state of %s gives no finite numbers%s%s", t->start->from, why[0] ? ": " : "", why);
    return RBV_NOT_FINITE;
}

/* Evaluate positions and velocities, and loads for the measures of conditions. NOT_FINITE, reported. */
static RbvStatus look(const Taking *t) {
    RbvState *state = t->state;
    if (!rbv_state_place(state))
        return not_finite(t);
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state) || !rbv_state_move(state))
        return not_finite(t);
    rbv_state_load(state);
    return RBV_OK;
}

static double fastest(const RbvState *state) {
    double most = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        most = rbv_max(
            most, rbv_max(rbv_norm(state->twists[b].v), rbv_norm(state->twists[b].w) * rbv_state_body_arm(state, b)));
    return most;
}

/* A drive with a limit may lag behind its target: it follows with that lag, or slips if its rate differs from the
 * target's. */
static RbvStatus take_lags(Taking *t, RbvActivity *activity) {
    RbvState *state = t->state;
    const RbvRowPattern *C = &state->system->C;
    double speed = fastest(state);
    for (int32_t d = 0; d < t->model->drives.count; d++) {
        int32_t row = state->system->drive_row[d];
        double size = state->system->rows[row].angular ? 1 : rbv_state_row_size(state, row),
               lag = t->model->drives.items[d].most ? state->phi[row] : 0, rate = -state->nu[row];
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++)
            rate += state->C[e] * state->v[C->column[e]];
        rate += t->model->drives.items[d].catch_up * lag;
        if (!activity || !t->model->drives.items[d].most || !activity->active[row] ||
            (fabs(lag) <= RBV_FITS * size && (!t->rates || fabs(rate) <= RBV_FITS * rbv_max(speed, size))))
            continue;
        /* Slip below this part of the speed is rest: numbers printed in 17 digits have lost more than this. */
        bool slips = t->rates && fabs(rate) > RBV_SAME * rbv_max(speed, size);
        state->lag[d][0] = slips ? 0 : lag;
        state->lag[d][1] = state->t;
        activity->active[row] = !slips;
    }
    return look(t);
}

/* Active rows must be satisfied at the state; the violated ones are reported, largest first. BAD_INPUT. */
static RbvStatus decide_fit(Taking *t) {
    RbvState *state = t->state;
    RbvResidual *residuals = calloc((size_t)state->system->all_count + 1, sizeof *residuals);
    if (!residuals)
        return RBV_NO_MEMORY;
    RbvText text = {0};
    int32_t count = rbv_residuals(state, true, residuals), misfits = 0;
    double speed = fastest(state);
    for (int32_t k = 0; k < count; k++) {
        const RbvResidual *r = &residuals[k];
        double size = rbv_state_row_size(state, r->row), arm = rbv_state_row_arm(state, r->row);
        bool place = hypot(r->length, r->angle * arm) <= RBV_FITS * size,
             rate = !t->rates || hypot(r->length_rate, r->angle_rate * arm) <= RBV_FITS * rbv_max(speed, size);
        if (r->row >= state->system->row_count || (place && rate) || misfits++ > 4)
            continue;
        char name[200];
        rbv_system_row_name(state->system, r->row, name, sizeof name);
        static const char *const units[2][2] = {{"m", "rad"}, {"m/s", "rad/s"}};
        bool turns = place ? r->angle_rate > r->length_rate : r->angle > r->length;
        rbv_text_format(&text, "%s%s by %.6g %s", text.length > 0 ? ", " : "", name,
                        place ? rbv_max(r->angle_rate, r->length_rate) : rbv_max(r->angle, r->length),
                        units[place][turns]);
    }
    free(residuals);
    if (misfits > 0 && !text.no_memory)
        rbv_diagnose(t->diagnostics, RBV_ERROR, t->model->file, (RbvPosition){0, 0},
                     "the state of %s does not fit this model at t = %.9g s: off are %s%s", t->start->from, state->t,
                     text.data, misfits > 5 ? ", ..." : "");
    RbvStatus status = misfits > 0 ? RBV_BAD_INPUT : RBV_OK;
    status = text.no_memory ? RBV_NO_MEMORY : status;
    rbv_text_clear(&text);
    return status;
}

/* decide_fit for the bodies as read, in the absolute system. */
static RbvStatus decide_bodies(Taking *t) {
    const RbvSystem *bodily = t->state->system->absolute;
    if (!bodily || t->state->no_memory)
        return t->state->no_memory ? RBV_NO_MEMORY : decide_fit(t);
    RbvState *state = t->state, *absolute = rbv_absolute_state_create(state);
    if (!absolute)
        return RBV_NO_MEMORY;
    rbv_coordinates_from_bodies(&bodily->coordinates, t->bodies, absolute->q);
    for (int32_t b = 1; b < bodily->bodies.count; b++)
        rbv_bodies_put(&bodily->bodies, b, t->twists[b], absolute->v);
    t->state = absolute;
    RbvStatus status = look(t);
    if (status == RBV_OK)
        status = decide_fit(t);
    t->state = state;
    rbv_state_destroy(absolute);
    return status;
}

static bool has_rates(const Taking *t) {
    for (int32_t k = 0; k < t->start->count; k++) {
        const char *name = t->start->names[k], *dot = strchr(name, '.');
        if ((dot && strcmp(dot, ".vx") == 0) || (!dot && *name && name[strlen(name) - 1] == '\''))
            return true;
    }
    return false;
}

static void note_start(const Taking *t) {
    const RbvModel *model = t->model;
    if (!t->rates)
        rbv_diagnose(t->diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     "%s has no rates: the motion starts at rest, but for what drives and constraints ask",
                     t->start->from);
    if (model->initial.count > 0)
        rbv_diagnose(t->diagnostics, RBV_NOTE, model->file, model->initial.items[0].where,
                     "initial conditions play no part: the state is that of %s at t = %.9g s", t->start->from,
                     t->start->t);
}

/* Read all columns of bodies and check their names. */
static RbvStatus take_names(Taking *t) {
    for (int32_t k = 0; k < t->start->count; k++)
        if (!rbv_name_table_add(&t->names, t->start->names[k], k))
            return RBV_NO_MEMORY;
    t->rates = t->seconds || has_rates(t);
    read_bodies(t);
    look_for_others(t);
    return decide_names(t);
}

/* Whole turns. A start takes them from its columns, then from drive targets. A prescribed motion continues from the
 * previous sample, and its columns take precedence; at its first sample, in space, drive targets come before the
 * columns. */
static void place_turns(Taking *t) {
    RbvState *state = t->state;
    bool prescribed = t->seconds != NULL;
    if (prescribed && isfinite(t->since))
        advance_turns(state, 0.5 * (state->t - t->since));
    else if (prescribed && state->system->bodies.spatial)
        turn_drives(state);
    rbv_state_place(state);
    take_turns(t);
    rbv_state_place(state);
    if (!prescribed)
        turn_drives(state);
}

/* Own states, turns and sizes, after the bodies. */
static RbvStatus take_place(Taking *t) {
    RbvState *state = t->state;
    take_own(t);
    RbvStatus status = look(t);
    if (status != RBV_OK)
        return status;
    place_turns(t);
    rbv_hold_turns(state);
    turn_rows(state);
    turn_meshes(state);
    status = look(t);
    if (status != RBV_OK)
        return status;
    rbv_state_accept(state);
    rbv_state_measure_sizes(state);
    return RBV_OK;
}

static RbvStatus take_start(Taking *t, RbvActivity *activity) {
    RbvStatus status = take_names(t);
    if (status != RBV_OK)
        return status;
    note_start(t);
    status = take_place(t);
    if (status == RBV_OK && activity)
        status = rbv_activity_find(activity, t->state, t->diagnostics);
    if (status == RBV_OK)
        status = look(t);
    if (status == RBV_OK)
        status = take_lags(t, activity);
    return status == RBV_OK ? decide_bodies(t) : status;
}

static RbvStatus close_names(Taking *t, RbvStatus status) {
    rbv_name_table_clear(&t->names);
    rbv_text_clear(&t->missing);
    rbv_text_clear(&t->others);
    rbv_arena_clear(&t->arena);
    return status;
}

RbvStatus rbv_start_place(const RbvStart *start, RbvState *state, RbvActivity *activity, RbvDiagnostics *diagnostics) {
    Taking t = {.start = start, .state = state, .model = state->system->model, .diagnostics = diagnostics};
    return close_names(&t, take_start(&t, activity));
}

RbvStatus rbv_start_take(const RbvStart *start, double since, RbvState *state, RbvTwist *accelerations,
                         RbvDiagnostics *diagnostics) {
    Taking t = {.start = start,
                .state = state,
                .model = state->system->model,
                .diagnostics = diagnostics,
                .seconds = accelerations,
                .since = since};
    if (isfinite(since))
        advance_turns(state, 0.5 * (state->t - since));
    RbvStatus status = take_names(&t);
    return close_names(&t, status == RBV_OK ? take_place(&t) : status);
}

/* Index of the column of that name, or -1. */
static int32_t find_start_column(const RbvStart *start, const char *name) {
    for (int32_t c = 0; c < start->count; c++)
        if (strcmp(start->names[c], name) == 0)
            return c;
    return -1;
}

static void continue_turns(const RbvStart *start, const RbvState *state, RbvRecord *record) {
    for (int32_t k = 0; k < record->coordinate_count; k++) {
        const RbvMeasure *measure = &record->coordinates[k];
        int32_t c =
            record->known[k] >= 0
                ? -1
                : find_start_column(
                      start, record->result->columns[record->first_coordinate + k * (record->options.orders + 1)].name);
        RbvMeasureState measured;
        if (c < 0)
            continue;
        rbv_measure_place(measure, state->system->model, state->markers, &record->memory[k], &measured);
        take_turn(start->values[c], measure->kind, measured.value, &record->memory[k]);
    }
}

void rbv_start_continue(const RbvStart *start, const RbvState *state, RbvRecord *record) {
    static const char *const parts[] = {"qw", "qx", "qy", "qz"};
    const RbvModel *model = state->system->model;
    char name[RBV_NAME_SIZE];
    continue_turns(start, state, record);
    for (int32_t b = 1; state->system->bodies.spatial && b < model->bodies.count; b++)
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s.%s", model->bodies.items[b].name, parts[k]);
            int32_t c = find_start_column(start, name);
            record->last_quat[4 * b + k] = c < 0 || isnan(start->values[c]) ? 0 : start->values[c];
        }
}
