/* Instants at which what drives a motion is not smooth, known beforehand: a step that ends there need not be tried over
 * and over. */
#ifndef RBV_DYNAMICS_TABLE_KNOTS_H
#define RBV_DYNAMICS_TABLE_KNOTS_H

#include "model/model.h"

/* The first after t at which a table of the time has a knot, among drives, loads, own states and constraints; infinite:
 * there is none. */
double rbv_table_knots_next(const RbvModel *model, double t);

#endif
