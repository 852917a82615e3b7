/* Step of the method of virtual power along which the energy decreases: dz = |T|^-1 Psi, with T = -dPsi/dz, which is
 * symmetric where the loads have an energy. */
#ifndef RBV_STATICS_DESCENDING_H
#define RBV_STATICS_DESCENDING_H

#include <stdbool.h>
#include <stdint.h>

/* dz[f] for psi[f]. T[f][f] is overwritten; value[f] gets its eigenvalues, ascending. Eigenvalues smaller than `least`
 * times the largest count as that bound; the largest is taken no less than `least` kappa [N/m]. False: the eigenvalues
 * were not found. */
bool rbv_descending_step(int32_t f, double *T, const double *psi, double least, double kappa, double *value,
                         double *dz);
/* dz[f] with T dz = psi; singular values of T below `least` times the largest count as that bound. T is overwritten.
 * False: the singular values were not found. */
bool rbv_regular_step(int32_t f, double *T, const double *psi, double least, double *dz);

#endif
