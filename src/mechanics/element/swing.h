/* Rates of relative rotation without an angle: across a bar at its ends, and between the halves of a constant-velocity
 * joint. See swing.c. */
#ifndef RBV_MECHANICS_ELEMENT_SWING_H
#define RBV_MECHANICS_ELEMENT_SWING_H

#include "mechanics/element/measure.h"

/* The gradient of a SWING or BEND. False where it is not defined: the ends of the bar coincide, or the shafts are
 * folded back on each other. */
bool rbv_swing_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                        RbvWrench gradient[2]);
/* Second rate of such a measure without accelerations; t: twists of both bodies. */
double rbv_swing_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2]);
/* Rate of change of the gradient (12 numbers: force and torque on i, then on j) along the twists t. */
void rbv_swing_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2], double change[12]);

#endif
