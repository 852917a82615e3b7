/* x of least norm with A x = b for fewer equations than unknowns: A = L Q by reflections (a complete orthogonal
 * decomposition of rows), rows pivoted, in the caller's memory.
 */
#ifndef RBV_CORE_SOLVE_ORTHOGONAL_H
#define RBV_CORE_SOLVE_ORTHOGONAL_H

#include <stdint.h>

/* A row whose part outside the span of the rows before is below this part of the largest row is dependent. */
#define RBV_DEPENDENT_ROW 1e-12

/* A[m][n] row-major becomes its factors; order[m], unknown[n], tau[m]. Returns the number of independent rows; -1: a
 * number is not finite. */
int32_t rbv_orthogonal_factor(int32_t m, int32_t n, double *A, int32_t *order, int32_t *unknown, double *tau);
/* x[n] for b[m] by the independent rows; b and x may not overlap; work[n]. */
void rbv_orthogonal_solve(int32_t n, int32_t rank, const double *A, const int32_t *order, const int32_t *unknown,
                          const double *tau, const double *b, double *work, double *x);

#endif
