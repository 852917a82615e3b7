/* Virtual motions of a driven mechanism and the power of its forces in them: virtual power gives all multipliers, or
 * single reactions.
 *
 * A virtual motion is a vector u of body twists [bodies.size]. No freedom is left, so u is determined by the rates
 * D_I u of the independent rows: all zero except for the row that is varied. */
#include "solution/reaction/virtual_power.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/coordinates/natural.h"
#include "solution/reaction/natural_multipliers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x[bodies.size] = Q - (m, J) a: forces on bodies, inertia included, at the motion's accepted state. */
static void virtual_forces(const RbvMotion *motion, const double *Q, double *x) {
    rbv_state_body_inertia(motion->state, motion->state->accelerations, x);
    for (int32_t j = 0; j < motion->D->n; j++)
        x[j] = Q[j] - x[j];
}

/* Power u^T x. */
static double virtual_power(const RbvMotion *motion, const double *u, const double *x) {
    double sum = 0;
    for (int32_t j = 0; j < motion->D->n; j++)
        sum += u[j] * x[j];
    return sum;
}

/* Virtual motion u[bodies.size] for rates[rows] of the chosen rows; those of dependent rows follow. One forward and
 * back substitution. */
static void virtual_motion(const RbvMotion *motion, const double *rates, double *u) {
    for (int32_t k = 0; k < motion->D->n; k++)
        u[k] = rates[motion->D->chosen[k]];
    rbv_lu_solve(motion->D->lu, u);
}

/* Virtual motion at unit rate of the k-th chosen row alone; u[bodies.size] is zero on entry. Lists the columns of u
 * that may be nonzero in moved[bodies.size] and returns their number; the caller sets them to zero again
 * (core/linalg/lu.h: after rbv_lu_open_units). */
static int32_t virtual_motion_of(const RbvMotion *motion, int32_t k, double *u, int32_t *moved) {
    return rbv_lu_solve_unit(motion->D->lu, k, u, moved);
}

/* Virtual power: each multiplier by the virtual motion that varies its row alone. With D_I q* = e_k, all other rows
 * and inputs at rest, the power of all forces in q* is zero, those of inertia included:
 *
 *   lambda_k = q*^T (Q - (m, J) a)
 * For the row of a drive, q* is the motion at unit rate of this input, and -lambda_k its effort. Each multiplier
 * takes one forward and back substitution with the factors of D_I, over those bodies alone that q* may move by the
 * block triangular form of D_I; no system with D_I^T is solved. */

typedef struct VirtualPower {
    RbvArena arena; /* memory of the arrays */
    double *x, *u;  /* [bodies.size] forces minus inertia; a virtual motion */
    int32_t *moved; /* [bodies.size] columns of the motion that may be nonzero */
} VirtualPower;

static void virtual_power_destroy(void *data) {
    VirtualPower *own = data;
    if (own)
        rbv_arena_clear(&own->arena);
    free(own);
}

static void *virtual_power_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    size_t n = (size_t)motion->system->bodies.size + 1;
    VirtualPower *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->x = rbv_arena_array(&own->arena, n, sizeof *own->x);
    own->u = rbv_arena_array(&own->arena, n, sizeof *own->u);
    own->moved = rbv_arena_array(&own->arena, n, sizeof *own->moved);
    if (own->x && own->u && own->moved)
        return own;
    virtual_power_destroy(own);
    return NULL;
}

static RbvStatus virtual_power_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    const VirtualPower *own = data;
    const RbvRowFactors *D = motion->D;
    virtual_forces(motion, Q, own->x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    if (!rbv_lu_open_units(D->lu))
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < D->n; k++) {
        double power = 0;
        if (rbv_progress_stops(motion->state->progress))
            return RBV_INTERRUPTED;
        int32_t count = virtual_motion_of(motion, k, own->u, own->moved);
        for (int32_t n = 0; n < count; n++) {
            power += own->u[own->moved[n]] * own->x[own->moved[n]];
            own->u[own->moved[n]] = 0;
        }
        lambda[D->chosen[k]] = power;
    }
    return RBV_OK;
}

const RbvMethodKind rbv_virtual_power_method = {.name = "virtual-power",
                                                .create = virtual_power_create,
                                                .destroy = virtual_power_destroy,
                                                .solve = virtual_power_solve};

/* Single reactions by virtual motions: only the requested ones, and all efforts; one forward and back substitution
 * each.
 *
 * A joint is cut in one component of its reaction, or a constraint is varied. With c the component as a combination
 * of the joint's multipliers, the virtual motion
 *
 *   D q* = -c     all other rows and inputs at rest
 * moves the cut alone, at unit rate along the component's axis: the power of the component is its value, c . lambda
 * = q*^T ((m, J) a - Q). The motion exists for all rows if and only if c is orthogonal to every self-stress, that
 * is, the component is determined. The rows of the joint may be varied one by one instead, or, in natural coordinates,
 * a body may be taken out (natural_multipliers.h). Where the motion does not exist, the mechanism stays locked at the
 * cut, and the value depends on the choice among solutions (choice.h), for which all multipliers are needed. */

/* Reads the names of requested reactions. */
typedef struct Reader {
    RbvRequested *requested;
    const RbvReactions *reactions;
    RbvDiagnostics *diagnostics;
    bool lost;
} Reader;

static bool is_among(const RbvRequested *requested, int32_t joint, int32_t component, int32_t constraint) {
    for (int32_t k = 0; k < requested->total; k++)
        if (requested->parts[k].joint == joint && requested->parts[k].component == component &&
            requested->parts[k].constraint == constraint)
            return true;
    return false;
}

static RbvStatus reject_request(const Reader *r, const char *format, const char *a, const char *b) {
    rbv_diagnose(r->diagnostics, RBV_ERROR, r->requested->system->model->file, (RbvPosition){0, 0}, format, a, b);
    return RBV_BAD_INPUT;
}

static void add(Reader *r, const char *owner, const char *part, int32_t joint, int32_t component, int32_t constraint) {
    RbvRequested *requested = r->requested;
    bool known =
        joint >= 0 ? rbv_component_in(requested->components[joint], component) : requested->constraints[constraint];
    if (known)
        return;
    char name[2 * RBV_NAME_SIZE];
    int length = snprintf(name, sizeof name, "%s.%s", owner, part);
    const char *kept = rbv_arena_copy(&requested->arena, name, (size_t)length);
    r->lost = r->lost || !kept;
    if (joint >= 0)
        requested->components[joint] |= 1u << component;
    else
        requested->constraints[constraint] = true;
    requested->parts[requested->count++] = (RbvRequestedPart){kept, joint, component, constraint};
    requested->total = requested->count;
}

/* Reactions and efforts of constraints that outputs depend on are solved for as well, without columns of their own. */
static void add_read(RbvRequested *requested, RbvVariable variable) {
    if (variable.kind == RBV_VARIABLE_STOP || (variable.kind == RBV_VARIABLE_REACTION && variable.part >= RBV_FRICTION))
        requested->linear = false;
    else if (variable.kind == RBV_VARIABLE_REACTION && !is_among(requested, variable.index, variable.part, -1))
        requested->parts[requested->total++] = (RbvRequestedPart){"", variable.index, variable.part, -1};
    else if (variable.kind == RBV_VARIABLE_MULTIPLIER && !is_among(requested, -1, -1, variable.index))
        requested->parts[requested->total++] = (RbvRequestedPart){"", -1, -1, variable.index};
}

static void add_outputs(RbvRequested *requested) {
    const RbvModel *model = requested->system->model;
    for (int32_t k = 0; k < model->outputs.count; k++)
        for (int32_t v = 0; v < rbv_expr_variable_count(model->outputs.items[k].value); v++)
            add_read(requested, rbv_variable_of(model, model->outputs.items[k].value, v));
}

static void add_joint(Reader *r, int32_t joint) {
    for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
        if (rbv_component_in(r->reactions->printed[joint], c))
            add(r, r->requested->system->model->joints.items[joint].name, rbv_component_name((RbvComponent)c), joint, c,
                -1);
}

/* The body is taken out: requests all components of its joints. */
static void add_body(Reader *r, int32_t body) {
    const RbvModel *model = r->requested->system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int side = 0; side < 2; side++)
            if (model->markers.items[model->joints.items[k].marker[side]].body == body)
                add_joint(r, k);
}

static RbvStatus add_component(Reader *r, int32_t joint, const char *word) {
    const RbvJoint *j = &r->requested->system->model->joints.items[joint];
    char list[200] = "none";
    size_t used = 0;
    for (int c = 0; c < RBV_COMPONENT_COUNT; c++) {
        const char *name = rbv_component_name((RbvComponent)c);
        if (!rbv_component_in(r->reactions->printed[joint], c))
            continue;
        if (strcmp(name, word) == 0) {
            if (!rbv_component_in(r->reactions->possible[joint], c))
                rbv_diagnose(r->diagnostics, RBV_NOTE, r->requested->system->model->file, j->where,
                             RBV_OPTION_INVERSE_REACTIONS " %s.%s: joint '%s' leaves that direction free and carries "
                                                          "nothing along it; what a drive does there is its effort",
                             j->name, name, j->name);
            add(r, j->name, name, joint, c, -1);
            return RBV_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
    }
    char text[RBV_NAME_SIZE + 240];
    snprintf(text, sizeof text, "'%s'; it has %s", word, list);
    return reject_request(r, RBV_OPTION_INVERSE_REACTIONS ": joint '%s' has no reaction %s", j->name, text);
}

/* Index of a rigid row of natural coordinates named "body.row2"; -1: no such row. */
static int32_t own_row(const RbvRequested *requested, const char *text) {
    char name[2 * RBV_NAME_SIZE];
    for (int32_t k = 0; requested->rigid && k < rbv_natural_of(&requested->system->coordinates)->row_count; k++) {
        rbv_natural_row_name(requested->system, k, name, sizeof name);
        if (strcmp(name, text) == 0)
            return k;
    }
    return -1;
}

static RbvStatus request_row(Reader *r, const char *text, int32_t row) {
    RbvRequested *requested = r->requested;
    const char *missing = rbv_natural_multipliers_missing(requested->system);
    if (requested->by != RBV_BY_CONSTRAINT)
        return reject_request(r,
                              RBV_OPTION_INVERSE_REACTIONS
                              ": %s is a rigid row, no joint that could be cut: " RBV_OPTION_INVERSE_BY
                              " constraint varies it%s",
                              text, "");
    if (missing)
        return reject_request(r, RBV_OPTION_INVERSE_REACTIONS ": '%s': %s", text, missing);
    if (rbv_natural_of(&requested->system->coordinates)->rows[row].kind == RBV_RIGID_NORM)
        return reject_request(
            r, RBV_OPTION_INVERSE_REACTIONS ": %s holds the length of a unit vector, and stands for no force%s", text,
            "");
    requested->rigid_count += !requested->rigid[row];
    requested->rigid[row] = true;
    return RBV_OK;
}

static RbvStatus read_name(Reader *r, const char *text) {
    const RbvModel *model = r->requested->system->model;
    const char *dot = strchr(text, '.');
    char owner[RBV_NAME_SIZE];
    size_t length = dot ? (size_t)(dot - text) : strlen(text);
    if (length == 0 || length >= sizeof owner)
        return reject_request(
            r, RBV_OPTION_INVERSE_REACTIONS ": '%s' is no reaction; write joint.Fx or another of its components%s",
            text, "");
    memcpy(owner, text, length);
    owner[length] = '\0';
    int32_t joint = rbv_model_find(model, owner, RBV_NAMED_JOINT), body = rbv_model_find(model, owner, RBV_NAMED_BODY);
    int32_t constraint = rbv_model_find(model, owner, RBV_NAMED_CONSTRAINT),
            drive = rbv_model_find(model, owner, RBV_NAMED_DRIVE), row = own_row(r->requested, text);
    if (row >= 0)
        return request_row(r, text, row);
    if (joint >= 0 && dot)
        return add_component(r, joint, dot + 1);
    if (joint >= 0)
        add_joint(r, joint);
    else if (body > 0 && !dot)
        add_body(r, body);
    else if (constraint >= 0 && (!dot || strcmp(dot + 1, "effort") == 0))
        add(r, owner, "effort", -1, -1, constraint);
    else if (drive >= 0 && (!dot || strcmp(dot + 1, "effort") == 0)) /* efforts of drives are always solved for */
        r->requested->drives[drive] = true;
    else
        return reject_request(
            r,
            RBV_OPTION_INVERSE_REACTIONS ": there is no joint, body or constraint that carries '%s'; write joint.Fx or "
                                         "another of its components, constraint.effort%s",
            text, rbv_is_natural(&r->requested->system->coordinates) ? ", or of a rigid row body.row1" : "");
    return RBV_OK;
}

/* Is the component linear in the multipliers, so that its value is the power of a virtual motion? */
static bool is_linear(const RbvModel *model, const RbvRequestedPart *part) {
    return part->joint < 0 || part->component < RBV_LINE_F ||
           (part->component == RBV_LINE_F && !rbv_forms[model->joints.items[part->joint].form].teeth);
}

/* BAD_INPUT, reported: --by body with a system without natural multipliers. */
static RbvStatus admit(const Reader *r, const RbvOptions *options) {
    const char *missing =
        options->inverse.by == RBV_BY_BODY ? rbv_natural_multipliers_missing(r->requested->system) : NULL;
    return missing ? reject_request(r,
                                    RBV_OPTION_INVERSE_BY " body lets go the rigid rows of a body, whose points and "
                                                          "vectors carry its forces to its neighbours: %s%s",
                                    missing, "")
                   : RBV_OK;
}

RbvStatus rbv_requested_create(const RbvReactions *reactions, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvRequested **out) {
    const RbvSystem *system = reactions->system;
    size_t joints = (size_t)system->model->joints.count, constraints = (size_t)system->model->constraints.count,
           n = (size_t)system->bodies.size + 1;
    RbvRequested *requested = *out = calloc(1, sizeof *requested);
    if (!requested)
        return RBV_NO_MEMORY;
    requested->system = system;
    requested->by = options->inverse.by;
    requested->parts =
        rbv_arena_array(&requested->arena, joints * RBV_COMPONENT_COUNT + constraints + 1, sizeof *requested->parts);
    requested->components = rbv_arena_array(&requested->arena, joints + 1, sizeof *requested->components);
    requested->constraints = rbv_arena_array(&requested->arena, constraints + 1, sizeof *requested->constraints);
    requested->drives =
        rbv_arena_array(&requested->arena, (size_t)system->model->drives.count + 1, sizeof *requested->drives);
    requested->rigid =
        rbv_is_natural(&system->coordinates)
            ? rbv_arena_array(&requested->arena, (size_t)system->coordinates.own_rows + 1, sizeof *requested->rigid)
            : NULL;
    requested->rates = rbv_arena_array(&requested->arena, (size_t)system->all_count + 1, sizeof *requested->rates);
    requested->Q = rbv_arena_array(&requested->arena, n, sizeof *requested->Q);
    requested->x = rbv_arena_array(&requested->arena, n, sizeof *requested->x);
    requested->u = rbv_arena_array(&requested->arena, n, sizeof *requested->u);
    if (!requested->parts || !requested->components || !requested->constraints || !requested->drives ||
        (!requested->rigid && rbv_is_natural(&system->coordinates)) || !requested->rates || !requested->Q ||
        !requested->x || !requested->u)
        return RBV_NO_MEMORY;
    Reader reader = {.requested = requested, .reactions = reactions, .diagnostics = diagnostics};
    RbvStatus status = admit(&reader, options);
    for (int32_t k = 0; k < options->inverse.reaction_count && status == RBV_OK; k++)
        status = read_name(&reader, options->inverse.reactions[k]);
    requested->linear = true;
    if (status == RBV_OK)
        add_outputs(requested);
    for (int32_t k = 0; k < requested->total; k++)
        requested->linear = requested->linear && is_linear(system->model, &requested->parts[k]);
    return reader.lost ? RBV_NO_MEMORY : status;
}

void rbv_requested_destroy(RbvRequested *requested) {
    if (!requested)
        return;
    rbv_arena_clear(&requested->arena);
    free(requested);
}

bool rbv_requested_determined(const RbvRequested *requested, const RbvReactions *r) {
    bool good = true;
    for (int32_t k = 0; k < requested->total; k++) {
        const RbvRequestedPart *part = &requested->parts[k];
        RbvVerdict verdict =
            part->joint >= 0 ? r->verdict[part->joint][part->component] : r->multiplier_verdict[part->constraint];
        good = good && verdict <= RBV_UNIQUE;
    }
    for (int32_t k = 0; k < requested->system->model->drives.count; k++)
        good = good && r->effort_verdict[k] <= RBV_UNIQUE;
    return good;
}

/* Does u keep all active rows at requested->rates? */
static bool keeps_active_rows(const RbvRequested *requested, const RbvMotion *motion, const double *u) {
    const RbvState *state = motion->state;
    const RbvRowPattern *D = &requested->system->D;
    double most = 0, left = 0;
    for (int32_t row = 0; row < requested->system->satisfied_count; row++) {
        double sum = -requested->rates[row], size = fabs(sum);
        if (!rbv_state_holds(state, row))
            continue;
        for (int32_t e = D->start[row]; e < D->start[row + 1]; e++) {
            sum += state->D[e] * u[D->column[e]];
            size += fabs(state->D[e] * u[D->column[e]]);
        }
        most = rbv_max(most, size);
        left = isnan(sum) ? INFINITY : rbv_max(left, fabs(sum));
    }
    /* What a virtual motion may leave of the other rows, part of the largest contribution of its entries to a row. Rows
     * are kept to rounding times the condition number; if the motion does not exist, a row is violated by about all of
     * it. */
    return left <= RBV_BALANCED * most;
}

/* Virtual motion for the rates in requested->rates[first ... first + count - 1], which are then reset to zero.
 * False: it does not exist. */
static bool find_motion(RbvRequested *requested, const RbvMotion *motion, int32_t first, int32_t count, double *u) {
    virtual_motion(motion, requested->rates, u);
    bool kept = keeps_active_rows(requested, motion, u);
    memset(requested->rates + first, 0, (size_t)count * sizeof *requested->rates);
    return kept;
}

/* Virtual motion of one row at unit rate. */
static bool vary_row(RbvRequested *requested, const RbvMotion *motion, int32_t row, double *u) {
    requested->rates[row] = 1;
    return find_motion(requested, motion, row, 1, u);
}

/* Is the component zero by structure or orthogonal to all constrained directions, so that no motion is needed? */
static bool is_nothing(const RbvReactions *r, const RbvRequestedPart *part, const double *c, int32_t count) {
    double size = 0;
    for (int32_t n = 0; n < count; n++)
        size += fabs(c[n]);
    return !rbv_component_in(r->possible[part->joint], part->component) ||
           (part->component < RBV_LINE_F && r->mixed[part->joint] && size < RBV_DATA) || size == 0;
}

bool rbv_requested_drive(RbvRequested *requested, const RbvMotion *motion, int32_t k, double *u) {
    return vary_row(requested, motion, requested->system->drive_row[k], u);
}

bool rbv_requested_motion(RbvRequested *requested, const RbvMotion *motion, const RbvReactions *r, int32_t k,
                          double *u) {
    const RbvSystem *system = requested->system;
    const RbvRequestedPart *part = &requested->parts[k];
    if (part->joint < 0)
        return vary_row(requested, motion, system->constraint_row[part->constraint], u);
    int32_t first = system->joint_row[part->joint], count = system->joint_row[part->joint + 1] - first;
    rbv_reactions_functional(r, motion->state, part->joint, part->component, requested->rates + first);
    if (!is_linear(system->model, part) || is_nothing(r, part, requested->rates + first, count)) {
        memset(requested->rates + first, 0, (size_t)count * sizeof *requested->rates);
        memset(u, 0, (size_t)system->bodies.size * sizeof *u);
        return false;
    }
    for (int32_t n = first; n < first + count; n++) /* so that the power of u is the value */
        requested->rates[n] = -requested->rates[n];
    return find_motion(requested, motion, first, count, u);
}

/* Sum of the joint's own chosen rows, each varied alone. */
static double sum_of_rows(RbvRequested *requested, const RbvMotion *motion, int32_t first, int32_t count,
                          const double *c) {
    double sum = 0;
    for (int32_t n = 0; n < count; n++) {
        if (motion->D->place_of[first + n] < 0 || c[n] == 0)
            continue;
        requested->rates[first + n] = 1;
        virtual_motion(motion, requested->rates, requested->u);
        requested->rates[first + n] = 0;
        sum += c[n] * virtual_power(motion, requested->u, requested->x);
    }
    return sum;
}

/* Component from the equations of the bodies beyond the joint. False: no memory, or NaN, since bodies share its
 * point or vector in a closed chain. */
static bool by_body(RbvMotion *motion, RbvReactions *r, const RbvRequestedPart *part, double *value) {
    RbvElementWrench element;
    if (rbv_natural_by_body(motion, r, part->joint, &element) != RBV_OK) {
        motion->state->no_memory = true;
        return false;
    }
    RbvVec3 F = element.wrench.force, T = element.wrench.torque;
    if (r->frame == RBV_FRAME_JOINT) {
        const RbvMat3 *axes = motion->state->markers[rbv_joint_axes(&r->system->model->joints.items[part->joint])].axes;
        F = rbv_apply_transposed(axes, F);
        T = rbv_apply_transposed(axes, T);
    }
    const double all[6] = {F.x, F.y, F.z, T.x, T.y, T.z};
    *value = all[part->component];
    return isfinite(*value);
}

static bool solve_joint(RbvRequested *requested, RbvMotion *motion, RbvReactions *r, int32_t k) {
    const RbvSystem *system = requested->system;
    const RbvRequestedPart *part = &requested->parts[k];
    int32_t first = system->joint_row[part->joint], count = system->joint_row[part->joint + 1] - first;
    rbv_reactions_functional(r, motion->state, part->joint, part->component, r->scratch);
    if (count == 0 || !rbv_state_holds(motion->state, first) || is_nothing(r, part, r->scratch, count))
        return true;
    r->opened = r->opened || r->verdict[part->joint][part->component] == RBV_FREE;
    if (requested->by == RBV_BY_CONSTRAINT ||
        (requested->by == RBV_BY_BODY &&
         part->component >= RBV_LINE_F)) { /* a component along a line is a multiplier of its row in any coordinates */
        r->value[part->joint][part->component] = sum_of_rows(requested, motion, first, count, r->scratch);
        return true;
    }
    if (requested->by == RBV_BY_BODY)
        return by_body(motion, r, part, &r->value[part->joint][part->component]);
    bool kept = rbv_requested_motion(requested, motion, r, k, requested->u);
    r->value[part->joint][part->component] = -virtual_power(motion, requested->u, requested->x);
    return kept;
}

/* Residual of the power in the real motion: forces, inertia and efforts [W]. Not known where rows other than drives
 * prescribe rates, since their forces are not all known here. */
static void find_power(RbvRequested *requested, const RbvMotion *motion, const RbvReactions *r) {
    const RbvState *state = motion->state;
    const RbvSystem *system = requested->system;
    double force = 0, speed = 0;
    requested->power = requested->power_size = requested->power_rounding = 0;
    for (int32_t k = 0; k < system->row_count; k++)
        if (system->rows[k].owner != RBV_OWNER_DRIVE && rbv_state_holds(state, k) && state->nu[k] != 0)
            return;
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, state->twists[b], requested->u);
    for (int32_t j = 0; j < system->bodies.size; j++) {
        requested->power += requested->u[j] * requested->x[j];
        requested->power_size += fabs(requested->u[j] * requested->x[j]);
    }
    for (int32_t b = 1; b < system->bodies.count; b++)
        for (int32_t j = system->bodies.start[b]; j < system->bodies.start[b + 1]; j++) {
            double arm = rbv_bodies_is_rotation(&system->bodies, b, j) ? rbv_state_body_arm(state, b) : 1;
            force = rbv_max(force, fabs(requested->x[j]) / arm);
            speed = rbv_max(speed, fabs(requested->u[j]) * arm);
        }
    /* Velocities are known to this part of the fastest, rotations at the arm of their body. */
    requested->power_rounding = RBV_ROUNDING * force * speed;
    for (int32_t k = 0; k < system->model->drives.count; k++) {
        double power = r->effort[k] * state->nu[system->drive_row[k]];
        requested->power += power;
        requested->power_size += fabs(power);
    }
}

bool rbv_requested_solve(RbvRequested *requested, RbvMotion *motion, RbvReactions *r, const RbvWrench *wrenches,
                         bool placed) {
    const RbvSystem *system = requested->system;
    bool kept = true;
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, (RbvTwist){wrenches[b].force, wrenches[b].torque}, requested->Q);
    virtual_forces(motion, requested->Q, requested->x);
    memset(r->value[0], 0, (size_t)r->component_count * sizeof(double));
    for (int32_t k = 0; k < requested->total; k++) {
        const RbvRequestedPart *part = &requested->parts[k];
        if (part->joint >= 0 && !placed)
            rbv_reactions_place_joint(r, motion->state, part->joint);
        if (part->joint >= 0) {
            kept = solve_joint(requested, motion, r, k) && kept;
            continue;
        }
        int32_t row = system->constraint_row[part->constraint];
        bool held = rbv_state_holds(motion->state, row);
        kept = (!held || vary_row(requested, motion, row, requested->u)) && kept;
        r->multiplier[part->constraint] = r->carried[part->constraint] = r->ideal[part->constraint] =
            held ? -virtual_power(motion, requested->u, requested->x) : 0;
    }
    for (int32_t k = 0; k < system->model->drives.count; k++) {
        int32_t row = system->drive_row[k];
        bool held = rbv_state_holds(motion->state, row);
        kept = (!held || vary_row(requested, motion, row, requested->u)) && kept;
        r->effort[k] = held ? -virtual_power(motion, requested->u, requested->x) : 0;
    }
    find_power(requested, motion, r);
    return kept;
}
