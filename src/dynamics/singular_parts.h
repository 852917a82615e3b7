/* Which parts of a machine stand at a singular position, or next to one, and in which of them the equations of
 * singular.h hold: forces there must not depend on reactions, nor on what rows leave open. */
#ifndef RBV_DYNAMICS_SINGULAR_PARTS_H
#define RBV_DYNAMICS_SINGULAR_PARTS_H

#include "dynamics/flow.h"
#include "solvability/solvability.h"

typedef enum RbvPartKind {
    RBV_PART_REGULAR,
    RBV_PART_FOLLOWED, /* the motion through the place can be found */
    RBV_PART_LOADED    /* it cannot: forces follow reactions */
} RbvPartKind;

typedef struct RbvSingularParts {
    const RbvFlow *flow;
    unsigned char *kind;  /* [parts] RbvPartKind */
    const char *cause;    /* why some part is loaded, in words; NULL: none is */
    int32_t redundant[3]; /* rows of parts of each kind */
    double smallest[3];   /* singular value of such a part, of its largest */
    int32_t columns[3];   /* of bodies in them */
} RbvSingularParts;

/* False: no memory. */
bool rbv_singular_parts_create(RbvSingularParts *parts, const RbvFlow *flow);
void rbv_singular_parts_destroy(RbvSingularParts *parts);
/* By the ranks that have been decided: parts whose rows repeat others, or hold by a singular value of no more than
 * `near`. */
void rbv_singular_parts_find(RbvSingularParts *parts, const RbvSolvability *solvability, double near);
/* Of a block of rows; of a body. */
RbvPartKind rbv_singular_parts_of_block(const RbvSingularParts *parts, const RbvSolvability *solvability,
                                        int32_t block);
RbvPartKind rbv_singular_parts_of_body(const RbvSingularParts *parts, int32_t body);

#endif
