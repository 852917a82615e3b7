/* Rows sorted by the positions of their columns, each kept at its pivot; and Gauss and Jordan's elimination of dense
 * ones. See elimination.h. */
#include "core/solve/elimination.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most entries visited in all (about 2 s): with more, rows fill in too much, and another method is used. */
#define MOST_ENTRIES 400000000

typedef struct Row {
    int32_t count;
    int32_t *place; /* [count] positions of the columns, ascending */
    double *value;  /* [count] */
    double largest; /* largest magnitude */
    double size;    /* largest magnitude when the row was added, with which rounding is compared */
} Row;

struct RbvElimination {
    int32_t columns, rank;
    const int32_t *place;
    Row *kept;     /* [columns] by position: the row with its pivot there; count 0: none */
    int32_t *set;  /* [columns] by position: parent towards the root of its set */
    int32_t *left; /* [columns] at roots: columns minus rows of the set */
    Row row, next; /* [columns] the row being reduced, and the result of a step */
    int64_t work;
    bool lost;
};

static bool make_row(Row *row, int32_t columns) {
    row->place = malloc(((size_t)columns + 1) * sizeof *row->place);
    row->value = malloc(((size_t)columns + 1) * sizeof *row->value);
    return row->place && row->value;
}

static void free_row(Row *row) {
    free(row->place);
    free(row->value);
}

RbvElimination *rbv_elimination_create(int32_t columns, const int32_t *place) {
    RbvElimination *e = calloc(1, sizeof *e);
    size_t n = (size_t)columns + 1;
    if (!e)
        return NULL;
    e->columns = columns;
    e->place = place;
    e->kept = calloc(n, sizeof *e->kept);
    e->set = malloc(n * sizeof *e->set);
    e->left = malloc(n * sizeof *e->left);
    bool rows = make_row(&e->row, columns);
    rows = make_row(&e->next, columns) && rows;
    if (!e->kept || !e->set || !e->left || !rows) {
        rbv_elimination_destroy(e);
        return NULL;
    }
    for (int32_t j = 0; j < columns; j++)
        e->set[j] = j, e->left[j] = 1;
    return e;
}

void rbv_elimination_destroy(RbvElimination *e) {
    if (!e)
        return;
    for (int32_t j = 0; e->kept && j < e->columns; j++)
        free_row(&e->kept[j]);
    free(e->kept);
    free(e->set);
    free(e->left);
    free_row(&e->row);
    free_row(&e->next);
    free(e);
}

static int32_t root_of(RbvElimination *e, int32_t j) {
    while (e->set[j] != j)
        j = e->set[j] = e->set[e->set[j]];
    return j;
}

/* Sort the row by position into e->row. False: every set it meets has as many rows as columns. */
static bool sort_row(RbvElimination *e, int32_t count, const int32_t *column, const double *value) {
    Row *x = &e->row;
    bool left = false;
    x->count = 0;
    x->largest = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t place = e->place[column[k]], at = x->count++;
        for (; at > 0 && x->place[at - 1] > place; at--)
            x->place[at] = x->place[at - 1], x->value[at] = x->value[at - 1];
        x->place[at] = place;
        x->value[at] = value[k];
        x->largest = fabs(value[k]) > x->largest ? fabs(value[k]) : x->largest;
        left = left || e->left[root_of(e, place)] > 0;
    }
    x->size = x->largest;
    return left;
}

/* Keep a copy of the row without its first `skip` entries, at its pivot. False: no memory; the elimination is lost. */
static bool keep_row(RbvElimination *e, const Row *x, int32_t skip) {
    size_t count = (size_t)(x->count - skip);
    Row *to = &e->kept[x->place[skip]];
    free_row(to);
    *to = (Row){.count = (int32_t)count,
                .place = malloc(count * sizeof *to->place),
                .value = malloc(count * sizeof *to->value),
                .largest = x->largest,
                .size = x->size};
    if (!to->place || !to->value) {
        e->lost = true;
        return false;
    }
    memcpy(to->place, x->place + skip, count * sizeof *to->place);
    memcpy(to->value, x->value + skip, count * sizeof *to->value);
    return true;
}

/* Appends an entry to the row unless it is rounding: at most `least`, a part of the largest entry of the row. */
static inline void append(Row *to, double least, int32_t place, double value) {
    double size = fabs(value);
    if (size <= least)
        return;
    to->place[to->count] = place;
    to->value[to->count++] = value;
    to->largest = size > to->largest ? size : to->largest;
}

/* next := x - factor r without their first columns, x from its entry `at` on, r from `from`. */
static void subtract(RbvElimination *e, const Row *x, int32_t at, const Row *r, int32_t from, double factor) {
    Row to = {.place = e->next.place, .value = e->next.value, .size = x->size};
    const int32_t *p = x->place, *q = r->place;
    int32_t i = at + 1, k = from + 1;
    double least = RBV_SUM_EXACT * x->size;
    e->work += x->count - at + r->count - from;
    while (i < x->count && k < r->count) {
        if (p[i] < q[k]) {
            append(&to, least, p[i], x->value[i]);
            i++;
        } else if (q[k] < p[i]) {
            append(&to, least, q[k], -factor * r->value[k]);
            k++;
        } else {
            append(&to, least, p[i], x->value[i] - factor * r->value[k]);
            i++, k++;
        }
    }
    for (; i < x->count; i++)
        append(&to, least, p[i], x->value[i]);
    for (; k < r->count; k++)
        append(&to, least, q[k], -factor * r->value[k]);
    e->next = to;
}

/* Reduce e->row, whose entry `at` is in the pivot column of a kept row, by that row. Where e->row is larger there the
 * two are exchanged. False: no memory. */
static bool reduce(RbvElimination *e, int32_t at) {
    Row *x = &e->row, *r = &e->kept[x->place[at]], done = e->row;
    bool larger = fabs(x->value[at]) * r->size > fabs(r->value[0]) * x->size;
    if (larger)
        subtract(e, r, 0, x, at, r->value[0] / x->value[at]);
    else
        subtract(e, x, at, r, 0, x->value[at] / r->value[0]);
    if (larger && !keep_row(e, x, at))
        return false;
    e->row = e->next;
    e->next = done;
    return true;
}

/* Join the columns of the row into one set, with one more row. */
static void unite(RbvElimination *e, int32_t count, const int32_t *column) {
    int32_t root = root_of(e, e->place[column[0]]);
    for (int32_t k = 1; k < count; k++) {
        int32_t other = root_of(e, e->place[column[k]]);
        if (other == root)
            continue;
        e->set[other] = root;
        e->left[root] += e->left[other];
    }
    e->left[root]--;
}

bool rbv_elimination_take(RbvElimination *e, int32_t count, const int32_t *column, const double *value, double part) {
    if (e->lost || count == 0 || !sort_row(e, count, column, value))
        return false;
    for (int32_t at = 0; at < e->row.count && !e->lost;) {
        int32_t place = e->row.place[at];
        bool taken = e->kept[place].count > 0;
        if (fabs(e->row.value[at]) <= (taken ? RBV_SUM_EXACT : part) * e->row.size) {
            at++;
        } else if (taken) {
            e->lost = !reduce(e, at) || e->work > MOST_ENTRIES;
            at = 0;
        } else if (keep_row(e, &e->row, at)) {
            unite(e, count, column);
            e->rank++;
            return true;
        }
    }
    return false;
}

int32_t rbv_elimination_rank(const RbvElimination *e) {
    return e->rank;
}

bool rbv_elimination_lost(const RbvElimination *e) {
    return e->lost;
}

/* --- Gauss and Jordan's elimination with full pivoting, dense --- */

static void swap(int32_t *list, int32_t i, int32_t j) {
    int32_t keep = list[i];
    list[i] = list[j];
    list[j] = keep;
}

/* The largest remaining entry: its positions i, j in the orders; returns its magnitude. */
static double find_pivot(int32_t m, int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t k,
                         int32_t *i, int32_t *j) {
    double most = 0;
    for (int32_t a = k; a < m; a++)
        for (int32_t b = k; b < n; b++) {
            double value = fabs(J[(size_t)row[a] * (size_t)n + (size_t)column[b]]);
            if (value > most)
                most = value, *i = a, *j = b;
        }
    return most;
}

/* Divide the row of pivot k by its pivot, and eliminate the pivot's column from all other rows. */
static void clear_column(int32_t m, int32_t n, double *J, const int32_t *row, const int32_t *column, int32_t k) {
    double *from = J + (size_t)row[k] * (size_t)n, pivot = from[column[k]];
    for (int32_t b = k; b < n; b++)
        from[column[b]] /= pivot;
    for (int32_t a = 0; a < m; a++) {
        double *to = J + (size_t)row[a] * (size_t)n, factor = to[column[k]];
        for (int32_t b = k; a != k && factor != 0 && b < n; b++)
            to[column[b]] -= factor * from[column[b]];
    }
}

int32_t rbv_gauss_jordan(int32_t m, int32_t n, double *J, int32_t *row, int32_t *column, double least,
                         double *smallest) {
    double first = 0;
    int32_t k = 0;
    *smallest = 1;
    for (int32_t a = 0; a < m; a++)
        row[a] = a;
    for (int32_t b = 0; b < n; b++)
        column[b] = b;
    for (; k < m && k < n; k++) {
        int32_t i = k, j = k;
        double pivot = find_pivot(m, n, J, row, column, k, &i, &j);
        first = k == 0 ? pivot : first;
        if (!(pivot > least * first))
            break;
        *smallest = pivot / first;
        swap(row, k, i);
        swap(column, k, j);
        clear_column(m, n, J, row, column, k);
    }
    return k;
}

void rbv_gauss_jordan_null_space(int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t rank,
                                 double *R) {
    for (int32_t k = 0; k < n - rank; k++) {
        double *r = R + (size_t)k * (size_t)n;
        for (int32_t i = 0; i < n; i++)
            r[i] = 0;
        r[column[rank + k]] = 1;
        for (int32_t i = 0; i < rank; i++)
            r[column[i]] = -J[(size_t)row[i] * (size_t)n + (size_t)column[rank + k]];
    }
}
