/* Sides of the load on friction contacts: for N = sum of |w_t|, w_t affine in y, the planes d.w <= N through the origin
 * of w, one for each way in which the contact may be pressed.
 *
 * Friction holds where |f_i| <= mu_i N_i, a closed set. Where a load vanishes, the pieces {|f_i| <= mu_i d_i.w_i} of
 * all its sides meet, and the set may continue in another piece. */
#ifndef RBV_STATICS_HOLD_SIDES_H
#define RBV_STATICS_HOLD_SIDES_H

#include "statics/hold.h"

/* Most sides of a contact: one row each of numbers 1 and its sides. A pin with a collar has eighteen of these
 * directions, the largest number. */
#define RBV_MOST_SIDES 24

/* Sides of friction contact i into out[RBV_MOST_SIDES][vary + 1], each as mu times an affine function of y: all sides,
 * or those that meet at y. Returns their number, at least one. */
int32_t rbv_hold_sides(const RbvHoldProblem *hold, int32_t i, const double *y, double *out);

#endif
