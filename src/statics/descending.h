/* The step of virtual power along which the energy falls: dz = |T|^-1 Psi, T = -dPsi/dz symmetric where loads have an
 * energy. */
#ifndef RBV_STATICS_DESCENDING_H
#define RBV_STATICS_DESCENDING_H

#include <stdbool.h>
#include <stdint.h>

/* dz[f] for Psi[f]. T[f][f] is spoilt, value[f]: its eigenvalues, ascending. Those below the part `least` of the
 * largest, which is no less than that part of kappa [N/m], count as that much. False: no eigenvalues. */
bool rbv_descending_step(int32_t f, double *T, const double *psi, double least, double kappa, double *value,
                         double *dz);
/* dz[f] with T dz = psi, singular values of T below `least` times the largest counting as that much. T is lost. False:
 * no singular values. */
bool rbv_regular_step(int32_t f, double *T, const double *psi, double least, double *dz);

#endif
