/* Sums the persistent redundancy of all blocks along their branches (branches.h); see persistence.h. */
#include "solution/solvability/persistence.h"

#include "solution/solvability/branches.h"

int32_t rbv_persistent_redundancy(RbvSolvability *s, RbvState *state) {
    int32_t sum = 0;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        int32_t here = rbv_branches_persistent(s, state, b);
        if (here < 0)
            return here;
        sum += here;
    }
    return sum;
}
