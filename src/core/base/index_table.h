/* A hash table of the indices of a list. The table stores hashes and cells only; comparing items is the caller's task.
 */
#ifndef RBV_CORE_BASE_INDEX_TABLE_H
#define RBV_CORE_BASE_INDEX_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
