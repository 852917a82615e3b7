/* Visits all expressions that a motion depends on and, on request, those that decide about events and conditions. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_MOTION_EXPRESSIONS_H
#define RBV_DYNAMICS_ACCELERATIONS_MOTION_EXPRESSIONS_H

#include "mechanics/element/configuration.h"

typedef bool RbvVisitExpression(void *context, const RbvModel *model, const RbvExpr *expr);

/* Calls visit() for each expression in the order of the model until a call returns false; expressions that are absent
 * are skipped. `decisions`: expressions of conditions and events are visited too. Returns false if a call returned
 * false. */
bool rbv_each_motion_expression(const RbvModel *model, bool decisions, RbvVisitExpression *visit, void *context);

#endif
