/* The potential energy of loads at rest, for those that have one (R000-07 ... 26). */
#include "system/system.h"

double rbv_spring_law(RbvState *state, const RbvLoad *load, double l, double *slope) {
    const RbvModel *model = state->system->model;
    const RbvExpr *expr = load->value[0];
    int32_t n = rbv_expr_variable_count(expr), own = load->measure[0];
    double *x = state->work, *gradient = x + n, *hessian = gradient + n;
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        bool rate = variable.kind != RBV_VARIABLE_TIME && variable.part > 0;
        bool length = variable.kind == RBV_VARIABLE_LENGTH || (variable.kind == RBV_VARIABLE_COORDINATE && variable.index == own);
        x[v] = rate ? 0 : length ? l : variable.kind == RBV_VARIABLE_TIME ? state->t : state->measures[variable.index].value;
    }
    double value = rbv_expr_jet(expr, x, hessian + n * n, gradient, hessian);
    *slope = 0;
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        bool length = variable.kind == RBV_VARIABLE_LENGTH || (variable.kind == RBV_VARIABLE_COORDINATE && variable.index == own);
        if (length && variable.part == 0)
            *slope += gradient[v];
    }
    return value;
}

static bool reads_coordinates(const RbvModel *model, const RbvExpr *expr) {
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++)
        if (model->variables.items[rbv_expr_variable(expr, v)].kind != RBV_VARIABLE_TIME)
            return true;
    return false;
}

/* Does a spring's law read nothing but its own length or angle, and the time? Rates are 0 at rest. */
static bool is_own_law(const RbvModel *model, const RbvLoad *load) {
    const RbvExpr *expr = load->value[0];
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0 && variable.index != load->measure[0])
            return false;
    }
    return true;
}

bool rbv_load_has_energy(const RbvModel *model, const RbvLoad *load) {
    bool fixed = true;
    for (int k = 0; k < 3; k++)
        fixed = fixed && !reads_coordinates(model, load->value[k]);
    switch (load->kind) {
    case RBV_LOAD_FORCE: return fixed && !load->body_frame;
    case RBV_LOAD_TORQUE: return fixed && model->space == RBV_PLANAR;
    case RBV_LOAD_FIELD: return fixed;
    case RBV_LOAD_SPRING:
    case RBV_LOAD_TORSION: return is_own_law(model, load);
    case RBV_LOAD_ROTATING_FRAME: return !load->value[0] || rbv_expr_variable_count(load->value[0]) == 0;
    default: return true;
    }
}

/* The nodes and weights of Gauss and Legendre with five points on (0, 1). */
static const double gauss[5][2] = {{0.04691007703066800, 0.11846344252809454}, {0.23076534494715845, 0.23931433524968324}, {0.5, 0.28444444444444444},
                                   {0.76923465505284155, 0.23931433524968324}, {0.95308992296933200, 0.11846344252809454}};

/* The integral of the law from a to b by halving until both halves agree with the whole. */
static double law_work(RbvState *state, const RbvLoad *load, double a, double b, int depth) {
    double whole = 0, halves = 0, size = 0, slope, middle = 0.5 * (a + b);
    for (int k = 0; k < 5; k++) {
        double w = gauss[k][1] * (b - a), f = rbv_spring_law(state, load, a + gauss[k][0] * (b - a), &slope);
        whole += w * f;
        size += fabs(w * f);
        halves += 0.5 * w * (rbv_spring_law(state, load, a + gauss[k][0] * (middle - a), &slope) +
                             rbv_spring_law(state, load, middle + gauss[k][0] * (b - middle), &slope));
    }
    if (depth == 0 || !(fabs(whole - halves) > 1e-14 * size))
        return halves;
    return law_work(state, load, a, middle, depth - 1) + law_work(state, load, middle, b, depth - 1);
}

#define LAW_HALVINGS 12

static double spring_energy(RbvState *state, const RbvLoad *load) {
    double l = state->measures[load->measure[0]].value, stretch = l - load->free;
    double V = 0.5 * load->stiffness[0] * stretch * stretch;
    return load->value[0] ? V + law_work(state, load, load->free, l, LAW_HALVINGS) : V;
}

static double point_energy(RbvState *state, const RbvLoad *load) {
    const RbvMarkerState *marker = &state->markers[load->marker[0]];
    const RbvVec3 place = marker->point;
    const double at[3] = {place.x, place.y, place.z};
    double V = 0;
    for (int k = 0; k < 3 && load->value[k]; k++) {
        double value = rbv_state_expression(state, load->value[k], NAN, NAN, rbv_vec3(NAN, NAN, NAN), NULL, state->work);
        V -= value * (load->kind == RBV_LOAD_TORQUE ? state->bodies[marker->body].turn : at[k]);
    }
    return V;
}

/* -1/2 (m |W x rho|^2 + W.J W) */
static double frame_energy(RbvState *state, const RbvLoad *load) {
    const RbvModel *model = state->system->model;
    double V = 0, rate, speed = rbv_frame_speed(state, load, &rate);
    RbvVec3 W = rbv_scale(speed, load->axis);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        RbvVec3 v = rbv_cross(W, rbv_sub(state->bodies[b].r, load->center));
        V -= 0.5 * (model->bodies.items[b].mass * rbv_dot(v, v) + rbv_dot(W, rbv_body_momentum(&model->bodies.items[b], &state->bodies[b].A, W)));
    }
    return V;
}

static double field_energy(RbvState *state, const RbvLoad *load) {
    const RbvModel *model = state->system->model;
    double V = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvVec3 r = state->bodies[b].r;
        const double at[3] = {r.x, r.y, r.z};
        for (int k = 0; k < 3 && load->value[k]; k++)
            V -= model->bodies.items[b].mass * at[k] * rbv_state_expression(state, load->value[k], NAN, NAN, r, NULL, state->work);
    }
    return V;
}

static double load_energy(RbvState *state, const RbvLoad *load) {
    double V = 0;
    switch (load->kind) {
    case RBV_LOAD_FORCE:
    case RBV_LOAD_TORQUE: return point_energy(state, load);
    case RBV_LOAD_SPRING:
    case RBV_LOAD_TORSION: return spring_energy(state, load);
    case RBV_LOAD_BUSHING:
        for (int k = 0; k < load->measure_count; k++)
            V += 0.5 * load->stiffness[k] * state->measures[load->measure[k]].value * state->measures[load->measure[k]].value;
        return V;
    case RBV_LOAD_ROTATING_FRAME: return frame_energy(state, load);
    case RBV_LOAD_FIELD: return field_energy(state, load);
    case RBV_LOAD_ENERGY:
        rbv_energy_variables(state, load->value[0], state->work);
        return rbv_expr_value(load->value[0], state->work, state->work + rbv_expr_variable_count(load->value[0]));
    case RBV_LOAD_DAMPING:
    case RBV_LOAD_KINDS: break;
    }
    return 0;
}

double rbv_state_energy(RbvState *state, double *size) {
    const RbvModel *model = state->system->model;
    double V = 0;
    *size = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double weight = -model->bodies.items[b].mass * rbv_dot(model->gravity, state->bodies[b].r);
        V += weight;
        *size += fabs(weight);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        if (!rbv_load_has_energy(model, &model->loads.items[k]))
            return NAN;
        double part = load_energy(state, &model->loads.items[k]);
        V += part;
        *size += fabs(part);
    }
    return V;
}
