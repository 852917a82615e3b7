/* Points of a path in other coordinates, transferred to bodies; see path_bodies.h. */
#include "statics/path_bodies.h"

#include "solution/assembly/absolute_state.h"

#include <math.h>
#include <stdlib.h>

void rbv_path_motion_of_bodies(const RbvPlace *place, const double *motion, const RbvBalance *b, double *out) {
    const RbvTwist *twists = rbv_balance_push(place->balance, motion);
    for (int32_t i = 1; i < b->system->bodies.count; i++)
        rbv_bodies_put(&b->system->bodies, i, twists[i], out);
    for (int32_t j = 0; j < b->n; j++)
        out[j] /= b->scale[j];
}

static RbvStatus transfer_stability(const RbvPlace *stable, RbvPlace *to) {
    size_t n = (size_t)to->balance->n;
    to->stability = stable->stability;
    to->stability.direction = stable->stability.direction ? calloc(2 * n + 1, sizeof(double)) : NULL;
    to->stability.nearest = to->stability.direction ? to->stability.direction + n : NULL;
    if (!to->stability.direction)
        return stable->stability.direction ? RBV_NO_MEMORY : RBV_OK;
    rbv_path_motion_of_bodies(stable, stable->stability.direction, to->balance, to->stability.direction);
    rbv_path_motion_of_bodies(stable, stable->stability.nearest, to->balance, to->stability.nearest);
    return RBV_OK;
}

/* Starts from the multipliers of rows that both have, and balances them over bodies. */
static bool transfer_multipliers(const RbvBalance *from, RbvBalance *to) {
    for (int32_t k = 0; k < to->rows; k++)
        to->lambda[k] = to->weight[k] > 0 ? from->lambda[k] * from->weight[k] / to->weight[k] : 0;
    return rbv_balance_place(to) && rbv_balance_multipliers(to);
}

RbvStatus rbv_path_as_bodies(const RbvPlace *place, const RbvPlace *stable, const RbvEquilibriumSearch *like,
                             RbvPlace *to) {
    *to = (RbvPlace){.u = place->u, .system = place->state->system->absolute};
    rbv_balance_place(place->balance);
    if (!(to->state = rbv_absolute_state_create(place->state)))
        return RBV_NO_MEMORY;
    if (place->supports) {
        to->supports = calloc(1, sizeof *to->supports);
        if (!to->supports || !rbv_supports_like(to->supports, to->state, place->supports, NULL))
            return RBV_NO_MEMORY;
    }
    if (!(to->balance = rbv_balance_create(to->state, false)))
        return RBV_NO_MEMORY;
    if (to->supports)
        to->supports->balance = to->balance;
    to->balance->least_kappa = like->start_kappa;
    to->balance->kappa = fmax(to->balance->kappa, like->start_kappa);
    if (!transfer_multipliers(place->balance, to->balance))
        return RBV_NO_EQUILIBRIUM;
    if (stable != place)
        rbv_balance_place(stable->balance);
    return transfer_stability(stable, to);
}
