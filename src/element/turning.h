/* Measures of turning in space: rotation vector, tilt, twist and products of axes; see turning.c. */
#ifndef RBV_ELEMENT_TURNING_H
#define RBV_ELEMENT_TURNING_H

#include "element/measure.h"

/* Value and gradient; `last` is the value to stay near by whole turns (twist; NAN: none). False where the measure is
 * not defined. */
bool rbv_turning_place(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, double last,
                       RbvMeasureState *state);
/* Second rate for constant angular velocities; symmetric form of them, so that Hessians follow by polarization. */
double rbv_turning_bias(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, RbvVec3 wi,
                        RbvVec3 wj);

#endif
