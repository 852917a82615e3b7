/* A field of accelerations a(r, t) [m/s^2]: F = m a at each centroid r. V = -m a.r where a is uniform. */
#include "mechanics/element/load.h"

static RbvLocal place_of(const RbvConfiguration *at, int32_t body) {
    const RbvVec3 r = at->bodies[body].r;
    return (RbvLocal){.length = {NAN, NAN}, .place = {r.x, r.y, r.z}, .body = body};
}

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    (void)value;
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        if (at->model->bodies.items[b].generalized)
            continue;
        RbvLocal place = place_of(at, b);
        double a[3] = {0, 0, 0}, mass = at->model->bodies.items[b].mass;
        for (int k = 0; k < 3 && load->value[k]; k++)
            a[k] = rbv_configuration_value(at, load->value[k], &place);
        rbv_push_body(wrenches, b, (RbvWrench){{mass * a[0], mass * a[1], mass * a[2]}, {0, 0, 0}});
    }
}

static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    for (int32_t b = 1; b < K->at->model->bodies.count; b++) {
        RbvLocal place = place_of(K->at, b);
        double mass = K->at->model->bodies.items[b].mass, block[6][6] = {{0}};
        for (int k = 0; k < 3 && load->value[k]; k++) {
            RbvJet a = rbv_configuration_jet(K->at, load->value[k], &place);
            for (int32_t u = 0; u < a.count; u++) {
                RbvVariable variable = rbv_variable_of(K->at->model, load->value[k], u);
                if (variable.kind == RBV_VARIABLE_PLACE)
                    block[k][variable.part] = -mass * a.gradient[u];
            }
        }
        rbv_stiffness_block(K, b, b, 1, &block[0][0], 6);
        rbv_stiffness_end(K);
    }
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    double V = 0;
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        if (at->model->bodies.items[b].generalized)
            continue;
        RbvLocal place = place_of(at, b);
        for (int k = 0; k < 3 && load->value[k]; k++)
            V -= at->model->bodies.items[b].mass * place.place[k] * rbv_configuration_value(at, load->value[k], &place);
    }
    return V;
}

static bool has_energy(const RbvModel *model, const RbvLoad *load) {
    return !rbv_load_varies(model, load);
}

const RbvLoadFormulas rbv_load_field = {force, stiffness, energy, has_energy, NULL};
