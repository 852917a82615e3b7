/* What rounding of the places does to accelerations: of bodies that hardly move yet on stiff springs this is all that
 * there is, and no step is short enough to be exact to a share of it. */
#ifndef RBV_DYNAMICS_ROUNDING_H
#define RBV_DYNAMICS_ROUNDING_H

#include "dynamics/flow.h"

/* At y[size], whose rate is f: noise[n], some times what accelerations change by when places move by one rounding, to
 * and fro; left as it is where that has no rate. worth[positions]: of each place as a share of its size. moved[size]
 * and rate[size] are scratch. The state is beside y afterwards. */
void rbv_rounding_find(RbvFlow *flow, double t, const double *y, const double *f, const double *scale, double *moved,
                       double *rate, double *noise);

#endif
