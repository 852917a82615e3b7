/* The sparse matrix of the implicit method's Newton iteration (implicit_system.h): unknowns are q, v and multipliers,
 * in this order, and so are its rows.
 *
 *   row of q     q and v of its own body
 *   row of v     q and v of the body's neighbours, M, and C^T
 *   row of C     q and v of its bodies, and the diagonal
 */
#ifndef RBV_DYNAMICS_IMPLICIT_LAYOUT_H
#define RBV_DYNAMICS_IMPLICIT_LAYOUT_H

#include "dynamics/neighbours.h"

typedef struct RbvImplicitLayout {
    RbvArena arena;
    int32_t positions, n, rows, total; /* q, v, C, and all of them */
    int32_t bodies;
    int32_t *start, *index;                /* [total + 1] by rows, the diagonal first in each */
    int32_t *mass_at, *at, *at_transposed; /* [entries of M], [of C]: where they are, and those of C^T */
    int32_t *column_start, *column_row,
        *column_entry;        /* [positions + n + 1] by columns of q and v: entries that are differentiated */
    int32_t *first, *unknown; /* [bodies + 1]: the numbers of q and v of each body */
    int32_t *group, groups,
        most; /* [bodies] bodies of a group have no neighbour in common; the most unknowns of a body */
} RbvImplicitLayout;

/* *fits: it is sparse. False: no memory; to be destroyed in any case. */
bool rbv_implicit_layout_create(RbvImplicitLayout *layout, const RbvFlow *flow, bool *fits);
void rbv_implicit_layout_destroy(RbvImplicitLayout *layout);

#endif
