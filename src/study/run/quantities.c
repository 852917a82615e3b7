/* Functions over the samples of a run, scalars of result.json, and the expressions around them. */
#include "study/run/quantities.h"

#include "model/read/tree.h"
#include "model/result/result.h"
#include "study/run/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_gathered_create(RbvGathered *g, const RbvStudy *study) {
    size_t variables = 1, work = 1;
    for (int32_t q = 0; q < study->quantity_count; q++) {
        const RbvExpr *expr = study->quantities[q].expr;
        variables = (size_t)fmax((double)variables, rbv_expr_variable_count(expr));
        work = (size_t)fmax((double)work, (double)rbv_expr_work_size(expr));
    }
    *g = (RbvGathered){0};
    g->parts = calloc((size_t)study->part_count + 1, sizeof *g->parts);
    g->variables = calloc(variables, sizeof *g->variables);
    g->work = calloc(work, sizeof *g->work);
    g->missing = -1;
    return g->parts && g->variables && g->work;
}

void rbv_gathered_clear(RbvGathered *g) {
    free(g->parts);
    free(g->variables);
    free(g->work);
    free(g->samples);
    free(g->times);
    *g = (RbvGathered){0};
}

static bool reserve(RbvGathered *g, int32_t count) {
    if (count <= g->capacity)
        return true;
    double *samples = realloc(g->samples, (size_t)count * sizeof *samples);
    g->samples = samples ? samples : g->samples;
    double *times = samples ? realloc(g->times, (size_t)count * sizeof *times) : NULL;
    g->times = times ? times : g->times;
    if (times)
        g->capacity = count;
    return times != NULL;
}

/* ---- scalars of result.json ---- */

/* The node at a path "modes[0].frequency" or "modes.0.frequency"; NULL: none. *parent: the map that holds it. */
static const RbvNode *follow(const RbvNode *node, const char *path, const RbvNode **parent) {
    *parent = NULL;
    while (node && *path) {
        size_t length = strcspn(path, ".[]");
        if (node->kind == RBV_NODE_LIST) {
            char *end;
            long k = strtol(path, &end, 10);
            node = end == path + length && k < node->count ? node->items[k] : NULL;
        } else {
            /* a name may hold dots: the longest key that fits */
            int32_t best = -1;
            size_t taken = 0;
            for (int32_t k = 0; node->kind == RBV_NODE_MAP && k < node->count; k++) {
                size_t n = strlen(node->keys[k]);
                bool fits = strncmp(path, node->keys[k], n) == 0 && (path[n] == '\0' || strchr(".[", path[n]));
                if (fits && n > taken) {
                    best = k;
                    taken = n;
                }
            }
            *parent = node;
            node = best >= 0 ? node->items[best] : NULL;
            length = taken;
        }
        path += length;
        path += strspn(path, ".[]");
    }
    return node;
}

static RbvVerdict verdict_named(const char *word) {
    for (int k = RBV_FREE; k <= RBV_NOT_UNIQUE; k++)
        if (strcmp(rbv_verdict_name((RbvVerdict)k), word) == 0)
            return (RbvVerdict)k;
    return RBV_UNIQUE;
}

static double value_at_path(const RbvNode *root, const char *path, uint8_t *verdict, bool *found) {
    const RbvNode *parent, *node = root ? follow(root, path, &parent) : NULL;
    *found = node != NULL;
    if (!node || node->kind != RBV_NODE_SCALAR)
        return NAN;
    const RbvNode *judged = rbv_node_child(parent, "verdict");
    if (judged && judged->kind == RBV_NODE_SCALAR && judged->type == RBV_SCALAR_STRING) {
        RbvVerdict here = verdict_named(judged->text);
        *verdict = here > *verdict ? (uint8_t)here : *verdict;
    }
    if (node->type == RBV_SCALAR_BOOL)
        return node->truth ? 1 : 0;
    return node->type == RBV_SCALAR_NUMBER ? node->number : NAN;
}

/* ---- parts ---- */

static bool gather_part(RbvGathered *g, const RbvStudyPart *part, const RbvResult *result, double *value,
                        uint8_t *verdict) {
    int32_t column = rbv_result_find(result, part->output), count = rbv_result_counts(result).samples;
    *value = NAN;
    if (column < 0 || count == 0)
        return true;
    RbvResultColumn of = rbv_result_column(result, column), time = rbv_result_column(result, 0);
    if (of.judged && of.verdict > *verdict)
        *verdict = (uint8_t)of.verdict;
    bool keeps = rbv_aggregate_sorts(part->kind) || rbv_aggregate_integrates(part->kind);
    if (keeps && !reserve(g, count))
        return false;
    RbvSamples samples = {.count = count,
                          .x = of.values,
                          .t = time.values,
                          .x_stride = of.stride,
                          .t_stride = time.stride,
                          .scratch = g->samples,
                          .times = g->times};
    *value = rbv_aggregate(part->kind, part->argument, &samples);
    return true;
}

static double value_of(RbvGathered *g, const RbvStudyQuantity *quantity, const RbvSystem *system) {
    for (int32_t v = 0; v < rbv_expr_variable_count(quantity->expr); v++) {
        int32_t id = rbv_expr_variable(quantity->expr, v);
        g->variables[v] = id % 2 ? rbv_system_parameter(system, id / 2) : g->parts[id / 2];
    }
    return rbv_expr_value(quantity->expr, g->variables, g->work);
}

bool rbv_gather(RbvGathered *g, const RbvStudy *study, const RbvSystem *system, const RbvResult *result, double *values,
                uint8_t *verdicts) {
    RbvNodeTree *tree = NULL;
    bool good = true;
    g->missing = -1;
    if (study->reads_json) {
        char *json = rbv_result_text(result, RBV_TEXT_JSON, NULL);
        tree = json ? rbv_node_tree_parse("result.json", json, strlen(json), NULL) : NULL;
        free(json);
        good = tree != NULL;
    }
    for (int32_t q = 0; good && q < study->quantity_count; q++) {
        const RbvStudyQuantity *quantity = &study->quantities[q];
        verdicts[q] = RBV_UNIQUE;
        for (int32_t k = quantity->first; good && k < quantity->first + quantity->count; k++) {
            const RbvStudyPart *part = &study->parts[k];
            if (part->kind == RBV_AGGREGATE_PATH) {
                bool found;
                g->parts[k] = value_at_path(rbv_node_tree_root(tree), part->text, &verdicts[q], &found);
                g->missing = found ? g->missing : k;
            } else {
                good = gather_part(g, part, result, &g->parts[k], &verdicts[q]);
            }
        }
        values[q] = value_of(g, quantity, system);
    }
    rbv_node_tree_destroy(tree);
    return good;
}
