/* The formulas of a load kind: its force at an instant and, for statics, its stiffness and energy at rest. One file per
 * kind (load_spring.c, ...).
 *
 * Most loads are a scalar s times the gradient of a measure m, Q = s grad m; others are wrenches on bodies about their
 * centroids. */
#ifndef RBV_MECHANICS_ELEMENT_LOAD_H
#define RBV_MECHANICS_ELEMENT_LOAD_H

#include "mechanics/element/configuration.h"

typedef struct RbvLoadFormulas {
    /* Adds the wrenches on bodies to wrenches[bodies] and writes the columns of results, value[6]. */
    void (*force)(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value);
    /* Streams the stiffness of the force at rest. NULL: the force does not depend on the position. */
    void (*stiffness)(const RbvStiffness *K, const RbvLoad *load);
    /* The potential energy at rest [J]. NULL: no force at rest. */
    double (*energy)(const RbvConfiguration *at, const RbvLoad *load);
    /* True if the force derives from that energy. NULL: always. */
    bool (*has_energy)(const RbvModel *model, const RbvLoad *load);
    /* moments[bodies] += sum F rho^T of the load's forces F at rho from the centroid, in ground axes, as far as it is
     * symmetric: the part that would stretch the bodies. `value`: from `force`. NULL: zero, or unknown. */
    void (*spread)(const RbvConfiguration *at, const RbvLoad *load, const double *value, RbvMat3 *moments);
} RbvLoadFormulas;

#define RBV_LOAD_FORMULAS(KIND, name) extern const RbvLoadFormulas rbv_load_##name;
RBV_LOAD_LIST(RBV_LOAD_FORMULAS)
#undef RBV_LOAD_FORMULAS

const RbvLoadFormulas *rbv_load_formulas(RbvLoadKind kind);
/* True if the end points of a spring coincide; its force is then the limit of the forces just before. */
bool rbv_spring_has_no_length(const RbvConfiguration *at, const RbvLoad *load);
/* True if the end points also have no relative velocity, so that the force *force [N], not zero, has no direction. */
bool rbv_spring_has_no_direction(const RbvConfiguration *at, const RbvLoad *load, double *force);

/* Adds a wrench on a body. */
static inline void rbv_push_body(RbvWrench *wrenches, int32_t body, RbvWrench wrench) {
    wrenches[body] = rbv_wrench_add_scaled(wrenches[body], 1, wrench);
}
/* Adds F rho^T to the moments of a body. */
static inline void rbv_spread_force(RbvMat3 *moments, int32_t body, RbvVec3 force, RbvVec3 rho) {
    moments[body].column[0] = rbv_add_scaled(moments[body].column[0], rho.x, force);
    moments[body].column[1] = rbv_add_scaled(moments[body].column[1], rho.y, force);
    moments[body].column[2] = rbv_add_scaled(moments[body].column[2], rho.z, force);
}
/* Adds s times the gradient of measure m to the wrenches. */
static inline void rbv_push_measure(const RbvConfiguration *at, RbvWrench *wrenches, int32_t m, double s) {
    const RbvMeasure *measure = &at->model->measures.items[m];
    for (int side = 0; side < 2; side++) {
        int32_t body = at->markers[measure->marker[side]].body;
        wrenches[body] = rbv_wrench_add_scaled(wrenches[body], s, at->measures[m].gradient[side]);
    }
}

#endif
