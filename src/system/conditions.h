/* Conditions (active:) at a state. */
#ifndef RBV_SYSTEM_CONDITIONS_H
#define RBV_SYSTEM_CONDITIONS_H

#include "system/system.h"

/* Rows and loads of a condition hold, or do not: active[rows], acting[loads]. */
void rbv_condition_apply(const RbvSystem *system, const RbvCondition *condition, bool holds, bool *active,
                         bool *acting);
/* Which conditions are true at a placed and moved state with all measures: truth[conditions], and with `active` (may be
 * NULL) what holds then. The name of the first that is no finite number; NULL: all are. */
const char *rbv_conditions_decide(const RbvState *state, bool *active, bool *acting, bool *truth, double *work);
/* Does the row belong to what has the condition? */
bool rbv_condition_owns(const RbvCondition *condition, const RbvRow *row);
/* What engages holds where it stands, if it is to (value: here); the state is placed. */
void rbv_condition_hold_here(RbvState *state, const RbvCondition *condition);

#endif
