/* Direction in which a friction contact begins to slip, of several possible directions. With b its acceleration without
 * friction, G its mobility (acceleration per unit force) and F the magnitude of friction, which acts against the slip
 * direction w:
 *
 *   b - F G w = alpha w,   |w| = 1,   alpha >= 0,   hence   w = (F G + alpha I)^-1 b
 *
 * |w| falls as alpha grows, so that there is one solution. Where G differs between directions w is neither the
 * direction of the applied force nor, where friction nearly holds, that of G times the force. While the slip velocity u
 * is small its direction stays near w: u/|u| approaches w at the rate F G/|u|. */
#ifndef RBV_DYNAMICS_CONTACT_FIRST_SLIP_H
#define RBV_DYNAMICS_CONTACT_FIRST_SLIP_H

#include <stdbool.h>

/* slip[n] = w for n <= 3 directions, b[n] and G[n][3] symmetric. False: friction can hold the contact; slip is then the
 * direction in which it is pulled. slip is left unchanged where b is zero. */
bool rbv_first_slip(int n, const double *b, const double *G, double F, double *slip);

#endif
