/* Named coordinates: entered under `coordinates:`, and resolved where a coordinate is given (drives, initial
 * conditions). A name for a plain coordinate is that measure itself; any other name is an expression f of measures
 * m_i with its rates:
 *   f'  = f_i m_i'
 *   f'' = f_i m_i'' + f_ij m_i' m_j'
 */
#include "core/base/diagnostics.h"
#include "model/model/refill.h"

#include <string.h>

/* ---- names ---- */

/* Has the name a meaning of its own in expressions? */
static bool is_coordinate_taken(const RbvModel *model, const char *name, const RbvSource *source) {
    static const char *const words[] = {"t",   "pi",   "l",        "x",     "y",   "z",  "ground", "and", "or",
                                        "not", "here", "distance", "angle", "dot", "wx", "wy",     "wz"};
    bool word = rbv_expr_is_function(name);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        word = word || strcmp(name, words[k]) == 0;
    if (word)
        rbv_source_error(source, NULL, "'%s' has a meaning in expressions; a coordinate needs another name", name);
    else if (rbv_name_table_find(&model->constants, name) >= 0)
        rbv_source_error(source, NULL, "the name '%s' is taken by a parameter or table; a coordinate needs another",
                         name);
    else if (rbv_model_find(model, name, RBV_NAMED_GENERALIZED) >= 0)
        rbv_source_error(source, NULL, "the name '%s' is taken by a generalized coordinate; a coordinate needs another",
                         name);
    else if (rbv_name_table_find(&model->function_names, name) >= 0)
        rbv_source_error(source, NULL, "the name '%s' is taken by a function; a coordinate needs another", name);
    else
        return false;
    return true;
}

/* Index of the coordinate called `name`, entered if new; -1 after an error or out of memory. */
static int32_t enter(RbvModel *model, const char *name, const RbvSource *source) {
    if (!rbv_model_is_name(name, source))
        return -1;
    int32_t known = rbv_name_table_find(&model->coordinate_names, name);
    if (known >= 0 || is_coordinate_taken(model, name, source))
        return known;
    int32_t k = rbv_model_grow(model, &model->coordinates, sizeof(RbvNamedCoordinate));
    const char *copy = k < 0 ? NULL : rbv_arena_copy(&model->arena, name, strlen(name));
    if (k >= 0)
        model->coordinates.items[k] = (RbvNamedCoordinate){
            .name = copy ? copy : "", .measure = -1, .where = rbv_source_position(source, NULL, 0)};
    if (copy && rbv_name_table_add(&model->coordinate_names, copy, k))
        return k;
    rbv_model_no_memory(model);
    return -1;
}

RbvStatus rbv_announce_coordinate(RbvModel *model, const char *name, const RbvSource *source) {
    return enter(model, name, source) >= 0 ? RBV_OK : rbv_model_wrong(model);
}

bool rbv_model_has_coordinate(const RbvModel *model, const char *name) {
    return rbv_name_table_find(&model->coordinate_names, name) >= 0;
}

void rbv_lose_coordinate(RbvModel *model, const char *name) {
    int32_t k = rbv_name_table_find(&model->coordinate_names, name);
    if (k >= 0)
        model->coordinates.items[k].state = RBV_NAMING_WRONG;
    model->broken = true;
}

/* Define a named coordinate by an expression, which must contain a coordinate; sets the measure if the expression is
 * a plain coordinate. */
static bool define(RbvModel *model, RbvNamedCoordinate *to, const char *expression, const RbvSource *source) {
    RbvExpr *value =
        rbv_model_expression(model, expression, RBV_SCOPE_COORDINATES | RBV_SCOPE_POSITION, RBV_DIM_ANY, "", source);
    int32_t id, rate;
    bool good = value && rbv_model_has_derivatives(value, 2, "coordinate", to->name, "", source);
    if (good && rbv_expr_variable_count(value) == 0) {
        rbv_source_error(
            source, "",
            "coordinate '%s' holds no coordinate: it is a constant, and belongs under parameters:", to->name);
        good = false;
    }
    if (!good) {
        rbv_expr_destroy(value);
        return false;
    }
    to->value = value;
    if (rbv_expr_meaning(value, &id, &rate) == RBV_EXPR_VARIABLE)
        to->measure = model->variables.items[id].index;
    const char *why = NULL;
    for (int32_t v = 0; v < rbv_expr_variable_count(value) && !why; v++)
        rbv_expr_is_smooth(value, v, &why);
    if (why)
        rbv_source_note(model, source, "",
                        "coordinate '%s' uses %s and may not be twice continuously differentiable: what is driven or "
                        "held by it jumps where it is not",
                        to->name, why);
    return true;
}

/* The entry of a coordinate to be defined: new, or, while the model is refilled, the existing one. NULL: name taken
 * (reported), or out of memory. */
static RbvNamedCoordinate *open_place(RbvModel *model, const char *name, const RbvSource *source) {
    int32_t k = enter(model, name, source);
    RbvNamedCoordinate *to = k < 0 ? NULL : &model->coordinates.items[k];
    if (to && model->refill) {
        const RbvNamedCoordinate before = *to;
        if (!rbv_refill_take(model, &model->coordinates, sizeof *to, k))
            return NULL;
        *to = (RbvNamedCoordinate){.name = before.name,
                                   .text = before.text,
                                   .measure = -1,
                                   .prescribed = before.prescribed,
                                   .where = before.where};
    }
    if (!to || to->state == RBV_NAMING_ANNOUNCED)
        return to;
    rbv_source_error(source, NULL, "the name '%s' is taken by another coordinate", name);
    return NULL;
}

RbvStatus rbv_insert_coordinate(RbvModel *model, const char *name, const char *expression, const RbvSource *source) {
    RbvNamedCoordinate *to = open_place(model, name, source);
    if (!to)
        return rbv_model_wrong(model);
    if (!to->text)
        to->text = rbv_arena_copy(&model->arena, expression, strlen(expression));
    if (!to->text)
        return rbv_model_no_memory(model);
    to->state = RBV_NAMING_OPEN;
    bool good = define(model, to, expression, source);
    to->state = good ? RBV_NAMING_DEFINED : RBV_NAMING_WRONG;
    return good ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_model_add_coordinate(RbvModel *model, const char *name, const char *expression,
                                   RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !expression)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_coordinate(model, name, expression, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_COORDINATE, .text = {name, expression}});
}

/* ---- references to coordinates ---- */

/* Resolve an expression that is a single coordinate. False: another expression; *reported: the error was reported at
 * the definition. */
static bool refer(const RbvModel *model, const RbvExpr *expr, RbvCoordinateRef *to, bool *reported) {
    int32_t id, rate;
    RbvExprMeaning meaning = rbv_expr_meaning(expr, &id, &rate);
    *reported = meaning == RBV_EXPR_VARIABLE && model->variables.items[id].kind != RBV_VARIABLE_COORDINATE;
    if (*reported || meaning == RBV_EXPR_UNKNOWN)
        return false;
    if (meaning == RBV_EXPR_VARIABLE)
        *to = (RbvCoordinateRef){
            .measure = model->variables.items[id].index, .named = -1, .rate = model->variables.items[id].part};
    else
        *to = (RbvCoordinateRef){.measure = -1, .named = id, .rate = rate};
    return true;
}

bool rbv_model_coordinate(RbvModel *model, const char *text, RbvCoordinateRef *to, const char *path,
                          const RbvSource *source) {
    *to = (RbvCoordinateRef){.measure = -1, .named = -1};
    RbvExpr *expr =
        rbv_model_expression(model, text, RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES, RBV_DIM_ANY, path, source);
    if (!expr)
        return false;
    bool reported, good = refer(model, expr, to, &reported);
    rbv_expr_destroy(expr);
    if (!good && !reported)
        rbv_source_error(source, path,
                         "'%s' is no coordinate; a coordinate is joint.angle, joint.distance, joint.x, distance(a.P, "
                         "b.Q), angle(body), x(body.P), y(body.P), "
                         "dot(a.P.x, b.Q.x), or a name under coordinates:, which may be any expression of these",
                         text);
    return good;
}

RbvPrescribed *rbv_coordinate_prescribed(RbvModel *model, const RbvCoordinateRef *of) {
    if (of->named >= 0)
        return &model->coordinates.items[of->named].prescribed;
    return of->measure >= 0 ? &model->prescribed.items[of->measure] : NULL;
}

bool rbv_coordinate_takes(const RbvModel *model, const RbvCoordinateRef *of, const char *coordinate,
                          RbvExprDimension has, const char *path, const RbvSource *source) {
    RbvExprDimension requested = rbv_coordinate_dimension(model, of);
    char expected[RBV_DIMENSION_SIZE], is[RBV_DIMENSION_SIZE];
    if (requested.bond < RBV_EXPR_KNOWN || has.bond < RBV_EXPR_DECLARED ||
        rbv_coordinate_key(model, of) != RBV_DIM_ANY || rbv_exponents_fit(requested.exponents, has.exponents))
        return true;
    rbv_exponents_words(requested.exponents, expected, sizeof expected);
    rbv_exponents_words(has.exponents, is, sizeof is);
    rbv_source_error(source, path, "'%s' is %s, but this is %s", coordinate, expected, is);
    return false;
}
