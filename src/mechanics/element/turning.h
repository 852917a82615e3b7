/* Measures of rotation in space: rotation vector, tilt, twist and products of axes; rates across a bar and between
 * shafts; see turning.c. */
#ifndef RBV_MECHANICS_ELEMENT_TURNING_H
#define RBV_MECHANICS_ELEMENT_TURNING_H

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

/* Evaluates value and gradient; a twist is near `last` by whole turns (NAN: no last value). False where the measure is
 * not defined. */
bool rbv_turning_place(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, double last,
                       RbvMeasureState *state);
/* Second rate for constant angular velocities wi, wj: a quadratic form of these, so that Hessians follow by
 * polarization. */
double rbv_turning_bias(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, RbvVec3 wi,
                        RbvVec3 wj);

#endif
