/* States of the user's own: differential equations beside those of the bodies, for controllers, actuators, hydraulics. */
#include "base/diagnostics.h"
#include "model/model.h"

#include <math.h>

RbvStatus rbv_insert_state(RbvModel *model, const char *name, double start, RbvExprDimension dimension, const RbvSource *source) {
    int32_t k;
    if (name && (rbv_name_table_find(&model->constants, name) >= 0 || rbv_name_table_find(&model->function_names, name) >= 0)) {
        rbv_source_error(source, NULL, "the name '%s' is taken by a parameter, table or function; a state stands in expressions by its bare name", name);
        return rbv_model_wrong(model);
    }
    if (name && rbv_model_is_word(name)) {
        rbv_source_error(source, NULL, "'%s' has a meaning in expressions; a state needs another name", name);
        return rbv_model_wrong(model);
    }
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_STATE, &model->states, sizeof(RbvOwnState), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    model->states.items[k] = (RbvOwnState){copy, NULL, start, dimension, rbv_model_declared_unit_of(model, dimension), rbv_source_position(source, NULL, 0)};
    return isfinite(start) ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_insert_state_rate(RbvModel *model, const char *name, const char *rate, const RbvSource *source) {
    int32_t k = rbv_model_find(model, name, RBV_NAMED_STATE);
    if (k < 0)
        return rbv_model_wrong(model);
    RbvExpr *expr = rbv_model_expression(model, rate, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES, RBV_DIM_ANY, "rate", source);
    rbv_expr_destroy(model->states.items[k].rate);
    model->states.items[k].rate = expr;
    return expr ? RBV_OK : rbv_model_wrong(model);
}
