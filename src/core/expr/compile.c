/* Tree -> program: constants are folded, every function is reduced to elementary operations on slots.
 *
 *   step(x, x0, y0, x1, y1) = y0 + (y1 - y0) S((x - x0)/(x1 - x0))     ramp(x, x0, x1) = w R((x - x0)/w), w = x1 - x0
 *   pulse(x, x0, x1, w) = S((x - x0)/w) - S((x - x1)/w)                poly(x, c0, c1, ...) = c0 + x (c1 + x (...))
 *   fourier(x, w, a0, a1, b1, ...) = a0 + sum_k ak cos(k w x) + bk sin(k w x)
 *
 * Slots are a stack: an operation frees those of its operands and writes to the lowest of them, which the kernels
 * allow. While compiling, variable k is slot ~k (negative), since their number is not known yet; renumber() puts them
 * first.
 */
#include "core/expr/node.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integer exponents up to this are products; beyond, pow is as exact and faster. */
#define MAX_PRODUCT_POWER 64

typedef struct Operand {
    bool constant;
    double number;
    int32_t slot;
} Operand;

typedef struct Compiler {
    RbvExpr *expr;
    RbvExprError *error;
    int32_t top, highest; /* temporaries in use now, and at most */
    int32_t conditional;  /* number of enclosing branches that may not be taken */
    bool failed;
} Compiler;

static Operand compile(Compiler *c, int32_t node);

static Operand constant(double number) {
    return (Operand){.constant = true, .number = number};
}

static Operand slot(int32_t k) {
    return (Operand){.slot = k};
}

RBV_PRINTF(3, 4) static void fail(Compiler *c, int32_t offset, const char *format, ...) {
    if (c->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->error->message, sizeof c->error->message, format, arguments);
    va_end(arguments);
    c->error->offset = (size_t)offset;
    c->failed = true;
}

static int32_t emit(Compiler *c, RbvExprInstruction in) {
    RbvExpr *e = c->expr;
    if (c->failed)
        return 0;
    if (e->program_count == e->program_capacity) {
        int32_t larger = e->program_capacity == 0 ? 8 : 2 * e->program_capacity;
        RbvExprInstruction *program = realloc(e->program, (size_t)larger * sizeof *program);
        if (program == NULL) {
            fail(c, 0, "no memory");
            return 0;
        }
        e->program = program;
        e->program_capacity = larger;
    }
    e->program[e->program_count] = in;
    return e->program_count++;
}

/* Emit an operation whose result goes to the next free slot. */
static Operand result_of(Compiler *c, RbvExprInstruction in) {
    in.out = c->top++;
    if (c->top > c->highest)
        c->highest = c->top;
    emit(c, in);
    return slot(in.out);
}

static Operand in_slot(Compiler *c, Operand a) {
    if (!a.constant)
        return a;
    return result_of(c, (RbvExprInstruction){.op = RBV_OP_CONSTANT, .with.number = a.number});
}

static Operand emit_unary(Compiler *c, RbvExprOp op, double number, Operand a) {
    RbvExprInstruction in = {.op = op, .a = a.slot, .with.number = number};
    return a.constant ? constant(rbv_expr_unary_value(&in, a.number)) : result_of(c, in);
}

static Operand with_number(Compiler *c, RbvExprOp op, Operand a, double number) {
    return result_of(c, (RbvExprInstruction){.op = op, .a = a.slot, .with.number = number});
}

static Operand two_slots(Compiler *c, RbvExprOp op, Operand a, Operand b) {
    return result_of(c, (RbvExprInstruction){.op = op, .a = a.slot, .b = b.slot});
}

static Operand emit_add(Compiler *c, Operand a, Operand b) {
    if (a.constant && b.constant)
        return constant(a.number + b.number);
    if (a.constant)
        return with_number(c, RBV_OP_ADD_CONSTANT, b, a.number);
    if (b.constant)
        return with_number(c, RBV_OP_ADD_CONSTANT, a, b.number);
    return two_slots(c, RBV_OP_ADD, a, b);
}

static Operand emit_subtract(Compiler *c, Operand a, Operand b) {
    if (a.constant && b.constant)
        return constant(a.number - b.number);
    if (a.constant)
        return with_number(c, RBV_OP_SUBTRACT_FROM, b, a.number);
    if (b.constant)
        return with_number(c, RBV_OP_ADD_CONSTANT, a, -b.number);
    return two_slots(c, RBV_OP_SUBTRACT, a, b);
}

static Operand emit_multiply(Compiler *c, Operand a, Operand b) {
    if (a.constant && b.constant)
        return constant(a.number * b.number);
    if (a.constant)
        return with_number(c, RBV_OP_SCALE, b, a.number);
    if (b.constant)
        return with_number(c, RBV_OP_SCALE, a, b.number);
    return two_slots(c, RBV_OP_MULTIPLY, a, b);
}

static Operand emit_divide(Compiler *c, Operand a, Operand b) {
    if (a.constant && b.constant)
        return constant(a.number / b.number);
    if (a.constant)
        return emit_unary(c, RBV_OP_DIVIDE_INTO, a.number, b);
    if (b.constant)
        return emit_unary(c, RBV_OP_DIVIDE_BY, b.number, a);
    return two_slots(c, RBV_OP_DIVIDE, a, b);
}

static Operand raise(Compiler *c, Operand a, Operand b) {
    if (a.constant && b.constant)
        return constant(rbv_expr_binary_value(RBV_OP_POWER, a.number, b.number));
    if (a.constant)
        return emit_unary(c, RBV_OP_EXPONENTIAL, a.number, b);
    if (!b.constant)
        return two_slots(c, RBV_OP_POWER, a, b);
    if (!(b.number < 2.0 || b.number > 2.0))
        return two_slots(c, RBV_OP_MULTIPLY, a, a);
    bool whole = fabs(b.number) <= MAX_PRODUCT_POWER && floor(b.number) >= b.number;
    return emit_unary(c, whole ? RBV_OP_INTEGER_POWER : RBV_OP_CONSTANT_POWER, b.number, a);
}

/* Functions of two jets that have no form with a constant. */
static Operand general(Compiler *c, RbvExprOp op, Operand a, Operand b, int32_t base) {
    if (a.constant && b.constant)
        return constant(rbv_expr_binary_value(op, a.number, b.number));
    a = in_slot(c, a);
    b = in_slot(c, b);
    c->top = base;
    return two_slots(c, op, a, b);
}

/* Put the operand into slot `base`; all slots above are then free. */
static Operand settle(Compiler *c, Operand a, int32_t base) {
    c->top = base;
    if (a.constant)
        return a;
    if (a.slot != base)
        return result_of(c, (RbvExprInstruction){.op = RBV_OP_MOVE, .a = a.slot});
    c->top = base + 1;
    return a;
}

static Operand variable(Compiler *c, RbvExprNode *node) {
    RbvExpr *e = c->expr;
    int32_t k = 0;
    while (k < e->variable_count && e->ids[k] != node->id)
        k++;
    if (k == e->variable_count) {
        if (e->variable_count == e->variable_capacity) {
            int32_t larger = e->variable_capacity == 0 ? 4 : 2 * e->variable_capacity;
            int32_t *ids = realloc(e->ids, (size_t)larger * sizeof *ids);
            if (ids == NULL) {
                fail(c, 0, "no memory");
                return constant(0);
            }
            e->ids = ids;
            e->variable_capacity = larger;
        }
        e->ids[e->variable_count++] = node->id;
    }
    node->variable = k;
    return slot(~k);
}

static int32_t child(const Compiler *c, int32_t node, int32_t k, bool *inverse) {
    int32_t link = c->expr->tree.links[c->expr->tree.nodes[node].first + k];
    *inverse = link < 0;
    return link < 0 ? ~link : link;
}

static Operand compile_chain(Compiler *c, int32_t node, bool is_sum) {
    int32_t base = c->top, count = c->expr->tree.nodes[node].count;
    bool inverse;
    Operand total = compile(c, child(c, node, 0, &inverse));
    for (int32_t k = 1; k < count && !c->failed; k++) {
        Operand next = compile(c, child(c, node, k, &inverse));
        c->top = base;
        if (is_sum)
            total = inverse ? emit_subtract(c, total, next) : emit_add(c, total, next);
        else
            total = inverse ? emit_divide(c, total, next) : emit_multiply(c, total, next);
        if (total.constant)
            c->top = base;
    }
    return total;
}

/* ---- calls ---- */

static int32_t argument_offset(const Compiler *c, int32_t node, int32_t k) {
    bool inverse;
    return c->expr->tree.nodes[child(c, node, k, &inverse)].offset;
}

/* b - a, which must be positive: checked now when both are constants, else while evaluating. `at` is the argument b. */
static Operand width(Compiler *c, int32_t node, Operand a, Operand b, int32_t at) {
    if (a.constant && b.constant && !(b.number > a.number)) {
        const RbvExprFunctionRow *f = c->expr->tree.nodes[node].function;
        fail(c, argument_offset(c, node, at), "%s: x1 must be greater than x0: %s", f->name, f->usage);
    }
    Operand w = emit_subtract(c, b, a);
    return w.constant ? w : emit_unary(c, RBV_OP_POSITIVE, 0, w);
}

static Operand compile_step(Compiler *c, int32_t node, const Operand *a, int32_t base) {
    Operand w = width(c, node, a[1], a[3], 3);
    Operand s = emit_unary(c, RBV_OP_RISE, 0, emit_divide(c, emit_subtract(c, a[0], a[1]), w));
    Operand rise = emit_multiply(c, emit_subtract(c, a[4], a[2]), s);
    c->top = base;
    return emit_add(c, a[2], rise);
}

static Operand ramp(Compiler *c, int32_t node, const Operand *a, int32_t base) {
    Operand w = width(c, node, a[1], a[2], 2);
    Operand r = emit_unary(c, RBV_OP_RUN, 0, emit_divide(c, emit_subtract(c, a[0], a[1]), w));
    c->top = base;
    return emit_multiply(c, w, r);
}

static Operand pulse(Compiler *c, int32_t node, const Operand *a, int32_t base) {
    Operand length = width(c, node, a[1], a[2], 2), end = a[2], w = a[3];
    if (!length.constant)
        end = emit_add(c, a[1], length);
    if (w.constant && !(w.number > 0)) {
        fail(c, argument_offset(c, node, 3), "pulse: the width must be positive");
    }
    if (!w.constant)
        w = emit_unary(c, RBV_OP_POSITIVE, 0, w);
    Operand up = emit_unary(c, RBV_OP_RISE, 0, emit_divide(c, emit_subtract(c, a[0], a[1]), w));
    Operand down = emit_unary(c, RBV_OP_RISE, 0, emit_divide(c, emit_subtract(c, a[0], end), w));
    c->top = base;
    return emit_subtract(c, up, down);
}

static Operand compile_poly(Compiler *c, const Operand *a, int32_t count, int32_t base) {
    Operand total = a[count - 1];
    int32_t here = c->top;
    for (int32_t k = count - 2; k >= 1; k--) {
        total = emit_multiply(c, total, a[0]);
        c->top = here;
        total = emit_add(c, total, a[k]);
    }
    return settle(c, total, base);
}

static Operand compile_fourier(Compiler *c, const Operand *a, int32_t count, int32_t base) {
    Operand angle = emit_multiply(c, a[1], a[0]), total = a[2];
    int32_t here = c->top;
    for (int32_t k = 1; 2 * k + 2 < count; k++) {
        Operand at = emit_multiply(c, constant(k), angle);
        Operand cosine = emit_multiply(c, a[2 * k + 1], emit_unary(c, RBV_OP_COS, 0, at));
        Operand sine = emit_multiply(c, a[2 * k + 2], emit_unary(c, RBV_OP_SIN, 0, at));
        total = settle(c, emit_add(c, total, emit_add(c, cosine, sine)), here);
    }
    return settle(c, total, base);
}

static Operand least_or_most(Compiler *c, const Operand *a, int32_t count, RbvExprOp op, int32_t base) {
    Operand total = a[0];
    int32_t here = c->top;
    for (int32_t k = 1; k < count; k++)
        total = general(c, op, total, a[k], here);
    return settle(c, total, base);
}

static Operand branches(Compiler *c, int32_t node) {
    RbvExpr *e = c->expr;
    bool inverse;
    int32_t base = c->top;
    Operand condition = compile(c, child(c, node, 0, &inverse));
    if (c->failed)
        return constant(0);
    if (condition.constant && !isnan(condition.number)) {
        int32_t taken = condition.number < 0 || condition.number > 0 ? 1 : 2;
        e->tree.nodes[node].taken = taken;
        c->top = base;
        return compile(c, child(c, node, taken, &inverse));
    }
    condition = in_slot(c, condition);
    int32_t branch = emit(c, (RbvExprInstruction){.op = RBV_OP_BRANCH, .a = condition.slot, .out = base});
    c->conditional++;
    c->top = base;
    settle(c, in_slot(c, compile(c, child(c, node, 1, &inverse))), base);
    int32_t jump = emit(c, (RbvExprInstruction){.op = RBV_OP_JUMP});
    if (!c->failed)
        e->program[branch].with.to.otherwise = e->program_count;
    c->top = base;
    settle(c, in_slot(c, compile(c, child(c, node, 2, &inverse))), base);
    c->conditional--;
    if (c->failed)
        return constant(0);
    e->program[branch].with.to.end = e->program_count;
    e->program[jump].with.to.end = e->program_count;
    if (c->top > c->highest)
        c->highest = c->top;
    return slot(base);
}

static Operand compile_call(Compiler *c, int32_t node) {
    const RbvExprFunctionRow *f = c->expr->tree.nodes[node].function;
    int32_t base = c->top, count = c->expr->tree.nodes[node].count;
    bool inverse;
    if (f->function == RBV_FN_IF)
        return branches(c, node);
    if (f->function == RBV_FN_UNARY) {
        Operand a = compile(c, child(c, node, 0, &inverse));
        c->top = base;
        return emit_unary(c, f->op, 0, a);
    }
    Operand few[8] = {{0}}, *a = few;
    if (count > 8)
        a = malloc((size_t)count * sizeof *a);
    if (a == NULL) {
        fail(c, 0, "no memory");
        return constant(0);
    }
    for (int32_t k = 0; k < count; k++) {
        a[k] = c->failed ? constant(0) : compile(c, child(c, node, k, &inverse));
    }
    Operand r = constant(0);
    if (!c->failed) {
        switch (f->function) {
        case RBV_FN_ATAN2: r = general(c, RBV_OP_ATAN2, a[0], a[1], base); break;
        case RBV_FN_MIN:
        case RBV_FN_MAX: r = least_or_most(c, a, count, f->op, base); break;
        case RBV_FN_STEP: r = compile_step(c, node, a, base); break;
        case RBV_FN_RAMP: r = ramp(c, node, a, base); break;
        case RBV_FN_PULSE: r = pulse(c, node, a, base); break;
        case RBV_FN_POLY: r = compile_poly(c, a, count, base); break;
        case RBV_FN_FOURIER: r = compile_fourier(c, a, count, base); break;
        case RBV_FN_UNARY:
        case RBV_FN_IMPACT:
        case RBV_FN_IF: break;
        }
    }
    if (a != few)
        free(a);
    return r;
}

static Operand compile_table(Compiler *c, int32_t node) {
    int32_t base = c->top;
    bool inverse;
    Operand a = compile(c, child(c, node, 0, &inverse));
    RbvExprInstruction in = {.op = RBV_OP_TABLE, .a = a.slot, .with.table = c->expr->tree.nodes[node].table};
    c->top = base;
    return a.constant ? constant(rbv_expr_unary_value(&in, a.number)) : result_of(c, in);
}

/* Compile a callback: its arguments, constants too, occupy consecutive slots. */
static Operand compile_callback(Compiler *c, int32_t node) {
    int32_t base = c->top, count = c->expr->tree.nodes[node].count;
    bool inverse;
    for (int32_t k = 0; k < count && !c->failed; k++)
        settle(c, in_slot(c, compile(c, child(c, node, k, &inverse))), base + k);
    c->top = base;
    return result_of(
        c, (RbvExprInstruction){.op = RBV_OP_CALLBACK, .a = base, .with.callback = c->expr->tree.nodes[node].callback});
}

static RbvExprUse *add_use(Compiler *c, const RbvExpr *of, int32_t order) {
    RbvExpr *e = c->expr;
    if (e->use_count == e->use_capacity) {
        int32_t larger = e->use_capacity == 0 ? 4 : 2 * e->use_capacity;
        RbvExprUse **uses = realloc(e->uses, (size_t)larger * sizeof *uses);
        if (uses == NULL)
            return NULL;
        e->uses = uses;
        e->use_capacity = larger;
    }
    size_t count = (size_t)(order + 1) * (size_t)of->variable_count;
    RbvExprUse *use = malloc(sizeof *use + count * sizeof use->at[0]);
    if (use == NULL)
        return NULL;
    use->of = of;
    use->order = order;
    e->uses[e->use_count++] = use;
    return use;
}

/* Compile the use of another expression: its variables become variables of this one. */
static Operand compile_defined(Compiler *c, int32_t node) {
    RbvExprTree *t = &c->expr->tree;
    RbvExprUse *use = add_use(c, t->nodes[node].of, t->nodes[node].order);
    if (use == NULL) {
        fail(c, 0, "no memory");
        return constant(0);
    }
    for (int32_t k = 0; k < t->nodes[node].count && !c->failed; k++) {
        bool inverse;
        int32_t at = child(c, node, k, &inverse);
        variable(c, &t->nodes[at]);
        use->at[k] = t->nodes[at].variable;
    }
    return result_of(c, (RbvExprInstruction){.op = RBV_OP_DEFINED, .a = ~0, .b = ~0, .with.use = use});
}

static Operand two_children(Compiler *c, int32_t node) {
    int32_t base = c->top;
    bool inverse;
    const RbvExprNode *n = &c->expr->tree.nodes[node];
    Operand a = compile(c, child(c, node, 0, &inverse));
    Operand b = c->failed ? constant(0) : compile(c, child(c, node, 1, &inverse));
    if (n->kind == RBV_NODE_COMPARISON)
        return general(c, n->comparison, a, b, base);
    c->top = base;
    return raise(c, a, b);
}

static Operand compile(Compiler *c, int32_t node) {
    RbvExprNode *n = &c->expr->tree.nodes[node];
    int32_t base = c->top;
    bool inverse;
    Operand r = constant(0);
    if (c->failed)
        return r;
    switch (n->kind) {
    case RBV_NODE_NUMBER: r = constant(n->number); break;
    case RBV_NODE_VARIABLE: r = variable(c, n); break;
    case RBV_NODE_SUM: r = compile_chain(c, node, true); break;
    case RBV_NODE_PRODUCT: r = compile_chain(c, node, false); break;
    case RBV_NODE_NEGATIVE:
        r = compile(c, child(c, node, 0, &inverse));
        c->top = base;
        r = emit_multiply(c, constant(-1.0), r);
        break;
    case RBV_NODE_POWER:
    case RBV_NODE_COMPARISON: r = two_children(c, node); break;
    case RBV_NODE_CALL: r = compile_call(c, node); break;
    case RBV_NODE_TABLE: r = compile_table(c, node); break;
    case RBV_NODE_CALLBACK: r = compile_callback(c, node); break;
    case RBV_NODE_DEFINED: r = compile_defined(c, node); break;
    }
    if (r.constant)
        c->top = base;
    if (r.constant && !isfinite(r.number) && c->conditional == 0 && !c->failed) {
        char message[sizeof c->error->message];
        rbv_expr_explain_node(&c->expr->tree, node, NULL, message, sizeof message);
        fail(c, n->offset, "%s", message);
    }
    return r;
}

static int32_t renumbered(int32_t s, int32_t variable_count) {
    return s < 0 ? ~s : s + variable_count;
}

bool rbv_expr_compile(RbvExpr *expr, RbvExprError *error) {
    Compiler c = {.expr = expr, .error = error};
    Operand r = compile(&c, expr->tree.root);
    if (c.failed)
        return false;
    int32_t n = expr->variable_count;
    for (int32_t k = 0; k < expr->program_count; k++) {
        RbvExprInstruction *in = &expr->program[k];
        in->out = renumbered(in->out, n);
        in->a = renumbered(in->a, n);
        in->b = renumbered(in->b, n);
    }
    rbv_expr_count_switches(expr);
    expr->slot_count = n + c.highest;
    expr->constant = r.constant ? r.number : 0.0;
    expr->result = r.constant ? -1 : renumbered(r.slot, n);
    return true;
}
