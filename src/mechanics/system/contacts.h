/* Unilateral constraints: limits of stops, and one-sided joints, which can only push or only pull (unilateral:).
 *
 *   gap g = sign Phi >= 0,   contact force p = -sign lambda >= 0,   g p = 0
 * Phi is a measure or, for a stop on a named expression f of measures m, f(m) - limit, with g' = sign f_m m' and g'' =
 * sign (f_m m'' + m'^T f_mm m'). Gap and rates are available whether the row is active or not; rows that are not active
 * are zero in C. */
#ifndef RBV_MECHANICS_SYSTEM_CONTACTS_H
#define RBV_MECHANICS_SYSTEM_CONTACTS_H

#include "mechanics/system/system.h"

/* Sets active[rows] or acting[loads] of the item of a condition to `holds`. */
void rbv_condition_apply(const RbvSystem *system, const RbvCondition *condition, bool holds, bool *active,
                         bool *acting);
/* Evaluates all conditions at a state with evaluated positions, velocities and measures: truth[conditions], and with
 * `active` (may be NULL) also active[rows] and acting[loads]. Returns the name of the first condition that is not
 * finite; NULL: all are finite. */
const char *rbv_conditions_decide(const RbvState *state, bool *active, bool *acting, bool *truth, double *work);
/* True if the row belongs to the item of the condition. */
bool rbv_condition_owns(const RbvCondition *condition, const RbvRow *row);
/* For an item that engages at its present position (value: here): makes Phi = 0 there by row_turn. Evaluates the
 * positions. */
void rbv_condition_hold_here(RbvState *state, const RbvCondition *condition);

typedef struct RbvContact {
    const char *name; /* name in the model */
    int32_t row;
    double sign;
    double restitution;  /* coefficient of restitution for the approach rate (Newton) */
    int32_t stop, joint; /* the stop or the joint it belongs to; -1: none */
} RbvContact;

typedef struct RbvContacts {
    RbvContact *items;
    int32_t count;
} RbvContacts;

/* Lists the unilateral constraints of a system. False if out of memory; to be destroyed in any case. */
bool rbv_contacts_create(RbvContacts *contacts, const RbvSystem *system);
void rbv_contacts_destroy(RbvContacts *contacts);

/* Gap g at evaluated positions; its rate g' at evaluated velocities; the part of g'' that does not depend on
 * accelerations. */
double rbv_contacts_gap(const RbvContact *contact, const RbvState *state);
double rbv_contacts_rate(const RbvContact *contact, const RbvState *state);
double rbv_contacts_bias(const RbvContact *contact, const RbvState *state);
/* Rate of the gap for twists[bodies]; and a unit contact force, added to wrenches[bodies]. */
double rbv_contacts_along(const RbvContact *contact, const RbvState *state, const RbvTwist *twists);
void rbv_contacts_push(const RbvContact *contact, const RbvState *state, RbvWrench *wrenches);
/* [m, rad or the row's unit] Scale of what a row measures: 1 rad, or the size of its part; for a stop on an expression
 * f, the largest change of f when one of its coordinates changes by that scale. At evaluated measures. */
double rbv_state_row_scale(const RbvState *state, int32_t row);
/* The largest change of the expression f of any row when one of its coordinates changes by its scale (1 rad, or the
 * size of the part). */
double rbv_state_equation_scale(const RbvState *state, int32_t row);
/* The multiplier lambda of the row as a comparable force; for an expression, the largest force on one of its
 * coordinates. */
double rbv_contacts_force(const RbvContact *contact, const RbvState *state, double lambda);
/* Sets active[rows] of the joint's other rows, which act while the contact is closed (rolling). */
void rbv_contacts_hold_rest(const RbvContact *contact, const RbvSystem *system, bool holds, bool *active);

#endif
