/* The impact of one contact that rubs: Routh's and Keller's method with Newton's restitution.
 *
 * While the contact is pressed together its normal impulse p grows from 0, and friction goes with it: with the rate w
 * of the gap, the slip u, and the mobility G of both
 *   dw/dp = Gnn + Gnt.f,   du/dp = Gnt + Gtt f,   f = -mu u/|u|;   u = 0: f = -Gtt^-1 Gnt, if |f| <= static
 * until w = -e w0. Slip may end on the way, then stick, or turn. Where G couples w and u that may gain energy; it ends
 * where none has been gained.
 */
#ifndef RBV_DYNAMICS_STRIKE_H
#define RBV_DYNAMICS_STRIKE_H

#include <stdbool.h>

#define RBV_STRIKE_DIRECTIONS 3

typedef struct RbvStrike {
    int directions; /* directions of u, 1 to 3 */
    double Gnn, Gnt[RBV_STRIKE_DIRECTIONS], Gtt[RBV_STRIKE_DIRECTIONS][RBV_STRIKE_DIRECTIONS];
    double mu, hold;                                /* coefficients, of sliding and of sticking */
    double w, u[RBV_STRIKE_DIRECTIONS];             /* before, w < 0; after */
    double away;                                    /* w that is asked for after it, 0 or more */
    double normal, friction[RBV_STRIKE_DIRECTIONS]; /* impulses [N s] */
    bool sticks;                                    /* slip has ended */
} RbvStrike;

/* False: friction grows with the impulse so that it never ends (it jams), or a number is not finite. */
bool rbv_strike(RbvStrike *strike);

#endif
