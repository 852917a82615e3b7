/* The contact of a cam on a surface of space: the outline drawn along its axis (gap.c), or turned about it
 * (revolved.c). */
#ifndef RBV_ELEMENT_SURFACE_H
#define RBV_ELEMENT_SURFACE_H

#include "element/measure.h"

/* Where it touches, and two unit tangents square to each other: along the outline, counterclockwise round the
 * material, and across it: along z, counterclockwise about z on a surface of revolution, n x along with the normal n
 * of a flat. In ground axes; as rates: how they change along a motion. */
typedef struct RbvSurfaceContact {
    RbvVec3 tangent[2], place;
} RbvSurfaceContact;

/* At the contact parameters `contact`; rate (NULL: not asked) along the motion t of the bodies of i and j. */
RbvSurfaceContact rbv_surface_contact(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                      const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate);

#endif
