/* L D L^T without pivoting, by LDL of SuiteSparse: rows first, then the columns in AMD's order for A + C^T C / c. */
#include "core/solve/definite.h"

#include "core/base/arena.h"

#include <amd.h>
#include <ldl.h>
#include <stdlib.h>

/* Most entries of L [8 bytes and 4 each], and most multiplications: more are not tried. */
#define MOST_FACTOR_ENTRIES 100000000
#define MOST_FACTOR_WORK 2e10

typedef struct Definite {
    RbvArena arena;
    int32_t n, total; /* columns of A; with the rows */
    const int32_t *start, *index;
    int32_t *order, *place; /* [total] order of elimination and its inverse */
} Definite;

static int32_t *integers(Definite *d, size_t count) {
    return rbv_arena_array(&d->arena, count + 1, sizeof(int32_t));
}

/* Columns that share a row or an entry of A with column j, each once, to list or only counted. `seen[]` < mark. */
static int32_t neighbours(const Definite *d, int32_t j, int32_t *seen, int32_t mark, int32_t *list) {
    int32_t count = 0;
    for (int32_t e = d->start[j]; e < d->start[j + 1]; e++) {
        int32_t other = d->index[e], from = e, to = e + 1;
        if (other >= d->n) {
            from = d->start[other];
            to = d->start[other + 1];
        }
        for (int32_t k = from; k < to; k++)
            if (d->index[k] < d->n && seen[d->index[k]] != mark) {
                seen[d->index[k]] = mark;
                if (list)
                    list[count] = d->index[k];
                count++;
            }
    }
    return count;
}

/* The rows, then the columns by AMD. False: out of memory, or too many entries. */
static bool find_order(Definite *d) {
    int32_t rows = d->total - d->n, *seen = integers(d, (size_t)d->n), *first = integers(d, (size_t)d->n);
    int64_t count = 0;
    d->order = integers(d, (size_t)d->total);
    d->place = integers(d, (size_t)d->total);
    if (!seen || !first || !d->order || !d->place)
        return false;
    for (int32_t j = 0; j < d->n && count < MOST_FACTOR_ENTRIES; j++)
        count += neighbours(d, j, seen, j + 1, NULL);
    int32_t *list = count < MOST_FACTOR_ENTRIES ? integers(d, (size_t)count) : NULL;
    if (!list)
        return false;
    for (int32_t j = 0; j < d->n; j++)
        first[j + 1] = first[j] + neighbours(d, j, seen, d->n + j + 1, list + first[j]);
    double info[AMD_INFO];
    if (amd_order(d->n, first, list, d->order + rows, NULL, info) < AMD_OK || info[AMD_LNZ] > MOST_FACTOR_ENTRIES ||
        info[AMD_NMULTSUBS_LDL] > MOST_FACTOR_WORK)
        return false;
    for (int32_t k = 0; k < rows; k++)
        d->order[k] = d->n + k;
    return true;
}

/* Factors, and looks at the signs of all pivots. */
static bool factor(Definite *d, const double *values) {
    size_t total = (size_t)d->total;
    int32_t *parent = integers(d, total), *counts = integers(d, total), *flag = integers(d, total),
            *starts = integers(d, total), *pattern = integers(d, total);
    double *D = rbv_arena_array(&d->arena, 2 * total + 1, sizeof *D), *y = D + total;
    int64_t entries = 0;
    if (!parent || !counts || !flag || !starts || !pattern || !D)
        return false;
    ldl_symbolic(d->total, (int32_t *)d->start, (int32_t *)d->index, starts, parent, counts, flag, d->order, d->place);
    for (int32_t k = 0; k < d->total; k++)
        entries += counts[k];
    if (entries > MOST_FACTOR_ENTRIES)
        return false;
    int32_t *row = integers(d, (size_t)entries);
    double *L = rbv_arena_alloc(&d->arena, ((size_t)entries + 1) * sizeof *L);
    if (!row || !L)
        return false;
    if (ldl_numeric(d->total, (int32_t *)d->start, (int32_t *)d->index, (double *)values, starts, parent, counts, row,
                    L, D, y, pattern, flag, d->order, d->place) != d->total)
        return false;
    for (int32_t k = 0; k < d->total; k++)
        if (!(k < d->total - d->n ? D[k] < 0 : D[k] > 0))
            return false;
    return true;
}

bool rbv_definite_on_rows(int32_t n, int32_t rows, const int32_t *start, const int32_t *index, const double *values) {
    Definite d = {.n = n, .total = n + rows, .start = start, .index = index};
    bool shown = find_order(&d) && factor(&d, values);
    rbv_arena_clear(&d.arena);
    return shown;
}
