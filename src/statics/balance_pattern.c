/* Sparsity pattern of the balance's linear system: K by pairs of bodies that rows and loads couple, or by the
 * coordinates that move these bodies, and the rows of C and their transposes. */
#include "statics/balance.h"

#include <stdlib.h>
#include <string.h>

bool rbv_balance_may_act(const RbvSystem *system, int32_t k) {
    return k >= system->all_count || (k < system->satisfied_count && !rbv_system_keeps(system, k));
}

int32_t rbv_balance_entries(const RbvSystem *system, int32_t k) {
    return rbv_balance_may_act(system, k) ? system->C.start[k + 1] - system->C.start[k] : 0;
}

typedef struct Pairs {
    uint64_t *items;
    size_t count, capacity;
    bool lost;
} Pairs;

static void note_pair(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Pairs *pairs = context;
    (void)factor, (void)block, (void)width;
    uint64_t pair = (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
    if (pairs->count > 0 && pairs->items[pairs->count - 1] == pair)
        return;
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity ? 2 * pairs->capacity : 256;
        uint64_t *grown = realloc(pairs->items, capacity * sizeof *grown);
        pairs->lost = pairs->lost || !grown;
        if (!grown)
            return;
        pairs->items = grown;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count++] = pair;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void note_acting_pair(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    if (factor != 0)
        note_pair(context, i, j, factor, block, width);
}

/* Notes the pairs of bodies that rows and loads couple. Rows that the coordinates keep couple no bodies: their
 * multiplier, and with it the factor of their blocks, is zero at every state; the multipliers of other rows are set to
 * NaN, which is not zero. */
static void note_pairs(RbvBalance *b, Pairs *pairs) {
    const RbvStiffnessSink all = {pairs, note_pair, NULL}, acting = {pairs, note_acting_pair, NULL};
    if (!b->system->kept) {
        rbv_state_stiffness(b->state, b->lambda, &all);
        return;
    }
    for (int32_t k = 0; k < b->system->row_count; k++)
        b->b[k] = rbv_system_keeps(b->system, k) ? 0 : NAN;
    rbv_state_stiffness(b->state, b->b, &acting);
    rbv_state_load_stiffness(b->state, &all);
}

/* Finds the blocks of K over bodies in one pass of the stiffness; the pattern does not depend on the state. */
static bool find_neighbours(RbvBalance *b) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    Pairs pairs = {0};
    note_pairs(b, &pairs);
    for (int32_t i = 1; i < bodies->count; i++)
        note_pair(&pairs, i, i, 0, NULL, 0);
    const RbvModel *model = b->system->model;
    for (int32_t k = 0; k < model->generalized.count * model->generalized.count; k++) /* their masses */
        note_pair(&pairs, model->generalized.items[k / model->generalized.count].body,
                  model->generalized.items[k % model->generalized.count].body, 0, NULL, 0);
    b->neighbour_start = rbv_arena_array(&b->arena, (size_t)bodies->count + 2, sizeof *b->neighbour_start);
    b->neighbour = rbv_arena_alloc(&b->arena, (pairs.count + 1) * sizeof *b->neighbour);
    b->offset = rbv_arena_alloc(&b->arena, (pairs.count + 1) * sizeof *b->offset);
    bool good = !pairs.lost && b->neighbour_start && b->neighbour && b->offset;
    if (good) {
        qsort(pairs.items, pairs.count, sizeof *pairs.items, by_value);
        int32_t count = 0, width = 0, last = -1;
        for (size_t k = 0; k < pairs.count; k++) {
            int32_t i = (int32_t)(pairs.items[k] >> 32), j = (int32_t)(pairs.items[k] & 0xffffffffu);
            if (k > 0 && pairs.items[k] == pairs.items[k - 1])
                continue;
            width = i == last ? width : 0;
            last = i;
            b->neighbour[count] = j;
            b->offset[count++] = width;
            width += rbv_bodies_columns(bodies, j);
            b->neighbour_start[i + 1] = count;
        }
    }
    free(pairs.items);
    return good;
}

/* Rows of K made of blocks of bodies. False if out of memory. */
static bool pattern_of_bodies(const RbvBalance *b, RbvRowPattern *K) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    *K = (RbvRowPattern){b->n, calloc((size_t)b->n + 2, sizeof(int32_t)), NULL};
    for (int32_t i = 1; K->start && i < bodies->count; i++) {
        int32_t last = b->neighbour_start[i + 1] - 1;
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++)
            K->start[r + 1] = K->start[r] + b->offset[last] + rbv_bodies_columns(bodies, b->neighbour[last]);
    }
    if (!K->start || !(K->column = malloc(((size_t)K->start[b->n] + 1) * sizeof *K->column)))
        return false;
    int32_t *next = K->column;
    for (int32_t i = 1; i < bodies->count; i++)
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++)
            for (int32_t p = b->neighbour_start[i]; p < b->neighbour_start[i + 1]; p++)
                for (int32_t c = bodies->start[b->neighbour[p]]; c < bodies->start[b->neighbour[p] + 1]; c++)
                    *next++ = c;
    return true;
}

/* Start of each row of the matrix. Rows 0 ... n-1: K, then the columns of C^T; rows n ...: C_k and the diagonal. */
static void set_row_starts(RbvBalance *b, const RbvRowPattern *K) {
    const RbvSystem *system = b->system;
    int32_t n = b->n, total = n + b->rows;
    for (int32_t r = 0; r < n; r++)
        b->start[r + 1] = b->width[r] = K->start[r + 1] - K->start[r];
    for (int32_t k = 0; k < b->rows; k++) {
        for (int32_t e = system->C.start[k]; e < system->C.start[k] + rbv_balance_entries(system, k); e++)
            b->start[system->C.column[e] + 1]++;
        b->start[n + k + 1] = rbv_balance_entries(system, k) + 1;
    }
    for (int32_t k = 0; k < total; k++)
        b->start[k + 1] += b->start[k];
    b->value_count = b->start[total];
}

static bool build_matrix(RbvBalance *b, const RbvRowPattern *K) {
    const RbvSystem *system = b->system;
    int32_t n = b->n, total = n + b->rows, nonzeros = system->C.start[b->rows];
    b->start = rbv_arena_array(&b->arena, (size_t)total + 2, sizeof *b->start);
    b->width = rbv_arena_alloc(&b->arena, ((size_t)n + 1) * sizeof *b->width);
    b->at = rbv_arena_alloc(&b->arena, ((size_t)nonzeros + 1) * sizeof *b->at);
    b->at_transposed = rbv_arena_alloc(&b->arena, ((size_t)nonzeros + 1) * sizeof *b->at_transposed);
    if (!b->start || !b->width || !b->at || !b->at_transposed)
        return false;
    set_row_starts(b, K);
    int32_t *index = b->index = rbv_arena_alloc(&b->arena, ((size_t)b->value_count + 1) * sizeof *index),
            *next = malloc(((size_t)n + 1) * sizeof *next);
    b->values = rbv_arena_alloc(&b->arena, ((size_t)b->value_count + 1) * sizeof *b->values);
    bool good = index && next && b->values;
    for (int32_t r = 0; good && r < n; r++) {
        memcpy(index + b->start[r], K->column + K->start[r], (size_t)b->width[r] * sizeof *index);
        next[r] = b->start[r] + b->width[r];
    }
    for (int32_t k = 0; good && k < b->rows; k++) {
        int32_t at = b->start[n + k];
        for (int32_t e = system->C.start[k]; e < system->C.start[k] + rbv_balance_entries(system, k); e++) {
            int32_t j = system->C.column[e];
            index[at] = j;
            b->at[e] = at++;
            index[next[j]] = n + k;
            b->at_transposed[e] = next[j]++;
        }
        index[at] = n + k;
    }
    if (good)
        b->lu = rbv_lu_create(total, b->start, index);
    free(next);
    return good && b->lu;
}

void rbv_balance_find_owners(RbvBalance *b) {
    const RbvCoordinates *coordinates = &b->system->coordinates;
    const RbvRowPattern *C = &b->system->C;
    for (int32_t i = 1; coordinates->of_bodies && i < b->system->bodies.count; i++)
        for (int32_t j = b->system->bodies.start[i]; j < b->system->bodies.start[i + 1]; j++)
            b->owner[j] = i;
    for (int32_t i = 1; !coordinates->of_bodies && i < b->system->bodies.count; i++) {
        int32_t *column = b->state->row_work.column, count = coordinates->kind->columns(coordinates, i, column);
        for (int32_t k = 0; k < count; k++)
            b->owner[column[k]] = i;
    }
    for (int32_t row = b->system->all_count; row < b->rows; row++) {
        int32_t known = 0;
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++)
            known = b->owner[C->column[e]] > 0 ? b->owner[C->column[e]] : known;
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++)
            b->owner[C->column[e]] = b->owner[C->column[e]] > 0 ? b->owner[C->column[e]] : known;
    }
}

bool rbv_balance_create_pattern(RbvBalance *b) {
    RbvRowPattern K = {0};
    if (!find_neighbours(b))
        return false;
    if (!b->system->coordinates.of_bodies) {
        b->blocks = rbv_coordinate_blocks_create(b->state, b->scale, b->neighbour_start, b->neighbour);
        return b->blocks && build_matrix(b, &b->blocks->K);
    }
    bool good = pattern_of_bodies(b, &K) && build_matrix(b, &K);
    free(K.start);
    free(K.column);
    return good;
}
