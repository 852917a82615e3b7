/* Sparse rows, one after the other: is each independent of those before? Gauss' elimination by rows, with the largest entry of what is left as the pivot.
 *
 * A kept row has no entry in the pivot columns of those kept before it, so a new one is reduced by them in the order in which they were kept.
 */
#ifndef RBV_SOLVE_ELIMINATION_H
#define RBV_SOLVE_ELIMINATION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvElimination RbvElimination;

/* NULL: no memory. */
RbvElimination *rbv_elimination_create(int32_t columns);
void rbv_elimination_destroy(RbvElimination *elimination);
/* The row x[columns], which is zero afterwards: kept, and true, when more than `part` of its largest entry is left. False also when there is no memory, or room: then it is lost. */
bool rbv_elimination_take(RbvElimination *elimination, double *x, double part);
int32_t rbv_elimination_rank(const RbvElimination *elimination);
bool rbv_elimination_lost(const RbvElimination *elimination);

#endif
