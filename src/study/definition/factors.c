/* Reads vary: how each parameter varies. */
#include "core/base/archive.h"
#include "core/base/tolerances.h"
#include "model/read/csv.h"
#include "model/read/fields.h"
#include "model/read/files.h"
#include "study/definition/reading.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TABLE (256u << 20) /* [bytes] of a table of parts */
#define MOST_STEPS 1e15         /* values of a range; a double still counts them */

static const char *const factor_keys[] = {"from",    "to",       "steps", "step", "log",    "normal",
                                          "uniform", "triangle", "file",  "with", "values", NULL};

/* One parameter while it is read. */
typedef struct Reading {
    RbvStudyReader *reader;
    RbvStudyParameter *parameter;
    RbvFactor *factor;
    bool wrong;       /* its values could not be read (reported) */
    const char *with; /* name of the parameter along with which it moves; NULL: none */
    RbvPosition with_at;
} Reading;

/* A number with its unit, as written. */
typedef struct Written {
    double number;
    RbvUnit unit;
    const char *unit_text; /* "": a number alone */
} Written;

/* Check a text against the parameter as --set would. False: reported. */
static bool check_text(Reading *r, const char *text, RbvPosition at) {
    double checked;
    if (!r->reader->model || r->parameter->number < 0)
        return false;
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status = rbv_parameter_read(r->reader->model, r->parameter->number, text, messages, &checked);
    if (status != RBV_OK && rbv_diagnostics_count(messages) > 0) {
        const char *why = strstr(rbv_diagnostics_at(messages, 0).message, text);
        rbv_study_error(r->reader, at, "%s = %s%s", r->parameter->name, text, why ? why + strlen(text) : "");
    }
    rbv_diagnostics_destroy(messages);
    return status == RBV_OK;
}

/* Take "80 mm" or "80[mm]" apart. A number alone is left to the caller. False: reported. */
static bool read_written(Reading *r, const RbvNode *node, Written *written) {
    char copy[128];
    const char *text = rbv_study_scalar(r->reader, node, r->parameter->name), *unit = "";
    size_t length = text ? strlen(text) : sizeof copy;
    *written = (Written){.unit = {.factor = 1}, .unit_text = ""};
    if (length >= sizeof copy)
        return text && check_text(r, text, node->at);
    memcpy(copy, text, length + 1);
    for (char *c = copy; *c; c++)
        *c = *c == '[' || *c == ']' ? ' ' : *c;
    while (length > 0 && copy[length - 1] == ' ')
        copy[--length] = '\0';
    RbvWritten form = rbv_written_as(copy, &written->number, &written->unit, &unit);
    if (form == RBV_WRITTEN_NUMBER) {
        written->unit.factor = 1;
        return r->reader->model && r->parameter->number >= 0;
    }
    written->unit_text = rbv_study_copy(r->reader, unit, strlen(unit));
    return check_text(r, text, node->at);
}

/* Numbers at nodes[count] in the unit of the last that has one, which becomes that of the parameter; numbers alone are
 * in it, too. False: reported. */
static bool read_values(Reading *r, const RbvNode *const *nodes, int32_t count, double *values) {
    RbvStudyParameter *parameter = r->parameter;
    Written *written = rbv_study_array(r->reader, (size_t)count, sizeof *written);
    bool good = written != NULL;
    for (int32_t k = 0; good && k < count; k++)
        good = read_written(r, nodes[k], &written[k]);
    for (int32_t k = count - 1; good && k >= 0 && !*parameter->unit; k--)
        if (*written[k].unit_text) {
            parameter->unit = written[k].unit_text;
            parameter->factor = written[k].unit.factor;
        }
    for (int32_t k = 0; good && k < count; k++) {
        double factor = written[k].unit.factor;
        values[k] = written[k].number;
        if (*written[k].unit_text && (factor < parameter->factor || factor > parameter->factor))
            values[k] = written[k].number * factor / parameter->factor;
        if (!*parameter->unit)
            good = check_text(r, nodes[k]->text, nodes[k]->at);
    }
    return good;
}

/* Numbers of a list of exactly `count` (0: any number) values, in the parameter's unit. NULL: reported. */
static const double *read_list(Reading *r, const RbvNode *list, const char *what, int32_t count) {
    if (list->kind != RBV_NODE_LIST || list->count == 0 || (count && list->count != count)) {
        if (count)
            rbv_study_error(r->reader, list->at, "%s wants a list of %d numbers", what, (int)count);
        else
            rbv_study_error(r->reader, list->at, "%s wants a list of numbers that is not empty", what);
        return NULL;
    }
    double *values = rbv_study_array(r->reader, (size_t)list->count, sizeof *values);
    return values && read_values(r, (const RbvNode *const *)list->items, list->count, values) ? values : NULL;
}

static void read_distribution(Reading *r, const RbvNode *map, const char *name, RbvFactorKind kind) {
    const RbvNode *node = rbv_node_child(map, name);
    const double *v = read_list(r, node, name, kind == RBV_FACTOR_TRIANGLE ? 3 : 2);
    RbvFactor *f = r->factor;
    if (!v)
        return;
    *f = (RbvFactor){.kind = kind, .lead = f->lead, .count = 1, .a = v[0], .b = v[1]};
    if (kind == RBV_FACTOR_TRIANGLE)
        f->c = v[2];
    if (kind == RBV_FACTOR_NORMAL && !(f->b >= 0))
        rbv_study_error(r->reader, node->at, "the standard deviation of %s is negative", r->parameter->name);
    else if (kind == RBV_FACTOR_UNIFORM && !(f->a < f->b))
        rbv_study_error(r->reader, node->at, "uniform of %s wants [least, largest]", r->parameter->name);
    else if (kind == RBV_FACTOR_TRIANGLE && !(f->a <= f->b && f->b <= f->c && f->a < f->c))
        rbv_study_error(r->reader, node->at, "triangle of %s wants [least, most likely, largest]", r->parameter->name);
}

/* Number of values of a range with a step, or with a number of steps. */
static void count_range(Reading *r, const RbvNode *map, const RbvNode *step) {
    RbvFactor *f = r->factor;
    f->count = 1;
    if (!step) {
        const RbvNode *steps = rbv_node_child(map, "steps");
        f->count = rbv_study_whole(r->reader, steps, "steps", 2, (int64_t)MOST_STEPS, steps ? 2 : 0);
        return;
    }
    if (!read_values(r, &step, 1, &f->step))
        return;
    double count = floor((f->b - f->a) / f->step * (1 + RBV_CANCELLED)) + 1;
    if (!(count >= 1 && count <= MOST_STEPS))
        rbv_study_error(r->reader, step->at, "the step of %s does not lead from `from` to `to`", r->parameter->name);
    else
        f->count = (int64_t)count;
}

static void read_range(Reading *r, const RbvNode *map) {
    const RbvNode *from = rbv_node_child(map, "from"), *to = rbv_node_child(map, "to"),
                  *step = rbv_node_child(map, "step"), *log = rbv_node_child(map, "log");
    RbvFactor *f = r->factor;
    double ends[2];
    if (!from || !to) {
        rbv_study_error(r->reader, map->at, "a range of %s wants from: and to:", r->parameter->name);
        return;
    }
    if (!read_values(r, (const RbvNode *const[]){from, to}, 2, ends))
        return;
    *f = (RbvFactor){.kind = RBV_FACTOR_RANGE, .lead = f->lead, .a = ends[0], .b = ends[1]};
    if (log && (log->kind != RBV_NODE_SCALAR || log->type != RBV_SCALAR_BOOL))
        rbv_study_error(r->reader, log->at, "log: is true or false");
    f->log = log && log->kind == RBV_NODE_SCALAR && log->type == RBV_SCALAR_BOOL && log->truth;
    if (f->log && !(f->a * f->b > 0))
        rbv_study_error(r->reader, map->at, "log: %s must be above 0 all the way", r->parameter->name);
    if (step && rbv_node_child(map, "steps"))
        rbv_study_error(r->reader, step->at, "%s has step: and steps:; one of them is enough", r->parameter->name);
    else if (step && f->log)
        rbv_study_error(r->reader, step->at, "log: goes with steps:, not with step:");
    count_range(r, map, step);
}

/* How many of the keys a map has. */
static int count_keys(const RbvNode *map, const char *const *keys) {
    int count = 0;
    for (; *keys; keys++)
        count += rbv_node_child(map, *keys) != NULL;
    return count;
}

static void read_factor(Reading *r, const RbvNode *node) {
    static const char *const forms[] = {"from", "normal", "uniform", "triangle", "values", NULL};
    char what[RBV_NAME_SIZE];
    snprintf(what, sizeof what, "vary: %s", r->parameter->name);
    r->factor->count = 1;
    if (node->kind == RBV_NODE_LIST) {
        r->factor->values = read_list(r, node, what, 0);
        r->wrong = !r->factor->values;
        r->factor->count = r->factor->values ? node->count : 1;
        return;
    }
    if (!rbv_study_map(r->reader, node, what, factor_keys))
        return;
    const RbvNode *with = rbv_node_child(node, "with");
    r->with = with ? rbv_study_scalar(r->reader, with, "with") : NULL;
    r->with_at = with ? with->at : node->at;
    if (count_keys(node, forms) != 1)
        rbv_study_error(r->reader, node->at,
                        "%s wants one of: a list, from: and to:, normal:, uniform:, triangle:, file:, or with: and "
                        "values:",
                        what);
    else if (rbv_node_child(node, "values")) {
        r->factor->values = read_list(r, rbv_node_child(node, "values"), "values", 0);
        r->wrong = !r->factor->values;
        r->factor->count = r->factor->values ? rbv_node_child(node, "values")->count : 1;
    } else if (rbv_node_child(node, "normal"))
        read_distribution(r, node, "normal", RBV_FACTOR_NORMAL);
    else if (rbv_node_child(node, "uniform"))
        read_distribution(r, node, "uniform", RBV_FACTOR_UNIFORM);
    else if (rbv_node_child(node, "triangle"))
        read_distribution(r, node, "triangle", RBV_FACTOR_TRIANGLE);
    else
        read_range(r, node);
}

/* ---- the list of all parameters ---- */

typedef struct List {
    RbvStudyParameter *parameters;
    RbvFactor *factors;
    Reading *readings;
    int32_t count, most;
} List;

/* A new parameter of the study. NULL: reported. */
static Reading *add_parameter(RbvStudyReader *reader, List *list, const char *file, const char *name, RbvPosition at) {
    int32_t number = rbv_study_find_parameter(reader, file, name, at);
    for (int32_t k = 0; k < list->count; k++)
        if (strcmp(list->parameters[k].name, name) == 0) {
            rbv_diagnose(reader->diagnostics, RBV_ERROR, file, at, "'%s' varies twice", name);
            return NULL;
        }
    if (list->count == list->most)
        return NULL;
    int32_t k = list->count++;
    list->parameters[k] = (RbvStudyParameter){.name = rbv_study_copy(reader, name, strlen(name)),
                                              .unit = "",
                                              .factor = 1,
                                              .number = number,
                                              .joint = -1,
                                              .at = at};
    list->factors[k] = (RbvFactor){.kind = RBV_FACTOR_LIST, .lead = k, .count = 1};
    list->readings[k] = (Reading){.reader = reader, .parameter = &list->parameters[k], .factor = &list->factors[k]};
    return &list->readings[k];
}

/* The file of {file: parts.csv}, its text counted in the study's fingerprint. NULL: reported. */
static RbvCsv *open_table(RbvStudyReader *reader, const RbvNode *node, const char **path) {
    const char *name = rbv_study_scalar(reader, node, "file");
    char *text = NULL;
    size_t length = 0;
    if (!name)
        return NULL;
    *path = rbv_study_beside(reader, name);
    if (name[0] == '/' || strstr(name, "..")) {
        rbv_study_error(reader, node->at, "'%s': a table lies in the folder of the study, or below it", name);
        return NULL;
    }
    RbvStatus status = rbv_read_regular_file(*path, MOST_TABLE, &text, &length);
    if (status != RBV_OK) {
        rbv_study_error(reader, node->at, "%s cannot be read: %s", *path,
                        errno ? strerror(errno) : "it is no regular file");
        return NULL;
    }
    reader->study->fingerprint = rbv_archive_sum(reader->study->fingerprint, text, length);
    RbvCsv *csv = rbv_csv_parse(*path, text, length, reader->diagnostics, &status);
    free(text);
    if (csv && csv->row_count == 0)
        rbv_study_error(reader, node->at, "%s has no rows", *path);
    if (csv && csv->row_count > 0)
        return csv;
    rbv_csv_destroy(csv);
    return NULL;
}

/* Column c of a table as a factor that moves along with the first column's. */
static void read_column(RbvStudyReader *reader, List *list, const RbvCsv *csv, int32_t c, const char *path,
                        int32_t lead) {
    const RbvCsvColumn *column = &csv->columns[c];
    Reading *r = add_parameter(reader, list, path, column->name, column->at);
    char text[RBV_NAME_SIZE];
    double ignored;
    if (!r)
        return;
    double *values = rbv_study_array(reader, (size_t)csv->row_count, sizeof *values);
    if (!values || r->parameter->number < 0)
        return;
    memcpy(values, column->values, (size_t)csv->row_count * sizeof *values);
    RbvFactor *f = r->factor;
    *f = (RbvFactor){.kind = RBV_FACTOR_LIST, .lead = lead, .count = csv->row_count, .values = values};
    snprintf(text, sizeof text, *column->unit ? "1 %s" : "1%s", column->unit);
    RbvDiagnostics *messages = rbv_diagnostics_create();
    if (rbv_parameter_read(reader->model, r->parameter->number, text, messages, &ignored) != RBV_OK) {
        const char *why = strstr(rbv_diagnostics_at(messages, 0).message, text);
        rbv_diagnose(reader->diagnostics, RBV_ERROR, path, column->at, "column '%s'%s", column->name,
                     why ? why + strlen(text) : "");
    }
    rbv_diagnostics_destroy(messages);
    RbvUnit unit;
    const char *unit_text = "";
    double one;
    if (*column->unit && rbv_written_as(text, &one, &unit, &unit_text) == RBV_WRITTEN_QUANTITY) {
        r->parameter->unit = rbv_study_copy(reader, column->unit, strlen(column->unit));
        r->parameter->factor = unit.factor;
    }
}

static void read_table(RbvStudyReader *reader, List *list, const RbvNode *vary, int32_t k) {
    static const char *const keys[] = {"file", NULL};
    const RbvNode *node = vary->items[k];
    const char *path = "", *name = vary->keys[k];
    if (!rbv_study_map(reader, node, "a table of parts", keys))
        return;
    RbvCsv *csv = open_table(reader, rbv_node_child(node, "file"), &path);
    if (!csv)
        return;
    int32_t lead = list->count;
    bool named = false, parameter = false;
    for (int32_t c = 0; c < csv->column_count; c++) {
        named = named || strcmp(csv->columns[c].name, name) == 0;
        read_column(reader, list, csv, c, path, lead);
    }
    for (int32_t n = 0; reader->model && n < reader->model->parameters.count; n++)
        parameter = parameter || strcmp(reader->model->parameters.items[n].name, name) == 0;
    if (parameter && !named)
        rbv_study_error(reader, vary->key_at[k], "%s has no column '%s'", path, name);
    rbv_csv_destroy(csv);
}

/* Number of columns of a table, for the size of the list; its mistakes are reported when it is read. */
static int32_t count_columns(RbvStudyReader *reader, const RbvNode *node) {
    uint64_t before = reader->study->fingerprint;
    RbvDiagnostics *kept = reader->diagnostics;
    const char *path;
    reader->diagnostics = NULL;
    RbvCsv *csv = open_table(reader, rbv_node_child(node, "file"), &path);
    reader->diagnostics = kept;
    reader->study->fingerprint = before;
    int32_t count = csv ? csv->column_count : 1;
    rbv_csv_destroy(csv);
    return count;
}

static bool is_table(const RbvNode *node) {
    return node->kind == RBV_NODE_MAP && rbv_node_child(node, "file") != NULL;
}

/* Let each parameter with `with:` move along with its leader. */
static void join_leads(RbvStudyReader *reader, List *list) {
    for (int32_t k = 0; k < list->count; k++) {
        const Reading *r = &list->readings[k];
        int32_t lead = -1;
        for (int32_t n = 0; r->with && n < list->count; n++)
            if (strcmp(list->parameters[n].name, r->with) == 0)
                lead = n;
        if (!r->with)
            continue;
        if (lead < 0 || lead == k || list->readings[lead].with) {
            rbv_study_error(reader, r->with_at, "with: %s: it is no other parameter that varies by itself", r->with);
            continue;
        }
        RbvFactor *f = &list->factors[k];
        f->lead = list->factors[lead].lead;
        if (f->kind == RBV_FACTOR_RANGE && f->count == 0)
            f->count = list->factors[lead].count;
        bool known = !r->wrong && !list->readings[lead].wrong && list->factors[lead].count > 0;
        if (known && !rbv_factor_is_random(f) && !rbv_factor_is_random(&list->factors[lead]) &&
            f->count != list->factors[lead].count)
            rbv_study_error(reader, r->with_at, "'%s' has %lld values, '%s' has %lld: they cannot move together",
                            r->parameter->name, (long long)f->count, r->with, (long long)list->factors[lead].count);
    }
}

void rbv_study_read_vary(RbvStudyReader *reader, const RbvNode *vary) {
    RbvStudy *study = reader->study;
    List list = {0};
    if (vary->kind != RBV_NODE_MAP || vary->count == 0) {
        rbv_study_error(reader, vary->at, "vary: must be a map of parameters, such as {n: [60 rpm, 90 rpm]}");
        return;
    }
    for (int32_t k = 0; k < vary->count; k++)
        list.most += is_table(vary->items[k]) ? count_columns(reader, vary->items[k]) : 1;
    list.parameters = rbv_study_array(reader, (size_t)list.most, sizeof *list.parameters);
    list.factors = rbv_study_array(reader, (size_t)list.most, sizeof *list.factors);
    list.readings = rbv_study_array(reader, (size_t)list.most, sizeof *list.readings);
    if (!list.parameters || !list.factors || !list.readings)
        return;
    for (int32_t k = 0; k < vary->count; k++) {
        if (is_table(vary->items[k])) {
            read_table(reader, &list, vary, k);
            continue;
        }
        Reading *r = add_parameter(reader, &list, study->file, vary->keys[k], vary->key_at[k]);
        if (r)
            read_factor(r, vary->items[k]);
    }
    join_leads(reader, &list);
    study->parameters = list.parameters;
    study->parameter_count = study->design.factor_count = list.count;
    study->design.factors = list.factors;
}
