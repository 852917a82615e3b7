/* What the parser of expressions builds the tree with. */
#ifndef RBV_EXPR_PARSER_H
#define RBV_EXPR_PARSER_H

#include "expr/node.h"

/* Of parentheses and of signs before an operand. */
#define RBV_MOST_NESTING 100

typedef struct RbvExprParser {
    RbvExprTree *tree;
    const RbvExprScope *scope;
    RbvExprError *error;
    int32_t at;
    int32_t nesting;
    int32_t *pending; /* children of the nodes not yet finished */
    int32_t pending_count, pending_capacity;
    bool failed;
    int32_t (*condition)(struct RbvExprParser *p); /* a whole expression: what stands in parentheses */
} RbvExprParser;

/* The first mistake, at this place of the text, ends it; -1. */
RBV_PRINTF(3, 4) int32_t rbv_parser_fail(RbvExprParser *p, int32_t offset, const char *format, ...);
int32_t rbv_parser_no_memory(RbvExprParser *p);
/* A node of the text from `start` to the cursor: its number, or -1. */
int32_t rbv_parser_add(RbvExprParser *p, RbvExprKind kind, int32_t start);
int32_t rbv_parser_add_number(RbvExprParser *p, double value, int32_t start);
/* A child of the node that comes next. */
bool rbv_parser_push(RbvExprParser *p, int32_t link);
/* The node whose children were pushed since `mark`. */
int32_t rbv_parser_add_parent(RbvExprParser *p, RbvExprKind kind, int32_t start, int32_t mark);

/* The cursor, blanks skipped: the character there; over c, if it is there; one parenthesis deeper. */
char rbv_parser_next(RbvExprParser *p);
bool rbv_parser_accept(RbvExprParser *p, char c);
bool rbv_parser_nest(RbvExprParser *p);
static inline bool rbv_parser_is_digit(char c) {
    return c >= '0' && c <= '9';
}
static inline bool rbv_parser_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* mistakes.c: the text at the cursor fits nowhere (`wanted`: what could stand here); an operand is complete, but what
 * follows does not continue it; a word before '(' that is no function. -1. */
int32_t rbv_parser_unexpected(RbvExprParser *p, const char *requested);
int32_t rbv_parser_not_continued(RbvExprParser *p, const char *requested);
int32_t rbv_parser_unknown_function(RbvExprParser *p, const char *word, int32_t start);

/* primary.c: the node, or -1. */
int32_t rbv_parser_primary(RbvExprParser *p);

/* impact(x, v, x0, k, e, c, d) of seven nodes (impact_law.c). */
int32_t rbv_parser_impact(RbvExprParser *p, const int32_t *arguments, int32_t start);

#endif
