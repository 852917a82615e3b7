/* Which reactions are unique: rank, independent rows and null space of C^T, block by block (SPEC-001-004 section 6).
 *
 * In a block, columns of rotations are scaled by 1/L_c and rows to unit length, d_k: C_s = D^-1 C S. A combination c.lambda is determined iff
 * N^T D^-1 c = 0 for the orthonormal null space N of C_s^T (N7, N9). Masses play no part.
 */
#ifndef RBV_ANALYSIS_SOLVABILITY_H
#define RBV_ANALYSIS_SOLVABILITY_H

#include "analysis/blocks.h"
#include "result/result.h"
#include "solve/rank.h"

/* Blocks of up to this many rows are decided by a dense SVD; larger ones first by their smallest singular value alone. */
#define RBV_BLOCK_DENSE 400

typedef struct RbvBlockRank {
    RbvRank rank;
    int32_t redundant;  /* rows less rank */
    double L;           /* [m] rms distance of the block's joint points from their mean, at the time of the decision */
    double *row_norm;   /* [rows] d_k */
    double *null;       /* [rows][null_columns] orthonormal; the last `redundant` columns surely, the others perhaps */
    int32_t null_columns;
} RbvBlockRank;

typedef struct RbvSolvability {
    RbvArena arena;
    RbvBlocks blocks;
    RbvBlockRank *ranks;       /* [blocks] */
    int32_t *local;            /* [rows] index of a row in its block */
    int32_t rank, redundant;
    int32_t *independent;      /* [rank] rows, ascending */
    int32_t *dependent;        /* [redundant] rows, ascending */
    double *part;              /* [rows] scratch: a combination's part in one block */
    bool safe;
    double smallest, dropped, tau; /* of the block where the decision is nearest to turning */
} RbvSolvability;

/* Structure only. NULL: no memory. */
RbvSolvability *rbv_solvability_create(const RbvSystem *system);
void rbv_solvability_destroy(RbvSolvability *solvability);
/* Decide at the placed state with its Jacobian. */
RbvStatus rbv_solvability_decide(RbvSolvability *solvability, const RbvState *state);
/* The verdict of sum_k c[k] lambda[first + k], k < count, rows of one element. All c zero: UNIQUE. */
RbvVerdict rbv_solvability_judge(const RbvSolvability *solvability, int32_t first, int32_t count, const double *c);
/* The verdict of sum over all rows of c[row] lambda[row], c[rows of the system]. */
RbvVerdict rbv_solvability_judge_all(const RbvSolvability *solvability, const double *c);
/* The block of a row. */
int32_t rbv_solvability_block(const RbvSolvability *solvability, int32_t row);

#endif
