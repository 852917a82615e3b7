/* Contact force of a penetration x0 - x, expanded into existing nodes:
 *   impact(x, v, x0, k, e, c, d) = if(x < x0, max(0, k (x0 - x)^e - c v step(x, x0 - d, 1, x0, 0)), 0)
 */
#include "core/expr/parser.h"

/* Add a node with these children; -1 if one of them is -1. */
static int32_t node_of(RbvExprParser *p, RbvExprKind kind, const char *function, int32_t start, int32_t count,
                       const int32_t *children, const bool *inverse) {
    int32_t mark = p->pending_count;
    for (int32_t k = 0; k < count; k++)
        if (p->failed || !rbv_parser_push(p, inverse && inverse[k] ? ~children[k] : children[k]))
            return -1;
    int32_t node = rbv_parser_add_parent(p, kind, start, mark);
    if (node >= 0 && function)
        p->tree->nodes[node].function = rbv_expr_function(function);
    return node;
}

static int32_t difference(RbvExprParser *p, int32_t start, int32_t a, int32_t b) {
    return node_of(p, RBV_NODE_SUM, NULL, start, 2, (int32_t[]){a, b}, (bool[]){false, true});
}

int32_t rbv_parser_impact(RbvExprParser *p, const int32_t *a, int32_t start) {
    int32_t x = a[0], v = a[1], x0 = a[2], k = a[3], e = a[4], c = a[5], d = a[6];
    int32_t zero = rbv_parser_add_number(p, 0.0, start), one = rbv_parser_add_number(p, 1.0, start);
    int32_t power = node_of(p, RBV_NODE_POWER, NULL, start, 2, (int32_t[]){difference(p, start, x0, x), e}, NULL);
    int32_t spring = node_of(p, RBV_NODE_PRODUCT, NULL, start, 2, (int32_t[]){k, power}, NULL);
    int32_t depth =
        node_of(p, RBV_NODE_CALL, "step", start, 5, (int32_t[]){x, difference(p, start, x0, d), one, x0, zero}, NULL);
    int32_t damper = node_of(p, RBV_NODE_PRODUCT, NULL, start, 3, (int32_t[]){c, v, depth}, NULL);
    int32_t push =
        node_of(p, RBV_NODE_CALL, "max", start, 2, (int32_t[]){zero, difference(p, start, spring, damper)}, NULL);
    int32_t closed = node_of(p, RBV_NODE_COMPARISON, NULL, start, 2, (int32_t[]){x, x0}, NULL);
    if (!p->failed)
        p->tree->nodes[closed].comparison = RBV_OP_LESS;
    return node_of(p, RBV_NODE_CALL, "if", start, 3, (int32_t[]){closed, push, zero}, NULL);
}
