/* Finds which bodies are coupled in the equations of motion (flow.h): by a common constraint row, by a load and all
 * that the load depends on, by the rotor of a drive. With accelerations and multipliers fixed, the forces on a body
 * depend on the positions and velocities of its neighbours alone.
 *
 * Not covered: forces that depend on efforts or on states of the user, sliding friction, control, drives with limited
 * effort, and systems with their own equations. */
#ifndef RBV_DYNAMICS_INTEGRATION_NEIGHBOURS_H
#define RBV_DYNAMICS_INTEGRATION_NEIGHBOURS_H

#include "dynamics/integration/flow.h"

/* Neighbours of body b: list[start[b]] ... list[start[b + 1] - 1], ascending, b itself among them; ground has none and
 * is in no list. */
typedef struct RbvNeighbours {
    int32_t *start, *list; /* start: [bodies + 1]; the caller frees both with free(). NULL: not covered (see above), or
                              too many neighbours */
} RbvNeighbours;

/* Returns false if out of memory. */
bool rbv_neighbours_find(const RbvFlow *flow, RbvNeighbours *neighbours);

#endif
