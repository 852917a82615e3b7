/* Decides which reactions are unique: rank, independent rows and null space of C^T, block by block.
 *
 * In a block, columns of rotations are scaled by 1/L_c and rows to unit length, d_k: C_s = D^-1 C S. A combination
 * c.lambda is determined if and only if N^T D^-1 c = 0 for the null space N of C_s^T; core/solve/determined.h decides
 * that. Masses have no influence. */
#ifndef RBV_SOLUTION_SOLVABILITY_SOLVABILITY_H
#define RBV_SOLUTION_SOLVABILITY_SOLVABILITY_H

#include <roberval/options.h>

#include "core/base/arena.h"
#include "core/solve/determined.h"
#include "model/result/result.h"
#include "solution/solvability/blocks.h"

/* The rows of one block, scaled so that thresholds are pure numbers: C_s = D^-1 C S. */
typedef struct RbvScaledRows {
    RbvArena arena; /* memory of the arrays */
    RbvSparse C;    /* matrix of the block that was filled last */
    int32_t *start, *column, *node, *row_node;
    double *values, *unit;
    int32_t *position; /* [body columns] column in the block */
    int32_t *body;     /* [body columns] body of the column */
    int32_t *at;       /* [bodies] marker at the body's point */
    RbvVec3 *about; /* [bodies] vector from the centroid to the point whose motion the columns are, ground axes [m]; for
                       this block */
    bool *rotation; /* [body columns] is the column a rotation? */
    bool *last;     /* [rows] is the row one on rates? */
    int32_t *order; /* [rows] workspace of the caller */
} RbvScaledRows;

/* Allocates workspace for the largest block. False: no memory; to be destroyed all the same. */
bool rbv_scaled_rows_create(RbvScaledRows *a, const RbvSystem *system);
void rbv_scaled_rows_destroy(RbvScaledRows *a);
/* Rows of block b at a state whose positions and Jacobian are evaluated. Without `without`: d_k into row_norm[rows
 * of the block]. With `without`: rows marked there become zero, and row_norm is input. */
void rbv_scaled_rows_fill(RbvScaledRows *a, const RbvState *state, const RbvBlocks *blocks, int32_t b, double L,
                          const bool *without, double *row_norm);
/* v[body columns of the block] := body twists about centroids of the scaled motion x[column_count]; other entries
 * stay. */
void rbv_scaled_rows_motion(const RbvScaledRows *a, const RbvState *state, const RbvBlock *block, double L,
                            const double *x, double *v);

typedef struct RbvBlockRank {
    RbvDetermined determined;
    int32_t redundant; /* number of rows minus rank */
    double L;          /* [m] rms distance of the block's joint points from their mean, at the time of the decision */
    double *row_norm;  /* [rows] norms d_k */
} RbvBlockRank;

typedef struct RbvSolvability {
    RbvArena arena;
    RbvBlocks blocks;
    RbvBlockRank *ranks; /* [blocks] */
    RbvCriterion criterion;
    const bool *active;    /* [rows]; NULL: all rows are active */
    const RbvVec3 *places; /* [joints] points that give the length of a block, the caller's; NULL: the joints' points
                              when ranks are first decided */
    int32_t row_count;     /* number of active rows */
    /* What `smallest` is of blocks of moderate size whose rows are surely independent: the singular value; a lower
     * bound, or an estimate as that of large blocks, both many times as fast. */
    enum { RBV_SMALLEST_FOUND, RBV_SMALLEST_BOUNDED, RBV_SMALLEST_ESTIMATED } smallest_by;
    bool list_rows; /* compute independent rows and null spaces of large blocks too, as motions need them */
    int32_t *local; /* [rows] index of a row in its block */
    int32_t rank, redundant;
    int32_t *independent; /* [rank] rows, ascending; of small blocks, or all where list_rows: then followed by the rows
                             of idle spins */
    int32_t *dependent;   /* [redundant] rows, ascending */
    RbvScaledRows scaled; /* of a small system: those of the last decision */
    double *part;         /* [rows] scratch: a combination's part in one block */
    int32_t *part_row;    /* [rows] scratch: 0, 1, 2 ... */
    bool safe;
    bool exact;                    /* some block was decided in exact arithmetic */
    double smallest, dropped, tau; /* singular values and threshold of the block whose decision is nearest to turning */
} RbvSolvability;

/* Builds the blocks, without deciding ranks, for the active rows of the system. NULL: no memory. */
RbvSolvability *rbv_solvability_create(const RbvSystem *system, RbvCriterion criterion, bool list_rows);
/* rbv_solvability_create for active[rows], which stays the caller's (NULL: all rows). Inactive rows have no block;
 * their verdict is FREE. */
RbvSolvability *rbv_solvability_create_of(const RbvSystem *system, const bool *active, RbvCriterion criterion,
                                          bool list_rows);
void rbv_solvability_destroy(RbvSolvability *solvability);
/* Decides ranks at a state whose positions and Jacobian are evaluated, and computes the lengths of the blocks again,
 * for a system with other dimensions. Statuses as of rbv_solvability_decide. */
RbvStatus rbv_solvability_decide_anew(RbvSolvability *solvability, const RbvState *state);
/* Lengths of the blocks of another solvability of the same rows, instead of those of the first position. */
void rbv_solvability_take_lengths(RbvSolvability *solvability, const RbvSolvability *from);
/* Decides ranks at a state whose positions and Jacobian are evaluated; the lengths of the blocks are those of the first
 * call. BAD_INPUT: a block is too large for the criterion; NO_MEMORY. */
RbvStatus rbv_solvability_decide(RbvSolvability *solvability, const RbvState *state);
/* Verdict of sum_k c[k] lambda[first + k], k < count, rows of one element. All c zero: UNIQUE. */
RbvVerdict rbv_solvability_verdict(RbvSolvability *solvability, int32_t first, int32_t count, const double *c);
/* Verdict of the sum over all rows of c[row] lambda[row], c[rows of the system]. */
RbvVerdict rbv_solvability_decide_all(RbvSolvability *solvability, const double *c);
/* Did a verdict run out of memory since the last decision? */
bool rbv_solvability_no_memory(const RbvSolvability *solvability);
static inline bool rbv_solvability_holds(const RbvSolvability *solvability, int32_t row) {
    return !solvability->active || solvability->active[row];
}
/* Block of an active row. */
int32_t rbv_solvability_block(const RbvSolvability *solvability, int32_t row);
/* Is the block of full row rank, and that rank safe, so that all its combinations are unique? */
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
/* Rank of one block without the rows marked in `without` [rows]; the block has at most RBV_DENSE_ROWS rows. -1: no
 * memory. */
int32_t rbv_solvability_block_rank_without(const RbvSolvability *solvability, int32_t block, const bool *without);
/* Rank of all rows without those marked in `without` [rows]: rank - (marked - rank of N at the marked rows). -1: no
 * memory. */
int32_t rbv_solvability_rank_without(RbvSolvability *solvability, const RbvState *state, const bool *without);

#endif
