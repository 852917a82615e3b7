/* Names a motion that the joints leave free and that moves no mass: M is not positive definite on the null space of C,
 * so that accelerations along it are not determined. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_MASSLESS_H
#define RBV_DYNAMICS_ACCELERATIONS_MASSLESS_H

#include "mechanics/system/system.h"

/* Writes to text[size] such as "f.angle moves no mass (body 'bob' has no inertia)", at a state whose positions are
 * evaluated. In large models only the first body without mass or inertia is named. Writes "" where no such motion
 * exists. */
void rbv_massless_explain(RbvState *state, char *text, size_t size);

#endif
