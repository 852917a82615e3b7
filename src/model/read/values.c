/* Scalars of the file as SI numbers and expressions: bare numbers by `units:`, "NUMBER UNIT", expressions of
 * parameters. */

#include "core/base/diagnostics.h"
#include "model/read/fields.h"

#include <roberval/input.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages, and positions of the items read. */

void rbv_reader_error(RbvReader *reader, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(reader->diagnostics, RBV_ERROR, reader->file, at, format, arguments);
    va_end(arguments);
    if (reader->model)
        reader->model->broken = true;
}

static RbvPosition places_find(const void *context, const char *path, size_t offset) {
    const RbvPlaces *places = context;
    if (!path)
        return places->name_at;
    const RbvNode *node = places->node;
    RbvPosition at = *path ? places->name_at : node->at;
    while (*path) {
        size_t length = strcspn(path, "/");
        int32_t k = node->kind == RBV_NODE_LIST ? atoi(path) : rbv_node_find(node, path, length);
        if (k < 0 || (node->kind == RBV_NODE_LIST && k >= node->count) || node->kind == RBV_NODE_SCALAR)
            return at;
        node = node->items[k];
        at = node->at;
        path += length + (path[length] == '/');
    }
    if (offset > 0 || node->kind == RBV_NODE_SCALAR) {
        if (node->kind == RBV_NODE_SCALAR && node->text_column > 0)
            at.column = node->text_column + (int32_t)offset;
    }
    return at;
}

RbvSource rbv_reader_source(const RbvReader *reader, const RbvPlaces *places) {
    return (RbvSource){.diagnostics = reader->diagnostics, .file = reader->file, .node = places, .find = places_find};
}

void rbv_reader_keep_shape(RbvReader *reader, const RbvBodyShape *shape) {
    if (!reader->model->scene)
        return;
    if (reader->shapes.count == reader->shapes.capacity) {
        int32_t capacity = 2 * reader->shapes.capacity + 8;
        RbvBodyShape *grown = rbv_arena_array(&reader->arena, (size_t)capacity, sizeof *grown);
        if (!grown) {
            reader->no_memory = true;
            return;
        }
        if (reader->shapes.count > 0)
            memcpy(grown, reader->shapes.items, (size_t)reader->shapes.count * sizeof *grown);
        reader->shapes.items = grown;
        reader->shapes.capacity = capacity;
    }
    reader->shapes.items[reader->shapes.count++] = *shape;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t';
}

RbvWritten rbv_written_as(const char *text, double *number, RbvUnit *unit, const char **unit_text) {
    while (is_space(*text))
        text++;
    size_t used = rbv_number_parse(text, number);
    if (used == 0)
        return RBV_WRITTEN_EXPRESSION;
    const char *rest = text + used;
    while (is_space(*rest))
        rest++;
    if (*rest == '\0')
        return RBV_WRITTEN_NUMBER;
    size_t length = strlen(rest), unknown = 0;
    while (length > 0 && is_space(rest[length - 1]))
        length--;
    *unit_text = rest;
    if (strchr("+-*/^()<>=!,[", *rest))
        return RBV_WRITTEN_EXPRESSION;
    return rbv_unit_parse(rest, length, unit, &unknown) ? RBV_WRITTEN_QUANTITY : RBV_WRITTEN_BAD_UNIT;
}

bool rbv_quantity_read(const char *text, const char *unit, double *value) {
    RbvUnit has, other;
    const char *rest;
    RbvWritten written = text && value ? rbv_written_as(text, value, &has, &rest) : RBV_WRITTEN_EXPRESSION;
    if (written == RBV_WRITTEN_NUMBER)
        return isfinite(*value);
    if (written != RBV_WRITTEN_QUANTITY || (unit && (!rbv_unit_parse(unit, strlen(unit), &other, NULL) ||
                                                     !rbv_exponents_equal(has.exponents, other.exponents))))
        return false;
    *value *= has.factor;
    return isfinite(*value);
}

static RbvPosition text_position(const RbvNode *node, const char *inside) {
    RbvPosition at = node->at;
    if (node->text_column > 0)
        at.column = node->text_column + (int32_t)(inside - node->text);
    return at;
}

static double bare(const RbvReader *reader, RbvDimension dimension, double number) {
    return dimension < RBV_DIM_COUNT ? number * reader->unit[dimension] : number;
}

/* Hint for "1500 rpm*t", which was meant as an expression: there units are in brackets. */
static const char *expression_hint(const char *unit_text) {
    return strpbrk(unit_text, "*+-(") ? "; in an expression units stand in brackets, as in 1500[rpm]*t" : "";
}

/* Hint for a speed given as a position: the motion of a drive at constant speed. */
static const char *rate_hint(const RbvUnit *unit, RbvDimension dimension, const char *name) {
    RbvExponents times;
    bool rate = strcmp(name, "motion") == 0 &&
                rbv_exponents_product(unit->exponents, rbv_dimension_exponents(RBV_DIM_TIME), 2, &times) &&
                rbv_exponents_suit(times, dimension);
    return !rate                        ? ""
           : dimension == RBV_DIM_ANGLE ? "; a constant speed is an expression, as in 600[rpm]*t"
                                        : "; a constant speed is an expression, as in 0.1[m/s]*t";
}

/* Check that the unit measures the requested dimension; angle and torque are dimensions of their own. */
static bool check_unit(RbvReader *reader, const RbvNode *node, const RbvUnit *unit, const char *unit_text,
                       RbvDimension dimension, const char *name) {
    if (dimension == RBV_DIM_ANY || rbv_unit_measures(unit, dimension))
        return true;
    RbvDimension has = rbv_unit_dimension(unit);
    char is[140];
    if (has == RBV_DIM_ANY)
        rbv_exponents_words(unit->exponents, is, sizeof is);
    else
        snprintf(is, sizeof is, "a unit of %s", rbv_dimension_name(has));
    if (dimension == RBV_DIM_NONE)
        rbv_reader_error(reader, text_position(node, unit_text), "'%s' is a pure number, but '%s' is %s", name,
                         unit_text, is);
    else
        rbv_reader_error(reader, text_position(node, unit_text), "'%s' is of dimension %s (%s), but '%s' is %s%s", name,
                         rbv_dimension_name(dimension), rbv_dimension_si(dimension), unit_text, is,
                         has == RBV_DIM_ANY && *expression_hint(unit_text) ? expression_hint(unit_text)
                                                                           : rate_hint(unit, dimension, name));
    return false;
}

/* Report a unit with factors joined by a dash or a non-breaking blank, or with exponents that are not integers. True:
 * error reported. */
static bool bad_spelling(RbvReader *reader, const RbvNode *node, const char *unit_text) {
    char mended[80];
    size_t used = 0;
    RbvUnit unit;
    for (const char *c = unit_text; *c && used + 2 < sizeof mended; c++) {
        bool first = used == 0, blank = strncmp(c, "\xC2\xA0", 2) == 0,
             thin = strncmp(c, "\xE2\x80\xAF", 3) == 0 || strncmp(c, "\xE2\x80\x89", 3) == 0;
        bool dash = *c == '-' && !first && mended[used - 1] != '^';
        if (!(blank || thin) || !first)
            mended[used++] = dash || blank || thin ? '.' : *c;
        if (blank || thin)
            c += thin ? 2 : 1;
    }
    mended[used] = '\0';
    const char *power = strchr(unit_text, '^');
    if (strcmp(mended, unit_text) != 0 && rbv_unit_parse(mended, used, &unit, NULL))
        rbv_reader_error(reader, text_position(node, unit_text), "'%s' is no unit; did you mean '%s'?", unit_text,
                         mended);
    else if (power && power[1 + strspn(power + 1, "-+0123456789")] == '.')
        rbv_reader_error(reader, text_position(node, unit_text),
                         "'%s' is no unit: exponents of units are whole numbers; write the value in SI without a unit",
                         unit_text);
    else
        return false;
    return true;
}

static void bad_unit(RbvReader *reader, const RbvNode *node, const char *unit_text) {
    const char *near = rbv_unit_nearest(unit_text, strlen(unit_text));
    if (bad_spelling(reader, node, unit_text))
        return;
    if (near)
        rbv_reader_error(reader, text_position(node, unit_text), "'%s' is no unit; did you mean '%s'?", unit_text,
                         near);
    else
        rbv_reader_error(reader, text_position(node, unit_text),
                         "'%s' is no unit; a value is a number, NUMBER UNIT such as 250 N/mm, or an expression%s",
                         unit_text, expression_hint(unit_text));
}

static bool check_scalar(RbvReader *reader, const RbvNode *node, const char *name) {
    if (node->kind == RBV_NODE_SCALAR && (node->type == RBV_SCALAR_NUMBER || node->type == RBV_SCALAR_STRING))
        return true;
    bool always = node->type == RBV_SCALAR_BOOL && strcmp(name, "active") == 0;
    bool tensor = node->kind == RBV_NODE_LIST && strcmp(name, "inertia") == 0; /* of space */
    rbv_reader_error(reader, node->at, "'%s' must be a number, NUMBER UNIT or an expression%s, not %s", name,
                     always   ? " (what holds always is without it)"
                     : tensor ? " (this model is planar: the moment of inertia about the centroid)"
                              : "",
                     node->kind == RBV_NODE_LIST     ? "a list"
                     : node->kind == RBV_NODE_MAP    ? "a map"
                     : node->type == RBV_SCALAR_NULL ? "nothing"
                                                     : node->text);
    return false;
}

bool rbv_read_quantity(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out) {
    RbvExprDimension ignored;
    return rbv_read_constant(reader, node, dimension, name, out, &ignored);
}

/* [SI] Largest value accepted: products of three such numbers are finite (below 1e308). */
#define LARGEST 1e100
/* [SI] Smallest nonzero mass, inertia or density accepted: products of two such numbers do not underflow. */
#define LEAST_MASS 1e-150

bool rbv_read_measure(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out) {
    double value;
    if (!rbv_read_quantity(reader, node, dimension, name, &value))
        return false;
    bool weighs = dimension == RBV_DIM_MASS || dimension == RBV_DIM_INERTIA || dimension == RBV_DIM_DENSITY;
    bool large = fabs(value) > LARGEST, small = weighs && value != 0 && fabs(value) < LEAST_MASS;
    if (large || small) {
        rbv_reader_error(reader, node->at,
                         large ? "'%s' is %g %s: more than %g cannot be computed with"
                               : "'%s' is %g %s: less than %g is nothing beside any other; write 0 for none",
                         name, value, rbv_dimension_si(dimension), large ? LARGEST : LEAST_MASS);
        reader->model->broken = true;
        return false;
    }
    *out = value;
    return true;
}

bool rbv_read_decay(RbvReader *reader, const RbvNode *node, const char *name, double *out) {
    RbvExprDimension measured;
    if (!rbv_read_constant(reader, node, RBV_DIM_FREQUENCY, name, out, &measured))
        return false;
    if (measured.bond < RBV_EXPR_KNOWN || measured.exponents.half[RBV_OF_CYCLE] == 0)
        return true;
    rbv_reader_error(reader, node->at,
                     "%s says how fast something dies out, in 1/s; Hz is cycles per second, which this has none of",
                     name);
    reader->model->broken = true;
    return false;
}

bool rbv_read_constant(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out,
                       RbvExprDimension *measured) {
    *measured = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    if (!check_scalar(reader, node, name))
        return false;
    if (node->type == RBV_SCALAR_NUMBER) {
        *out = bare(reader, dimension, node->number);
        return true;
    }
    double number = 0;
    RbvUnit unit;
    const char *unit_text = node->text;
    switch (rbv_written_as(node->text, &number, &unit, &unit_text)) {
    case RBV_WRITTEN_NUMBER: *out = bare(reader, dimension, number); return true;
    case RBV_WRITTEN_QUANTITY:
        if (!check_unit(reader, node, &unit, unit_text, dimension, name))
            return false;
        *out = number * unit.factor;
        *measured = (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
        return true;
    case RBV_WRITTEN_BAD_UNIT: bad_unit(reader, node, unit_text); return false;
    case RBV_WRITTEN_EXPRESSION: break;
    }
    RbvPlaces places = {node, node->at};
    RbvSource source = rbv_reader_source(reader, &places);
    RbvExpr *expr = rbv_model_expression(reader->model, node->text, RBV_SCOPE_CONSTANT, RBV_DIM_ANY, "", &source);
    if (!expr || !rbv_model_check_dimension(reader->model, expr, node->text, dimension, name, "", &source)) {
        reader->model->broken = true;
        rbv_expr_destroy(expr);
        return false;
    }
    *measured = rbv_expr_dimension(expr);
    double work[256];
    bool small = rbv_expr_work_size(expr) <= 256;
    *out = small ? rbv_expr_value(expr, NULL, work) : NAN;
    rbv_expr_destroy(expr);
    if (isfinite(*out))
        return true;
    rbv_reader_error(reader, node->at, "'%s' is not a finite number: %s", name, node->text);
    return false;
}

bool rbv_read_quantities(RbvReader *reader, const RbvNode *node, const RbvKey *key, double *out, int *count) {
    bool spatial = reader->model && reader->model->space == RBV_SPATIAL;
    int least = rbv_key_least(key, spatial), most = rbv_key_most(key, spatial);
    bool of_lists = node->kind == RBV_NODE_LIST && node->count > 0 && node->items[0]->kind == RBV_NODE_LIST;
    if (node->kind != RBV_NODE_LIST || node->count < least || node->count > most || of_lists) {
        bool list = node->kind == RBV_NODE_LIST,
             other = list && node->count >= rbv_key_least(key, !spatial) && node->count <= rbv_key_most(key, !spatial);
        char requested[40], hint[80] = "";
        snprintf(requested, sizeof requested, least == most ? "%d" : "%d to %d", least, most);
        if (of_lists)
            snprintf(hint, sizeof hint, ", not of lists");
        else if (!list && strcmp(key->name, "axis") == 0)
            snprintf(hint, sizeof hint, ", as in [0, 0, 1]");
        else if (!list && strcmp(key->name, "gravity") == 0)
            snprintf(hint, sizeof hint, ", as in %s", spatial ? "[0, 0, -9.81 m/s^2]" : "[0, -9.81 m/s^2]");
        else if (other)
            snprintf(hint, sizeof hint, ", not of %d: this model is %s", (int)node->count,
                     spatial ? "spatial" : "planar");
        else if (list && node->count > most)
            snprintf(hint, sizeof hint, ", not of %d (decimals stand behind a point, as in 0.5)", (int)node->count);
        rbv_reader_error(reader, node->at, "'%s' must be a list of %s numbers%s; %s", key->name, requested, hint,
                         key->doc);
        return false;
    }
    bool good = true;
    RbvDimension dimension = key->dimension[0];
    for (int32_t k = 0; k < node->count; k++) {
        if (k < 6 && key->dimension[k] != RBV_DIM_NONE)
            dimension = key->dimension[k];
        good = rbv_read_measure(reader, node->items[k], dimension, key->name, &out[k]) && good;
    }
    *count = node->count;
    return good;
}

bool rbv_read_expression(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name,
                         const char **out) {
    double number = 0;
    RbvUnit unit;
    const char *unit_text = NULL;
    if (!check_scalar(reader, node, name))
        return false;
    RbvWritten written =
        node->type == RBV_SCALAR_NUMBER ? RBV_WRITTEN_NUMBER : rbv_written_as(node->text, &number, &unit, &unit_text);
    if (written == RBV_WRITTEN_BAD_UNIT) {
        bad_unit(reader, node, unit_text);
        return false;
    }
    if (written == RBV_WRITTEN_EXPRESSION) {
        *out = node->text;
        return true;
    }
    if (!rbv_read_quantity(reader, node, dimension, name, &number))
        return false;
    char text[160];
    size_t length;
    if (dimension == RBV_DIM_ANY && written == RBV_WRITTEN_QUANTITY &&
        strlen(unit_text) < 100) { /* the unit is kept in the text and checked where the value is used */
        rbv_written_as(node->text, &number, &unit, &unit_text);
        length = rbv_number_print(text, 40, number);
        length += (size_t)snprintf(text + length, sizeof text - length, "[%s]", unit_text);
    } else {
        length = rbv_number_print(text, sizeof text, number);
    }
    *out = rbv_arena_copy(&reader->arena, text, length);
    reader->no_memory = reader->no_memory || !*out;
    return *out != NULL;
}
