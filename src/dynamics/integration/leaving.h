/* The first step of a motion that starts at a singular position; see leaving.c. */
#ifndef RBV_DYNAMICS_INTEGRATION_LEAVING_H
#define RBV_DYNAMICS_INTEGRATION_LEAVING_H

#include "dynamics/integration/stepper.h"

/* Prepares the first step: the stepper is at a singular position, and the accelerations in the flow's state are those
 * of the motion through it (singular.h). NO_MEMORY; other errors are reported. */
RbvStatus rbv_stepper_leave_singular(RbvStepper *stepper);

#endif
