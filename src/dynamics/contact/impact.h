/* Jumps of velocities where rows become active and contacts close, by the balance of impulses,
 *
 *   M dv + C^T L = 0
 *   C (v + dv) = nu                                    active rows
 *   u+ >= -e u-,   L >= 0,   (u+ + e u-) L = 0         closed contacts (Newton's restitution e, gap rate u)
 *
 * C is taken at the velocities after the impact where equations are not linear in them. All impulses act at once,
 * through closed chains too. Where the restitutions of several contacts together would gain energy, they are reduced by
 * a common factor. */
#ifndef RBV_DYNAMICS_CONTACT_IMPACT_H
#define RBV_DYNAMICS_CONTACT_IMPACT_H

#include "core/base/arena.h"
#include "dynamics/contact/sliding.h"
#include "dynamics/contact/slipping.h"
#include "mechanics/system/contacts.h"

typedef struct RbvImpact {
    RbvArena arena; /* owns all arrays */
    RbvState *state;
    RbvKeptReactions *kept_reactions;
    RbvSaddle *saddle; /* saddle point system of the motion */
    RbvSliding *sliding;
    RbvSlipping *slipping;
    const RbvContacts *contacts;
    int32_t n;      /* size of v */
    int32_t most;   /* number of all contacts */
    int32_t count;  /* number of closed contacts */
    int32_t *which; /* [most] numbers of the closed contacts */
    double *x, *mu; /* [most][n], [most][rows] change of v and impulses of rows for a unit impulse that opens the gap */
    double *G, *b, *z, *last, *work; /* G [most^2] gap rates for unit impulses, b [most], z [most] impulses, last
                                        [most], work [most (most + 3)] */
    double *weight; /* [most] weights of impulses in the norm that chooses between equally valid ones: forces 1, torques
                       over the size squared */
    bool *basic;    /* [most] scratch: z may be positive */
    double *least;  /* [contacts] gap rates up to this are rounding; filled by the caller */
    bool *still;    /* [most] the other active rows keep this gap as it is: no impulse moves it */
    double *away;   /* [most] gap rates after the impact */
    double *v;      /* [n] velocities before the impact */
    double *impulse;   /* [rows] impulses L [N s or N m s], with the signs of lambda */
    bool engaged;      /* the velocities before the impact did not fulfil the active rows */
    double rest, slow; /* contacts that come to rest: the largest impulse that holds them there [N s, N m s], and the
                          largest gap rate that it changes */
    double *before, *free_rate;  /* [most] gap rates before the impact; those that the active rows leave */
    double *v_last;              /* [n] velocities of the pass before */
    double *bare, *pressed;      /* [most] opening accelerations without pushes; with those of the contacts at rest */
    double *speed;               /* [most] what the impact has changed of gap rates */
    double *part, *A, *u;        /* [most^2] G of the contacts at rest; its factors; [most] their impulses */
    int32_t *rest_list, *pivot;  /* [most] numbers of the contacts at rest; of the factors */
    bool *rests;                 /* [most] true: at rest */
    double *Q, *dv, *g, *lambda; /* scratch: [n] generalized impulse of a unit push, [n] jump of v, [rows of C] its
                                    right-hand side, [rows] multipliers */
} RbvImpact;

/* Creates the impact solver for the motion that friction `sliding` answers to; all arguments stay the caller's. False:
 * out of memory; to be destroyed all the same. */
bool rbv_impact_create(RbvImpact *impact, RbvSliding *sliding, RbvSlipping *slipping, const RbvContacts *contacts);
void rbv_impact_destroy(RbvImpact *impact);
/* Computes the velocities after the impact into the state, whose active rows are those of joints and conditions,
 * without those of contacts. closed[contacts]: contacts that are closed. Statuses: LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_solve(RbvImpact *impact, const bool *closed);
/* Computes x, mu and G of the closed contacts anew with the rows that are active now, for decisions after the impulses.
 * Statuses: LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_renew(RbvImpact *impact, const bool *closed);
/* Decides which of the closed contacts are pressed after the impact: held[count], on input those pressed before. A gap
 * that other rows keep as it is, such as those of sticking friction, keeps its value: nothing shows whether it is
 * pressed. Contacts that would return within rest_time [s] are at rest, and their gap rates are made zero.
 * touching[count]: contacts at rest that are not pressed and do not open. Statuses: LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_contacts(RbvImpact *impact, double rest_time, bool *pressed, bool *touching);

#endif
