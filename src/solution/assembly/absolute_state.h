/* States of the absolute system. A system in other coordinates is assembled in absolute coordinates and its state is
 * taken from there: in absolute coordinates each body can move alone, and which rates are nearest to rest does not
 * depend on the choice of coordinates. */
#ifndef RBV_SOLUTION_ASSEMBLY_ABSOLUTE_STATE_H
#define RBV_SOLUTION_ASSEMBLY_ABSOLUTE_STATE_H

#include "mechanics/system/system.h"

/* A state of the absolute system at the bodies of `state`, with its active rows, acting loads and memories. NULL if out
 * of memory. */
RbvState *rbv_absolute_state_create(const RbvState *state);
/* Sets the absolute state to the bodies and twists of `state`, with its active rows, acting loads and memories; `state`
 * has evaluated positions and velocities. */
void rbv_absolute_state_follow(const RbvState *state, RbvState *absolute);
/* Sets `state` to the bodies, rates, memories, turns and sizes of the absolute state, evaluates its positions, and
 * destroys the absolute state. */
void rbv_absolute_state_take(RbvState *state, RbvState *absolute);
/* As rbv_absolute_state_take, without destroying the absolute state. */
void rbv_absolute_state_read(RbvState *state, RbvState *absolute);
/* Sets q, memories, turns and sizes of the absolute state from `state`, whose positions are evaluated; those of the
 * absolute state remain to be evaluated. */
void rbv_absolute_state_write(const RbvState *state, RbvState *absolute);

#endif
