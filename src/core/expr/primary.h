/* The parser's state, and what parse.c and primary.c share: nodes, characters, errors, operands. */
#ifndef RBV_CORE_EXPR_PRIMARY_H
#define RBV_CORE_EXPR_PRIMARY_H

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
/* Add a node of a number for the text from `start` to the cursor. Returns the number of the node, or -1. */
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

/* Report that the text after a complete operand does not continue the expression (`requested`: what could stand here).
 * Returns -1. */
int32_t rbv_parser_not_continued(RbvExprParser *p, const char *requested);

/* Parse a primary expression. Returns the node, or -1. */
int32_t rbv_parser_primary(RbvExprParser *p);

#endif
