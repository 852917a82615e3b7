/* Names: what a user may call things, and what a misspelt one was probably meant to be. */
#ifndef RBV_BASE_NAMES_H
#define RBV_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RBV_NAME_MOST 255 /* letters of a name */
#define RBV_NAME_SIZE 600 /* of a text with two names, such as body.marker.x */

/* Letters, digits and '_', starting with a letter; of any length. */
bool rbv_name_is_valid(const char *name);

/* The candidate nearest to `name` by Damerau-Levenshtein distance, case ignored, or NULL when none is near enough
 * (distance above a third of the length, at least 1). `candidate(context, k)` gives the k-th of `count` candidates. */
const char *rbv_name_nearest(const char *name, int32_t count, const char *(*candidate)(const void *context, int32_t k),
                             const void *context);

/* Things in the order of their names: of choices that are as good, the first counts wherever it stands in the model
 * (decision 0042). */
typedef struct RbvNamed {
    const char *name; /* the caller's */
    int32_t index;    /* place in the caller's list */
} RbvNamed;
/* By bytes of the names; equal names keep the order of their indices. */
void rbv_sort_by_name(RbvNamed *items, int32_t count);

/* Hash table from names to indices; names are not copied. */
typedef struct RbvNameTable {
    const char **names; /* [capacity], NULL: empty */
    int32_t *values;    /* [capacity] */
    int32_t capacity, count;
} RbvNameTable;

/* False when there is no memory. An existing name keeps its first value. */
bool rbv_name_table_add(RbvNameTable *table, const char *name, int32_t value);
/* The value of `name`, or -1. */
int32_t rbv_name_table_find(const RbvNameTable *table, const char *name);
void rbv_name_table_clear(RbvNameTable *table);

#endif
