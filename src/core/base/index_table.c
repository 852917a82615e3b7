/* Open addressing with linear probing, at most two thirds full. */
#include "core/base/index_table.h"

#include <stdlib.h>

uint32_t rbv_hash(const void *bytes, size_t size) {
    uint32_t h = 2166136261u;
    for (const unsigned char *byte = bytes; size > 0; byte++, size--)
        h = (h ^ *byte) * 16777619u;
    return h;
}

static void put(RbvIndexTable *table, int32_t index, uint32_t hash) {
    uint32_t cell = rbv_index_cell(table, hash);
    while (table->cells[cell])
        cell = rbv_index_cell(table, cell + 1);
    table->cells[cell] = index + 1;
}

static bool grow(RbvIndexTable *table, uint32_t (*hash_of)(const void *list, int32_t k), const void *list) {
    if (table->capacity > INT32_MAX / 4)
        return false;
    RbvIndexTable larger = {.capacity = table->capacity ? 2 * table->capacity : 16, .count = table->count};
    larger.cells = calloc((size_t)larger.capacity, sizeof *larger.cells);
    if (!larger.cells)
        return false;
    for (int32_t c = 0; c < table->capacity; c++)
        if (table->cells[c])
            put(&larger, table->cells[c] - 1, hash_of(list, table->cells[c] - 1));
    free(table->cells);
    *table = larger;
    return true;
}

bool rbv_index_table_add(RbvIndexTable *table, int32_t index, uint32_t (*hash_of)(const void *list, int32_t k),
                         const void *list) {
    if (3 * (table->count + 1) > 2 * table->capacity && !grow(table, hash_of, list))
        return false;
    put(table, index, hash_of(list, index));
    table->count++;
    return true;
}

void rbv_index_table_clear(RbvIndexTable *table) {
    free(table->cells);
    *table = (RbvIndexTable){0};
}
