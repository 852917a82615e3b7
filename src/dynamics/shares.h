/* What gives way: friction that sticks, and drives with limits that follow, where no share of the load keeps all of
 * them within their limits.
 *
 * The multipliers of a motion are one choice of many where several could hold alone. Only where that choice is beyond a
 * limit the ranks are asked for, and then
 *   nothing is open         the one that is furthest beyond its limit gives way
 *   rows contradict         what sticks is to be moved, by a drive: the drive gives way if it is limited and needs
 *                           more, for its effort grows until something yields; else friction
 *   self-stresses are open  none, if some share holds (block_share.h); else all that the motion slides which then
 *                           begins
 */
#ifndef RBV_DYNAMICS_SHARES_H
#define RBV_DYNAMICS_SHARES_H

#include "dynamics/block_share.h"

typedef struct RbvShares {
    RbvFlow *flow;
    RbvContacts contacts;
    RbvSolvability *solvability; /* of `rows`, as they held when they were asked for last; NULL: never */
    bool *rows;                  /* [rows] */
    bool *friction, *drive;      /* [friction contacts], [limited drives] what gives way */
    bool *asked;                 /* [rows] blocks */
} RbvShares;

/* The flow stays the caller's. False: no memory; to be destroyed all the same. */
bool rbv_shares_create(RbvShares *shares, RbvFlow *flow);
void rbv_shares_destroy(RbvShares *shares);
/* What gives way at the evaluated state: shares->friction, shares->drive. NO_MEMORY. */
RbvStatus rbv_shares_find(RbvShares *shares);
/* 1 less the part of its limit that face i, which sticks, takes in the choice of the motion: below 0 it is beyond it by
 * more than rounding. */
double rbv_shares_friction_margin(const RbvShares *shares, int32_t i);
bool rbv_shares_any(const RbvShares *shares);
/* lambda[rows] of least norm in the blocks of s: where friction or drives are beyond their limits, and a share is not,
 * the least that is not. NO_MEMORY. */
RbvStatus rbv_shares_admit(RbvShares *shares, const RbvSolvability *s, double *lambda);

#endif
