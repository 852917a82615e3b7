/* Area, centroid and inertia of plane shapes (Haug, table 6.1.1); volume, centroid and inertia tensor of solids; and of
 * composites of them. */
#ifndef RBV_MODEL_MODEL_SHAPE_H
#define RBV_MODEL_MODEL_SHAPE_H

#include "core/linalg/small.h"

#include <stdbool.h>
#include <stdint.h>

/* A plane shape. */
typedef struct RbvPlaneShape {
    double area;        /* [m^2]; of a rod: length * height, of a ring: 2 pi R width (0 when not given) */
    double centroid[2]; /* [m] in the body frame */
    double gyration2;   /* [m^2] squared radius of gyration: inertia about the centroid over mass */
} RbvPlaneShape;

RbvPlaneShape rbv_shape_rod(const double from[2], const double to[2], double height);
RbvPlaneShape rbv_shape_rectangle(const double at[2], double width, double height);
/* Isosceles triangle; `at`: middle of the base [m], `angle`: of the base from x [rad]. */
RbvPlaneShape rbv_shape_triangle(const double at[2], double base, double height, double angle);
RbvPlaneShape rbv_shape_disk(const double at[2], double radius);
/* `at`: centre of the full circle [m]; the arc bulges in direction `angle` [rad]. */
RbvPlaneShape rbv_shape_semicircle(const double at[2], double radius, double angle);
RbvPlaneShape rbv_shape_ring(const double at[2], double radius, double width);
/* Polygon with count >= 3 corners [m] in either orientation; area 0 if degenerate. */
RbvPlaneShape rbv_shape_polygon(int32_t count, const double (*points)[2]);

/* Sums of mass [kg], first moments [kg m] and second moment [kg m^2] about the origin; a void has negative mass. */
typedef struct RbvComposite {
    double mass, first[2], second;
} RbvComposite;
void rbv_composite_add(RbvComposite *composite, const RbvPlaneShape *shape, double mass);
/* Centroid [m] and inertia [kg m^2] about the centroid; false if the mass is not positive. */
bool rbv_composite_finish(const RbvComposite *composite, double centroid[2], double *inertia);

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
