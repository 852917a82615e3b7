/* The contact of a cam on a surface in space: the outline drawn along its axis (gap.c), or revolved about it
 * (revolved.c). */
#ifndef RBV_MECHANICS_ELEMENT_SURFACE_H
#define RBV_MECHANICS_ELEMENT_SURFACE_H

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

#endif
