/* Systems in other coordinates are assembled in absolute ones, in which each body can move alone and no rates are
 * nearer to rest than others for the sake of coordinates, and taken from there. */
#ifndef RBV_ASSEMBLY_ABSOLUTE_STATE_H
#define RBV_ASSEMBLY_ABSOLUTE_STATE_H

#include "system/system.h"

/* A state of the system in absolute coordinates at the bodies of `state`, with what it holds, engages and remembers.
 * NULL: no memory. */
RbvState *rbv_absolute_state_create(const RbvState *state);
/* the absolute system at the placed and moved bodies of `state`, with what it holds and remembers. */
void rbv_absolute_state_follow(const RbvState *state, RbvState *absolute);
/* Bodies, rates, memories, turns and sizes of the absolute system into the state; the absolute system is destroyed. */
void rbv_absolute_state_take(RbvState *state, RbvState *absolute);
/* The same, and the absolute system stays. */
void rbv_absolute_state_read(RbvState *state, RbvState *absolute);
/* Bodies, memories, turns and sizes of the placed state into the absolute system, which is to be placed. */
void rbv_absolute_state_write(const RbvState *state, RbvState *absolute);

#endif
