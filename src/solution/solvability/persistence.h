/* Decides whether redundancies persist when the mechanism moves, or exist at this position only. */
#ifndef RBV_SOLUTION_SOLVABILITY_PERSISTENCE_H
#define RBV_SOLUTION_SOLVABILITY_PERSISTENCE_H

#include "solution/solvability/solvability.h"

/* How many of the redundant rows, as decided at the state, stay redundant when the mechanism moves on without its
 * drives, along the branch of highest rank where several meet. -1: not decided (too large, or the rank is not safe);
 * -2: no memory. Where C has full column rank, all stay redundant. */
int32_t rbv_persistent_redundancy(RbvSolvability *solvability, RbvState *state);

#endif
