/* Ridge least squares by sparse LU of the quasi-definite system, or by the Gram matrix; then dense solutions of least
 * norm by reflections. */
#include "core/solve/least_squares.h"

#include "core/base/tolerances.h"
#include "core/linalg/lu.h"
#include "core/solve/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ridges of projections: singular values below the root count as zero. With the Gram matrix rounding is divided by the
 * ridge, which is therefore larger, with more passes. */
#define NULL_RIDGE 1e-14
#define NULL_RIDGE_LARGE 1e-10
#define NULL_PASSES 2
#define NULL_PASSES_LARGE 40
/* Least ridge with the Gram matrix: above the rounding of its entries. */
#define LEAST_RIDGE_LARGE 2e-12

struct RbvRidge {
    int32_t rows, columns;
    int32_t *start, *column;
    RbvLu *lu; /* NULL for large systems */
    RbvGram *gram;
    int32_t *node;  /* [columns] nodes of gram */
    double *x;      /* [columns] */
    double *values; /* entries of the augmented matrix */
    double *b;      /* [rows + columns] */
    int32_t *next;  /* [columns] scratch of factoring */
    const double *C;
    double mu;
};

/* Pattern of the augmented matrix. Row k: mu, -C_k; then row j of the lower half: the column j of C, and 1. False: no
 * memory. */
static bool build(RbvRidge *ridge, const int32_t *start, const int32_t *column) {
    int32_t m = ridge->rows, n = ridge->columns, nonzeros = start[m], total = 2 * nonzeros + m + n;
    int32_t *row_start = malloc(((size_t)m + (size_t)n + 1) * sizeof *row_start);
    int32_t *index = malloc(((size_t)total + 1) * sizeof *index);
    int32_t *fill = calloc((size_t)n + 1, sizeof *fill);
    ridge->start = malloc(((size_t)m + 1) * sizeof *ridge->start);
    ridge->column = malloc(((size_t)nonzeros + 1) * sizeof *ridge->column);
    ridge->values = malloc(((size_t)total + 1) * sizeof *ridge->values);
    ridge->b = malloc(((size_t)m + (size_t)n + 1) * sizeof *ridge->b);
    ridge->next = malloc(((size_t)n + 1) * sizeof *ridge->next);
    bool good = row_start && index && fill && ridge->start && ridge->column && ridge->values && ridge->b && ridge->next;
    if (good) {
        memcpy(ridge->start, start, ((size_t)m + 1) * sizeof *start);
        memcpy(ridge->column, column, (size_t)nonzeros * sizeof *column);
        int32_t at = 0;
        for (int32_t k = 0; k < m; k++) {
            row_start[k] = at;
            index[at++] = k;
            for (int32_t e = start[k]; e < start[k + 1]; e++) {
                index[at++] = m + column[e];
                fill[column[e]]++;
            }
        }
        for (int32_t j = 0; j < n; j++) {
            row_start[m + j] = at;
            at += fill[j] + 1;
            fill[j] = row_start[m + j];
        }
        row_start[m + n] = at;
        for (int32_t k = 0; k < m; k++)
            for (int32_t e = start[k]; e < start[k + 1]; e++)
                index[fill[column[e]]++] = k;
        for (int32_t j = 0; j < n; j++)
            index[fill[j]] = m + j;
        ridge->lu = rbv_lu_create(m + n, row_start, index);
        good = ridge->lu != NULL;
    }
    free(row_start);
    free(index);
    free(fill);
    return good;
}

static bool build_large(RbvRidge *ridge, const int32_t *start, const int32_t *column) {
    size_t rows = (size_t)ridge->rows, columns = (size_t)ridge->columns;
    ridge->start = malloc((rows + 1) * sizeof *ridge->start);
    ridge->column = malloc(((size_t)start[rows] + 1) * sizeof *ridge->column);
    ridge->node = malloc((columns + 1) * sizeof *ridge->node);
    ridge->x = malloc((columns + 1) * sizeof *ridge->x);
    ridge->b = malloc((columns + 1) * sizeof *ridge->b);
    if (!ridge->start || !ridge->column || !ridge->node || !ridge->x || !ridge->b)
        return false;
    memcpy(ridge->start, start, (rows + 1) * sizeof *start);
    memcpy(ridge->column, column, (size_t)start[rows] * sizeof *column);
    for (int32_t j = 0; j < ridge->columns; j++)
        ridge->node[j] = j / 3; /* any grouping is correct; bodies have three columns */
    ridge->gram = rbv_gram_create(ridge->rows, ridge->columns, ridge->start, ridge->column, ridge->node);
    return ridge->gram != NULL;
}

RbvRidge *rbv_ridge_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column) {
    RbvRidge *ridge = calloc(1, sizeof *ridge);
    if (!ridge)
        return NULL;
    ridge->rows = rows;
    ridge->columns = columns;
    bool large = rows + columns > RBV_RIDGE_LARGE;
    if (large ? !build_large(ridge, start, column) : !build(ridge, start, column)) {
        rbv_ridge_destroy(ridge);
        return NULL;
    }
    return ridge;
}

void rbv_ridge_destroy(RbvRidge *ridge) {
    if (!ridge)
        return;
    rbv_lu_destroy(ridge->lu);
    rbv_gram_destroy(ridge->gram);
    free(ridge->node);
    free(ridge->x);
    free(ridge->start);
    free(ridge->column);
    free(ridge->values);
    free(ridge->b);
    free(ridge->next);
    free(ridge);
}

bool rbv_ridge_factor(RbvRidge *ridge, const double *C, double mu, bool *no_memory) {
    int32_t m = ridge->rows, n = ridge->columns, at = 0;
    const int32_t *start = ridge->start, *column = ridge->column;
    double *values = ridge->values;
    ridge->C = C;
    ridge->mu = mu;
    if (ridge->gram)
        return rbv_gram_factor(ridge->gram, C, fmax(mu, LEAST_RIDGE_LARGE));
    /* the lower half is stored by columns of C in the order of rows: positions by counting */
    int32_t *next = ridge->next;
    memset(next, 0, ((size_t)n + 1) * sizeof *next);
    for (int32_t k = 0; k < m; k++) {
        values[at++] = mu;
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            values[at++] = -C[e];
    }
    int32_t *count = next;
    for (int32_t e = 0; e < start[m]; e++)
        count[column[e]]++;
    for (int32_t j = 0; j < n; j++) {
        int32_t length = count[j];
        next[j] = at;
        values[at + length] = 1;
        at += length + 1;
    }
    for (int32_t k = 0; k < m; k++)
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            values[next[column[e]]++] = C[e];
    return rbv_lu_factor(ridge->lu, values, no_memory);
}

/* b := C^T y. */
static void pull(const RbvRidge *ridge, const double *y, double *b) {
    memset(b, 0, (size_t)ridge->columns * sizeof *b);
    for (int32_t k = 0; k < ridge->rows; k++)
        for (int32_t e = ridge->start[k]; e < ridge->start[k + 1]; e++)
            b[ridge->column[e]] += ridge->C[e] * y[k];
}

static double row_product(const RbvRidge *ridge, int32_t k, const double *g) {
    double sum = 0;
    for (int32_t e = ridge->start[k]; e < ridge->start[k + 1]; e++)
        sum += ridge->C[e] * g[ridge->column[e]];
    return sum;
}

void rbv_ridge_step(RbvRidge *ridge, const double *phi, double *x) {
    int32_t m = ridge->rows, n = ridge->columns;
    if (ridge->gram) {
        pull(ridge, phi, ridge->b);
        rbv_gram_solve(ridge->gram, ridge->b, x);
        for (int32_t j = 0; j < n; j++)
            x[j] = -x[j];
        return;
    }
    memcpy(ridge->b, phi, (size_t)m * sizeof *phi);
    memset(ridge->b + m, 0, (size_t)n * sizeof *ridge->b);
    rbv_lu_solve(ridge->lu, ridge->b);
    memcpy(x, ridge->b + m, (size_t)n * sizeof *x);
}

bool rbv_ridge_factor_null(RbvRidge *ridge, const double *C, bool *no_memory) {
    return rbv_ridge_factor(ridge, C, ridge->gram ? NULL_RIDGE_LARGE : NULL_RIDGE, no_memory);
}

/* g - (C^T C + mu)^-1 C^T C g, repeated: each pass multiplies the part of g outside the null space by mu/sigma^2. */
static void project_large(RbvRidge *ridge, double *g) {
    for (int pass = 0; pass <= NULL_PASSES_LARGE; pass++) {
        double seen = 0, size = 0;
        memset(ridge->b, 0, (size_t)ridge->columns * sizeof *ridge->b);
        for (int32_t j = 0; j < ridge->columns; j++)
            size += g[j] * g[j];
        for (int32_t k = 0; k < ridge->rows; k++) {
            double sum = row_product(ridge, k, g);
            seen += sum * sum;
            for (int32_t e = ridge->start[k]; e < ridge->start[k + 1]; e++)
                ridge->b[ridge->column[e]] += ridge->C[e] * sum;
        }
        /* Large systems: g is in the null space when |C g| / |g| is below RBV_DATA. If it is still above RBV_BALANCED
         * after all passes, g has no part in the null space: slender structures have smaller singular values than the
         * ridge. */
        if (seen <= RBV_DATA * RBV_DATA * size)
            return;
        if (pass == NULL_PASSES_LARGE) {
            if (seen > RBV_BALANCED * RBV_BALANCED * size)
                memset(g, 0, (size_t)ridge->columns * sizeof *g);
            return;
        }
        rbv_gram_solve(ridge->gram, ridge->b, ridge->x);
        for (int32_t j = 0; j < ridge->columns; j++)
            g[j] -= ridge->x[j];
    }
}

void rbv_ridge_project(RbvRidge *ridge, double *g) {
    int32_t m = ridge->rows, n = ridge->columns;
    if (ridge->gram) {
        project_large(ridge, g);
        return;
    }
    for (int pass = 0; pass < NULL_PASSES; pass++) {
        for (int32_t k = 0; k < m; k++)
            ridge->b[k] = row_product(ridge, k, g);
        memset(ridge->b + m, 0, (size_t)n * sizeof *ridge->b);
        rbv_lu_solve(ridge->lu, ridge->b);
        for (int32_t j = 0; j < n; j++)
            g[j] += ridge->b[m + j];
    }
}

/* --- dense: x of least norm by reflections from the right ---
 *
 * P A = [L 0] H_r ... H_1, H_k = 1 - tau v v^T with v_k = 1. The next row is the remaining one with the largest part
 * outside the rows before, so that dependent rows stand last. Then L y = P b, and x = H_1 ... H_r [y; 0] is of least
 * norm. Columns are exchanged so that a row is reflected to one of its own unknowns: uncoupled unknowns stay uncoupled
 * to the last digit. */

static double *matrix_row(double *A, int32_t n, int32_t i) {
    return A + (int64_t)i * n;
}

static void swap_rows(int32_t n, double *A, int32_t *order, int32_t i, int32_t k) {
    double *a = matrix_row(A, n, i), *b = matrix_row(A, n, k);
    for (int32_t j = 0; i != k && j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
    int32_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

/* The row from k on with the largest norm over columns k ...; *size: its norm, NaN where a number is not finite. */
static int32_t longest(int32_t m, int32_t n, double *A, int32_t k, double *size) {
    int32_t best = k;
    *size = -1;
    for (int32_t i = k; i < m; i++) {
        const double *a = matrix_row(A, n, i);
        double sum = 0;
        for (int32_t j = k; j < n; j++)
            sum += a[j] * a[j];
        if (!isfinite(sum)) {
            *size = NAN;
            return k;
        }
        if (sum > *size) {
            *size = sum;
            best = i;
        }
    }
    *size = sqrt(*size);
    return best;
}

/* Move the largest entry of row k, from column k on, to column k. */
static void swap_columns(int32_t m, int32_t n, double *A, int32_t *unknown, int32_t k) {
    const double *a = matrix_row(A, n, k);
    int32_t best = k;
    for (int32_t j = k + 1; j < n; j++)
        best = fabs(a[j]) > fabs(a[best]) ? j : best;
    for (int32_t i = 0; best != k && i < m; i++) {
        double *of = matrix_row(A, n, i), kept = of[k];
        of[k] = of[best];
        of[best] = kept;
    }
    int32_t kept = unknown[k];
    unknown[k] = unknown[best];
    unknown[best] = kept;
}

/* Reflect row k to (size, 0 ...), and the rows below it; v is stored behind the diagonal. Returns tau. */
static double reflect(int32_t m, int32_t n, double *A, int32_t k, double size) {
    double *v = matrix_row(A, n, k);
    double alpha = v[k] > 0 ? -size : size, first = v[k] - alpha, tau = -first / alpha;
    for (int32_t j = k + 1; j < n; j++)
        v[j] /= first;
    v[k] = alpha;
    for (int32_t i = k + 1; i < m; i++) {
        double *a = matrix_row(A, n, i), sum = a[k];
        for (int32_t j = k + 1; j < n; j++)
            sum += a[j] * v[j];
        sum *= tau;
        a[k] -= sum;
        for (int32_t j = k + 1; j < n; j++)
            a[j] -= sum * v[j];
    }
    return tau;
}

int32_t rbv_orthogonal_factor(int32_t m, int32_t n, double *A, int32_t *order, int32_t *unknown, double *tau) {
    double first = 0;
    for (int32_t j = 0; j < n; j++)
        unknown[j] = j;
    for (int32_t k = 0; k < m; k++)
        order[k] = k;
    for (int32_t k = 0; k < m && k < n; k++) {
        double size;
        int32_t best = longest(m, n, A, k, &size);
        if (isnan(size))
            return -1;
        first = k == 0 ? size : first;
        if (!(size > RBV_CANCELLED * first))
            return k;
        swap_rows(n, A, order, best, k);
        swap_columns(m, n, A, unknown, k);
        tau[k] = reflect(m, n, A, k, size);
    }
    return m < n ? m : n;
}

void rbv_orthogonal_solve(int32_t n, int32_t rank, const double *A, const int32_t *order, const int32_t *unknown,
                          const double *tau, const double *b, double *work, double *x) {
    for (int32_t k = 0; k < n; k++) {
        const double *a = A + (int64_t)k * n;
        work[k] = k < rank ? b[order[k]] : 0;
        for (int32_t j = 0; k < rank && j < k; j++)
            work[k] -= a[j] * work[j];
        work[k] /= k < rank ? a[k] : 1;
    }
    for (int32_t k = rank - 1; k >= 0; k--) {
        const double *v = A + (int64_t)k * n;
        double sum = work[k];
        for (int32_t j = k + 1; j < n; j++)
            sum += v[j] * work[j];
        sum *= tau[k];
        work[k] -= sum;
        for (int32_t j = k + 1; j < n; j++)
            work[j] -= sum * v[j];
    }
    for (int32_t k = 0; k < n; k++)
        x[unknown[k]] = work[k];
}
