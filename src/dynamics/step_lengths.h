/* How long a step of the motion may be, before any error is known: turns, positions where it jams, the first one. Times [s]. */
#ifndef RBV_DYNAMICS_STEP_LENGTHS_H
#define RBV_DYNAMICS_STEP_LENGTHS_H

#include "dynamics/stepper.h"

/* The longest in which no body turns too far. */
double rbv_step_by_turns(const RbvStepper *stepper);
/* The step h that was tried, or a shorter one that leads past no position where friction has no solution. */
double rbv_step_by_jams(const RbvStepper *stepper, double h);
/* The first, from the rates f at the start; then bounded by how these change. */
double rbv_step_first(const RbvStepper *stepper, const double *f);
double rbv_step_bound_first(RbvStepper *stepper, double t, const double *f, double h);

#endif
