/* Mass, centroid and inertia tensor of solids and of what they compose. */
#ifndef RBV_MODEL_SOLID_H
#define RBV_MODEL_SOLID_H

#include "linalg/rotation.h"

#include <stdbool.h>
#include <stdint.h>

/* second: (1/m) integral of (x - c)(x - c)^T dm, as xx yy zz xy xz yz [m^2]. */
typedef struct RbvSolid {
    double volume; /* [m^3]; of a rod 0 */
    RbvVec3 centroid;
    double second[6];
} RbvSolid;

/* A block with edges `size` along its axes, turned by `rotation`, its middle at `at`. */
RbvSolid rbv_solid_box(RbvVec3 at, RbvVec3 size, RbvQuat rotation);
RbvSolid rbv_solid_cylinder(RbvVec3 from, RbvVec3 to, double radius);
/* From the middle of the base to the apex. */
RbvSolid rbv_solid_cone(RbvVec3 from, RbvVec3 to, double radius);
RbvSolid rbv_solid_sphere(RbvVec3 at, double radius);
/* Thin. */
RbvSolid rbv_solid_rod(RbvVec3 from, RbvVec3 to);
/* Inside a closed surface of triangles corner[3 count]; the volume is negative when they face inwards. */
RbvSolid rbv_solid_mesh(int32_t count, const RbvVec3 *corner);

/* Mass and its moments about the origin add; a void has negative mass. */
typedef struct RbvMassSum {
    double mass;
    RbvVec3 first;
    double second[6];
} RbvMassSum;
void rbv_mass_add(RbvMassSum *sum, const RbvSolid *solid, double mass);
/* Centroid, and inertia about it: Ixx Iyy Izz Ixy Ixz Iyz, elements of the tensor. False when the mass is not positive.
 */
bool rbv_mass_finish(const RbvMassSum *sum, double centroid[3], double inertia[6]);

#endif
