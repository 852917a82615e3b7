/* The rows of one block, scaled so that thresholds are pure numbers: C_s = D^-1 C S.
 *
 * A body's columns are the motion of one of the points that the block's rows look at, not of its centroid, so that
 * neither rank nor its safety depends on how mass is spread; columns of rotations are divided by the block's length L,
 * rows by their lengths d_k then.
 */
#ifndef RBV_SOLVABILITY_SCALED_ROWS_H
#define RBV_SOLVABILITY_SCALED_ROWS_H

#include "solvability/blocks.h"
#include "solve/determined.h"

typedef struct RbvScaledRows {
    RbvSparse C; /* of the block that was filled last */
    int32_t *start, *column, *node, *row_node;
    double *values, *unit;
    int32_t *position; /* [body columns] column of the block */
    int32_t *body;     /* [body columns] */
    int32_t *at;       /* [bodies] marker */
    RbvVec3 *about; /* [bodies] the point whose motion the columns are, from the centroid, ground axes; in this block */
    bool *rotation; /* [body columns] */
    bool *last;     /* [rows] rows on rates */
    int32_t *order; /* [rows] for the caller */
} RbvScaledRows;

/* Room for the largest block. False: no memory; to be destroyed all the same. */
bool rbv_scaled_rows_create(RbvScaledRows *a, const RbvSystem *system);
void rbv_scaled_rows_destroy(RbvScaledRows *a);
/* The rows of block b at the placed state with its Jacobian. Rows marked in `without` (may be NULL) are zero; d_k goes
 * to row_norm[rows of the block] without it, and comes from there with it. */
void rbv_scaled_rows_fill(RbvScaledRows *a, const RbvState *state, const RbvBlocks *blocks, int32_t b, double L,
                          const bool *without, double *row_norm);
/* The entries of one row, values[entries], force and torque about centroids, to torques about the bodies' points;
 * lengths and units stay. */
void rbv_scaled_rows_shift(const RbvScaledRows *a, const RbvState *state, int32_t row, double *values);
/* v[body columns of the block] := the twists of the scaled motion x[column_count]; others stay. */
void rbv_scaled_rows_motion(const RbvScaledRows *a, const RbvState *state, const RbvBlock *block, double L,
                            const double *x, double *v);

#endif
