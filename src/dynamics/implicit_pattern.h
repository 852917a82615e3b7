/* Where the Jacobian of y' = f(t, y) of a motion has entries (flow.h): bodies that rows tie together accelerate together, and each with those that its loads look at.
 *
 * Sparse for machines of many small mechanisms that springs, bushings and dampers join. Forces that read efforts or states, sliding friction, control, drives at their limits, and systems by their own equations have no pattern here. */
#ifndef RBV_DYNAMICS_IMPLICIT_PATTERN_H
#define RBV_DYNAMICS_IMPLICIT_PATTERN_H

#include "dynamics/flow.h"
#include "solve/radau.h"

/* pattern.start and .column to be freed with free(); both NULL: there is no sparse pattern. False: no memory. */
bool rbv_implicit_pattern(const RbvFlow *flow, RbvRadauPattern *pattern);

#endif
