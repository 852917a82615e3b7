/* The directions that a joint leaves free, from its own geometry: Newton's equilibrium of bodies has an equation for
 * each of them. See free_directions.c. */
#ifndef RBV_REACTION_FREE_DIRECTIONS_H
#define RBV_REACTION_FREE_DIRECTIONS_H

#include "system/system.h"

/* Relative twists of the second body, v of the second marker's origin, ground axes, that the joint allows at the
 * placed state: a wrench W of it, at that marker, has W.v + W.w = 0 for each of them. `length`: what a turn is worth
 * in length where both mix. How many: six (in the plane three) less the rows of the joint. */
int rbv_free_directions(const RbvState *state, int32_t joint, double length, RbvTwist freed[6]);

#endif
