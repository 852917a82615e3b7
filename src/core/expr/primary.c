/* Parses operands: numbers with units, names, calls, and parentheses; see parse.c. */
#include "core/expr/parser.h"
#include "core/expr/words.h"

#include "core/base/names.h"
#include "core/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MAX_NAME RBV_NAME_SIZE

static int32_t number(RbvExprParser *p) {
    const char *text = p->tree->text;
    int32_t start = p->at;
    double value;
    size_t used = rbv_number_parse(text + start, &value);
    if (used == 0)
        return rbv_parser_unexpected(p, "a number, a name or '('");
    p->at += (int32_t)used;
    if (isinf(value))
        return rbv_parser_fail(p, start, "this number is too large");
    int32_t end = p->at;
    if (rbv_parser_next(p) != '[') {
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
        return rbv_parser_fail(p, from + (int32_t)wrong, "unknown unit '%.*s'; did you mean '%s'?", shown, text + from,
                               meant);
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
static bool dotted_name(RbvExprParser *p, char *word, const char *requested) {
    const char *text = p->tree->text;
    int32_t n = 0, start;
    if (!rbv_parser_is_letter(rbv_parser_next(p))) {
        rbv_parser_unexpected(p, requested);
        return false;
    }
    start = p->at;
    for (;;) {
        while (rbv_parser_is_letter(text[start + n]) || rbv_parser_is_digit(text[start + n]) || text[start + n] == '_')
            n++;
        if (text[start + n] != '.')
            break;
        n++;
        if (!rbv_parser_is_letter(text[start + n])) {
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

/* Push a variable of a defined expression, or its rate of this order, as a child. */
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

/* Add a node for the name of another expression f, with as many primes as rates. */
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
    if (d.bond > RBV_EXPR_BARE &&
        !rbv_exponents_product(d.exponents, rbv_dimension_exponents(RBV_DIM_TIME), -2 * name->rate, &d.exponents))
        d = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    p->tree->nodes[node].of = of;
    p->tree->nodes[node].id = index;
    p->tree->nodes[node].order = name->rate;
    p->tree->nodes[node].dimension =
        p->scope->variable_dimension != NULL ? d : (RbvExprDimension){.bond = RBV_EXPR_BARE};
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
        if (constant >= 0 && p->scope->constant_computed != NULL)
            p->tree->nodes[constant].computed = p->scope->constant_computed(p->scope->context, shown);
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
    bool is_distance = strcmp(function, "distance") == 0, is_angle = strcmp(function, "angle") == 0,
         is_dot = strcmp(function, "dot") == 0;
    bool is_spin = function[0] == 'w', two = is_distance || is_dot;
    const char *requested = is_angle || is_spin ? "the name of a body"
                            : is_dot            ? "the axis of a marker, such as rod.P.x,"
                                                : "the name of a point, such as rod.P,";
    const char *usage =
        is_dot ? "dot takes two axes: dot(a.P.x, b.Q.z)" : "distance takes two points: distance(a.P, b.Q)";
    char first[MAX_NAME], second[MAX_NAME];
    RbvExprName name = {.function = function, .argument = {first, NULL}, .argument_count = 1};
    int32_t open = p->at - 1;
    if (!dotted_name(p, first, requested))
        return -1;
    if (two) {
        if (rbv_parser_next(p) == ')')
            return rbv_parser_fail(p, start, "%s", usage);
        if (!rbv_parser_accept(p, ','))
            return rbv_parser_not_continued(p, "','");
        if (!dotted_name(p, second, requested))
            return -1;
        name.argument[1] = second;
        name.argument_count = 2;
    }
    if (rbv_parser_next(p) == ',') {
        return two ? rbv_parser_fail(p, start, "%s", usage)
                   : rbv_parser_fail(p, start, "%s takes one argument: %s(%s)", function, function,
                                     is_angle || is_spin ? "rod" : "rod.P");
    }
    if (!rbv_parser_accept(p, ')'))
        return rbv_parser_next(p) == '\0' ? rbv_parser_fail(p, open, "'(' is not closed")
                                          : rbv_parser_not_continued(p, "')'");
    if (!rate(p, &name.rate))
        return -1;
    return resolve(p, &name, start);
}

/* Parse and push the arguments after '(' up to ')'; returns their number, or -1. */
static int32_t arguments(RbvExprParser *p, int32_t open) {
    int32_t count = 0;
    if (!rbv_parser_nest(p))
        return -1;
    if (rbv_parser_next(p) != ')') {
        do {
            int32_t argument = p->condition(p);
            if (argument < 0 || !rbv_parser_push(p, argument))
                return -1;
            count++;
        } while (rbv_parser_accept(p, ','));
    }
    if (!rbv_parser_accept(p, ')'))
        return rbv_parser_next(p) == '\0' ? rbv_parser_fail(p, open, "'(' is not closed")
                                          : rbv_parser_not_continued(p, "')'");
    p->nesting--;
    return count;
}

static int32_t call_back(RbvExprParser *p, const RbvExprCallback *callback, int32_t start) {
    int32_t mark = p->pending_count, count = arguments(p, p->at - 1);
    if (count < 0)
        return -1;
    if (count != callback->count)
        return rbv_parser_fail(p, start, "%s takes %d argument%s, not %d", callback->name, (int)callback->count,
                               callback->count == 1 ? "" : "s", (int)count);
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
        return rbv_parser_fail(p, start, "%s takes %s%d argument%s, not %d: %s%s", name, more, (int)least,
                               least == 1 ? "" : "s", (int)count, function != NULL ? function->usage : name,
                               function != NULL ? "" : "(x)");
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
        p->scope->table_dimension(p->scope->context, name, &p->tree->nodes[node].requested,
                                  &p->tree->nodes[node].dimension);
    return node;
}

static int32_t named(RbvExprParser *p) {
    char word[MAX_NAME];
    int32_t start = p->at;
    if (!dotted_name(p, word, "a name"))
        return -1;
    int32_t end = p->at;
    const RbvExprFunctionRow *function = rbv_expr_function(word);
    if (rbv_parser_accept(p, '(')) {
        if (function != NULL)
            return call(p, function, NULL, word, start);
        const RbvSpline *table = NULL;
        if (p->scope != NULL && p->scope->table != NULL)
            table = p->scope->table(p->scope->context, word);
        if (table != NULL)
            return call(p, NULL, table, word, start);
        const RbvExprCallback *callback =
            p->scope != NULL && p->scope->callback != NULL ? p->scope->callback(p->scope->context, word) : NULL;
        if (callback != NULL)
            return call_back(p, callback, start);
        if (rbv_expr_is_coordinate(word))
            return coordinate(p, word, start);
        return rbv_parser_unknown_function(p, word, start);
    }
    p->at = end;
    if (function != NULL)
        return rbv_parser_fail(p, start, "'%s' is a function: write %s", word, function->usage);
    if (strcmp(word, "not") == 0)
        return rbv_parser_fail(
            p, start, "'not' denies a whole comparison; within other operations put it in parentheses: (not a)");
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

int32_t rbv_parser_primary(RbvExprParser *p) {
    char c = rbv_parser_next(p);
    int32_t start = p->at, node;
    if (rbv_parser_is_digit(c) || (c == '.' && rbv_parser_is_digit(p->tree->text[start + 1]))) {
        node = number(p);
    } else if (rbv_parser_is_letter(c)) {
        node = named(p);
    } else if (c == '(') {
        p->at++;
        if (!rbv_parser_nest(p))
            return -1;
        node = p->condition(p);
        if (node < 0)
            return -1;
        if (!rbv_parser_accept(p, ')'))
            return rbv_parser_next(p) == '\0' ? rbv_parser_fail(p, start, "'(' is not closed")
                                              : rbv_parser_not_continued(p, "')'");
        p->nesting--;
    } else if (c == '\'' && p->at > 0) {
        return rbv_parser_unexpected(p, "a number, a name or '('");
    } else {
        return rbv_parser_unexpected(p, "a number, a name or '('");
    }
    if (node >= 0 && p->tree->text[p->at] == '\'')
        return rbv_parser_unexpected(p, "an operator");
    return node;
}
