/* One-sided supports of an equilibrium: limits of stops, and joints that can only push or only pull.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0
 * An active set: rows of those that are held are as any others. What is passed is held, what pulls is let go, one at a
 * time, until there is neither. An equilibrium is stable if the energy rises in every motion that the pressed ones
 * allow and that does not go into those that only touch.
 */
#ifndef RBV_STATICS_SUPPORTS_H
#define RBV_STATICS_SUPPORTS_H

#include "statics/balance.h"
#include "system/contacts.h"

typedef struct RbvSupports {
    RbvBalance *balance;
    RbvContacts contacts;
    bool *active;    /* [rows] that hold in the balance's state */
    bool *there;     /* [contacts] not switched off by a condition */
    bool *held;      /* [contacts] */
    int32_t changes; /* of what is held, so far */
} RbvSupports;

/* The state looks at the supports' rows from here on; joints hold as they do there, stops do not. truth[conditions],
 * NULL: there are none. False: no memory; to be destroyed all the same, after the state. */
bool rbv_supports_create(RbvSupports *supports, RbvState *state, const bool *truth);
/* For another state of a system of the same structure: as in `like`, but held as held[contacts] says; NULL: as in
 * `like`. The balance is set by the caller. False: as above. */
bool rbv_supports_like(RbvSupports *supports, RbvState *state, const RbvSupports *like, const bool *held);
void rbv_supports_destroy(RbvSupports *supports);
/* Is there any in the model? */
bool rbv_supports_any(const RbvModel *model);

/* At the start: what is passed or touches is held. False: it cannot be brought back to where it touches. */
bool rbv_supports_begin(RbvSupports *supports, RbvBalance *balance);
/* The gap, as a share of the size, or in rad; and the push [N], scaled as multipliers are. */
double rbv_supports_gap(const RbvSupports *supports, int32_t k);
double rbv_supports_push(const RbvSupports *supports, int32_t k);
/* Of those that are there and not held, the one with the least gap; -1: there is none. */
int32_t rbv_supports_nearest(const RbvSupports *supports);
/* It is held, or let go, from the placed state on, which is then placed and on the rows. False: rows cannot be met. */
bool rbv_supports_hold(RbvSupports *supports, int32_t k, bool holds);
/* The same without a word to the balance, which is to be weighed and placed. */
void rbv_supports_take(RbvSupports *supports, int32_t k, bool holds);
/* At an equilibrium with what is held: hold one that is passed, or let one go that pulls by more than `tolerance` [N].
 * *changed: it is no equilibrium any more. False: rows cannot be met. */
bool rbv_supports_settle(RbvSupports *supports, double tolerance, bool *changed);
/* Nearer than this, as a share of the size, it touches. */
#define RBV_SUPPORT_TOUCHES 1e-9

#endif
