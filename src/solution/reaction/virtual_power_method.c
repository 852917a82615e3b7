/* Virtual power: each multiplier by the virtual motion that varies its row alone; see method.h. With D_I q* = e_k,
 * all other rows and inputs at rest, the power of all forces in q* is zero, those of inertia included:
 *
 *   lambda_k = q*^T (Q - (m, J) a)
 * For the row of a drive, q* is the motion at unit rate of this input, and -lambda_k its effort. Each multiplier
 * takes one forward and back substitution with the factors of D_I, over those bodies alone that q* may move by the
 * block triangular form of D_I; no system with D_I^T is solved. */
#include "solution/reaction/virtual_power.h"

#include <stdlib.h>
#include <string.h>

typedef struct VirtualPower {
    double *x, *u;  /* [bodies.size] forces minus inertia; a virtual motion */
    int32_t *moved; /* [bodies.size] columns of the motion that may be nonzero */
} VirtualPower;

static void destroy(void *given) {
    VirtualPower *own = given;
    if (!own)
        return;
    free(own->x);
    free(own->u);
    free(own->moved);
    free(own);
}

static void *create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    size_t n = (size_t)motion->system->bodies.size + 1;
    VirtualPower *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->x = malloc(n * sizeof *own->x);
    own->u = calloc(n, sizeof *own->u);
    own->moved = malloc(n * sizeof *own->moved);
    if (own->x && own->u && own->moved)
        return own;
    destroy(own);
    return NULL;
}

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    const VirtualPower *own = given;
    const RbvRowFactors *D = motion->D;
    rbv_virtual_forces(motion, Q, own->x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    if (!rbv_lu_open_units(D->lu))
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < D->n; k++) {
        double power = 0;
        if (rbv_progress_stops(motion->state->progress))
            return RBV_INTERRUPTED;
        int32_t count = rbv_virtual_motion_of(motion, k, own->u, own->moved);
        for (int32_t n = 0; n < count; n++) {
            power += own->u[own->moved[n]] * own->x[own->moved[n]];
            own->u[own->moved[n]] = 0;
        }
        lambda[D->chosen[k]] = power;
    }
    return RBV_OK;
}

const RbvMethodKind rbv_virtual_power_method = {
    .name = "virtual-power", .create = create, .destroy = destroy, .solve = solve};
