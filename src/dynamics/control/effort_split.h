/* Distribution of required accelerations over actuators: efforts u of least weighted square sum within limits,
 *
 *   min sum_i w_i u_i^2   with   E u = d,   |u_i| <= most_i
 *
 * In z_i = sqrt(w_i) u_i: z0 is the solution of least norm, from orthogonalised rows; then the limits are applied. With
 * P the projection on the null space of E W^(-1/2) and p >= 0 the multipliers of the limits
 *
 *   z = z0 - P (p+ - p-),   0 <= p+ _|_ m - z >= 0,   0 <= p- _|_ m + z >= 0,   m = sqrt(w) most
 *
 * which is a linear complementarity problem. What a limit takes from one effort the others supply, as far as they
 * can. */
#ifndef RBV_DYNAMICS_CONTROL_EFFORT_SPLIT_H
#define RBV_DYNAMICS_CONTROL_EFFORT_SPLIT_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvEffortSplit {
    RbvArena arena;           /* owns all arrays */
    int32_t rows, count;      /* number of requirements, number of efforts */
    double *E, *E_size;       /* [rows][count] matrix; sums of the magnitudes that its entries were computed from */
    double *d, *d_size;       /* [rows] right-hand side; sums of the magnitudes that its entries were computed from */
    double *weight, *most;    /* [count] weights; limits, INFINITY: none */
    double *effort;           /* [count] efforts found */
    int *limited;             /* [count] -1, 1: effort at its lower or upper limit; 0: between the limits */
    double *basis;            /* scratch: [rows][count] orthonormal rows */
    double *left, *z, *m;     /* [count] */
    bool *done;               /* [rows] */
    int32_t *bounded;         /* [count] numbers of the efforts that can reach a limit */
    double *G, *b, *p, *work; /* of the complementarity problem with 2 count unknowns */
    bool *basic;
} RbvEffortSplit;

/* Allocates all arrays. False: out of memory; to be destroyed all the same. */
bool rbv_effort_split_create(RbvEffortSplit *split, int32_t rows, int32_t count);
void rbv_effort_split_destroy(RbvEffortSplit *split);
/* Finds the efforts for E, E_size, d, d_size, weight and most. Returns -1, or the number of the requirement that is
 * furthest from being met; *limits: it could be met without the limits. */
int32_t rbv_effort_split_solve(RbvEffortSplit *split, bool *limits);

#endif
