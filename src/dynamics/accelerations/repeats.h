/* Constraint rows that repeat other rows at all positions: finds them, and leaves them out at states that violate the
 * constraints slightly.
 *
 * Where rows repeat others, such as the two rows that keep two wheels of one axle from sliding sideways, a combination
 * N of them vanishes: N^T C = 0 (C weighted as in the saddle point system). This is so where the constraints hold. The
 * stages of a step violate the constraints by some delta; there N^T C is of the size of delta and would resist a motion
 * that is free. One row of each combination is therefore left out: the other rows allow the same motions, and with them
 * the step ends where the omitted row is satisfied as well.
 *
 *   N: from few vectors x by x <- eps (C M^-1 C^T + eps)^-1 x, which keeps N and multiplies the rest by eps / sigma^2;
 *      eigenvectors of that map on these vectors with eigenvalues above 1 - NULL_PART span N.
 *
 * The omitted row is the one with the largest part of N; among rows nearly as large the last by name, so that the
 * choice does not depend on the order of items in the file.
 *
 * Not covered: positions in which rows repeat others only for a moment. No row is left out before the motion has moved
 * some part by a fraction of its size, or if more combinations are found than at any earlier position. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_REPEATS_H
#define RBV_DYNAMICS_ACCELERATIONS_REPEATS_H

#include "core/solve/lapack.h"
#include "dynamics/accelerations/saddle.h"

typedef struct RbvRepeats {
    RbvArena arena;       /* owns the arrays */
    RbvSaddle *saddle;    /* the caller's; NULL: no rows repeat others */
    int32_t rows, most;   /* number of rows of the saddle; bound of the number of repeated rows */
    int32_t capacity;     /* number of vectors for which workspace is allocated */
    bool *left_out;       /* [rows] true: left out now */
    int32_t count;        /* number of rows left out now; -1: not known yet */
    bool *left_before;    /* [rows] rows left out in the last step */
    int32_t count_before; /* number of rows left out in the last step; -1: not known */
    int32_t least;        /* least number of combinations found at any position so far; -1: no position was examined */
    int32_t wait;         /* steps until the next search */
    double moved;         /* movement since the last change, relative to the size of the part that moved most */
    int32_t *rank;        /* [rows] rank of each row in the order of names */
    double *base, *image; /* [capacity][rows] vectors x and their images */
    double *products, *values; /* [capacity][capacity], [capacity] their products and eigenvalues */
    RbvLapackWork work;
} RbvRepeats;

/* Sets the bound `most` of the number of rows that repeat others from now on. False: out of memory. */
bool rbv_repeats_expect(RbvRepeats *repeats, RbvSaddle *saddle, const RbvSystem *system, int32_t most);
void rbv_repeats_destroy(RbvRepeats *repeats);
/* To be called when other rows become active or velocities have jumped: no row is left out until the next search. */
void rbv_repeats_forget(RbvRepeats *repeats);
/* Returns whether there are rows that repeat others and these are identified. */
bool rbv_repeats_known(const RbvRepeats *repeats);
/* Leaves the identified rows out of the next factors. */
void rbv_repeats_leave_out(RbvRepeats *repeats);
/* Searches after a step to a state on the constraints, with the saddle's factors there. `moved`: movement in the step,
 * relative to size. No search while the factors already leave rows out next to a singular position. */
void rbv_repeats_find(RbvRepeats *repeats, double moved);
/* Exchanges the set of rows left out in the last step with that of the next step. */
void rbv_repeats_swap(RbvRepeats *repeats);

#endif
