/* Words and signs of the expression language: what has a meaning, and what is meant by what has none. */
#ifndef RBV_EXPR_WORDS_H
#define RBV_EXPR_WORDS_H

#include <stdbool.h>

/* A character (UTF-8) that stands for something else: what to write, or NULL. */
const char *rbv_expr_lookalike(const char *c);
/* Bytes of the character at c (UTF-8). */
int rbv_expr_character_length(const char *c);
/* Is the word a function of points or bodies? */
bool rbv_expr_is_coordinate(const char *word);

#endif
