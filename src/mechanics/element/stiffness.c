/* Blocks of stiffness from Hessians and gradients of measures; see stiffness.h. */
#include "mechanics/element/stiffness.h"

void rbv_stiffness_block(const RbvStiffness *K, int32_t i, int32_t j, double factor, const double *block,
                         int32_t width) {
    if (i > 0 && j > 0)
        K->sink->block(K->sink->context, i, j, factor, block, width);
}

void rbv_stiffness_end(const RbvStiffness *K) {
    if (K->sink->term)
        K->sink->term(K->sink->context);
}

static int32_t body_of(const RbvStiffness *K, int32_t m, int side) {
    return K->at->markers[K->at->model->measures.items[m].marker[side]].body;
}

static void six_of(const RbvWrench *wrench, double x[6]) {
    x[0] = wrench->force.x, x[1] = wrench->force.y, x[2] = wrench->force.z;
    x[3] = wrench->torque.x, x[4] = wrench->torque.y, x[5] = wrench->torque.z;
}

void rbv_stiffness_hessian(const RbvStiffness *K, int32_t m, double factor) {
    const RbvModel *model = K->at->model;
    const RbvMeasure *measure = &model->measures.items[m];
    double local[12][12], third[12][6];
    int32_t carrier = rbv_measure_carrier(measure, model);
    rbv_measure_hessian(measure, model, K->at->markers, &K->at->measures[m], local);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            rbv_stiffness_block(K, body_of(K, m, i), body_of(K, m, j), factor, &local[6 * i][6 * j], 12);
    if (carrier >= 0) {
        rbv_measure_carrier_hessian(measure, model, K->at->markers, third);
        for (int i = 0; i < 2; i++)
            rbv_stiffness_block(K, body_of(K, m, i), K->at->markers[carrier].body, factor, &third[6 * i][0], 6);
    }
    rbv_stiffness_end(K);
}

void rbv_stiffness_wrench_outer(const RbvStiffness *K, int32_t body, RbvWrench wrench, int32_t m, double factor) {
    double a[6];
    six_of(&wrench, a);
    for (int side = 0; side < 2; side++) {
        double b[6], block[6][6];
        six_of(&K->at->measures[m].gradient[side], b);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                block[r][c] = a[r] * b[c];
        rbv_stiffness_block(K, body, body_of(K, m, side), factor, &block[0][0], 6);
    }
}

void rbv_stiffness_outer(const RbvStiffness *K, int32_t n, int32_t m, double factor) {
    for (int side = 0; side < 2; side++)
        rbv_stiffness_wrench_outer(K, body_of(K, n, side), K->at->measures[n].gradient[side], m, factor);
}

void rbv_stiffness_along(const RbvStiffness *K, int32_t m, double force, double slope) {
    rbv_stiffness_hessian(K, m, force);
    rbv_stiffness_outer(K, m, m, slope);
    rbv_stiffness_end(K);
}
