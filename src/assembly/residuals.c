/* What is left of the rows at a state; see residuals.h. */
#include "assembly/residuals.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    const RbvResidual *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size) : (x->row > y->row) - (x->row < y->row);
}

static void add(double *sum, double part) {
    *sum = hypot(*sum, part);
}

static double rate_of(const RbvState *state, int32_t k) {
    const RbvRowPattern *C = &state->system->C;
    double sum = -state->nu[k];
    for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
        sum += state->C[e] * state->v[C->column[e]];
    return sum;
}

int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list) {
    const RbvSystem *system = state->system;
    int32_t count = 0, rows = rates ? system->all_count : system->position_count;
    for (int32_t k = 0; k < rows; k++) {
        const RbvRow *row = &system->rows[k], *before = count > 0 ? &system->rows[list[count - 1].row] : NULL;
        if (row->owner == RBV_OWNER_SPIN || !rbv_state_holds(state, k))
            continue;
        if (!before || before->owner != row->owner || before->index != row->index)
            list[count++] = (RbvResidual){.row = k};
        RbvResidual *residual = &list[count - 1];
        if (k < system->position_count && !row->on_rates)
            add(row->angular ? &residual->angle : &residual->length, state->phi[k]);
        if (rates && (k < system->row_count || k >= system->position_count))
            add(row->angular ? &residual->angle_rate : &residual->length_rate, rate_of(state, k));
    }
    for (int32_t k = 0; k < count; k++) {
        double arm = rbv_state_row_arm(state, list[k].row);
        list[k].size = fmax(hypot(list[k].length, list[k].angle * arm), hypot(list[k].length_rate, list[k].angle_rate * arm));
    }
    qsort(list, (size_t)count, sizeof *list, by_size);
    return count;
}
