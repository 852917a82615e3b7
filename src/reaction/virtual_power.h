/* Virtual motions of a driven mechanism, and the power of its forces in them: how virtual power finds multipliers
 * (virtual_power_method.c), and single reactions one by one (requested.h).
 *
 * A virtual motion is a vector u of body twists [bodies.size]. Nothing is left free, so it is given by the rates D_I u
 * of the independent rows: all zero but for what is let go.
 */
#ifndef RBV_REACTION_VIRTUAL_POWER_H
#define RBV_REACTION_VIRTUAL_POWER_H

#include "reaction/method.h"

/* x = Q - (m, J) a: forces on bodies, those of inertia included, at the motion's accepted state. */
void rbv_virtual_forces(const RbvMotion *motion, const double *Q, double *x);
/* The motion of rates[rows]; those of dependent rows follow. One forward and back substitution. */
void rbv_virtual_motion(const RbvMotion *motion, const double *rates, double *u);
/* The motion at unit rate of the k-th chosen row alone, for a u that is zero: which of its columns may be other is
 * listed in moved[bodies.size], how many is returned, and the caller makes them zero again (linalg/lu.h: after
 * rbv_lu_open_units). */
int32_t rbv_virtual_motion_of(const RbvMotion *motion, int32_t k, double *u, int32_t *moved);
/* Its power u^T x. */
double rbv_virtual_power(const RbvMotion *motion, const double *u, const double *x);

#endif
