/* Values and derivatives of expressions at an instant; see configuration.h. */
#include "mechanics/element/configuration.h"

void rbv_configuration_variables(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local, double *x) {
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
    rbv_configuration_variables(at, expr, local, at->work);
    return rbv_pieces_value(at->pieces, expr, place_of(at, local), at->work, at->work + rbv_expr_variable_count(expr));
}

RbvJet rbv_configuration_jet(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local) {
    int32_t n = rbv_expr_variable_count(expr);
    RbvJet jet = {.count = n, .x = at->work, .gradient = at->work + n, .hessian = at->work + 2 * n};
    rbv_configuration_variables(at, expr, local, jet.x);
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
