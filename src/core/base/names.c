/* Names: validity, the nearest candidate, their order, and a hash table from names to indices.
 *
 * Nearness is the optimal string alignment distance: insertions, deletions, substitutions and exchanges of neighbours,
 *
 *   D(i,j) = min( D(i-1,j) + 1, D(i,j-1) + 1, D(i-1,j-1) + [a_i != b_j], D(i-2,j-2) + 1 if a_i a_{i-1} = b_{j-1} b_j ).
 *
 * The tables use open addressing with linear probing, at most two thirds full, and the FNV-1a hash.
 */
#include "core/base/names.h"

#include <roberval/base.h>

#include <stdlib.h>
#include <string.h>

/* --- hash table of indices --- */

uint32_t rbv_hash(const void *bytes, size_t size) {
    uint32_t h = 2166136261u;
    for (const unsigned char *byte = bytes; size > 0; byte++, size--)
        h = (h ^ *byte) * 16777619u;
    return h;
}

static void put_index(RbvIndexTable *table, int32_t index, uint32_t hash) {
    uint32_t cell = rbv_index_cell(table, hash);
    while (table->cells[cell])
        cell = rbv_index_cell(table, cell + 1);
    table->cells[cell] = index + 1;
}

static bool grow_indices(RbvIndexTable *table, uint32_t (*hash_of)(const void *list, int32_t k), const void *list) {
    if (table->capacity > INT32_MAX / 4)
        return false;
    RbvIndexTable larger = {.capacity = table->capacity ? 2 * table->capacity : 16, .count = table->count};
    larger.cells = calloc((size_t)larger.capacity, sizeof *larger.cells);
    if (!larger.cells)
        return false;
    for (int32_t c = 0; c < table->capacity; c++)
        if (table->cells[c])
            put_index(&larger, table->cells[c] - 1, hash_of(list, table->cells[c] - 1));
    free(table->cells);
    *table = larger;
    return true;
}

bool rbv_index_table_add(RbvIndexTable *table, int32_t index, uint32_t (*hash_of)(const void *list, int32_t k),
                         const void *list) {
    if (3 * (table->count + 1) > 2 * table->capacity && !grow_indices(table, hash_of, list))
        return false;
    put_index(table, index, hash_of(list, index));
    table->count++;
    return true;
}

void rbv_index_table_clear(RbvIndexTable *table) {
    free(table->cells);
    *table = (RbvIndexTable){0};
}

/* Longer names are not compared for nearness: a few wrong letters in them are unlikely to be the cause. */
#define NEAREST_MAX_LENGTH 63

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool rbv_name_is_valid(const char *name) {
    if (name == NULL || !is_letter(name[0]))
        return false;
    for (const char *c = name + 1; *c != '\0'; c++) {
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '_')
            return false;
    }
    return true;
}

static char lower(char c) {
    return (c >= 'A' && c <= 'Z') ? (char)(c - 'A' + 'a') : c;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t distance(const char *a, int32_t na, const char *b, int32_t nb) {
    int32_t rows[3][NEAREST_MAX_LENGTH + 1];
    int32_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (int32_t j = 0; j <= nb; j++)
        above[j] = j;
    for (int32_t i = 1; i <= na; i++) {
        row[0] = i;
        for (int32_t j = 1; j <= nb; j++) {
            char p = lower(a[i - 1]), q = lower(b[j - 1]);
            int32_t d = least(above[j] + 1, row[j - 1] + 1);
            d = least(d, above[j - 1] + (p != q));
            if (i > 1 && j > 1 && p == lower(b[j - 2]) && q == lower(a[i - 2]))
                d = least(d, before[j - 2] + 1);
            row[j] = d;
        }
        int32_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[nb];
}

const char *rbv_name_nearest(const char *name, int32_t count, const char *(*candidate)(const void *context, int32_t k),
                             const void *context) {
    size_t length = strlen(name);
    if (length == 0 || length > NEAREST_MAX_LENGTH)
        return NULL;
    int32_t allowed = (int32_t)length / 3;
    if (allowed < 1)
        allowed = 1;
    const char *nearest = NULL;
    int32_t nearest_distance = allowed + 1;
    for (int32_t k = 0; k < count; k++) {
        const char *other = candidate(context, k);
        if (other == NULL)
            continue;
        size_t other_length = strlen(other);
        if (other_length == 0 || other_length > NEAREST_MAX_LENGTH)
            continue;
        size_t longest = other_length > length ? other_length : length;
        int32_t d = distance(name, (int32_t)length, other, (int32_t)other_length);
        if (d >= (int32_t)longest)
            continue; /* not one letter in common */
        if (d < nearest_distance) {
            nearest = other;
            nearest_distance = d;
        }
    }
    return nearest;
}

static const char *word_at(const void *words, int32_t k) {
    return ((const char *const *)words)[k];
}

const char *rbv_nearest_word(const char *word, int32_t count, const char *const *words) {
    return word && words ? rbv_name_nearest(word, count, word_at, words) : NULL;
}

/* The cell that holds `name`, or the empty cell for it. */
static int32_t cell_of(const RbvNameTable *table, const char *name) {
    uint32_t mask = (uint32_t)table->capacity - 1u;
    uint32_t cell = rbv_hash(name, strlen(name)) & mask;
    while (table->names[cell] != NULL && strcmp(table->names[cell], name) != 0)
        cell = (cell + 1u) & mask;
    return (int32_t)cell;
}

static bool grow(RbvNameTable *table) {
    if (table->capacity > INT32_MAX / 4)
        return false;
    RbvNameTable larger = {.capacity = table->capacity == 0 ? 16 : 2 * table->capacity, .count = table->count};
    larger.names = calloc((size_t)larger.capacity, sizeof *larger.names);
    larger.values = calloc((size_t)larger.capacity, sizeof *larger.values);
    if (larger.names == NULL || larger.values == NULL) {
        rbv_name_table_clear(&larger);
        return false;
    }
    for (int32_t k = 0; k < table->capacity; k++) {
        if (table->names[k] == NULL)
            continue;
        int32_t cell = cell_of(&larger, table->names[k]);
        larger.names[cell] = table->names[k];
        larger.values[cell] = table->values[k];
    }
    rbv_name_table_clear(table);
    *table = larger;
    return true;
}

bool rbv_name_table_add(RbvNameTable *table, const char *name, int32_t value) {
    if (3 * (table->count + 1) > 2 * table->capacity && !grow(table))
        return false;
    int32_t cell = cell_of(table, name);
    if (table->names[cell] != NULL)
        return true;
    table->names[cell] = name;
    table->values[cell] = value;
    table->count++;
    return true;
}

int32_t rbv_name_table_find(const RbvNameTable *table, const char *name) {
    if (table->capacity == 0)
        return -1;
    int32_t cell = cell_of(table, name);
    return table->names[cell] == NULL ? -1 : table->values[cell];
}

void rbv_name_table_clear(RbvNameTable *table) {
    free(table->names);
    free(table->values);
    *table = (RbvNameTable){0};
}

static int by_name(const void *a, const void *b) {
    const RbvNamed *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void rbv_sort_by_name(RbvNamed *items, int32_t count) {
    if (count > 1)
        qsort(items, (size_t)count, sizeof *items, by_name);
}
