/* The branches of a block's positions that meet at a state: the motions that its joints and constraints allow there,
 * which of them go on, and what becomes of the redundancy along them. */
#ifndef RBV_SOLVABILITY_BRANCHES_H
#define RBV_SOLVABILITY_BRANCHES_H

#include "solvability/solvability.h"

/* How many of the redundant rows of block b, decided at the placed state, stay redundant along the branch of highest
 * rank. -1: not decided (too large, or the rank is not safe); -2: no memory. The state comes back as it was. */
int32_t rbv_branches_persistent(RbvSolvability *solvability, RbvState *state, int32_t b);

#endif
