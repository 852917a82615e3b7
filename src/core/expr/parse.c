/* Text -> checked tree, by recursive descent. One blank-skipping cursor; the first mistake ends it.
 *
 *   condition  = both {"or" both},   both = denial {"and" denial},   denial = "not" denial | comparison
 *   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        = product {("+" | "-") product}
 *   product    = factor {("*" | "/") factor}
 *   factor     = ("-" | "+") factor | power
 *   power      = primary ["^" exponent],   exponent = ("-" | "+") exponent | power
 *   primary    = number ["[" unit "]"] | "(" condition ")" | "pi" | name rate | function "(" condition {"," condition}
 *              ")"
 *              | table "(" condition ")" | coordinate "(" name ["," name] ")" rate
 *   name       = identifier {"." identifier},   rate = {"'"}
 */
#include "core/expr/node.h"
#include "core/expr/primary.h"

#include <stdlib.h>
#include <string.h>

static int32_t condition(RbvExprParser *p);
static int32_t factor(RbvExprParser *p);

static int32_t negative(RbvExprParser *p, int32_t operand, int32_t start) {
    int32_t mark = p->pending_count;
    if (operand < 0 || !rbv_parser_push(p, operand))
        return -1;
    return rbv_parser_add_parent(p, RBV_NODE_NEGATIVE, start, mark);
}

static int32_t parse_power(RbvExprParser *p);

static int32_t exponent(RbvExprParser *p) {
    char c = rbv_parser_next(p);
    int32_t start = p->at, node;
    if (!rbv_parser_nest(p))
        return -1;
    if (c == '-' || c == '+') {
        p->at++;
        node = exponent(p);
        if (c == '-')
            node = negative(p, node, start);
    } else {
        node = parse_power(p);
    }
    p->nesting--;
    return node;
}

static int32_t parse_power(RbvExprParser *p) {
    rbv_parser_next(p);
    int32_t start = p->at, mark = p->pending_count, base = rbv_parser_primary(p);
    if (base < 0 || !rbv_parser_accept(p, '^'))
        return base;
    if (!rbv_parser_push(p, base))
        return -1;
    int32_t raised = exponent(p);
    if (raised < 0 || !rbv_parser_push(p, raised))
        return -1;
    return rbv_parser_add_parent(p, RBV_NODE_POWER, start, mark);
}

static int32_t factor(RbvExprParser *p) {
    char c = rbv_parser_next(p);
    if (c != '-' && c != '+')
        return parse_power(p);
    int32_t start = p->at++;
    if (!rbv_parser_nest(p))
        return -1;
    int32_t node = factor(p);
    p->nesting--;
    return c == '-' ? negative(p, node, start) : node;
}

/* operand {(direct | inverse) operand}: one node for the whole chain. */
static int32_t parse_chain(RbvExprParser *p, RbvExprKind kind, int32_t (*operand)(RbvExprParser *), char direct,
                           char inverse) {
    rbv_parser_next(p);
    int32_t start = p->at, mark = p->pending_count, node = operand(p);
    char c = '\0';
    if (node < 0 || !rbv_parser_push(p, node))
        return -1;
    for (;;) {
        c = rbv_parser_next(p);
        if ((c != direct && c != inverse) || (c == '*' && p->tree->text[p->at + 1] == '*'))
            break;
        p->at++;
        int32_t other = operand(p);
        if (other < 0 || !rbv_parser_push(p, c == inverse ? ~other : other))
            return -1;
    }
    if (p->pending_count == mark + 1) {
        p->pending_count = mark;
        return node;
    }
    return rbv_parser_add_parent(p, kind, start, mark);
}

static int32_t parse_product(RbvExprParser *p) {
    return parse_chain(p, RBV_NODE_PRODUCT, factor, '*', '/');
}

static int32_t parse_sum(RbvExprParser *p) {
    return parse_chain(p, RBV_NODE_SUM, parse_product, '+', '-');
}

static bool comparison_operator(RbvExprParser *p, RbvExprOp *op) {
    char c = rbv_parser_next(p), after = c == '\0' ? '\0' : p->tree->text[p->at + 1];
    if (c == '<')
        *op = after == '=' ? RBV_OP_LESS_EQUAL : RBV_OP_LESS;
    else if (c == '>')
        *op = after == '=' ? RBV_OP_GREATER_EQUAL : RBV_OP_GREATER;
    else if (c == '=' && after == '=')
        *op = RBV_OP_EQUAL;
    else if (c == '!' && after == '=')
        *op = RBV_OP_NOT_EQUAL;
    else
        return false;
    p->at += after == '=' ? 2 : 1;
    return true;
}

static int32_t parse_comparison(RbvExprParser *p) {
    rbv_parser_next(p);
    int32_t start = p->at, mark = p->pending_count, left = parse_sum(p);
    RbvExprOp op, second;
    if (left < 0 || !comparison_operator(p, &op))
        return left;
    if (!rbv_parser_push(p, left))
        return -1;
    int32_t right = parse_sum(p);
    if (right < 0 || !rbv_parser_push(p, right))
        return -1;
    rbv_parser_next(p);
    int32_t at = p->at;
    if (comparison_operator(p, &second)) {
        return rbv_parser_fail(p, at, "comparisons cannot be chained; write a < b and b < c");
    }
    int32_t node = rbv_parser_add_parent(p, RBV_NODE_COMPARISON, start, mark);
    if (node >= 0)
        p->tree->nodes[node].comparison = op;
    return node;
}

/* ---- conditions: a and b = if(a, b != 0, 0), a or b = if(a, 1, b != 0), not a = (a == 0) ---- */

/* Advance over the word if it stands at the cursor as a whole word. */
static bool accept_word(RbvExprParser *p, const char *word) {
    size_t n = strlen(word);
    rbv_parser_next(p);
    const char *here = p->tree->text + p->at;
    if (strncmp(here, word, n) != 0 || rbv_parser_is_letter(here[n]) || rbv_parser_is_digit(here[n]) ||
        here[n] == '_' || here[n] == '.')
        return false;
    p->at += (int32_t)n;
    return true;
}

/* operand == 0, operand != 0 */
static int32_t against_zero(RbvExprParser *p, int32_t operand, RbvExprOp op, int32_t start) {
    int32_t mark = p->pending_count, zero = operand < 0 ? -1 : rbv_parser_add_number(p, 0.0, start);
    if (zero < 0 || !rbv_parser_push(p, operand) || !rbv_parser_push(p, zero))
        return -1;
    int32_t node = rbv_parser_add_parent(p, RBV_NODE_COMPARISON, start, mark);
    if (node >= 0)
        p->tree->nodes[node].comparison = op;
    return node;
}

static int32_t denial(RbvExprParser *p) {
    rbv_parser_next(p);
    int32_t start = p->at;
    if (!accept_word(p, "not"))
        return parse_comparison(p);
    if (!rbv_parser_nest(p))
        return -1;
    int32_t node = denial(p);
    p->nesting--;
    return against_zero(p, node, RBV_OP_EQUAL, start);
}

/* Operands joined by `word`: the second one is not evaluated if the first one decides. */
static int32_t connect(RbvExprParser *p, const char *word, int32_t (*operand)(RbvExprParser *)) {
    bool both = strcmp(word, "and") == 0;
    rbv_parser_next(p);
    int32_t start = p->at, node = operand(p), links = 0;
    while (node >= 0 && accept_word(p, word)) {
        int32_t mark = p->pending_count, second = operand(p), truth = against_zero(p, second, RBV_OP_NOT_EQUAL, start);
        int32_t known = -1;
        if (truth >= 0)
            known = rbv_parser_add_number(p, both ? 0.0 : 1.0, start);
        if (known < 0 || !rbv_parser_push(p, node) || !rbv_parser_push(p, both ? truth : known) ||
            !rbv_parser_push(p, both ? known : truth))
            return -1;
        node = rbv_parser_add_parent(p, RBV_NODE_CALL, start, mark);
        if (node >= 0)
            p->tree->nodes[node].function = rbv_expr_function("if");
        if (++links > RBV_MOST_NESTING)
            return rbv_parser_fail(p, start, "more than %d times '%s'; name a part of it as a parameter",
                                   RBV_MOST_NESTING, word);
    }
    return node;
}

static int32_t both(RbvExprParser *p) {
    return connect(p, "and", denial);
}

static int32_t condition(RbvExprParser *p) {
    return connect(p, "or", both);
}

bool rbv_expr_parse_tree(RbvExprTree *tree, const RbvExprScope *scope, RbvExprError *error) {
    RbvExprParser p = {.tree = tree, .scope = scope, .error = error, .condition = condition};
    if (rbv_parser_next(&p) == '\0') {
        rbv_parser_fail(&p, 0, "the expression is empty");
    } else {
        tree->root = condition(&p);
        if (!p.failed && rbv_parser_next(&p) != '\0')
            rbv_parser_not_continued(&p, "an operator");
    }
    free(p.pending);
    return !p.failed;
}
