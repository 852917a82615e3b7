/* Parses operands: numbers with units, names, calls, and parentheses; builds nodes of the tree, and reports where an
 * expression cannot continue. Operators: parse.c. */
#include "core/expr/primary.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors, nodes, characters --- */

int32_t rbv_parser_fail(RbvExprParser *p, int32_t offset, const char *format, ...) {
    if (!p->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
        va_end(arguments);
        p->error->offset = (size_t)offset;
        p->failed = true;
    }
    return -1;
}

static int32_t parser_no_memory(RbvExprParser *p) {
    return rbv_parser_fail(p, p->at, "no memory");
}

static bool grow(void *array, int32_t *capacity, size_t size) {
    if (*capacity > INT32_MAX / 4)
        return false;
    int32_t larger = *capacity == 0 ? 8 : 2 * *capacity;
    void *old;
    memcpy(&old, array, sizeof old);
    void *new = realloc(old, (size_t)larger * size);
    if (new == NULL)
        return false;
    memcpy(array, &new, sizeof new);
    *capacity = larger;
    return true;
}

/* Add a node for the text from `start` to the cursor. Returns its number, or -1. */
static int32_t parser_add(RbvExprParser *p, RbvExprKind kind, int32_t start) {
    RbvExprTree *t = p->tree;
    if (t->node_count == t->node_capacity && !grow(&t->nodes, &t->node_capacity, sizeof *t->nodes))
        return parser_no_memory(p);
    int32_t end = p->at;
    while (end > start && (t->text[end - 1] == ' ' || t->text[end - 1] == '\t'))
        end--;
    t->nodes[t->node_count] =
        (RbvExprNode){.kind = kind, .offset = start, .length = end - start, .id = -1, .variable = -1};
    return t->node_count++;
}

int32_t rbv_parser_add_number(RbvExprParser *p, double value, int32_t start) {
    int32_t node = parser_add(p, RBV_NODE_NUMBER, start);
    if (node >= 0)
        p->tree->nodes[node].number = value;
    return node;
}

bool rbv_parser_push(RbvExprParser *p, int32_t link) {
    if (p->pending_count == p->pending_capacity && !grow(&p->pending, &p->pending_capacity, sizeof *p->pending)) {
        parser_no_memory(p);
        return false;
    }
    p->pending[p->pending_count++] = link;
    return true;
}

int32_t rbv_parser_add_parent(RbvExprParser *p, RbvExprKind kind, int32_t start, int32_t mark) {
    RbvExprTree *t = p->tree;
    int32_t node = parser_add(p, kind, start);
    if (node < 0)
        return -1;
    t->nodes[node].first = t->link_count;
    t->nodes[node].count = p->pending_count - mark;
    for (int32_t k = mark; k < p->pending_count; k++) {
        if (t->link_count == t->link_capacity && !grow(&t->links, &t->link_capacity, sizeof *t->links)) {
            return parser_no_memory(p);
        }
        t->links[t->link_count++] = p->pending[k];
    }
    p->pending_count = mark;
    return node;
}

char rbv_parser_next(RbvExprParser *p) {
    while (p->tree->text[p->at] == ' ' || p->tree->text[p->at] == '\t' || p->tree->text[p->at] == '\n' ||
           p->tree->text[p->at] == '\r')
        p->at++;
    return p->tree->text[p->at];
}

bool rbv_parser_accept(RbvExprParser *p, char c) {
    if (rbv_parser_next(p) != c)
        return false;
    p->at++;
    return true;
}

bool rbv_parser_nest(RbvExprParser *p) {
    if (++p->nesting <= RBV_MOST_NESTING)
        return true;
    rbv_parser_fail(p, p->at, "nested deeper than %d; name a part of it as a parameter", RBV_MOST_NESTING);
    return false;
}

/* --- messages where an expression cannot continue, with what could stand there; all return -1 --- */

/* Report that the text at the cursor fits nowhere. `requested`: what could stand here. */
static int32_t parser_unexpected(RbvExprParser *p, const char *requested) {
    char c = rbv_parser_next(p);
    const char *here = p->tree->text + p->at;
    int32_t at = p->at;
    if (c == '\0')
        return rbv_parser_fail(p, at, "the expression ends where %s is missing", requested);
    const char *instead = rbv_expr_lookalike(here);
    if (instead != NULL) {
        int n = c != '\0' && here[1] == c ? 2 : rbv_expr_character_length(here);
        return rbv_parser_fail(p, at, "'%.*s' has no meaning here; write %s", n, here, instead);
    }
    if (c == '=')
        return rbv_parser_fail(
            p, at, "'=' has no meaning here; to compare, write ==; of an equation bring all to one side: x - 2*t");
    if (c == '[')
        return rbv_parser_fail(p, at, "a unit in brackets belongs right after a number, as in 30[deg]");
    if (c == '\'')
        return rbv_parser_fail(p, at, "a rate ' belongs right after a coordinate, as in hinge.angle'");
    if (c == ')')
        return rbv_parser_fail(p, at, "')' where %s is missing", requested);
    if (c == '<' || c == '>' || c == '!') {
        return rbv_parser_fail(p, at, "comparisons cannot be chained; write a < b and b < c");
    }
    if ((unsigned char)c < 0x20 || c == 0x7f)
        return rbv_parser_fail(p, at, "unexpected control character");
    return rbv_parser_fail(p, at, "unexpected '%.*s' where %s is missing", rbv_expr_character_length(here), here,
                           requested);
}

/* Report that the text after a complete operand does not continue the expression. */
int32_t rbv_parser_not_continued(RbvExprParser *p, const char *requested) {
    char c = rbv_parser_next(p);
    const char *text = p->tree->text;
    int32_t at = p->at;
    if (rbv_parser_is_letter(c) || rbv_parser_is_digit(c) || c == '(' || c == '.') {
        int32_t n = 0;
        RbvUnit unit;
        while (rbv_parser_is_letter(text[at + n]) || rbv_parser_is_digit(text[at + n]) || text[at + n] == '_')
            n++;
        if (n > 0 && n <= 8 && at > 0 && rbv_unit_parse(text + at, (size_t)n, &unit, NULL)) {
            int32_t b = at;
            while (b > 0 && text[b - 1] == ' ')
                b--;
            if (b > 0 && rbv_parser_is_digit(text[b - 1])) {
                return rbv_parser_fail(
                    p, at, "an operator such as * is missing before '%.*s'; a unit is written in brackets: [%.*s]", n,
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
    return parser_unexpected(p, requested);
}

static int32_t parser_unknown_function(RbvExprParser *p, const char *word, int32_t start) {
    if (strchr(word, '.') != NULL)
        return rbv_parser_fail(p, start, "'%s' is no function; for a product write %s*(", word, word);
    if (strcmp(word, "pow") == 0)
        return rbv_parser_fail(p, start, "unknown function 'pow'; write a^b");
    if (strcmp(word, "pi") == 0)
        return rbv_parser_fail(p, start, "pi is a number; for a product write pi*(");
    static const char *const rates[][2] = {{"omega", "angle"},    {"vx", "x"},       {"vy", "y"},
                                           {"vz", "z"},           {"xdot", "x"},     {"ydot", "y"},
                                           {"angledot", "angle"}, {"alpha", "angle"}};
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++)
        if (strcmp(word, rates[k][0]) == 0)
            return rbv_parser_fail(p, start,
                                   "unknown function '%s'; the rate of a coordinate is written with ': %s(...)'", word,
                                   rates[k][1]);
    const char *meant = word[1] == '\0' ? NULL : rbv_expr_function_nearest(word);
    if (meant != NULL)
        return rbv_parser_fail(p, start, "unknown function '%s'; did you mean '%s'?", word, meant);
    return rbv_parser_fail(p, start, "unknown function '%s'; for a product write %s*(", word, word);
}

/* Contact force of a penetration x0 - x, expanded into existing nodes:
 *   impact(x, v, x0, k, e, c, d) = if(x < x0, max(0, k (x0 - x)^e - c v step(x, x0 - d, 1, x0, 0)), 0)
 */

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

/* Expand impact(x, v, x0, k, e, c, d) of seven argument nodes. */
static int32_t parser_impact(RbvExprParser *p, const int32_t *a, int32_t start) {
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

#define MAX_NAME RBV_NAME_SIZE

static int32_t number(RbvExprParser *p) {
    const char *text = p->tree->text;
    int32_t start = p->at;
    double value;
    size_t used = rbv_number_parse(text + start, &value);
    if (used == 0)
        return parser_unexpected(p, "a number, a name or '('");
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
        parser_unexpected(p, requested);
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
    int32_t node = id < 0 ? parser_no_memory(p) : parser_add(p, RBV_NODE_VARIABLE, start);
    if (node < 0)
        return false;
    p->tree->nodes[node].id = id;
    if (scope->variable_dimension != NULL)
        p->tree->nodes[node].dimension = scope->variable_dimension(scope->context, id);
    return rbv_parser_push(p, node);
}

/* Add a node for the name of another expression f, with as many primes as rates. */
static int32_t parse_defined(RbvExprParser *p, const RbvExprName *name, int32_t index, int32_t start) {
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
        return parse_defined(p, name, id, start);
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
    int32_t node = parser_add(p, RBV_NODE_VARIABLE, start);
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

static int32_t parse_call(RbvExprParser *p, const RbvExprFunctionRow *function, const RbvSpline *table,
                          const char *name, int32_t start) {
    int32_t mark = p->pending_count, count = arguments(p, p->at - 1);
    if (count < 0)
        return -1;
    int32_t least = function != NULL ? function->least : 1;
    int32_t most = function != NULL ? function->most : 1;
    if (count < least || (most >= 0 && count > most)) {
        const char *more = most < 0 ? "at least " : "";
        return rbv_parser_fail(p, start, "%s takes %s%d argument%s, not %d: %s%s", name, more, (int)least,
                               rbv_plural(least), (int)count, function != NULL ? function->usage : name,
                               function != NULL ? "" : "(x)");
    }
    if (function != NULL && function->function == RBV_FN_FOURIER && count % 2 == 0) {
        return rbv_parser_fail(p, start, "fourier takes a0 and then pairs a1, b1, ...: %s", function->usage);
    }
    if (function != NULL && function->function == RBV_FN_IMPACT) {
        int32_t given[7];
        memcpy(given, p->pending + mark, sizeof given);
        p->pending_count = mark;
        return parser_impact(p, given, start);
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
            return parse_call(p, function, NULL, word, start);
        const RbvSpline *table = NULL;
        if (p->scope != NULL && p->scope->table != NULL)
            table = p->scope->table(p->scope->context, word);
        if (table != NULL)
            return parse_call(p, NULL, table, word, start);
        const RbvExprCallback *callback =
            p->scope != NULL && p->scope->callback != NULL ? p->scope->callback(p->scope->context, word) : NULL;
        if (callback != NULL)
            return call_back(p, callback, start);
        if (rbv_expr_is_coordinate(word))
            return coordinate(p, word, start);
        return parser_unknown_function(p, word, start);
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
        return rbv_parser_add_number(p, RBV_PI, start);
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
        return parser_unexpected(p, "a number, a name or '('");
    } else {
        return parser_unexpected(p, "a number, a name or '('");
    }
    if (node >= 0 && p->tree->text[p->at] == '\'')
        return parser_unexpected(p, "an operator");
    return node;
}
