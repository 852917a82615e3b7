/* LAPACK's routines with their workspaces; see lapack.h. A row-major matrix is the transpose of a column-major one:
 * symmetric matrices need no transposition, factors are used transposed.
 */
#include "core/solve/lapack.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

_Static_assert(sizeof(lapack_int) == sizeof(int32_t), "LAPACK with 32-bit integers");

#define COLUMNS LAPACK_COL_MAJOR

static bool is_finite(const double *x, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += x[k] - x[k]; /* 0, or NaN where x is not finite */
    return sum == 0;
}

static size_t area(int32_t m, int32_t n) {
    return (size_t)m * (size_t)n;
}

static RbvStatus status_of(lapack_int info) {
    return info == 0 ? RBV_OK : RBV_NOT_FINITE;
}

/* The workspace whose size a routine has returned in its first call. */
static double *workspace(double requested) {
    return malloc((size_t)fmax(requested, 1) * sizeof(double));
}

static void transpose_matrix(int32_t n, double *A) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++) {
            double keep = A[area(i, n) + (size_t)j];
            A[area(i, n) + (size_t)j] = A[area(j, n) + (size_t)i];
            A[area(j, n) + (size_t)i] = keep;
        }
}

RbvStatus rbv_lapack_svd(char job, int32_t m, int32_t n, double *a, double *sigma, double *u, double *vt) {
    int32_t k = m < n ? m : n;
    int32_t ldvt = job == 'S' ? k : n;
    double requested = 0;
    if (k <= 0)
        return RBV_OK;
    lapack_int *pointers = malloc(8 * (size_t)k * sizeof *pointers);
    if (!pointers)
        return RBV_NO_MEMORY;
    RbvStatus status =
        is_finite(a, area(m, n))
            ? status_of(LAPACKE_dgesdd_work(COLUMNS, job, m, n, a, m, sigma, u, m, vt, ldvt, &requested, -1, pointers))
            : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dgesdd_work(COLUMNS, job, m, n, a, m, sigma, u, m, vt, ldvt, work,
                                                      (lapack_int)requested, pointers))
                      : RBV_NO_MEMORY;
    free(work);
    free(pointers);
    return status;
}

/* The larger size that both routines request; the arguments of these queries are not read. */
bool rbv_lapack_work_create(RbvLapackWork *work, int32_t m, int32_t n) {
    int32_t k = m < n ? m : n;
    double svd = 0, eigen = 0, one = 1;
    lapack_int none = 0;
    if (k > 0)
        LAPACKE_dgesdd_work(COLUMNS, 'A', m, n, &one, m, &one, &one, m, &one, n, &svd, -1, &none);
    if (n > 0)
        LAPACKE_dsyev_work(COLUMNS, 'V', 'L', n, &one, n, &one, &eigen, -1);
    *work = (RbvLapackWork){.size = (int32_t)fmax(fmax(svd, eigen), 1)};
    work->numbers = malloc((size_t)work->size * sizeof *work->numbers);
    work->pointers = malloc((8 * (size_t)k + 1) * sizeof *work->pointers);
    return work->numbers && work->pointers;
}

void rbv_lapack_work_destroy(RbvLapackWork *work) {
    free(work->numbers);
    free(work->pointers);
    *work = (RbvLapackWork){0};
}

RbvStatus rbv_lapack_svd_in(RbvLapackWork *work, char job, int32_t m, int32_t n, double *a, double *sigma, double *u,
                            double *vt) {
    int32_t k = m < n ? m : n;
    if (k <= 0)
        return RBV_OK;
    if (!is_finite(a, area(m, n)))
        return RBV_NOT_FINITE;
    return status_of(LAPACKE_dgesdd_work(COLUMNS, job, m, n, a, m, sigma, u, m, vt, job == 'S' ? k : n, work->numbers,
                                         work->size, work->pointers));
}

RbvStatus rbv_lapack_eigen_symmetric_in(RbvLapackWork *work, int32_t n, double *A, double *values) {
    if (n <= 0)
        return RBV_OK;
    return is_finite(A, area(n, n))
               ? status_of(LAPACKE_dsyev_work(COLUMNS, 'V', 'L', n, A, n, values, work->numbers, work->size))
               : RBV_NOT_FINITE;
}

RbvStatus rbv_lapack_qr(int32_t m, int32_t n, double *a, double *tau) {
    double requested = 0;
    RbvStatus status = is_finite(a, area(m, n))
                           ? status_of(LAPACKE_dgeqrf_work(COLUMNS, m, n, a, m, tau, &requested, -1))
                           : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dgeqrf_work(COLUMNS, m, n, a, m, tau, work, (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    return status;
}

RbvStatus rbv_lapack_qr_pivoted(int32_t m, int32_t n, double *a, int32_t *pivot, double *tau) {
    double requested = 0;
    RbvStatus status = is_finite(a, area(m, n))
                           ? status_of(LAPACKE_dgeqp3_work(COLUMNS, m, n, a, m, pivot, tau, &requested, -1))
                           : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dgeqp3_work(COLUMNS, m, n, a, m, pivot, tau, work, (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    return status;
}

RbvStatus rbv_lapack_q(int32_t m, int32_t n, int32_t k, double *a, const double *tau) {
    double requested = 0;
    RbvStatus status = status_of(LAPACKE_dorgqr_work(COLUMNS, m, n, k, a, m, tau, &requested, -1));
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dorgqr_work(COLUMNS, m, n, k, a, m, tau, work, (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    return status;
}

RbvStatus rbv_lapack_apply_q_transposed(int32_t m, int32_t k, const double *a, const double *tau, double *b) {
    double requested = 0;
    RbvStatus status = is_finite(b, (size_t)m)
                           ? status_of(LAPACKE_dormqr_work(COLUMNS, 'L', 'T', m, 1, k, a, m, tau, b, m, &requested, -1))
                           : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dormqr_work(COLUMNS, 'L', 'T', m, 1, k, a, m, tau, b, m, work,
                                                      (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    return status;
}

RbvStatus rbv_lapack_condition(int32_t n, const double *a, int32_t rows, double *reciprocal) {
    double *work = malloc(3 * (size_t)n * sizeof *work);
    lapack_int *signs = malloc((size_t)n * sizeof *signs);
    RbvStatus status = work && signs
                           ? status_of(LAPACKE_dtrcon_work(COLUMNS, '1', 'U', 'N', n, a, rows, reciprocal, work, signs))
                           : RBV_NO_MEMORY;
    free(work);
    free(signs);
    return status;
}

RbvStatus rbv_lapack_eigen_symmetric(int32_t n, double *A, double *values) {
    if (n <= 0)
        return RBV_OK;
    double requested = 0;
    RbvStatus status = is_finite(A, area(n, n))
                           ? status_of(LAPACKE_dsyev_work(COLUMNS, 'V', 'L', n, A, n, values, &requested, -1))
                           : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dsyev_work(COLUMNS, 'V', 'L', n, A, n, values, work, (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    transpose_matrix(n, A);
    return status;
}

RbvStatus rbv_lapack_eigen_tridiagonal(int32_t n, double *diagonal, double *off, double *vectors) {
    if (n <= 0)
        return RBV_OK;
    double *work = workspace(2.0 * n);
    RbvStatus status = !work ? RBV_NO_MEMORY
                       : is_finite(diagonal, (size_t)n) && is_finite(off, (size_t)n - 1)
                           ? status_of(LAPACKE_dstev_work(COLUMNS, 'V', n, diagonal, off, vectors, n, work))
                           : RBV_NOT_FINITE;
    free(work);
    return status;
}

RbvStatus rbv_lapack_eigen(int32_t n, double *A, double *real, double *imaginary, double *vectors) {
    if (n <= 0)
        return RBV_OK;
    double requested = 0;
    transpose_matrix(n, A);
    RbvStatus status = is_finite(A, area(n, n))
                           ? status_of(LAPACKE_dgeev_work(COLUMNS, 'N', 'V', n, A, n, real, imaginary, NULL, n, vectors,
                                                          n, &requested, -1))
                           : RBV_NOT_FINITE;
    double *work = workspace(requested);
    if (status == RBV_OK)
        status = work ? status_of(LAPACKE_dgeev_work(COLUMNS, 'N', 'V', n, A, n, real, imaginary, NULL, n, vectors, n,
                                                     work, (lapack_int)requested))
                      : RBV_NO_MEMORY;
    free(work);
    if (status == RBV_OK)
        transpose_matrix(n, vectors);
    return status;
}

RbvStatus rbv_lapack_lu(int32_t n, double *A, int32_t *pivot) {
    if (n <= 0)
        return RBV_OK;
    return is_finite(A, area(n, n)) ? status_of(LAPACKE_dgetrf_work(COLUMNS, n, n, A, n, pivot)) : RBV_NOT_FINITE;
}

void rbv_lapack_lu_solve(int32_t n, const double *A, const int32_t *pivot, double *b) {
    if (n > 0)
        LAPACKE_dgetrs_work(COLUMNS, 'T', n, 1, A, n, pivot, b, n);
}

void rbv_lapack_lu_solve_transposed(int32_t n, const double *A, const int32_t *pivot, double *b) {
    if (n > 0)
        LAPACKE_dgetrs_work(COLUMNS, 'N', n, 1, A, n, pivot, b, n);
}

RbvStatus rbv_lapack_solve(int32_t n, int32_t p, double *A, int32_t *pivot, double *B) {
    if (n <= 0)
        return RBV_OK;
    double *column = malloc((size_t)n * sizeof *column);
    RbvStatus status = column ? rbv_lapack_lu(n, A, pivot) : RBV_NO_MEMORY;
    for (int32_t j = 0; status == RBV_OK && j < p; j++) {
        for (int32_t i = 0; i < n; i++)
            column[i] = B[area(i, p) + (size_t)j];
        rbv_lapack_lu_solve(n, A, pivot, column);
        for (int32_t i = 0; i < n; i++)
            B[area(i, p) + (size_t)j] = column[i];
    }
    free(column);
    return status;
}
