/* Rows in one growing block; see elimination.h. */
#include "solve/elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries kept: with more the rows fill in, and something else is asked for (300 MB). */
#define MOST_ENTRIES 25000000
/* Of the largest entry of a row: what is rounding. */
#define DUST 1e-14

struct RbvElimination {
    int32_t columns, rank;
    int32_t *kept_by;      /* [columns] the row whose pivot the column is, or -1 */
    int64_t *start;        /* [columns + 1] of rows */
    int32_t *column, *pivot; /* [capacity], [columns] */
    double *value;         /* [capacity] over the pivot */
    int64_t capacity;
    int32_t *heap;         /* [columns] rows still to be subtracted, the earliest first */
    int32_t heap_count;
    bool *waiting;         /* [rows] is in the heap */
    int32_t *touched, touched_count; /* [columns] those with an entry in the row that is taken */
    bool *is_touched;      /* [columns] */
    bool lost;
};

RbvElimination *rbv_elimination_create(int32_t columns) {
    RbvElimination *e = calloc(1, sizeof *e);
    size_t n = (size_t)columns + 1;
    if (!e)
        return NULL;
    e->columns = columns;
    e->kept_by = malloc(n * sizeof *e->kept_by);
    e->start = calloc(n, sizeof *e->start);
    e->pivot = malloc(n * sizeof *e->pivot);
    e->heap = malloc(n * sizeof *e->heap);
    e->waiting = calloc(n, sizeof *e->waiting);
    e->touched = malloc(n * sizeof *e->touched);
    e->is_touched = calloc(n, sizeof *e->is_touched);
    if (!e->kept_by || !e->start || !e->pivot || !e->heap || !e->waiting || !e->touched || !e->is_touched) {
        rbv_elimination_destroy(e);
        return NULL;
    }
    for (int32_t j = 0; j < columns; j++)
        e->kept_by[j] = -1;
    return e;
}

void rbv_elimination_destroy(RbvElimination *e) {
    if (!e)
        return;
    free(e->kept_by);
    free(e->start);
    free(e->column);
    free(e->pivot);
    free(e->value);
    free(e->heap);
    free(e->waiting);
    free(e->touched);
    free(e->is_touched);
    free(e);
}

/* Column j has an entry: its row is to be subtracted. */
static void touch(RbvElimination *e, int32_t j) {
    int32_t row = e->kept_by[j], at = e->heap_count;
    if (!e->is_touched[j])
        e->touched[e->touched_count++] = j;
    e->is_touched[j] = true;
    if (row < 0 || e->waiting[row])
        return;
    e->waiting[row] = true;
    e->heap_count++;
    for (; at > 0 && e->heap[(at - 1) / 2] > row; at = (at - 1) / 2)
        e->heap[at] = e->heap[(at - 1) / 2];
    e->heap[at] = row;
}

static int32_t earliest(RbvElimination *e) {
    int32_t row = e->heap[0], last = e->heap[--e->heap_count], at = 0;
    for (int32_t child = 1; child < e->heap_count; child = 2 * at + 1) {
        if (child + 1 < e->heap_count && e->heap[child + 1] < e->heap[child])
            child++;
        if (e->heap[child] >= last)
            break;
        e->heap[at] = e->heap[child];
        at = child;
    }
    if (e->heap_count > 0)
        e->heap[at] = last;
    e->waiting[row] = false;
    return row;
}

static bool has_room(RbvElimination *e, int64_t count) {
    int64_t needed = e->start[e->rank] + count;
    if (needed > MOST_ENTRIES)
        return false;
    if (needed <= e->capacity)
        return true;
    int64_t capacity = 2 * needed;
    int32_t *column = realloc(e->column, (size_t)capacity * sizeof *column);
    e->column = column ? column : e->column;
    double *value = column ? realloc(e->value, (size_t)capacity * sizeof *value) : NULL;
    e->value = value ? value : e->value;
    e->capacity = value ? capacity : e->capacity;
    return value != NULL;
}

static bool keep(RbvElimination *e, const double *x, double largest, int32_t pivot) {
    int64_t count = 0, at = e->start[e->rank];
    for (int32_t k = 0; k < e->touched_count; k++)
        count += fabs(x[e->touched[k]]) > DUST * largest;
    if (!has_room(e, count)) {
        e->lost = true;
        return false;
    }
    for (int32_t k = 0; k < e->touched_count; k++)
        if (fabs(x[e->touched[k]]) > DUST * largest) {
            e->column[at] = e->touched[k];
            e->value[at++] = x[e->touched[k]] / x[pivot];
        }
    e->kept_by[pivot] = e->rank;
    e->pivot[e->rank++] = pivot;
    e->start[e->rank] = at;
    return true;
}

bool rbv_elimination_take(RbvElimination *e, double *x, double part) {
    double before = 0, largest = 0;
    int32_t pivot = 0;
    for (int32_t j = 0; j < e->columns; j++)
        if (x[j] != 0) {
            before = fmax(before, fabs(x[j]));
            touch(e, j);
        }
    while (e->heap_count > 0) {
        int32_t row = earliest(e);
        double factor = x[e->pivot[row]];
        for (int64_t k = e->start[row]; factor != 0 && k < e->start[row + 1]; k++) {
            x[e->column[k]] -= factor * e->value[k];
            touch(e, e->column[k]);
        }
        x[e->pivot[row]] = 0;
    }
    for (int32_t k = 0; k < e->touched_count; k++)
        if (fabs(x[e->touched[k]]) > largest)
            largest = fabs(x[e->touched[k]]), pivot = e->touched[k];
    bool kept = largest > part * before && keep(e, x, largest, pivot);
    for (int32_t k = 0; k < e->touched_count; k++)
        x[e->touched[k]] = 0, e->is_touched[e->touched[k]] = false;
    e->touched_count = 0;
    return kept;
}

int32_t rbv_elimination_rank(const RbvElimination *e) {
    return e->rank;
}

bool rbv_elimination_lost(const RbvElimination *e) {
    return e->lost;
}
