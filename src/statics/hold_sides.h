/* The sides of a load on faces: of N = sum of |w_t|, w_t affine in y, the planes d.w <= N through the origin of w, one
 * for each way that the faces may be pressed.
 *
 * Friction holds where |f_i| <= mu_i N_i, closed: where a load vanishes the pieces {|f_i| <= mu_i d_i.w_i} of all its
 * sides meet, and what holds may go on in another piece than it came from.
 */
#ifndef RBV_STATICS_HOLD_SIDES_H
#define RBV_STATICS_HOLD_SIDES_H

#include "statics/hold.h"

/* One row each of numbers 1 and its sides: a pin with a collar has eighteen of these directions, the most. */
#define RBV_MOST_SIDES 24

/* The sides of friction number i into out[RBV_MOST_SIDES][vary + 1], mu times each as affine numbers of y: all of them,
 * or those that meet at y. How many, at least one. */
int32_t rbv_hold_sides(const RbvHoldProblem *hold, int32_t i, const double *y, double *out);

#endif
