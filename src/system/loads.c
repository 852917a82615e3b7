/* Loads: gravity and everything under `loads:` as wrenches on the bodies, about their centroids.
 *
 * Most loads are a scalar s times the gradient of a measure m: Q = s grad m. Spring: s = -(k (l - l0) + c l' + f(l, l', t));
 * torsion spring the same on an angle; bushing on x, y, rz or all six; joint damping s = -c m'; energy: s_k = -dV/dm_k.
 * The gyroscopic torque -w x J w of a spatial body stands among them.
 */
#include "system/system.h"

static void push_measure(RbvState *state, int32_t m, double s) {
    const RbvMeasure *measure = &state->system->model->measures.items[m];
    for (int side = 0; side < 2; side++) {
        int32_t body = state->markers[measure->marker[side]].body;
        state->wrenches[body] = rbv_wrench_add_scaled(state->wrenches[body], s, state->measures[m].gradient[side]);
    }
}

static const RbvVec3 nowhere = {NAN, NAN, NAN};

static void load_spring(RbvState *state, const RbvLoad *load, double *value) {
    const RbvMeasureState *measure = &state->measures[load->measure[0]];
    double s = load->stiffness[0] * (measure->value - load->free) + load->damping[0] * measure->rate;
    if (load->value[0])
        s += rbv_state_expression(state, load->value[0], measure->value, measure->rate, nowhere, NULL, state->work);
    push_measure(state, load->measure[0], -s);
    value[0] = s;
}

static void load_bushing(RbvState *state, const RbvLoad *load, double *value) {
    for (int k = 0; k < load->measure_count; k++) {
        const RbvMeasureState *measure = &state->measures[load->measure[k]];
        value[k] = -(load->stiffness[k] * measure->value + load->damping[k] * measure->rate);
        push_measure(state, load->measure[k], value[k]);
    }
}

/* The three numbers of a force or torque, along the body's axes or ground's, in ground axes; in the plane a torque is its first. */
static RbvVec3 vector_of(RbvState *state, const RbvLoad *load, double *value) {
    for (int k = 0; k < 3 && load->value[k]; k++)
        value[k] = rbv_state_expression(state, load->value[k], NAN, NAN, nowhere, NULL, state->work);
    RbvVec3 v = rbv_vec3(value[0], value[1], value[2]);
    if (load->kind == RBV_LOAD_TORQUE && !state->system->bodies.spatial)
        v = rbv_vec3(0, 0, value[0]);
    return load->body_frame ? rbv_apply(&state->bodies[state->markers[load->marker[0]].body].A, v) : v;
}

static void load_point(RbvState *state, const RbvLoad *load, double *value) {
    const RbvMarkerState *marker = &state->markers[load->marker[0]];
    RbvVec3 v = vector_of(state, load, value), zero = {0, 0, 0};
    RbvWrench wrench = load->kind == RBV_LOAD_TORQUE ? (RbvWrench){zero, v} : rbv_wrench_at(marker->arm, v, zero);
    state->wrenches[marker->body] = rbv_wrench_add_scaled(state->wrenches[marker->body], 1, wrench);
}

/* What a body feels in a frame that turns with W through `center`, W' its rate, when v and w are those against the frame:
 *   F = -m (W' x rho + 2 W x v + W x (W x rho)),   T = -(J (W' + W x w) + W x J w + w x J W + W x J W). */
static void load_rotating_frame(RbvState *state, const RbvLoad *load) {
    const RbvModel *model = state->system->model;
    double rate, speed = rbv_frame_speed(state, load, &rate);
    RbvVec3 W = rbv_scale(speed, load->axis), dW = rbv_scale(rate, load->axis);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const RbvMat3 *A = &state->bodies[b].A;
        RbvVec3 rho = rbv_sub(state->bodies[b].r, load->center), v = state->twists[b].v, w = state->twists[b].w;
        RbvVec3 a = rbv_add(rbv_cross(dW, rho), rbv_cross(W, rbv_add_scaled(rbv_cross(W, rho), 2, v)));
        RbvVec3 JW = rbv_body_momentum(body, A, W), Jw = rbv_body_momentum(body, A, w);
        RbvVec3 T = rbv_body_momentum(body, A, rbv_add(dW, rbv_cross(W, w)));
        T = rbv_add(rbv_add(T, rbv_cross(W, rbv_add(Jw, JW))), rbv_cross(w, JW));
        RbvWrench wrench = {rbv_scale(-body->mass, a), rbv_scale(-1, T)};
        state->wrenches[b] = rbv_wrench_add_scaled(state->wrenches[b], 1, wrench);
    }
}

static void load_field(RbvState *state, const RbvLoad *load) {
    const RbvModel *model = state->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double a[3] = {0, 0, 0}, mass = model->bodies.items[b].mass;
        for (int k = 0; k < 3 && load->value[k]; k++)
            a[k] = rbv_state_expression(state, load->value[k], NAN, NAN, state->bodies[b].r, NULL, state->work);
        RbvWrench wrench = {{mass * a[0], mass * a[1], mass * a[2]}, {0, 0, 0}};
        state->wrenches[b] = rbv_wrench_add_scaled(state->wrenches[b], 1, wrench);
    }
}

static void load_energy(RbvState *state, const RbvLoad *load, double *value) {
    const RbvModel *model = state->system->model;
    const RbvExpr *expr = load->value[0];
    int32_t n = rbv_expr_variable_count(expr);
    double *x = state->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + n * n;
    rbv_energy_variables(state, expr, x);
    value[0] = rbv_expr_jet(expr, x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            push_measure(state, variable.index, -gradient[v]);
    }
}

bool rbv_state_load_wrenches(RbvState *state) {
    const RbvModel *model = state->system->model;
    int32_t bodies = model->bodies.count;
    for (int32_t b = 0; b < bodies; b++) {
        const RbvBody *body = &model->bodies.items[b];
        state->wrenches[b] = (RbvWrench){rbv_scale(body->mass, model->gravity), {0, 0, 0}};
        if (state->system->bodies.spatial && b > 0) {
            RbvVec3 w = state->twists[b].w;
            state->wrenches[b].torque = rbv_cross(rbv_body_momentum(body, &state->bodies[b].A, w), w);
        }
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        double *value = state->load_value[k];
        switch (load->kind) {
        case RBV_LOAD_FORCE:
        case RBV_LOAD_TORQUE: load_point(state, load, value); break;
        case RBV_LOAD_SPRING:
        case RBV_LOAD_TORSION: load_spring(state, load, value); break;
        case RBV_LOAD_BUSHING:
        case RBV_LOAD_DAMPING: load_bushing(state, load, value); break;
        case RBV_LOAD_ROTATING_FRAME: load_rotating_frame(state, load); break;
        case RBV_LOAD_FIELD: load_field(state, load); break;
        case RBV_LOAD_ENERGY: load_energy(state, load, value); break;
        case RBV_LOAD_KINDS: break;
        }
    }
    double sum = 0;
    for (int32_t b = 0; b < bodies; b++)
        sum += rbv_norm(state->wrenches[b].force) + rbv_norm(state->wrenches[b].torque);
    return isfinite(sum);
}
