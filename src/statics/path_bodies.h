/* Points of a path that is followed in other coordinates, in terms of bodies: results are given for bodies. */
#ifndef RBV_STATICS_PATH_BODIES_H
#define RBV_STATICS_PATH_BODIES_H

#include "statics/path.h"

/* *bodies: the point `place` over bodies, with the closed supports and the stability of `stable` (the same positions
 * with other closed supports, or `place` itself). `like`: search over bodies, whose scale factors are used. Destroy
 * *bodies in all cases, before the point. NO_MEMORY; NO_EQUILIBRIUM: no multipliers. */
RbvStatus rbv_path_as_bodies(const RbvPlace *place, const RbvPlace *stable, const RbvEquilibriumSearch *like,
                             RbvPlace *bodies);
/* out[n of the bodies' balance] = motion[n of the point], scaled as steps of the bodies' balance. */
void rbv_path_motion_of_bodies(const RbvPlace *place, const double *motion, const RbvBalance *bodies, double *out);

#endif
