/* Effect of rounding of the positions on accelerations. For bodies on stiff springs that hardly move yet, accelerations
 * are rounding alone, and no step is short enough to be exact to a fraction of them. */
#ifndef RBV_DYNAMICS_INTEGRATION_ROUNDING_H
#define RBV_DYNAMICS_INTEGRATION_ROUNDING_H

#include "dynamics/integration/flow.h"

/* Finds noise[n]: a multiple of the change of accelerations when each position changes by one rounding (signs in no
 * pattern), at y[size] with the rate f. noise is left as it is where the changed state has no rate. scale[positions]:
 * factor of each position relative to the size of its part. moved[size], rate[size]: workspace. The flow's state is
 * changed. */
void rbv_rounding_find(RbvFlow *flow, double t, const double *y, const double *f, const double *scale, double *moved,
                       double *rate, double *noise);

#endif
