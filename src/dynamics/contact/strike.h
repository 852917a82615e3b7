/* Impact at one friction contact that is struck alone, by Routh's process: the normal impulse grows, and friction with
 * it; its equations are in strike.c. */
#ifndef RBV_DYNAMICS_CONTACT_STRIKE_H
#define RBV_DYNAMICS_CONTACT_STRIKE_H

#include <stdbool.h>

#define RBV_STRIKE_DIRECTIONS 3

typedef struct RbvStrike {
    int directions; /* number of slip directions of u, 1 to 3 */
    /* Mobilities [1/kg]: gap rate for a unit normal impulse; slip velocity for it, and by symmetry gap rate for unit
     * friction impulses; slip velocity of row for a unit friction impulse of column. */
    double Gnn, Gnt[RBV_STRIKE_DIRECTIONS], Gtt[RBV_STRIKE_DIRECTIONS][RBV_STRIKE_DIRECTIONS];
    double mu, hold;                    /* friction coefficients of sliding and of sticking */
    double w, u[RBV_STRIKE_DIRECTIONS]; /* [m/s] gap rate and slip velocity; on entry: without the impulses of this
                                           contact, w < 0; on return: after the impact */
    double away;                        /* w required after the impact, 0 or more [m/s] */
    double normal, friction[RBV_STRIKE_DIRECTIONS]; /* [N s] impulses found: one that opens the gap, 0 or more; those
                                                       along the slip directions, with the signs of u */
    bool sticks;                                    /* on return: slip has ended */
} RbvStrike;

/* Finds normal, friction and sticks, and w and u after the impact. False: friction grows with the impulse so that the
 * impact never ends (jams), or a number is not finite. */
bool rbv_strike(RbvStrike *strike);

#endif
