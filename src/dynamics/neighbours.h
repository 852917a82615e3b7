/* Which bodies meet in the equations of motion (flow.h): those of a row, of a load with all that it looks at, of a
 * drive's rotor. The forces on a body, with accelerations and multipliers held, depend on the places and rates of its
 * neighbours alone.
 *
 * Forces that read efforts or states, sliding friction, control, drives at their limits, and systems by their own
 * equations have no neighbours here. */
#ifndef RBV_DYNAMICS_NEIGHBOURS_H
#define RBV_DYNAMICS_NEIGHBOURS_H

#include "dynamics/flow.h"

/* Body b has list[start[b]] ... list[start[b + 1] - 1], ascending, itself among them; ground has none and is none. */
typedef struct RbvNeighbours {
    int32_t *start, *list; /* [bodies + 1]; to be freed with free(). NULL: the motion has none, or too many */
} RbvNeighbours;

/* False: no memory. */
bool rbv_neighbours_find(const RbvFlow *flow, RbvNeighbours *neighbours);

#endif
