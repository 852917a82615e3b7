/* A point on a curve of space, and on a surface of revolution; see track.c and revolved.c. */
#ifndef RBV_ELEMENT_TRACK_H
#define RBV_ELEMENT_TRACK_H

#include "element/measure.h"

/* Component `part` (0, 1) of the distance of j's origin from the curve, square to it at the nearest point. False: no
 * such point is found. */
bool rbv_track_place(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                     const RbvMeasureMemory *memory, RbvMeasureState *state);
/* The curve's unit tangent where j's origin is, and that place; how both change along a motion t of the bodies of i and
 * j. */
void rbv_track_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c, RbvVec3 *tangent,
                       RbvVec3 *place);
void rbv_track_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c,
                            const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place);
double rbv_track_bias(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state, RbvTwist t0, RbvTwist t1);
void rbv_track_hessian(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                       const RbvMeasureState *state, double H[12][12]);

/* Signed distance of j's origin from the outline turned about i's z: x of the outline is the distance from that axis, y
 * goes along it. */
bool rbv_revolved_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                        const RbvMeasureMemory *memory, RbvMeasureState *state);
double rbv_revolved_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                         const RbvMeasureState *state, RbvTwist t0, RbvTwist t1);

#endif
