/* Conditions (active:) on joints, constraints, drives and loads at a state. */
#ifndef RBV_MECHANICS_SYSTEM_CONDITIONS_H
#define RBV_MECHANICS_SYSTEM_CONDITIONS_H

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

#endif
