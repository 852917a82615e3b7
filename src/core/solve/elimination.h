/* Sparse rows, one after the other: is each one independent of those before? Gauss' elimination by rows, columns in a
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

#include <stdbool.h>
#include <stdint.h>

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
