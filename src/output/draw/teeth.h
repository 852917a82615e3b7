/* Outline of toothed wheels: four corners for each tooth, straight flanks. */
#ifndef RBV_OUTPUT_DRAW_TEETH_H
#define RBV_OUTPUT_DRAW_TEETH_H

#include <roberval/scene.h>

/* Addendum and dedendum in modules 2 r / z (ISO 53); outer radius of a ring gear over its pitch radius. */
#define RBV_ADDENDUM 1.0
#define RBV_DEDENDUM 1.25
#define RBV_RIM 1.12

/* Corner n (0 to 3: foot, tip, tip, foot) of tooth k: returns its radius [m]; *angle: its angle [rad] from the x axis
 * of the figure. The middle of tooth 0 lies at angle 0. */
double rbv_tooth_corner(const RbvSceneFigure *wheel, int32_t k, int n, double *angle);
/* The wheel as a solid about the z axis of its figure, centred at z = 0, of thickness `thick` [m]: triangles of three
 * points each, to be freed by the caller; *count: number of triangles. NULL: out of memory. */
double *rbv_toothed_solid(const RbvSceneFigure *wheel, double thick, int32_t *count);

#endif
