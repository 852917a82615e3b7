/* Linear complementarity problem of unilateral constraints (impulses and forces of one-sided contacts; Cottle, Pang and
 * Stone 1992):
 *
 *   w = G z + b,   w >= 0,   z >= 0,   w.z = 0,   G symmetric positive semidefinite
 */
#ifndef RBV_DYNAMICS_CONTACT_COMPLEMENTARITY_H
#define RBV_DYNAMICS_CONTACT_COMPLEMENTARITY_H

#include <stdbool.h>
#include <stdint.h>

/* Finds z[n] for G[n][n] (row-major) and b[n] by Murty's least-index method; work[n * (n + 3)] and basic[n] are
 * scratch, basic[i] afterwards: z_i may be positive. If several z solve the problem: the one of least sum weight_k
 * z_k^2, with weight in the units of G (NULL: the diagonal of G). False: no solution was found. */
bool rbv_complementarity(int32_t n, const double *G, const double *weight, const double *b, double *z, double *work,
                         bool *basic);

#endif
