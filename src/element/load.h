/* What a load does: its force at an instant and, for statics, its stiffness and energy at rest. One file per kind
 * (load_spring.c, ...).
 *
 * Most loads are a scalar s times the gradient of a measure m: Q = s grad m; others are wrenches on bodies about their
 * centroids.
 */
#ifndef RBV_ELEMENT_LOAD_H
#define RBV_ELEMENT_LOAD_H

#include "element/stiffness.h"

typedef struct RbvLoadFormulas {
    /* Add the wrenches on bodies, wrenches[bodies], and fill the columns of results, value[6]. */
    void (*force)(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value);
    /* How the force at rest changes with the position. NULL: it does not. */
    void (*stiffness)(const RbvStiffness *K, const RbvLoad *load);
    /* The potential energy at rest [J]. NULL: there is no force at rest. */
    double (*energy)(const RbvConfiguration *at, const RbvLoad *load);
    /* Does it derive from that energy? NULL: always. */
    bool (*has_energy)(const RbvModel *model, const RbvLoad *load);
    /* moments[bodies] += sum F rho^T of its forces F at rho from the centroid, ground axes, as far as that is
     * symmetric: what would stretch the bodies. `value`: of `force`. NULL: nothing, or not known. */
    void (*spread)(const RbvConfiguration *at, const RbvLoad *load, const double *value, RbvMat3 *moments);
} RbvLoadFormulas;

#define RBV_LOAD_FORMULAS(KIND, name) extern const RbvLoadFormulas rbv_load_##name;
RBV_LOAD_LIST(RBV_LOAD_FORMULAS)
#undef RBV_LOAD_FORMULAS

const RbvLoadFormulas *rbv_load_formulas(RbvLoadKind kind);
/* Do the points of a spring coincide, so that its force is the limit of those just before? */
bool rbv_spring_has_no_length(const RbvConfiguration *at, const RbvLoad *load);
/* And stand still, so that there is none though its force [N] is not zero? */
bool rbv_spring_has_no_direction(const RbvConfiguration *at, const RbvLoad *load, double *force);

/* Add a wrench on a body. */
static inline void rbv_push_body(RbvWrench *wrenches, int32_t body, RbvWrench wrench) {
    wrenches[body] = rbv_wrench_add_scaled(wrenches[body], 1, wrench);
}
/* Add F rho^T. */
static inline void rbv_spread_force(RbvMat3 *moments, int32_t body, RbvVec3 force, RbvVec3 rho) {
    moments[body].column[0] = rbv_add_scaled(moments[body].column[0], rho.x, force);
    moments[body].column[1] = rbv_add_scaled(moments[body].column[1], rho.y, force);
    moments[body].column[2] = rbv_add_scaled(moments[body].column[2], rho.z, force);
}
/* Add s times the gradient of measure m. */
static inline void rbv_push_measure(const RbvConfiguration *at, RbvWrench *wrenches, int32_t m, double s) {
    const RbvMeasure *measure = &at->model->measures.items[m];
    for (int side = 0; side < 2; side++) {
        int32_t body = at->markers[measure->marker[side]].body;
        wrenches[body] = rbv_wrench_add_scaled(wrenches[body], s, at->measures[m].gradient[side]);
    }
}

#endif
