/* The rows of one block, scaled so that thresholds are pure numbers: C_s = D^-1 C S.
 *
 * A body's columns are the motion of one of the points that the block's rows refer to, not of its centroid, so that
 * neither rank nor its safety depends on the distribution of mass. Columns of rotations are divided by the block's
 * length L, and then rows by their norms d_k. */
#ifndef RBV_SOLUTION_SOLVABILITY_SCALED_ROWS_H
#define RBV_SOLUTION_SOLVABILITY_SCALED_ROWS_H

#include "core/solve/determined.h"
#include "solution/solvability/blocks.h"

typedef struct RbvScaledRows {
    RbvSparse C; /* matrix of the block that was filled last */
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
/* Converts the entries of one row, values[entries], from force and torque about centroids to torque about the
 * bodies' points; not scaled. */
void rbv_scaled_rows_shift(const RbvScaledRows *a, const RbvState *state, int32_t row, double *values);
/* v[body columns of the block] := body twists about centroids of the scaled motion x[column_count]; other entries
 * stay. */
void rbv_scaled_rows_motion(const RbvScaledRows *a, const RbvState *state, const RbvBlock *block, double L,
                            const double *x, double *v);

#endif
