/* Modes of z' = A z: eigenvalues and their eigenvectors. Eigenvalues that are zero are told from small ones by the null
 * space of A. */
#ifndef RBV_DYNAMICS_VIBRATION_OSCILLATIONS_H
#define RBV_DYNAMICS_VIBRATION_OSCILLATIONS_H

#include "dynamics/vibration/linearisation.h"
#include "solution/record/record.h"

typedef struct RbvModalMotions {
    RbvModalMotion *items; /* sorted by |lambda|; of a pair +-r the growing one first */
    int32_t count;
    double *memory;
} RbvModalMotions;

/* Returns false if out of memory or if an iteration does not converge; the object must be destroyed in either case. */
bool rbv_modal_motions_find(const RbvLinear *linear, RbvModalMotions *motions);
void rbv_modal_motions_destroy(RbvModalMotions *motions);

#endif
