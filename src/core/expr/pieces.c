/* Pieces of a piecewise smooth program: the piece that a switch is on, and the value of a switch on a given piece,
 * continued beyond the end of the piece.
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
        int32_t count = in->op == RBV_OP_DEFINED ? in->with.use->of->switch_count : is_switch(in) ? 1 : 0;
        in->place = count > 0 ? expr->switch_count + 1 : 0;
        expr->switch_count += count;
    }
}

int32_t rbv_expr_switch_count(const RbvExpr *expr) {
    return expr->switch_count;
}

int32_t rbv_expr_piece(const RbvExprInstruction *in, double u, double v) {
    double first, last;
    switch (in->op) {
    case RBV_OP_MIN: return v < u;
    case RBV_OP_MAX: return v > u;
    case RBV_OP_ABS: return u < 0 ? -1 : 1;
    case RBV_OP_SIGN: return (u > 0) - (u < 0);
    case RBV_OP_FLOOR: return (int32_t)fmax(fmin(floor(u), INT32_MAX), INT32_MIN);
    case RBV_OP_RISE:
    case RBV_OP_RUN: return u <= 0 ? 0 : u < 1 ? 1 : 2;
    case RBV_OP_TABLE: rbv_spline_range(in->with.table, &first, &last); return (u > last) - (u < first);
    default: return rbv_expr_binary_value(in->op, u, v) != 0;
    }
}

/* Has the switch two pieces with one bound between them? */
static bool has_two(const RbvExprInstruction *in) {
    return in->op < RBV_OP_FIRST_UNARY || in->op == RBV_OP_ABS || in->op == RBV_OP_SIGN;
}

int32_t rbv_expr_take_piece(const RbvExprInstruction *in, double u, double v, const RbvExprPieces *pieces) {
    int32_t here = rbv_expr_piece(in, u, v);
    if (pieces->here)
        pieces->here[in->place - 1] = here;
    if (pieces->margins && has_two(in))
        pieces->margins[in->place - 1] = in->op < RBV_OP_FIRST_UNARY ? u - v : u;
    if (pieces->mixed)
        *pieces->mixed = (*pieces->mixed ^ ((uint64_t)(uint32_t)in->place << 32 | (uint32_t)here)) * MIX;
    return pieces->held ? pieces->held[in->place - 1] : here;
}

static void set(double f[3], double value, double first, double second) {
    f[0] = value;
    f[1] = first;
    f[2] = second;
}

/* f, f', f'' of the table at x on a piece. */
static void table_piece(const RbvSpline *table, int32_t piece, double x, double f[3]) {
    double first, last, d[4];
    rbv_spline_range(table, &first, &last);
    double at = piece < 0 ? first : piece > 0 ? last : fmin(fmax(x, first), last), beyond = x - at;
    rbv_spline_eval(table, at, 2, d);
    if (piece != 0)
        set(f, d[0], 0, 0);
    else
        set(f, d[0] + beyond * (d[1] + 0.5 * beyond * d[2]), d[1] + beyond * d[2], d[2]);
}

void rbv_expr_piece_derivatives(const RbvExprInstruction *in, int32_t piece, double x, double f[3]) {
    switch (in->op) {
    case RBV_OP_ABS: set(f, piece * x, piece, 0); break;
    case RBV_OP_RISE:
        if (piece == 1)
            set(f, x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x), 60 * x * (1 - x) * (1 - 2 * x));
        else
            set(f, piece > 0, 0, 0);
        break;
    case RBV_OP_RUN:
        if (piece == 1)
            set(f, x * x * x * x * (2.5 + x * (x - 3)), x * x * x * (10 + x * (6 * x - 15)),
                30 * x * x * (1 - x) * (1 - x));
        else
            set(f, piece > 0 ? x - 0.5 : 0, piece > 0, 0);
        break;
    case RBV_OP_TABLE: table_piece(in->with.table, piece, x, f); break;
    default: set(f, piece, 0, 0); break; /* sign, floor */
    }
    if (isnan(x))
        set(f, x, x, x);
}

double rbv_expr_piece_value(const RbvExprInstruction *in, int32_t piece, double u, double v) {
    double f[3];
    if (in->op >= RBV_OP_FIRST_UNARY) {
        rbv_expr_piece_derivatives(in, piece, u, f);
        return f[0];
    }
    if (isnan(u) || isnan(v))
        return NAN;
    return in->op == RBV_OP_MIN || in->op == RBV_OP_MAX ? (piece == 0 ? u : v) : piece;
}
