/* Bounds of the length of a step before its error is known: by rotation, and of the first step. Times in s. */
#ifndef RBV_DYNAMICS_INTEGRATION_STEP_LENGTHS_H
#define RBV_DYNAMICS_INTEGRATION_STEP_LENGTHS_H

#include "dynamics/integration/stepper.h"

/* Longest step in which no body rotates by more than LARGEST_TURN (step_lengths.c). */
double rbv_step_by_turns(const RbvStepper *stepper);
/* First step, from the rates f at the start; then bounded by the change of f at t along the motion. */
double rbv_step_first(const RbvStepper *stepper, const double *f);
double rbv_step_bound_first(RbvStepper *stepper, double t, const double *f, double h);

#endif
