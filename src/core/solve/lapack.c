/* LAPACK's routines with their workspaces; see lapack.h. A row-major matrix is the transpose of a column-major one:
 * symmetric matrices need no transposition, factors are used transposed.
 */
#include "core/solve/lapack.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The Fortran routines: numbers by reference, matrices by columns, and the lengths of CHARACTER arguments as size_t at
 * the end, as GCC, Clang and Intel pass them. Integers have 32 bits. LAPACKE, which wraps them, would be one more
 * library to load, and prints when it finds no memory. */
void dgesdd_(const char *job, const int32_t *m, const int32_t *n, double *a, const int32_t *lda, double *s, double *u,
             const int32_t *ldu, double *vt, const int32_t *ldvt, double *work, const int32_t *lwork, int32_t *iwork,
             int32_t *info, size_t);
void dsyev_(const char *job, const char *uplo, const int32_t *n, double *a, const int32_t *lda, double *w, double *work,
            const int32_t *lwork, int32_t *info, size_t, size_t);
void dsyevd_(const char *job, const char *uplo, const int32_t *n, double *a, const int32_t *lda, double *w,
             double *work, const int32_t *lwork, int32_t *iwork, const int32_t *liwork, int32_t *info, size_t, size_t);
void dstev_(const char *job, const int32_t *n, double *d, double *e, double *z, const int32_t *ldz, double *work,
            int32_t *info, size_t);
void dgeev_(const char *left, const char *right, const int32_t *n, double *a, const int32_t *lda, double *real,
            double *imaginary, double *vl, const int32_t *ldvl, double *vr, const int32_t *ldvr, double *work,
            const int32_t *lwork, int32_t *info, size_t, size_t);
void dgeqrf_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, double *tau, double *work,
             const int32_t *lwork, int32_t *info);
void dgeqp3_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, int32_t *pivot, double *tau,
             double *work, const int32_t *lwork, int32_t *info);
void dorgqr_(const int32_t *m, const int32_t *n, const int32_t *k, double *a, const int32_t *lda, const double *tau,
             double *work, const int32_t *lwork, int32_t *info);
void dormqr_(const char *side, const char *trans, const int32_t *m, const int32_t *n, const int32_t *k, const double *a,
             const int32_t *lda, const double *tau, double *c, const int32_t *ldc, double *work, const int32_t *lwork,
             int32_t *info, size_t, size_t);
void dtrcon_(const char *norm, const char *uplo, const char *diag, const int32_t *n, const double *a,
             const int32_t *lda, double *rcond, double *work, int32_t *iwork, int32_t *info, size_t, size_t, size_t);
void dgemm_(const char *left, const char *right, const int32_t *rows, const int32_t *columns, const int32_t *inner,
            const double *factor, const double *a, const int32_t *lda, const double *b, const int32_t *ldb,
            const double *rest, double *c, const int32_t *ldc, size_t, size_t);
void dgetrf_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, int32_t *pivot, int32_t *info);
void dgetrs_(const char *trans, const int32_t *n, const int32_t *columns, const double *a, const int32_t *lda,
             const int32_t *pivot, double *b, const int32_t *ldb, int32_t *info, size_t);

/* Length of a CHARACTER argument. */
#define ONE ((size_t)1)

/* Calls of OpenBLAS one at a time: Debian's serial variant is built without locks, so that two threads may get the same
 * buffer, and wrong numbers. Kernels for wide registers, which need no buffer, hide it. A process that forks waits for
 * the call, so that the child finds no buffer in use and no lock that nobody opens. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_prepared = PTHREAD_ONCE_INIT;

static void begin_alone(void) {
    pthread_mutex_lock(&alone);
}

static void end_alone(void) {
    pthread_mutex_unlock(&alone);
}

static void prepare_forks(void) {
    pthread_atfork(begin_alone, end_alone, end_alone);
}

#define ALONE(call) (pthread_once(&forks_prepared, prepare_forks), begin_alone(), (call), end_alone())

static bool is_finite(const double *x, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += x[k] - x[k]; /* 0, or NaN where x is not finite */
    return sum == 0;
}

static size_t area(int32_t m, int32_t n) {
    return (size_t)m * (size_t)n;
}

static RbvStatus status_of(int32_t info) {
    return info == 0 ? RBV_OK : RBV_NOT_FINITE;
}

/* A size of workspace of -1 asks a routine for the size that it wants, which it returns in work[0]. */
static const int32_t asks = -1;

/* Allocates the workspace whose size a routine has returned. */
static double *workspace(double requested, int32_t *size) {
    *size = (int32_t)fmax(requested, 1);
    return malloc((size_t)*size * sizeof(double));
}

static void transpose_matrix(int32_t n, double *A) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++) {
            double keep = A[area(i, n) + (size_t)j];
            A[area(i, n) + (size_t)j] = A[area(j, n) + (size_t)i];
            A[area(j, n) + (size_t)i] = keep;
        }
}

static RbvStatus svd_with(char job, int32_t m, int32_t n, double *a, double *sigma, double *u, double *vt, double *work,
                          int32_t size, int32_t *pointers) {
    int32_t k = m < n ? m : n, info = 0;
    int32_t ldvt = job == 'S' ? k : n;
    ALONE(dgesdd_(&job, &m, &n, a, &m, sigma, u, &m, vt, &ldvt, work, &size, pointers, &info, ONE));
    return status_of(info);
}

RbvStatus rbv_lapack_svd(char job, int32_t m, int32_t n, double *a, double *sigma, double *u, double *vt) {
    int32_t k = m < n ? m : n, size;
    double requested = 0;
    if (k <= 0)
        return RBV_OK;
    if (!is_finite(a, area(m, n)))
        return RBV_NOT_FINITE;
    int32_t *pointers = malloc(8 * (size_t)k * sizeof *pointers);
    RbvStatus status = pointers ? svd_with(job, m, n, a, sigma, u, vt, &requested, asks, pointers) : RBV_NO_MEMORY;
    double *work = workspace(requested, &size);
    if (status == RBV_OK)
        status = work ? svd_with(job, m, n, a, sigma, u, vt, work, size, pointers) : RBV_NO_MEMORY;
    free(work);
    free(pointers);
    return status;
}

static RbvStatus eigen_symmetric_with(int32_t n, double *A, double *values, double *work, int32_t size) {
    int32_t info = 0;
    ALONE(dsyev_("V", "L", &n, A, &n, values, work, &size, &info, ONE, ONE));
    return status_of(info);
}

/* The larger size that both routines request; the arguments of these queries are not read. */
bool rbv_lapack_work_create(RbvLapackWork *work, int32_t m, int32_t n) {
    int32_t k = m < n ? m : n, none = 0;
    double svd = 0, eigen = 0, one = 1;
    if (k > 0)
        svd_with('A', m, n, &one, &one, &one, &one, &svd, asks, &none);
    if (n > 0)
        eigen_symmetric_with(n, &one, &one, &eigen, asks);
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
    if (m <= 0 || n <= 0)
        return RBV_OK;
    return is_finite(a, area(m, n)) ? svd_with(job, m, n, a, sigma, u, vt, work->numbers, work->size, work->pointers)
                                    : RBV_NOT_FINITE;
}

RbvStatus rbv_lapack_eigen_symmetric_in(RbvLapackWork *work, int32_t n, double *A, double *values) {
    if (n <= 0)
        return RBV_OK;
    return is_finite(A, area(n, n)) ? eigen_symmetric_with(n, A, values, work->numbers, work->size) : RBV_NOT_FINITE;
}

RbvStatus rbv_lapack_qr(int32_t m, int32_t n, double *a, double *tau) {
    double requested = 0;
    int32_t info = 0, size;
    if (!is_finite(a, area(m, n)))
        return RBV_NOT_FINITE;
    ALONE(dgeqrf_(&m, &n, a, &m, tau, &requested, &asks, &info));
    double *work = workspace(requested, &size);
    if (work && info == 0)
        ALONE(dgeqrf_(&m, &n, a, &m, tau, work, &size, &info));
    free(work);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

RbvStatus rbv_lapack_qr_pivoted(int32_t m, int32_t n, double *a, int32_t *pivot, double *tau) {
    double requested = 0;
    int32_t info = 0, size;
    if (!is_finite(a, area(m, n)))
        return RBV_NOT_FINITE;
    ALONE(dgeqp3_(&m, &n, a, &m, pivot, tau, &requested, &asks, &info));
    double *work = workspace(requested, &size);
    if (work && info == 0)
        ALONE(dgeqp3_(&m, &n, a, &m, pivot, tau, work, &size, &info));
    free(work);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

RbvStatus rbv_lapack_q(int32_t m, int32_t n, int32_t k, double *a, const double *tau) {
    double requested = 0;
    int32_t info = 0, size;
    ALONE(dorgqr_(&m, &n, &k, a, &m, tau, &requested, &asks, &info));
    double *work = workspace(requested, &size);
    if (work && info == 0)
        ALONE(dorgqr_(&m, &n, &k, a, &m, tau, work, &size, &info));
    free(work);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

/* b[columns][m] := Q b, or Q^T b with transposed "T", for the Q[m][m] of k reflectors in a[k][m], all by columns. */
static RbvStatus apply_q(const char *transposed, int32_t m, int32_t columns, int32_t k, const double *a,
                         const double *tau, double *b) {
    double requested = 0;
    int32_t info = 0, size;
    ALONE(dormqr_("L", transposed, &m, &columns, &k, a, &m, tau, b, &m, &requested, &asks, &info, ONE, ONE));
    double *work = workspace(requested, &size);
    if (work && info == 0)
        ALONE(dormqr_("L", transposed, &m, &columns, &k, a, &m, tau, b, &m, work, &size, &info, ONE, ONE));
    free(work);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

RbvStatus rbv_lapack_apply_q(int32_t m, int32_t columns, int32_t k, const double *a, const double *tau, double *b) {
    return apply_q("N", m, columns, k, a, tau, b);
}

RbvStatus rbv_lapack_apply_q_transposed(int32_t m, int32_t k, const double *a, const double *tau, double *b) {
    return is_finite(b, (size_t)m) ? apply_q("T", m, 1, k, a, tau, b) : RBV_NOT_FINITE;
}

RbvStatus rbv_lapack_condition(int32_t n, const double *a, int32_t rows, double *reciprocal) {
    double *work = malloc(3 * (size_t)n * sizeof *work);
    int32_t *signs = malloc((size_t)n * sizeof *signs), info = 0;
    bool good = work && signs;
    if (good)
        ALONE(dtrcon_("1", "U", "N", &n, a, &rows, reciprocal, work, signs, &info, ONE, ONE, ONE));
    free(work);
    free(signs);
    return good ? status_of(info) : RBV_NO_MEMORY;
}

/* By divide and conquer: from some hundred rows on several times as fast as the QR iteration of dsyev. */
RbvStatus rbv_lapack_eigen_symmetric(int32_t n, double *A, double *values) {
    double requested = 0;
    int32_t size, integers = 3 + 5 * n, info = 0;
    if (n <= 0)
        return RBV_OK;
    if (!is_finite(A, area(n, n)))
        return RBV_NOT_FINITE;
    int32_t *pointers = malloc((size_t)integers * sizeof *pointers);
    if (pointers)
        ALONE(dsyevd_("V", "L", &n, A, &n, values, &requested, &asks, pointers, &integers, &info, ONE, ONE));
    double *work = workspace(requested, &size);
    if (work && pointers && info == 0)
        ALONE(dsyevd_("V", "L", &n, A, &n, values, work, &size, pointers, &integers, &info, ONE, ONE));
    bool good = work && pointers;
    free(work);
    free(pointers);
    transpose_matrix(n, A);
    return good ? status_of(info) : RBV_NO_MEMORY;
}

RbvStatus rbv_lapack_eigen_tridiagonal(int32_t n, double *diagonal, double *off, double *vectors) {
    int32_t info = 0, size;
    if (n <= 0)
        return RBV_OK;
    if (!is_finite(diagonal, (size_t)n) || !is_finite(off, (size_t)n - 1))
        return RBV_NOT_FINITE;
    double *work = workspace(2.0 * n, &size);
    if (work)
        ALONE(dstev_("V", &n, diagonal, off, vectors, &n, work, &info, ONE));
    free(work);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

RbvStatus rbv_lapack_eigen(int32_t n, double *A, double *real, double *imaginary, double *vectors) {
    double requested = 0, left;
    int32_t info = 0, size;
    if (n <= 0)
        return RBV_OK;
    if (!is_finite(A, area(n, n)))
        return RBV_NOT_FINITE;
    transpose_matrix(n, A);
    ALONE(dgeev_("N", "V", &n, A, &n, real, imaginary, &left, &n, vectors, &n, &requested, &asks, &info, ONE, ONE));
    double *work = workspace(requested, &size);
    if (work && info == 0)
        ALONE(dgeev_("N", "V", &n, A, &n, real, imaginary, &left, &n, vectors, &n, work, &size, &info, ONE, ONE));
    free(work);
    if (work && info == 0)
        transpose_matrix(n, vectors);
    return work ? status_of(info) : RBV_NO_MEMORY;
}

void rbv_lapack_product(bool transposed, int32_t a, int32_t b, int32_t c, const double *A, int32_t lda, const double *B,
                        int32_t ldb, double *C, int32_t ldc) {
    const double one = 1, zero = 0;
    if (a > 0 && c > 0) /* C^T = B^T A^T by columns */
        ALONE(dgemm_("N", transposed ? "T" : "N", &c, &a, &b, &one, B, &ldb, A, &lda, &zero, C, &ldc, ONE, ONE));
}

RbvStatus rbv_lapack_lu(int32_t n, double *A, int32_t *pivot) {
    int32_t info = 0;
    if (n <= 0)
        return RBV_OK;
    if (!is_finite(A, area(n, n)))
        return RBV_NOT_FINITE;
    ALONE(dgetrf_(&n, &n, A, &n, pivot, &info));
    return status_of(info);
}

static void solve_factored(const char *transposed, int32_t n, int32_t columns, const double *A, const int32_t *pivot,
                           double *b) {
    int32_t info = 0;
    if (n > 0)
        ALONE(dgetrs_(transposed, &n, &columns, A, &n, pivot, b, &n, &info, ONE));
}

void rbv_lapack_lu_solve(int32_t n, const double *A, const int32_t *pivot, double *b) {
    solve_factored("T", n, 1, A, pivot, b);
}

void rbv_lapack_lu_solve_transposed(int32_t n, const double *A, const int32_t *pivot, double *b) {
    solve_factored("N", n, 1, A, pivot, b);
}

RbvStatus rbv_lapack_solve(int32_t n, int32_t p, double *A, int32_t *pivot, double *B) {
    if (n <= 0 || p <= 0)
        return RBV_OK;
    double *columns = malloc(area(n, p) * sizeof *columns);
    RbvStatus status = columns ? rbv_lapack_lu(n, A, pivot) : RBV_NO_MEMORY;
    for (int32_t i = 0; status == RBV_OK && i < n; i++)
        for (int32_t j = 0; j < p; j++)
            columns[area(j, n) + (size_t)i] = B[area(i, p) + (size_t)j];
    if (status == RBV_OK)
        solve_factored("T", n, p, A, pivot, columns);
    for (int32_t i = 0; status == RBV_OK && i < n; i++)
        for (int32_t j = 0; j < p; j++)
            B[area(i, p) + (size_t)j] = columns[area(j, n) + (size_t)i];
    free(columns);
    return status;
}
