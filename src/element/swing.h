/* Rates of relative turning that have no angle: across a bar at its ends, and of the halves of a constant-velocity
 * joint. See swing.c. */
#ifndef RBV_ELEMENT_SWING_H
#define RBV_ELEMENT_SWING_H

#include "element/measure.h"

/* The gradient of a SWING or BEND. False where it is lost: the ends of the bar coincide, the shafts are folded back on
 * each other. */
bool rbv_swing_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                        RbvWrench gradient[2]);
/* Its second rate without accelerations; t: twists of both bodies. */
double rbv_swing_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2]);
/* The change of the gradient (12 numbers: force and torque on i, then on j) along a motion t. */
void rbv_swing_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2], double change[12]);

#endif
