/* Checks and enters stops, events, and conditions (`active:`). */
#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/model/refill.h"

#include <math.h>
#include <string.h>

/* Resolve the coordinate that a stop limits: a measure, or a named expression. */
static bool find_limited(RbvModel *model, const char *coordinate, RbvCoordinateRef *of, const RbvSource *source) {
    bool good = rbv_model_coordinate(model, coordinate, of, "coordinate", source);
    if (good && of->rate > 0) {
        rbv_source_error(source, "coordinate", "a stop holds a coordinate, not a rate: '%s'", coordinate);
        return false;
    }
    return good;
}

RbvStatus rbv_insert_stop(RbvModel *model, const char *name, const char *coordinate, const double limit[2],
                          double restitution, const RbvSource *source) {
    int32_t k;
    RbvCoordinateRef of;
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_STOP, &model->stops, sizeof(RbvStop), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    bool good = find_limited(model, coordinate, &of, source);
    if (good && !isfinite(limit[0]) && !isfinite(limit[1])) {
        rbv_source_error(source, NULL, "stop '%s' has neither min nor max", copy);
        good = false;
    } else if (good && !(limit[0] < limit[1])) {
        rbv_source_error(source, "max", "min of stop '%s' must lie below its max", copy);
        good = false;
    }
    if (!(restitution >= 0 && restitution <= 1)) {
        rbv_source_error(source, "restitution", "the restitution of stop '%s' lies between 0 and 1, not %g", copy,
                         restitution);
        good = false;
    }
    const char *text = rbv_arena_copy(&model->arena, coordinate, strlen(coordinate));
    const char *unit = good ? rbv_model_coordinate_unit(model, &of) : "",
               *force_unit = good ? rbv_model_effort_unit(model, &of) : "";
    model->stops.items[k] = (RbvStop){
        copy, text, of, unit, force_unit, {limit[0], limit[1]}, restitution, rbv_source_position(source, NULL, 0)};
    return good && text ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_insert_event(RbvModel *model, const char *name, const char *when, int direction, RbvEventDeed deed,
                           const RbvSource *source) {
    int32_t k;
    const char *copy =
        rbv_model_enter_name(model, name, RBV_NAMED_EVENT, &model->events, sizeof(RbvEventDefinition), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    RbvExpr *expr =
        rbv_model_expression(model, when, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES,
                             RBV_DIM_ANY, "when", source);
    model->events.items[k] = (RbvEventDefinition){copy,      expr, expr && rbv_expr_is_truth(expr),
                                                  direction, deed, rbv_source_position(source, NULL, 0)};
    if (expr && rbv_expr_variable_count(expr) == 0) {
        rbv_source_error(source, "when",
                         "event '%s' depends on nothing that changes; an instant is written as a difference: t - 0.5",
                         copy);
        return rbv_model_wrong(model);
    }
    return expr ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_insert_setting(RbvModel *model, const char *event, const char *state, const char *value,
                             const RbvSource *source) {
    int32_t number = rbv_model_find(model, event, RBV_NAMED_EVENT),
            index = rbv_model_find(model, state, RBV_NAMED_STATE);
    if (index < 0)
        rbv_source_error(source, NULL,
                         "event '%s' sets '%s', which is no state (states:); places and rates cannot be set: stops, "
                         "conditions (active:) and loads change them",
                         event, state);
    if (index < 0 || number < 0)
        return rbv_model_wrong(model);
    RbvExpr *expr =
        rbv_model_expression(model, value, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES,
                             RBV_DIM_ANY, "set", source);
    if (!expr)
        return rbv_model_wrong(model);
    if (!rbv_model_state_takes(model, index, 0, expr, "set", source)) {
        rbv_expr_destroy(expr);
        return rbv_model_wrong(model);
    }
    int32_t k = model->refill ? 0 : rbv_model_grow(model, &model->settings, sizeof(RbvSetting));
    while (model->refill && k < model->settings.count &&
           (model->settings.items[k].event != number || model->settings.items[k].state != index))
        k++;
    if (k < 0 || (model->refill && !rbv_refill_take(model, &model->settings, sizeof(RbvSetting), k))) {
        rbv_expr_destroy(expr);
        return rbv_model_no_memory(model);
    }
    model->settings.items[k] = (RbvSetting){number, index, expr};
    return RBV_OK;
}

/* Check a condition: an expression with a declared unit other than of a number, an angle or a frequency is a
 * quantity, not a truth value. */
static bool is_condition(const RbvExpr *expr, const RbvSource *source) {
    RbvExprDimension has = rbv_expr_dimension(expr);
    if (rbv_expr_is_truth(expr) || has.bond < RBV_EXPR_DECLARED ||
        rbv_exponents_fit(has.exponents, rbv_dimension_exponents(RBV_DIM_NONE)))
        return true;
    char is[128];
    rbv_exponents_words(has.exponents, is, sizeof is);
    rbv_source_error(source, "active", "active: is true or not, such as t > 2[s]; this is %s", is);
    return false;
}

RbvStatus rbv_insert_condition(RbvModel *model, RbvConditionOf of, int32_t index, const char *name, const char *active,
                               bool here, const RbvSource *source) {
    RbvExpr *expr =
        rbv_model_expression(model, active, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES,
                             RBV_DIM_ANY, "active", source);
    if (!expr || !is_condition(expr, source)) {
        rbv_expr_destroy(expr);
        return rbv_model_wrong(model);
    }
    const char *copy = rbv_arena_copy(&model->arena, name, strlen(name));
    int32_t k = model->refill ? 0 : copy ? rbv_model_grow(model, &model->conditions, sizeof(RbvCondition)) : -1;
    while (model->refill && k < model->conditions.count &&
           (model->conditions.items[k].of != of || model->conditions.items[k].index != index))
        k++;
    if (k < 0 || !copy || (model->refill && !rbv_refill_take(model, &model->conditions, sizeof(RbvCondition), k))) {
        rbv_expr_destroy(expr);
        return rbv_model_no_memory(model);
    }
    model->conditions.items[k] = (RbvCondition){of, index, copy, expr, here, rbv_source_position(source, NULL, 0)};
    return RBV_OK;
}
