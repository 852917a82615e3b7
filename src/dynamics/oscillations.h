/* The modes of z' = A z: eigenvalues and the motions that belong to them, those of eigenvalue zero told from small ones
 * by the null space of A. */
#ifndef RBV_DYNAMICS_OSCILLATIONS_H
#define RBV_DYNAMICS_OSCILLATIONS_H

#include "dynamics/linearisation.h"
#include "record/record.h"

typedef struct RbvModalMotions {
    RbvModalMotion *items; /* by |lambda|; of a pair +-r the growing one first */
    int32_t count;
    double *memory;
} RbvModalMotions;

/* False: no memory (also where an iteration does not converge). To be destroyed all the same. */
bool rbv_modal_motions_find(const RbvLinear *linear, RbvModalMotions *motions);
void rbv_modal_motions_destroy(RbvModalMotions *motions);

#endif
