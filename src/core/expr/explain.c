/* Evaluates the tree to explain why a value is not finite, and to test smoothness, truth values and degree.
 *
 * Reported is the first node, in the order of evaluation, that is not finite although all its operands are. If the
 * value is finite but a derivative is not (sqrt at 0), it is the first node with a singular derivative there.
 */
#include "core/expr/node.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Walk {
    const RbvExprTree *tree;
    const double *x;
    char *message;
    size_t size;
    bool found;    /* a value that is not finite */
    bool singular; /* a derivative that is not finite */
} Walk;

static double node_value(Walk *walk, int32_t node);

/* Six digits, a point whatever the locale. */
static const char *shown(double value, char text[32]) {
    snprintf(text, 32, "%.6g", value);
    for (char *c = text; *c != '\0'; c++) {
        bool ordinary = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '+';
        if (ordinary)
            continue;
        *c = '.';
        char *rest = c + 1;
        while ((unsigned char)*rest >= 0x80)
            rest++;
        memmove(c + 1, rest, strlen(rest) + 1);
    }
    return text;
}

RBV_PRINTF(2, 3) static void blame(Walk *walk, const char *format, ...) {
    if (walk->found)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(walk->message, walk->size, format, arguments);
    va_end(arguments);
    walk->found = true;
}

static void blame_derivative(Walk *walk, const char *what, double at) {
    char a[32];
    if (walk->found || walk->singular)
        return;
    snprintf(walk->message, walk->size, "%s of %s has no finite derivative", what, shown(at, a));
    walk->singular = true;
}

static int32_t link_of(const Walk *walk, const RbvExprNode *n, int32_t k, bool *inverse) {
    int32_t link = walk->tree->links[n->first + k];
    *inverse = link < 0;
    return link < 0 ? ~link : link;
}

static double value_of_argument(Walk *walk, const RbvExprNode *n, int32_t k) {
    bool inverse;
    return node_value(walk, link_of(walk, n, k, &inverse));
}

/* Does the node's value depend on a variable? */
static bool varies(const RbvExprTree *tree, const RbvExprNode *n) {
    if (n->kind == RBV_NODE_VARIABLE)
        return n->variable >= 0;
    if (n->kind == RBV_NODE_CALLBACK) /* the value of a callback may vary */
        return true;
    if (n->taken > 0)
        return varies(tree, rbv_expr_child(tree, n, n->taken, NULL));
    for (int32_t k = 0; k < n->count; k++) {
        if (varies(tree, rbv_expr_child(tree, n, k, NULL)))
            return true;
    }
    return false;
}

static double value_of_chain(Walk *walk, const RbvExprNode *n) {
    char a[32], b[32];
    double total = value_of_argument(walk, n, 0);
    for (int32_t k = 1; k < n->count; k++) {
        bool inverse;
        double next = node_value(walk, link_of(walk, n, k, &inverse)), before = total;
        if (n->kind == RBV_NODE_SUM)
            total = inverse ? total - next : total + next;
        else
            total = inverse ? total / next : total * next;
        if (isfinite(total) || !isfinite(before) || !isfinite(next))
            continue;
        if (inverse && n->kind == RBV_NODE_PRODUCT && !(next < 0 || next > 0)) {
            blame(walk, "division of %s by 0", shown(before, a));
        } else {
            static const char *const signs[2][2] = {{"*", "/"}, {"+", "-"}};
            const char *sign = signs[n->kind == RBV_NODE_SUM][inverse];
            blame(walk, "%s %s %s is too large", shown(before, a), sign, shown(next, b));
        }
    }
    return total;
}

static double value_of_power(Walk *walk, const RbvExprNode *n) {
    char a[48], b[32];
    double base = value_of_argument(walk, n, 0), exponent = value_of_argument(walk, n, 1);
    double r = rbv_expr_binary_value(RBV_OP_POWER, base, exponent);
    if (isfinite(base) && isfinite(exponent)) {
        if (isnan(r))
            blame(walk, "(%s)^%s is no real number", shown(base, a), shown(exponent, b));
        else if (isinf(r) && !(base < 0 || base > 0))
            blame(walk, "0^%s is a division by 0", shown(exponent, b));
        else if (isinf(r))
            blame(walk, "(%s)^%s is too large", shown(base, a), shown(exponent, b));
        else if (!(base < 0 || base > 0) && varies(walk->tree, rbv_expr_child(walk->tree, n, 0, NULL))) {
            double f[6];
            rbv_expr_binary(RBV_OP_POWER, base, exponent, f);
            if (!isfinite(f[1]) || !isfinite(f[3])) {
                snprintf(a, sizeof a, "power %s", shown(exponent, b));
                blame_derivative(walk, a, base);
            }
        }
    }
    return r;
}

static double value_of_unary(Walk *walk, const RbvExprNode *n) {
    char a[32];
    RbvExprInstruction in = {.op = n->function->op};
    double x = value_of_argument(walk, n, 0), r = rbv_expr_unary_value(&in, x);
    if (!isfinite(x))
        return r;
    if (isinf(r) && in.op != RBV_OP_LOG)
        blame(walk, "%s of %s is too large", n->function->name, shown(x, a));
    else if (!isfinite(r))
        blame(walk, "%s of %s", n->function->name, shown(x, a));
    double f[3];
    rbv_expr_unary(&in, x, 1.0, f);
    if (isfinite(r) && varies(walk->tree, n) && (!isfinite(f[1]) || !isfinite(f[2])))
        blame_derivative(walk, n->function->name, x);
    return r;
}

static double rise_at(RbvExprOp op, double s) {
    RbvExprInstruction in = {.op = op};
    return rbv_expr_unary_value(&in, s);
}

static double steps(Walk *walk, const RbvExprNode *n) {
    char u[32], v[32];
    double a[5] = {0};
    bool finite = true;
    for (int32_t k = 0; k < n->count; k++) {
        a[k] = value_of_argument(walk, n, k);
        finite = finite && isfinite(a[k]);
    }
    double x0 = a[1], x1 = n->function->function == RBV_FN_STEP ? a[3] : a[2], r;
    if (n->function->function == RBV_FN_STEP) {
        r = a[2] + (a[4] - a[2]) * rise_at(RBV_OP_RISE, (a[0] - x0) / (x1 - x0));
    } else if (n->function->function == RBV_FN_RAMP) {
        r = (x1 - x0) * rise_at(RBV_OP_RUN, (a[0] - x0) / (x1 - x0));
    } else {
        r = rise_at(RBV_OP_RISE, (a[0] - x0) / a[3]) - rise_at(RBV_OP_RISE, (a[0] - x1) / a[3]);
        if (finite && !(a[3] > 0)) {
            blame(walk, "pulse with the width %s, which must be positive", shown(a[3], u));
            return NAN;
        }
    }
    if (finite && !(x1 > x0)) {
        blame(walk, "%s from x0 = %s to x1 = %s, which must be greater", n->function->name, shown(x0, u), shown(x1, v));
        return NAN;
    }
    if (finite && !isfinite(r))
        blame(walk, "%s of %s is too large", n->function->name, shown(a[0], u));
    return finite ? r : NAN;
}

static double value_of_poly(Walk *walk, const RbvExprNode *n) {
    char u[32];
    double x = value_of_argument(walk, n, 0), r = 0, power_of_x = 1;
    bool finite = isfinite(x);
    for (int32_t k = 1; k < n->count; k++) {
        double c = value_of_argument(walk, n, k);
        finite = finite && isfinite(c);
        r += c * power_of_x;
        power_of_x *= x;
    }
    if (finite && !isfinite(r))
        blame(walk, "poly of %s is too large", shown(x, u));
    return r;
}

static double value_of_fourier(Walk *walk, const RbvExprNode *n) {
    char u[32];
    double x = value_of_argument(walk, n, 0), w = value_of_argument(walk, n, 1), r = value_of_argument(walk, n, 2);
    bool finite = isfinite(x) && isfinite(w) && isfinite(r);
    for (int32_t k = 1; 2 * k + 2 < n->count; k++) {
        double a = value_of_argument(walk, n, 2 * k + 1), b = value_of_argument(walk, n, 2 * k + 2);
        finite = finite && isfinite(a) && isfinite(b);
        r += a * cos(k * w * x) + b * sin(k * w * x);
    }
    if (finite && !isfinite(r))
        blame(walk, "fourier of %s is too large", shown(x, u));
    return r;
}

static double value_of_call(Walk *walk, const RbvExprNode *n) {
    double a, b;
    switch (n->function->function) {
    case RBV_FN_UNARY: return value_of_unary(walk, n);
    case RBV_FN_ATAN2:
        a = value_of_argument(walk, n, 0);
        b = value_of_argument(walk, n, 1);
        if (!(a < 0 || a > 0 || b < 0 || b > 0) && isfinite(a) && isfinite(b) && varies(walk->tree, n)) {
            blame_derivative(walk, "atan2 of 0 and", b);
        }
        return rbv_expr_binary_value(RBV_OP_ATAN2, a, b);
    case RBV_FN_MIN:
    case RBV_FN_MAX:
        a = value_of_argument(walk, n, 0);
        for (int32_t k = 1; k < n->count; k++)
            a = rbv_expr_binary_value(n->function->op, a, value_of_argument(walk, n, k));
        return a;
    case RBV_FN_IF:
        if (n->taken > 0)
            return value_of_argument(walk, n, n->taken);
        a = value_of_argument(walk, n, 0);
        if (isnan(a))
            return a;
        return value_of_argument(walk, n, a < 0 || a > 0 ? 1 : 2);
    case RBV_FN_STEP:
    case RBV_FN_RAMP:
    case RBV_FN_PULSE: return steps(walk, n);
    case RBV_FN_POLY: return value_of_poly(walk, n);
    case RBV_FN_FOURIER: return value_of_fourier(walk, n);
    case RBV_FN_IMPACT: break;
    }
    return NAN;
}

static double value_of_table(Walk *walk, const RbvExprNode *n) {
    char u[32], v[32], w[32];
    RbvExprInstruction in = {.op = RBV_OP_TABLE, .with.table = n->table};
    double x = value_of_argument(walk, n, 0), r = rbv_expr_unary_value(&in, x), first, last;
    if (isfinite(x) && !isfinite(r)) {
        rbv_spline_range(n->table, &first, &last);
        const char *name = rbv_spline_name(n->table);
        blame(walk, "%s(%s): outside the table, %s to %s", name, shown(x, u), shown(first, v), shown(last, w));
    }
    return r;
}

static double value_of_callback(Walk *walk, const RbvExprNode *n) {
    double x[RBV_CALLBACK_ARGUMENTS];
    char text[120] = "", u[32];
    bool finite = true;
    size_t used = 0;
    for (int32_t k = 0; k < n->count; k++) {
        x[k] = value_of_argument(walk, n, k);
        finite = finite && isfinite(x[k]);
        int more = snprintf(text + used, sizeof text - used, "%s%s", k ? ", " : "", shown(x[k], u));
        used = more > 0 && used + (size_t)more < sizeof text ? used + (size_t)more : sizeof text - 1;
    }
    double r = finite ? n->callback->evaluate(n->callback->context, x, NULL, NULL) : NAN;
    if (finite && !isfinite(r))
        blame(walk, "%s(%s) is %s", n->callback->name, text, shown(r, u));
    return r;
}

/* Value of a defined expression: an error in it is explained as an error of that expression. */
static double value_of_defined(Walk *walk, const RbvExprNode *n) {
    double *x = walk->x == NULL ? NULL : malloc(((size_t)n->count + 1) * sizeof *x), r = NAN;
    if (x == NULL)
        return r;
    for (int32_t k = 0; k < n->count; k++)
        x[k] = value_of_argument(walk, n, k);
    Walk inner = {.tree = &n->of->tree,
                  .x = x,
                  .message = walk->message,
                  .size = walk->size,
                  .found = walk->found,
                  .singular = walk->singular};
    r = node_value(&inner, n->of->tree.root);
    walk->found = inner.found;
    walk->singular = inner.singular;
    free(x);
    return n->order == 0 || !isfinite(r) ? r : 0; /* rates: any number other than NaN is sufficient */
}

static double node_value(Walk *walk, int32_t node) {
    const RbvExprNode *n = &walk->tree->nodes[node];
    char u[32];
    double r = NAN;
    switch (n->kind) {
    case RBV_NODE_NUMBER:
    case RBV_NODE_VARIABLE:
        if (n->kind == RBV_NODE_NUMBER)
            r = n->number;
        else if (n->variable >= 0 && walk->x != NULL)
            r = walk->x[n->variable];
        if (!isfinite(r)) {
            int shown_length = n->length < 100 ? n->length : 100;
            blame(walk, "%.*s is %s", shown_length, walk->tree->text + n->offset, shown(r, u));
        }
        return r;
    case RBV_NODE_SUM:
    case RBV_NODE_PRODUCT: return value_of_chain(walk, n);
    case RBV_NODE_NEGATIVE: return -value_of_argument(walk, n, 0);
    case RBV_NODE_POWER: return value_of_power(walk, n);
    case RBV_NODE_COMPARISON: {
        double a = value_of_argument(walk, n, 0), b = value_of_argument(walk, n, 1);
        return rbv_expr_binary_value(n->comparison, a, b);
    }
    case RBV_NODE_CALL: return value_of_call(walk, n);
    case RBV_NODE_TABLE: return value_of_table(walk, n);
    case RBV_NODE_CALLBACK: return value_of_callback(walk, n);
    case RBV_NODE_DEFINED: return value_of_defined(walk, n);
    }
    return r;
}

double rbv_expr_constant_node(const RbvExprTree *tree, int32_t node) {
    Walk walk = {.tree = tree, .found = true};
    return varies(tree, &tree->nodes[node]) ? NAN : node_value(&walk, node);
}

double rbv_expr_node_value(const RbvExprTree *tree, int32_t node, const double *x) {
    Walk walk = {.tree = tree, .x = x, .found = true};
    return node_value(&walk, node);
}

void rbv_expr_explain_node(const RbvExprTree *tree, int32_t node, const double *x, char *message, size_t size) {
    if (size == 0)
        return;
    Walk walk = {.tree = tree, .x = x, .message = message, .size = size};
    message[0] = '\0';
    double r = node_value(&walk, node);
    if (walk.found || walk.singular)
        return;
    char u[32];
    if (isfinite(r))
        snprintf(message, size, "the value %s is finite", shown(r, u));
    else
        snprintf(message, size, "the value is %s", shown(r, u));
}

void rbv_expr_explain(const RbvExpr *expr, const double *x, double *work, char *message, size_t size) {
    (void)work;
    rbv_expr_explain_node(&expr->tree, expr->tree.root, x, message, size);
}

/* ---- smoothness ---- */

static bool depends(const RbvExprTree *tree, const RbvExprNode *n, int32_t variable) {
    if (n->kind == RBV_NODE_VARIABLE)
        return n->variable == variable;
    if (n->taken > 0)
        return depends(tree, rbv_expr_child(tree, n, n->taken, NULL), variable);
    for (int32_t k = 0; k < n->count; k++) {
        if (depends(tree, rbv_expr_child(tree, n, k, NULL), variable))
            return true;
    }
    return false;
}

static bool is_smooth(const RbvExprTree *tree, const RbvExprNode *n, int32_t variable, const char **why) {
    if (n->taken > 0)
        return is_smooth(tree, rbv_expr_child(tree, n, n->taken, NULL), variable, why);
    if (n->kind == RBV_NODE_CALL && n->function->function == RBV_FN_IF) {
        if (depends(tree, rbv_expr_child(tree, n, 0, NULL), variable)) {
            *why = n->function->name;
            return false;
        }
    } else if (n->kind == RBV_NODE_COMPARISON || (n->kind == RBV_NODE_CALL && !n->function->smooth)) {
        if (depends(tree, n, variable)) {
            *why = n->kind == RBV_NODE_CALL ? n->function->name : rbv_expr_comparison_text(n->comparison);
            return false;
        }
    }
    if (n->kind == RBV_NODE_CALLBACK && n->callback->derivatives < 2 && depends(tree, n, variable)) {
        *why = n->callback->name;
        return false;
    }
    for (int32_t k = 0; k < n->count; k++) {
        if (!is_smooth(tree, rbv_expr_child(tree, n, k, NULL), variable, why))
            return false;
    }
    if (n->kind == RBV_NODE_DEFINED && depends(tree, n, variable)) {
        for (int32_t k = 0; k < n->of->variable_count; k++)
            if (!rbv_expr_is_smooth(n->of, k, why))
                return false;
    }
    return true;
}

double rbv_expr_next_knot(const RbvExpr *expr, int32_t k, double x) {
    double next = INFINITY;
    for (int32_t i = 0; i < expr->tree.node_count; i++) {
        const RbvExprNode *n = &expr->tree.nodes[i];
        if (n->kind != RBV_NODE_TABLE)
            continue;
        const RbvExprNode *of = rbv_expr_child(&expr->tree, n, 0, NULL);
        if (of->kind == RBV_NODE_VARIABLE && of->variable == k)
            next = fmin(next, rbv_spline_next_knot(n->table, x));
    }
    return next;
}

bool rbv_expr_is_smooth(const RbvExpr *expr, int32_t k, const char **why) {
    const char *ignored;
    return is_smooth(&expr->tree, &expr->tree.nodes[expr->tree.root], k, why != NULL ? why : &ignored);
}

/* ---- truth ---- */

static bool is_truth(const RbvExprTree *tree, const RbvExprNode *n);

/* An operand of and, or: a truth value, or the constant 0 or 1 that the parser inserts. */
static bool is_truth_or_bit(const RbvExprTree *tree, const RbvExprNode *n) {
    return is_truth(tree, n) || (n->kind == RBV_NODE_NUMBER && (n->number == 0 || n->number == 1));
}

static bool is_truth(const RbvExprTree *tree, const RbvExprNode *n) {
    if (n->kind == RBV_NODE_COMPARISON)
        return true;
    if (n->kind == RBV_NODE_DEFINED)
        return n->order == 0 && rbv_expr_is_truth(n->of);
    if (n->kind != RBV_NODE_CALL || n->function->function != RBV_FN_IF)
        return false;
    return is_truth_or_bit(tree, rbv_expr_child(tree, n, 1, NULL)) &&
           is_truth_or_bit(tree, rbv_expr_child(tree, n, 2, NULL));
}

bool rbv_expr_is_truth(const RbvExpr *expr) {
    return is_truth(&expr->tree, &expr->tree.nodes[expr->tree.root]);
}

int32_t rbv_expr_derivatives(const RbvExpr *expr, const char **name) {
    int32_t least = 2;
    for (int32_t k = 0; k < expr->tree.node_count; k++) {
        const RbvExprNode *n = &expr->tree.nodes[k];
        if (n->kind != RBV_NODE_CALLBACK || n->callback->derivatives >= least)
            continue;
        least = n->callback->derivatives;
        *name = n->callback->name;
    }
    return least;
}

/* ---- degree ---- */

/* Degree in the chosen variables: 0: none occurs, 1: affine, 2: other. chosen[variable of the expression]. */
static int degree(const RbvExprTree *tree, const RbvExprNode *n, const bool *chosen) {
    if (n->taken > 0)
        return degree(tree, rbv_expr_child(tree, n, n->taken, NULL), chosen);
    if (n->kind == RBV_NODE_VARIABLE)
        return chosen[n->variable];
    int most = 0, sum = 0;
    for (int32_t k = 0; k < n->count; k++) {
        bool inverted = false;
        int part = degree(tree, rbv_expr_child(tree, n, k, &inverted), chosen);
        most = part > most ? part : most;
        sum += n->kind == RBV_NODE_PRODUCT && inverted && part > 0 ? 2 : part;
    }
    switch (n->kind) {
    case RBV_NODE_SUM:
    case RBV_NODE_NEGATIVE: return most;
    case RBV_NODE_PRODUCT: return sum > 1 ? 2 : sum;
    default: break;
    }
    bool branch = n->kind == RBV_NODE_CALL && n->function->function == RBV_FN_IF;
    if (branch && degree(tree, rbv_expr_child(tree, n, 0, NULL), chosen) == 0)
        return most;
    return most > 0 ? 2 : 0;
}

bool rbv_expr_is_affine(const RbvExpr *expr, const bool *chosen) {
    return degree(&expr->tree, &expr->tree.nodes[expr->tree.root], chosen) < 2;
}
