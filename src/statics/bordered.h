/* Linear system of the balance with one more unknown and one more equation. It is regular at folds, where the system
 * itself is singular.
 *
 *   [ A     f ] [ x ]   [ a ]      A: balance.h, as last filled; f[n + rows]; row[n] acts on the coordinates
 *   [ row   c ] [ u ] = [ b ]
 */
#ifndef RBV_STATICS_BORDERED_H
#define RBV_STATICS_BORDERED_H

#include "statics/balance.h"

typedef struct RbvBordered {
    int32_t size, n; /* size: unknowns of the bordered system, n + rows + 1; n: coordinates */
    int32_t *start, *index;
    double *values;
    RbvLu *lu;
} RbvBordered;

/* Pattern and workspace for the balance's pattern; free with rbv_bordered_destroy. False if out of memory. */
bool rbv_bordered_create(RbvBordered *bordered, const RbvBalance *balance);
void rbv_bordered_destroy(RbvBordered *bordered);
/* Factors the matrix bordered by column[n + rows], row[n] and corner. False: singular or out of memory. */
bool rbv_bordered_factor(RbvBordered *bordered, const RbvBalance *balance, const double *column, const double *row,
                         double corner);
/* Replaces the right-hand side x[size] by the solution. */
void rbv_bordered_solve(RbvBordered *bordered, double *x);

#endif
