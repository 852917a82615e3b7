/* Cause for which a motion cannot continue, in terms of the model: drives that push into stops, lock-ups (dead centres,
 * ends of the reach). */
#ifndef RBV_DYNAMICS_INTEGRATION_FAILURE_CAUSE_H
#define RBV_DYNAMICS_INTEGRATION_FAILURE_CAUSE_H

#include "mechanics/system/system.h"

/* Writes to text[size] such as "f.angle moves no mass (body 'bob' has no inertia)", at a state whose positions are
 * evaluated. In large models only the first body without mass or inertia is named. Writes "" where no such motion
 * exists. */
void rbv_massless_explain(RbvState *state, char *text, size_t size);

/* Writes the cause at the last accepted state, whose positions and velocities are evaluated: "drive 'd' pushes into
 * stop 'f' (its max), which does not yield", or a lock-up; "" if neither is found, or out of memory. */
void rbv_failure_cause(RbvState *state, char *text, size_t size);

/* Finds the first load whose expression is not smooth in a coordinate or a velocity: *load its name, *why the function
 * in the expression. False: there is none. */
bool rbv_failure_find_jump(const RbvModel *model, const char **load, const char **why);

#endif
