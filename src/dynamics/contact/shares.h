/* Decides which items give way: sticking friction, or drives with limited effort that follow their motion, where no
 * distribution of the load keeps all of them within their limits.
 *
 * An item is one friction contact that sticks or one drive that follows; to give way is to begin to slide or to slip.
 * Where several items could carry the load alone, the multipliers of a motion are one choice of many: self-stresses (mu
 * with C^T mu = 0) may be added. Ranks are decided only where that choice exceeds a limit; then, block of rows by block
 * until something gives way,
 *
 *   nothing is open         the friction contact furthest beyond its limit gives way; if there is none, the drive
 *   rows contradict         a drive tries to move what sticks: the drive gives way if it is limited and exceeds its
 *                           limit, for its effort grows until something yields; else friction gives way
 *   self-stresses are open  nothing gives way if some distribution is within limits (shares.c); else all items
 *                           that slide in the motion that then begins
 *
 * Where nothing sticks the drive furthest beyond its limit gives way. */
#ifndef RBV_DYNAMICS_CONTACT_SHARES_H
#define RBV_DYNAMICS_CONTACT_SHARES_H

#include "core/base/arena.h"
#include "dynamics/contact/sliding.h"
#include "dynamics/contact/slipping.h"
#include "mechanics/system/contacts.h"
#include "solution/solvability/solvability.h"

typedef struct RbvShares {
    RbvState *state;
    RbvSliding *sliding;
    RbvSlipping *slipping;
    const double *lambda;        /* [rows] the caller's: multipliers of the motion */
    RbvContacts contacts;        /* all unilateral constraints, which may not pull in a distribution of the load */
    RbvSolvability *solvability; /* ranks of the rows `rows` when last decided; NULL: never */
    RbvArena arena;              /* owns the arrays: */
    bool *rows;                  /* [rows] rows that were active then */
    bool *friction, *drive;      /* [friction contacts], [limited drives] true: gives way */
    bool *asked;                 /* [blocks, at most rows] true: block already examined */
} RbvShares;

/* lambda[rows]: multipliers of the motion. All arguments stay the caller's. Returns false if out of memory; the object
 * must be destroyed in either case. */
bool rbv_shares_create(RbvShares *shares, RbvSliding *sliding, RbvSlipping *slipping, const double *lambda);
void rbv_shares_destroy(RbvShares *shares);
/* Finds the items that give way at the evaluated state, after a solution: shares->friction, shares->drive. Where a
 * motion is found that begins, it also sets sliding->effort of these friction contacts to the friction that then acts,
 * and slipping->effort of these drives to the sign of their effort. Status NO_MEMORY if out of memory. */
RbvStatus rbv_shares_find(RbvShares *shares);
/* 1 minus the ratio of friction force to limit of sticking friction contact i in the motion's choice of multipliers;
 * negative: the limit is exceeded by more than rounding. */
double rbv_shares_friction_margin(const RbvShares *shares, int32_t i);
/* Does anything give way? */
bool rbv_shares_any(const RbvShares *shares);
/* Replaces lambda[rows], of least norm in the blocks of s, where a limit is exceeded in a block with sticking friction
 * although another distribution keeps all limits: by the least-norm lambda within the limits. Status NO_MEMORY if out
 * of memory. */
RbvStatus rbv_shares_admit(RbvShares *shares, const RbvSolvability *s, double *lambda);

#endif
