/* The null space of the constraints at an assembled state, over independent coordinates z: those of drives, whose rows
 * are open, and those of the remaining freedoms.
 *
 *   v = R z'        v' = R z'' + sum_jk (dr_j/dz_k) z_j' z_k'
 * r_k are the rates with z_k' = 1 and all other z' = 0. With z'' = 0 the second equation gives an acceleration, as a
 * motion of the bodies the same in all coordinates: for z_j' = z_k' = 1 the sum of both orders of a pair (García de
 * Jalón and Bayo, chapter 6: 6.44 to 6.48; R000-43 ... R000-47). */
#ifndef RBV_SOLUTION_ASSEMBLY_NULL_SPACE_H
#define RBV_SOLUTION_ASSEMBLY_NULL_SPACE_H

#include "solution/assembly/freedom.h"

typedef struct RbvNullSpace {
    RbvArena arena;
    RbvState *state; /* in absolute coordinates, the caller's */
    RbvFreedom *freedom;
    int32_t count;            /* number of coordinates z */
    const char **names;       /* [count] names of the coordinates */
    int32_t *drive;           /* [count] drive on the coordinate, or -1 */
    int32_t *taken;           /* [count] index of the coordinate among the gradients taken in `freedom` */
    double *R;                /* [count][bodies.size] rates r_k as body twists */
    int32_t row_count, *rows; /* active rows, with the drives open */
    double *inverse;          /* [bodies.size][row_count] pseudoinverse of their rows of D, of least norm in lengths */
    double *gamma, *work;     /* workspace: [2 rows], [2 bodies.size] */
} RbvNullSpace;

/* Largest number of columns of bodies, as the matrices are full. */
#define RBV_NULL_SPACE_MOST 120

/* The reason why there is no null space matrix; NULL: there is one. */
const char *rbv_null_space_missing(const RbvSystem *system);
/* Computes the null space at an assembled state in absolute coordinates; overwrites its v. NO_MEMORY, LOCKED (no
 * decomposition). To be destroyed in any case. */
RbvStatus rbv_null_space_create(RbvState *state, RbvNullSpace *space);
void rbv_null_space_destroy(RbvNullSpace *space);
/* Accelerations a[bodies.size] of the bodies for the rates u[bodies.size], a combination of R, and z'' = 0. Leaves the
 * state's velocities evaluated for u. Explicit time dependence of rows is left out. */
void rbv_null_space_accelerate(RbvNullSpace *space, const double *u, double *a);

#endif
