/* Systems in block triangular form; see lu.h. */
#include "core/linalg/lu.h"

#include <btf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work limit of the search for a transversal, in multiples of the number of entries; beyond it the whole matrix is one
 * block. */
#define BLOCK_SEARCH_WORK 20

/* One block: unknowns and equations first ... first + size - 1 of the order. */
typedef struct Block {
    int32_t first, size;
    RbvLu *lu; /* factors of blocks with more than one unknown */
} Block;

struct RbvBlockLu {
    int32_t n, count;
    int32_t *start, *index;
    Block *blocks;
    int32_t *equation, *unknown; /* [n] equation and unknown at each position of the order: columns and rows of A */
    int32_t *place;              /* [n] position of each equation */
    int32_t *inside;             /* [n + 1] for each unknown the start, in `entry`, of the entries of its own block */
    int32_t *outside;            /* [n] for each unknown the start, in `entry`, of the entries of earlier blocks */
    int32_t *entry;              /* [entries] */
    const double *values;
    double *x; /* [n] scratch */
};

void rbv_block_lu_destroy(RbvBlockLu *lu) {
    if (!lu)
        return;
    for (int32_t b = 0; lu->blocks && b < lu->count; b++)
        rbv_lu_destroy(lu->blocks[b].lu);
    free(lu->start);
    free(lu->index);
    free(lu->blocks);
    free(lu->equation);
    free(lu->unknown);
    free(lu->place);
    free(lu->inside);
    free(lu->outside);
    free(lu->entry);
    free(lu->x);
    free(lu);
}

/* Find the order and the ends of its blocks. False: out of memory. */
static bool order(RbvBlockLu *lu) {
    size_t n = (size_t)lu->n + 1;
    int32_t *end = malloc(n * sizeof *end), *work = malloc(5 * n * sizeof *work), matched = 0;
    double done;
    bool good = end && work;
    if (good) {
        lu->count = btf_order(lu->n, lu->start, lu->index, BLOCK_SEARCH_WORK, &done, lu->equation, lu->unknown, end,
                              &matched, work);
        if (matched < lu->n) {
            lu->count = 1;
            end[0] = 0, end[1] = lu->n;
            for (int32_t k = 0; k < lu->n; k++)
                lu->equation[k] = lu->unknown[k] = k;
        }
        lu->blocks = calloc((size_t)lu->count + 1, sizeof *lu->blocks);
        for (int32_t b = 0; lu->blocks && b < lu->count; b++)
            lu->blocks[b] = (Block){end[b], end[b + 1] - end[b], NULL};
    }
    free(end);
    free(work);
    return good && lu->blocks;
}

/* For each unknown, in the order: entries of its own block, then those of earlier blocks. */
static void sort_entries(RbvBlockLu *lu) {
    int32_t at = 0;
    for (int32_t k = 0; k < lu->n; k++)
        lu->place[lu->equation[k]] = k;
    for (int32_t b = 0; b < lu->count; b++)
        for (int32_t k = lu->blocks[b].first; k < lu->blocks[b].first + lu->blocks[b].size; k++)
            for (int pass = 0; pass < 2; pass++) {
                *(pass ? &lu->outside[k] : &lu->inside[k]) = at;
                for (int32_t e = lu->start[lu->unknown[k]]; e < lu->start[lu->unknown[k] + 1]; e++)
                    if ((lu->place[lu->index[e]] >= lu->blocks[b].first) != (pass == 1))
                        lu->entry[at++] = e;
            }
    lu->inside[lu->n] = at;
}

/* Create the factors of a block with more than one unknown: its unknowns are rows. False: out of memory. */
static bool create_block(RbvBlockLu *lu, Block *block) {
    if (block->size == 1)
        return true;
    int32_t most = lu->inside[block->first + block->size] - lu->inside[block->first], at = 0;
    int32_t *start = malloc(((size_t)block->size + 1) * sizeof *start),
            *index = malloc(((size_t)most + 1) * sizeof *index);
    for (int32_t k = 0; start && index && k < block->size; k++) {
        start[k] = at;
        for (int32_t e = lu->inside[block->first + k]; e < lu->outside[block->first + k]; e++)
            index[at++] = lu->place[lu->index[lu->entry[e]]] - block->first;
    }
    if (start && index) {
        start[block->size] = at;
        block->lu = rbv_lu_create(block->size, start, index);
    }
    free(start);
    free(index);
    return block->lu != NULL;
}

RbvBlockLu *rbv_block_lu_create(int32_t n, const int32_t *start, const int32_t *index) {
    RbvBlockLu *lu = calloc(1, sizeof *lu);
    if (!lu)
        return NULL;
    size_t size = (size_t)n + 1, entries = (n > 0 ? (size_t)start[n] : 0) + 1;
    lu->n = n;
    lu->start = calloc(size, sizeof *lu->start);
    lu->index = malloc(entries * sizeof *lu->index);
    lu->entry = malloc(entries * sizeof *lu->entry);
    lu->equation = malloc(size * sizeof *lu->equation);
    lu->unknown = malloc(size * sizeof *lu->unknown);
    lu->place = malloc(size * sizeof *lu->place);
    lu->inside = malloc(size * sizeof *lu->inside);
    lu->outside = malloc(size * sizeof *lu->outside);
    lu->x = malloc(size * sizeof *lu->x);
    bool good = lu->start && lu->index && lu->entry && lu->equation && lu->unknown && lu->place && lu->inside &&
                lu->outside && lu->x;
    if (good && n > 0) {
        memcpy(lu->start, start, size * sizeof *start);
        memcpy(lu->index, index, (entries - 1) * sizeof *index);
        good = order(lu);
    }
    if (good)
        sort_entries(lu);
    for (int32_t b = 0; good && b < lu->count; b++)
        good = create_block(lu, &lu->blocks[b]);
    if (good)
        return lu;
    rbv_block_lu_destroy(lu);
    return NULL;
}

bool rbv_block_lu_factor(RbvBlockLu *lu, const double *values, bool *no_memory) {
    lu->values = values;
    for (int32_t b = 0; b < lu->count; b++) {
        const Block *block = &lu->blocks[b];
        if (!block->lu) {
            double pivot = values[lu->entry[lu->inside[block->first]]];
            if (!(fabs(pivot) > 0) || !isfinite(pivot))
                return false;
            continue;
        }
        double *to = rbv_lu_entries(block->lu);
        for (int32_t k = block->first; k < block->first + block->size; k++)
            for (int32_t e = lu->inside[k]; e < lu->outside[k]; e++)
                *to++ = values[lu->entry[e]];
        if (!rbv_lu_factor(block->lu, rbv_lu_entries(block->lu), no_memory))
            return false;
    }
    return true;
}

void rbv_block_lu_solve_transposed(RbvBlockLu *lu, double *b, double *x) {
    for (int32_t k = lu->count - 1; k >= 0; k--) {
        const Block *block = &lu->blocks[k];
        double *y = lu->x;
        for (int32_t i = 0; i < block->size; i++)
            y[i] = b[lu->equation[block->first + i]];
        if (block->lu)
            rbv_lu_solve_transposed(block->lu, y);
        else
            y[0] /= lu->values[lu->entry[lu->inside[block->first]]];
        for (int32_t i = 0; i < block->size; i++) {
            int32_t unknown = block->first + i;
            x[lu->unknown[unknown]] = y[i];
            for (int32_t e = lu->outside[unknown]; e < lu->inside[unknown + 1]; e++)
                b[lu->index[lu->entry[e]]] -= lu->values[lu->entry[e]] * y[i];
        }
    }
}

int32_t rbv_block_lu_coupled(const RbvBlockLu *lu, int32_t *largest) {
    int32_t count = 0;
    *largest = 0;
    for (int32_t b = 0; b < lu->count; b++) {
        count += lu->blocks[b].size > 1;
        *largest = lu->blocks[b].size > *largest ? lu->blocks[b].size : *largest;
    }
    return count;
}
