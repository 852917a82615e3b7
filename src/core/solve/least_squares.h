/* Least squares, dense and sparse. Dense, for fewer equations than unknowns: x of least norm with A x = b, A = L Q by
 * reflections (a complete orthogonal decomposition of rows), rows pivoted, in the caller's memory. Sparse, for any
 * shape and rank, with a ridge: x = argmin |C x + phi|^2 + mu |x|^2.
 *
 *   [ mu I  -C ] [y]   [phi]
 *   [ C^T    I ] [x] = [ 0 ]        (C C^T + mu I) y = phi,  x = -C^T y
 * The matrix is quasi-definite, so every pivot order is safe, and accurate for the smallest mu. Large systems, where
 * pivoting would lose the sparsity, take x = -(C^T C + mu I)^-1 C^T phi instead (gram.h), good for mu down to rounding
 * of C^T C.
 */
#ifndef RBV_CORE_SOLVE_LEAST_SQUARES_H
#define RBV_CORE_SOLVE_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

/* A[m][n] row-major becomes its factors; order[m], unknown[n], tau[m]. Returns the number of independent rows; -1: a
 * number is not finite. */
int32_t rbv_orthogonal_factor(int32_t m, int32_t n, double *A, int32_t *order, int32_t *unknown, double *tau);
/* x[n] for b[m] by the independent rows; b and x may not overlap; work[n]. */
void rbv_orthogonal_solve(int32_t n, int32_t rank, const double *A, const int32_t *order, const int32_t *unknown,
                          const double *tau, const double *b, double *work, double *x);

typedef struct RbvRidge RbvRidge;

/* Rows and columns together above which the Gram matrix is used: pivoting fills in from there on (bench/verdicts). */
#define RBV_RIDGE_LARGE 1500

/* C has `rows` rows; row k has the columns column[start[k]] ... NULL: no memory. */
RbvRidge *rbv_ridge_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column);
void rbv_ridge_destroy(RbvRidge *ridge);
/* Factors for the entries C, which must outlive them. False: an entry is not finite, or no memory, then *no_memory is
 * set. */
bool rbv_ridge_factor(RbvRidge *ridge, const double *C, double mu, bool *no_memory);
/* x[columns] = argmin for phi[rows]. */
void rbv_ridge_step(RbvRidge *ridge, const double *phi, double *x);
/* Factors for rbv_ridge_project instead of steps: g[columns] := the part of g in the null space of C. Singular values
 * below 1e-7 count as zero. False as of rbv_ridge_factor. */
bool rbv_ridge_factor_null(RbvRidge *ridge, const double *C, bool *no_memory);
void rbv_ridge_project(RbvRidge *ridge, double *g);

#endif
