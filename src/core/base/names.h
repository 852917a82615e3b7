/* Names of items: valid names, nearest names for misspelt ones, sorting and lookup by hash tables. */
#ifndef RBV_CORE_BASE_NAMES_H
#define RBV_CORE_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table of the indices of a list. The table stores hashes and cells only; comparing items is the caller's task.
 */
typedef struct RbvIndexTable {
    int32_t *cells;   /* [capacity] index + 1; 0: empty */
    int32_t capacity; /* a power of 2, at least one and a half times the count */
    int32_t count;
} RbvIndexTable;

/* FNV-1a hash of bytes. */
uint32_t rbv_hash(const void *bytes, size_t size);

/* First cell of a hash; the next cell is rbv_index_cell(table, cell + 1). rbv_index_at: index stored in a cell, or -1.
 * Not for a table without capacity. */
static inline uint32_t rbv_index_cell(const RbvIndexTable *table, uint32_t hash) {
    return hash & ((uint32_t)table->capacity - 1u);
}
static inline int32_t rbv_index_at(const RbvIndexTable *table, uint32_t cell) {
    return table->cells[cell] - 1;
}

/* Add an `index` that is not yet in the table. `hash_of(list, k)`: hash of item k of the list. False: out of memory. */
bool rbv_index_table_add(RbvIndexTable *table, int32_t index, uint32_t (*hash_of)(const void *list, int32_t k),
                         const void *list);
void rbv_index_table_clear(RbvIndexTable *table);

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
