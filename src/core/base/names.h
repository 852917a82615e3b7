/* Names of items: valid names, nearest names for misspelt ones, sorting and lookup. */
#ifndef RBV_CORE_BASE_NAMES_H
#define RBV_CORE_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RBV_NAME_MOST 255 /* letters of a name */
#define RBV_NAME_SIZE 600 /* of a text with two names, such as body.marker.x */

/* True for letters, digits and '_', starting with a letter; any length. */
bool rbv_name_is_valid(const char *name);

/* Candidate nearest to `name` by Damerau-Levenshtein distance, case ignored; NULL: none near enough (distance above a
 * third of the length, at least 1). `candidate(context, k)` returns candidate k of `count`. */
const char *rbv_name_nearest(const char *name, int32_t count, const char *(*candidate)(const void *context, int32_t k),
                             const void *context);

/* Items sorted by name: of equally good choices the first one by name is taken, wherever it stands in the model
 * (decision 0042). */
typedef struct RbvNamed {
    const char *name; /* owned by the caller */
    int32_t index;    /* index in the caller's list */
} RbvNamed;
/* Sort by bytes of the names; equal names keep the order of their indices. */
void rbv_sort_by_name(RbvNamed *items, int32_t count);

/* Hash table from names to indices; names are not copied. */
typedef struct RbvNameTable {
    const char **names; /* [capacity], NULL: empty */
    int32_t *values;    /* [capacity] */
    int32_t capacity, count;
} RbvNameTable;

/* Add a name; an existing name keeps its first value. False: out of memory. */
bool rbv_name_table_add(RbvNameTable *table, const char *name, int32_t value);
/* Value of `name`, or -1. */
int32_t rbv_name_table_find(const RbvNameTable *table, const char *name);
void rbv_name_table_clear(RbvNameTable *table);

#endif
