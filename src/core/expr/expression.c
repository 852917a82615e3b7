/* Creates, shares and destroys expressions; their dependence on variables, and the work memory of their evaluation. */
#include "core/expr/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [bytes] Longest text: offsets are 32 bits, and no hand-written expression is longer. */
#define MAX_TEXT 1000000

static void set_error(RbvExprError *error, size_t offset, const char *message) {
    error->offset = offset;
    snprintf(error->message, sizeof error->message, "%s", message);
}

RbvExpr *rbv_expr_share(RbvExpr *expr) {
    expr->others++;
    return expr;
}

const char *rbv_expr_text(const RbvExpr *expr) {
    return expr->tree.text;
}

void rbv_expr_destroy(RbvExpr *expr) {
    if (expr == NULL || expr->others-- > 0)
        return;
    free(expr->tree.text);
    free(expr->tree.nodes);
    free(expr->tree.links);
    for (int32_t k = 0; k < expr->use_count; k++)
        free(expr->uses[k]);
    free(expr->uses);
    free(expr->program);
    free(expr->ids);
    free(expr->remark);
    free(expr);
}

/* Shrink an array to its used size; if realloc fails, the array is unchanged. */
static void shrink(void *array, int32_t count, int32_t *capacity, size_t size) {
    void *old, *new;
    memcpy(&old, array, sizeof old);
    if (count == *capacity || count == 0)
        return;
    new = realloc(old, (size_t)count * size);
    if (new == NULL)
        return;
    memcpy(array, &new, sizeof new);
    *capacity = count;
}

/* Shrink all arrays of an expression: large models have many small expressions. */
static void trim(RbvExpr *expr) {
    shrink(&expr->tree.nodes, expr->tree.node_count, &expr->tree.node_capacity, sizeof *expr->tree.nodes);
    shrink(&expr->tree.links, expr->tree.link_count, &expr->tree.link_capacity, sizeof *expr->tree.links);
    shrink(&expr->program, expr->program_count, &expr->program_capacity, sizeof *expr->program);
    shrink(&expr->ids, expr->variable_count, &expr->variable_capacity, sizeof *expr->ids);
}

/* Doubles of work memory for a used expression: values of its variables, gradient, Hessian, its own work. */
static size_t use_size(const RbvExprUse *use) {
    size_t n = (size_t)rbv_expr_variable_count(use->of);
    return 2 * n + n * n + rbv_expr_most_work(use->of);
}

RbvExpr *rbv_expr_parse(const char *text, const RbvExprScope *scope, RbvExprError *error) {
    RbvExprError ignored;
    if (error == NULL)
        error = &ignored;
    set_error(error, 0, "");
    size_t length = text == NULL ? 0 : strlen(text);
    if (length > MAX_TEXT) {
        set_error(error, 0, "the expression is longer than a million characters");
        return NULL;
    }
    RbvExpr *expr = calloc(1, sizeof *expr);
    if (expr != NULL)
        expr->tree.text = malloc(length + 1);
    if (expr == NULL || expr->tree.text == NULL) {
        set_error(error, 0, "no memory");
        rbv_expr_destroy(expr);
        return NULL;
    }
    if (length > 0)
        memcpy(expr->tree.text, text, length);
    expr->tree.text[length] = '\0';
    if (!rbv_expr_parse_tree(&expr->tree, scope, error) || !rbv_expr_compile(expr, error) ||
        !rbv_expr_infer(expr, error)) {
        rbv_expr_destroy(expr);
        return NULL;
    }
    trim(expr);
    for (int32_t k = 0; k < expr->use_count; k++)
        expr->use_size = use_size(expr->uses[k]) > expr->use_size ? use_size(expr->uses[k]) : expr->use_size;
    return expr;
}

RbvExpr *rbv_expr_constant(double value) {
    RbvExpr *expr = calloc(1, sizeof *expr);
    if (expr == NULL)
        return NULL;
    expr->tree.text = calloc(1, 1);
    expr->tree.nodes = calloc(1, sizeof *expr->tree.nodes);
    if (expr->tree.text == NULL || expr->tree.nodes == NULL) {
        rbv_expr_destroy(expr);
        return NULL;
    }
    expr->tree.nodes[0] = (RbvExprNode){.kind = RBV_NODE_NUMBER, .number = value, .id = -1, .variable = -1};
    expr->tree.node_count = 1;
    expr->result = -1;
    expr->constant = value;
    return expr;
}

RbvExprMeaning rbv_expr_meaning(const RbvExpr *expr, int32_t *id, int32_t *rate) {
    const RbvExprNode *root = &expr->tree.nodes[expr->tree.root];
    *id = root->id;
    *rate = root->order;
    return root->kind == RBV_NODE_VARIABLE  ? RBV_EXPR_VARIABLE
           : root->kind == RBV_NODE_DEFINED ? RBV_EXPR_DEFINED
                                            : RBV_EXPR_UNKNOWN;
}

RbvExprDimension rbv_expr_dimension(const RbvExpr *expr) {
    return expr->dimension;
}

bool rbv_expr_has_dimension(const RbvExpr *expr) {
    return expr->has_dimension;
}

bool rbv_expr_has_pi(const RbvExpr *expr) {
    return expr->tree.has_pi;
}

const RbvExprError *rbv_expr_remark(const RbvExpr *expr) {
    return expr->remark;
}

int32_t rbv_expr_variable_count(const RbvExpr *expr) {
    return expr->variable_count;
}

int32_t rbv_expr_variable(const RbvExpr *expr, int32_t k) {
    return expr->ids[k];
}

size_t rbv_expr_work_size(const RbvExpr *expr) {
    size_t size = (size_t)expr->slot_count * rbv_expr_jet_size(expr->variable_count) + expr->use_size;
    return size == 0 ? 1 : size;
}

/* Is a branch of an `if` selected by a condition without variables? */
static bool has_decided(const RbvExpr *expr) {
    bool decided = false;
    for (int32_t k = 0; k < expr->tree.node_count; k++)
        decided = decided || expr->tree.nodes[k].taken > 0;
    return decided;
}

int32_t rbv_expr_most_variables(const RbvExpr *expr) {
    int32_t count = 0;
    for (int32_t k = 0; k < expr->tree.node_count; k++)
        count += expr->tree.nodes[k].kind == RBV_NODE_VARIABLE;
    return has_decided(expr) ? count : expr->variable_count;
}

/* Upper bound of the slots that a node occupies at a time. */
#define SLOTS_OF_NODE 6

size_t rbv_expr_most_work(const RbvExpr *expr) {
    size_t n = (size_t)rbv_expr_most_variables(expr), size = rbv_expr_work_size(expr);
    size_t bound =
        has_decided(expr)
            ? (n + SLOTS_OF_NODE * (size_t)expr->tree.node_count) * rbv_expr_jet_size((int32_t)n) + expr->use_size
            : 0;
    return size > bound ? size : bound;
}
