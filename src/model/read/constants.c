/* Parameters with their overrides, and tables from CSV files. */
#include "core/base/diagnostics.h"
#include "model/read/csv_line.h"
#include "model/read/files.h"
#include "model/read/overrides.h"
#include "model/read/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const char *name = dict->keys[k], *override = rbv_find_override(reader, name);
    *measured = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    *value = 0;
    if (override)
        rbv_read_override(reader, name, override, dict->items[k], value, measured);
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
        parameter->option = override ? rbv_override_option(reader, name) : NULL;
        parameter->computed = !override && is_expression(node->items[k]);
    }
    reader->model->defining = false;
    reader->model->later_count = 0;
    rbv_check_overrides(reader);
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

bool rbv_read_columns(RbvReader *reader, const char *file, RbvPosition at, const char *x, RbvPosition x_at,
                      const char *y, RbvPosition y_at, RbvDimension dimension, int32_t *count, double **xs, double **ys,
                      RbvColumnUnit units[2]) {
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
    int32_t cx = find_column(reader, csv, path, x, x_at), cy = find_column(reader, csv, path, y, y_at);
    bool good = cx >= 0 && cy >= 0 && column_unit(reader, path, &csv->columns[cx], dimension, &units[0]) &&
                column_unit(reader, path, &csv->columns[cy], dimension, &units[1]);
    if (good) {
        *xs = copy_column(reader, &csv->columns[cx], csv->row_count, units[0].unit.factor);
        *ys = copy_column(reader, &csv->columns[cy], csv->row_count, units[1].unit.factor);
        good = *xs && *ys;
        *count = good ? csv->row_count : 0;
    }
    rbv_csv_destroy(csv);
    return good;
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
    RbvTableDef def = rbv_table_def_default();
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
