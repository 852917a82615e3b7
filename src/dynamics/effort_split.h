/* Efforts of least weighted square that do what is asked of them, within limits.
 *
 *   min sum_i w_i u_i^2   with  E u = d,  |u_i| <= most_i
 * In z_i = sqrt(w_i) u_i: z0, the solution of least norm, by orthogonal rows; then the limits. With P the projection on
 * the null space of E W^(-1/2) and p >= 0 the multipliers of the limits
 *   z = z0 - P (p+ - p-),   0 <= p+ _|_ m - z >= 0,   0 <= p- _|_ m + z >= 0,   m = sqrt(w) most
 * which is a linear complementarity problem. What a limit cuts off the others take over, as far as they can.
 */
#ifndef RBV_DYNAMICS_EFFORT_SPLIT_H
#define RBV_DYNAMICS_EFFORT_SPLIT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvEffortSplit {
    RbvArena arena;        /* of all arrays */
    int32_t rows, count;   /* requirements, efforts */
    double *E, *E_size;    /* [rows][count]; the sums of magnitudes that its entries came from */
    double *d, *d_size;    /* [rows] likewise */
    double *weight, *most; /* [count]; INFINITY: no limit */
    double *effort;        /* [count] the answer */
    int *limited;          /* [count] -1, 1: at that limit; 0: within */
    /* scratch */
    double *basis;            /* [rows][count] orthonormal */
    double *left, *z, *m;     /* [count] */
    bool *done;               /* [rows] */
    int32_t *bounded;         /* [count] those that a limit could stop */
    double *G, *b, *p, *work; /* of the complementarity problem over 2 count */
    bool *basic;
} RbvEffortSplit;

/* False: no memory; to be destroyed all the same. */
bool rbv_effort_split_create(RbvEffortSplit *split, int32_t rows, int32_t count);
void rbv_effort_split_destroy(RbvEffortSplit *split);
/* The efforts for E, d and their sizes. -1, or the requirement that cannot be met; *limits: it could be without limits.
 */
int32_t rbv_effort_split_solve(RbvEffortSplit *split, bool *limits);

#endif
