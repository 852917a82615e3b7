/* Virtual power: each multiplier by the virtual motion that varies its row alone; see method.h. With D_I q* = e_k, all other rows and inputs at rest, the power of all forces in q* is zero, those of inertia included:
 *
 *   lambda_k = q*^T (Q - (m, J) a)
 * For the row of a drive q* is the motion at unit rate of this input, and -lambda_k its effort. One forward and back substitution with the factors of D_I for each multiplier; the transposed of D_I is never solved with.
 */
#include "reaction/virtual_power.h"

#include <stdlib.h>
#include <string.h>

typedef struct VirtualPower {
    double *x, *u; /* [bodies.size] forces less inertia; a virtual motion */
} VirtualPower;

static void destroy(void *given) {
    VirtualPower *own = given;
    if (!own)
        return;
    free(own->x);
    free(own->u);
    free(own);
}

static void *create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    size_t n = (size_t)motion->system->bodies.size + 1;
    VirtualPower *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->x = malloc(n * sizeof *own->x);
    own->u = malloc(n * sizeof *own->u);
    if (own->x && own->u)
        return own;
    destroy(own);
    return NULL;
}

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

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    const VirtualPower *own = given;
    const RbvRowFactors *D = motion->D;
    rbv_virtual_forces(motion, Q, own->x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < D->n; k++) {
        if (rbv_watch_stops(motion->state->watch))
            return RBV_INTERRUPTED;
        memset(own->u, 0, (size_t)D->n * sizeof *own->u);
        own->u[k] = 1;
        rbv_lu_solve(D->lu, own->u);
        lambda[D->chosen[k]] = rbv_virtual_power(motion, own->u, own->x);
    }
    return RBV_OK;
}

const RbvMethodKind rbv_virtual_power_method = {"virtual-power", NULL, create, destroy, NULL, solve};
