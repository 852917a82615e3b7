/* Pieces of a piecewise smooth expression: the piece that a switch of its program is on, and the value of a switch on
 * a given piece, continued beyond the end of the piece; and functions that change their sign where the tree of an
 * expression in one variable changes its form.
 *
 *   switch             pieces   value
 *   comparison         0, 1     the number itself
 *   min, max           0, 1     the first or the second operand
 *   abs                -1, 1    piece x
 *   sign               -1 ... 1 the number itself
 *   floor              any      the number itself
 *   RISE, RUN          0, 1, 2  before, within, beyond the rise: 0; the polynomial; 1 and s - 1/2
 *   table that is held -1, 0, 1 before, within, beyond the data: the end value; the spline, continued by a parabola
 */
#include "core/expr/node.h"

#include <math.h>

/* A prime; products of it modulo 2^64 mix well (Fowler, Noll and Vo). */
#define MIX 1099511628211u

static bool is_switch(const RbvExprInstruction *in) {
    switch (in->op) {
    case RBV_OP_MIN:
    case RBV_OP_MAX:
    case RBV_OP_LESS:
    case RBV_OP_LESS_EQUAL:
    case RBV_OP_GREATER:
    case RBV_OP_GREATER_EQUAL:
    case RBV_OP_EQUAL:
    case RBV_OP_NOT_EQUAL:
    case RBV_OP_ABS:
    case RBV_OP_SIGN:
    case RBV_OP_FLOOR:
    case RBV_OP_RISE:
    case RBV_OP_RUN: return true;
    case RBV_OP_TABLE: return rbv_spline_is_held(in->with.table);
    default: return false;
    }
}

void rbv_expr_count_switches(RbvExpr *expr) {
    for (int32_t k = 0; k < expr->program_count; k++) {
        RbvExprInstruction *in = &expr->program[k];
        int32_t count = in->op == RBV_OP_DEFINED ? in->with.use->of->switch_count : is_switch(in);
        in->place = count > 0 ? expr->switch_count + 1 : 0;
        expr->switch_count += count;
    }
}

int32_t rbv_expr_switch_count(const RbvExpr *expr) {
    return expr->switch_count;
}

/* pieces.c: the piece of a switch that its operands u, v are on. */
static int32_t expr_piece(const RbvExprInstruction *in, double u, double v) {
    double first, last;
    switch (in->op) {
    case RBV_OP_MIN: return v < u;
    case RBV_OP_MAX: return v > u;
    case RBV_OP_ABS: return u < 0 ? -1 : 1;
    case RBV_OP_SIGN: return (u > 0) - (u < 0);
    case RBV_OP_FLOOR: return (int32_t)fmax(fmin(floor(u), INT32_MAX), INT32_MIN);
    case RBV_OP_RISE:
    case RBV_OP_RUN: return (u > 0) + (u >= 1);
    case RBV_OP_TABLE: rbv_spline_range(in->with.table, &first, &last); return (u > last) - (u < first);
    default: return rbv_expr_binary_value(in->op, u, v) != 0;
    }
}

/* Has the switch two pieces with one bound between them? */
static bool has_two(const RbvExprInstruction *in) {
    return in->op < RBV_OP_FIRST_UNARY || in->op == RBV_OP_ABS || in->op == RBV_OP_SIGN;
}

int32_t rbv_expr_take_piece(const RbvExprInstruction *in, double u, double v, const RbvExprPieces *pieces) {
    int32_t here = expr_piece(in, u, v);
    if (pieces->here)
        pieces->here[in->place - 1] = here;
    if (pieces->margins && has_two(in))
        pieces->margins[in->place - 1] = in->op < RBV_OP_FIRST_UNARY ? u - v : u;
    if (pieces->mixed)
        *pieces->mixed = (*pieces->mixed ^ ((uint64_t)(uint32_t)in->place << 32 | (uint32_t)here)) * MIX;
    return pieces->held ? pieces->held[in->place - 1] : here;
}

static void set_derivatives(double f[3], double value, double first, double second) {
    f[0] = value;
    f[1] = first;
    f[2] = second;
}

/* f, f', f'' of the table at x on a piece. */
static void table_piece(const RbvSpline *table, int32_t piece, double x, double f[3]) {
    double first, last, d[4];
    rbv_spline_range(table, &first, &last);
    double at = fmin(fmax(x, first), last);
    if (piece != 0)
        at = piece < 0 ? first : last;
    double beyond = x - at;
    rbv_spline_eval(table, at, 2, d);
    if (piece != 0)
        set_derivatives(f, d[0], 0, 0);
    else
        set_derivatives(f, d[0] + beyond * (d[1] + 0.5 * beyond * d[2]), d[1] + beyond * d[2], d[2]);
}

void rbv_expr_piece_derivatives(const RbvExprInstruction *in, int32_t piece, double x, double f[3]) {
    switch (in->op) {
    case RBV_OP_ABS: set_derivatives(f, piece * x, piece, 0); break;
    case RBV_OP_RISE:
        if (piece == 1)
            set_derivatives(f, x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x),
                            60 * x * (1 - x) * (1 - 2 * x));
        else
            set_derivatives(f, piece > 0, 0, 0);
        break;
    case RBV_OP_RUN:
        if (piece == 1)
            set_derivatives(f, x * x * x * x * (2.5 + x * (x - 3)), x * x * x * (10 + x * (6 * x - 15)),
                            30 * x * x * (1 - x) * (1 - x));
        else
            set_derivatives(f, piece > 0 ? x - 0.5 : 0, piece > 0, 0);
        break;
    case RBV_OP_TABLE: table_piece(in->with.table, piece, x, f); break;
    default: set_derivatives(f, piece, 0, 0); break; /* sign, floor */
    }
    if (isnan(x))
        set_derivatives(f, x, x, x);
}

double rbv_expr_piece_value(const RbvExprInstruction *in, int32_t piece, double u, double v) {
    double f[3];
    if (in->op >= RBV_OP_FIRST_UNARY) {
        rbv_expr_piece_derivatives(in, piece, u, f);
        return f[0];
    }
    if (isnan(u) || isnan(v))
        return NAN;
    if (in->op != RBV_OP_MIN && in->op != RBV_OP_MAX)
        return piece;
    return piece == 0 ? u : v;
}

/* Switching functions of an expression in one variable alone: at comparisons, abs, sign, min, max, floor, the ends of
 * step, ramp and pulse, and of held tables. Each is a number that changes its sign where the expression changes its
 * form. */

typedef struct Sides {
    const RbvExprTree *tree;
    const double *x;
    int32_t variable, most, count;
    double *side;
} Sides;

static void add_side(Sides *s, double side) {
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

static double side_argument(const Sides *s, const RbvExprNode *n, int32_t k) {
    return rbv_expr_node_value(s->tree, (int32_t)(rbv_expr_child(s->tree, n, k, NULL) - s->tree->nodes), s->x);
}

static void add_call(Sides *s, const RbvExprNode *n) {
    double a = side_argument(s, n, 0);
    switch (n->function->function) {
    case RBV_FN_UNARY:
        if (!n->function->smooth) {
            double even = fmod(floor(a), 2) == 0 ? 1 : -1;
            add_side(s, n->function->op == RBV_OP_FLOOR ? even : a);
        }
        break;
    case RBV_FN_MIN:
    case RBV_FN_MAX:
        for (int32_t k = 1; k < n->count; k++)
            add_side(s, side_argument(s, n, k) - side_argument(s, n, k - 1));
        break;
    case RBV_FN_STEP:
    case RBV_FN_RAMP:
        add_side(s, a - side_argument(s, n, 1));
        add_side(s, a - side_argument(s, n, n->function->function == RBV_FN_STEP ? 3 : 2));
        break;
    case RBV_FN_PULSE:
        for (int32_t k = 1; k < 3; k++) {
            add_side(s, a - side_argument(s, n, k));
            add_side(s, a - side_argument(s, n, k) - side_argument(s, n, 3));
        }
        break;
    default: break;
    }
}

static void add_table(Sides *s, const RbvExprNode *n) {
    double first, last, a = side_argument(s, n, 0);
    if (rbv_spline_is_periodic(n->table))
        return;
    rbv_spline_range(n->table, &first, &last);
    add_side(s, a - first);
    add_side(s, a - last);
}

static void walk(Sides *s, const RbvExprNode *n) {
    if (n->taken > 0) {
        walk(s, rbv_expr_child(s->tree, n, n->taken, NULL));
        return;
    }
    bool alone = n->count > 0 && variables_in(s, n) == 1;
    if (alone && n->kind == RBV_NODE_COMPARISON)
        add_side(s, side_argument(s, n, 0) - side_argument(s, n, 1));
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
