/* Do redundancies persist when the mechanism moves, or do they belong to this position only? */
#ifndef RBV_SOLVABILITY_PERSISTENCE_H
#define RBV_SOLVABILITY_PERSISTENCE_H

#include "solvability/solvability.h"

/* Of the redundant rows at the placed state, how many stay redundant when the mechanism moves on without its drives:
 * along the branch of highest rank, where several meet. -1: not decided (too large, or the rank is not safe); -2: no
 * memory. Where C has full column rank, all do. */
int32_t rbv_persistent_redundancy(RbvSolvability *solvability, RbvState *state);

#endif
