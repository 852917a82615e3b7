/* Checks and enters states of the user's differential equations, for controllers, actuators, hydraulics. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <math.h>

RbvStatus rbv_insert_state(RbvModel *model, const char *name, double start, RbvExprDimension dimension,
                           const RbvSource *source) {
    int32_t k;
    if (name &&
        (rbv_name_table_find(&model->constants, name) >= 0 || rbv_name_table_find(&model->function_names, name) >= 0)) {
        rbv_source_error(
            source, NULL,
            "the name '%s' is taken by a parameter, table or function; a state stands in expressions by its bare name",
            name);
        return rbv_model_wrong(model);
    }
    if (name && rbv_model_is_word(name)) {
        rbv_source_error(source, NULL, "'%s' has a meaning in expressions; a state needs another name", name);
        return rbv_model_wrong(model);
    }
    const char *copy =
        rbv_model_enter_name(model, name, RBV_NAMED_STATE, &model->states, sizeof(RbvOwnState), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    model->states.items[k] = (RbvOwnState){copy,
                                           NULL,
                                           start,
                                           dimension,
                                           rbv_model_declared_unit_of(model, dimension),
                                           rbv_source_position(source, NULL, 0)};
    return isfinite(start) ? RBV_OK : rbv_model_wrong(model);
}

bool rbv_model_state_takes(RbvModel *model, int32_t state, int32_t rate, const RbvExpr *expr, const char *key,
                           const RbvSource *source) {
    const RbvOwnState *own = &model->states.items[state];
    RbvExprDimension has = rbv_expr_dimension(expr);
    RbvExponents requested = own->dimension.exponents;
    if (rate && !rbv_exponents_product(requested, rbv_dimension_exponents(RBV_DIM_TIME), -2, &requested))
        return true;
    if (own->dimension.bond < RBV_EXPR_KNOWN || has.bond < RBV_EXPR_KNOWN ||
        rbv_exponents_fit(requested, has.exponents))
        return true;
    char is[128], want[128], of[128];
    rbv_exponents_words(has.exponents, is, sizeof is);
    rbv_exponents_words(requested, want, sizeof want);
    rbv_exponents_words(own->dimension.exponents, of, sizeof of);
    if (has.bond < RBV_EXPR_DECLARED) { /* coordinates only: a factor 1 with a unit may be left out */
        rbv_source_note(
            model, source, key,
            "the %s of state '%s' is %s by its coordinates, but the state is %s%s%s: numbers are taken in SI",
            rate ? "rate" : "value", own->name, is, of, rate ? ", whose rate is " : "", rate ? want : "");
        return true;
    }
    rbv_source_error(source, key, "this is %s, but state '%s' is %s%s%s", is, own->name, of,
                     rate ? ", whose rate is " : "", rate ? want : "");
    return false;
}

/* A state without unit gets the unit of its rate times time, if the rate's dimension is known without other states of
 * unknown unit. */
static void infer_unit(RbvModel *model, RbvOwnState *own) {
    RbvExprDimension rate = rbv_expr_dimension(own->rate);
    RbvExponents exponents;
    if (own->dimension.bond != RBV_EXPR_BARE || rate.bond < RBV_EXPR_KNOWN ||
        !rbv_exponents_product(rate.exponents, rbv_dimension_exponents(RBV_DIM_TIME), 2, &exponents))
        return;
    for (int32_t i = 0; i < rbv_expr_variable_count(own->rate); i++) {
        const RbvVariable *v = &model->variables.items[rbv_expr_variable(own->rate, i)];
        if (v->kind == RBV_VARIABLE_STATE && model->states.items[v->index].dimension.bond == RBV_EXPR_BARE)
            return;
    }
    own->unit = rbv_model_declared_unit_of(model, (RbvExprDimension){RBV_EXPR_DECLARED, exponents});
}

RbvStatus rbv_insert_state_rate(RbvModel *model, const char *name, const char *rate, const RbvSource *source) {
    int32_t k = rbv_model_find(model, name, RBV_NAMED_STATE);
    if (k < 0)
        return rbv_model_wrong(model);
    RbvExpr *expr =
        rbv_model_expression(model, rate, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES,
                             RBV_DIM_ANY, "rate", source);
    rbv_expr_destroy(model->states.items[k].rate);
    model->states.items[k].rate = expr;
    if (!expr || !rbv_model_state_takes(model, k, 1, expr, "rate", source))
        return rbv_model_wrong(model);
    infer_unit(model, &model->states.items[k]);
    return RBV_OK;
}
