/* The branches of a block's configurations that meet at a state: the motions that its joints and constraints allow
 * there, which of them can be continued, and how the redundancy changes along them. */
#ifndef RBV_SOLUTION_SOLVABILITY_BRANCHES_H
#define RBV_SOLUTION_SOLVABILITY_BRANCHES_H

#include "solution/solvability/solvability.h"

/* How many of the redundant rows, as decided at the state, stay redundant when the mechanism moves on without its
 * drives, along the branch of highest rank where several meet. -1: not decided (too large, or the rank is not safe);
 * -2: no memory. Where C has full column rank, all stay redundant. */
int32_t rbv_persistent_redundancy(RbvSolvability *solvability, RbvState *state);

/* How many of the redundant rows of block b, as decided at the state, stay redundant along the branch of highest
 * rank; the state is restored. -1: not decided (too large, or the rank is not safe); -2: no memory. */
int32_t rbv_branches_persistent(RbvSolvability *solvability, RbvState *state, int32_t b);

#endif
