/* A potential V of coordinates m_k and the time: Q = -sum_k dV/dm_k grad m_k. */
#include "mechanics/element/load.h"

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    RbvJet V = rbv_configuration_jet(at, load->value[0], NULL);
    value[0] = V.value;
    for (int32_t v = 0; v < V.count; v++) {
        RbvVariable variable = rbv_variable_of(at->model, load->value[0], v);
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            rbv_push_measure(at, wrenches, variable.index, -V.gradient[v]);
    }
}

static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    const RbvExpr *expr = load->value[0];
    RbvJet V = rbv_configuration_jet(K->at, expr, NULL);
    for (int32_t u = 0; u < V.count; u++) {
        RbvVariable a = rbv_variable_of(K->at->model, expr, u);
        if (a.kind != RBV_VARIABLE_COORDINATE)
            continue;
        rbv_stiffness_hessian(K, a.index, V.gradient[u]);
        for (int32_t w = 0; w < V.count; w++) {
            RbvVariable b = rbv_variable_of(K->at->model, expr, w);
            if (b.kind == RBV_VARIABLE_COORDINATE)
                rbv_stiffness_outer(K, a.index, b.index, V.hessian[u * V.count + w]);
        }
        rbv_stiffness_end(K);
    }
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    return rbv_configuration_value(at, load->value[0], NULL);
}

const RbvLoadFormulas rbv_load_energy = {force, stiffness, energy, NULL, NULL};
