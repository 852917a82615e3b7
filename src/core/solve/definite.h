/* Definiteness of a symmetric matrix on the null space of rows, by the signs of pivots. */
#ifndef RBV_CORE_SOLVE_DEFINITE_H
#define RBV_CORE_SOLVE_DEFINITE_H

#include <stdbool.h>
#include <stdint.h>

/* True if the pivots show that A is positive definite on C y = 0. The matrix is
 *
 *   [ A  C^T ]      A[n][n] symmetric, C[rows][n], c > 0 on the diagonal;
 *   [ C  -c  ]
 * row r has the columns index[start[r]] ..., each once, with its values. The rows of C are eliminated first, so that
 * the other pivots are those of A + C^T C / c: all are positive if that is definite, and then y^T A y > 0 wherever
 * C y = 0. False decides nothing: c is too large for the curvature across the rows, or A is not definite, or memory is
 * lacking. The rounding of the sums is that of the largest entry of C^T C / c. */
bool rbv_definite_on_rows(int32_t n, int32_t rows, const int32_t *start, const int32_t *index, const double *values);

#endif
