/* Self-stresses in the users' names: clusters, modes, groups and advice, from one matrix per block.
 *
 * R[k][p]: component k of the printed reactions and efforts that are not unique, by self-stress p; torques divided by
 * the block's length. Modes are columns of R with few entries, groups are w with w R = 0, advice is sets of p rows that
 * pin R down.
 */
#ifndef RBV_ADVICE_CLUSTERS_H
#define RBV_ADVICE_CLUSTERS_H

#include "record/record.h"

/* Larger blocks are not described: [components] x [self-stresses]. */
#define RBV_DESCRIBED_MOST 400000

/* A row of R: a printed component, or a direction that could be freed. */
typedef struct RbvStressRow {
    RbvOwner owner;
    int32_t index; /* joint, constraint, drive */
    int32_t component,
        row; /* printed component; directions: 0 ... 5, or -1: the joint's single row, the constraint, the drive */
    const char *name;
    bool on_rates; /* of a direction: it restricts rates only (wheels, knife edges, velocity: constraints) */
    double length; /* what torques were divided by: 1 for forces */
} RbvStressRow;

/* One cluster of a block while it is described. */
typedef struct RbvStress {
    const RbvSystem *system;
    const RbvState *state;
    const RbvReactions *reactions;
    RbvResult *result;
    int32_t p;
    int32_t k;                /* printed components */
    int32_t lines;            /* then values along lines: F, Ft */
    RbvStressRow *rows;       /* [k + lines] */
    double *R;                /* [k + lines][p] */
    int32_t f;                /* directions that can be freed */
    RbvStressRow *directions; /* [f] */
    double *F;                /* [f][p] multipliers of their rows, of order one */
} RbvStress;

/* advice.c: remedies into the cluster. False: no memory. */
bool rbv_advise(const RbvStress *stress, RbvCluster *cluster);
/* Behind what result->together holds already, what frees clusters that share joints, all of them at once. False: no
 * memory. */
bool rbv_advise_together(const RbvStress *stress);

#endif
