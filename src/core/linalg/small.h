/* Systems of a few unknowns that are solved once, without a factorization object. */
#ifndef RBV_CORE_LINALG_SMALL_H
#define RBV_CORE_LINALG_SMALL_H

#include <stdbool.h>
#include <stdint.h>

/* Solve A[n][n+1] = [matrix | right side], row-major, by elimination with partial pivoting; the solution replaces the
 * last column. False: a pivot is not above `least` in magnitude. */
bool rbv_small_solve(double *A, int32_t n, double least);

/* Eigenvalues of the symmetric matrix J = xx yy zz xy xz yz, ascending. */
void rbv_small_eigenvalues(const double J[6], double out[3]);

#endif
