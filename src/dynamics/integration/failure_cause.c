/* Cause of a motion that cannot continue; see failure_cause.h. A drive pushes into a stop if the stop's row is
 * dependent on joints and drives, and independent without that drive. A drive, constraint or requirement is at a
 * lock-up if next to nothing of its row is free beside the other rows. */
#include "dynamics/integration/failure_cause.h"

#include "solution/assembly/freedom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most drives, or constraints, of a model for which the cause is searched. */
#define MOST_DRIVES 20
/* Part of a row that is free beside the other rows, at a lock-up: towards a dead centre it falls as the root of the
 * time that is left. */
#define LOCKED_PART 1e-2

/* Freedom left by joints, constraints and all drives except row `without`; with_stops: and by stops. NULL: out of
 * memory. */
static RbvFreedom *beside(RbvState *state, int32_t without, bool with_stops) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = rbv_freedom_create(state, system->undriven_count, false);
    for (int32_t k = system->undriven_count; freedom && k < system->row_count; k++)
        if (k != without && rbv_state_holds(state, k) && (with_stops || system->rows[k].owner == RBV_OWNER_DRIVE))
            rbv_freedom_take_row(freedom, state, k);
    return freedom;
}

/* Part of row k that is free beside the other active rows, except row `without`; 1 if out of memory. */
static double free_part(RbvState *state, int32_t k, int32_t without, bool with_stops) {
    RbvFreedom *freedom = beside(state, without, with_stops);
    double part = freedom ? rbv_freedom_part_of_row(freedom, state, k) : 1;
    if (freedom && rbv_freedom_lost(freedom))
        part = 1;
    rbv_freedom_destroy(freedom);
    return part;
}

/* First closed stop (2 stop + 1 for its max) whose row is dependent on joints and drives; -1: none. */
static int32_t blocking_stop(RbvState *state) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = beside(state, -1, false);
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
        double speed = fmax(rbv_norm(state->twists[i].v) / rbv_state_body_size(state, i), rbv_norm(state->twists[i].w));
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
            snprintf(text, size, "%s %s %s into stop '%s' (its %s), which does not yield",
                     count == 1 ? "drive" : "drives", drives, count == 1 ? "pushes" : "push", stop, limit);
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
