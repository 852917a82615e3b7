/* Finds the parts of a model that are at or next to a singular position, and those of them in which the equations of
 * singular.h hold: forces there must depend neither on reactions nor on what rows leave open. */
#ifndef RBV_DYNAMICS_INTEGRATION_SINGULAR_PARTS_H
#define RBV_DYNAMICS_INTEGRATION_SINGULAR_PARTS_H

#include "dynamics/integration/flow.h"
#include "solution/solvability/solvability.h"

typedef enum RbvPartKind {
    RBV_PART_REGULAR,
    RBV_PART_FOLLOWED, /* the motion through the singular position can be found */
    RBV_PART_LOADED    /* the motion cannot be found: forces depend on reactions */
} RbvPartKind;

typedef struct RbvSingularParts {
    const RbvFlow *flow;
    unsigned char *kind;  /* [parts] RbvPartKind */
    const char *cause;    /* reason, in words, why a part is of kind LOADED; NULL: no part is */
    int32_t redundant[3]; /* by RbvPartKind: number of redundant rows */
    double smallest[3];   /* by RbvPartKind: smallest singular value, relative to the largest */
    int32_t columns[3];   /* by RbvPartKind: number of columns of bodies */
} RbvSingularParts;

/* Returns false if out of memory. */
bool rbv_singular_parts_create(RbvSingularParts *parts, const RbvFlow *flow);
void rbv_singular_parts_destroy(RbvSingularParts *parts);
/* Sets the kinds from decided ranks: singular are parts whose rows repeat others or have a singular value of at most
 * `near`. */
void rbv_singular_parts_find(RbvSingularParts *parts, const RbvSolvability *solvability, double near);
/* Kind of the part of a block of rows; kind of the part of a body. */
RbvPartKind rbv_singular_parts_of_block(const RbvSingularParts *parts, const RbvSolvability *solvability,
                                        int32_t block);
RbvPartKind rbv_singular_parts_of_body(const RbvSingularParts *parts, int32_t body);

#endif
