/* Line rows n.(v_j - v_i at P), with a direction n and a point P that follow from markers. See line.c. */
#ifndef RBV_MECHANICS_ELEMENT_LINE_H
#define RBV_MECHANICS_ELEMENT_LINE_H

#include "mechanics/element/measure.h"

/* Gradient of a measure along lines: SLIP, ROLL, MESH, TOOTH, GLIDE. contact[2]: contact parameters (GLIDE). False
 * where the line is not defined (a disk lying flat). */
bool rbv_line_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const double *contact, RbvWrench gradient[2]);
/* Second rate of such a measure without accelerations; t: twists of the bodies of i, of j, and of the carrier (MESH).
 */
double rbv_line_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3]);
/* Rate of change of the gradient (12 numbers: force and torque on i, then on j) along the twists t. */
void rbv_line_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3], double change[12]);
/* The marker that carries the lines of a MESH or TOOTH measure; -1: none. */
int32_t rbv_line_carrier(const RbvMeasure *measure, const RbvModel *model);

/* Height of the lowest point of a disk over i's xy plane, N.d - R sqrt(1 - (N.a)^2), a being the disk's axis, with
 * gradient; and its bias. False when the disk lies flat. */
bool rbv_contact_place(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvMeasureState *state);
double rbv_contact_bias(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist t0, RbvTwist t1);

#endif
