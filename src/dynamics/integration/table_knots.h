/* Known instants at which a prescribed function of time is not smooth: a step that ends there need not be tried
 * repeatedly. */
#ifndef RBV_DYNAMICS_INTEGRATION_TABLE_KNOTS_H
#define RBV_DYNAMICS_INTEGRATION_TABLE_KNOTS_H

#include "model/model/model.h"

/* Returns the first instant after t [s] at which a table over time has a knot, among drives, loads, own states and
 * constraints; infinity: none. */
double rbv_table_knots_next(const RbvModel *model, double t);

#endif
