/* Error messages of the parser where an expression cannot continue, with what could stand there. */
#include "core/expr/parser.h"
#include "core/expr/words.h"

#include "core/base/units.h"

#include <stdio.h>
#include <string.h>

/* Report that the text at the cursor fits nowhere. `requested`: what could stand here. */
int32_t rbv_parser_unexpected(RbvExprParser *p, const char *requested) {
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
    return rbv_parser_unexpected(p, requested);
}

int32_t rbv_parser_unknown_function(RbvExprParser *p, const char *word, int32_t start) {
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
