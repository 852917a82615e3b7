/* Which reactions are unique: rank, independent rows and null space of C^T, block by block.
 *
 * In a block, columns of rotations are scaled by 1/L_c and rows to unit length, d_k: C_s = D^-1 C S. A combination
 * c.lambda is determined iff N^T D^-1 c = 0 for the null space N of C_s^T; solve/determined.h decides that. Masses play
 * no part.
 */
#ifndef RBV_SOLVABILITY_SOLVABILITY_H
#define RBV_SOLVABILITY_SOLVABILITY_H

#include <roberval/analysis.h>

#include "result/result.h"
#include "solvability/blocks.h"
#include "solve/determined.h"

typedef struct RbvBlockRank {
    RbvDetermined determined;
    int32_t redundant; /* rows less rank */
    double L;          /* [m] rms distance of the block's joint points from their mean, at the time of the decision */
    double *row_norm;  /* [rows] d_k */
} RbvBlockRank;

typedef struct RbvSolvability {
    RbvArena arena;
    RbvBlocks blocks;
    RbvBlockRank *ranks; /* [blocks] */
    RbvCriterion criterion;
    const bool *active;    /* [rows]; NULL: all hold */
    const RbvVec3 *places; /* [joints] by which blocks are measured, the caller's; NULL: where joints are when ranks are
                              decided first */
    int32_t row_count;     /* of rows that hold */
    bool want_rows;        /* independent rows and null spaces are needed of large blocks too: for motions */
    int32_t *local;        /* [rows] index of a row in its block */
    int32_t rank, redundant;
    int32_t *independent; /* [rank] rows, ascending; small blocks, or where wanted: then those of idle spins follow */
    int32_t *dependent;   /* [redundant] rows, ascending */
    double *part;         /* [rows] scratch: a combination's part in one block */
    int32_t *part_row;    /* [rows] scratch: 0, 1, 2 ... */
    bool safe;
    bool exact;                    /* some block was decided in exact arithmetic */
    double smallest, dropped, tau; /* of the block where the decision is nearest to turning */
} RbvSolvability;

/* Structure only. NULL: no memory. */
RbvSolvability *rbv_solvability_create(const RbvSystem *system, RbvCriterion criterion, bool want_rows);
/* Of the rows that hold: active[rows], which stays the caller's (NULL: all). The others have no block; what is asked of
 * them is FREE. */
RbvSolvability *rbv_solvability_create_of(const RbvSystem *system, const bool *active, RbvCriterion criterion,
                                          bool want_rows);
void rbv_solvability_destroy(RbvSolvability *solvability);
/* Decide at the placed state with its Jacobian. BAD_INPUT: a block is too large for the criterion asked for. */
RbvStatus
rbv_solvability_decide_anew(RbvSolvability *solvability,
                            const RbvState *state); /* of a system with other numbers: the lengths of the blocks, too */
RbvStatus rbv_solvability_decide(RbvSolvability *solvability, const RbvState *state);
/* The verdict of sum_k c[k] lambda[first + k], k < count, rows of one element. All c zero: UNIQUE. */
RbvVerdict rbv_solvability_verdict(RbvSolvability *solvability, int32_t first, int32_t count, const double *c);
/* The verdict of sum over all rows of c[row] lambda[row], c[rows of the system]. */
RbvVerdict rbv_solvability_decide_all(RbvSolvability *solvability, const double *c);
/* Did a judgement want for memory since the last decision? */
bool rbv_solvability_no_memory(const RbvSolvability *solvability);
static inline bool rbv_solvability_holds(const RbvSolvability *solvability, int32_t row) {
    return !solvability->active || solvability->active[row];
}
/* The block of a row that holds. */
int32_t rbv_solvability_block(const RbvSolvability *solvability, int32_t row);
/* Is nothing of the block open or in doubt? */
bool rbv_solvability_is_plain(const RbvSolvability *solvability, int32_t block);
/* Column k < redundant of the block's null space, at its row `local`: multipliers of a self-stress. */
static inline double rbv_null_entry(const RbvBlockRank *rank, int32_t local, int32_t k) {
    const RbvDetermined *d = &rank->determined;
    return d->null[(size_t)local * (size_t)d->null_columns + (size_t)(d->null_columns - rank->redundant + k)] /
           rank->row_norm[local];
}
/* Does the block have its null space stored? */
static inline bool rbv_has_null(const RbvBlockRank *rank) {
    return rank->redundant > 0 && rank->determined.null && rank->determined.null_columns >= rank->redundant;
}
/* The same of one block of at most RBV_DENSE_ROWS rows. */
int32_t rbv_solvability_block_rank_without(const RbvSolvability *solvability, int32_t block, const bool *without);
/* The rank that is left of all rows without those marked in `without` [rows]: rank - (marked - rank of N at the marked
 * rows). -1: no memory. */
int32_t rbv_solvability_rank_without(RbvSolvability *solvability, const RbvState *state, const bool *without);

#endif
