/* Virtual motions of a driven mechanism and the power of its forces in them: virtual power gives all multipliers
 * (virtual_power_method.c), or single reactions (requested.h).
 *
 * A virtual motion is a vector u of body twists [bodies.size]. No freedom is left, so u is determined by the rates
 * D_I u of the independent rows: all zero except for the row that is varied. */
#ifndef RBV_SOLUTION_REACTION_VIRTUAL_POWER_H
#define RBV_SOLUTION_REACTION_VIRTUAL_POWER_H

#include "solution/reaction/method.h"

/* x[bodies.size] = Q - (m, J) a: forces on bodies, inertia included, at the motion's accepted state. */
void rbv_virtual_forces(const RbvMotion *motion, const double *Q, double *x);
/* Virtual motion u[bodies.size] for rates[rows] of the chosen rows; those of dependent rows follow. One forward and
 * back substitution. */
void rbv_virtual_motion(const RbvMotion *motion, const double *rates, double *u);
/* Virtual motion at unit rate of the k-th chosen row alone; u[bodies.size] is zero on entry. Lists the columns of u
 * that may be nonzero in moved[bodies.size] and returns their number; the caller sets them to zero again
 * (core/linalg/lu.h: after rbv_lu_open_units). */
int32_t rbv_virtual_motion_of(const RbvMotion *motion, int32_t k, double *u, int32_t *moved);
/* Power u^T x. */
double rbv_virtual_power(const RbvMotion *motion, const double *u, const double *x);

#endif
