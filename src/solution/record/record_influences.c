/* Influences of misfits on reactions, efforts and outputs (docs/tolerance.md). */
#include "solution/record/record.h"

#include <string.h>

/* Number of a result among the quantities of influences; -1: no misfit moves it. */
static int32_t quantity_of(const RbvReactions *r, RbvVariable of) {
    const RbvModel *model = r->system->model;
    int32_t efforts = r->component_count, multipliers = efforts + model->drives.count,
            stops = multipliers + model->constraints.count;
    switch (of.kind) {
    case RBV_VARIABLE_REACTION: return (int32_t)(r->value[of.index] - r->value[0]) + of.part;
    case RBV_VARIABLE_EFFORT: return efforts + of.index;
    case RBV_VARIABLE_MULTIPLIER: return multipliers + of.index;
    case RBV_VARIABLE_STOP: return stops + of.index;
    default: return -1;
    }
}

/* Derivatives of an output by the quantities of influences, at the values of this sample: record->weight. */
static void weigh_output(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, const RbvExpr *expr) {
    int32_t n = rbv_expr_variable_count(expr);
    double *x = record->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + (size_t)n * (size_t)n;
    RbvResultValues values = {.effort = reactions->effort,
                              .multiplier = reactions->multiplier,
                              .control = reactions->actuator,
                              .stop = reactions->stop,
                              .reaction = reactions->value,
                              .measure_second = record->second};
    rbv_state_expression(state, expr, &values, x);
    rbv_expr_jet(expr, x, scratch, gradient, hessian);
    memset(record->weight, 0, (size_t)record->influences->quantities * sizeof *record->weight);
    for (int32_t v = 0; v < n; v++) {
        int32_t quantity = quantity_of(reactions, record->system->model->variables.items[rbv_expr_variable(expr, v)]);
        if (quantity >= 0)
            record->weight[quantity] += gradient[v];
    }
}

/* False: no memory. */
static bool put_output(RbvRecord *record, RbvInfluence influence) {
    const RbvInfluences *in = record->influences;
    bool good = true;
    for (size_t k = 0, next; good && k < in->answer_count; k = next) {
        influence.value = 0;
        for (next = k; next < in->answer_count && in->answers[next].misfit == in->answers[k].misfit; next++)
            influence.value += record->weight[in->answers[next].quantity] * in->answers[next].value;
        influence.tolerance = in->tolerance[in->answers[k].misfit];
        good = influence.value == 0 || rbv_result_influence(record->result, influence);
    }
    return good;
}

RbvStatus rbv_record_influences(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability,
                                RbvChoice *choice, RbvReactions *reactions) {
    RbvInfluences *in = record->influences;
    const RbvModel *model = record->system->model;
    RbvStatus status = in ? rbv_influences_find(in, choice, state, solvability, reactions) : RBV_OK;
    if (!in || status != RBV_OK)
        return status;
    RbvInfluence next = {.sample = record->result->sample_count, .column = -1};
    bool good = true;
    for (int32_t m = 0; good && m < in->count; m++) {
        next.tolerance = in->tolerance[m];
        good = !in->unbounded[m] || rbv_result_influence(record->result, next);
    }
    for (size_t k = 0; good && k < in->answer_count; k++) {
        const RbvAnswer *answer = &in->answers[k];
        next.tolerance = in->tolerance[answer->misfit];
        next.column = record->influenced[answer->quantity];
        next.value = answer->value;
        good = next.column < 0 || rbv_result_influence(record->result, next);
    }
    if (model->outputs.count > 0)
        rbv_record_second_rates(record, state);
    for (int32_t k = 0; good && k < model->outputs.count; k++) {
        next.column = record->first_output + k;
        if (!record->output_judged[k])
            continue;
        weigh_output(record, state, reactions, model->outputs.items[k].value);
        good = put_output(record, next);
    }
    return good ? RBV_OK : RBV_NO_MEMORY;
}
