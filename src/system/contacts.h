/* One-sided rows: limits of stops, and joints that can only push or only pull (unilateral:).
 *
 *   gap g = sign Phi >= 0,   push p = -sign lambda >= 0,   g p = 0
 * Phi is a measure or, of a stop on a named expression f of measures m, f(m) - limit, with g' = sign f_m m' and g'' =
 * sign (f_m m'' + m'^T f_mm m'). What a row measures is there whether it holds or not: rows that do not hold are zero
 * in C.
 */
#ifndef RBV_SYSTEM_CONTACTS_H
#define RBV_SYSTEM_CONTACTS_H

#include "system/system.h"

typedef struct RbvContact {
    const char *name; /* the model's */
    int32_t row;
    double sign;
    double restitution;  /* of the rate of approach (Newton) */
    int32_t stop, joint; /* what it belongs to; -1: not to one */
} RbvContact;

typedef struct RbvContacts {
    RbvContact *items;
    int32_t count;
} RbvContacts;

/* False: no memory; to be destroyed all the same. */
bool rbv_contacts_create(RbvContacts *contacts, const RbvSystem *system);
void rbv_contacts_destroy(RbvContacts *contacts);

/* At a placed state g; and, moved, g' and what of g'' does not depend on accelerations. */
double rbv_contacts_gap(const RbvContact *contact, const RbvState *state);
double rbv_contacts_rate(const RbvContact *contact, const RbvState *state);
double rbv_contacts_bias(const RbvContact *contact, const RbvState *state);
/* The rate of the gap for given twists of bodies; and a push of 1, added to wrenches. */
double rbv_contacts_along(const RbvContact *contact, const RbvState *state, const RbvTwist *twists);
void rbv_contacts_push(const RbvContact *contact, const RbvState *state, RbvWrench *wrenches);
/* [m, rad or the row's unit] What counts as the size of what a row measures: 1 rad, or the size of its part; of a stop
 * on an expression f what f changes by when one of its coordinates changes by so much. Measures are placed. */
double rbv_state_row_scale(const RbvState *state, int32_t row);
/* The same of the expression f of any row: what f changes by. */
double rbv_state_equation_scale(const RbvState *state, int32_t row);
/* The push lambda of its row as a force that can be compared with others: on an expression, the largest on one of its
 * coordinates. */
double rbv_contacts_force(const RbvContact *contact, const RbvState *state, double lambda);
/* The joint's other rows, which hold while it touches: rolling. */
void rbv_contacts_hold_rest(const RbvContact *contact, const RbvSystem *system, bool holds, bool *active);

#endif
