/* Shares of each in a load that self-stresses of one block leave open, within the limits of all: lambda + N y with
 *
 *   |f_i| <= static N_i of faces that stick,   |e| <= max of drives that follow,   no contact pulls
 * and the least sum |F|^2 + |T|^2/L^2. N_i is convex and stands on the larger side: its tangent lies below it, so that
 * the program with tangents, a convex quadratic one, has answers that hold; tangents are renewed until it stays (the
 * convex-concave procedure, as in statics/hold.h). It begins at the least norm without limits: internal loads are no
 * larger than they need be. Where nothing holds, the answer is that of the least sum of squares of what is lacking.
 * What is lacking is then a motion: rates of slide on which no self-stress does work. That motion begins.
 */
#ifndef RBV_DYNAMICS_BLOCK_SHARE_H
#define RBV_DYNAMICS_BLOCK_SHARE_H

#include "dynamics/flow.h"
#include "system/contacts.h"

/* One limit: a . y <= b. */
typedef struct RbvShareLimit {
    int32_t friction, drive, contact; /* of what: number of a friction, of a limited drive, of a contact; -1 */
    RbvSlipVector slip;               /* of a face: way . f <= static N; of a drive way[0] = -1 or 1 */
} RbvShareLimit;

typedef struct RbvBlockShare {
    const RbvFlow *flow;
    const RbvContacts *contacts;
    const RbvSolvability *s;
    int32_t block, p; /* self-stresses */
    RbvArena arena;
    double *H, *h;                     /* [p][p], [p]: the norm is y.H y/2 + h.y */
    double *L;                         /* [p][p] H = L L^T */
    int32_t friction_count, *friction; /* faces of the block that stick */
    RbvWrench *reaction;    /* [friction contacts][p + 1] the joint's wrench of lambda, and of each column of N */
    double *friction_force; /* [friction contacts][RBV_MOST_SLIP_DIRECTIONS][p + 1] f likewise */
    double *slope;          /* [friction contacts][p + 1] static N and its tangent at y */
    double size;            /* [N] of the largest friction or limit */
    double *stress;         /* [p] the largest force of each self-stress, over any number */
    RbvShareLimit *limit;   /* [limits] */
    int32_t limits, most;
    double *A, *b, *z; /* [most][p], [most], [most] what is lacking, over any number */
    double *G, *q, *T, *weight, *work;
    bool *basic, lost;         /* lost: no memory */
    double *y, *last, *column; /* [p], [p], [rows of the system] */
} RbvBlockShare;

/* Of the block at lambda[rows], in the state at which s was decided. False: no memory; to be destroyed all the same. */
bool rbv_block_share_create(RbvBlockShare *share, const RbvFlow *flow, const RbvContacts *contacts,
                            const RbvSolvability *s, int32_t block, const double *lambda);
void rbv_block_share_destroy(RbvBlockShare *share);
/* Is lambda as it was given within the limits? */
bool rbv_block_share_fits(RbvBlockShare *share);
/* Find y; do all hold? exact: of those that hold the least, else any. */
bool rbv_block_share_solve(RbvBlockShare *share, bool exact);
/* lambda + N y. */
void rbv_block_share_take(const RbvBlockShare *share, double *lambda);
/* f of a face of the block (0 ... face_count - 1) at y. */
void rbv_block_share_force(const RbvBlockShare *share, int32_t friction, RbvSlipVector force);

#endif
