/* Dimensional homogeneity: terms of sums, operands of comparisons and arguments of functions must have fitting
 * dimensions. Numbers without a unit beside terms of known dimension are found, too.
 *
 * Bottom-up over the checked tree, each node gets a bond and exponents (expr.h):
 *
 *   a b, a/b    exponents add; a bare factor makes the product bare
 *   a + b       the dimension with the higher bond, which must fit that of the other (rad fits 1)
 *   a^n         exponents times n, a constant; a pure number takes any exponent
 *   sin, exp    of a pure number or an angle, not of cycles (2 pi f t, not f t); the value is pure, bond LOOSE
 *
 * A contradiction of a written unit is an error. Coordinates of different dimension added without a written unit (y -
 * x^2, where the factor of 1 1/m is usually left out) give a remark, and the sum fits any dimension.
 */
#include "core/expr/node.h"

#include "core/base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 128

typedef struct Inference {
    RbvExpr *expr;
    RbvExprError *error, remark;
    bool failed;
} Inference;

static RbvExprDimension infer(Inference *i, int32_t node);

static const RbvExprDimension bare = {.bond = RBV_EXPR_BARE};
static const RbvExprDimension loosely_pure = {.bond = RBV_EXPR_LOOSE};

static bool has_dimension(RbvExprDimension d) {
    return d.bond >= RBV_EXPR_KNOWN;
}

static int32_t child_at(const Inference *i, int32_t node, int32_t k, bool *inverse) {
    int32_t link = i->expr->tree.links[i->expr->tree.nodes[node].first + k];
    *inverse = link < 0;
    return link < 0 ? ~link : link;
}

static int32_t offset_of(const Inference *i, int32_t node, int32_t k) {
    bool inverse;
    return i->expr->tree.nodes[child_at(i, node, k, &inverse)].offset;
}

static RbvExprDimension infer_argument(Inference *i, int32_t node, int32_t k) {
    bool inverse;
    return infer(i, child_at(i, node, k, &inverse));
}

/* Record a contradiction of dimensions at `offset`: an error if a unit was written, else a remark; only the first of
 * each is kept. */
RBV_PRINTF(4, 5) static void contradict(Inference *i, bool declared, int32_t offset, const char *format, ...) {
    RbvExprError *error = declared ? i->error : &i->remark;
    if (i->failed || (!declared && error->message[0] != '\0'))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->offset = (size_t)offset;
    i->failed = declared;
}

/* a b^(half_power/2); other than half-integer or very large exponents are not tracked. */
static RbvExprDimension infer_product(RbvExprDimension a, RbvExprDimension b, int32_t half_power) {
    RbvExprDimension out = {.bond = a.bond > b.bond ? a.bond : b.bond};
    if (a.bond == RBV_EXPR_BARE || b.bond == RBV_EXPR_BARE ||
        !rbv_exponents_product(a.exponents, b.exponents, half_power, &out.exponents))
        return bare;
    return out;
}

/* Common dimension of two values. False: their dimensions contradict each other; *out then fits anything. */
static bool unite(RbvExprDimension a, RbvExprDimension b, RbvExprDimension *out) {
    *out = bare;
    if (!has_dimension(a) || !has_dimension(b)) {
        if (has_dimension(a) || has_dimension(b))
            *out = has_dimension(a) ? a : b;
        else if (a.bond == b.bond && rbv_exponents_equal(a.exponents, b.exponents))
            *out = a;
        return true;
    }
    if (!rbv_exponents_fit(a.exponents, b.exponents))
        return false;
    bool second = a.exponents.half[RBV_OF_ANGLE] == 0 && a.exponents.joules == 0;
    out->exponents = second ? b.exponents : a.exponents;
    out->bond = a.bond > b.bond ? a.bond : b.bond;
    return true;
}

const char *rbv_expr_time_hint(const RbvExpr *expr, RbvExponents a, RbvExponents b) {
    a.half[RBV_OF_TIME] = b.half[RBV_OF_TIME] = 0;
    for (int32_t k = 0; k < expr->tree.node_count && rbv_exponents_fit(a, b); k++) {
        const RbvExprNode *n = &expr->tree.nodes[k];
        if (n->kind == RBV_NODE_VARIABLE && n->dimension.bond == RBV_EXPR_LOOSE &&
            n->dimension.exponents.half[RBV_OF_TIME] != 0)
            return "; beside a factor with a unit t is a time [s]";
    }
    return "";
}

/* Kind of combination of two values, for the message about a contradiction. */
typedef enum Meeting { ADDED, SUBTRACTED, COMPARED, ARGUMENTS, POLYNOMIAL, TABLE } Meeting;

/* Common dimension of a (first operand) and b (at `offset`). `name`: of the function or table. */
static RbvExprDimension meet(Inference *i, RbvExprDimension a, RbvExprDimension b, int32_t offset, Meeting how,
                             const char *name) {
    RbvExprDimension out;
    char u[WORDS], v[WORDS];
    if (unite(a, b, &out))
        return out;
    bool declared = a.bond == RBV_EXPR_DECLARED || b.bond == RBV_EXPR_DECLARED;
    const char *hint = rbv_expr_time_hint(i->expr, a.exponents, b.exponents);
    rbv_exponents_words(a.exponents, u, sizeof u);
    rbv_exponents_words(b.exponents, v, sizeof v);
    switch (how) {
    case ADDED: contradict(i, declared, offset, "%s is added to %s%s", v, u, hint); break;
    case SUBTRACTED: contradict(i, declared, offset, "%s is subtracted from %s%s", v, u, hint); break;
    case COMPARED: contradict(i, declared, offset, "%s is compared with %s%s", u, v, hint); break;
    case ARGUMENTS:
        contradict(i, declared, offset, "%s is given %s and %s, which must be alike%s", name, u, v, hint);
        break;
    case POLYNOMIAL:
        contradict(i, declared, offset, "this term of %s is %s, those before are %s%s", name, v, u, hint);
        break;
    case TABLE: contradict(i, declared, offset, "the argument of table '%s' is %s, not %s%s", name, u, v, hint); break;
    }
    return out;
}

/* ---- operators ---- */

static RbvExprDimension infer_sum(Inference *i, int32_t node) {
    int32_t count = i->expr->tree.nodes[node].count;
    RbvExprDimension total = infer_argument(i, node, 0);
    for (int32_t k = 1; k < count && !i->failed; k++) {
        bool subtracted;
        RbvExprDimension term = infer(i, child_at(i, node, k, &subtracted));
        total = meet(i, total, term, offset_of(i, node, k), subtracted ? SUBTRACTED : ADDED, "");
    }
    return total;
}

static RbvExprDimension factors(Inference *i, int32_t node) {
    int32_t count = i->expr->tree.nodes[node].count;
    RbvExprDimension total = infer_argument(i, node, 0);
    for (int32_t k = 1; k < count && !i->failed; k++) {
        bool divides;
        RbvExprDimension factor = infer(i, child_at(i, node, k, &divides));
        total = infer_product(total, factor, divides ? -2 : 2);
    }
    return total;
}

/* Report an error unless `a` is a pure number or an angle. `what`: description for the message. */
static void want_pure(Inference *i, RbvExprDimension a, int32_t offset, const char *what) {
    char words[WORDS];
    if (i->failed || !has_dimension(a) || rbv_exponents_pure(a.exponents))
        return;
    rbv_exponents_words(a.exponents, words, sizeof words);
    RbvExponents cycles = a.exponents;
    cycles.half[RBV_OF_CYCLE] = 0;
    if (rbv_exponents_pure(cycles))
        contradict(i, a.bond == RBV_EXPR_DECLARED, offset, "%s is %s; for an angle write 2*pi*f*t", what, words);
    else
        contradict(i, a.bond == RBV_EXPR_DECLARED, offset, "%s is %s; it must be a pure number or an angle", what,
                   words);
}

static RbvExprDimension infer_comparison(Inference *i, int32_t node) {
    RbvExprDimension left = infer_argument(i, node, 0), right = infer_argument(i, node, 1);
    meet(i, left, right, offset_of(i, node, 1), COMPARED, "");
    return loosely_pure;
}

static RbvExprDimension infer_power(Inference *i, int32_t node) {
    bool inverse;
    RbvExprDimension base = infer_argument(i, node, 0), exponent = infer_argument(i, node, 1);
    double n = rbv_expr_constant_node(&i->expr->tree, child_at(i, node, 1, &inverse));
    want_pure(i, exponent, offset_of(i, node, 1), "the exponent");
    if (base.bond == RBV_EXPR_BARE)
        return bare;
    if (rbv_exponents_pure(base.exponents) && base.exponents.half[RBV_OF_ANGLE] == 0)
        return base;
    if (isfinite(n))
        return fabs(n) <= 100 && rint(2 * n) == 2 * n ? infer_product(loosely_pure, base, (int32_t)(2 * n)) : bare;
    if (base.bond == RBV_EXPR_DECLARED && !rbv_exponents_pure(base.exponents)) {
        char words[WORDS];
        rbv_exponents_words(base.exponents, words, sizeof words);
        contradict(i, true, offset_of(i, node, 1), "%s has an exponent that varies; only a pure number can", words);
    }
    return bare;
}

/* ---- functions ---- */

static RbvExprDimension infer_unary(Inference *i, int32_t node) {
    const RbvExprFunctionRow *f = i->expr->tree.nodes[node].function;
    RbvExprDimension x = infer_argument(i, node, 0);
    char what[64];
    switch (f->op) {
    case RBV_OP_SQRT: return infer_product(loosely_pure, x, 1);
    case RBV_OP_ABS:
    case RBV_OP_FLOOR: return x;
    case RBV_OP_SIGN: return loosely_pure;
    default: break;
    }
    snprintf(what, sizeof what, "the argument of %s", f->name);
    want_pure(i, x, offset_of(i, node, 0), what);
    bool angle = f->op == RBV_OP_ASIN || f->op == RBV_OP_ACOS || f->op == RBV_OP_ATAN;
    return angle ? (RbvExprDimension){RBV_EXPR_KNOWN, rbv_dimension_exponents(RBV_DIM_ANGLE)} : loosely_pure;
}

/* Common dimension of `count` arguments first, first + stride, ... */
static RbvExprDimension alike(Inference *i, int32_t node, int32_t first, int32_t stride, int32_t count) {
    RbvExprDimension all = infer_argument(i, node, first);
    const char *name = i->expr->tree.nodes[node].function->name;
    for (int32_t k = 1; k < count && !i->failed; k++) {
        int32_t at = first + k * stride;
        all = meet(i, all, infer_argument(i, node, at), offset_of(i, node, at), ARGUMENTS, name);
    }
    return all;
}

/* sum ck x^k */
static RbvExprDimension infer_poly(Inference *i, int32_t node) {
    RbvExprDimension x = infer_argument(i, node, 0), total = infer_argument(i, node, 1);
    for (int32_t k = 2; k < i->expr->tree.nodes[node].count && !i->failed; k++) {
        RbvExprDimension term = infer_argument(i, node, k);
        total = meet(i, total, infer_product(term, x, 2 * (k - 1)), offset_of(i, node, k), POLYNOMIAL, "poly");
    }
    return total;
}

/* a0 + sum ak cos(k w x) + bk sin(k w x) */
static RbvExprDimension infer_fourier(Inference *i, int32_t node) {
    RbvExprDimension x = infer_argument(i, node, 0), w = infer_argument(i, node, 1);
    want_pure(i, infer_product(x, w, 2), offset_of(i, node, 1), "w*x of fourier");
    return alike(i, node, 2, 1, i->expr->tree.nodes[node].count - 2);
}

static RbvExprDimension infer_call(Inference *i, int32_t node) {
    int32_t count = i->expr->tree.nodes[node].count;
    switch (i->expr->tree.nodes[node].function->function) {
    case RBV_FN_UNARY: return infer_unary(i, node);
    case RBV_FN_ATAN2:
        alike(i, node, 0, 1, 2);
        return (RbvExprDimension){RBV_EXPR_KNOWN, rbv_dimension_exponents(RBV_DIM_ANGLE)};
    case RBV_FN_MIN:
    case RBV_FN_MAX: return alike(i, node, 0, 1, count);
    case RBV_FN_IF: infer_argument(i, node, 0); return alike(i, node, 1, 1, 2);
    case RBV_FN_STEP: {
        RbvExprDimension x = alike(i, node, 0, 1, 2);
        meet(i, x, infer_argument(i, node, 3), offset_of(i, node, 3), ARGUMENTS, "step");
        return alike(i, node, 2, 2, 2);
    }
    case RBV_FN_RAMP: return alike(i, node, 0, 1, 3);
    case RBV_FN_PULSE: alike(i, node, 0, 1, 4); return loosely_pure;
    case RBV_FN_POLY: return infer_poly(i, node);
    case RBV_FN_FOURIER: return infer_fourier(i, node);
    case RBV_FN_IMPACT: break;
    }
    return bare;
}

static RbvExprDimension infer_table(Inference *i, int32_t node) {
    const RbvExprNode *n = &i->expr->tree.nodes[node];
    RbvExprDimension x = infer_argument(i, node, 0);
    meet(i, n->requested, x, offset_of(i, node, 0), TABLE, rbv_spline_name(n->table));
    return n->dimension;
}

static RbvExprDimension infer(Inference *i, int32_t node) {
    const RbvExprNode *n = &i->expr->tree.nodes[node];
    RbvExprDimension out = bare;
    if (i->failed)
        return out;
    switch (n->kind) {
    case RBV_NODE_NUMBER:
    case RBV_NODE_VARIABLE:
    case RBV_NODE_DEFINED: out = n->dimension; break;
    case RBV_NODE_SUM: out = infer_sum(i, node); break;
    case RBV_NODE_PRODUCT: out = factors(i, node); break;
    case RBV_NODE_NEGATIVE: out = infer_argument(i, node, 0); break;
    case RBV_NODE_POWER: out = infer_power(i, node); break;
    case RBV_NODE_COMPARISON: out = infer_comparison(i, node); break;
    case RBV_NODE_CALL: out = infer_call(i, node); break;
    case RBV_NODE_TABLE: out = infer_table(i, node); break;
    case RBV_NODE_CALLBACK:
        for (int32_t k = 0; k < n->count; k++)
            infer_argument(i, node, k);
        break;
    }
    i->expr->tree.nodes[node].measures = out;
    i->expr->has_dimension = i->expr->has_dimension || has_dimension(out);
    return out;
}

bool rbv_expr_infer(RbvExpr *expr, RbvExprError *error) {
    Inference i = {.expr = expr, .error = error};
    i.remark.message[0] = '\0';
    expr->dimension = infer(&i, expr->tree.root);
    if (i.failed || i.remark.message[0] == '\0')
        return !i.failed;
    expr->remark = malloc(sizeof *expr->remark);
    if (expr->remark)
        *expr->remark = i.remark;
    else
        *error = (RbvExprError){.message = "no memory"};
    return expr->remark != NULL;
}

/* Finds numbers without a unit beside terms of known dimension, such as 60 in "60 + n*t" where n is a speed. They
 * count as SI, which may not be the user's intention.
 *
 * Checked are terms of sums, operands of comparisons, and arguments that must have the same dimension: one of them
 * has a dimension, and another consists of numbers, t and functions of these only. 0 is 0 in any unit, and pi means
 * radians. A constant argument of sin, cos or tan is reported too.
 */

#define MOST_ALIKE 16

typedef struct Search {
    const RbvExprTree *tree;
    RbvBareTerm *out;
    int32_t count, most;
} Search;

static int32_t child_of(const RbvExprTree *tree, int32_t node, int32_t k) {
    int32_t link = tree->links[tree->nodes[node].first + k];
    return link < 0 ? ~link : link;
}

/* True if no operand has a dimension of its own; with `angle` also no pi. */
static bool is_plain(const RbvExprTree *tree, int32_t node, bool angle) {
    const RbvExprNode *n = &tree->nodes[node];
    if (n->measures.bond >= RBV_EXPR_KNOWN || n->computed ||
        (angle && n->kind == RBV_NODE_NUMBER && n->number == RBV_PI))
        return false;
    for (int32_t k = 0; k < n->count; k++)
        if (!is_plain(tree, child_of(tree, node, k), angle))
            return false;
    return true;
}

static void add_bare_term(Search *s, int32_t node, RbvExponents beside, bool turned) {
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
        add_bare_term(s, nodes[k], firm->exponents, false);
}

/* Check the arguments first, first + stride, ... */
static void ask_some(Search *s, int32_t node, int32_t first, int32_t stride, int32_t count) {
    int32_t nodes[MOST_ALIKE];
    count = count < MOST_ALIKE ? count : MOST_ALIKE;
    for (int32_t k = 0; k < count; k++)
        nodes[k] = child_of(s->tree, node, first + k * stride);
    ask(s, nodes, count);
}

static void ask_call(Search *s, int32_t node) {
    const RbvExprNode *n = &s->tree->nodes[node];
    switch (n->function->function) {
    case RBV_FN_UNARY:
        if (n->function->op == RBV_OP_SIN || n->function->op == RBV_OP_COS || n->function->op == RBV_OP_TAN)
            add_bare_term(s, child_of(s->tree, node, 0), rbv_dimension_exponents(RBV_DIM_ANGLE), true);
        break;
    case RBV_FN_ATAN2:
    case RBV_FN_MIN:
    case RBV_FN_MAX:
    case RBV_FN_RAMP:
    case RBV_FN_PULSE: ask_some(s, node, 0, 1, n->count); break;
    case RBV_FN_IF: ask_some(s, node, 1, 1, 2); break;
    case RBV_FN_STEP: {
        int32_t x[3] = {child_of(s->tree, node, 0), child_of(s->tree, node, 1), child_of(s->tree, node, 3)};
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
        add_bare_term(s, child_of(s->tree, node, 0), n->requested.exponents, false);
    for (int32_t k = 0; k < n->count; k++)
        search(s, child_of(s->tree, node, k));
}

int32_t rbv_expr_bare_terms(const RbvExpr *expr, RbvBareTerm *out, int32_t most) {
    Search s = {.tree = &expr->tree, .out = out, .most = most};
    search(&s, expr->tree.root);
    return s.count;
}
