/* The start of a motion; see start.h. */
#include "dynamics/start.h"

#include "assembly/assemble.h"
#include "dynamics/hybrid.h"

#include <stdlib.h>
#include <string.h>

/* Conditions that change with the place they lead to are asked so often. */
#define MOST_PASSES 3

/* Conditions at the state as it is; whether any has changed in *changed. */
static RbvStatus set_conditions(RbvStart *start, RbvState *state, RbvDiagnostics *diagnostics, bool *changed) {
    const RbvModel *model = state->system->model;
    double *work = malloc(((size_t)state->system->work_size + 64) * sizeof *work);
    bool *before = malloc((size_t)model->conditions.count + 1);
    RbvStatus status = work && before ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        memcpy(before, start->truth, (size_t)model->conditions.count);
        rbv_state_place(state);
        rbv_state_move(state);
        rbv_state_load(state);
        if (!rbv_hybrid_conditions(state, start->active, start->acting, start->truth, work)) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0}, "at t = %.9g s a condition (active:) is not finite", state->t);
            status = RBV_NOT_FINITE;
        }
        *changed = memcmp(before, start->truth, (size_t)model->conditions.count) != 0;
    }
    free(work);
    free(before);
    return status;
}

RbvStatus rbv_start_assemble(RbvStart *start, RbvState *state, double from, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    size_t rows = (size_t)state->system->row_count;
    RbvAssembly assembly = {0};
    bool changed = false;
    *start = (RbvStart){NULL, NULL, NULL};
    if (model->conditions.count == 0)
        return rbv_assemble(state, from, diagnostics, &assembly);
    start->active = malloc(rows + 1);
    start->acting = malloc((size_t)model->loads.count + 1);
    start->truth = calloc((size_t)model->conditions.count + 1, sizeof *start->truth);
    if (!start->active || !start->acting || !start->truth)
        return RBV_NO_MEMORY;
    for (size_t k = 0; k < rows; k++)
        start->active[k] = rbv_state_holds(state, (int32_t)k);
    memset(start->acting, 1, (size_t)model->loads.count);
    state->active = start->active;
    state->acting = start->acting;
    state->t = from;
    RbvStatus status = set_conditions(start, state, diagnostics, &changed);
    for (int pass = 0; status == RBV_OK && pass < MOST_PASSES; pass++) {
        status = rbv_assemble(state, from, pass == 0 ? diagnostics : NULL, &assembly);
        if (status == RBV_OK)
            status = set_conditions(start, state, diagnostics, &changed);
        if (!changed)
            break;
    }
    return status;
}

void rbv_start_destroy(RbvStart *start) {
    free(start->active);
    free(start->acting);
    free(start->truth);
    *start = (RbvStart){NULL, NULL, NULL};
}
