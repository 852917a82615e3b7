/* Checks and enters the parts of a model that describe motion from forces: states of the user's differential equations,
 * stops, events, and conditions (`active:`). */
#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/model/refill.h"

#include <math.h>
#include <string.h>

/* States x' = rate of the user, for controllers, actuators, hydraulics. */

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
                                           rbv_source_position(source, NULL, 0),
                                           0};
    return isfinite(start) ? RBV_OK : rbv_model_wrong(model);
}

/* Has the expression the dimension of the state (rate 1: of the state's rate)? False: reported at `key`. */
static bool state_takes(RbvModel *model, int32_t state, int32_t rate, const RbvExpr *expr, const char *key,
                        const RbvSource *source) {
    const RbvOwnState *own = &model->states.items[state];
    RbvExprDimension has = rbv_expr_dimension(expr);
    RbvExponents requested = own->dimension.exponents;
    if (rate && !rbv_exponents_product(requested, rbv_dimension_exponents(RBV_DIM_TIME), -2, &requested))
        return true;
    if (own->dimension.bond < RBV_EXPR_KNOWN || has.bond < RBV_EXPR_KNOWN ||
        rbv_exponents_fit(requested, has.exponents))
        return true;
    char is[RBV_DIMENSION_SIZE], must[RBV_DIMENSION_SIZE], of[RBV_DIMENSION_SIZE];
    rbv_exponents_words(has.exponents, is, sizeof is);
    rbv_exponents_words(requested, must, sizeof must);
    rbv_exponents_words(own->dimension.exponents, of, sizeof of);
    const char *whose = rate ? ", whose rate is " : "";
    const char *rate_words = rate ? must : "";
    if (has.bond < RBV_EXPR_DECLARED) { /* coordinates only: a factor 1 with a unit may be left out */
        rbv_source_note(
            model, source, key,
            "the %s of state '%s' is %s by its coordinates, but the state is %s%s%s: numbers are taken in SI",
            rate ? "rate" : "value", own->name, is, of, whose, rate_words);
        return true;
    }
    rbv_source_error(source, key, "this is %s, but state '%s' is %s%s%s", is, own->name, of, whose, rate_words);
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
    if (!expr || !state_takes(model, k, 1, expr, "rate", source))
        return rbv_model_wrong(model);
    infer_unit(model, &model->states.items[k]);
    return RBV_OK;
}

RbvStatus rbv_insert_input(RbvModel *model, int32_t parameter, const RbvSource *source) {
    int32_t k;
    RbvParameter *of = &model->parameters.items[parameter];
    if (of->input)
        return RBV_OK;
    const char *copy =
        rbv_model_enter_name(model, of->name, RBV_NAMED_STATE, &model->states, sizeof(RbvOwnState), &k, source);
    RbvExpr *still = copy ? rbv_expr_constant(0) : NULL;
    if (!copy)
        return rbv_model_wrong(model);
    model->states.items[k] = (RbvOwnState){.name = copy,
                                           .rate = still,
                                           .dimension = of->dimension,
                                           .unit = rbv_model_declared_unit_of(model, of->dimension),
                                           .where = of->where,
                                           .input = parameter + 1};
    of->input = k + 1;
    of->used = true;
    return still ? RBV_OK : rbv_model_no_memory(model);
}

RbvStatus rbv_model_add_input(RbvModel *model, const char *name, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name)
        return RBV_BAD_ARGUMENT;
    int32_t constant = rbv_name_table_find(&model->constants, name);
    if (constant >= 0 && constant % 2 == 0)
        return rbv_insert_input(model, constant / 2, &source);
    rbv_source_error(&source, NULL, "no parameter '%s' was added that could be an input", name);
    return rbv_model_wrong(model);
}

double rbv_model_state_start(const RbvModel *model, int32_t state) {
    const RbvOwnState *own = &model->states.items[state];
    return own->input ? model->parameters.items[own->input - 1].value : own->start;
}

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
    if (index >= 0 && model->states.items[index].input)
        index = -1;
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
    if (!state_takes(model, index, 0, expr, "set", source)) {
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
    int32_t k = 0;
    if (!model->refill)
        k = copy ? rbv_model_grow(model, &model->conditions, sizeof(RbvCondition)) : -1;
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

/* The check of these parts for analyses that do not integrate motion: refused
 * where they would change the answer, noted where they do not act. */

RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, unsigned takes,
                                   RbvDiagnostics *diagnostics) {
    if (model->conditions.count > 0 && !(takes & RBV_TAKES_CONDITIONS)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->conditions.items[0].where,
                     "'%s' has active:, which %s does not follow in this version; simulate does",
                     model->conditions.items[0].name, analysis);
        return RBV_BAD_INPUT;
    }
    if (model->requirement_count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file,
                     model->constraints.items[model->constraints.count - model->requirement_count].where,
                     "%s does not follow track:; roberval track does", analysis);
    if (model->states.count > 0 && !(takes & RBV_TAKES_STATES)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->states.items[0].where,
                     "the state '%s' is a differential equation, which %s does not know in this version; simulate does",
                     model->states.items[0].name, analysis);
        return RBV_BAD_INPUT;
    }
    if (!(takes & RBV_TAKES_EQUATIONS) && !rbv_model_is_ideal(model, analysis, diagnostics))
        return RBV_BAD_INPUT;
    if (!(takes & (RBV_TAKES_EQUATIONS | RBV_TAKES_GENERALIZED)) &&
        !rbv_model_without_generalized(model, analysis, diagnostics))
        return RBV_BAD_INPUT;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most && !(takes & RBV_TAKES_LIMITS)) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->drives.items[k].where,
                         "drive '%s' has a max:, and %s knows no efforts: whether it follows its motion is told by "
                         "inverse, and by simulate",
                         model->drives.items[k].name, analysis);
            return RBV_BAD_INPUT;
        }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most && (strcmp(analysis, "statics") == 0 || strcmp(analysis, "modes") == 0))
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->drives.items[k].where,
                         "%s holds drive '%s' by whatever effort that takes: max: is not looked at", analysis,
                         model->drives.items[k].name);
    if (model->events.count > 0 && (takes & RBV_TAKES_TIME))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->events.items[0].where,
                     "%s does not look for events; simulate does", analysis);
    if (model->stops.count > 0 && !(takes & RBV_TAKES_STOPS))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->stops.items[0].where,
                     "stops hold nothing in %s, in this version", analysis);
    return RBV_OK;
}
