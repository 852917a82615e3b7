/* Switching functions of an expression in one variable alone: at comparisons, abs, sign, min, max, floor, the ends of
 * step, ramp and pulse, and of held tables. Each is a number that changes its sign where the expression changes its
 * form. */
#include "core/expr/node.h"

#include <math.h>

typedef struct Sides {
    const RbvExprTree *tree;
    const double *x;
    int32_t variable, most, count;
    double *side;
} Sides;

static void add(Sides *s, double side) {
    if (s->count < s->most)
        s->side[s->count] = side;
    s->count++;
}

/* Which variables occur in a node, as bits: 1: the given variable, 2: others. */
static int variables_in(const Sides *s, const RbvExprNode *n) {
    if (n->kind == RBV_NODE_VARIABLE)
        return n->variable == s->variable ? 1 : 2;
    if (n->kind == RBV_NODE_CALLBACK || n->kind == RBV_NODE_DEFINED)
        return 2;
    if (n->taken > 0)
        return variables_in(s, rbv_expr_child(s->tree, n, n->taken, NULL));
    int found = 0;
    for (int32_t k = 0; k < n->count; k++)
        found |= variables_in(s, rbv_expr_child(s->tree, n, k, NULL));
    return found;
}

static double argument(const Sides *s, const RbvExprNode *n, int32_t k) {
    return rbv_expr_node_value(s->tree, (int32_t)(rbv_expr_child(s->tree, n, k, NULL) - s->tree->nodes), s->x);
}

static void add_call(Sides *s, const RbvExprNode *n) {
    double a = argument(s, n, 0);
    switch (n->function->function) {
    case RBV_FN_UNARY:
        if (!n->function->smooth)
            add(s, n->function->op == RBV_OP_FLOOR ? fmod(floor(a), 2) == 0 ? 1 : -1 : a);
        break;
    case RBV_FN_MIN:
    case RBV_FN_MAX:
        for (int32_t k = 1; k < n->count; k++)
            add(s, argument(s, n, k) - argument(s, n, k - 1));
        break;
    case RBV_FN_STEP:
    case RBV_FN_RAMP:
        add(s, a - argument(s, n, 1));
        add(s, a - argument(s, n, n->function->function == RBV_FN_STEP ? 3 : 2));
        break;
    case RBV_FN_PULSE:
        for (int32_t k = 1; k < 3; k++) {
            add(s, a - argument(s, n, k));
            add(s, a - argument(s, n, k) - argument(s, n, 3));
        }
        break;
    default: break;
    }
}

static void add_table(Sides *s, const RbvExprNode *n) {
    double first, last, a = argument(s, n, 0);
    if (rbv_spline_is_periodic(n->table))
        return;
    rbv_spline_range(n->table, &first, &last);
    add(s, a - first);
    add(s, a - last);
}

static void walk(Sides *s, const RbvExprNode *n) {
    if (n->taken > 0) {
        walk(s, rbv_expr_child(s->tree, n, n->taken, NULL));
        return;
    }
    bool alone = n->count > 0 && variables_in(s, n) == 1;
    if (alone && n->kind == RBV_NODE_COMPARISON)
        add(s, argument(s, n, 0) - argument(s, n, 1));
    else if (alone && n->kind == RBV_NODE_CALL)
        add_call(s, n);
    else if (alone && n->kind == RBV_NODE_TABLE)
        add_table(s, n);
    for (int32_t k = 0; n->kind != RBV_NODE_DEFINED && k < n->count; k++)
        walk(s, rbv_expr_child(s->tree, n, k, NULL));
}

int32_t rbv_expr_sides(const RbvExpr *expr, int32_t k, const double *x, double *side, int32_t most) {
    Sides s = {.tree = &expr->tree, .x = x, .variable = k, .most = most, .side = side};
    walk(&s, &expr->tree.nodes[expr->tree.root]);
    return s.count;
}
