/* An impact of several contacts and friction contacts, all at one instant: their impulses p = (z, f) at the end of it
 * (Moreau 1988).
 *
 *   w = w0 + A p:   away_i = rates of gaps, u_k = slips of faces
 *   z_i >= 0, away_i + part e_i before_i >= 0, the product 0 (Newton);   |f_k| <= mu_k N_k(p), and f_k = -mu_k N_k
 *     u_k/|u_k| where u_k is not 0
 * Friction goes by the slip after the impact, so it takes as much as it can; with part 0 no energy is gained, since p.w
 * <= 0 and p.A p >= 0. `part` is the largest common part of the restitutions, up to 1, with which none is. Faces that
 * stuck before hold up to `static`; one that slips all the same has mu. Solved by projection, contact by contact and
 * face by face (Gauss-Seidel), until nothing changes.
 */
#ifndef RBV_DYNAMICS_FRICTION_IMPACT_H
#define RBV_DYNAMICS_FRICTION_IMPACT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvFrictionImpact {
    int32_t contacts, frictions, size; /* unknowns: contacts first, then the ways of faces */
    const int32_t *first, *directions; /* [friction contacts] */
    const double *A, *w0;              /* [size][size] symmetric; [size] */
    const bool *still;                 /* [contacts] the other rows keep this gap: it takes no part */
    const double *back;                /* [contacts] e times the rate of approach, not above 0 */
    const double *hold, *mu;           /* [friction contacts] coefficients: while it sticks; while it slides */
    double (*load)(const void *context, int32_t friction, const double *p); /* N_k */
    const void *context;
    double *p, *w;         /* [size] p: the start, and the answer */
    bool *sticks;          /* [friction contacts] no slip is left */
    bool unique, shared;   /* another start has led to the same rates; to other impulses of contacts */
    double *limit, *other; /* [friction contacts], [2 size]: scratch */
} RbvFrictionImpact;

/* False: no impulses are found. */
bool rbv_friction_impact(RbvFrictionImpact *impact);

#endif
