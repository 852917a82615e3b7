/* A point on a curve in space (track.c), and on a surface of revolution (gap.c). */
#ifndef RBV_MECHANICS_ELEMENT_TRACK_H
#define RBV_MECHANICS_ELEMENT_TRACK_H

#include "mechanics/element/measure.h"

/* Component `part` (0, 1) of the distance [m] of j's origin from the curve, normal to the curve at the nearest point,
 * with its gradient. False: no nearest point is found. */
bool rbv_track_place(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                     const RbvMeasureMemory *memory, RbvMeasureState *state);
/* Unit tangent and point of the curve at parameter c, the nearest point of j's origin; the rates of both along the
 * twists t of the bodies of i and j. */
void rbv_track_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c, RbvVec3 *tangent,
                       RbvVec3 *place);
void rbv_track_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c,
                            const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place);
double rbv_track_bias(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state, RbvTwist t0, RbvTwist t1);
void rbv_track_hessian(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                       const RbvMeasureState *state, double H[12][12]);

/* Signed distance [m] of j's origin from the outline revolved about i's z, with its gradient; and its bias. x of the
 * outline is the distance from that axis, y is along it. */
bool rbv_revolved_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                        const RbvMeasureMemory *memory, RbvMeasureState *state);
double rbv_revolved_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                         const RbvMeasureState *state, RbvTwist t0, RbvTwist t1);

#endif
