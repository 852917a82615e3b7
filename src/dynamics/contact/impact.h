/* Jumps of velocities where rows become active and contacts close, by the balance of impulses,
 *
 *   M dv + C^T L = sum_i z_i q_i
 *   C (v + dv) = nu                                    active rows, with the impulses L in the signs of lambda
 *   u+ >= -e u-,   z >= 0,   (u+ + e u-) z = 0         closed contacts (Newton's restitution e, gap rate u)
 *
 * q_i is the generalized impulse of a unit impulse that opens gap i. A contact is a unilateral constraint (a stop or a
 * one-sided joint), closed where its gap is zero. Without friction of contacts: friction that sticks is among the
 * active rows; the event loop adds the other (restitution.h, strike.h).
 *
 * rbv_impact_solve eliminates the active rows: x_i is dv for a unit impulse on gap i, G_ij the rate of gap i for x_j,
 * free_rate the gap rates u with z = 0. Then u+ = free_rate + G z is a problem of restitution.h for z.
 * rbv_impact_contacts decides afterwards, by the same problem for forces and opening accelerations, which contacts stay
 * closed.
 *
 * C is taken at the velocities after the impact where equations are not linear in them. All impulses act at once,
 * through closed chains too. Where the restitutions of several contacts together would gain energy, they are reduced by
 * a common factor. */
#ifndef RBV_DYNAMICS_CONTACT_IMPACT_H
#define RBV_DYNAMICS_CONTACT_IMPACT_H

#include "core/base/arena.h"
#include "dynamics/contact/complementarity.h"
#include "dynamics/contact/sliding.h"
#include "dynamics/contact/slipping.h"
#include "mechanics/system/contacts.h"

/* Contacts have two numbers: k, among all contacts, in `which` and `least`; and i, among the closed ones, below
 * `count`, in all other arrays [most]. Matrices of closed contacts are [count][count], row-major. */
typedef struct RbvImpact {
    RbvArena arena; /* owns all arrays */
    RbvState *state;
    RbvKeptReactions *kept_reactions;
    RbvSaddle *saddle;           /* saddle point system of the motion */
    RbvSliding *sliding;         /* friction of the motion, for the accelerations after the impact */
    RbvSlipping *slipping;       /* drives at their limits, likewise */
    const RbvContacts *contacts; /* all contacts */
    int32_t n;                   /* size of v */
    int32_t most;                /* number of all contacts */
    int32_t count;               /* number of closed contacts */
    int32_t *which;              /* [most] numbers of the closed contacts */
    double *x, *mu; /* [most][n], [most][rows] change of v and impulses of active rows for a unit impulse that opens the
                       gap; mu without the row of the contact itself */
    double *G, *b, *z, *last, *work; /* G [most^2]: gap rate of row for a unit impulse on the gap of column, diagonal
                                        where still. b, z [most], after rbv_impact_solve: gap rates without impulses
                                        plus restitution, and impulses of contacts [N s, N m s]; after
                                        rbv_impact_contacts: of the contacts in rest_list, opening accelerations without
                                        pushes, and pushes [N, N m]. Scratch: last [most], work */
    double *weight; /* [most] weights of impulses in the norm that chooses between equally valid ones: forces 1, torques
                       1 / size of the part squared, times the largest G_ii / weight, in the units of G */
    RbvCone *cone;  /* [most] scratch: acts: z may be positive */
    double *back;   /* [most] restitution times gap rate before, at most 0 */
    double *least;  /* [contacts, by k] gap rates up to this are rounding; filled by the caller */
    bool *still;    /* [most] the other active rows keep this gap as it is: no impulse moves it */
    double *away;   /* [most] gap rates after the impact */
    double *v;      /* [n] velocities before the impact */
    double *impulse;   /* [rows] impulses L [N s or N m s], with the signs of lambda; of a contact's row -sign z */
    bool engaged;      /* the velocities before the impact did not fulfil the active rows */
    double rest, slow; /* contacts that come to rest: the largest impulse that holds them there [N s, N m s], and the
                          largest gap rate that it changes */
    double *before, *free_rate;  /* [most] gap rates before the impact; with the impulses of the active rows alone */
    double *v_last;              /* [n] velocities of the pass before, where rows are not linear in velocities */
    double *bare, *pressed;      /* [most] opening accelerations without pushes; with those of the contacts at rest */
    double *speed;               /* [most] what the contact's own impulse has changed of its gap rate */
    double *part, *A, *u;        /* [most^2] G of the contacts at rest; its factors; [most] impulses that stop them */
    int32_t *rest_list, *pivot;  /* [most] numbers i of the contacts at rest; pivots of the factors */
    bool *rests;                 /* [most] true: at rest, that is, the contact does not bounce */
    double *Q, *dv, *g, *lambda; /* scratch: [n] generalized impulse of a unit push, [n] jump of v, [rows of C] its
                                    right-hand side, [rows] multipliers */
} RbvImpact;

/* Creates the impact solver for the state and the saddle point system of `sliding`; all arguments stay the caller's.
 * False: out of memory; to be destroyed all the same. */
bool rbv_impact_create(RbvImpact *impact, RbvSliding *sliding, RbvSlipping *slipping, const RbvContacts *contacts);
void rbv_impact_destroy(RbvImpact *impact);
/* Computes the velocities after the impact into the state, whose active rows are those of joints and conditions,
 * without those of contacts, and whose v are the velocities before. closed[contacts]: contacts that are closed. Sets
 * which, x, mu, G, b, z, away, v, impulse and engaged. Statuses: LOCKED (no impulses are found), NO_MEMORY. */
RbvStatus rbv_impact_solve(RbvImpact *impact, const bool *closed);
/* Computes x, mu and G of the closed contacts anew with the rows that are active now, for decisions after the impulses.
 * Statuses: LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_renew(RbvImpact *impact, const bool *closed);
/* Decides which of the closed contacts are pressed after the impact, that is, at rest with a push: pressed[count], on
 * input those pressed before. Uses z, away, G and the velocities that the impact left. A gap that other rows keep as it
 * is (still), such as those of sticking friction, keeps its value: nothing shows whether it is pressed. Contacts that
 * would return within rest_time [s] are at rest. The gap rates of those that are pressed are made zero by impulses that
 * are added to v and `impulse`. touching[count]: contacts at rest that are not pressed and do not open. z and b are
 * used anew. Statuses: LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_contacts(RbvImpact *impact, double rest_time, bool *pressed, bool *touching);

#endif
