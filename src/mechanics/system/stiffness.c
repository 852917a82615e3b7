/* K = sum_k lambda_k H_k - dQ/dq at rest, from rows and loads, streamed by pairs of bodies; see
 * mechanics/element/stiffness.h. */
#include "mechanics/system/system.h"

/* sum_uw f_uw g_u g_w^T of an equation. */
static void equation(const RbvStiffness *K, const RbvState *state, const RbvRow *row, double lambda) {
    const RbvTerm *terms = &state->system->terms[row->first];
    RbvJet f = rbv_state_equation_jet(state, row);
    for (int32_t u = 0; u < f.count; u++)
        for (int32_t w = 0; w < f.count; w++)
            if (row->variables->term[u] >= 0 && row->variables->term[w] >= 0)
                rbv_stiffness_outer(K, terms[row->variables->term[u]].measure, terms[row->variables->term[w]].measure,
                                    lambda * f.hessian[u * f.count + w]);
    rbv_stiffness_end(K);
}

static void rows(const RbvStiffness *K, const RbvState *state, const double *lambda) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->on_rates)
            continue;
        for (int32_t n = row->first; n < row->first + row->count; n++)
            rbv_stiffness_hessian(K, system->terms[n].measure, lambda[k] * state->coefficient[n]);
        if (row->equation)
            equation(K, state, row, lambda[k]);
    }
}

/* The derivative of a generalized force by the coordinates that it reads. */
static void generalized(const RbvStiffness *K) {
    const RbvModel *model = K->at->model;
    for (int32_t k = 0; k < model->generalized.count; k++) {
        const RbvExpr *force = model->generalized.items[k].force;
        RbvJet f = rbv_configuration_jet(K->at, force, NULL);
        for (int32_t v = 0; v < f.count; v++) {
            RbvVariable variable = rbv_variable_of(model, force, v);
            if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0)
                rbv_stiffness_wrench_outer(K, model->generalized.items[k].body, (RbvWrench){{1, 0, 0}, {0, 0, 0}},
                                           variable.index, -f.gradient[v]);
        }
        rbv_stiffness_end(K);
    }
}

void rbv_state_load_stiffness(RbvState *state, const RbvStiffnessSink *sink) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    const RbvStiffness K = {&at, sink};
    generalized(&K);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoadFormulas *formulas = rbv_load_formulas(model->loads.items[k].kind);
        if (formulas->stiffness && rbv_state_acts(state, k))
            formulas->stiffness(&K, &model->loads.items[k]);
    }
}

void rbv_state_stiffness(RbvState *state, const double *lambda, const RbvStiffnessSink *sink) {
    const RbvConfiguration at = rbv_state_configuration(state);
    rows(&(RbvStiffness){&at, sink}, state, lambda);
    rbv_state_load_stiffness(state, sink);
}
