/* Parameters with their overrides, and tables from CSV files. */
#include "core/base/diagnostics.h"
#include "model/read/csv.h"
#include "model/read/fields.h"
#include "model/read/files.h"
#include "model/read/sections.h"

#include <roberval/input.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of parameters given by the call instead of the file: --set name=value, --follow name=a..b. */

/* Text behind "name =", with or without blanks; NULL: the item sets another name. */
static const char *override_value(const char *item, const char *name) {
    size_t length = strlen(name);
    item += strspn(item, " \t");
    if (strncmp(item, name, length) != 0)
        return NULL;
    item += length;
    item += strspn(item, " \t");
    return *item == '=' ? item + 1 + strspn(item + 1, " \t") : NULL;
}

/* Text of the last override of a parameter, or NULL; all overrides of this parameter are marked as used. */
static const char *find_override(RbvReader *reader, const char *name) {
    const char *found = NULL;
    for (int32_t k = 0; k < reader->call.overrides.count; k++) {
        const char *value = override_value(reader->call.overrides.items[k], name);
        if (!value)
            continue;
        found = value;
        reader->override_used[k] = true;
    }
    return found;
}

/* The option that gave the override of a parameter: overrides of the input, or, for the last override,
 * reader->call.overrides.option. */
static const char *override_option(const RbvReader *reader, const char *name) {
    const char *last = reader->call.overrides.items[reader->call.overrides.count - 1];
    return strcmp(last, name) == 0 || override_value(last, name) ? reader->call.overrides.option : RBV_OPTION_OVERRIDES;
}

/* Dimension of the value in the file; its errors are not reported, and its uses of other parameters are not recorded.
 */
static RbvExprDimension own_dimension(RbvReader *reader, const RbvNode *node, const char *name) {
    RbvExprDimension measured = {.bond = RBV_EXPR_BARE};
    RbvReader silent = *reader;
    double ignored;
    bool broken = reader->model->broken;
    int32_t uses = reader->model->uses.count;
    silent.diagnostics = NULL;
    rbv_read_constant(&silent, node, RBV_DIM_ANY, name, &ignored, &measured);
    reader->no_memory = silent.no_memory;
    reader->model->broken = broken;
    reader->model->uses.count = uses;
    return measured;
}

/* Copy "3[mm]" alone into copy[size] as the quantity "3 mm"; other texts are returned unchanged. */
static const char *as_quantity(const char *text, char *copy, size_t size) {
    const char *bracket = strchr(text, '['), *end = bracket ? strchr(bracket, ']') : NULL;
    double number;
    RbvUnit unit;
    const char *unit_text;
    if (!end || end[1] != '\0' || (size_t)(end - text) >= size)
        return text;
    snprintf(copy, size, "%.*s %.*s", (int)(bracket - text), text, (int)(end - bracket) - 1, bracket + 1);
    return rbv_written_as(copy, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY ? copy : text;
}

static void lacks_unit(RbvReader *reader, const char *option, const char *name, const char *text, const RbvNode *node,
                       RbvWritten written) {
    if (written == RBV_WRITTEN_EXPRESSION)
        rbv_reader_error(reader, RBV_NOWHERE,
                         "%s %s=%s has no unit, but the model gives '%s' as %s; write units in brackets: 2[UNIT]*3",
                         option, name, text, name, node->text);
    else if (strcmp(option, RBV_OPTION_OVERRIDES) == 0)
        rbv_reader_error(reader, RBV_NOWHERE,
                         RBV_OPTION_OVERRIDES
                         " %s=%s has no unit, but the model gives '%s' as %s; write " RBV_OPTION_OVERRIDES
                         " '%s=%s UNIT'",
                         name, text, name, node->text, name, text);
    else
        rbv_reader_error(reader, RBV_NOWHERE,
                         "%s %s has no unit, but the model gives '%s' as %s; write %s '%s=a..b UNIT'", option, name,
                         name, node->text, option, name);
}

/* True if the dimension of the new value fits that of the parameter in the file. For two quantities the rules of a key
 * of that dimension apply: rad fits 1, J alone is no torque, 1/s is a frequency. An expression need not tell torque
 * from energy. */
static bool agree(RbvExprDimension fresh, RbvExprDimension own, bool quantities) {
    if (fresh.bond < RBV_EXPR_KNOWN || own.bond < RBV_EXPR_KNOWN)
        return true;
    RbvDimension named = rbv_exponents_named(own.exponents);
    return quantities && named != RBV_DIM_ANY ? rbv_exponents_suit(fresh.exponents, named)
                                              : rbv_exponents_fit(fresh.exponents, own.exponents);
}

/* Read the override `text` instead of the file's value (`node`): it must have the same dimension, and a unit if the
 * file has one, unless it is 0. */
static void read_override(RbvReader *reader, const char *name, const char *text, const RbvNode *node, double *value,
                          RbvExprDimension *measured) {
    const char *option = override_option(reader, name), *unit_text;
    char copy[128];
    double number = 0;
    RbvUnit unit;
    if (!*text) {
        rbv_reader_error(reader, RBV_NOWHERE, "%s %s= has no value", option, name);
        return;
    }
    RbvExprDimension own = own_dimension(reader, node, name);
    RbvNode typed = {.kind = RBV_NODE_SCALAR, .type = RBV_SCALAR_STRING, .text = as_quantity(text, copy, sizeof copy)};
    RbvWritten written = rbv_written_as(typed.text, &number, &unit, &unit_text), own_written = RBV_WRITTEN_EXPRESSION;
    if (node->kind == RBV_NODE_SCALAR && node->text)
        own_written = rbv_written_as(node->text, &number, &unit, &unit_text);
    if (!rbv_read_constant(reader, &typed, RBV_DIM_ANY, name, value, measured))
        return;
    bool has_unit = measured->bond >= RBV_EXPR_KNOWN || (written == RBV_WRITTEN_EXPRESSION && strchr(text, '[')),
         zero = written == RBV_WRITTEN_NUMBER && *value == 0;
    bool wants_unit = own.bond == RBV_EXPR_DECLARED && rbv_exponents_named(own.exponents) != RBV_DIM_NONE;
    if (wants_unit && !has_unit && !zero) {
        lacks_unit(reader, option, name, text, node, written);
    } else if (!agree(*measured, own, written == RBV_WRITTEN_QUANTITY && own_written == RBV_WRITTEN_QUANTITY)) {
        char is[RBV_DIMENSION_SIZE], expected[RBV_DIMENSION_SIZE];
        rbv_exponents_words(measured->exponents, is, sizeof is);
        rbv_exponents_words(own.exponents, expected, sizeof expected);
        rbv_reader_error(reader, RBV_NOWHERE, "%s %s=%s: %s is of another dimension than the model's %s, %s", option,
                         name, text, is, node->text, expected);
    }
    if (wants_unit) /* also after a reported error, and for a bare 0 */
        *measured = own;
}

/* Does the text fit the parameter? The number is in *value. False: `why` says what is wrong. */
static bool fits_parameter(const RbvParameter *parameter, const char *text, double *value, char *why, size_t size) {
    char copy[128], is[RBV_DIMENSION_SIZE], own[RBV_DIMENSION_SIZE];
    RbvUnit unit = {0};
    const char *rest = "";
    RbvWritten written = rbv_written_as(as_quantity(text, copy, sizeof copy), value, &unit, &rest);
    bool declared = parameter->dimension.bond == RBV_EXPR_DECLARED, quantity = written == RBV_WRITTEN_QUANTITY;
    RbvDimension named = declared ? rbv_exponents_named(parameter->dimension.exponents) : RBV_DIM_NONE;
    *value *= quantity ? unit.factor : 1;
    rbv_exponents_words(unit.exponents, is, sizeof is);
    rbv_exponents_words(parameter->dimension.exponents, own, sizeof own);
    const char *near = written == RBV_WRITTEN_BAD_UNIT ? rbv_unit_nearest(rest, strlen(rest)) : NULL;
    if (near)
        snprintf(why, size, "'%s' is no unit; did you mean '%s'?", rest, near);
    else if (written == RBV_WRITTEN_BAD_UNIT)
        snprintf(why, size, "'%s' is no unit", rest);
    else if (written == RBV_WRITTEN_EXPRESSION || !isfinite(*value))
        snprintf(why, size, "it is no number, and no number with a unit");
    else if (quantity && !declared)
        snprintf(why, size, "it has a unit, but the model gives '%s' none; give a number alone", parameter->name);
    else if (!quantity && named != RBV_DIM_NONE && *value != 0)
        snprintf(why, size, "it has no unit; '%s' is %s", parameter->name, own);
    else if (quantity &&
             !agree((RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents}, parameter->dimension, !parameter->computed))
        snprintf(why, size, "%s is of another dimension than '%s', %s", is, parameter->name, own);
    else
        return true;
    return false;
}

RbvStatus rbv_parameter_read(const RbvModel *model, int32_t parameter, const char *text, RbvDiagnostics *diagnostics,
                             double *value) {
    if (!model || !text || !value || parameter < 0 || parameter >= model->parameters.count)
        return RBV_BAD_ARGUMENT;
    char why[2 * RBV_DIMENSION_SIZE + 200];
    double number = 0;
    const RbvParameter *of = &model->parameters.items[parameter];
    if (!fits_parameter(of, text, &number, why, sizeof why)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, RBV_NOWHERE, RBV_OPTION_OVERRIDES " %s=%s: %s", of->name,
                     text, why);
        return RBV_BAD_INPUT;
    }
    *value = number;
    return RBV_OK;
}

/* Report an error for each override of a parameter that the model does not have. */
static void check_override_names(RbvReader *reader) {
    for (int32_t k = 0; k < reader->call.overrides.count; k++) {
        if (reader->override_used[k])
            continue;
        char names[400] = "";
        size_t used = 0;
        for (int32_t n = 0; n < reader->model->parameters.count; n++) {
            int w = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                             reader->model->parameters.items[n].name);
            used = w > 0 && used + (size_t)w < sizeof names ? used + (size_t)w : sizeof names - 1;
        }
        rbv_reader_error(reader, RBV_NOWHERE, RBV_OPTION_OVERRIDES " %s: the model has no such parameter; %s%s",
                         reader->call.overrides.items[k], names[0] ? "it has: " : "it has none", names);
    }
}

static bool is_input(const RbvReader *reader, const char *name) {
    for (int32_t k = 0; k < reader->call.input_count; k++)
        if (strcmp(reader->call.inputs[k], name) == 0)
            return true;
    return false;
}

static const char *parameter_candidate(const void *context, int32_t k) {
    return ((const RbvModel *)context)->parameters.items[k].name;
}

/* Report an error for each input that is no parameter of the model. */
static void check_input_names(RbvReader *reader) {
    const RbvModel *model = reader->model;
    for (int32_t k = 0; k < reader->call.input_count; k++) {
        const char *name = reader->call.inputs[k];
        int32_t constant = rbv_name_table_find(&model->constants, name);
        if (constant >= 0 && constant % 2 == 0)
            continue;
        const char *near = rbv_name_nearest(name, model->parameters.count, parameter_candidate, model);
        rbv_reader_error(reader, RBV_NOWHERE,
                         near ? RBV_OPTION_INPUTS " %s: the model has no such parameter; did you mean '%s'?"
                              : RBV_OPTION_INPUTS " %s: the model has no such parameter",
                         name, near);
    }
}

static const char *dimension_candidate(const void *context, int32_t k) {
    (void)context;
    return k == RBV_DIM_NONE ? "" : rbv_dimension_key((RbvDimension)k);
}

const char *rbv_nearest_dimension(const char *name) {
    const char *near = rbv_name_nearest(name, RBV_DIM_COUNT, dimension_candidate, NULL);
    return near && *near ? near : NULL;
}

static bool is_expression(const RbvNode *node) {
    double number;
    RbvUnit unit;
    const char *unit_text;
    return node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING &&
           rbv_written_as(node->text, &number, &unit, &unit_text) == RBV_WRITTEN_EXPRESSION;
}

static bool has_unit(const RbvNode *node) {
    double number;
    RbvUnit unit;
    const char *unit_text;
    return node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING &&
           rbv_written_as(node->text, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY;
}

bool rbv_read_value(RbvReader *reader, const RbvNode *dict, int32_t k, double *value, RbvExprDimension *measured) {
    const char *name = dict->keys[k], *override = find_override(reader, name);
    *measured = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    *value = 0;
    if (override)
        read_override(reader, name, override, dict->items[k], value, measured);
    else
        rbv_read_constant(reader, dict->items[k], RBV_DIM_ANY, name, value, measured);
    return override != NULL;
}

void rbv_read_parameters(RbvReader *reader, const RbvFields *top) {
    const RbvNode *node = rbv_fields_node(top, "parameters");
    if (node && node->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, node->at, "parameters must be a map of names to values: {n: 60 rpm}");
        node = NULL;
    }
    reader->model->defining = true;
    for (int32_t k = 0; node && k < node->count; k++) {
        const char *name = node->keys[k];
        RbvPlaces places = {node->items[k], node->key_at[k]};
        RbvSource source = rbv_reader_source(reader, &places);
        RbvExprDimension measured;
        double value;
        reader->model->later = node->keys + k;
        reader->model->later_count = node->count - k;
        bool override = rbv_read_value(reader, node, k, &value, &measured);
        if (rbv_insert_parameter(reader->model, name, value, measured, &source) != RBV_OK)
            continue;
        RbvParameter *parameter = &reader->model->parameters.items[reader->model->parameters.count - 1];
        parameter->option = override ? override_option(reader, name) : NULL;
        parameter->computed = !override && is_expression(node->items[k]);
        if (is_input(reader, name))
            rbv_insert_input(reader->model, reader->model->parameters.count - 1, &source);
    }
    reader->model->defining = false;
    reader->model->later_count = 0;
    check_override_names(reader);
    check_input_names(reader);
}

static const char *column_candidate(const void *context, int32_t k) {
    return ((const RbvCsv *)context)->columns[k].name;
}

static int32_t find_column(RbvReader *reader, const RbvCsv *csv, const char *path, const char *name, RbvPosition at) {
    for (int32_t k = 0; k < csv->column_count; k++)
        if (strcmp(csv->columns[k].name, name) == 0)
            return k;
    const char *near = rbv_name_nearest(name, csv->column_count, column_candidate, csv);
    const char *bracket = strchr(name, '[');
    size_t length = bracket ? (size_t)(bracket - name) : 0;
    while (length > 0 && name[length - 1] == ' ')
        length--;
    for (int32_t k = 0; k < csv->column_count && length > 0; k++)
        if (strlen(csv->columns[k].name) == length && strncmp(csv->columns[k].name, name, length) == 0) {
            rbv_reader_error(reader, at,
                             "a column is named without its unit, which stands in the file: '%.*s', not '%s'",
                             (int)length, name, name);
            return -1;
        }
    rbv_reader_error(reader, at, near ? "%s has no column '%s'; did you mean '%s'?" : "%s has no column '%s'", path,
                     name, near);
    return -1;
}

static bool column_unit(RbvReader *reader, const char *path, const RbvCsvColumn *column, RbvDimension dimension,
                        RbvColumnUnit *unit) {
    RbvCsvLine line = {.file = path, .diagnostics = reader->diagnostics};
    *unit = (RbvColumnUnit){.unit = {.factor = 1}, .given = *column->unit != '\0'};
    bool good = !unit->given || rbv_csv_unit(&line, column, dimension, &unit->unit);
    reader->model->broken = reader->model->broken || !good;
    return good;
}

static double *copy_column(RbvReader *reader, const RbvCsvColumn *column, int32_t count, double factor) {
    double *values = rbv_arena_alloc(&reader->arena, ((size_t)count + 1) * sizeof *values);
    reader->no_memory = reader->no_memory || !values;
    for (int32_t k = 0; values && k < count; k++)
        values[k] = column->values[k] * factor;
    return values;
}

bool rbv_read_csv_columns(RbvReader *reader, const char *file, RbvPosition at, RbvReadColumn *columns, int32_t count,
                          int32_t *rows) {
    const char *path;
    char *text;
    size_t length;
    RbvStatus status;
    if (!rbv_read_named_file(reader, file, at, RBV_TREE_MAX_BYTES, &path, &text, &length))
        return false;
    RbvCsv *csv = rbv_csv_parse(path, text, length, reader->diagnostics, &status);
    free(text);
    if (!csv) {
        reader->no_memory = reader->no_memory || status == RBV_NO_MEMORY;
        reader->model->broken = true;
        return false;
    }
    bool good = true;
    for (int32_t k = 0; k < count; k++) {
        RbvReadColumn *column = &columns[k];
        int32_t c = column->optional ? -1 : find_column(reader, csv, path, column->name, column->at);
        for (int32_t n = 0; column->optional && n < csv->column_count; n++)
            c = strcmp(csv->columns[n].name, column->name) == 0 ? n : c;
        if (c < 0) {
            good = good && column->optional;
            continue;
        }
        good = column_unit(reader, path, &csv->columns[c], column->dimension, &column->unit) && good;
        column->values = good ? copy_column(reader, &csv->columns[c], csv->row_count, column->unit.unit.factor) : NULL;
        good = good && column->values;
    }
    *rows = good ? csv->row_count : 0;
    rbv_csv_destroy(csv);
    return good;
}

bool rbv_read_columns(RbvReader *reader, const char *file, RbvPosition at, const char *x, RbvPosition x_at,
                      const char *y, RbvPosition y_at, RbvDimension dimension, int32_t *count, double **xs, double **ys,
                      RbvColumnUnit units[2]) {
    RbvReadColumn columns[2] = {{.name = x, .at = x_at, .dimension = dimension},
                                {.name = y, .at = y_at, .dimension = dimension}};
    if (!rbv_read_csv_columns(reader, file, at, columns, 2, count))
        return false;
    *xs = columns[0].values;
    *ys = columns[1].values;
    units[0] = columns[0].unit;
    units[1] = columns[1].unit;
    return true;
}

static RbvPosition place_of(const RbvFields *fields, const char *key) {
    const RbvNode *node = rbv_fields_node(fields, key);
    return node ? node->at : fields->at;
}

/* Read `smooth` as cycles per SI unit of x: Hz requires x to be a time; a plain number is per unit of the header. */
static bool read_smooth(const RbvFields *fields, const RbvUnit *x_unit, double *smooth) {
    RbvReader *reader = fields->reader;
    const RbvNode *node = rbv_fields_node(fields, "smooth");
    if (!node)
        return true;
    if (node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_NUMBER) {
        *smooth = node->number / x_unit->factor;
        return true;
    }
    bool time = rbv_unit_measures(x_unit, RBV_DIM_TIME);
    if (has_unit(node) && !time) {
        rbv_reader_error(reader, node->at,
                         "smooth in Hz needs a table of time; for this x give a plain number, cycles per unit of x");
        return false;
    }
    return rbv_read_quantity(reader, node, RBV_DIM_FREQUENCY, "smooth", smooth);
}

static RbvExprDimension measured_by(const RbvColumnUnit *column) {
    return (RbvExprDimension){column->given ? RBV_EXPR_DECLARED : RBV_EXPR_BARE, column->unit.exponents};
}

void rbv_read_table(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    RbvTableDef def = rbv_table_def_default;
    def.name = dict->keys[k];
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "table", NULL))
        return;
    const char *file = NULL, *x = NULL, *y = NULL;
    int outside = 0;
    double *xs = NULL, *ys = NULL;
    RbvColumnUnit units[2] = {{.given = false}};
    rbv_fields_text(&fields, "file", &file);
    rbv_fields_text(&fields, "x", &x);
    rbv_fields_text(&fields, "y", &y);
    rbv_fields_bool(&fields, "periodic", &def.periodic);
    rbv_fields_choice(&fields, "outside", &outside);
    def.hold = outside == 1;
    if (file && x && y &&
        rbv_read_columns(reader, file, place_of(&fields, "file"), x, place_of(&fields, "x"), y, place_of(&fields, "y"),
                         RBV_DIM_ANY, &def.count, &xs, &ys, units) &&
        read_smooth(&fields, &units[0].unit, &def.smooth)) {
        def.x = xs;
        def.y = ys;
        rbv_insert_table(reader->model, &def, measured_by(&units[0]), measured_by(&units[1]), &source);
        return;
    }
    /* a straight line stands for the table: its name stays known, so that uses of it are not reported as errors too */
    static const double line[2] = {0, 1};
    def.count = 2;
    def.x = def.y = line;
    def.periodic = false;
    def.smooth = 0;
    units[0].given = units[1].given = false;
    rbv_insert_table(reader->model, &def, measured_by(&units[0]), measured_by(&units[1]), &source);
    reader->model->broken = true;
}
