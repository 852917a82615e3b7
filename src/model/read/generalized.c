/* Reads the section `generalized:`: first the coordinates, before any expression that uses them, then the equations. */
#include "core/base/diagnostics.h"
#include "model/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool open_section(RbvReader *reader, const RbvFields *top, RbvFields *fields) {
    const RbvNode *node = rbv_fields_node(top, "generalized");
    return node && rbv_fields_open(fields, reader, node, node->at, rbv_fields_key(top, "generalized")->children, NULL,
                                   "generalized");
}

static RbvStatus wrong_equations(RbvReader *reader) {
    reader->model->broken = true;
    return RBV_BAD_INPUT;
}

/* Unit of a generalized coordinate: `unit:`, or that of start, or that of rate times s; bare values are in `unit:`.
 * False: the three contradict each other (error reported). */
static bool find_unit(RbvReader *reader, const RbvFields *fields, double value[2], const RbvExprDimension is[2],
                      RbvExprDimension *dimension) {
    const RbvNode *node = rbv_fields_node(fields, "unit");
    const char *text = NULL;
    RbvUnit unit = {.factor = 1};
    RbvExponents second = rbv_dimension_exponents(RBV_DIM_TIME), rate;
    *dimension = is[0];
    if (node)
        rbv_fields_text(fields, "unit", &text);
    if (text && !rbv_unit_parse(text, strlen(text), &unit, NULL)) {
        rbv_reader_error(reader, node->at, "'%s' is no unit", text);
        return false;
    }
    if (text)
        *dimension = (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
    else if (is[0].bond == RBV_EXPR_BARE && is[1].bond != RBV_EXPR_BARE)
        dimension->bond = rbv_exponents_product(is[1].exponents, second, 2, &dimension->exponents) ? RBV_EXPR_DECLARED
                                                                                                   : RBV_EXPR_BARE;
    for (int k = 0; text && k < 2; k++)
        value[k] *= is[k].bond == RBV_EXPR_BARE ? unit.factor : 1;
    if (dimension->bond == RBV_EXPR_BARE || !rbv_exponents_product(dimension->exponents, second, -2, &rate))
        return true;
    for (int k = 0; k < 2; k++)
        if (is[k].bond != RBV_EXPR_BARE && !rbv_exponents_fit(is[k].exponents, k ? rate : dimension->exponents)) {
            char words[128], has[128];
            rbv_exponents_words(k ? rate : dimension->exponents, words, sizeof words);
            rbv_exponents_words(is[k].exponents, has, sizeof has);
            rbv_reader_error(reader, rbv_fields_node(fields, k ? "rate" : "start")->at,
                             "'%s' of %s is %s, but this is %s", k ? "rate" : "start", fields->what, words, has);
            return false;
        }
    return true;
}

static void read_coordinate(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    double value[2] = {NAN, NAN};
    RbvExprDimension is[2] = {{.bond = RBV_EXPR_BARE}, {.bond = RBV_EXPR_BARE}}, dimension = {.bond = RBV_EXPR_BARE};
    if (rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "generalized coordinate", NULL)) {
        for (int rate = 0; rate < 2; rate++) {
            const RbvNode *node = rbv_fields_node(&fields, rate ? "rate" : "start");
            if (node && !rbv_read_constant(reader, node, RBV_DIM_ANY, rate ? "rate" : "start", &value[rate], &is[rate]))
                wrong_equations(reader);
        }
        if (!find_unit(reader, &fields, value, is, &dimension))
            wrong_equations(reader);
    }
    rbv_insert_generalized(reader->model, dict->keys[k], value[0], value[1], dimension, &source);
}

void rbv_read_generalized_names(RbvReader *reader, const RbvFields *top) {
    RbvFields fields;
    if (!open_section(reader, top, &fields))
        return;
    const RbvNode *dict = rbv_fields_node(&fields, "coordinates");
    if (fields.incomplete)
        wrong_equations(reader);
    if (!dict)
        return;
    if (dict->kind != RBV_NODE_MAP || dict->count == 0) {
        rbv_reader_error(reader, dict->at,
                         "coordinates of generalized must be a map of names: {u: {start: 0.1, rate: 0}}");
        wrong_equations(reader);
        return;
    }
    for (int32_t k = 0; k < dict->count; k++)
        read_coordinate(reader, rbv_fields_key(&fields, "coordinates"), dict, k);
}

/* True if the node is a list of n; else an error is reported. */
static bool is_list(RbvReader *reader, const RbvNode *node, int32_t n, const char *what) {
    if (node->kind == RBV_NODE_LIST && node->count == n)
        return true;
    bool rows = strcmp(what, "mass") == 0; /* M is a list of rows */
    if (node->kind != RBV_NODE_LIST)
        rbv_reader_error(reader, node->at,
                         rows                           ? "%s must be a list of rows, as in [[\"2*m\", 0], [0, \"m\"]]"
                         : strncmp(what, "row", 3) == 0 ? "%s must be a list, as in mass: [[\"2*m\", 0], [0, \"m\"]]"
                                                        : "%s must be a list, as in [\"-k*u\", 0]",
                         what);
    else
        rbv_reader_error(reader, node->at,
                         n == 1 ? "%s has %d entries; there is %d generalized coordinate"
                                : "%s has %d entries; there are %d generalized coordinates",
                         what, (int)node->count, (int)n);
    wrong_equations(reader);
    return false;
}

/* Read row i of the mass matrix M[n][n]. */
static void read_mass_row(RbvReader *reader, const RbvNode *row, int32_t i, int32_t n) {
    char what[64];
    snprintf(what, sizeof what, "row %d of mass", (int)i + 1);
    for (int32_t j = 0; is_list(reader, row, n, what) && j < n; j++) {
        RbvPlaces places = {row->items[j], row->items[j]->at};
        RbvSource source = rbv_reader_source(reader, &places);
        const char *text = NULL;
        if (rbv_read_expression(reader, row->items[j], RBV_DIM_ANY, "mass", &text))
            rbv_insert_generalized_mass(reader->model, i, j, text, &source);
        else
            wrong_equations(reader);
    }
}

/* Report numbers of M that are not symmetric before anything is computed with them. */
static void check_symmetry(RbvReader *reader, const RbvNode *mass) {
    const RbvModel *model = reader->model;
    int32_t n = model->generalized.count;
    double work[64];
    for (int32_t i = 0; model->masses.count == n * n && i < n; i++)
        for (int32_t j = 0; j < i; j++) {
            const RbvExpr *a = model->masses.items[i * n + j], *b = model->masses.items[j * n + i];
            if (!a || !b || rbv_expr_variable_count(a) > 0 || rbv_expr_variable_count(b) > 0 ||
                rbv_expr_work_size(a) > 64 || rbv_expr_work_size(b) > 64)
                continue;
            double below = rbv_expr_value(a, NULL, work), above = rbv_expr_value(b, NULL, work);
            if (below == above)
                continue;
            rbv_reader_error(reader, mass->items[i]->items[j]->at,
                             "mass must be symmetric: row %d has %.9g where row %d has %.9g", (int)i + 1, below,
                             (int)j + 1, above);
            wrong_equations(reader);
        }
}

void rbv_read_generalized(RbvReader *reader, const RbvFields *top) {
    const RbvNode *section = rbv_fields_node(top, "generalized");
    int32_t n = reader->model->generalized.count;
    if (!section || section->kind != RBV_NODE_MAP || n == 0)
        return;
    const RbvNode *dict = rbv_node_child(section, "coordinates"), *mass = rbv_node_child(section, "mass"),
                  *force = rbv_node_child(section, "force");
    if (!dict || dict->count != n) /* a coordinate has an error that is reported already */
        return;
    for (int32_t i = 0; mass && is_list(reader, mass, n, "mass") && i < n; i++)
        read_mass_row(reader, mass->items[i], i, n);
    if (mass && !reader->model->broken && !reader->model->refill)
        check_symmetry(reader, mass);
    for (int32_t i = 0; force && is_list(reader, force, n, "force") && i < n; i++) {
        RbvPlaces places = {force->items[i], force->items[i]->at};
        RbvSource source = rbv_reader_source(reader, &places);
        const char *text = NULL;
        if (rbv_read_expression(reader, force->items[i], RBV_DIM_ANY, "force", &text))
            rbv_insert_generalized_force(reader->model, i, text, &source);
        else
            wrong_equations(reader);
    }
}
