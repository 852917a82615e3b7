/* Systems in other coordinates are assembled in absolute ones, in which each body can move alone and no rates are
 * nearer to rest than others for the sake of coordinates, and taken from there. */
#ifndef RBV_ASSEMBLY_TWIN_H
#define RBV_ASSEMBLY_TWIN_H

#include "system/system.h"

/* A state of the system's twin at the bodies of `state`, with what it holds, engages and remembers. NULL: no memory. */
RbvState *rbv_twin_create(const RbvState *state);
/* The twin at the placed and moved bodies of `state`, with what it holds and remembers. */
void rbv_twin_follow(const RbvState *state, RbvState *twin);
/* Bodies, rates, memories, turns and sizes of the twin into the state; the twin is destroyed. */
void rbv_twin_take(RbvState *state, RbvState *twin);
/* The same, and the twin stays. */
void rbv_twin_read(RbvState *state, RbvState *twin);
/* Bodies, memories, turns and sizes of the placed state into the twin, which is to be placed. */
void rbv_twin_write(const RbvState *state, RbvState *twin);

#endif
