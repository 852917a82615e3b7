/* A motion that the joints leave free and that moves no mass: M is not positive on the null space of C, and
 * accelerations are not determined there. */
#ifndef RBV_DYNAMICS_MASSLESS_H
#define RBV_DYNAMICS_MASSLESS_H

#include "system/system.h"

/* At a state that is placed: "f.angle moves no mass (body 'bob' has no inertia)"; in large models the first body
 * without mass or inertia alone. "" where there is none. */
void rbv_massless_explain(RbvState *state, char *text, size_t size);

#endif
