/* The balance's linear system with one more unknown and one more equation, regular at folds where the system itself is
 * not:
 *
 *   [ A     f ] [ x ]   [ a ]      A: balance.h, as last filled; f[n + rows]; row[n] acts on the coordinates
 *   [ row   c ] [ u ] = [ b ]
 */
#ifndef RBV_STATICS_BORDERED_H
#define RBV_STATICS_BORDERED_H

#include "statics/balance.h"

typedef struct RbvBordered {
    int32_t size, n; /* of the system, of the coordinates */
    int32_t *start, *index;
    double *values;
    RbvLu *lu;
} RbvBordered;

/* For the pattern of a balance. False: no memory. */
bool rbv_bordered_create(RbvBordered *bordered, const RbvBalance *balance);
void rbv_bordered_destroy(RbvBordered *bordered);
/* False: singular. */
bool rbv_bordered_factor(RbvBordered *bordered, const RbvBalance *balance, const double *column, const double *row,
                         double corner);
/* x[size] := the solution for the right side in it. */
void rbv_bordered_solve(RbvBordered *bordered, double *x);

#endif
