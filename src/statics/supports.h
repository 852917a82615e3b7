/* One-sided supports of an equilibrium: limits of stops, and joints that can only push or only pull.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0
 * Active-set method: rows of closed supports act as any other rows. A violated support is closed, a pulling one is
 * opened, one at a time, until there is neither. An equilibrium is stable if the energy increases in every motion that
 * the supports with force allow and that does not enter supports which touch without force. */
#ifndef RBV_STATICS_SUPPORTS_H
#define RBV_STATICS_SUPPORTS_H

#include "mechanics/system/contacts.h"
#include "statics/balance.h"

typedef struct RbvSupports {
    RbvBalance *balance;
    RbvContacts contacts;
    bool *active;    /* [rows] active rows of the balance's state; owns the memory of enabled and closed, too */
    bool *enabled;   /* [contacts] not switched off by a condition */
    bool *closed;    /* [contacts] closed */
    int32_t changes; /* number of changes of closed supports so far */
} RbvSupports;

/* Supports of a state, whose set of active rows is supports->active from now on: joints are active as in the state,
 * stops are not. truth[conditions]; NULL: no conditions. False if out of memory. Free with rbv_supports_destroy in all
 * cases, after the state. */
bool rbv_supports_create(RbvSupports *supports, RbvState *state, const bool *truth);
/* Supports for another state of a system of the same structure: as in `like`, but closed as in closed[contacts]; NULL:
 * as in `like`. The caller sets the balance. False if out of memory; free in all cases, as above. */
bool rbv_supports_copy(RbvSupports *supports, RbvState *state, const RbvSupports *like, const bool *closed);
void rbv_supports_destroy(RbvSupports *supports);
/* True if the model has one-sided supports. */
bool rbv_supports_any(const RbvModel *model);

/* At the start: closes supports that are violated or touch. False: the state cannot be brought to where they touch. */
bool rbv_supports_begin(RbvSupports *supports, RbvBalance *balance);
/* Gap of contact k, over the size of its part, or in rad; push of contact k [N], scaled as multipliers are. */
double rbv_supports_gap(const RbvSupports *supports, int32_t k);
double rbv_supports_push(const RbvSupports *supports, int32_t k);
/* The support with the least gap among those that are open and not switched off; -1: none. */
int32_t rbv_supports_nearest(const RbvSupports *supports);
/* Closes or opens support k from the evaluated state, which is then evaluated again with the rows satisfied. False: the
 * rows cannot be satisfied. */
bool rbv_supports_switch(RbvSupports *supports, int32_t k, bool holds);
/* As rbv_supports_switch, but the caller has to call rbv_balance_weigh and rbv_balance_evaluate. */
void rbv_supports_set(RbvSupports *supports, int32_t k, bool holds);
/* At an equilibrium with the closed supports: closes one that is violated, or opens one that pulls by more than
 * `tolerance` [N]. *changed: the state is no equilibrium any more. False: the rows cannot be satisfied. */
bool rbv_supports_settle(RbvSupports *supports, double tolerance, bool *changed);

#endif
