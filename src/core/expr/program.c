/* Evaluates programs: values, jets, and the largest term of a value.
 *
 * A jet of n variables is u, u_i, u_ij (i >= j, packed by rows): 1 + n + n(n+1)/2 doubles. The chain rule:
 *
 *   f(u):     f' u_i,                f' u_ij + f'' u_i u_j
 *   f(u, v):  f_u u_i + f_v v_i,     f_u u_ij + f_v v_ij + f_uu u_i u_j + f_uv (u_i v_j + v_i u_j) + f_vv v_i v_j
 *
 * Results may overwrite operands: second derivatives are written first, the value last. Functions of one variable,
 * such as the motion of every drive, have separate kernels on three doubles.
 */
#include "core/expr/node.h"

#include <math.h>
#include <string.h>

/* Scratch memory of used expressions: after the slots. */
static double *scratch_of(const RbvExpr *expr, double *w) {
    return w + (size_t)expr->slot_count * rbv_expr_jet_size(expr->variable_count);
}

/* Next instruction after a branch with this condition. */
static int32_t branch(const RbvExprInstruction *in, int32_t k, double condition) {
    if (isnan(condition))
        return in->with.to.end;
    return condition < 0.0 || condition > 0.0 ? k + 1 : in->with.to.otherwise;
}

/* ---- an expression f(x) used in another by its name: its value, its rate, its second rate ----
 *
 *   order 0:  f                                by x_i: f_i                              second: f_ij
 *   order 1:  sum f_i x_i'                     by x_i': f_i, by x_j: sum f_ij x_i'      by x_i', x_j: f_ij
 *   order 2:  sum f_i x_i'' + f_ij x_i' x_j'   by x_i'': f_i, by x_i': 2 sum f_ij x_j', by x_j: sum f_ij x_i''
 *
 * Third derivatives of f are left out: by two x of the rate, and by x of the second rate beyond what is written.
 */

/* f and its derivatives at x, in scratch. */
typedef struct Inner {
    int32_t count;
    double value, *gradient, *hessian;
} Inner;

static Inner evaluate(const RbvExprUse *use, const double *x, size_t stride, double *scratch,
                      const RbvExprPieces *pieces) {
    int32_t n = rbv_expr_variable_count(use->of);
    Inner f = {.count = n, .gradient = scratch + n, .hessian = scratch + 2 * n};
    for (int32_t i = 0; i < n; i++)
        scratch[i] = x[(size_t)use->at[i] * stride];
    f.value = rbv_expr_jet_on(use->of, scratch, f.hessian + n * n, f.gradient, f.hessian, pieces);
    return f;
}

/* Value of variable i of f, differentiated `order` times. */
static double rate_of(const RbvExprUse *use, const Inner *f, const double *x, size_t stride, int32_t order, int32_t i) {
    return x[(size_t)use->at[order * f->count + i] * stride];
}

/* Pieces of the expression that instruction `in` uses, as part of `pieces`, in *inner; NULL: no pieces given. */
static const RbvExprPieces *inner_pieces(const RbvExprInstruction *in, const RbvExprPieces *pieces,
                                         RbvExprPieces *inner) {
    if (!pieces || in->place == 0)
        return NULL;
    int32_t requested = pieces->requested - in->place + 1;
    *inner = (RbvExprPieces){.held = pieces->held ? pieces->held + in->place - 1 : NULL,
                             .here = pieces->here ? pieces->here + in->place - 1 : NULL,
                             .mixed = pieces->mixed,
                             .margins = pieces->margins ? pieces->margins + in->place - 1 : NULL,
                             .requested =
                                 requested > 0 && requested <= rbv_expr_switch_count(in->with.use->of) ? requested : 0,
                             .margin = pieces->margin};
    return inner;
}

static double value_of(const RbvExprUse *use, const Inner *f, const double *x, size_t stride) {
    double sum = 0;
    if (use->order == 0)
        return f->value;
    for (int32_t i = 0; i < f->count; i++) {
        sum += f->gradient[i] * rate_of(use, f, x, stride, use->order, i);
        for (int32_t j = 0; use->order == 2 && j < f->count; j++)
            sum += f->hessian[i * f->count + j] * rate_of(use, f, x, stride, 1, i) * rate_of(use, f, x, stride, 1, j);
    }
    return sum;
}

static double use_value(const RbvExprUse *use, const double *x, size_t stride, double *scratch,
                        const RbvExprPieces *pieces) {
    if (use->order > 0) {
        Inner f = evaluate(use, x, stride, scratch, pieces);
        return value_of(use, &f, x, stride);
    }
    int32_t n = rbv_expr_variable_count(use->of);
    for (int32_t i = 0; i < n; i++)
        scratch[i] = x[(size_t)use->at[i] * stride];
    return rbv_expr_value_on(use->of, scratch, scratch + n, pieces);
}

/* ---- values ---- */

/* Execute instruction k on the values w; returns the number of the next one. */
static inline int32_t step(const RbvExpr *expr, int32_t k, double *w, const RbvExprPieces *pieces) {
    const RbvExprInstruction *in = &expr->program[k];
    RbvExprPieces inner;
    double a = w[in->a];
    switch (in->op) {
    case RBV_OP_CONSTANT: w[in->out] = in->with.number; break;
    case RBV_OP_MOVE: w[in->out] = a; break;
    case RBV_OP_BRANCH:
        if (isnan(a))
            w[in->out] = a;
        return branch(in, k, a);
    case RBV_OP_JUMP: return in->with.to.end;
    case RBV_OP_CALLBACK:
        w[in->out] = in->with.callback->evaluate(in->with.callback->context, &w[in->a], NULL, NULL);
        break;
    case RBV_OP_ADD: w[in->out] = a + w[in->b]; break;
    case RBV_OP_ADD_CONSTANT: w[in->out] = a + in->with.number; break;
    case RBV_OP_SUBTRACT: w[in->out] = a - w[in->b]; break;
    case RBV_OP_SUBTRACT_FROM: w[in->out] = in->with.number - a; break;
    case RBV_OP_MULTIPLY: w[in->out] = a * w[in->b]; break;
    case RBV_OP_SCALE: w[in->out] = in->with.number * a; break;
    case RBV_OP_DEFINED:
        w[in->out] = use_value(in->with.use, w, 1, scratch_of(expr, w), inner_pieces(in, pieces, &inner));
        break;
    default:
        if (pieces && in->place > 0)
            w[in->out] = rbv_expr_piece_value(in, rbv_expr_take_piece(in, a, w[in->b], pieces), a, w[in->b]);
        else
            w[in->out] =
                in->op < RBV_OP_FIRST_UNARY ? rbv_expr_binary_value(in->op, a, w[in->b]) : rbv_expr_unary_value(in, a);
    }
    return k + 1;
}

double rbv_expr_value_on(const RbvExpr *expr, const double *x, double *w, const RbvExprPieces *pieces) {
    if (expr->result < 0)
        return expr->constant;
    if (expr->variable_count > 0)
        memcpy(w, x, (size_t)expr->variable_count * sizeof *w);
    for (int32_t k = 0; k < expr->program_count;)
        k = step(expr, k, w, pieces);
    return w[expr->result];
}

double rbv_expr_value(const RbvExpr *expr, const double *x, double *w) {
    return rbv_expr_value_on(expr, x, w, NULL);
}

static int32_t expr_step(const RbvExpr *expr, int32_t k, double *w) {
    return step(expr, k, w, NULL);
}

/* ---- jets of any number of variables ---- */

/* Sign of u slightly beyond the current variables, the first variable changed first: that of u or of its first
 * nonzero derivative. */
static double side_of(const double *u, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (u[k] < 0.0)
            return -1.0;
        if (u[k] > 0.0)
            return 1.0;
    }
    return 1.0;
}

/* -1, 1: u is less, greater than v, at the current variables or slightly beyond. */
static int order_of(const double *u, const double *v, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (u[k] < v[k])
            return -1;
        if (u[k] > v[k])
            return 1;
    }
    return 0;
}

static void fill(double *out, double value, size_t size) {
    for (size_t k = 0; k < size; k++)
        out[k] = value;
}

static void lesser_or_greater(RbvExprOp op, double *out, const double *u, const double *v, size_t size) {
    if (isnan(u[0]) || isnan(v[0])) {
        fill(out, NAN, size);
        return;
    }
    int order = order_of(u, v, size);
    const double *chosen = (op == RBV_OP_MIN) == (order <= 0) ? u : v;
    if (chosen != out)
        memcpy(out, chosen, size * sizeof *out);
}

/* f(u) by f, f', f''. */
static void chain_by(const double f[3], double *out, const double *u, int32_t n) {
    const double *ui = u + 1, *uij = u + 1 + n;
    double *second = out + 1 + n;
    size_t k = 0;
    for (int32_t i = 0; i < n; i++) {
        double g = f[2] * ui[i];
        for (int32_t j = 0; j <= i; j++, k++)
            second[k] = f[1] * uij[k] + g * ui[j];
    }
    for (int32_t i = 0; i < n; i++)
        out[1 + i] = f[1] * ui[i];
    out[0] = f[0];
}

static void chain_unary(const RbvExprInstruction *in, double *out, const double *u, int32_t n, size_t size) {
    double f[3];
    rbv_expr_unary(in, u[0], side_of(u, size), f);
    if (rbv_expr_unary_is_flat(in, u[0])) {
        fill(out, 0.0, size);
        out[0] = f[0];
        return;
    }
    chain_by(f, out, u, n);
}

/* Write the margin of a switch: its operand, or first minus second operand, with the gradient. */
static void note_margin(const RbvExprInstruction *in, const double *u, const double *v, int32_t n, double *margin) {
    bool both = in->op < RBV_OP_FIRST_UNARY;
    for (int32_t k = 0; k <= n; k++)
        margin[k] = both ? u[k] - v[k] : u[k];
}

/* Jet of a switch on its selected piece. */
static void chain_piece(const RbvExprInstruction *in, double *out, const double *u, const double *v, int32_t n,
                        size_t size, const RbvExprPieces *pieces) {
    int32_t piece = rbv_expr_take_piece(in, u[0], v[0], pieces);
    double f[3];
    if (pieces->requested == in->place)
        note_margin(in, u, v, n, pieces->margin);
    if (in->op >= RBV_OP_FIRST_UNARY) {
        rbv_expr_piece_derivatives(in, piece, u[0], f);
        if (f[1] == 0 && f[2] == 0)
            fill(out, 0.0, size);
        else
            chain_by(f, out, u, n);
        out[0] = f[0];
        return;
    }
    const double *chosen = piece == 0 ? u : v;
    bool extreme = in->op == RBV_OP_MIN || in->op == RBV_OP_MAX;
    f[0] = rbv_expr_piece_value(in, piece, u[0], v[0]);
    if (extreme && chosen != out)
        memcpy(out, chosen, size * sizeof *out);
    if (!extreme || isnan(f[0]))
        fill(out, isnan(f[0]) ? NAN : 0.0, size);
    out[0] = f[0];
}

static void chain_binary(RbvExprOp op, double *out, const double *u, const double *v, int32_t n) {
    double f[6];
    rbv_expr_binary(op, u[0], v[0], f);
    const double *ui = u + 1, *uij = u + 1 + n, *vi = v + 1, *vij = v + 1 + n;
    double *second = out + 1 + n;
    size_t k = 0;
    for (int32_t i = 0; i < n; i++) {
        double p = f[3] * ui[i] + f[4] * vi[i], q = f[4] * ui[i] + f[5] * vi[i];
        for (int32_t j = 0; j <= i; j++, k++)
            second[k] = f[1] * uij[k] + f[2] * vij[k] + p * ui[j] + q * vi[j];
    }
    for (int32_t i = 0; i < n; i++)
        out[1 + i] = f[1] * ui[i] + f[2] * vi[i];
    out[0] = f[0];
}

static void multiply(double *out, const double *u, const double *v, int32_t n) {
    const double *ui = u + 1, *uij = u + 1 + n, *vi = v + 1, *vij = v + 1 + n;
    double *second = out + 1 + n, u0 = u[0], v0 = v[0];
    size_t k = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++, k++) {
            second[k] = v0 * uij[k] + u0 * vij[k] + (ui[i] * vi[j] + vi[i] * ui[j]);
        }
    }
    for (int32_t i = 0; i < n; i++)
        out[1 + i] = v0 * ui[i] + u0 * vi[i];
    out[0] = u0 * v0;
}

/* out = u + v, u + c, u - v, c - u, c u. */
static void combine(RbvExprOp op, double *out, const double *u, const double *v, double c, size_t size) {
    switch (op) {
    case RBV_OP_ADD:
        for (size_t i = 0; i < size; i++)
            out[i] = u[i] + v[i];
        break;
    case RBV_OP_SUBTRACT:
        for (size_t i = 0; i < size; i++)
            out[i] = u[i] - v[i];
        break;
    case RBV_OP_SCALE:
        for (size_t i = 0; i < size; i++)
            out[i] = c * u[i];
        break;
    case RBV_OP_ADD_CONSTANT:
        if (out != u)
            memcpy(out, u, size * sizeof *out);
        out[0] += c;
        break;
    default: /* RBV_OP_SUBTRACT_FROM */
        for (size_t i = 1; i < size; i++)
            out[i] = -u[i];
        out[0] = c - u[0];
    }
}

/* Chain rule for f(u, v, ...): f_i u_i summed, and f_i u_i,kl + f_ij u_i,k u_j,l. Derivatives that the function does
 * not provide are NaN. */
static void chain_callback(const RbvExprCallback *f, double *out, const double *u, int32_t n, size_t size) {
    enum { MOST = RBV_CALLBACK_ARGUMENTS };
    double x[MOST], g[MOST], h[MOST * MOST];
    int32_t count = f->count;
    for (int32_t i = 0; i < count; i++)
        x[i] = u[(size_t)i * size];
    fill(g, NAN, MOST);
    fill(h, NAN, (size_t)MOST * MOST);
    double *first = f->derivatives > 0 ? g : NULL;
    double value = f->evaluate(f->context, x, first, f->derivatives > 1 ? h : NULL);
    double *second = out + 1 + n;
    size_t k = 0;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b <= a; b++, k++) {
            double sum = 0;
            for (int32_t i = 0; i < count; i++) {
                const double *ui = u + (size_t)i * size;
                sum += g[i] * ui[1 + n + (int32_t)k];
                for (int32_t j = 0; j < count; j++)
                    sum += h[i * count + j] * ui[1 + a] * u[(size_t)j * size + 1 + (size_t)b];
            }
            second[k] = sum;
        }
    for (int32_t a = 0; a < n; a++) {
        double sum = 0;
        for (int32_t i = 0; i < count; i++)
            sum += g[i] * u[(size_t)i * size + 1 + (size_t)a];
        out[1 + a] = sum;
    }
    out[0] = value;
}

/* Set the packed second derivative by variables a and b of the outer expression. */
static void set_second(double *second, int32_t a, int32_t b, double value) {
    int32_t row = a > b ? a : b, column = a + b - row;
    second[(size_t)row * ((size_t)row + 1) / 2 + (size_t)column] = value;
}

/* Convert the gradient of a margin by the variables of f into that by the n variables of this expression. */
static void spread_margin(const RbvExprUse *use, const Inner *f, int32_t n, double *margin) {
    memcpy(f->gradient, margin + 1, (size_t)f->count * sizeof *margin);
    fill(margin + 1, 0.0, (size_t)n);
    for (int32_t i = 0; i < f->count; i++)
        margin[1 + use->at[i]] = f->gradient[i];
}

static void use_jet(const RbvExprInstruction *in, const double *x, size_t stride, int32_t n, double *out,
                    double *scratch, const RbvExprPieces *pieces) {
    RbvExprPieces inner;
    const RbvExprUse *use = in->with.use;
    Inner f = evaluate(use, x, stride, scratch, inner_pieces(in, pieces, &inner));
    bool noted = pieces && in->place > 0 && inner.requested > 0;
    int32_t m = f.count, top = use->order * m;
    double value = value_of(use, &f, x, stride), *first = out + 1, *second = out + 1 + n;
    fill(out, 0.0, rbv_expr_jet_size(n));
    out[0] = value;
    for (int32_t i = 0; i < m; i++) {
        first[use->at[top + i]] = f.gradient[i];
        for (int32_t j = 0; j < m; j++) {
            double fij = f.hessian[i * m + j];
            if (use->order > 0)
                first[use->at[j]] += fij * rate_of(use, &f, x, stride, use->order, i);
            if (use->order == 2)
                first[use->at[m + i]] += 2 * fij * rate_of(use, &f, x, stride, 1, j);
            set_second(second, use->at[top + i], use->at[j], fij);
            if (use->order == 2)
                set_second(second, use->at[m + i], use->at[m + j], 2 * fij);
        }
    }
    if (noted)
        spread_margin(use, &f, n, inner.margin);
}

static void run_jets(const RbvExpr *expr, const double *x, double *w, const RbvExprPieces *pieces) {
    int32_t n = expr->variable_count;
    size_t size = rbv_expr_jet_size(n);
    for (int32_t i = 0; i < n; i++) {
        double *u = w + (size_t)i * size;
        fill(u, 0.0, size);
        u[0] = x[i];
        u[1 + i] = 1.0;
    }
    for (int32_t k = 0; k < expr->program_count;) {
        const RbvExprInstruction *in = &expr->program[k++];
        double *out = w + (size_t)in->out * size, c = in->with.number;
        const double *u = w + (size_t)in->a * size, *v = w + (size_t)in->b * size;
        if (pieces && in->place > 0 && in->op != RBV_OP_DEFINED) {
            chain_piece(in, out, u, v, n, size, pieces);
            continue;
        }
        switch (in->op) {
        case RBV_OP_CONSTANT:
            fill(out, 0.0, size);
            out[0] = c;
            break;
        case RBV_OP_MOVE: memcpy(out, u, size * sizeof *out); break;
        case RBV_OP_BRANCH: {
            double condition = u[0];
            if (isnan(condition))
                fill(out, NAN, size);
            k = branch(in, k - 1, condition);
            break;
        }
        case RBV_OP_JUMP: k = in->with.to.end; break;
        case RBV_OP_CALLBACK: chain_callback(in->with.callback, out, u, n, size); break;
        case RBV_OP_ADD:
        case RBV_OP_ADD_CONSTANT:
        case RBV_OP_SUBTRACT:
        case RBV_OP_SUBTRACT_FROM:
        case RBV_OP_SCALE: combine(in->op, out, u, v, c, size); break;
        case RBV_OP_MULTIPLY: multiply(out, u, v, n); break;
        case RBV_OP_DEFINED: use_jet(in, w, size, n, out, scratch_of(expr, w), pieces); break;
        case RBV_OP_MIN:
        case RBV_OP_MAX: lesser_or_greater(in->op, out, u, v, size); break;
        case RBV_OP_LESS:
        case RBV_OP_LESS_EQUAL:
        case RBV_OP_GREATER:
        case RBV_OP_GREATER_EQUAL:
        case RBV_OP_EQUAL:
        case RBV_OP_NOT_EQUAL: {
            double holds = rbv_expr_binary_value(in->op, u[0], v[0]);
            fill(out, 0.0, size);
            out[0] = holds;
            break;
        }
        default:
            if (in->op < RBV_OP_FIRST_UNARY)
                chain_binary(in->op, out, u, v, n);
            else
                chain_unary(in, out, u, n, size);
        }
    }
}

/* ---- jets of one variable ---- */

typedef struct Jet {
    double v, d, dd;
} Jet;

static Jet as_jet(const double f[3]) {
    return (Jet){f[0], f[1], f[2]};
}

/* Rare operations, kept out of the fast loop. */
static Jet rare(const RbvExprInstruction *in, Jet u, Jet v) {
    double f[3];
    if (in->op >= RBV_OP_FIRST_UNARY && in->op != RBV_OP_ABS) {
        rbv_expr_unary(in, u.v, 1.0, f);
        if (rbv_expr_unary_is_flat(in, u.v))
            return (Jet){f[0], 0.0, 0.0};
        return (Jet){f[0], f[1] * u.d, f[1] * u.dd + f[2] * u.d * u.d};
    }
    const double uu[3] = {u.v, u.d, u.dd}, vv[3] = {v.v, v.d, v.dd};
    switch (in->op) {
    case RBV_OP_MIN:
    case RBV_OP_MAX: lesser_or_greater(in->op, f, uu, vv, 3); return as_jet(f);
    case RBV_OP_LESS:
    case RBV_OP_LESS_EQUAL:
    case RBV_OP_GREATER:
    case RBV_OP_GREATER_EQUAL:
    case RBV_OP_EQUAL:
    case RBV_OP_NOT_EQUAL: return (Jet){rbv_expr_binary_value(in->op, u.v, v.v), 0.0, 0.0};
    default:
        if (in->op < RBV_OP_FIRST_UNARY)
            chain_binary(in->op, f, uu, vv, 1);
        else
            chain_unary(in, f, uu, 1, 3);
        return as_jet(f);
    }
}

static void run_one(const RbvExpr *expr, double x, Jet *w) {
    w[0] = (Jet){x, 1.0, 0.0};
    for (int32_t k = 0; k < expr->program_count;) {
        const RbvExprInstruction *in = &expr->program[k++];
        Jet u = w[in->a], v = w[in->b], *out = &w[in->out];
        double c = in->with.number;
        switch (in->op) {
        case RBV_OP_CONSTANT: *out = (Jet){c, 0.0, 0.0}; break;
        case RBV_OP_MOVE: *out = u; break;
        case RBV_OP_BRANCH:
            if (isnan(u.v))
                *out = (Jet){NAN, NAN, NAN};
            k = branch(in, k - 1, u.v);
            break;
        case RBV_OP_JUMP: k = in->with.to.end; break;
        case RBV_OP_CALLBACK: chain_callback(in->with.callback, &out->v, &w[in->a].v, 1, 3); break;
        case RBV_OP_ADD: *out = (Jet){u.v + v.v, u.d + v.d, u.dd + v.dd}; break;
        case RBV_OP_ADD_CONSTANT: *out = (Jet){u.v + c, u.d, u.dd}; break;
        case RBV_OP_SUBTRACT: *out = (Jet){u.v - v.v, u.d - v.d, u.dd - v.dd}; break;
        case RBV_OP_SUBTRACT_FROM: *out = (Jet){c - u.v, -u.d, -u.dd}; break;
        case RBV_OP_MULTIPLY:
            *out = (Jet){u.v * v.v, v.v * u.d + u.v * v.d, v.v * u.dd + u.v * v.dd + 2 * (u.d * v.d)};
            break;
        case RBV_OP_SCALE: *out = (Jet){c * u.v, c * u.d, c * u.dd}; break;
        default: *out = rare(in, u, v);
        }
    }
}

double rbv_expr_jet_on(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian,
                       const RbvExprPieces *pieces) {
    if (gradient == NULL || expr->result < 0) {
        size_t n = (size_t)expr->variable_count;
        if (gradient != NULL) {
            fill(gradient, 0.0, n);
            fill(hessian, 0.0, n * n);
        }
        return rbv_expr_value_on(expr, x, work, pieces);
    }
    int32_t n = expr->variable_count;
    if (n == 1 && expr->use_count == 0 && !pieces) {
        Jet *w = (Jet *)(void *)work;
        run_one(expr, x[0], w);
        Jet r = w[expr->result];
        gradient[0] = r.d;
        hessian[0] = r.dd;
        return r.v;
    }
    run_jets(expr, x, work, pieces);
    const double *r = work + (size_t)expr->result * rbv_expr_jet_size(n), *second = r + 1 + n;
    memcpy(gradient, r + 1, (size_t)n * sizeof *gradient);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++)
            hessian[i * n + j] = hessian[j * n + i] = *second++;
    }
    return r[0];
}

double rbv_expr_jet(const RbvExpr *expr, const double *x, double *work, double *gradient, double *hessian) {
    return rbv_expr_jet_on(expr, x, work, gradient, hessian, NULL);
}

/* Largest term of a value, the scale of its rounding error: of u + v the larger term, of c u the term of u times c,
 * of u v those of u and v times the other factor; of all other operations the value itself. Example: 1 - cos(x) is
 * small, but its term is 1, so it is rounded to 1e-16 of 1. */

/* Largest term of an instruction's result, from those of its arguments where the operation passes them on. w, part:
 * [slots] values and terms before the instruction. */
static double parts_of(const RbvExprInstruction *in, const double *w, const double *part) {
    double u = part[in->a], c = fabs(in->with.number);
    bool sum = in->op == RBV_OP_ADD || in->op == RBV_OP_SUBTRACT,
         shift = in->op == RBV_OP_ADD_CONSTANT || in->op == RBV_OP_SUBTRACT_FROM;
    if (sum || shift)
        return fmax(u, sum ? part[in->b] : c);
    return in->op == RBV_OP_MULTIPLY    ? fmax(fabs(w[in->b]) * u, fabs(w[in->a]) * part[in->b])
           : in->op == RBV_OP_MOVE      ? u
           : in->op == RBV_OP_SCALE     ? c * u
           : in->op == RBV_OP_DIVIDE_BY ? u / c
           : in->op == RBV_OP_DIVIDE    ? u / fabs(w[in->b])
                                        : 0;
}

double rbv_expr_parts(const RbvExpr *expr, const double *x, double *w) {
    if (expr->result < 0 || expr->variable_count == 0)
        return fabs(rbv_expr_value(expr, x, w));
    double *part = w + expr->slot_count;
    for (int32_t k = 0; k < expr->variable_count; k++)
        part[k] = fabs(w[k] = x[k]);
    for (int32_t k = 0; k < expr->program_count;) {
        const RbvExprInstruction *in = &expr->program[k];
        double from = parts_of(in, w, part);
        k = expr_step(expr, k, w);
        if (in->op != RBV_OP_BRANCH && in->op != RBV_OP_JUMP)
            part[in->out] = fmax(from, fabs(w[in->out]));
    }
    return part[expr->result];
}
