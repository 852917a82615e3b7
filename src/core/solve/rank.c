/* Rank by SVD (LAPACK dgesdd) and independent rows by pivoted QR (dgeqp3); see rank.h. */
#include "core/solve/rank.h"

#include "core/solve/lapack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

RbvRank rbv_rank_decide(int32_t m, int32_t n, const double *sigma) {
    int32_t count = m < n ? m : n;
    RbvRank rank = {0, true, 1, 0, 0, 1, 0, 0};
    if (count == 0 || !(sigma[0] > 0))
        return rank;
    rank.tau = 4.0 * (m > n ? m : n) * DBL_EPSILON + RBV_RANK_DATA;
    for (int32_t k = 0; k < count; k++) {
        double relative = sigma[k] / sigma[0];
        if (relative > rank.tau) {
            rank.rank++;
            rank.smallest = relative;
            if (relative > RBV_RANK_BAND * rank.tau) {
                rank.certain++;
                rank.smallest_certain = relative;
            }
        } else {
            rank.largest_dropped = fmax(rank.largest_dropped, relative);
        }
    }
    rank.safe = rank.certain == rank.rank;
    rank.largest = sigma[0];
    return rank;
}

/* Set the rank to `known` (-1: unknown): singular values on both sides are then certain. */
static void impose(RbvRank *rank, int32_t known, int32_t count, const double *sigma) {
    if (known < 0 || !(sigma[0] > 0))
        return;
    rank->rank = rank->certain = known;
    rank->safe = true;
    rank->smallest = rank->smallest_certain = known > 0 ? sigma[known - 1] / sigma[0] : 1;
    rank->largest_dropped = known < count ? sigma[known] / sigma[0] : 0;
    rank->tau = fmax(rank->tau, rank->largest_dropped);
}

static RbvStatus decompose(int32_t m, int32_t n, const double *C, int32_t known, RbvRank *rank, double *null) {
    *rank = (RbvRank){0, true, 1, 0, 0, 1, 0, 0};
    if (m == 0)
        return RBV_OK;
    if (n == 0) {
        for (int32_t i = 0; null && i < m * m; i++)
            null[i] = i % (m + 1) == 0;
        return RBV_OK;
    }
    int32_t count = m < n ? m : n;
    /* row-major C is column-major C^T = V S U^T: its right singular vectors are the left ones of C */
    double *a = malloc((size_t)m * (size_t)n * sizeof *a), *sigma = malloc((size_t)count * sizeof *sigma);
    double *vt = null ? malloc((size_t)m * (size_t)m * sizeof *vt) : NULL;
    double *u = null ? malloc((size_t)n * (size_t)n * sizeof *u) : NULL;
    RbvStatus status = !a || !sigma || (null && (!vt || !u)) ? RBV_NO_MEMORY : RBV_OK;
    if (status == RBV_OK) {
        memcpy(a, C, (size_t)m * (size_t)n * sizeof *a);
        status = rbv_lapack_svd(null ? 'A' : 'N', n, m, a, sigma, u, vt);
    }
    if (status == RBV_OK) {
        *rank = rbv_rank_decide(m, n, sigma);
        impose(rank, known, count, sigma);
        int32_t p = m - rank->certain;
        for (int32_t i = 0; null && i < m; i++)
            for (int32_t k = 0; k < p; k++)
                null[i * p + k] = vt[(size_t)i * (size_t)m + (size_t)(rank->certain + k)];
    }
    free(a);
    free(sigma);
    free(vt);
    free(u);
    return status;
}

/* Where all rows are certain to count there is no null space: singular values alone cost less than half of the time
 * with vectors. */
RbvStatus rbv_rank_svd(int32_t m, int32_t n, const double *C, RbvRank *rank, double *null) {
    if (null && m <= n) {
        RbvStatus status = decompose(m, n, C, -1, rank, NULL);
        if (status != RBV_OK || rank->certain == m)
            return status;
    }
    return decompose(m, n, C, -1, rank, null);
}

RbvStatus rbv_rank_known(int32_t m, int32_t n, const double *C, int32_t known, RbvRank *rank, double *null) {
    return decompose(m, n, C, known, rank, null);
}

RbvStatus rbv_rank_qr(int32_t m, int32_t n, const double *C, RbvRank *rank, double *null) {
    *rank = (RbvRank){0, true, 1, 0, 0, 1, 0, 0};
    if (m == 0 || n == 0)
        return decompose(m, n, C, -1, rank, null);
    size_t rows = (size_t)m, columns = (size_t)n, count = rows < columns ? rows : columns;
    double *a = calloc(rows * (columns > rows ? columns : rows), sizeof *a), *tau = malloc(count * sizeof *tau);
    double *diagonal = malloc(count * sizeof *diagonal);
    int32_t *pivot = calloc(columns, sizeof *pivot);
    RbvStatus status = a && tau && diagonal && pivot ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                a[j * rows + i] = C[i * columns + j];
        status = rbv_lapack_qr_pivoted(m, n, a, pivot, tau);
    }
    if (status == RBV_OK) {
        for (size_t k = 0; k < count; k++)
            diagonal[k] = fabs(a[k * rows + k]);
        *rank = rbv_rank_decide(m, n, diagonal);
        /* the diagonal can hide a small singular value (Kahan): the condition of the leading block shows it, up to the
         * root of its size */
        double reciprocal = 1;
        if (rank->rank > 0)
            status = rbv_lapack_condition(rank->rank, a, m, &reciprocal);
        if (reciprocal < rank->tau * RBV_RANK_BAND / m)
            rank->safe = false;
        if (!rank->safe && rank->certain == rank->rank)
            rank->certain = rank->rank - 1;
        size_t p = rows - (size_t)rank->certain;
        if (null && status == RBV_OK)
            status = rbv_lapack_q(m, m, (int32_t)count, a, tau);
        for (size_t i = 0; null && status == RBV_OK && i < rows; i++)
            for (size_t k = 0; k < p; k++)
                null[i * p + k] = a[((size_t)rank->certain + k) * rows + i];
    }
    free(a);
    free(tau);
    free(diagonal);
    free(pivot);
    return status;
}

RbvStatus rbv_rank_with(int32_t m, int32_t n, const double *C, const double *c, RbvRank *rank) {
    size_t columns = (size_t)n, wide = columns + 1;
    double *a = malloc(((size_t)m * wide + 1) * sizeof *a), size = 0;
    if (!a)
        return RBV_NO_MEMORY;
    for (int32_t i = 0; i < m; i++)
        size += c[i] * c[i];
    for (size_t i = 0; i < (size_t)m; i++) {
        memcpy(a + i * wide, C + i * columns, columns * sizeof *a);
        a[i * wide + columns] = size > 0 ? c[i] / sqrt(size) : 0;
    }
    RbvStatus status = decompose(m, n + 1, a, -1, rank, NULL);
    free(a);
    return status;
}

/* Gram and Schmidt, twice against rounding; for few columns, as the self-stresses of most mechanisms. */
static void orthonormalize_few(int32_t m, int32_t n, double *A) {
    for (int32_t c = 0; c < n; c++) {
        for (int pass = 0; pass < 2; pass++)
            for (int32_t d = 0; d < c; d++) {
                double dot = 0;
                for (int32_t i = 0; i < m; i++)
                    dot += A[i * n + c] * A[i * n + d];
                for (int32_t i = 0; i < m; i++)
                    A[i * n + c] -= dot * A[i * n + d];
            }
        double norm = 0;
        for (int32_t i = 0; i < m; i++)
            norm += A[i * n + c] * A[i * n + c];
        norm = sqrt(norm);
        for (int32_t i = 0; i < m; i++)
            A[i * n + c] /= norm;
    }
}

RbvStatus rbv_rank_orthonormalize(int32_t m, int32_t n, double *A) {
    if (n <= RBV_ORTHONORMAL_OWN) {
        orthonormalize_few(m, n, A);
        return RBV_OK;
    }
    size_t rows = (size_t)m, columns = (size_t)n;
    double *a = malloc(rows * columns * sizeof *a), *tau = malloc(columns * sizeof *tau);
    RbvStatus status = a && tau ? RBV_OK : RBV_NO_MEMORY;
    for (size_t i = 0; status == RBV_OK && i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            a[j * rows + i] = A[i * columns + j];
    if (status == RBV_OK)
        status = rbv_lapack_qr(m, n, a, tau);
    if (status == RBV_OK)
        status = rbv_lapack_q(m, n, n, a, tau);
    for (size_t i = 0; status == RBV_OK && i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            A[i * columns + j] = a[j * rows + i];
    free(a);
    free(tau);
    return status;
}

RbvStatus rbv_rank_rows(int32_t m, int32_t n, const double *C, int32_t *order) {
    if (m == 0)
        return RBV_OK;
    int32_t count = m < n ? m : n;
    double *a = malloc(((size_t)m * (size_t)n + 1) * sizeof *a), *tau = malloc(((size_t)count + 1) * sizeof *tau);
    int32_t *pivot = calloc((size_t)m, sizeof *pivot);
    RbvStatus status = !a || !tau || !pivot ? RBV_NO_MEMORY : RBV_OK;
    if (status == RBV_OK && n > 0) {
        memcpy(a, C, (size_t)m * (size_t)n * sizeof *a);
        status = rbv_lapack_qr_pivoted(n, m, a, pivot, tau);
    }
    for (int32_t k = 0; status == RBV_OK && k < m; k++)
        order[k] = n > 0 ? (int32_t)pivot[k] - 1 : k;
    free(a);
    free(tau);
    free(pivot);
    return status;
}
