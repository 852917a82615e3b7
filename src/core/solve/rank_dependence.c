/* Sparse rows by the factor of their products: a bound of the least singular value, and rows that depend on others, as
 * decided before; see rank.h.
 *
 * C_I are the independent rows, C_d the others. With G = C_I C_I^T = L L^T, where C_I is surely of full rank,
 *   W = C_d C_I^T G^-1,   C_d - W C_I = off,   N = [-W^T; I]   (C^T N = 0 where off = 0)
 * and |L^-1| by the root of the sum of squares bounds 1 over the least singular value of C_I. W is refined against the
 * squared condition of G. Taking off from C_d leaves a matrix of the rank of C_I: no singular value that does not count
 * is above |off|. With B = [I; W] the others are those of B C_I, the squares of the roots of K = L^T B^T B L; the least
 * one is found by Lanczos' method with K^-1 = L^-1 (I - W^T (I + W W^T)^-1 W) L^-T. */
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "core/solve/rank.h"

#include <math.h>
#include <string.h>

/* Steps of Lanczos' method: the least singular value to some hundredths. Rounding of forces is known to a factor. */
#define STEPS 10
/* Rows whose least singular value is above this are solved for without refinement. */
#define WELL_APART 0.03

typedef double Pair __attribute__((vector_size(16)));

static inline Pair get_pair(const double *x) {
    Pair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

/* x . y, in an order of its own that is the same on every processor. */
static inline double dot(int32_t n, const double *x, const double *y) {
    double sum = 0;
    int32_t k = 0;
    if (n >= 4) {
        Pair even = {0, 0}, odd = {0, 0};
        for (; k + 4 <= n; k += 4) {
            even += get_pair(x + k) * get_pair(y + k);
            odd += get_pair(x + k + 2) * get_pair(y + k + 2);
        }
        even += odd;
        sum = even[0] + even[1];
    }
    for (; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

/* y += factor x. */
static void add_scaled(int32_t n, double factor, const double *x, double *y) {
    const Pair by = {factor, factor};
    int32_t k = 0;
    for (; k + 2 <= n; k += 2) {
        Pair sum = get_pair(y + k) + by * get_pair(x + k);
        memcpy(y + k, &sum, sizeof sum);
    }
    for (; k < n; k++)
        y[k] += factor * x[k];
}

/* ---- Cholesky's factors: lower triangles by rows, reciprocals on the diagonal ---- */

/* L over the lower triangle of A. False: not positive definite. */
static bool factor(int32_t n, double *A) {
    for (int32_t i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        for (int32_t j = 0; j < i; j++)
            row[j] = (row[j] - dot(j, row, A + (size_t)j * (size_t)n)) * A[(size_t)j * (size_t)(n + 1)];
        double left = row[i] - dot(i, row, row);
        if (!(left > 0))
            return false;
        row[i] = 1 / sqrt(left);
    }
    return true;
}

/* x := L^-1 x. */
static void solve_lower(int32_t n, const double *L, double *x) {
    for (int32_t i = 0; i < n; i++)
        x[i] = (x[i] - dot(i, L + (size_t)i * (size_t)n, x)) * L[(size_t)i * (size_t)(n + 1)];
}

/* x := L^-T x. */
static void solve_upper(int32_t n, const double *L, double *x) {
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = L + (size_t)i * (size_t)n;
        x[i] *= row[i];
        add_scaled(i, -x[i], row, x);
    }
}

/* Sum of the squares of all entries of L^-1; x[n]: scratch. */
static double square_inverse(int32_t n, const double *L, double *x) {
    double squares = 0;
    for (int32_t c = 0; c < n; c++) {
        x[c] = L[(size_t)c * (size_t)(n + 1)];
        squares += x[c] * x[c];
        for (int32_t i = c + 1; i < n; i++) {
            const double *row = L + (size_t)i * (size_t)n;
            x[i] = -dot(i - c, row + c, x + c) * row[i];
            squares += x[i] * x[i];
        }
    }
    return squares;
}

/* ---- the rows ---- */

typedef struct Rows {
    const RbvRankRows *C;
    const int32_t *order; /* [rows] the independent rows first; NULL: as they stand */
    int32_t rank, others;
    double *L, *W, *S; /* [rank][rank], [others][rank], [others][others] factor of I + W W^T */
    double *dense;     /* [columns] one row, else zeros */
    double *x, *y;     /* [rows] scratch */
} Rows;

static inline int32_t row_of(const Rows *r, int32_t k) {
    return r->order ? r->order[k] : k;
}

/* Row k of the order, times `factor`, added to the dense vector. */
static inline void scatter(const Rows *r, int32_t k, double factor) {
    int32_t row = row_of(r, k);
    for (int32_t e = r->C->start[row]; e < r->C->start[row + 1]; e++)
        r->dense[r->C->column[e]] += factor * r->C->values[e];
}

/* Row k of the order . the dense vector. */
static inline double gather(const Rows *r, int32_t k) {
    int32_t row = row_of(r, k);
    double sum = 0;
    for (int32_t e = r->C->start[row]; e < r->C->start[row + 1]; e++)
        sum += r->C->values[e] * r->dense[r->C->column[e]];
    return sum;
}

static inline void clear(const Rows *r, int32_t k) {
    int32_t row = row_of(r, k);
    for (int32_t e = r->C->start[row]; e < r->C->start[row + 1]; e++)
        r->dense[r->C->column[e]] = 0;
}

/* L of the independent rows. False: they are dependent, or nearly so. */
static bool factor_independent(Rows *r) {
    for (int32_t i = 0; i < r->rank; i++) {
        scatter(r, i, 1);
        for (int32_t j = 0; j <= i; j++)
            r->L[(size_t)i * (size_t)r->rank + (size_t)j] = gather(r, j);
        clear(r, i);
    }
    return factor(r->rank, r->L);
}

/* w := w + G^-1 C_I (dense vector). */
static void add_share(const Rows *r, double *w) {
    for (int32_t k = 0; k < r->rank; k++)
        r->x[k] = gather(r, k);
    solve_lower(r->rank, r->L, r->x);
    solve_upper(r->rank, r->L, r->x);
    for (int32_t k = 0; k < r->rank; k++)
        w[k] += r->x[k];
}

/* The dense vector: dependent row d without its combination w of the independent rows. */
static void rest_of(const Rows *r, int32_t d, const double *w) {
    memset(r->dense, 0, (size_t)r->C->columns * sizeof *r->dense);
    scatter(r, r->rank + d, 1);
    for (int32_t k = 0; k < r->rank; k++)
        if (w[k] != 0)
            scatter(r, k, -w[k]);
}

/* W, refined where the squared condition of G costs more than three digits: the least singular value is at least
 * `bound`. Returns |off|, by the root of the sum of squares. */
static double find_shares(const Rows *r, double bound) {
    double squares = 0;
    memset(r->W, 0, (size_t)r->others * (size_t)r->rank * sizeof *r->W);
    for (int32_t d = 0; d < r->others; d++) {
        double *w = r->W + (size_t)d * (size_t)r->rank;
        for (int pass = bound > WELL_APART ? 1 : 0; pass < 2; pass++) {
            rest_of(r, d, w);
            add_share(r, w);
        }
        rest_of(r, d, w);
        squares += dot(r->C->columns, r->dense, r->dense);
    }
    return sqrt(squares);
}

/* S. */
static bool factor_others(const Rows *r) {
    size_t p = (size_t)r->others, rank = (size_t)r->rank;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++)
            r->S[i * p + j] = (i == j) + dot(r->rank, r->W + i * rank, r->W + j * rank);
    return factor(r->others, r->S);
}

/* x := K^-1 x. */
static void apply_inverse(const Rows *r, double *x) {
    solve_upper(r->rank, r->L, x);
    for (int32_t d = 0; d < r->others; d++)
        r->y[d] = dot(r->rank, r->W + (size_t)d * (size_t)r->rank, x);
    solve_lower(r->others, r->S, r->y);
    solve_upper(r->others, r->S, r->y);
    for (int32_t d = 0; d < r->others; d++)
        add_scaled(r->rank, -r->y[d], r->W + (size_t)d * (size_t)r->rank, x);
    solve_lower(r->rank, r->L, x);
}

/* The largest root of K^-1, from below; basis[STEPS + 1][rank]. 0: not found. */
static double largest_root(const Rows *r, double *basis) {
    size_t n = (size_t)r->rank;
    double diagonal[STEPS], off[STEPS], vectors[STEPS * STEPS];
    int32_t steps = 0, most = r->rank < STEPS ? r->rank : STEPS;
    for (int32_t k = 0; k < r->rank; k++) /* a vector without a pattern */
        basis[k] = (double)(((uint32_t)k * 2654435761u) >> 8 & 0xffff) / 32767.5 - 1;
    for (double norm = sqrt(dot(r->rank, basis, basis)); steps < most && norm > 0; steps++) {
        double *x = basis + (size_t)steps * n, *next = x + n;
        for (size_t k = 0; k < n; k++)
            next[k] = x[k] /= norm;
        apply_inverse(r, next);
        diagonal[steps] = dot(r->rank, x, next);
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = 0; i <= steps; i++)
                add_scaled(r->rank, -dot(r->rank, basis + (size_t)i * n, next), basis + (size_t)i * n, next);
        norm = sqrt(dot(r->rank, next, next));
        /* what is shorter is rounding: no further direction is left */
        norm = off[steps] = norm > RBV_CANCELLED * fabs(diagonal[0]) ? norm : 0;
    }
    if (steps == 0 || rbv_lapack_eigen_tridiagonal(steps, diagonal, off, vectors) != RBV_OK)
        return 0;
    return diagonal[steps - 1];
}

/* The null space of C^T, orthonormal: null[rows][others]. */
static bool find_null(const Rows *r, double *null) {
    size_t p = (size_t)r->others;
    for (size_t d = 0; d < p; d++) {
        for (int32_t k = 0; k < r->rank; k++)
            null[(size_t)r->order[k] * p + d] = -r->W[d * (size_t)r->rank + (size_t)k];
        for (int32_t k = r->rank; k < r->C->rows; k++)
            null[(size_t)r->order[k] * p + d] = (size_t)(k - r->rank) == d;
    }
    return rbv_rank_orthonormalize(r->C->rows, r->others, null) == RBV_OK;
}

double rbv_rank_bound(const RbvRankRows *C, double *work) {
    double *dense = work + (size_t)C->rows * (size_t)C->rows, *x = dense + C->columns;
    Rows rows = {.C = C, .rank = C->rows, .L = work, .dense = dense};
    memset(dense, 0, (size_t)C->columns * sizeof *dense);
    bool regular = C->rows > 0 && C->rows <= C->columns && factor_independent(&rows);
    return regular ? 1 / sqrt(square_inverse(C->rows, rows.L, x)) : 0;
}

size_t rbv_rank_dependence_work(int32_t rows, int32_t columns, int32_t rank) {
    size_t r = (size_t)rank, p = (size_t)(rows - rank);
    return r * r + p * r + p * p + (STEPS + 1) * r + (size_t)columns + 2 * (size_t)rows;
}

bool rbv_rank_dependence(const RbvRankRows *C, const int32_t *order, int32_t rank, double *work, double *null,
                         RbvDependence *found) {
    size_t r = (size_t)rank, p = (size_t)(C->rows - rank);
    double *basis = work + r * r + p * r + p * p, *dense = basis + (STEPS + 1) * r, *x = dense + C->columns;
    Rows rows = {C, order, rank, C->rows - rank, work, work + r * r, work + r * r + p * r, dense, x, x + C->rows};
    memset(dense, 0, (size_t)C->columns * sizeof *dense);
    if (rank == 0 || rank > C->columns || !factor_independent(&rows))
        return false;
    found->bound = 1 / sqrt(square_inverse(rank, rows.L, x));
    found->off = find_shares(&rows, found->bound);
    if (!factor_others(&rows) || !find_null(&rows, null))
        return false;
    found->least = 1 / sqrt(largest_root(&rows, basis));
    return isfinite(found->bound) && isfinite(found->off) && isfinite(found->least);
}
