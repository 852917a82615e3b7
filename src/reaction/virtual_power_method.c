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
    double *rates; /* [all rows] its rates, zero between them */
} VirtualPower;

static void destroy(void *given) {
    VirtualPower *own = given;
    if (!own)
        return;
    free(own->x);
    free(own->u);
    free(own->rates);
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
    own->rates = calloc((size_t)motion->system->all_count + 1, sizeof *own->rates);
    if (own->x && own->u && own->rates)
        return own;
    destroy(own);
    return NULL;
}

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    const VirtualPower *own = given;
    const RbvRowFactors *D = motion->D;
    rbv_virtual_forces(motion, Q, own->x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < D->n; k++) {
        if (rbv_watch_stops(motion->state->watch))
            return RBV_INTERRUPTED;
        own->rates[D->chosen[k]] = 1;
        rbv_virtual_motion(motion, own->rates, own->u);
        own->rates[D->chosen[k]] = 0;
        lambda[D->chosen[k]] = rbv_virtual_power(motion, own->u, own->x);
    }
    return RBV_OK;
}

const RbvMethodKind rbv_virtual_power_method = {.name = "virtual-power", .create = create, .destroy = destroy, .solve = solve};
