/* Values and derivatives of expressions at an instant, and the stiffness of loads; see configuration.h. */
#include "mechanics/element/configuration.h"

/* Fills the variables x[count] of an expression; local NULL: none. */
static void configuration_variables(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local, double *x) {
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = rbv_variable_of(at->model, expr, v);
        switch (variable.kind) {
        case RBV_VARIABLE_TIME: x[v] = at->t; break;
        case RBV_VARIABLE_COORDINATE:
            x[v] = variable.part == 0   ? at->measures[variable.index].value
                   : variable.part == 1 ? at->measures[variable.index].rate
                                        : NAN;
            break;
        case RBV_VARIABLE_STATE: x[v] = at->own[variable.index]; break;
        case RBV_VARIABLE_LENGTH: x[v] = local ? local->length[variable.part] : NAN; break;
        case RBV_VARIABLE_PLACE: x[v] = local ? local->place[variable.part] : NAN; break;
        default: x[v] = NAN; break; /* loads cannot read results */
        }
    }
}

/* Place number of a law among its pieces: for loads, two for each body on which the load acts. */
static int32_t place_of(const RbvConfiguration *at, const RbvLocal *local) {
    return 2 * (local ? local->body : 0) + at->at_rest;
}

double rbv_configuration_value(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local) {
    configuration_variables(at, expr, local, at->work);
    return rbv_pieces_value(at->pieces, expr, place_of(at, local), at->work, at->work + rbv_expr_variable_count(expr));
}

RbvJet rbv_configuration_jet(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local) {
    int32_t n = rbv_expr_variable_count(expr);
    RbvJet jet = {.count = n, .x = at->work, .gradient = at->work + n, .hessian = at->work + 2 * n};
    configuration_variables(at, expr, local, jet.x);
    jet.value =
        rbv_pieces_jet(at->pieces, expr, place_of(at, local), jet.x, jet.hessian + n * n, jet.gradient, jet.hessian);
    return jet;
}

bool rbv_load_varies(const RbvModel *model, const RbvLoad *load) {
    for (int part = 0; part < 3; part++)
        for (int32_t v = 0; load->value[part] && v < rbv_expr_variable_count(load->value[part]); v++)
            if (rbv_variable_of(model, load->value[part], v).kind != RBV_VARIABLE_TIME)
                return true;
    return false;
}

/* Stiffness K = -dQ/dq at rest, streamed block by block, in the retraction (r + dr, exp(dtheta) A).
 *
 * In that retraction the generalized torque of T after a rotation x is T + T x x / 2 + ..., so that a load whose torque
 * changes by dT gives K = -(dT + T x dtheta / 2). For loads with an energy this is the symmetric Hessian of the energy.
 */

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
