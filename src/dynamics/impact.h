/* Jumps of the rates: what begins to hold, and stops that are met, by the balance of impulses M dv + C^T L = 0.
 *
 *   C (v + dv) = nu for rows that hold, C being that of the rates after it where equations are not linear in them;
 *     for one-sided rows that are closed: u+ >= -e u-, L >= 0, (u+ + e u-) L = 0   (Newton's restitution; u the rate of
 *     the gap)
 * All at once, through closed chains too. Where restitutions of different ones together would gain energy they are made
 * smaller by a common factor.
 */
#ifndef RBV_DYNAMICS_IMPACT_H
#define RBV_DYNAMICS_IMPACT_H

#include "dynamics/flow.h"
#include "system/contacts.h"

typedef struct RbvImpact {
    RbvFlow *flow;
    const RbvContacts *contacts;
    int32_t most;                    /* contacts */
    int32_t count;                   /* of closed ones */
    int32_t *which;                  /* [most] closed contacts */
    double *x, *mu;                  /* [most][n], [most][rows] what a unit of pushing away does */
    double *G, *b, *z, *last, *work; /* [most^2], [most], [most], [most], [most (most + 3)] */
    double *weight;  /* [most] of pushes in the norm that chooses between equally right ones: forces 1, torques over the
                        size squared */
    bool *basic;     /* [most] */
    double *least;   /* [contacts] rates of gaps up to this are rounding; the caller's to fill */
    bool *still;     /* [most] the other rows that hold keep this gap as it is: nothing moves it */
    double *away;    /* [most] rates after the impact */
    double *v;       /* [n] */
    double *impulse; /* [rows] L, with the signs of lambda */
    bool engaged;    /* rows held after it that did not hold before */
    double rest, slow; /* of contacts that came to rest: the largest impulse that held them there [N s, N m s], and the
                          largest rate that it changed */
} RbvImpact;

/* The contacts stay the caller's. False: no memory; to be destroyed all the same. */
bool rbv_impact_create(RbvImpact *impact, RbvFlow *flow, const RbvContacts *contacts);
void rbv_impact_destroy(RbvImpact *impact);
/* Rates after it in the flow's state, whose held rows are those of joints and conditions; no contact holds.
 * closed[contacts]: those that are reached. LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_solve(RbvImpact *impact, const bool *closed);
/* The same contacts' answers with the rows that hold now, for what is decided after the impulses. LOCKED, NO_MEMORY. */
RbvStatus rbv_impact_renew(RbvImpact *impact, const bool *closed);
/* Which of the closed contacts are pressed upon from now on: held[count]; given are those that were. A gap that other
 * rows keep as it is, such as friction that sticks, stays with what it was: nothing tells whether it is pressed. Those
 * that go away would be back within rest_time [s] count as resting, and their rates are made zero. touching[count]:
 * those that rest without being pressed and do not go away either. */
RbvStatus rbv_impact_contacts(RbvImpact *impact, double rest_time, bool *held, bool *touching);

#endif
