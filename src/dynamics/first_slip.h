/* The way in which faces begin to slide in several directions. With b their acceleration without friction, G their
 * mobility and F the size of friction, which acts against the way w:
 *
 *   b - F G w = alpha w,   |w| = 1,   alpha >= 0,   hence   w = (F G + alpha I)^-1 b
 * |w| falls as alpha grows, so that there is one. Where G differs between directions this is neither the way of the
 * pull nor, where friction nearly holds, that of G times it. As long as the faces are slow their way stays near to it:
 * u/|u| comes to it with the rate F G/|u|.
 */
#ifndef RBV_DYNAMICS_FIRST_SLIP_H
#define RBV_DYNAMICS_FIRST_SLIP_H

#include <stdbool.h>

/* w of n <= 3 directions for b[n], G[n][3] symmetric. False: friction could hold them; then the way that it is pulled.
 * way is left as it is where b is zero. */
bool rbv_first_slip(int n, const double *b, const double *G, double F, double *slip);

#endif
