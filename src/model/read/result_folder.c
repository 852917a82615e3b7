/* Reads the files of a run back into a result, as far as pictures need them: scene.json, series.csv with units and
 * verdicts, and result.json, whose text is kept. */
#define _POSIX_C_SOURCE 200809L
#include <roberval/scene.h>

#include "core/base/diagnostics.h"
#include "model/read/files.h"
#include "model/read/scene_json.h"
#include "model/read/sections.h"
#include "model/read/series_head.h"
#include "model/result/scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE ((RbvPosition){0, 0})

typedef struct Folder {
    const char *path;
    char *name; /* path of the current file, also for messages */
    RbvResult *result;
    RbvDiagnostics *diagnostics;
    double *factor; /* [columns] SI values of the units of the series */
    int32_t capacity, line;
} Folder;

static void set_name(Folder *f, const char *file) {
    snprintf(f->name, strlen(f->path) + 40, "%s/%s", f->path, file);
}

static RbvStatus wrong(const Folder *f, const char *what) {
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->name, (RbvPosition){f->line, f->line > 0 ? 1 : 0}, "%s", what);
    return RBV_BAD_INPUT;
}

/* Read a text file of the folder as a tree; the caller frees *text. */
static RbvStatus read_tree(Folder *f, const char *file, char **text, size_t *length, RbvNodeTree **tree) {
    *text = NULL;
    *tree = NULL;
    set_name(f, file);
    errno = 0;
    RbvStatus status = rbv_read_regular_file(f->name, RBV_TREE_MAX_BYTES, text, length);
    if (status != RBV_OK && errno == ENOENT)
        rbv_diagnose(f->diagnostics, RBV_ERROR, NULL, NOWHERE,
                     "there is no %s: a run of this version with --out %s writes it", f->name, f->path);
    else if (status == RBV_BAD_INPUT)
        wrong(f, errno ? strerror(errno) : "it is larger than 256 MiB, or no file");
    if (status != RBV_OK)
        return errno == ENOMEM ? RBV_NO_MEMORY : status;
    return rbv_read_tree(f->name, *text, *length, f->diagnostics, tree);
}

static RbvStatus read_scene(Folder *f) {
    char *text;
    size_t length;
    RbvNodeTree *tree;
    RbvStatus status = read_tree(f, "scene.json", &text, &length, &tree);
    if (status == RBV_OK)
        status = rbv_read_scene(rbv_node_tree_root(tree), f->name, f->diagnostics, f->result);
    rbv_node_tree_destroy(tree);
    free(text);
    return status;
}

static const char *keep(Folder *f, const char *text, size_t length) {
    return rbv_arena_copy(&f->result->arena, text, length);
}

static bool add_column(Folder *f, const char *cell, size_t length) {
    RbvResult *result = f->result;
    RbvSeriesHead head = rbv_series_head(cell, length);
    if (result->column_count == f->capacity) {
        int32_t capacity = 2 * f->capacity + 64;
        RbvColumn *columns = realloc(result->columns, (size_t)capacity * sizeof *columns);
        result->columns = columns ? columns : result->columns;
        double *factor = realloc(f->factor, (size_t)capacity * sizeof *factor);
        f->factor = factor ? factor : f->factor;
        if (!columns || !factor)
            return false;
        f->capacity = capacity;
    }
    char si[80] = "";
    bool known = head.unit_length > 0 && isfinite(head.is.factor);
    if (known && (head.is.factor < 1 || head.is.factor > 1))
        rbv_exponents_si(head.is.exponents, si, sizeof si);
    f->factor[result->column_count] = known ? head.is.factor : 1;
    RbvColumn *column = &result->columns[result->column_count];
    *column = (RbvColumn){.name = keep(f, cell, head.name),
                          .unit = *si ? keep(f, si, strlen(si)) : keep(f, cell + head.unit, head.unit_length),
                          .verdict = head.verdict,
                          .has_verdict = head.has_verdict};
    result->column_count += column->name && column->unit;
    return column->name && column->unit;
}

static RbvStatus read_header(Folder *f, const char *line) {
    for (const char *cell = line; cell; cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL)
        if (!add_column(f, cell, strcspn(cell, ",")))
            return RBV_NO_MEMORY;
    return rbv_result_name_columns(f->result) ? RBV_OK : RBV_NO_MEMORY;
}

/* Read a row of the series; an empty cell has no value. */
static RbvStatus read_row(Folder *f, const char *line) {
    RbvResult *result = f->result;
    int32_t count = result->sample_count;
    if (count >= result->capacity && !rbv_result_reserve(result, count + count / 2 + 64))
        return RBV_NO_MEMORY;
    double *row = rbv_result_next(result);
    for (int32_t k = 0; k < result->column_count; k++) {
        size_t length = strcspn(line, ",");
        row[k] = NAN;
        if (length > 0 && rbv_number_parse(line, &row[k]) != length)
            return wrong(f, "a cell of this row is no number");
        row[k] *= f->factor[k];
        line += length;
        if ((*line == ',') != (k + 1 < result->column_count))
            return wrong(f, "this row has not as many cells as the header");
        line += *line == ',';
    }
    rbv_result_commit(result);
    return RBV_OK;
}

static RbvStatus read_lines(Folder *f, FILE *file) {
    char *line = NULL;
    size_t size = 0;
    RbvStatus status = RBV_OK;
    f->line = 0;
    errno = 0;
    while (status == RBV_OK && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        f->line++;
        if (f->line == 1)
            status = read_header(f, line);
        else if (*line)
            status = read_row(f, line);
    }
    if (status == RBV_OK && errno == ENOMEM)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && ferror(file))
        status = wrong(f, strerror(errno));
    free(line);
    f->line = 0;
    return status;
}

/* Read series.csv; a run of one state, such as check, has none. */
static RbvStatus read_series(Folder *f, bool expected) {
    set_name(f, "series.csv");
    if (!expected)
        return RBV_OK;
    FILE *file = rbv_open_regular(f->name);
    if (!file)
        return errno == ENOMEM ? RBV_NO_MEMORY : wrong(f, errno ? strerror(errno) : "it is no regular file");
    RbvStatus status = read_lines(f, file);
    fclose(file);
    return status;
}

static void set_verdict(RbvResult *result, const char *owner, const char *part, const RbvNode *of) {
    char name[2 * RBV_NAME_SIZE];
    const RbvNode *verdict = rbv_node_child(of, "verdict");
    snprintf(name, sizeof name, *part ? "%s.%s" : "%s", owner, part);
    int32_t column = rbv_result_find(result, name);
    for (int k = RBV_FREE; column >= 0 && verdict && verdict->kind == RBV_NODE_SCALAR && k <= RBV_NOT_UNIQUE; k++)
        if (strcmp(verdict->text, rbv_verdict_name((RbvVerdict)k)) == 0) {
            result->columns[column].has_verdict = true;
            result->columns[column].verdict = (RbvVerdict)k;
        }
}

/* Take all verdicts from result.json; the header of the series has only those that are not unique. */
static void take_verdicts(RbvResult *result, const RbvNode *root) {
    static const char *const sections[] = {"drives", "constraints", "stops", "outputs"}, *const parts[] = {"effort",
                                                                                                           "effort",
                                                                                                           "force", ""};
    const RbvNode *reactions = rbv_node_child(root, "reactions");
    for (int32_t k = 0; reactions && reactions->kind == RBV_NODE_MAP && k < reactions->count; k++) {
        const RbvNode *components = rbv_node_child(reactions->items[k], "components");
        for (int32_t n = 0; components && components->kind == RBV_NODE_MAP && n < components->count; n++)
            set_verdict(result, reactions->keys[k], components->keys[n], components->items[n]);
    }
    for (int s = 0; s < 4; s++) {
        const RbvNode *map = rbv_node_child(root, sections[s]);
        for (int32_t k = 0; map && map->kind == RBV_NODE_MAP && k < map->count; k++)
            set_verdict(result, map->keys[k], parts[s], map->items[k]);
    }
}

static const char *string_of(Folder *f, const RbvNode *map, const char *key) {
    const RbvNode *node = rbv_node_child(map, key);
    return node && node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING
               ? keep(f, node->text, strlen(node->text))
               : "";
}

/* Read result.json and the series; result.json completes the verdicts of the series. */
static RbvStatus read_rest(Folder *f) {
    char *text;
    size_t length;
    RbvNodeTree *tree;
    RbvStatus status = read_tree(f, "result.json", &text, &length, &tree);
    const RbvNode *root = status == RBV_OK ? rbv_node_tree_root(tree) : NULL,
                  *series = root ? rbv_node_child(root, "series") : NULL;
    if (root && !rbv_node_child(root, "roberval"))
        status = wrong(f, "this is no result of this program");
    if (status == RBV_OK)
        status = read_series(f, series && series->kind == RBV_NODE_MAP);
    if (status == RBV_OK) {
        take_verdicts(f->result, root);
        f->result->json = keep(f, text, length);
        f->result->analysis = string_of(f, root, "analysis");
        f->result->frame = string_of(f, root, "frame");
        f->result->title = f->result->scene->shown.title;
        f->result->file = f->result->scene->shown.file;
        status = f->result->json && f->result->analysis && f->result->frame ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_node_tree_destroy(tree);
    free(text);
    return status;
}

/* Note the bodies whose poses --only has left out of the series. Roots along a parameter have no poses at all. */
static void report_what_stays(Folder *f) {
    const RbvScene *scene = rbv_result_scene(f->result);
    int32_t missing = 0;
    for (int32_t b = 1; b < scene->body_count; b++)
        missing += scene->bodies[b].column[0] < 0;
    if (missing == 0 || f->result->sample_count < 2 || strcmp(f->result->analysis, "modes") == 0)
        return;
    set_name(f, "series.csv");
    rbv_diagnose(f->diagnostics, RBV_NOTE, f->name, NOWHERE,
                 "has no poses of %d of %d bodies (--only): they are drawn where they begin", (int)missing,
                 (int)scene->body_count - 1);
}

RbvStatus rbv_result_read(const char *path, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!path || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    Folder f = {.path = path,
                .diagnostics = diagnostics,
                .name = malloc(strlen(path) + 40),
                .result = calloc(1, sizeof(RbvResult))};
    RbvStatus status = f.name && f.result ? read_scene(&f) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = read_rest(&f);
    if (status == RBV_OK)
        rbv_scene_find_columns(f.result);
    if (status == RBV_OK)
        report_what_stays(&f);
    if (status == RBV_OK)
        *result = f.result;
    else
        rbv_result_destroy(f.result);
    free(f.factor);
    free(f.name);
    return status;
}
