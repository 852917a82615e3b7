/* Influences of misfits on reactions, efforts and outputs (docs/tolerance.md). */
#include "solution/record/record.h"

#include <string.h>

/* Number of a result among the quantities of influences; -1: no misfit moves it. */
static int32_t quantity_of(const RbvInfluences *in, const RbvReactions *r, RbvVariable of) {
    switch (of.kind) {
    case RBV_VARIABLE_REACTION: return (int32_t)(r->value[of.index] - r->value[0]) + of.part;
    case RBV_VARIABLE_EFFORT: return in->first_effort + of.index;
    case RBV_VARIABLE_MULTIPLIER: return in->first_multiplier + of.index;
    case RBV_VARIABLE_STOP: return in->first_stop + of.index;
    default: return -1;
    }
}

/* Derivatives of output k by the quantities of influences, at the values of this sample: record->weight. */
static void weigh_output(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvInfluences *in = record->influences;
    const RbvModel *model = record->system->model;
    const RbvExpr *expr = model->outputs.items[k].value;
    const double *gradient = rbv_record_gradient(record, state, reactions, k);
    memset(record->weight, 0, (size_t)in->quantities * sizeof *record->weight);
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        int32_t quantity = quantity_of(in, reactions, rbv_variable_of(model, expr, v));
        if (quantity >= 0)
            record->weight[quantity] += gradient[v];
    }
}

/* Influences of all misfits on the output that is weighed; `influence` has its sample and column. False: no memory. */
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
        weigh_output(record, state, reactions, k);
        good = put_output(record, next);
    }
    return good ? RBV_OK : RBV_NO_MEMORY;
}
