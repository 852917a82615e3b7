/* A matrix whose columns all count, and the null space of its transpose, by QR that passes over zeros; see rank.h.
 *
 * Columns are eliminated one after the other, each time the one with the fewest rows left. These rows, with all their
 * columns, are a front: a dense matrix, small where C is sparse. Its factor R gives the first row as a row of R of C;
 * the others go on with their entries in other columns, and rows of zeros are left over. With Q the product of the
 * fronts' reflections, Q e_i for the rows i left over are the null space.
 */
#include "core/solve/rank.h"

#include "core/base/arena.h"
#include "core/solve/lapack.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct Front {
    int32_t rows, columns;
    int32_t *row;    /* [rows] */
    double *a, *tau; /* [columns][rows] reflections and R, as of LAPACK */
} Front;

typedef struct Elimination {
    RbvArena arena; /* owns all arrays */
    int32_t m, n, front_count;
    double *w;      /* [m][n] what is left of C, and rows of R */
    bool *filled;   /* [n][m] is w[row][column] an entry of a row that goes on? */
    int32_t *count; /* [n] entries of a column in rows that go on; -1: eliminated */
    int32_t *pivot; /* [n] row of R of each step */
    int32_t *step;  /* [n] the step that eliminates each column */
    bool *used;     /* [m] is a row a row of R? */
    int32_t *list;  /* [m + n] rows and columns of the front */
    Front *fronts;  /* [n] */
} Elimination;

static bool begin(Elimination *e, int32_t m, int32_t n, const double *C) {
    size_t rows = (size_t)m, columns = (size_t)n;
    *e = (Elimination){.m = m, .n = n};
    e->w = rbv_arena_array(&e->arena, rows * columns, sizeof *e->w);
    e->filled = rbv_arena_array(&e->arena, rows * columns, sizeof *e->filled);
    e->count = rbv_arena_array(&e->arena, columns, sizeof *e->count);
    e->pivot = rbv_arena_array(&e->arena, columns, sizeof *e->pivot);
    e->step = rbv_arena_array(&e->arena, columns, sizeof *e->step);
    e->used = rbv_arena_array(&e->arena, rows, sizeof *e->used);
    e->list = rbv_arena_array(&e->arena, rows + columns, sizeof *e->list);
    e->fronts = rbv_arena_array(&e->arena, columns, sizeof *e->fronts);
    if (!e->w || !e->filled || !e->count || !e->pivot || !e->step || !e->used || !e->list || !e->fronts)
        return false;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            if (C[i * columns + j] != 0) {
                e->w[i * columns + j] = C[i * columns + j];
                e->filled[j * rows + i] = true;
                e->count[j]++;
            }
    return true;
}

/* The rows that column j has left, into list; then all their columns, j first. */
static void list_front(Elimination *e, int32_t j, Front *front) {
    front->rows = 0;
    for (int32_t i = 0; i < e->m; i++)
        if (e->filled[(size_t)j * (size_t)e->m + (size_t)i])
            e->list[front->rows++] = i;
    int32_t *columns = e->list + front->rows;
    columns[0] = j;
    front->columns = 1;
    for (int32_t c = 0; c < e->n; c++) {
        bool any = false;
        for (int32_t i = 0; i < front->rows && !any && c != j && e->count[c] >= 0; i++)
            any = e->w[(size_t)e->list[i] * (size_t)e->n + (size_t)c] != 0;
        if (any)
            columns[front->columns++] = c;
    }
}

/* Factors the front and gives its rows their entries of R. */
static RbvStatus reflect(Elimination *e, Front *front) {
    int32_t rows = front->rows, columns = front->columns, least = rows < columns ? rows : columns;
    const int32_t *column = e->list + rows;
    front->row = rbv_arena_array(&e->arena, (size_t)rows, sizeof *front->row);
    front->a = rbv_arena_array(&e->arena, (size_t)rows * (size_t)columns, sizeof *front->a);
    front->tau = rbv_arena_array(&e->arena, (size_t)least, sizeof *front->tau);
    if (!front->row || !front->a || !front->tau)
        return RBV_NO_MEMORY;
    memcpy(front->row, e->list, (size_t)rows * sizeof *front->row);
    for (int32_t c = 0; c < columns; c++)
        for (int32_t i = 0; i < rows; i++)
            front->a[(size_t)c * (size_t)rows + (size_t)i] =
                e->w[(size_t)front->row[i] * (size_t)e->n + (size_t)column[c]];
    RbvStatus status = rbv_lapack_qr(rows, columns, front->a, front->tau);
    for (int32_t c = 0; c < columns; c++)
        for (int32_t i = 0; i < rows; i++) {
            bool *filled = &e->filled[(size_t)column[c] * (size_t)e->m + (size_t)front->row[i]];
            double value = i <= c ? front->a[(size_t)c * (size_t)rows + (size_t)i] : 0;
            e->w[(size_t)front->row[i] * (size_t)e->n + (size_t)column[c]] = value;
            e->count[column[c]] += (value != 0) - *filled;
            *filled = value != 0;
        }
    return status;
}

/* Eliminates all columns. *full: false, if a column has no row left. */
static RbvStatus eliminate(Elimination *e, bool *full) {
    RbvStatus status = RBV_OK;
    *full = true;
    for (int32_t step = 0; step < e->n && *full && status == RBV_OK; step++) {
        int32_t j = -1;
        for (int32_t c = 0; c < e->n; c++)
            if (e->count[c] >= 0 && (j < 0 || e->count[c] < e->count[j]))
                j = c;
        *full = e->count[j] > 0;
        if (!*full)
            break;
        Front *front = &e->fronts[e->front_count];
        list_front(e, j, front);
        if (front->rows > 1) {
            e->front_count++;
            status = reflect(e, front);
        }
        int32_t pivot = e->list[0];
        for (int32_t c = 0; c < front->columns; c++) { /* the first row leaves the other columns */
            bool *filled = &e->filled[(size_t)e->list[front->rows + c] * (size_t)e->m + (size_t)pivot];
            e->count[e->list[front->rows + c]] -= *filled;
            *filled = false;
        }
        e->used[pivot] = true;
        e->pivot[step] = pivot;
        e->step[j] = step;
        e->count[j] = -1;
    }
    return status;
}

/* The reciprocal condition of R. */
static RbvStatus condition(const Elimination *e, double *reciprocal) {
    size_t n = (size_t)e->n;
    double *R = calloc(n * n, sizeof *R);
    for (size_t s = 0; R && s < n; s++)
        for (size_t c = 0; c < n; c++)
            if (e->step[c] >= (int32_t)s)
                R[(size_t)e->step[c] * n + s] = e->w[(size_t)e->pivot[s] * n + c];
    RbvStatus status = R ? rbv_lapack_condition(e->n, R, e->n, reciprocal) : RBV_NO_MEMORY;
    free(R);
    return status;
}

/* null[m][free] := Q null, columns that are zero in all rows of a front being passed over. */
static RbvStatus apply_fronts(Elimination *e, size_t free_count, double *null) {
    double *b = malloc((size_t)e->m * free_count * sizeof *b + 1);
    size_t *at = malloc(free_count * sizeof *at + 1);
    RbvStatus status = b && at ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t f = e->front_count - 1; f >= 0 && status == RBV_OK; f--) {
        const Front *front = &e->fronts[f];
        size_t rows = (size_t)front->rows, count = 0;
        for (size_t k = 0; k < free_count; k++) {
            bool any = false;
            for (size_t i = 0; i < rows; i++) {
                b[count * rows + i] = null[(size_t)front->row[i] * free_count + k];
                any = any || b[count * rows + i] != 0;
            }
            at[count] = k;
            count += any;
        }
        int32_t reflections = front->rows < front->columns ? front->rows : front->columns;
        if (count > 0)
            status = rbv_lapack_apply_q(front->rows, (int32_t)count, reflections, front->a, front->tau, b);
        for (size_t k = 0; k < count; k++)
            for (size_t i = 0; i < rows; i++)
                null[(size_t)front->row[i] * free_count + at[k]] = b[k * rows + i];
    }
    free(b);
    free(at);
    return status;
}

RbvStatus rbv_rank_full(int32_t m, int32_t n, const double *C, bool *full, double *null) {
    Elimination e;
    double reciprocal = 0;
    *full = false;
    if (n > m || n == 0)
        return RBV_OK;
    RbvStatus status = begin(&e, m, n, C) ? eliminate(&e, full) : RBV_NO_MEMORY;
    if (*full && status == RBV_OK)
        status = condition(&e, &reciprocal);
    *full = status == RBV_OK && *full && reciprocal > RBV_RANK_BAND * (4 * m * DBL_EPSILON + RBV_RANK_DATA);
    if (*full) {
        size_t free_count = (size_t)(m - n), k = 0;
        memset(null, 0, (size_t)m * free_count * sizeof *null);
        for (size_t i = 0; i < (size_t)m; i++)
            if (!e.used[i])
                null[i * free_count + k++] = 1;
        status = apply_fronts(&e, free_count, null);
    }
    rbv_arena_clear(&e.arena);
    return status;
}
