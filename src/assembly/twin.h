/* Systems whose v is not the body twists are assembled in absolute coordinates, in which each body can move alone, and taken from there. */
#ifndef RBV_ASSEMBLY_TWIN_H
#define RBV_ASSEMBLY_TWIN_H

#include "system/system.h"

/* A state of the system's twin at the bodies of `state`, with what it holds, engages and remembers. NULL: no memory. */
RbvState *rbv_twin_create(const RbvState *state);
/* Bodies, rates, memories, turns and sizes of the twin into the state; the twin is destroyed. */
void rbv_twin_take(RbvState *state, RbvState *twin);
/* The same, and the twin stays. */
void rbv_twin_read(RbvState *state, RbvState *twin);

#endif
