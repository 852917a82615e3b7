/* Accelerations first, then multipliers; see method.h. The motion has found the accelerations a of bodies; with its
 * factors of D_I
 *
 *   D_I^T lambda = Q - (m, J) a */
#include "solution/reaction/method.h"

#include <stdlib.h>
#include <string.h>

typedef struct TwoStep {
    double *x; /* [bodies.size] */
} TwoStep;

static void *create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    TwoStep *own = calloc(1, sizeof *own);
    if (own && !(own->x = malloc(((size_t)motion->system->bodies.size + 1) * sizeof *own->x))) {
        free(own);
        return NULL;
    }
    return own;
}

static void destroy(void *given) {
    TwoStep *own = given;
    if (own)
        free(own->x);
    free(own);
}

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    double *x = ((TwoStep *)given)->x;
    rbv_state_body_inertia(motion->state, motion->state->accelerations, x);
    for (int32_t k = 0; k < motion->D->n; k++)
        x[k] = Q[k] - x[k];
    rbv_lu_solve_transposed(motion->D->lu, x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < motion->D->n; k++)
        lambda[motion->solvability->independent[k]] = x[k];
    return RBV_OK;
}

const RbvMethodKind rbv_two_step_method = {.name = "two-step", .create = create, .destroy = destroy, .solve = solve};
