/* Reads study.json of a finished study: names, units, limits, extremes and the axes of a grid. */
#include "study/files/report.h"

#include "model/read/files.h"
#include "model/read/sections.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More are not written by this program. */
#define MOST_VARIANTS 9e15

typedef struct StudyReader {
    RbvReportStudy *of;
    const char *file;
    bool wrong, no_memory;
} StudyReader;

/* Report, once, that a member is not as this program writes it. */
static void damaged(StudyReader *r, const RbvNode *node, const char *what) {
    if (!r->wrong)
        rbv_diagnose(r->of->diagnostics, RBV_ERROR, r->file, node ? node->at : (RbvPosition){0, 0},
                     "this is no study of this program: '%s' is missing or damaged", what);
    r->wrong = true;
}

static const RbvNode *map_of(StudyReader *r, const RbvNode *of, const char *key) {
    const RbvNode *node = rbv_node_child(of, key);
    if (node && node->kind == RBV_NODE_MAP)
        return node;
    damaged(r, node ? node : of, key);
    return NULL;
}

static const char *string_of(StudyReader *r, const RbvNode *of, const char *key) {
    const RbvNode *node = rbv_node_child(of, key);
    if (node && node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING)
        return node->text;
    damaged(r, node ? node : of, key);
    return "";
}

static double number_of(StudyReader *r, const RbvNode *of, const char *key) {
    const RbvNode *node = rbv_node_child(of, key);
    if (node && node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_NUMBER && isfinite(node->number))
        return node->number;
    damaged(r, node ? node : of, key);
    return 0;
}

/* A whole number from `least` on. */
static int64_t count_of(StudyReader *r, const RbvNode *of, const char *key, double least) {
    double value = number_of(r, of, key);
    if (value >= least && value <= MOST_VARIANTS && value == floor(value))
        return (int64_t)value;
    damaged(r, rbv_node_child(of, key), key);
    return 0;
}

static void *array_of(StudyReader *r, int64_t count, size_t size) {
    void *block = rbv_arena_array(&r->of->arena, (size_t)count + 1, size);
    r->no_memory = r->no_memory || !block;
    return block;
}

/* The parameters, and the axes of a grid. Studies of before this version have none. */
static void read_vary(StudyReader *r, const RbvNode *definition) {
    RbvReportStudy *of = r->of;
    const RbvNode *vary = map_of(r, definition, "vary");
    int32_t count = vary ? vary->count : 0;
    of->study.parameters = array_of(r, count, sizeof *of->study.parameters);
    of->levels = array_of(r, count, sizeof *of->levels);
    if (r->no_memory)
        return;
    of->study.parameter_count = count;
    for (int32_t k = 0; k < count && !r->wrong; k++) {
        const RbvNode *node = vary->items[k];
        of->study.parameters[k].name = vary->keys[k];
        of->study.parameters[k].unit = string_of(r, node, "unit");
        if (!rbv_node_child(node, "axis"))
            continue;
        int64_t axis = count_of(r, node, "axis", 0), values = count_of(r, node, "values", 1);
        if (axis > of->axes || (axis < of->axes && of->levels[axis] != values)) {
            damaged(r, node, "axis");
            return;
        }
        of->levels[axis] = values;
        of->axes += axis == of->axes;
    }
}

static void read_limit(StudyReader *r, const RbvNode *node, RbvStudyQuantity *quantity) {
    const char *text = string_of(r, node, "text");
    bool less = text[0] == '<', equal = text[0] && text[1] == '=';
    if (!less && text[0] != '>') {
        damaged(r, node, "text");
        return;
    }
    quantity->limit = less ? RBV_LIMIT_LESS : RBV_LIMIT_GREATER;
    quantity->limit = (RbvLimitKind)(quantity->limit + equal);
    quantity->limit_text = text;
    quantity->bound = number_of(r, node, "value");
}

static RbvExtreme read_extreme(StudyReader *r, const RbvNode *quantity, const char *key) {
    const RbvNode *node = map_of(r, quantity, key);
    return (RbvExtreme){number_of(r, node, "value"), count_of(r, node, "variant", 1)};
}

static void read_quantities(StudyReader *r, const RbvNode *root) {
    RbvReportStudy *of = r->of;
    const RbvNode *map = map_of(r, root, "quantities");
    int32_t count = map ? map->count : 0;
    of->study.quantities = array_of(r, count, sizeof *of->study.quantities);
    of->least = array_of(r, count, sizeof *of->least);
    of->largest = array_of(r, count, sizeof *of->largest);
    if (r->no_memory)
        return;
    of->study.quantity_count = count;
    for (int32_t k = 0; k < count && !r->wrong; k++) {
        const RbvNode *node = map->items[k], *limit = rbv_node_child(node, "limit");
        RbvStudyQuantity *quantity = &of->study.quantities[k];
        quantity->name = map->keys[k];
        quantity->unit = string_of(r, node, "unit");
        if (limit)
            read_limit(r, limit, quantity);
        if (count_of(r, node, "count", 0) > 0) {
            of->least[k] = read_extreme(r, node, "least");
            of->largest[k] = read_extreme(r, node, "largest");
        }
    }
}

/* Is the product of the axes the number of variants? */
static bool is_whole_grid(const RbvReportStudy *of) {
    double product = 1;
    for (int32_t k = 0; k < of->axes; k++)
        product *= (double)of->levels[k];
    return product == (double)of->study.design.count;
}

static RbvStatus read_members(StudyReader *r) {
    RbvReportStudy *of = r->of;
    const RbvNode *root = rbv_node_tree_root(of->tree), *definition = map_of(r, root, "study");
    if (definition)
        read_vary(r, definition);
    read_quantities(r, root);
    of->study.design.count = count_of(r, root, "variants", 1);
    of->done = count_of(r, root, "done", 0);
    map_of(r, root, "failed");
    if (!r->wrong && of->axes > 0 && !is_whole_grid(of))
        damaged(r, definition, "vary");
    if (r->no_memory)
        return RBV_NO_MEMORY;
    return r->wrong ? RBV_BAD_INPUT : RBV_OK;
}

RbvStatus rbv_report_study_read(const char *path, RbvDiagnostics *diagnostics, RbvReportStudy *of) {
    RbvText name = {0};
    size_t length = 0;
    *of = (RbvReportStudy){.path = path, .diagnostics = diagnostics};
    rbv_text_format(&name, "%s/study.json", path);
    if (name.no_memory)
        return RBV_NO_MEMORY;
    errno = 0;
    RbvStatus status = rbv_read_regular_file(name.data, RBV_TREE_MAX_BYTES, &of->text, &length);
    if (status == RBV_BAD_INPUT && errno == ENOENT)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "there is no %s: a study writes it when all variants have a row", name.data);
    else if (status == RBV_BAD_INPUT)
        rbv_diagnose(diagnostics, RBV_ERROR, name.data, (RbvPosition){0, 0}, "%s",
                     errno ? strerror(errno) : "it is larger than 256 MiB, or no file");
    if (status != RBV_OK)
        status = errno == ENOMEM ? RBV_NO_MEMORY : status;
    else
        status = rbv_read_tree(name.data, of->text, length, diagnostics, &of->tree);
    if (status == RBV_OK) {
        StudyReader reader = {.of = of, .file = name.data};
        status = read_members(&reader);
    }
    rbv_text_clear(&name);
    return status;
}

void rbv_report_study_clear(RbvReportStudy *of) {
    rbv_node_tree_destroy(of->tree);
    rbv_arena_clear(&of->arena);
    free(of->text);
}
