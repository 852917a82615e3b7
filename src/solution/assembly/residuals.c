/* Residuals of the rows at a state; see residuals.h. */
#include "solution/assembly/residuals.h"

#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [rad/s] Least rate with which residuals of rates are compared, for a machine at rest or slower. */
#define SLOW 1e-3
/* Relative difference of sizes below which they are equal: two legs of one machine open by the same gap but for
 * rounding. */
#define EQUAL 1e-6

/* Items within rounding are all equal. */
static int by_size(const void *a, const void *b) {
    const RbvResidual *x = a, *y = b;
    double one = x->rounding ? 0 : x->size, other = y->rounding ? 0 : y->size;
    return (one < other) - (one > other);
}

static int by_name(const void *a, const void *b) {
    const RbvResidual *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Sorts the largest first; among equal ones by name (decision 0042). */
static void sort_residuals(RbvResidual *list, int32_t count) {
    qsort(list, (size_t)count, sizeof *list, by_size);
    for (int32_t k = 0, next; k < count; k = next) {
        for (next = k + 1; next < count &&
                           (list[k].rounding ? list[next].rounding
                                             : !list[next].rounding && list[next].size >= (1 - EQUAL) * list[k].size);)
            next++;
        qsort(&list[k], (size_t)(next - k), sizeof *list, by_name);
    }
}

static void add_to_norm(double *sum, double part) {
    *sum = hypot(*sum, part);
}

/* Sets size and rounding of an item: within the tolerance of assembly it is satisfied, and its size has no meaning. */
static void weigh_residual(const RbvState *state, RbvResidual *of) {
    double arm = rbv_state_row_arm(state, of->row), place = hypot(of->length, of->angle * arm),
           rate = hypot(of->length_rate, of->angle_rate * arm);
    of->size = fmax(place, rate);
    of->rounding =
        place <= RBV_ASSEMBLY_TOLERANCE * arm && rate <= RBV_ASSEMBLY_TOLERANCE * fmax(of->speed, SLOW * arm);
}

int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list) {
    const RbvSystem *system = state->system;
    int32_t count = 0, rows = rates ? system->all_count : system->position_count;
    for (int32_t k = 0; k < rows; k++) {
        const RbvRow *row = &system->rows[k], *before = count > 0 ? &system->rows[list[count - 1].row] : NULL;
        if (row->owner == RBV_OWNER_SPIN || !rbv_state_holds(state, k))
            continue;
        if (!before || before->owner != row->owner || before->index != row->index)
            list[count++] = (RbvResidual){.row = k, .name = rbv_system_row_owner(system, k)};
        RbvResidual *residual = &list[count - 1];
        if (k < system->position_count && !row->on_rates)
            add_to_norm(row->angular ? &residual->angle : &residual->length, state->phi[k]);
        if (!rates || (k >= system->row_count && k < system->position_count))
            continue;
        double parts, rate = rbv_state_row_times(state, k, state->v, &parts) - state->nu[k];
        add_to_norm(row->angular ? &residual->angle_rate : &residual->length_rate, rate);
        residual->speed =
            fmax(residual->speed, (parts + fabs(state->nu[k])) * (row->angular ? rbv_state_row_arm(state, k) : 1));
    }
    for (int32_t k = 0; k < count; k++)
        weigh_residual(state, &list[k]);
    sort_residuals(list, count);
    return count;
}
