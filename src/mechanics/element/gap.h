/* The gap of a cam: signed distance between an outline, or the surface of revolution that it draws, and a point, a
 * flat or a second outline; and the contact point with its tangents. */
#ifndef RBV_MECHANICS_ELEMENT_GAP_H
#define RBV_MECHANICS_ELEMENT_GAP_H

#include "mechanics/element/measure.h"

/* Contact point, and two unit tangents normal to each other: along the outline, counterclockwise round the material,
 * and across it: along z for a drawn outline, counterclockwise about z for a surface of revolution, n x along for a
 * flat with normal n. In ground axes. As rates: the changes of these vectors along a motion. */
typedef struct RbvSurfaceContact {
    RbvVec3 tangent[2], place;
} RbvSurfaceContact;

/* The contact at the contact parameters `contact`; its rate (NULL: not computed) along the twists t of the bodies of i
 * and j. */
RbvSurfaceContact rbv_surface_contact(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                      const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate);

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
double rbv_gap_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                    RbvTwist t0, RbvTwist t1);
void rbv_gap_hessian(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                     double H[12][12]);

#endif
