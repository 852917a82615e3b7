/* Volume, centroid and inertia tensor of solids and of composites of them. */
#ifndef RBV_MODEL_MODEL_SOLID_H
#define RBV_MODEL_MODEL_SOLID_H

#include "core/linalg/rotation.h"

#include <stdbool.h>
#include <stdint.h>

/* A solid of unit mass. second: (1/m) integral of (x - c)(x - c)^T dm about the centroid c, as xx yy zz xy xz yz
 * [m^2]. */
typedef struct RbvSolid {
    double volume; /* [m^3]; of a rod 0 */
    RbvVec3 centroid;
    double second[6];
} RbvSolid;

/* Box with edges `size` [m], turned by `rotation`, with its middle at `at` [m]. */
RbvSolid rbv_solid_box(RbvVec3 at, RbvVec3 size, RbvQuat rotation);
RbvSolid rbv_solid_cylinder(RbvVec3 from, RbvVec3 to, double radius);
/* Cone from the middle of the base to the apex [m]. */
RbvSolid rbv_solid_cone(RbvVec3 from, RbvVec3 to, double radius);
RbvSolid rbv_solid_sphere(RbvVec3 at, double radius);
/* Thin rod; volume 0. */
RbvSolid rbv_solid_rod(RbvVec3 from, RbvVec3 to);
/* Solid inside a closed triangle surface corner[3 count] [m]; the volume is negative if the triangles face inwards. */
RbvSolid rbv_solid_mesh(int32_t count, const RbvVec3 *corner);

/* Sums of mass [kg], first moments [kg m] and second moments [kg m^2] about the origin; a void has negative mass. */
typedef struct RbvMassSum {
    double mass;
    RbvVec3 first;
    double second[6];
} RbvMassSum;
void rbv_mass_add(RbvMassSum *sum, const RbvSolid *solid, double mass);
/* Centroid [m], and inertia tensor elements Ixx Iyy Izz Ixy Ixz Iyz [kg m^2] about the centroid. False if the mass is
 * not positive. */
bool rbv_mass_finish(const RbvMassSum *sum, double centroid[3], double inertia[6]);

#endif
