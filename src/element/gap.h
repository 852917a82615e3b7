/* The gap of a cam: signed distance between an outline and a point, a flat or a second outline. */
#ifndef RBV_ELEMENT_GAP_H
#define RBV_ELEMENT_GAP_H

#include "element/measure.h"

bool rbv_gap_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                   const RbvMeasureMemory *memory, RbvMeasureState *state);
/* Of the first outline, where it touches; after rbv_gap_place. */
RbvVec3 rbv_gap_point(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state);
/* Where it touches: its unit tangent, counterclockwise about the material, and the place, in ground axes; and how both
 * change along a motion t of the bodies of i and j. */
void rbv_gap_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                     RbvVec3 *tangent, RbvVec3 *place);
void rbv_gap_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                          const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place);
/* Of the second, where the first meets it: the point that follows, or that of its outline; and how it changes along t
 * (rate NULL: not asked). */
void rbv_gap_follower(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                      const RbvTwist t[2], RbvVec3 *place, RbvVec3 *rate);
double rbv_gap_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                    RbvTwist t0, RbvTwist t1);
void rbv_gap_hessian(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                     double H[12][12]);

#endif
