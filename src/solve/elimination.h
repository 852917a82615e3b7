/* Sparse rows, one after the other: is each independent of those before? Gauss' elimination by rows, columns in a given
 * order.
 *
 * A kept row has its pivot in the first of its columns, and no other kept row has it there. A new row x meets the kept
 * row r of its first column j,
 *   x := x - x_j / r_j r,
 * r being the one of both that is larger in j, against its largest entry when it was given (its rounding goes with
 * that: a rest that is small must not become a pivot), and goes on with the next column that is left, until that one is
 * nobody's pivot: there it is kept. Columns that rows join are one set; where a set has as many rows as columns nothing
 * in it is independent. With columns that come first where few rows meet the rows stay short.
 */
#ifndef RBV_SOLVE_ELIMINATION_H
#define RBV_SOLVE_ELIMINATION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvElimination RbvElimination;

/* place[columns]: when each column is eliminated, a permutation; it must outlive the elimination. NULL: no memory. */
RbvElimination *rbv_elimination_create(int32_t columns, const int32_t *place);
void rbv_elimination_destroy(RbvElimination *elimination);
/* The row with value[count] in the distinct column[count]: kept, and true, when more than `part` of its largest entry
 * is left. False also when there is no memory, or too much work: then it is lost. */
bool rbv_elimination_take(RbvElimination *elimination, int32_t count, const int32_t *column, const double *value,
                          double part);
int32_t rbv_elimination_rank(const RbvElimination *elimination);
bool rbv_elimination_lost(const RbvElimination *elimination);

#endif
