/* Compares initial conditions with the available freedom: one too many, or one missing. */
#include "core/base/diagnostics.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"
#include "solution/assembly/rate_solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* *choice: true if the rows that are linear in the rates leave the rate of row k free. The nonlinear equations then
 * determine it up to the choice of a solution. */
static RbvStatus chooses_solution(RbvState *state, int32_t k, bool *choice) {
    size_t size = (size_t)state->system->coordinates.size * sizeof(double);
    double *scale = rbv_state_column_scales(state), *v = malloc(size + 1);
    RbvRateSolver rows = {0};
    RbvFreedom *freedom = NULL;
    *choice = false;
    if (v)
        memcpy(v, state->v, size);
    if (scale && v && rbv_rates_create(&rows, state, scale))
        freedom = rbv_freedom_create_without(state, state->system->row_count, rows.nonlinear);
    if (freedom)
        *choice = rows.nonlinear_count > 0 && rbv_freedom_take_row(freedom, state, k);
    bool good = freedom && !rbv_freedom_lost(freedom);
    if (v)
        memcpy(state->v, v, size);
    rbv_state_place(state);
    rbv_freedom_destroy(freedom);
    rbv_rates_destroy(&rows);
    free(scale);
    free(v);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* The first row of initial conditions: on positions for rate 0, on rates for 1; the end for 2. */
static int32_t first_condition(const RbvSystem *system, int rate) {
    return rate == 0 ? system->held_count : rate == 1 ? system->position_count : system->all_count;
}

/* Describes the freedoms that joints, constraints and drives leave for conditions: "; without conditions ...". False if
 * out of memory. */
static bool describe_freedoms(RbvState *state, int rate, char *text, size_t size) {
    char names[400];
    text[0] = '\0';
    RbvFreedom *freedom = rbv_freedom_create(state, state->system->row_count, rate == 0);
    if (!freedom)
        return false;
    rbv_freedom_take_idle(freedom, state);
    int32_t left = rbv_freedom_complete(freedom, state, names, sizeof names);
    bool lost = rbv_freedom_lost(freedom);
    rbv_freedom_destroy(freedom);
    if (left == 0)
        snprintf(text, size, "; they leave nothing free");
    else if (left > 0)
        snprintf(text, size, "; without conditions %d freedom%s left, such as %s", (int)left,
                 left == 1 ? " is" : "s are", names);
    return !lost;
}

/* Takes the freedom of each condition. A condition without freedom is reported with `words`; NULL: not reported. */
static RbvStatus take_conditions(RbvState *state, RbvFreedom *freedom, int rate, const char *words,
                                 RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    RbvStatus status = RBV_OK;
    for (int32_t k = first_condition(system, rate); k < first_condition(system, rate + 1); k++) {
        const RbvInitial *initial = &system->model->initial.items[system->rows[k].index];
        if (rbv_freedom_take_row(freedom, state, k) || rbv_freedom_lost(freedom) ||
            initial->own) /* one that agrees may be one too many */
            continue;
        bool choice = false;
        if (rate && system->rate_equations && chooses_solution(state, k, &choice) != RBV_OK)
            return RBV_NO_MEMORY;
        if (choice)
            continue;
        char freedoms[500];
        if (words && !describe_freedoms(state, rate, freedoms, sizeof freedoms))
            return RBV_NO_MEMORY;
        if (words)
            rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, initial->where, "initial condition '%s' %s%s",
                         initial->coordinate, words, freedoms);
        status = RBV_BAD_INPUT;
    }
    return rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
}

RbvStatus rbv_check_initial(RbvState *state, int rate, bool silent, const char *words, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const char *file = system->model->file;
    /* a driven motion leaves no freedom, but rows on rates leave positions free */
    bool quiet = silent && (rate == 1 || system->rate_count == 0),
         said = rate == 0 || system->all_count > system->position_count;
    /* Without conditions to check, only positions and C are evaluated. */
    if ((quiet || !said) && first_condition(system, rate) == first_condition(system, rate + 1)) {
        rbv_state_place(state);
        rbv_state_jacobian(state);
        return RBV_OK;
    }
    RbvFreedom *freedom = rbv_freedom_create(state, system->row_count, rate == 0);
    if (!freedom)
        return RBV_NO_MEMORY;
    RbvStatus status = take_conditions(state, freedom, rate, words, diagnostics);
    char missing[512];
    rbv_freedom_take_idle(freedom, state);
    int32_t left = quiet || status == RBV_NO_MEMORY ? 0 : rbv_freedom_complete(freedom, state, missing, sizeof missing);
    status = rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
    rbv_freedom_destroy(freedom);
    if (status != RBV_OK || !said)
        return status;
    if (left < 0)
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     "freedoms without an initial condition start where the starting poses are nearest %s", missing);
    if (left > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     rate
                         ? "%d freedom%s without an initial rate start%s at the least motion: %s"
                         : "%d freedom%s without an initial condition start%s where the starting poses are nearest: %s",
                     (int)left, left == 1 ? "" : "s", left == 1 ? "s" : "", missing);
    return RBV_OK;
}
