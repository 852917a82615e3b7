/* w = G z + b, w >= 0, z >= 0, w.z = 0, for symmetric positive semidefinite G: impulses and forces of one-sided
 * contacts (Cottle, Pang and Stone 1992). */
#ifndef RBV_DYNAMICS_COMPLEMENTARITY_H
#define RBV_DYNAMICS_COMPLEMENTARITY_H

#include <stdbool.h>
#include <stdint.h>

/* z[n] for G[n][n] row-major and b[n]; work[n * (n + 3)], basic[n] scratch. Of equally right z that of least sum
 * weight_k z_k^2, in the units of G (NULL: its diagonal). Murty's method of least index. False: none is found. */
bool rbv_complementarity(int32_t n, const double *G, const double *weight, const double *b, double *z, double *work,
                         bool *basic);

#endif
