/* Pattern of the sparse matrix of the implicit method's Newton iteration (implicit_system.h). Unknowns are q, v and the
 * multipliers, in this order, and so are the rows. Entries of a row:
 *
 *   row of q     q and v of its own body
 *   row of v     q and v of the body's neighbours, M, and C^T
 *   row of C     q and v of its bodies, and the diagonal
 */
#ifndef RBV_DYNAMICS_INTEGRATION_IMPLICIT_LAYOUT_H
#define RBV_DYNAMICS_INTEGRATION_IMPLICIT_LAYOUT_H

#include "dynamics/integration/neighbours.h"

typedef struct RbvImplicitLayout {
    RbvArena arena;
    int32_t positions, n, rows, total; /* numbers of rows: of q, of v, of C, in all */
    int32_t bodies;
    int32_t *start, *index; /* [total + 1] compressed rows; the diagonal is the first entry of each row */
    int32_t *mass_at, *at, *at_transposed; /* [entries of M], [of C]: places among the entries; those of C^T */
    int32_t *column_start, *column_row, *column_entry; /* [positions + n + 1] compressed columns of q and v: rows and
                                                          places of the entries that are differentiated */
    int32_t *first, *unknown;                          /* [bodies + 1]: the unknowns q and v of each body */
    int32_t *group, groups, most; /* [bodies] group of each body: bodies of a group have no neighbour in common; number
                                     of groups; the most unknowns of a body */
} RbvImplicitLayout;

/* Creates the pattern. *fits: the matrix is sparse. False: out of memory; to be destroyed in any case. */
bool rbv_implicit_layout_create(RbvImplicitLayout *layout, const RbvFlow *flow, bool *fits);
void rbv_implicit_layout_destroy(RbvImplicitLayout *layout);

#endif
