/* Law of impacts at one instant: contacts (gap >= 0, impulse z [N s or N m s] that opens the gap) and friction contacts
 * (impulses f [N s] along slip directions, slip velocities u [m/s]) all at once. The impulses p = (z, f) at the end of
 * the impact fulfil (Moreau 1988)
 *
 *   w = w0 + A p:   away_i gap rates of contacts, u_k slip velocities of friction contacts
 *   z_i >= 0,   away_i + part e_i before_i >= 0,   their product 0   (Newton's restitution e)
 *   |f_k| <= mu_k N_k(p),   f_k = -mu_k N_k u_k/|u_k| where u_k is not 0
 *
 * before_i is the gap rate before the impact where it is negative, else 0; back_i = e_i before_i. N_k(p) is the normal
 * impulse [N s] that presses friction contact k.
 *
 * Friction acts against the slip after the impact, so it dissipates as much as it can; with part = 0 no energy is
 * gained, since p.w <= 0 and p.A p >= 0. `part` is the largest common factor of the restitutions, up to 1, for which no
 * energy is gained. Friction contacts that stuck before hold up to the coefficient `hold` (static); one that slips all
 * the same has mu. Each problem is one of complementarity.h. */
#ifndef RBV_DYNAMICS_CONTACT_RESTITUTION_H
#define RBV_DYNAMICS_CONTACT_RESTITUTION_H

#include "dynamics/contact/complementarity.h"

typedef struct RbvRestitution {
    int32_t contacts, frictions, size; /* size: unknowns, contacts first, then the directions of friction contacts */
    const int32_t *first, *directions; /* [friction contacts] first unknown; number of directions, 1 to 3 */
    const double *A, *w0;    /* [size][size] symmetric: rate of row for a unit impulse of column, with all other
                                rows of the system acting; [size] rates w without the impulses p */
    const double *weight;    /* [size] as of RbvComplementarity; may be NULL */
    const bool *still;       /* [contacts] the other rows keep this gap as it is: it takes no part */
    const double *back;      /* [contacts] e times the gap rate before, at most 0 */
    const double *hold, *mu; /* [friction contacts] friction coefficients: while sticking, mu for those that
                                slid before; while sliding */
    /* Normal impulse N_k(p) [N s] of friction contact k and its gradient slope[size]. */
    double (*load)(const void *context, int32_t friction, const double *p, double *slope);
    const void *context;
    double *p, *w;       /* [size] p: the impulses found; w: rates after the impact */
    bool *sticks;        /* [friction contacts] no slip velocity is left */
    bool unique, shared; /* set by rbv_restitution_compare */
    double *b;           /* [size] on return: w0 + part back of contacts, 0 where still; w0 of slip directions */
    RbvCone *cone;       /* [contacts + friction contacts] on return: members of the problem */
    double *work;        /* [RBV_COMPLEMENTARITY_WORK(size)] workspace */
    double *other;       /* [2 size] workspace of rbv_restitution_compare */
} RbvRestitution;

/* Finds p and w, and sticks; of several impulses those of least norm. False: no impulses are found. */
bool rbv_restitution_solve(RbvRestitution *impact);
/* To be called after it: solves from other initial values, and sets unique: all lead to the same rates (false also if
 * one leads to none); shared: one leads to other impulses of contacts. Keeps p, w and sticks. */
void rbv_restitution_compare(RbvRestitution *impact);

#endif
