/* Bodies that joints and drives hold fast, in a position where they do so barely: what lies nearly straight.
 *
 * The linear system of balance.h lets rows yield by its compliance c, which a singular value of C whose square is about
 * c does not see as held. There the bodies that the independent rows C_H determine stay where they were assembled, and
 * their multipliers follow from those of the others:
 *   C_H^T lambda_H = -(g + C^T lambda_others).
 */
#ifndef RBV_STATICS_LOCKED_BODIES_H
#define RBV_STATICS_LOCKED_BODIES_H

#include "linalg/lu.h"
#include "system/system.h"

typedef struct RbvLockedBodies {
    const RbvSystem *system;
    int32_t count;      /* columns of held bodies, and as many independent rows */
    int32_t *row;       /* [count] */
    int32_t *place;     /* [columns of the system] index among those held, or -1 */
    bool *is_held;      /* [rows] of a block that is held, redundant ones too */
    RbvLu *lu;          /* of C_H, scaled */
    double *values, *x; /* [entries], [count] scratch */
} RbvLockedBodies;

/* A singular value of a block, over its largest, below which its square is no longer far above the compliance of rows
 * (RBV_PROXIMAL). */
#define RBV_HELD_BARELY 1e-2

/* Of the rows with a weight, at the placed state. *held is NULL where nothing is held, or no block's least singular
 * value is below `below` times its largest. False: no memory. */
bool rbv_locked_bodies_create(const RbvState *state, const double *weight, double below, RbvLockedBodies **held);
void rbv_locked_bodies_destroy(RbvLockedBodies *held);
/* Factors of C_H from the scaled entries of C. False: singular. */
bool rbv_locked_bodies_factor(RbvLockedBodies *held, const double *C, bool *no_memory);
/* lambda[rows] of the held blocks from those of the others; gradient[columns]. */
void rbv_locked_bodies_multipliers(RbvLockedBodies *held, const double *C, const double *gradient, double *lambda);
/* y of the held columns, C_H y = h: the farthest that rows which are off by as much as those of h[rows] let them go;
 * the others stay. */
void rbv_locked_bodies_step(RbvLockedBodies *held, const double *h, double *y);

#endif
