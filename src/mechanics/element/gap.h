/* The gap of a cam: signed distance between an outline and a point, a flat or a second outline. */
#ifndef RBV_MECHANICS_ELEMENT_GAP_H
#define RBV_MECHANICS_ELEMENT_GAP_H

#include "mechanics/element/measure.h"

bool rbv_gap_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                   const RbvMeasureMemory *memory, RbvMeasureState *state);
/* Contact point on the first outline, in ground axes; after rbv_gap_place. */
RbvVec3 rbv_gap_point(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state);
/* Unit tangent of the first outline at its contact point, counterclockwise about the material, and that point, in
 * ground axes; and the rates of both along the twists t of the bodies of i and j. */
void rbv_gap_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                     RbvVec3 *tangent, RbvVec3 *place);
void rbv_gap_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                          const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place);
/* Contact point of the follower: its point, or the contact point of the second outline; and its rate along t (rate
 * NULL: not computed). */
void rbv_gap_follower(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                      const RbvTwist t[2], RbvVec3 *place, RbvVec3 *rate);
double rbv_gap_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                    RbvTwist t0, RbvTwist t1);
void rbv_gap_hessian(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                     double H[12][12]);

#endif
