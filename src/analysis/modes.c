/* Self-stress modes in the users' names: the null space of C^T, reduced to echelon form so that each mode involves few joints (N24). */
#include "analysis/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares below this part of the largest are rounding of the null space. */
#define SMALLEST_SHARE 1e-9

/* Gauss and Jordan with full pivoting on the columns of N[rows][p]: each column becomes the only one with an entry in its pivot row. */
static void reduce(double *N, int32_t rows, int32_t p, bool *used) {
    for (int32_t i = 0; i < rows; i++)
        used[i] = false;
    for (int32_t c = 0; c < p; c++) {
        int32_t pivot_row = -1, pivot_column = c;
        double best = 0;
        for (int32_t i = 0; i < rows; i++)
            for (int32_t d = c; d < p; d++)
                if (!used[i] && fabs(N[i * p + d]) > best * (1 + 1e-9)) {
                    best = fabs(N[i * p + d]);
                    pivot_row = i;
                    pivot_column = d;
                }
        if (pivot_row < 0)
            return;
        used[pivot_row] = true;
        for (int32_t i = 0; i < rows; i++) {
            double swap = N[i * p + c];
            N[i * p + c] = N[i * p + pivot_column];
            N[i * p + pivot_column] = swap;
        }
        double pivot = N[pivot_row * p + c];
        for (int32_t i = 0; i < rows; i++)
            N[i * p + c] /= pivot;
        for (int32_t d = 0; d < p; d++) {
            double factor = N[pivot_row * p + d];
            for (int32_t i = 0; d != c && factor != 0 && i < rows; i++)
                N[i * p + d] -= factor * N[i * p + c];
        }
    }
}

typedef struct Shares {
    RbvShare *items;
    int32_t count;
    double largest_force, largest;
} Shares;

static void add_share(RbvResult *result, Shares *shares, int32_t column, double value, bool force) {
    shares->items[shares->count++] = (RbvShare){result->columns[column].name, value};
    shares->largest = fmax(shares->largest, fabs(value));
    if (force)
        shares->largest_force = fmax(shares->largest_force, fabs(value));
}

/* What multipliers n of a block mean at each of its elements. */
static void element_shares(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, const RbvSolvability *s,
                           const RbvElement *element, const double *n, double *c, Shares *shares) {
    RbvResult *result = record->result;
    double one = n[s->local[element->first_row]];
    if (element->owner == RBV_OWNER_DRIVE) {
        add_share(result, shares, result->drives.items[element->index].first, -one, false);
        return;
    }
    if (element->owner == RBV_OWNER_CONSTRAINT) {
        add_share(result, shares, result->constraints.items[element->index].first, -one, false);
        return;
    }
    for (int component = 0; component < RBV_LINE_F; component++) {
        int32_t column = record->column_of[element->index * RBV_COMPONENT_COUNT + component];
        if (column < 0 || !reactions->held[element->index][component])
            continue;
        rbv_reactions_functional(reactions, state, element->index, component, c);
        double sum = 0;
        for (int32_t k = 0; k < element->row_count; k++)
            sum += c[k] * n[s->local[element->first_row + k]];
        add_share(result, shares, column, sum, component < RBV_TX);
    }
}

static bool keep_mode(RbvResult *result, RbvMode *mode, Shares *shares) {
    double unit = shares->largest_force > SMALLEST_SHARE * shares->largest ? shares->largest_force : shares->largest;
    int32_t count = 0;
    for (int32_t k = 0; k < shares->count; k++)
        if (fabs(shares->items[k].share) > SMALLEST_SHARE * shares->largest)
            shares->items[count++] = (RbvShare){shares->items[k].name, shares->items[k].share / unit};
    mode->shares = rbv_arena_alloc(&result->arena, ((size_t)count + 1) * sizeof *mode->shares);
    if (!mode->shares)
        return false;
    if (count)
        memcpy(mode->shares, shares->items, (size_t)count * sizeof *mode->shares);
    mode->count = count;
    return true;
}

bool rbv_record_modes(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, const RbvSolvability *s) {
    RbvResult *result = record->result;
    int32_t total = 0, most_rows = 1;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        total += s->ranks[b].redundant;
        most_rows = s->blocks.blocks[b].row_count > most_rows ? s->blocks.blocks[b].row_count : most_rows;
    }
    if (total == 0)
        return true;
    size_t rows = (size_t)most_rows;
    result->modes = rbv_arena_alloc(&result->arena, (size_t)total * sizeof *result->modes);
    double *n = malloc(rows * sizeof *n), *c = malloc((rows + 8) * sizeof *c);
    bool *used = malloc(rows * sizeof *used);
    Shares shares = {.items = malloc((6 * rows + 16) * sizeof *shares.items)};
    bool good = result->modes && n && c && used && shares.items;
    for (int32_t b = 0; good && b < s->blocks.block_count; b++) {
        const RbvBlock *block = &s->blocks.blocks[b];
        const RbvBlockRank *rank = &s->ranks[b];
        int32_t p = rbv_has_null(rank) ? rank->redundant : 0;
        double *N = p > 0 ? malloc((size_t)block->row_count * (size_t)p * sizeof *N) : NULL;
        if (!N) {
            good = p == 0;
            continue;
        }
        for (int32_t i = 0; i < block->row_count; i++)
            for (int32_t k = 0; k < p; k++)
                N[i * p + k] = rbv_null_entry(rank, i, k) * rank->row_norm[i];
        reduce(N, block->row_count, p, used);
        for (int32_t k = 0; good && k < p; k++) {
            shares.count = 0;
            shares.largest = shares.largest_force = 0;
            for (int32_t i = 0; i < block->row_count; i++)
                n[i] = N[i * p + k] / rank->row_norm[i];
            for (int32_t e = 0; e < block->element_count; e++)
                element_shares(record, state, reactions, s, &s->blocks.elements[block->elements[e]], n, c, &shares);
            good = keep_mode(result, &result->modes[result->mode_count], &shares);
            result->mode_count += good;
        }
        free(N);
    }
    free(n);
    free(c);
    free(used);
    free(shares.items);
    return good;
}
