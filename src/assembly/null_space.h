/* The null space of the constraints at an assembled state, over the independent coordinates z: those of drives, whose
 * rows are open, and those that are left.
 *
 *   v = R z'        v' = R z'' + sum_jk (dr_j/dz_k) z_j' z_k'
 * r_k are the rates with z_k' = 1 and all other z' = 0. With z'' = 0 the second is an acceleration, the same in all
 * coordinates as a motion of the bodies: those of z_j' = z_k' = 1 give the sum of both orders of a pair (García de
 * Jalón and Bayo, chapter 6: 6.44 to 6.48; R000-43 ... R000-47).
 */
#ifndef RBV_ASSEMBLY_NULL_SPACE_H
#define RBV_ASSEMBLY_NULL_SPACE_H

#include "assembly/freedom.h"

typedef struct RbvNullSpace {
    RbvArena arena;
    RbvState *state; /* absolute coordinates, the caller's */
    RbvFreedom *freedom;
    int32_t count;            /* of z */
    const char **names;       /* [count] */
    int32_t *drive;           /* [count] whose coordinate it is, or -1 */
    int32_t *taken;           /* [count] the number that the freedom has taken it by */
    double *R;                /* [count][bodies.size] as twists of bodies */
    int32_t row_count, *rows; /* those that hold with the drives open */
    double *inverse;          /* [bodies.size][row_count] of their rows of D, of least norm in lengths */
    double *gamma, *work;     /* [2 rows], [bodies.size] */
} RbvNullSpace;

/* Full matrices: columns of bodies, at most. */
#define RBV_NULL_SPACE_MOST 120

/* Why there is none; NULL: there is. */
const char *rbv_null_space_missing(const RbvSystem *system);
/* Of a state in absolute coordinates, assembled; its v is spoilt. NO_MEMORY, LOCKED (no decomposition). To be destroyed
 * in any case. */
RbvStatus rbv_null_space_create(RbvState *state, RbvNullSpace *space);
void rbv_null_space_destroy(RbvNullSpace *space);
/* The accelerations a[bodies.size] of the bodies with the rates u[bodies.size] of theirs, a combination of R, and z'' =
 * 0; the state is left moved by u. What of rows goes with time itself is left out. */
void rbv_null_space_accelerate(RbvNullSpace *space, const double *u, double *a);

#endif
