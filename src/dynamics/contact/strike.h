/* Impact at a single friction contact: Routh's and Keller's method with Newton's restitution.
 *
 * While the bodies are pressed together the normal impulse p grows from 0 and friction acts with it. With the gap
 * velocity w, the slip velocity u, and the mobility G of both:
 *
 *   dw/dp = Gnn + Gnt.f,   du/dp = Gnt + Gtt f,   f = -mu u/|u|;   u = 0: f = -Gtt^-1 Gnt, if |f| <= static
 *
 * until w = -e w0. Slip may stop in between, then stick or reverse. Where G couples w and u this could gain energy; the
 * impact is ended where no energy has been gained. */
#ifndef RBV_DYNAMICS_CONTACT_STRIKE_H
#define RBV_DYNAMICS_CONTACT_STRIKE_H

#include <stdbool.h>

#define RBV_STRIKE_DIRECTIONS 3

typedef struct RbvStrike {
    int directions; /* number of slip directions of u, 1 to 3 */
    double Gnn, Gnt[RBV_STRIKE_DIRECTIONS], Gtt[RBV_STRIKE_DIRECTIONS][RBV_STRIKE_DIRECTIONS];
    double mu, hold;                    /* friction coefficients of sliding and of sticking */
    double w, u[RBV_STRIKE_DIRECTIONS]; /* [m/s] on entry: velocities before the impact, w < 0; on return: after it */
    double away;                        /* w required after the impact, 0 or more [m/s] */
    double normal, friction[RBV_STRIKE_DIRECTIONS]; /* impulses [N s] */
    bool sticks;                                    /* true: slip has ended */
} RbvStrike;

/* Returns false if friction grows with the impulse so that the impact never ends (jams), or a number is not finite. */
bool rbv_strike(RbvStrike *strike);

#endif
