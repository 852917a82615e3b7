/* Places of a path that is walked in other coordinates, as bodies have them: results are of these. */
#ifndef RBV_STATICS_PATH_BODIES_H
#define RBV_STATICS_PATH_BODIES_H

#include "statics/path.h"

/* The place at the same bodies, with what is pressed and the stability of `stable` (the same place with other
 * supports, or itself) in terms of bodies; `like` is the search of bodies, whose scales it takes. To be destroyed in
 * all cases, before the place. NO_MEMORY; NO_EQUILIBRIUM: no multipliers. */
RbvStatus rbv_path_as_bodies(const RbvPlace *place, const RbvPlace *stable, const RbvEquilibriumSearch *like,
                             RbvPlace *bodies);
/* out[n of the bodies] = the motion[n of the place], scaled as steps of the bodies' balance are. */
void rbv_path_motion_of_bodies(const RbvPlace *place, const double *motion, const RbvBalance *bodies, double *out);

#endif
