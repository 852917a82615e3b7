/* Loads of one block of rows within the limits of friction, drives and contacts. The multipliers lambda of a motion are
 * one choice; self-stresses N (columns, null vectors of C^T of the block) leave others open, lambda + N y. Wanted is y
 * of the least sum |F|^2 + |T|^2/L^2 of the joints' forces F and torques T (L: a length) with
 *
 *   |f_i| <= static N_i of friction contacts that stick,   |e| <= max of drives that follow,   no contact pulls
 *
 * The normal load N_i is convex in y and stands on the larger side: its tangent lies below it, so that every answer of
 * the convex quadratic program with tangents in place of N_i fulfils the limits. The tangents are renewed until y no
 * longer changes (convex-concave procedure, as in statics/hold.h). The iteration starts at the least norm without
 * limits, so that internal loads are no larger than necessary. Where no y fulfils all limits the answer is the one of
 * least sum of squares of the violations. The violations are then a motion: slip velocities on which no self-stress
 * does work. That motion begins. */
#ifndef RBV_DYNAMICS_CONTACT_BLOCK_SHARE_H
#define RBV_DYNAMICS_CONTACT_BLOCK_SHARE_H

#include "dynamics/integration/flow.h"
#include "mechanics/system/contacts.h"

/* One limit: a . y <= b. */
typedef struct RbvShareLimit {
    int32_t friction, drive, contact; /* number of the friction contact, of the limited drive, or of the contact that
                                         the limit belongs to; the others -1 */
    RbvSlipVector slip; /* friction: slip . f <= static N, slip a unit vector; drive: slip[0] is -1 or 1 */
} RbvShareLimit;

typedef struct RbvBlockShare {
    const RbvFlow *flow;
    const RbvContacts *contacts;
    const RbvSolvability *s;
    int32_t block, p; /* number of the block; number of its self-stresses */
    RbvArena arena;
    double *H, *h;                     /* [p][p], [p]: the norm to be minimised is y.H y/2 + h.y */
    double *L;                         /* [p][p] H = L L^T */
    int32_t friction_count, *friction; /* [friction_count] numbers of the friction contacts of the block that stick */
    RbvWrench *reaction;    /* [friction contacts][p + 1] wrench of the joint for lambda, then for each column of N */
    double *friction_force; /* [friction contacts][RBV_MOST_SLIP_DIRECTIONS][p + 1] friction force f for lambda, then
                               for each column of N */
    double *slope;          /* [friction contacts][p + 1] static N linearised at y: constant, then gradient */
    double size;            /* [N] the largest friction force or friction limit: scale of forces */
    double *stress;         /* [p] the largest force of each self-stress, for a unit of y */
    RbvShareLimit *limit;   /* [limits] */
    int32_t limits, most;
    double *A, *b, *z; /* limits A y <= b: [most][p], [most]; z [most] multipliers of the limits: where the limits
                          contradict each other, in proportion to the violations */
    double *G, *q, *T, *weight, *work;
    bool *basic, lost;         /* basic: [most]; lost: out of memory */
    double *y, *last, *column; /* [p] answer, [p] answer of the last pass, [rows of the system] multipliers */
} RbvBlockShare;

/* Prepares the block for the multipliers lambda[rows], in the state at which s was decided. False: out of memory; to be
 * destroyed all the same. */
bool rbv_block_share_create(RbvBlockShare *share, const RbvFlow *flow, const RbvContacts *contacts,
                            const RbvSolvability *s, int32_t block, const double *lambda);
void rbv_block_share_destroy(RbvBlockShare *share);
/* Does lambda itself (y = 0) fulfil the limits? */
bool rbv_block_share_fits(RbvBlockShare *share);
/* Finds y; true: all limits are fulfilled. exact: y of the least norm within the limits; else the first y within the
 * limits. */
bool rbv_block_share_solve(RbvBlockShare *share, bool exact);
/* lambda[rows] += N y for the rows of the block. */
void rbv_block_share_take(const RbvBlockShare *share, double *lambda);
/* Friction force f at y of friction contact number `friction` of the block (0 ... friction_count - 1) [N or N m]. */
void rbv_block_share_force(const RbvBlockShare *share, int32_t friction, RbvSlipVector force);

#endif
