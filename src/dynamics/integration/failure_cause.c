/* Cause of a motion that cannot continue, and the messages about it, with names of the model; see failure_cause.h and
 * stepper.h. */
#include "dynamics/integration/failure_cause.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "dynamics/integration/stepper.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- motions without mass ----
 *
 * Names a motion that the joints leave free and that moves no mass: M is not positive definite on the null space of C,
 * so that accelerations along it are not determined. It is what remains of the null space of C after the rows of M are
 * removed from it.
 *
 * MOST_COORDINATES: rows of M are processed one by one, each against all others, up to this number of coordinates. */
#define MOST_COORDINATES 600
/* Part of a body's coordinate in the motion above which it is no rounding. */
#define MOVES 1e-3
/* Largest number of bodies named. */
#define MOST_NAMED 3

/* Writes "generalized coordinate 'u' has no mass", "body 'rod' has no inertia". False: it has both. */
static bool lacks_mass(const RbvState *state, int32_t b, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    const RbvBody *body = &model->bodies.items[b];
    const char *without = "inertia";
    int32_t own = body->generalized - 1, n = model->generalized.count;
    bool spatial = model->space == RBV_SPATIAL, massless = body->mass <= 0;
    double least = spatial ? rbv_min(body->inertia[0], rbv_min(body->inertia[1], body->inertia[2])) : body->inertia[2];
    if (own >= 0 ? state->mass[own * n + own] > 0 : !massless && (body->particle || least > 0))
        return false;
    if (massless)
        without = "mass";
    else if (spatial)
        without = "inertia about one of its axes";
    if (own >= 0)
        snprintf(text, size, "generalized coordinate '%s' has no mass", body->name);
    else
        snprintf(text, size, "body '%s' has no %s", body->name, without);
    return true;
}

/* Finds the motions that all active rows leave free. NULL: out of memory. */
static RbvFreedom *free_motions(RbvState *state) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = rbv_freedom_create(state, system->undriven_count, false);
    for (int32_t k = system->undriven_count; freedom && k < system->all_count; k++)
        if (rbv_state_holds(state, k) && system->rows[k].owner != RBV_OWNER_INITIAL)
            rbv_freedom_take_row(freedom, state, k);
    return freedom;
}

static bool moves_mass(RbvFreedom *freedom, const RbvBodyColumns *bodies, int32_t b) {
    double most = 0;
    for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
        most = rbv_max(most, rbv_freedom_part_of_column(freedom, j));
    return most > MOVES;
}

static void name_massless(RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = free_motions(state);
    bool known = freedom && rbv_freedom_take_masses(freedom, state, MOST_COORDINATES) && !rbv_freedom_lost(freedom);
    char names[200], why[MOST_NAMED * (RBV_NAME_SIZE + 64)] = "", one[RBV_NAME_SIZE + 60];
    text[0] = '\0';
    for (int32_t b = 1, named = 0; b < system->bodies.count && named < (known ? MOST_NAMED : 1); b++)
        if ((!known || moves_mass(freedom, &system->bodies, b)) && lacks_mass(state, b, one, sizeof one)) {
            size_t used = strlen(why);
            snprintf(why + used, sizeof why - used, "%s%s", named++ ? ", " : "", one);
        }
    int32_t count = known ? rbv_freedom_complete(freedom, state, names, sizeof names) : 0;
    const char *verb = count == 1 ? "moves" : "move";
    if (count > 0 && why[0])
        snprintf(text, size, "%s %s no mass (%s)", names, verb, why);
    else if (count > 0)
        snprintf(text, size, "%s %s no mass", names, verb);
    else
        snprintf(text, size, "%s", why);
    rbv_freedom_destroy(freedom);
}

/* Uses the coordinates whose v is body twists: freedoms and masses are named by bodies. */
void rbv_massless_explain(RbvState *state, char *text, size_t size) {
    RbvState *absolute = state->system->absolute ? rbv_absolute_state_create(state) : NULL;
    if (absolute)
        rbv_absolute_state_follow(state, absolute);
    if (absolute && rbv_state_place(absolute)) {
        rbv_state_jacobian(absolute);
        if (rbv_state_rates(absolute) && rbv_state_move(absolute))
            rbv_state_masses(absolute);
    }
    name_massless(absolute ? absolute : state, text, size);
    rbv_state_destroy(absolute);
}

/* ---- stops and lock-ups ----
 *
 * A drive pushes into a stop if the stop's row is dependent on joints and drives, and independent without that drive. A
 * drive, constraint or requirement is at a lock-up if next to nothing of its row is free next to the other rows.
 *
 * MOST_DRIVES: most drives, or constraints, of a model for which the cause is searched. */
#define MOST_DRIVES 20
/* Part of a row that is free beside the other rows, at a lock-up: towards a dead centre it falls as the root of the
 * time that is left. */
#define LOCKED_PART 1e-2

/* Freedom left by joints, constraints and all drives except row `without`; with_stops: and by stops. NULL: out of
 * memory. */
static RbvFreedom *freedom_without(RbvState *state, int32_t without, bool with_stops) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = rbv_freedom_create(state, system->undriven_count, false);
    for (int32_t k = system->undriven_count; freedom && k < system->row_count; k++)
        if (k != without && rbv_state_holds(state, k) && (with_stops || system->rows[k].owner == RBV_OWNER_DRIVE))
            rbv_freedom_take_row(freedom, state, k);
    return freedom;
}

/* Part of row k that is free beside the other active rows, except row `without`; 1 if out of memory. */
static double free_part(RbvState *state, int32_t k, int32_t without, bool with_stops) {
    RbvFreedom *freedom = freedom_without(state, without, with_stops);
    double part = freedom ? rbv_freedom_part_of_row(freedom, state, k) : 1;
    if (freedom && rbv_freedom_lost(freedom))
        part = 1;
    rbv_freedom_destroy(freedom);
    return part;
}

/* First closed stop (2 stop + 1 for its max) whose row is dependent on joints and drives; -1: none. */
static int32_t blocking_stop(RbvState *state) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = freedom_without(state, -1, false);
    int32_t found = -1;
    for (int32_t k = 0; freedom && found < 0 && k < 2 * system->model->stops.count; k++)
        if (system->stop_row[k] >= 0 && rbv_state_holds(state, system->stop_row[k]) &&
            !(rbv_freedom_part_of_row(freedom, state, system->stop_row[k]) > LOCKED_PART))
            found = k;
    rbv_freedom_destroy(freedom);
    return found;
}

/* Writes the names of the drives without which the stop's row is free, "'a', 'b'"; returns their number. */
static int32_t pushing_drives(RbvState *state, int32_t stop_row, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    size_t used = 0;
    int32_t count = 0;
    text[0] = '\0';
    for (int32_t d = 0; d < model->drives.count && model->drives.count <= MOST_DRIVES && used < size; d++) {
        int32_t row = state->system->drive_row[d];
        if (rbv_state_holds(state, row) && free_part(state, stop_row, row, false) > LOCKED_PART)
            used +=
                (size_t)snprintf(text + used, size - used, "%s'%s'", count++ ? ", " : "", model->drives.items[d].name);
    }
    return count;
}

static void name_fastest(const RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    double most = -1;
    for (int32_t i = 1; i < system->bodies.count; i++) {
        double speed =
            rbv_max(rbv_norm(state->twists[i].v) / rbv_state_body_size(state, i), rbv_norm(state->twists[i].w));
        if (speed > most) {
            most = speed;
            snprintf(text, size, "%s", system->model->bodies.items[i].name);
        }
    }
}

/* Part of row k, of a constraint, that is free beside all other active rows; 1 if out of memory. */
static double free_part_of_equation(RbvState *state, int32_t k) {
    const RbvSystem *system = state->system;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    if (!without)
        return 1;
    without[k] = true;
    RbvFreedom *freedom = rbv_freedom_create_without(state, system->undriven_count, without);
    for (int32_t row = system->undriven_count; freedom && row < system->row_count; row++)
        if (rbv_state_holds(state, row))
            rbv_freedom_take_row(freedom, state, row);
    double part = freedom ? rbv_freedom_part_of_row(freedom, state, k) : 1;
    if (freedom && rbv_freedom_lost(freedom))
        part = 1;
    rbv_freedom_destroy(freedom);
    free(without);
    return part;
}

/* Writes the first constraint or requirement that is at a lock-up. */
static void explain_equations(RbvState *state, const char *fastest, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t count = model->constraints.count, required = count - model->requirement_count;
    for (int32_t c = 0; c < count && count <= MOST_DRIVES && !text[0]; c++) {
        int32_t row = state->system->constraint_row[c];
        if (rbv_state_holds(state, row) && !(free_part_of_equation(state, row) > LOCKED_PART))
            snprintf(text, size,
                     "%s '%s' is at a lock-up; the mechanism comes to a dead centre or to the end of its reach there, "
                     "'%s' moves fastest",
                     c < required ? "constraint" : "requirement", model->constraints.items[c].name, fastest);
    }
}

void rbv_failure_cause(RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    char drives[300], body[RBV_NAME_SIZE] = "";
    int32_t k = blocking_stop(state);
    text[0] = '\0';
    if (k >= 0) {
        int32_t count = pushing_drives(state, system->stop_row[k], drives, sizeof drives);
        const char *stop = model->stops.items[k / 2].name, *limit = k % 2 ? "max" : "min";
        if (count > 0)
            snprintf(text, size,
                     count == 1 ? "drive %s pushes into stop '%s' (its %s), which does not yield"
                                : "drives %s push into stop '%s' (its %s), which does not yield",
                     drives, stop, limit);
        return;
    }
    name_fastest(state, body, sizeof body);
    for (int32_t d = 0; d < model->drives.count && model->drives.count <= MOST_DRIVES && !text[0]; d++) {
        int32_t row = system->drive_row[d];
        if (rbv_state_holds(state, row) && !(free_part(state, row, row, true) > LOCKED_PART))
            snprintf(text, size,
                     "drive '%s' is at a lock-up; the mechanism comes to a dead centre or to the end of its reach "
                     "there, '%s' moves fastest",
                     model->drives.items[d].name, body);
    }
    if (!text[0])
        explain_equations(state, body, text, size);
}

bool rbv_failure_find_jump(const RbvModel *model, const char **load, const char **why) {
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int c = 0; c < 3; c++) {
            const RbvExpr *value = model->loads.items[k].value[c];
            *load = model->loads.items[k].name;
            for (int32_t v = 0; value && v < rbv_expr_variable_count(value); v++)
                if (rbv_variable_of(model, value, v).kind != RBV_VARIABLE_TIME && !rbv_expr_is_smooth(value, v, why))
                    return true;
        }
    return false;
}

/* ---- messages about why no step succeeds ---- */

/* 1 / sigma^2 at which a mechanism jams whatever the friction: some 0.03 rad from a flat position. */
#define NEAR_JAM 1e3

const char *rbv_stepper_jams(const RbvStepper *s) {
    if (!(s->nearness > NEAR_JAM) || s->flow->sliding.count == 0)
        return NULL;
    return RBV_JAMS
        "near a flat position or a dead centre, towards which reactions grow without bound: no friction is small "
        "enough there. Something must lead through, such as another crank out of line; or joints without friction";
}

RbvStatus rbv_stepper_report_failure(const RbvStepper *s, RbvStatus status) {
    RbvFlow *flow = s->flow;
    char why[800] = "";
    const char *what = "the motion cannot go on: the equations of motion are singular (a motion that the joints leave "
                       "free has no mass, or rows contradict each other)";
    if (status == RBV_NO_MEMORY)
        return status;
    if (status == RBV_LOCKED && flow->sliding.jams)
        what = rbv_stepper_jams(s) ? rbv_stepper_jams(s)
                                   : RBV_JAMS
                   "strong friction, or a place near a dead centre; smaller coefficients or radii are needed";
    if (status == RBV_NOT_FINITE) {
        rbv_flow_explain(flow, why, sizeof why);
        what = "the forces are not finite";
    } else if (status == RBV_INCONSISTENT) {
        what = "the constraints cannot be met any more: they contradict each other along the motion";
        if (flow->tracking)
            rbv_tracking_explain(flow->tracking, why, sizeof why);
        if (why[0])
            what = "the motion cannot go on as required";
    } else if (status == RBV_OK) {
        const char *load, *by;
        what = "no step is short enough for the tolerance: forces change without bound";
        status = RBV_LOCKED;
        if (rbv_failure_find_jump(flow->system->model, &load, &by)) {
            rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0},
                         "at t = %.9g s no step is short enough for the tolerance: load '%s' jumps back and forth, by "
                         "its '%s'. " RBV_SMOOTHER_LOAD,
                         s->t, load, by);
            return status;
        }
    }
    if (status != RBV_NOT_FINITE && !why[0] && rbv_flow_place(flow, s->t, s->y))
        rbv_failure_cause(flow->state, why, sizeof why);
    if (status == RBV_LOCKED && !why[0] && rbv_flow_place(flow, s->t, s->y))
        rbv_massless_explain(flow->state, why, sizeof why);
    if (why[0] && status != RBV_NOT_FINITE)
        what = flow->tracking ? "the motion cannot go on as required" : "the motion cannot go on";
    rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s%s%s",
                 s->t, what, why[0] ? ": " : "", why);
    return status;
}

RbvStatus rbv_stepper_report_creeps(const RbvStepper *s) {
    const char *jams = rbv_stepper_jams(s);
    if (!jams)
        return rbv_stepper_report_failure(s, RBV_INCONSISTENT);
    rbv_diagnose(s->flow->diagnostics, RBV_ERROR, s->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 s->t, jams);
    return RBV_LOCKED;
}
