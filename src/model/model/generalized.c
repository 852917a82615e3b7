/* Generalized coordinates q: a system given by its own equations
 *   M(q, q', t) q'' = force.
 * Each coordinate is the position of an internal massless body that moves along ground's x only; users know it by the
 * coordinate's name. */
#include "core/base/diagnostics.h"
#include "model/model/refill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EQUATION_SCOPE (RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES)

bool rbv_model_is_word(const char *name) {
    static const char *const words[] = {"t",   "pi", "l",   "x",    "y",        "z",     "ground",
                                        "and", "or", "not", "here", "distance", "angle", "dot",
                                        "wx",  "wy", "wz",  "time", "energy"};
    bool word = rbv_expr_is_function(name);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        word = word || strcmp(name, words[k]) == 0;
    return word;
}

/* Has the name already a meaning in expressions? */
static bool is_taken(const RbvModel *model, const char *name, const RbvSource *source) {
    bool word = rbv_model_is_word(name);
    if (word)
        rbv_source_error(source, NULL, "'%s' has a meaning of its own; a generalized coordinate needs another name",
                         name);
    else if (rbv_name_table_find(&model->constants, name) >= 0 ||
             rbv_name_table_find(&model->function_names, name) >= 0)
        rbv_source_error(source, NULL,
                         "the name '%s' is taken by a parameter, table or function; a generalized coordinate stands in "
                         "expressions by its bare name",
                         name);
    else
        return false;
    return true;
}

/* Add the internal body of a generalized coordinate, with its marker. -1: out of memory. */
static int32_t add_body(RbvModel *model, const char *name, int32_t index, double start, int32_t *marker) {
    int32_t body = rbv_model_grow(model, &model->bodies, sizeof(RbvBody));
    if (body < 0)
        return -1;
    model->bodies.items[body] = (RbvBody){.name = name,
                                          .particle = true,
                                          .generalized = index + 1,
                                          .at = {isnan(start) ? 0 : start, 0, 0},
                                          .rotation = rbv_quat_identity()};
    *marker = rbv_model_add_raw_marker(model, name, body, rbv_vec3(0, 0, 0), 0);
    return *marker < 0 ? -1 : body;
}

/* Add an initial condition for the coordinate (rate 0) or its rate (rate 1). */
static bool begin(RbvModel *model, const RbvGeneralized *of, int32_t rate, double value) {
    char text[RBV_NAME_SIZE + 1];
    if (isnan(value))
        return true;
    int length = snprintf(text, sizeof text, "%s%s", of->name, rate ? "'" : "");
    const char *copy = rbv_arena_copy(&model->arena, text, (size_t)length);
    int32_t k = copy ? rbv_model_grow(model, &model->initial, sizeof(RbvInitial)) : -1;
    if (k < 0)
        return false;
    model->initial.items[k] = (RbvInitial){.coordinate = copy,
                                           .of = {.measure = of->measure, .named = -1, .rate = rate},
                                           .value = value,
                                           .where = of->where,
                                           .own = true};
    model->prescribed.items[of->measure].initial[rate] = k + 1;
    return true;
}

RbvStatus rbv_insert_generalized(RbvModel *model, const char *name, double start, double rate,
                                 RbvExprDimension dimension, const RbvSource *source) {
    int32_t k, marker = -1;
    if (model->refill) { /* a new value may change the initial value of the coordinate: the model is read anew */
        model->refill->differs = true;
        return RBV_OK;
    }
    if (is_taken(model, name, source))
        return rbv_model_wrong(model);
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_GENERALIZED, &model->generalized,
                                            sizeof(RbvGeneralized), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    model->generalized.items[k] = (RbvGeneralized){.name = copy, .unit = "", .measure = -1}; /* until a unit is known */
    int32_t body = add_body(model, copy, k, start, &marker),
            measure = body < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_OFFSET, 0, marker, 0);
    if (measure < 0)
        return rbv_model_no_memory(model);
    RbvGeneralized *to = &model->generalized.items[k];
    *to = (RbvGeneralized){copy,
                           body,
                           measure,
                           dimension,
                           rbv_model_unit_of(model, dimension),
                           NULL,
                           rbv_source_position(source, NULL, 0)};
    return begin(model, to, 0, start) && begin(model, to, 1, rate) ? RBV_OK : rbv_model_no_memory(model);
}

/* Dimension of a term of an equation, where units are declared: the force, or (column >= 0) mass times the second
 * rate of that coordinate. */
static bool term_of(const RbvModel *model, int32_t row, int32_t column, RbvExponents *out) {
    const RbvGeneralized *of = &model->generalized.items[column >= 0 ? column : row];
    const RbvExpr *expr = column < 0                ? of->force
                          : model->masses.count > 0 ? model->masses.items[row * model->generalized.count + column]
                                                    : NULL;
    if (!expr || rbv_expr_dimension(expr).bond < RBV_EXPR_DECLARED ||
        (column >= 0 && of->dimension.bond < RBV_EXPR_DECLARED))
        return false;
    *out = rbv_expr_dimension(expr).exponents;
    return column < 0 || (rbv_exponents_product(*out, of->dimension.exponents, 2, out) &&
                          rbv_exponents_product(*out, rbv_dimension_exponents(RBV_DIM_TIME), -4, out));
}

/* Check that the newest term of an equation, the force or the mass in column `newest`, has the dimension of the other
 * terms. */
static bool row_takes(RbvModel *model, int32_t row, int32_t newest, const RbvSource *source) {
    RbvExponents is, other;
    if (!term_of(model, row, newest, &is))
        return true;
    for (int32_t k = -1; k < model->generalized.count; k++) {
        if (k == newest || !term_of(model, row, k, &other) || rbv_exponents_fit(is, other))
            continue;
        char has[128], expected[128], with[160];
        const char *name = model->generalized.items[row].name;
        rbv_exponents_words(is, has, sizeof has);
        rbv_exponents_words(other, expected, sizeof expected);
        snprintf(with, sizeof with, k < 0 ? "the force on '%s'" : "mass times the acceleration of '%s'",
                 model->generalized.items[k < 0 ? row : k].name);
        if (newest < 0)
            rbv_source_error(source, NULL, "the force on '%s' is %s, but %s is %s", name, has, with, expected);
        else
            rbv_source_error(source, NULL, "this mass times the acceleration of '%s' is %s, but %s is %s",
                             model->generalized.items[newest].name, has, with, expected);
        return false;
    }
    return true;
}

RbvStatus rbv_insert_generalized_mass(RbvModel *model, int32_t row, int32_t column, const char *mass,
                                      const RbvSource *source) {
    int32_t n = model->generalized.count;
    if (model->refill) {
        model->refill->differs = true;
        return RBV_OK;
    }
    while (model->masses.count < n * n)
        if (rbv_model_grow(model, &model->masses, sizeof(RbvExpr *)) < 0)
            return rbv_model_no_memory(model);
    RbvExpr *value = rbv_model_expression(model, mass, EQUATION_SCOPE, RBV_DIM_ANY, "", source);
    rbv_expr_destroy(model->masses.items[row * n + column]);
    model->masses.items[row * n + column] = value;
    if (!value || !rbv_model_has_derivatives(value, 1, "the mass of", model->generalized.items[row].name, "", source) ||
        !row_takes(model, row, column, source))
        return rbv_model_wrong(model);
    return RBV_OK;
}

RbvStatus rbv_insert_generalized_force(RbvModel *model, int32_t row, const char *force, const RbvSource *source) {
    if (model->refill) {
        model->refill->differs = true;
        return RBV_OK;
    }
    RbvExpr *value = rbv_model_expression(model, force, EQUATION_SCOPE, RBV_DIM_ANY, "", source);
    rbv_expr_destroy(model->generalized.items[row].force);
    model->generalized.items[row].force = value;
    return value && row_takes(model, row, -1, source) ? RBV_OK : rbv_model_wrong(model);
}

bool rbv_model_without_generalized(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics) {
    if (model->generalized.count == 0)
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->generalized.items[0].where,
                 "'%s' is a generalized coordinate, whose equation %s does not know in this version; simulate does",
                 model->generalized.items[0].name, analysis);
    return false;
}
