/* Gauss and Jordan's elimination with full pivoting: the free vectors of J x = 0.
 *
 *   J with rows and columns in the order of the pivots -> [1 | -N],   x of pivots = N x of the rest
 * The rest of x is independent: x = R z with z the rest of x and R = [N; 1]. Rows without a pivot repeat the others.
 */
#ifndef RBV_CORE_SOLVE_GAUSS_JORDAN_H
#define RBV_CORE_SOLVE_GAUSS_JORDAN_H

#include <roberval/base.h>

/* J[m][n] row-major becomes [1 | -N] in the order of row[m], column[n], pivots first; rows and columns are not moved in
 * memory. Entries below `least` times the largest entry of J are no pivots. Returns the number of pivots; *smallest:
 * the last pivot over the first (1: none). */
int32_t rbv_gauss_jordan(int32_t m, int32_t n, double *J, int32_t *row, int32_t *column, double least,
                         double *smallest);
/* R[f][n], f = n - rank: basis vectors one after the other, from the J, row and column that rbv_gauss_jordan left. */
void rbv_gauss_jordan_null_space(int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t rank,
                                 double *R);

#endif
