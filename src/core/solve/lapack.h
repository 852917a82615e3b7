/* LAPACK with our own workspaces: nothing is printed when memory runs out, and that case is distinct from errors in the
 * numbers.
 *
 * Statuses: OK; NO_MEMORY; NOT_FINITE: a number is not finite, an iteration does not converge, or a matrix is singular.
 * Matrices called row-major are so, the others column-major with their number of rows as leading dimension. All are
 * overwritten unless stated otherwise. Square problems may be of size 0.
 */
#ifndef RBV_CORE_SOLVE_LAPACK_H
#define RBV_CORE_SOLVE_LAPACK_H

#include <roberval/base.h>

/* a[m][n] = U S V^T. job 'A': u[m][m], vt[n][n]; 'S': u[m][k], vt[k][n] with k = min(m, n); 'N': sigma[k] alone. */
RbvStatus rbv_lapack_svd(char job, int32_t m, int32_t n, double *a, double *sigma, double *u, double *vt);
/* SVD and symmetric eigenvalues in workspace that is allocated once, for matrices of up to m rows and n columns. False:
 * no memory; to be destroyed in both cases. */
typedef struct RbvLapackWork {
    double *numbers;
    int32_t *pointers;
    int32_t size;
} RbvLapackWork;
bool rbv_lapack_work_create(RbvLapackWork *work, int32_t m, int32_t n);
void rbv_lapack_work_destroy(RbvLapackWork *work);
RbvStatus rbv_lapack_svd_in(RbvLapackWork *work, char job, int32_t m, int32_t n, double *a, double *sigma, double *u,
                            double *vt);
/* Symmetric A[n][n]: values[n] ascending, eigenvectors in its rows. */
RbvStatus rbv_lapack_eigen_symmetric_in(RbvLapackWork *work, int32_t n, double *A, double *values);

/* a[m][n] = Q R; with column pivoting a P = Q R: pivot[n] from 1. tau[min(m, n)]. */
RbvStatus rbv_lapack_qr(int32_t m, int32_t n, double *a, double *tau);
RbvStatus rbv_lapack_qr_pivoted(int32_t m, int32_t n, double *a, int32_t *pivot, double *tau);
/* The first n columns of the Q of k reflectors in a[m][n]. */
RbvStatus rbv_lapack_q(int32_t m, int32_t n, int32_t k, double *a, const double *tau);
/* b[m][columns] = Q b for the k reflectors in a[m][k], which stays unchanged. */
RbvStatus rbv_lapack_apply_q(int32_t m, int32_t columns, int32_t k, const double *a, const double *tau, double *b);
/* b[m] = Q^T b for the k reflectors in a[m][k], which stays unchanged. */
RbvStatus rbv_lapack_apply_q_transposed(int32_t m, int32_t k, const double *a, const double *tau, double *b);
/* The reciprocal condition, in the 1-norm, of the upper triangle of order n in a[rows][.], which stays unchanged. */
RbvStatus rbv_lapack_condition(int32_t n, const double *a, int32_t rows, double *reciprocal);

/* Symmetric A[n][n] row-major: values[n] ascending, eigenvectors in its columns. */
RbvStatus rbv_lapack_eigen_symmetric(int32_t n, double *A, double *values);
/* Tridiagonal matrix: diagonal[n] becomes the eigenvalues, ascending; off[n - 1] is overwritten; vectors[n][n] in
 * columns. */
RbvStatus rbv_lapack_eigen_tridiagonal(int32_t n, double *diagonal, double *off, double *vectors);
/* General A[n][n] row-major: real and imaginary parts of the eigenvalues, right eigenvectors in the columns of
 * row-major vectors[n][n], paired as by dgeev. */
RbvStatus rbv_lapack_eigen(int32_t n, double *A, double *real, double *imaginary, double *vectors);

/* C[a][c] := A[a][b] B[b][c]; transposed: A[b][a]^T B[b][c]. All row-major, with rows lda, ldb and ldc numbers apart; C
 * overlaps none. */
void rbv_lapack_product(bool transposed, int32_t a, int32_t b, int32_t c, const double *A, int32_t lda, const double *B,
                        int32_t ldb, double *C, int32_t ldc);

/* LU factors of row-major A[n][n]; from them b := A^-1 b, or b := A^-T b. */
RbvStatus rbv_lapack_lu(int32_t n, double *A, int32_t *pivot);
void rbv_lapack_lu_solve(int32_t n, const double *A, const int32_t *pivot, double *b);
void rbv_lapack_lu_solve_transposed(int32_t n, const double *A, const int32_t *pivot, double *b);
/* B[n][p] := A^-1 B, both row-major. */
RbvStatus rbv_lapack_solve(int32_t n, int32_t p, double *A, int32_t *pivot, double *B);

#endif
