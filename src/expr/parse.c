/* Text -> checked tree, by recursive descent. One blank-skipping cursor; the first mistake ends it.
 *
 *   condition  = both {"or" both},   both = denial {"and" denial},   denial = "not" denial | comparison
 *   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        = product {("+" | "-") product}
 *   product    = factor {("*" | "/") factor}
 *   factor     = ("-" | "+") factor | power
 *   power      = primary ["^" exponent],   exponent = ("-" | "+") exponent | power
 *   primary    = number ["[" unit "]"] | "(" condition ")" | "pi" | name rate | function "(" condition {"," condition} ")"
 *              | table "(" condition ")" | coordinate "(" name ["," name] ")" rate
 *   name       = identifier {"." identifier},   rate = {"'"}
 */
#include "expr/node.h"
#include "expr/parser.h"
#include "expr/words.h"

#include "base/names.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MAX_NESTING 100
#define MAX_NAME RBV_NAME_ROOM

static int32_t condition(RbvExprParser *p);
static int32_t factor(RbvExprParser *p);

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char next(RbvExprParser *p) {
    while (p->tree->text[p->at] == ' ' || p->tree->text[p->at] == '\t' || p->tree->text[p->at] == '\n' ||
           p->tree->text[p->at] == '\r') {
        p->at++;
    }
    return p->tree->text[p->at];
}

static bool accept(RbvExprParser *p, char c) {
    if (next(p) != c)
        return false;
    p->at++;
    return true;
}

static bool nest(RbvExprParser *p) {
    if (++p->nesting <= MAX_NESTING)
        return true;
    rbv_parser_fail(p, p->at, "nested deeper than %d; name a part of it as a parameter", MAX_NESTING);
    return false;
}

/* ---- what is wrong here ---- */

/* The text at the cursor fits nowhere. `wanted`: what could stand here. */
static int32_t unexpected(RbvExprParser *p, const char *wanted) {
    char c = next(p);
    const char *here = p->tree->text + p->at;
    int32_t at = p->at;
    if (c == '\0')
        return rbv_parser_fail(p, at, "the expression ends where %s is missing", wanted);
    const char *instead = rbv_expr_lookalike(here);
    if (instead != NULL) {
        int n = c != '\0' && here[1] == c ? 2 : rbv_expr_character_length(here);
        return rbv_parser_fail(p, at, "'%.*s' has no meaning here; write %s", n, here, instead);
    }
    if (c == '=')
        return rbv_parser_fail(p, at, "'=' has no meaning here; to compare, write ==; of an equation bring all to one side: x - 2*t");
    if (c == '[')
        return rbv_parser_fail(p, at, "a unit in brackets belongs right after a number, as in 30[deg]");
    if (c == '\'')
        return rbv_parser_fail(p, at, "a rate ' belongs right after a coordinate, as in hinge.angle'");
    if (c == ')')
        return rbv_parser_fail(p, at, "')' where %s is missing", wanted);
    if (c == '<' || c == '>' || c == '!') {
        return rbv_parser_fail(p, at, "comparisons cannot be chained; write a < b and b < c");
    }
    if ((unsigned char)c < 0x20 || c == 0x7f)
        return rbv_parser_fail(p, at, "unexpected control character");
    return rbv_parser_fail(p, at, "unexpected '%.*s' where %s is missing", rbv_expr_character_length(here), here, wanted);
}

/* An operand is complete, but what follows does not continue it. */
static int32_t not_continued(RbvExprParser *p, const char *wanted) {
    char c = next(p);
    const char *text = p->tree->text;
    int32_t at = p->at;
    if (is_letter(c) || is_digit(c) || c == '(' || c == '.') {
        int32_t n = 0;
        RbvUnit unit;
        while (is_letter(text[at + n]) || is_digit(text[at + n]) || text[at + n] == '_')
            n++;
        if (n > 0 && n <= 8 && at > 0 && rbv_unit_parse(text + at, (size_t)n, &unit, NULL)) {
            int32_t b = at;
            while (b > 0 && text[b - 1] == ' ')
                b--;
            if (b > 0 && is_digit(text[b - 1])) {
                return rbv_parser_fail(p, at,
                            "an operator such as * is missing before '%.*s'; a unit is written in brackets: [%.*s]", n,
                            text + at, n, text + at);
            }
        }
        if (n == 0)
            n = 1;
        return rbv_parser_fail(p, at, "an operator such as * is missing before '%.*s'", n < 40 ? n : 40, text + at);
    }
    if (c == ')' && p->nesting == 0)
        return rbv_parser_fail(p, at, "')' closes nothing");
    if (c == ',' && p->nesting == 0) {
        return rbv_parser_fail(p, at, "',' separates arguments only; a decimal number is written with a point");
    }
    return unexpected(p, wanted);
}

/* ---- primaries ---- */

static int32_t number(RbvExprParser *p) {
    const char *text = p->tree->text;
    int32_t start = p->at;
    double value;
    size_t used = rbv_number_parse(text + start, &value);
    if (used == 0)
        return unexpected(p, "a number, a name or '('");
    p->at += (int32_t)used;
    if (isinf(value))
        return rbv_parser_fail(p, start, "this number is too large");
    int32_t end = p->at;
    if (next(p) != '[') {
        p->at = end;
        return rbv_parser_add_number(p, value, start);
    }
    int32_t open = p->at, from = open + 1, to = from;
    while (text[to] != ']' && text[to] != '\0')
        to++;
    if (text[to] == '\0')
        return rbv_parser_fail(p, open, "'[' is not closed");
    RbvUnit unit;
    size_t wrong = 0, length = (size_t)(to - from);
    if (length == 0)
        return rbv_parser_fail(p, open, "a unit is missing between the brackets");
    if (!rbv_unit_parse(text + from, length, &unit, &wrong)) {
        const char *meant = rbv_unit_nearest(text + from, length);
        int32_t shown = to - from < 40 ? to - from : 40;
        if (meant == NULL)
            return rbv_parser_fail(p, from + (int32_t)wrong, "unknown unit '%.*s'", shown, text + from);
        return rbv_parser_fail(p, from + (int32_t)wrong, "unknown unit '%.*s'; did you mean '%s'?", shown, text + from, meant);
    }
    p->at = to + 1;
    value *= unit.factor;
    if (isinf(value))
        return rbv_parser_fail(p, start, "this number is too large");
    int32_t node = rbv_parser_add_number(p, value, start);
    if (node >= 0)
        p->tree->nodes[node].dimension = (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
    return node;
}

/* Reads a dotted name into word[MAX_NAME]; false (and failed) when there is none. */
static bool dotted_name(RbvExprParser *p, char *word, const char *wanted) {
    const char *text = p->tree->text;
    int32_t n = 0, start;
    if (!is_letter(next(p))) {
        unexpected(p, wanted);
        return false;
    }
    start = p->at;
    for (;;) {
        while (is_letter(text[start + n]) || is_digit(text[start + n]) || text[start + n] == '_')
            n++;
        if (text[start + n] != '.')
            break;
        n++;
        if (!is_letter(text[start + n])) {
            rbv_parser_fail(p, start + n, "a name is missing after '%.*s'", n < 60 ? n : 60, text + start);
            return false;
        }
    }
    if (n >= MAX_NAME) {
        rbv_parser_fail(p, start, "this name is longer than %d characters", MAX_NAME - 1);
        return false;
    }
    memcpy(word, text + start, (size_t)n);
    word[n] = '\0';
    p->at = start + n;
    return true;
}

static bool rate(RbvExprParser *p, int32_t *order) {
    *order = 0;
    for (; p->tree->text[p->at] == '\''; p->at++) {
        if (++*order > 2) {
            rbv_parser_fail(p, p->at, "a coordinate has first and second rates only, ' and ''");
            return false;
        }
    }
    return true;
}

/* A variable of a defined expression, or one of its rates, pushed as a child. */
static bool push_variable(RbvExprParser *p, int32_t id, int32_t order, int32_t start) {
    const RbvExprScope *scope = p->scope;
    id = order > 0 ? scope->rate(scope->context, id, order) : id;
    int32_t node = id < 0 ? rbv_parser_no_memory(p) : rbv_parser_add(p, RBV_NODE_VARIABLE, start);
    if (node < 0)
        return false;
    p->tree->nodes[node].id = id;
    if (scope->variable_dimension != NULL)
        p->tree->nodes[node].dimension = scope->variable_dimension(scope->context, id);
    return rbv_parser_push(p, node);
}

/* The name of another expression f, with as many primes as rates are taken. */
static int32_t defined(RbvExprParser *p, const RbvExprName *name, int32_t index, int32_t start) {
    const RbvExpr *of = p->scope->defined(p->scope->context, index);
    int32_t mark = p->pending_count;
    for (int32_t order = 0; order <= name->rate; order++)
        for (int32_t k = 0; k < of->variable_count; k++)
            if (!push_variable(p, of->ids[k], order, start))
                return -1;
    int32_t node = rbv_parser_add_parent(p, RBV_NODE_DEFINED, start, mark);
    if (node < 0)
        return -1;
    RbvExprDimension d = of->dimension;
    if (d.bond > RBV_EXPR_BARE && !rbv_exponents_product(d.exponents, rbv_dimension_exponents(RBV_DIM_TIME), -2 * name->rate, &d.exponents))
        d = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    p->tree->nodes[node].of = of;
    p->tree->nodes[node].id = index;
    p->tree->nodes[node].order = name->rate;
    p->tree->nodes[node].dimension = p->scope->variable_dimension != NULL ? d : (RbvExprDimension){.bond = RBV_EXPR_BARE};
    return node;
}

static int32_t resolve(RbvExprParser *p, const RbvExprName *name, int32_t start) {
    const char *shown = name->name != NULL ? name->name : name->function;
    char message[sizeof p->error->message] = "";
    double value = 0;
    int32_t id = -1;
    RbvExprMeaning meaning = RBV_EXPR_UNKNOWN;
    if (p->scope != NULL && p->scope->resolve != NULL) {
        meaning = p->scope->resolve(p->scope->context, name, &value, &id, message, sizeof message);
    }
    if (meaning == RBV_EXPR_UNKNOWN) {
        message[sizeof message - 1] = '\0';
        if (message[0] != '\0')
            return rbv_parser_fail(p, start, "%s", message);
        return rbv_parser_fail(p, start, "unknown name '%s'", shown);
    }
    if (meaning == RBV_EXPR_DEFINED)
        return defined(p, name, id, start);
    if (meaning == RBV_EXPR_CONSTANT) {
        if (name->rate > 0)
            return rbv_parser_fail(p, start, "'%s' is a constant and has no rate", shown);
        int32_t constant = rbv_parser_add_number(p, value, start);
        if (constant >= 0 && p->scope->constant_dimension != NULL)
            p->tree->nodes[constant].dimension = p->scope->constant_dimension(p->scope->context, shown);
        return constant;
    }
    int32_t node = rbv_parser_add(p, RBV_NODE_VARIABLE, start);
    if (node < 0)
        return -1;
    p->tree->nodes[node].id = id;
    if (p->scope->variable_dimension != NULL)
        p->tree->nodes[node].dimension = p->scope->variable_dimension(p->scope->context, id);
    return node;
}

static int32_t coordinate(RbvExprParser *p, const char *function, int32_t start) {
    bool is_distance = strcmp(function, "distance") == 0, is_angle = strcmp(function, "angle") == 0, is_dot = strcmp(function, "dot") == 0;
    bool is_spin = function[0] == 'w', two = is_distance || is_dot;
    const char *wanted = is_angle || is_spin ? "the name of a body" : is_dot ? "the axis of a marker, such as rod.P.x," : "the name of a point, such as rod.P,";
    const char *usage = is_dot ? "dot takes two axes: dot(a.P.x, b.Q.z)" : "distance takes two points: distance(a.P, b.Q)";
    char first[MAX_NAME], second[MAX_NAME];
    RbvExprName name = {.function = function, .argument = {first, NULL}, .argument_count = 1};
    int32_t open = p->at - 1;
    if (!dotted_name(p, first, wanted))
        return -1;
    if (two) {
        if (next(p) == ')')
            return rbv_parser_fail(p, start, "%s", usage);
        if (!accept(p, ','))
            return not_continued(p, "','");
        if (!dotted_name(p, second, wanted))
            return -1;
        name.argument[1] = second;
        name.argument_count = 2;
    }
    if (next(p) == ',') {
        return two ? rbv_parser_fail(p, start, "%s", usage)
                   : rbv_parser_fail(p, start, "%s takes one argument: %s(%s)", function, function, is_angle || is_spin ? "rod" : "rod.P");
    }
    if (!accept(p, ')'))
        return next(p) == '\0' ? rbv_parser_fail(p, open, "'(' is not closed") : not_continued(p, "')'");
    if (!rate(p, &name.rate))
        return -1;
    return resolve(p, &name, start);
}

/* The arguments after '(' up to ')', pushed; their number, or -1. */
static int32_t arguments(RbvExprParser *p, int32_t open) {
    int32_t count = 0;
    if (!nest(p))
        return -1;
    if (next(p) != ')') {
        do {
            int32_t argument = condition(p);
            if (argument < 0 || !rbv_parser_push(p, argument))
                return -1;
            count++;
        } while (accept(p, ','));
    }
    if (!accept(p, ')'))
        return next(p) == '\0' ? rbv_parser_fail(p, open, "'(' is not closed") : not_continued(p, "')'");
    p->nesting--;
    return count;
}

static int32_t call_back(RbvExprParser *p, const RbvExprCallback *callback, int32_t start) {
    int32_t mark = p->pending_count, count = arguments(p, p->at - 1);
    if (count < 0)
        return -1;
    if (count != callback->count)
        return rbv_parser_fail(p, start, "%s takes %d argument%s, not %d", callback->name, (int)callback->count, callback->count == 1 ? "" : "s", (int)count);
    int32_t node = rbv_parser_add_parent(p, RBV_NODE_CALLBACK, start, mark);
    if (node >= 0)
        p->tree->nodes[node].callback = callback;
    return node;
}

static int32_t call(RbvExprParser *p, const RbvExprFunctionRow *function, const RbvSpline *table, const char *name,
                    int32_t start) {
    int32_t mark = p->pending_count, count = arguments(p, p->at - 1);
    if (count < 0)
        return -1;
    int32_t least = function != NULL ? function->least : 1, most = function != NULL ? function->most : 1;
    if (count < least || (most >= 0 && count > most)) {
        const char *more = most < 0 ? "at least " : "";
        return rbv_parser_fail(p, start, "%s takes %s%d argument%s, not %d: %s%s", name, more, (int)least, least == 1 ? "" : "s",
                    (int)count, function != NULL ? function->usage : name, function != NULL ? "" : "(x)");
    }
    if (function != NULL && function->function == RBV_FN_FOURIER && count % 2 == 0) {
        return rbv_parser_fail(p, start, "fourier takes a0 and then pairs a1, b1, ...: %s", function->usage);
    }
    if (function != NULL && function->function == RBV_FN_IMPACT) {
        int32_t given[7];
        memcpy(given, p->pending + mark, sizeof given);
        p->pending_count = mark;
        return rbv_parser_impact(p, given, start);
    }
    int32_t node = rbv_parser_add_parent(p, function != NULL ? RBV_NODE_CALL : RBV_NODE_TABLE, start, mark);
    if (node < 0)
        return -1;
    p->tree->nodes[node].function = function;
    p->tree->nodes[node].table = table;
    if (table != NULL && p->scope->table_dimension != NULL)
        p->scope->table_dimension(p->scope->context, name, &p->tree->nodes[node].wanted, &p->tree->nodes[node].dimension);
    return node;
}

static int32_t unknown_function(RbvExprParser *p, const char *word, int32_t start) {
    if (strchr(word, '.') != NULL)
        return rbv_parser_fail(p, start, "'%s' is no function; for a product write %s*(", word, word);
    if (strcmp(word, "pow") == 0)
        return rbv_parser_fail(p, start, "unknown function 'pow'; write a^b");
    if (strcmp(word, "pi") == 0)
        return rbv_parser_fail(p, start, "pi is a number; for a product write pi*(");
    static const char *const rates[][2] = {{"omega", "angle"}, {"vx", "x"}, {"vy", "y"}, {"vz", "z"}, {"xdot", "x"}, {"ydot", "y"}, {"angledot", "angle"}, {"alpha", "angle"}};
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++)
        if (strcmp(word, rates[k][0]) == 0)
            return rbv_parser_fail(p, start, "unknown function '%s'; the rate of a coordinate is written with ': %s(...)'", word, rates[k][1]);
    const char *meant = word[1] == '\0' ? NULL : rbv_expr_function_nearest(word);
    if (meant != NULL)
        return rbv_parser_fail(p, start, "unknown function '%s'; did you mean '%s'?", word, meant);
    return rbv_parser_fail(p, start, "unknown function '%s'; for a product write %s*(", word, word);
}

static int32_t named(RbvExprParser *p) {
    char word[MAX_NAME];
    int32_t start = p->at;
    if (!dotted_name(p, word, "a name"))
        return -1;
    int32_t end = p->at;
    const RbvExprFunctionRow *function = rbv_expr_function(word);
    if (accept(p, '(')) {
        if (function != NULL)
            return call(p, function, NULL, word, start);
        const RbvSpline *table = NULL;
        if (p->scope != NULL && p->scope->table != NULL)
            table = p->scope->table(p->scope->context, word);
        if (table != NULL)
            return call(p, NULL, table, word, start);
        const RbvExprCallback *callback = p->scope != NULL && p->scope->callback != NULL ? p->scope->callback(p->scope->context, word) : NULL;
        if (callback != NULL)
            return call_back(p, callback, start);
        if (rbv_expr_is_coordinate(word))
            return coordinate(p, word, start);
        return unknown_function(p, word, start);
    }
    p->at = end;
    if (function != NULL)
        return rbv_parser_fail(p, start, "'%s' is a function: write %s", word, function->usage);
    if (strcmp(word, "not") == 0)
        return rbv_parser_fail(p, start, "'not' denies a whole comparison; within other operations put it in parentheses: (not a)");
    if (strcmp(word, "and") == 0 || strcmp(word, "or") == 0)
        return rbv_parser_fail(p, start, "a number, a name or '(' is missing before '%s'", word);
    if (strcmp(word, "pi") == 0) {
        p->tree->has_pi = true;
        return rbv_parser_add_number(p, PI, start);
    }
    RbvExprName name = {.name = word};
    if (!rate(p, &name.rate))
        return -1;
    return resolve(p, &name, start);
}

static int32_t primary(RbvExprParser *p) {
    char c = next(p);
    int32_t start = p->at, node;
    if (is_digit(c) || (c == '.' && is_digit(p->tree->text[start + 1]))) {
        node = number(p);
    } else if (is_letter(c)) {
        node = named(p);
    } else if (c == '(') {
        p->at++;
        if (!nest(p))
            return -1;
        node = condition(p);
        if (node < 0)
            return -1;
        if (!accept(p, ')'))
            return next(p) == '\0' ? rbv_parser_fail(p, start, "'(' is not closed") : not_continued(p, "')'");
        p->nesting--;
    } else if (c == '\'' && p->at > 0) {
        return unexpected(p, "a number, a name or '('");
    } else {
        return unexpected(p, "a number, a name or '('");
    }
    if (node >= 0 && p->tree->text[p->at] == '\'')
        return unexpected(p, "an operator");
    return node;
}

/* ---- operators ---- */

static int32_t negative(RbvExprParser *p, int32_t operand, int32_t start) {
    int32_t mark = p->pending_count;
    if (operand < 0 || !rbv_parser_push(p, operand))
        return -1;
    return rbv_parser_add_parent(p, RBV_NODE_NEGATIVE, start, mark);
}

static int32_t power(RbvExprParser *p);

static int32_t exponent(RbvExprParser *p) {
    char c = next(p);
    int32_t start = p->at, node;
    if (!nest(p))
        return -1;
    if (c == '-' || c == '+') {
        p->at++;
        node = exponent(p);
        if (c == '-')
            node = negative(p, node, start);
    } else {
        node = power(p);
    }
    p->nesting--;
    return node;
}

static int32_t power(RbvExprParser *p) {
    next(p);
    int32_t start = p->at, mark = p->pending_count, base = primary(p);
    if (base < 0 || !accept(p, '^'))
        return base;
    if (!rbv_parser_push(p, base))
        return -1;
    int32_t raised = exponent(p);
    if (raised < 0 || !rbv_parser_push(p, raised))
        return -1;
    return rbv_parser_add_parent(p, RBV_NODE_POWER, start, mark);
}

static int32_t factor(RbvExprParser *p) {
    char c = next(p);
    if (c != '-' && c != '+')
        return power(p);
    int32_t start = p->at++;
    if (!nest(p))
        return -1;
    int32_t node = factor(p);
    p->nesting--;
    return c == '-' ? negative(p, node, start) : node;
}

/* operand {(direct | inverse) operand}: one node for the whole chain. */
static int32_t chain(RbvExprParser *p, RbvExprKind kind, int32_t (*operand)(RbvExprParser *), char direct, char inverse) {
    next(p);
    int32_t start = p->at, mark = p->pending_count, node = operand(p);
    char c = '\0';
    if (node < 0 || !rbv_parser_push(p, node))
        return -1;
    for (;;) {
        c = next(p);
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

static int32_t product(RbvExprParser *p) {
    return chain(p, RBV_NODE_PRODUCT, factor, '*', '/');
}

static int32_t sum(RbvExprParser *p) {
    return chain(p, RBV_NODE_SUM, product, '+', '-');
}

static bool comparison_operator(RbvExprParser *p, RbvExprOp *op) {
    char c = next(p), after = c == '\0' ? '\0' : p->tree->text[p->at + 1];
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

static int32_t comparison(RbvExprParser *p) {
    next(p);
    int32_t start = p->at, mark = p->pending_count, left = sum(p);
    RbvExprOp op, second;
    if (left < 0 || !comparison_operator(p, &op))
        return left;
    if (!rbv_parser_push(p, left))
        return -1;
    int32_t right = sum(p);
    if (right < 0 || !rbv_parser_push(p, right))
        return -1;
    next(p);
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

/* The word, if it stands here alone. */
static bool accept_word(RbvExprParser *p, const char *word) {
    size_t n = strlen(word);
    next(p);
    const char *here = p->tree->text + p->at;
    if (strncmp(here, word, n) != 0 || is_letter(here[n]) || is_digit(here[n]) || here[n] == '_' || here[n] == '.')
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
    next(p);
    int32_t start = p->at;
    if (!accept_word(p, "not"))
        return comparison(p);
    if (!nest(p))
        return -1;
    int32_t node = denial(p);
    p->nesting--;
    return against_zero(p, node, RBV_OP_EQUAL, start);
}

/* The second is not looked at where the first decides. */
static int32_t connect(RbvExprParser *p, const char *word, int32_t (*operand)(RbvExprParser *)) {
    bool both = strcmp(word, "and") == 0;
    next(p);
    int32_t start = p->at, node = operand(p), links = 0;
    while (node >= 0 && accept_word(p, word)) {
        int32_t mark = p->pending_count, second = operand(p), truth = against_zero(p, second, RBV_OP_NOT_EQUAL, start);
        int32_t known = truth < 0 ? -1 : rbv_parser_add_number(p, both ? 0.0 : 1.0, start);
        if (known < 0 || !rbv_parser_push(p, node) || !rbv_parser_push(p, both ? truth : known) || !rbv_parser_push(p, both ? known : truth))
            return -1;
        node = rbv_parser_add_parent(p, RBV_NODE_CALL, start, mark);
        if (node >= 0)
            p->tree->nodes[node].function = rbv_expr_function("if");
        if (++links > MAX_NESTING)
            return rbv_parser_fail(p, start, "more than %d times '%s'; name a part of it as a parameter", MAX_NESTING, word);
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
    RbvExprParser p = {.tree = tree, .scope = scope, .error = error};
    if (next(&p) == '\0') {
        rbv_parser_fail(&p, 0, "the expression is empty");
    } else {
        tree->root = condition(&p);
        if (!p.failed && next(&p) != '\0')
            not_continued(&p, "an operator");
    }
    free(p.pending);
    return !p.failed;
}
