/* Description of self-stresses in names of the model: clusters, modes, groups and advice, from one matrix R per block.
 *
 * R[k][p]: printed reaction component or effort k in self-stress p [N]; torques [N m] are divided by the block's length
 * [m]. The rows are components whose verdict is not unique.
 *
 * Modes are combinations of columns of R with few nonzero entries.
 *
 * Groups are rows w with few nonzero entries and
 *
 *   w R = 0,
 *
 * sums of components that are determined.
 *
 * Advice is sets of p rows, of R or of multipliers F, whose p x p matrix is regular: p such rows determine all
 * self-stresses.
 */
#ifndef RBV_ANALYSIS_ADVICE_CLUSTERS_H
#define RBV_ANALYSIS_ADVICE_CLUSTERS_H

#include "solution/record/record.h"

/* Blocks with a larger product [constraint rows] x [self-stresses] are not described. */
#define RBV_DESCRIBED_MOST 400000

/* Row of R (printed component) or of F (direction that could be freed). */
typedef struct RbvStressRow {
    RbvOwner owner;
    int32_t index;          /* of the joint, constraint or drive */
    int32_t component, row; /* component: printed component; of a direction 0 ... 5, or -1 (row without a direction,
                               constraint, drive). row: constraint row of the system */
    const char *name;
    bool on_rates; /* direction that restricts velocities only (wheels, knife edges, velocity: constraints) */
    double length; /* [m] divisor of a torque; 1 for a force */
} RbvStressRow;

/* Matrices of one block, or of one cluster of a block, while it is described. */
typedef struct RbvStress {
    RbvArena arena; /* owns rows, R, directions and F, and scratch of their description */
    const RbvSystem *system;
    const RbvState *state;
    const RbvReactions *reactions;
    RbvResult *result;
    int32_t p;                /* number of self-stresses, the columns of R and F */
    int32_t k;                /* number of printed components, the first rows of R */
    int32_t lines;            /* number of values along lines (F, Ft), the rows of R behind the components */
    RbvStressRow *rows;       /* [k + lines] what each row of R is */
    double *R;                /* [k + lines][p] self-stresses as printed components; torques divided by the length */
    int32_t f;                /* number of directions that can be freed */
    RbvStressRow *directions; /* [f] what each row of F is */
    double *F;                /* [f][p] multipliers of the directions in each self-stress, of order one */
} RbvStress;

/* Ranked remedies (directions to free, components to measure, joints to give a compliance) of the cluster, in the
 * result's arena. False if out of memory. */
bool rbv_advise(const RbvStress *stress, RbvCluster *cluster);
/* Append to result->together the best set that frees clusters sharing joints, all at once; result->together_missing is
 * set if no set can be typed. False if out of memory. */
bool rbv_advise_together(const RbvStress *stress);

#endif
