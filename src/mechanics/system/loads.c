/* Forces and energy at a state: weights, gyroscopic torques, and all loads by the formulas of their kinds
 * (element/load_*.c). */
#include "mechanics/system/system.h"

/* Wrench m g, and -w x J w of a spatial body. */
static RbvWrench weight(const RbvState *state, int32_t b) {
    const RbvModel *model = state->system->model;
    const RbvBody *body = &model->bodies.items[b];
    RbvWrench wrench = {rbv_scale(body->mass, model->gravity), {0, 0, 0}};
    if (state->system->bodies.spatial && b > 0) {
        RbvVec3 w = state->twists[b].w;
        wrench.torque = rbv_cross(rbv_body_momentum(body, &state->bodies[b].A, w), w);
    }
    return wrench;
}

bool rbv_state_load_wrenches(RbvState *state) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    for (int32_t b = 0; b < model->bodies.count; b++)
        state->wrenches[b] = weight(state, b);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        if (rbv_state_acts(state, k)) {
            rbv_load_formulas(load->kind)->force(&at, load, state->wrenches, state->load_value[k]);
            continue;
        }
        for (int part = 0; part < 6; part++)
            state->load_value[k][part] = 0;
    }
    rbv_state_push_generalized(state, state->wrenches);
    rbv_state_push_rotors(state, state->wrenches);
    double sum = 0;
    for (int32_t b = 0; b < model->bodies.count; b++)
        sum += rbv_norm(state->wrenches[b].force) + rbv_norm(state->wrenches[b].torque);
    return isfinite(sum);
}

void rbv_state_load_moments(const RbvState *state, RbvMat3 *moments) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    const RbvVec3 zero = {0, 0, 0};
    for (int32_t b = 0; b < model->bodies.count; b++)
        moments[b] = (RbvMat3){{zero, zero, zero}};
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
        if (formulas->spread && rbv_state_acts(state, k) && rbv_state_on_number(state, k) < 0)
            formulas->spread(&at, load, state->load_value[k], moments);
    }
}

bool rbv_load_has_energy(const RbvModel *model, const RbvLoad *load) {
    const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
    return !formulas->has_energy || formulas->has_energy(model, load);
}

double rbv_state_energy(RbvState *state, double *size) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    double V = 0;
    *size = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double part = -model->bodies.items[b].mass * rbv_dot(model->gravity, state->bodies[b].r);
        V += part;
        *size += fabs(part);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
        if (!rbv_state_acts(state, k))
            continue;
        if (!rbv_load_has_energy(model, load))
            return NAN;
        double part = formulas->energy ? formulas->energy(&at, load) : 0;
        V += part;
        *size += fabs(part);
    }
    return V;
}
