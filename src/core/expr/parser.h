/* Parser of expressions: state, and functions that build the tree. */
#ifndef RBV_CORE_EXPR_PARSER_H
#define RBV_CORE_EXPR_PARSER_H

#include "core/expr/node.h"

/* Largest nesting depth of parentheses, and of signs before an operand. */
#define RBV_MOST_NESTING 100

typedef struct RbvExprParser {
    RbvExprTree *tree;
    const RbvExprScope *scope;
    RbvExprError *error;
    int32_t at;
    int32_t nesting;
    int32_t *pending; /* children of nodes that are not finished */
    int32_t pending_count, pending_capacity;
    bool failed;
    int32_t (*condition)(struct RbvExprParser *p); /* parses a whole expression, as in parentheses */
} RbvExprParser;

/* Set the error at this offset of the text and stop; later errors are ignored. Returns -1. */
RBV_PRINTF(3, 4) int32_t rbv_parser_fail(RbvExprParser *p, int32_t offset, const char *format, ...);
int32_t rbv_parser_no_memory(RbvExprParser *p);
/* Add a node for the text from `start` to the cursor. Returns its number, or -1. */
int32_t rbv_parser_add(RbvExprParser *p, RbvExprKind kind, int32_t start);
int32_t rbv_parser_add_number(RbvExprParser *p, double value, int32_t start);
/* Append a child for the next parent node. */
bool rbv_parser_push(RbvExprParser *p, int32_t link);
/* Add the parent node of the children pushed since `mark`. */
int32_t rbv_parser_add_parent(RbvExprParser *p, RbvExprKind kind, int32_t start, int32_t mark);

/* Skip blanks; then: the character at the cursor; advance over c if it is there; enter one parenthesis. */
char rbv_parser_next(RbvExprParser *p);
bool rbv_parser_accept(RbvExprParser *p, char c);
bool rbv_parser_nest(RbvExprParser *p);
static inline bool rbv_parser_is_digit(char c) {
    return c >= '0' && c <= '9';
}
static inline bool rbv_parser_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* mistakes.c. Report an error and return -1: the text at the cursor fits nowhere (`requested`: what could stand
 * here); an operand is complete, but the following text does not continue it; a word before '(' is no function. */
int32_t rbv_parser_unexpected(RbvExprParser *p, const char *requested);
int32_t rbv_parser_not_continued(RbvExprParser *p, const char *requested);
int32_t rbv_parser_unknown_function(RbvExprParser *p, const char *word, int32_t start);

/* primary.c: parse a primary expression. Returns the node, or -1. */
int32_t rbv_parser_primary(RbvExprParser *p);

/* impact_law.c: expand impact(x, v, x0, k, e, c, d) of seven argument nodes. */
int32_t rbv_parser_impact(RbvExprParser *p, const int32_t *arguments, int32_t start);

#endif
