/* Directions in which several quadratic forms vanish at once: w^T T_j w = 0 for all j < p, |w| = 1.
 *
 * Where constraints lose rank, these are the directions of the branches that meet there: the motions that constraints
 * allow to second order.
 */
#ifndef RBV_CORE_SOLVE_QUADRICS_H
#define RBV_CORE_SOLVE_QUADRICS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvQuadrics {
    int32_t p, d;
    double *T;    /* [p][d][d] symmetric and orthonormal after rbv_quadrics_create */
    double *work; /* scratch */
} RbvQuadrics;

/* Take over T[p][d][d], any matrices, which rbv_quadrics_destroy frees: symmetric parts, and an orthonormal basis of
 * their span, without parts smaller than `least`. False: no memory; to be destroyed in both cases. */
bool rbv_quadrics_create(RbvQuadrics *quadrics, int32_t p, int32_t d, double *T, double least);
void rbv_quadrics_destroy(RbvQuadrics *quadrics);
/* From w[d] to a common zero near by (Gauss and Newton on the unit sphere). False: none is reached. */
bool rbv_quadrics_descend(const RbvQuadrics *quadrics, double *w);

/* Orthonormal rows that span the rows of A[m][n], up to parts smaller than `least`; in place, the first rows of A.
 * Returns their number. */
int32_t rbv_span(int32_t m, int32_t n, double *A, double least);

#endif
