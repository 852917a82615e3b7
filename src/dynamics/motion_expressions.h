/* All expressions that a motion depends on, and, asked for, those that decide what happens on its way. */
#ifndef RBV_DYNAMICS_MOTION_EXPRESSIONS_H
#define RBV_DYNAMICS_MOTION_EXPRESSIONS_H

#include "element/configuration.h"

typedef bool RbvVisitExpression(void *context, const RbvModel *model, const RbvExpr *expr);

/* visit() each in the order of the model, until it returns false; expressions that are not there are left out.
 * `decisions`: conditions and events, too. False: a visit returned false. */
bool rbv_each_motion_expression(const RbvModel *model, bool decisions, RbvVisitExpression *visit, void *context);

#endif
