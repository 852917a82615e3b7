/* Elimination of dense and of sparse rows.
 *
 * Sparse rows, one after the other: is each one independent of those before? Gauss' elimination by rows, columns in a
 * given order.
 *
 * A kept row has its pivot in the first of its columns, and no other kept row has its pivot there. A new row x is
 * reduced by the kept row r whose pivot is in x's first column j,
 *   x := x - x_j / r_j r,
 * where r is the one of both rows that is larger in j, relative to its largest entry when it was added (its rounding is
 * proportional to that entry: a small remainder must not become a pivot). Reduction goes on with the next column that
 * is left, until a column is the pivot of no kept row: there the row is kept. Columns that rows join form one set;
 * where a set has as many rows as columns, no further row in it is independent. Rows stay short if columns in which few
 * rows meet come first.
 */
#ifndef RBV_CORE_SOLVE_ELIMINATION_H
#define RBV_CORE_SOLVE_ELIMINATION_H

#include <roberval/base.h>

#include <stdbool.h>
#include <stdint.h>

/* Dense J x = 0 by Gauss and Jordan's elimination with full pivoting:
 *
 *   J with rows and columns in the order of the pivots -> [1 | -N],   x of pivots = N x of the rest
 * The rest of x is independent: x = R z with z the rest of x and R = [N; 1]. Rows without a pivot repeat the others. */

/* J[m][n] row-major becomes [1 | -N] in the order of row[m], column[n], pivots first; rows and columns are not moved in
 * memory. Entries below `least` times the largest entry of J are no pivots. Returns the number of pivots; *smallest:
 * the last pivot over the first (1: none). */
int32_t rbv_gauss_jordan(int32_t m, int32_t n, double *J, int32_t *row, int32_t *column, double least,
                         double *smallest);
/* R[f][n], f = n - rank: basis vectors one after the other, from the J, row and column that rbv_gauss_jordan left. */
void rbv_gauss_jordan_null_space(int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t rank,
                                 double *R);

typedef struct RbvElimination RbvElimination;

/* place[columns]: position of each column in the order of elimination, a permutation; the array must outlive the
 * elimination. NULL: no memory. */
RbvElimination *rbv_elimination_create(int32_t columns, const int32_t *place);
void rbv_elimination_destroy(RbvElimination *elimination);
/* Add the row with value[count] in the distinct column[count]. True: the row is kept, since more than `part` of its
 * largest entry is left. False also when memory runs out or the work is too much: the elimination is then lost. */
bool rbv_elimination_take(RbvElimination *elimination, int32_t count, const int32_t *column, const double *value,
                          double part);
int32_t rbv_elimination_rank(const RbvElimination *elimination);
bool rbv_elimination_lost(const RbvElimination *elimination);

#endif
