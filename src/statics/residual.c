/* Residual wrenches; see residual.h. */
#include "statics/residual.h"

#include "solution/assembly/absolute_state.h"

#include <string.h>

/* W[bodies] for a balance over body twists. False: no multipliers. */
static bool find_body_residual(RbvBalance *b, RbvWrench *W) {
    if (!rbv_balance_multipliers(b))
        return false;
    rbv_balance_left(b, b->lambda);
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] /= -b->scale[j];
    for (int32_t i = 0; i < b->system->bodies.count; i++) {
        RbvTwist sum = rbv_bodies_twist(&b->system->bodies, i, b->K_y); /* wrenches have the columns of twists */
        W[i] = (RbvWrench){sum.v, sum.w};
    }
    return true;
}

RbvStatus rbv_residual_find(RbvBalance *b, RbvWrench *W, double *G) {
    RbvStatus status = RBV_OK;
    if (!b->blocks) {
        status = find_body_residual(b, W) ? RBV_OK : RBV_NO_EQUILIBRIUM;
        rbv_balance_pull(b, W, G);
        return status;
    }
    RbvState *state = rbv_absolute_state_create(b->state);
    RbvBalance *bodies = state ? rbv_balance_create(state, b->locked) : NULL;
    if (!bodies)
        status = RBV_NO_MEMORY;
    else if (!rbv_balance_place(bodies) || !find_body_residual(bodies, W))
        status = RBV_NO_EQUILIBRIUM;
    rbv_balance_destroy(bodies);
    rbv_state_destroy(state);
    if (status != RBV_OK)
        return status;
    rbv_balance_pull(b, W, G);
    for (int32_t j = 0; j < b->n; j++) /* with W among the loads the residual is zero */
        b->gradient[j] += G[j];
    status = rbv_balance_multipliers(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] -= G[j];
    return status;
}
