/* Rows that repeat others in all positions, and are left out beside the constraints.
 *
 * Where rows repeat others, such as the two that keep two wheels of one axle from sliding sideways, a combination N of
 * them vanishes: N^T C = 0 (C weighted as in the saddle point system). It does so where the constraints hold. The
 * stages of a step are off them by some delta, where N^T C is of the size of delta, and would resist a motion that is
 * free. There one row of each combination is left out: the others hold the same motions, and with these the step ends
 * where that row holds as well.
 *
 *   N: from few vectors x by x <- eps (C M^-1 C^T + eps)^-1 x, which keeps N and takes eps / sigma^2 of the rest, and
 *     the eigenvalues of that map on them: above 1 - NULL_PART in N.
 * Which row: that of the largest part of N, the last by its name among those nearly as large, so that it does not hang
 * on the order of things in the file.
 *
 * Positions in which rows repeat others for a moment only are none of these: nothing is left out before the motion has
 * moved something by a part of its size, or more than at any place since then.
 */
#ifndef RBV_DYNAMICS_REPEATS_H
#define RBV_DYNAMICS_REPEATS_H

#include "dynamics/saddle.h"
#include "solve/lapack.h"

typedef struct RbvRepeats {
    RbvSaddle *saddle;         /* the caller's; NULL: nothing repeats */
    int32_t rows, most;        /* of the saddle; of them so many at most */
    int32_t room;              /* vectors that there is room for */
    bool *left_out;            /* [rows] */
    int32_t count;             /* of them left out now; -1: not known yet */
    bool *left_before;         /* [rows] those of the last step */
    int32_t count_before;      /* likewise */
    int32_t least;             /* combinations found at any place so far, -1: none was looked at */
    int32_t wait;              /* steps until they are looked for again */
    double moved;              /* since something changed, of the size of what moved most */
    int32_t *rank;             /* [rows] by names */
    double *base, *image;      /* [room][rows] */
    double *products, *values; /* [room][room], [room] */
    RbvLapackWork work;
} RbvRepeats;

/* At most so many rows repeat others from now on. False: no memory. */
bool rbv_repeats_expect(RbvRepeats *repeats, RbvSaddle *saddle, const RbvSystem *system, int32_t most);
void rbv_repeats_destroy(RbvRepeats *repeats);
/* Other rows hold, or rates have jumped: nothing is left out. */
void rbv_repeats_forget(RbvRepeats *repeats);
/* Are there such rows, and is it known which? */
bool rbv_repeats_known(const RbvRepeats *repeats);
/* Where it is known the next factors are made without them. */
void rbv_repeats_leave_out(RbvRepeats *repeats);
/* After a step to a state on the constraints, with the saddle's factors there: `moved` in it, of the size. Nothing is
 * looked for where these leave rows out: next to a singular position. */
void rbv_repeats_find(RbvRepeats *repeats, double moved);
/* Those that the last step left out are left out, or those of the next one again. */
void rbv_repeats_swap(RbvRepeats *repeats);

#endif
