/* Characters and words of the expression language, and corrections for characters without a meaning. */
#ifndef RBV_CORE_EXPR_WORDS_H
#define RBV_CORE_EXPR_WORDS_H

#include <stdbool.h>

/* Replacement for a UTF-8 character that resembles one of the language, or NULL. */
const char *rbv_expr_lookalike(const char *c);
/* Bytes of the character at c (UTF-8). */
int rbv_expr_character_length(const char *c);
/* Is the word a function of points or bodies? */
bool rbv_expr_is_coordinate(const char *word);

#endif
