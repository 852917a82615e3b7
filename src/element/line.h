/* Line rows: a direction n and a point P, both geometry of markers; the row is n.(v_j - v_i at P). See line.c. */
#ifndef RBV_ELEMENT_LINE_H
#define RBV_ELEMENT_LINE_H

#include "element/measure.h"

/* Gradient of a measure that acts along lines: SLIP, ROLL, MESH, TOOTH, GLIDE. contact[2]: contact parameters (GLIDE).
 * False where its geometry is lost (a disk lying flat). */
bool rbv_line_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const double *contact, RbvWrench gradient[2]);
/* Its second rate without accelerations; t: twists of the bodies of i, of j, and of the carrier (MESH). */
double rbv_line_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3]);
/* The change of the gradient (12 numbers: force and torque on i, then on j) along a motion t. */
void rbv_line_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3], double change[12]);
/* The marker that carries the lines of a MESH, or of teeth; -1: there is none. */
int32_t rbv_line_carrier(const RbvMeasure *measure, const RbvModel *model);

/* Height of the lowest point of a disk over i's xy plane: N.d - R sqrt(1 - (N.a)^2), a the disk's axis. False when it
 * lies flat. */
bool rbv_contact_place(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvMeasureState *state);
double rbv_contact_bias(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist t0, RbvTwist t1);

#endif
