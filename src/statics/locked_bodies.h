/* Bodies that joints and drives lock, in a position where they do so barely: nearly straight linkages.
 *
 * The linear system of balance.h lets rows yield by its compliance c; it does not resolve a singular value of C whose
 * square is about c. There the bodies that the independent rows C_H determine stay where they were assembled, and their
 * multipliers follow from those of the others:
 *   C_H^T lambda_H = -(g + C^T lambda_others).
 */
#ifndef RBV_STATICS_LOCKED_BODIES_H
#define RBV_STATICS_LOCKED_BODIES_H

#include "core/base/arena.h"
#include "core/linalg/lu.h"
#include "mechanics/system/system.h"

typedef struct RbvLockedBodies {
    RbvArena arena; /* of all arrays */
    const RbvSystem *system;
    int32_t count;      /* number of columns of locked bodies, and of independent rows */
    int32_t *row;       /* [count] independent rows */
    int32_t *place;     /* [columns of the system] index among the locked columns, or -1 */
    bool *is_locked;    /* [rows] row of a locked block, redundant ones too */
    RbvLu *lu;          /* factors of C_H, scaled */
    double *values, *x; /* [entries], [count] workspace */
} RbvLockedBodies;

/* Singular value of a block, over its largest, below which its square is no longer far above the compliance of rows
 * (RBV_PROXIMAL). */
#define RBV_LOCKED_BARELY 1e-2

/* Finds the locked bodies of the rows with a weight, at the evaluated state. *locked is NULL if no body is locked, or
 * if no block's least singular value is below `below` times its largest. False if out of memory. */
bool rbv_locked_bodies_create(const RbvState *state, const double *weight, double below, RbvLockedBodies **locked);
void rbv_locked_bodies_destroy(RbvLockedBodies *locked);
/* Factors C_H from the scaled entries of C. False: singular, or out of memory (*no_memory). */
bool rbv_locked_bodies_factor(RbvLockedBodies *locked, const double *C, bool *no_memory);
/* Computes lambda[rows] of the locked blocks from those of the others; gradient[columns]. */
void rbv_locked_bodies_multipliers(RbvLockedBodies *locked, const double *C, const double *gradient, double *lambda);
/* y of the locked columns, C_H y = h: bound of their displacement by row errors of the size of h[rows]; other entries
 * of y stay. */
void rbv_locked_bodies_step(RbvLockedBodies *locked, const double *h, double *y);

#endif
