/* Why a motion does not go on, in the words of the model: what drives push against, and dead centres. */
#ifndef RBV_DYNAMICS_FAILURE_CAUSE_H
#define RBV_DYNAMICS_FAILURE_CAUSE_H

#include "system/system.h"

/* At the last state that is kept, placed and moved: "drive 'd' pushes into stop 'f', which does not yield", or a
 * lock-up; "" where neither is so, or no memory to find out. */
void rbv_failure_cause(RbvState *state, char *text, size_t size);

/* The first load that is not smooth in a coordinate or its rate, and by what of its expression. False: there is none.
 */
bool rbv_failure_find_jump(const RbvModel *model, const char **load, const char **why);

#endif
