/* Measures of rotation in space: rotation vector, tilt, twist and products of axes; see turning.c. */
#ifndef RBV_MECHANICS_ELEMENT_TURNING_H
#define RBV_MECHANICS_ELEMENT_TURNING_H

#include "mechanics/element/measure.h"

/* Evaluates value and gradient; a twist is near `last` by whole turns (NAN: no last value). False where the measure is
 * not defined. */
bool rbv_turning_place(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, double last,
                       RbvMeasureState *state);
/* Second rate for constant angular velocities wi, wj: a quadratic form of these, so that Hessians follow by
 * polarization. */
double rbv_turning_bias(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, RbvVec3 wi,
                        RbvVec3 wj);

#endif
