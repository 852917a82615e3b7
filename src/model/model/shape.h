/* Area, centroid and inertia of plane shapes (Haug, table 6.1.1) and of composites of them. */
#ifndef RBV_MODEL_MODEL_SHAPE_H
#define RBV_MODEL_MODEL_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
