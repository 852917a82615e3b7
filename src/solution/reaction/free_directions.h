/* The directions that a joint leaves free, from its own geometry: each gives one equation of Newton's equilibrium of
 * bodies. See free_directions.c. */
#ifndef RBV_SOLUTION_REACTION_FREE_DIRECTIONS_H
#define RBV_SOLUTION_REACTION_FREE_DIRECTIONS_H

#include "mechanics/system/system.h"

/* Relative twists freed[] of the second body that the joint allows, v at the second marker's origin, ground axes, at
 * a state whose positions are evaluated: a wrench (F, T) of the joint at that marker has F.v + T.w = 0 for each of
 * them. `length` [m]: scale of rotations where a direction mixes both. Returns their number: six (in the plane
 * three) minus the rows of the joint. */
int rbv_free_directions(const RbvState *state, int32_t joint, double length, RbvTwist freed[6]);

#endif
