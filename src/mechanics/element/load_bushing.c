/* A bushing along relative directions m_k of two markers: Q = -sum_k (K_k m_k + C_k m_k') grad m_k; V = sum_k K_k m_k^2
 * / 2. A joint's damping is a bushing without stiffness. */
#include "mechanics/element/load.h"

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    for (int k = 0; k < load->measure_count; k++) {
        const RbvMeasureState *measure = &at->measures[load->measure[k]];
        value[k] = -(load->stiffness[k] * measure->value + load->damping[k] * measure->rate);
        rbv_push_measure(at, wrenches, load->measure[k], value[k]);
    }
}

static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    for (int k = 0; k < load->measure_count; k++)
        rbv_stiffness_along(K, load->measure[k], load->stiffness[k] * K->at->measures[load->measure[k]].value,
                            load->stiffness[k]);
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    double V = 0;
    for (int k = 0; k < load->measure_count; k++)
        V += 0.5 * load->stiffness[k] * at->measures[load->measure[k]].value * at->measures[load->measure[k]].value;
    return V;
}

const RbvLoadFormulas rbv_load_bushing = {force, stiffness, energy, NULL, NULL};
const RbvLoadFormulas rbv_load_damping = {force, NULL, NULL, NULL, NULL};
