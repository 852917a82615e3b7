/* Finds numbers without a unit beside terms of known dimension, such as 60 in "60 + n*t" where n is a speed. They
 * count as SI, which may not be the user's intention.
 *
 * Checked are terms of sums, operands of comparisons, and arguments that must have the same dimension: one of them
 * has a dimension, and another consists of numbers, t and functions of these only. 0 is 0 in any unit, and pi means
 * radians. A constant argument of sin, cos or tan is reported too.
 */
#include "core/expr/node.h"

#include <math.h>

#define MOST_ALIKE 16
#define PI 3.14159265358979323846

typedef struct Search {
    const RbvExprTree *tree;
    RbvBareTerm *out;
    int32_t count, most;
} Search;

static int32_t child(const RbvExprTree *tree, int32_t node, int32_t k) {
    int32_t link = tree->links[tree->nodes[node].first + k];
    return link < 0 ? ~link : link;
}

/* True if no operand has a dimension of its own; with `angle` also no pi. */
static bool is_plain(const RbvExprTree *tree, int32_t node, bool angle) {
    const RbvExprNode *n = &tree->nodes[node];
    if (n->measures.bond >= RBV_EXPR_KNOWN || n->computed || (angle && n->kind == RBV_NODE_NUMBER && n->number == PI))
        return false;
    for (int32_t k = 0; k < n->count; k++)
        if (!is_plain(tree, child(tree, node, k), angle))
            return false;
    return true;
}

static void add(Search *s, int32_t node, RbvExponents beside, bool turned) {
    const RbvExprNode *n = &s->tree->nodes[node];
    bool angle = rbv_exponents_named(beside) == RBV_DIM_ANGLE;
    double value = rbv_expr_constant_node(s->tree, node);
    if (n->measures.bond != RBV_EXPR_BARE || value == 0 || (turned && isnan(value)) ||
        !is_plain(s->tree, node, angle) || s->count >= s->most)
        return;
    s->out[s->count++] =
        (RbvBareTerm){.offset = n->offset, .length = n->length, .value = value, .beside = beside, .turned = turned};
}

/* Check nodes that must have the same dimension. t alone does not count as a time. */
static void ask(Search *s, const int32_t *nodes, int32_t count) {
    const RbvExprDimension *firm = NULL;
    for (int32_t k = 0; k < count; k++) {
        const RbvExprDimension *d = &s->tree->nodes[nodes[k]].measures;
        firm = d->bond >= RBV_EXPR_KNOWN && (!firm || d->bond > firm->bond) ? d : firm;
    }
    for (int32_t k = 0; firm && k < count; k++)
        add(s, nodes[k], firm->exponents, false);
}

/* Check the arguments first, first + stride, ... */
static void ask_some(Search *s, int32_t node, int32_t first, int32_t stride, int32_t count) {
    int32_t nodes[MOST_ALIKE];
    count = count < MOST_ALIKE ? count : MOST_ALIKE;
    for (int32_t k = 0; k < count; k++)
        nodes[k] = child(s->tree, node, first + k * stride);
    ask(s, nodes, count);
}

static void ask_call(Search *s, int32_t node) {
    const RbvExprNode *n = &s->tree->nodes[node];
    switch (n->function->function) {
    case RBV_FN_UNARY:
        if (n->function->op == RBV_OP_SIN || n->function->op == RBV_OP_COS || n->function->op == RBV_OP_TAN)
            add(s, child(s->tree, node, 0), rbv_dimension_exponents(RBV_DIM_ANGLE), true);
        break;
    case RBV_FN_ATAN2:
    case RBV_FN_MIN:
    case RBV_FN_MAX:
    case RBV_FN_RAMP:
    case RBV_FN_PULSE: ask_some(s, node, 0, 1, n->count); break;
    case RBV_FN_IF: ask_some(s, node, 1, 1, 2); break;
    case RBV_FN_STEP: {
        int32_t x[3] = {child(s->tree, node, 0), child(s->tree, node, 1), child(s->tree, node, 3)};
        ask(s, x, 3);
        ask_some(s, node, 2, 2, 2);
        break;
    }
    case RBV_FN_FOURIER: ask_some(s, node, 2, 1, n->count - 2); break;
    case RBV_FN_POLY:
    case RBV_FN_IMPACT: break;
    }
}

static void search(Search *s, int32_t node) {
    const RbvExprNode *n = &s->tree->nodes[node];
    if (n->kind == RBV_NODE_SUM || n->kind == RBV_NODE_COMPARISON)
        ask_some(s, node, 0, 1, n->count);
    else if (n->kind == RBV_NODE_CALL)
        ask_call(s, node);
    else if (n->kind == RBV_NODE_TABLE && n->requested.bond >= RBV_EXPR_KNOWN)
        add(s, child(s->tree, node, 0), n->requested.exponents, false);
    for (int32_t k = 0; k < n->count; k++)
        search(s, child(s->tree, node, k));
}

int32_t rbv_expr_bare_terms(const RbvExpr *expr, RbvBareTerm *out, int32_t most) {
    Search s = {.tree = &expr->tree, .out = out, .most = most};
    search(&s, expr->tree.root);
    return s.count;
}
