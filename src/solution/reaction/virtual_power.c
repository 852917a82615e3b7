/* Virtual motions and their power; see virtual_power.h. */
#include "solution/reaction/virtual_power.h"

void rbv_virtual_forces(const RbvMotion *motion, const double *Q, double *x) {
    rbv_state_body_inertia(motion->state, motion->state->accelerations, x);
    for (int32_t j = 0; j < motion->D->n; j++)
        x[j] = Q[j] - x[j];
}

double rbv_virtual_power(const RbvMotion *motion, const double *u, const double *x) {
    double sum = 0;
    for (int32_t j = 0; j < motion->D->n; j++)
        sum += u[j] * x[j];
    return sum;
}

void rbv_virtual_motion(const RbvMotion *motion, const double *rates, double *u) {
    for (int32_t k = 0; k < motion->D->n; k++)
        u[k] = rates[motion->D->chosen[k]];
    rbv_lu_solve(motion->D->lu, u);
}

int32_t rbv_virtual_motion_of(const RbvMotion *motion, int32_t k, double *u, int32_t *moved) {
    return rbv_lu_solve_unit(motion->D->lu, k, u, moved);
}
