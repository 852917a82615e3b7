/* Impact of several contacts and friction contacts at one instant, with the impulses p = (z, f) at its end (Moreau
 * 1988):
 *
 *   w = w0 + A p:   away_i gap rates of contacts, u_k slip velocities of friction contacts
 *   z_i >= 0,   away_i + part e_i before_i >= 0,   their product 0   (Newton's restitution e)
 *   |f_k| <= mu_k N_k(p),   f_k = -mu_k N_k u_k/|u_k| where u_k is not 0
 *
 * Friction acts against the slip after the impact, so it dissipates as much as it can; with part = 0 no energy is
 * gained, since p.w <= 0 and p.A p >= 0. `part` is the largest common factor of the restitutions, up to 1, for which no
 * energy is gained. Friction contacts that stuck before hold up to the coefficient `hold` (static); one that slips all
 * the same has mu. Solved by projection, one contact and one friction contact after the other (Gauss-Seidel), until
 * nothing changes. */
#ifndef RBV_DYNAMICS_CONTACT_FRICTION_IMPACT_H
#define RBV_DYNAMICS_CONTACT_FRICTION_IMPACT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvFrictionImpact {
    int32_t contacts, frictions, size; /* size: unknowns, contacts first, then the directions of friction contacts */
    const int32_t *first, *directions; /* [friction contacts] first unknown; number of directions */
    const double *A, *w0;              /* [size][size] symmetric; [size] rates w before the impulses */
    const bool *still;                 /* [contacts] the other rows keep this gap as it is: it takes no part */
    const double *back;                /* [contacts] e times the gap rate before, at most 0 */
    const double *hold, *mu;           /* [friction contacts] friction coefficients: while sticking; while sliding */
    double (*load)(const void *context, int32_t friction, const double *p); /* normal load N_k */
    const void *context;
    double *p, *w;       /* [size] p: initial value, then the impulses found; w: rates after the impact */
    bool *sticks;        /* [friction contacts] no slip velocity is left */
    bool unique, shared; /* unique: all other initial values lead to the same rates; shared: one leads to other impulses
                            of contacts */
    double *limit, *other; /* [friction contacts], [2 size]: scratch */
} RbvFrictionImpact;

/* Finds p and w. False: no impulses are found. */
bool rbv_friction_impact(RbvFrictionImpact *impact);

/* ---- one contact struck alone, by Routh's process (friction_impact.c) ---- */

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
