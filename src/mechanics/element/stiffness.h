/* Stiffness K = -dQ/dq at rest, streamed block by block, in the retraction (r + dr, exp(dtheta) A).
 *
 * In that retraction the generalized torque of T after a rotation x is T + T x x / 2 + ..., so that a load whose torque
 * changes by dT gives K = -(dT + T x dtheta / 2). For loads with an energy this is the symmetric Hessian of the energy.
 */
#ifndef RBV_MECHANICS_ELEMENT_STIFFNESS_H
#define RBV_MECHANICS_ELEMENT_STIFFNESS_H

#include "mechanics/element/configuration.h"

/* Receiver of the stiffness. block[6][6], with rows of `width` numbers, belongs to the six directions of body i (rows)
 * and body j (columns), neither being ground. `term` (or NULL) is called at the end of each contribution. */
typedef struct RbvStiffnessSink {
    void *context;
    void (*block)(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width);
    void (*term)(void *context);
} RbvStiffnessSink;

typedef struct RbvStiffness {
    const RbvConfiguration *at;
    const RbvStiffnessSink *sink;
} RbvStiffness;

/* rbv_stiffness_block: passes factor times a block of bodies i and j, unless one is ground. rbv_stiffness_end: ends a
 * contribution. */
void rbv_stiffness_block(const RbvStiffness *K, int32_t i, int32_t j, double factor, const double *block,
                         int32_t width);
void rbv_stiffness_end(const RbvStiffness *K);
/* Passes factor times the Hessian of measure m; ends a contribution. */
void rbv_stiffness_hessian(const RbvStiffness *K, int32_t m, double factor);
/* Passes factor a b^T, b being the gradient of measure m and a a wrench on a body, or the gradient of measure n. */
void rbv_stiffness_wrench_outer(const RbvStiffness *K, int32_t body, RbvWrench a, int32_t m, double factor);
void rbv_stiffness_outer(const RbvStiffness *K, int32_t n, int32_t m, double factor);
/* Passes the stiffness of Q = -s(m) grad m with s = force, ds/dm = slope; ends a contribution. */
void rbv_stiffness_along(const RbvStiffness *K, int32_t m, double force, double slope);

/* Writes v down column `column` of a block, from row `top`. */
static inline void rbv_block_set(double block[6][6], int top, int column, RbvVec3 v) {
    block[top][column] = v.x, block[top + 1][column] = v.y, block[top + 2][column] = v.z;
}
static inline RbvVec3 rbv_axis(int k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

#endif
