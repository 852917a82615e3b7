/* The null space of D^T from the factors of the independent rows: N = [-(D_d D_I^-1)^T; I], made orthonormal. */
#include "solution/motion/motion.h"

#include <string.h>

RbvStatus rbv_motion_null(RbvMotion *motion) {
    RbvSolvability *s = motion->solvability;
    const RbvSystem *system = motion->system;
    if (motion->given) /* the rank decision has found the null space */
        return RBV_OK;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        RbvBlockRank *rank = &s->ranks[b];
        const RbvBlock *block = &s->blocks.blocks[b];
        double *null = rank->determined.null;
        if (!rbv_has_null(rank) || !rank->determined.rank.safe)
            continue;
        int32_t p = rank->redundant, column = 0;
        memset(null, 0, (size_t)block->row_count * (size_t)p * sizeof(double));
        for (int32_t k = 0; k < block->row_count; k++) {
            int32_t row = block->rows[k];
            if (motion->D->place_of[row] >= 0)
                continue;
            memset(motion->x, 0, (size_t)motion->D->n * sizeof(double));
            for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
                motion->x[system->D.column[e]] += motion->state->D[e];
            rbv_lu_solve_transposed(motion->D->lu, motion->x);
            for (int32_t i = 0; i < block->row_count; i++) {
                int32_t place = motion->D->place_of[block->rows[i]];
                double value = place >= 0 ? -motion->x[place] : i == k ? 1 : 0;
                null[i * p + column] = value * rank->row_norm[i];
            }
            column++;
        }
        RbvStatus status = rbv_rank_orthonormalize(block->row_count, p, null);
        if (status != RBV_OK)
            return status;
        rank->determined.null_columns = p;
    }
    return RBV_OK;
}
