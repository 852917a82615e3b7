/* How long a step of the motion may be, before any error is known: turns, and the first one. Times [s]. */
#ifndef RBV_DYNAMICS_STEP_LENGTHS_H
#define RBV_DYNAMICS_STEP_LENGTHS_H

#include "dynamics/stepper.h"

/* The longest in which no body turns too far. */
double rbv_step_by_turns(const RbvStepper *stepper);
/* The first, from the rates f at the start; then bounded by how these change. */
double rbv_step_first(const RbvStepper *stepper, const double *f);
double rbv_step_bound_first(RbvStepper *stepper, double t, const double *f, double h);

#endif
