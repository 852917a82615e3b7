/* The outline of toothed wheels: four corners for each tooth, straight flanks. */
#ifndef RBV_DRAW_TEETH_H
#define RBV_DRAW_TEETH_H

#include <roberval/scene.h>

/* Of a module: how far teeth stand out over the pitch circle, and how deep the gaps are; the outer radius of a ring
 * gear over its pitch radius. */
#define RBV_ADDENDUM 1.0
#define RBV_DEDENDUM 1.25
#define RBV_RIM 1.12

/* Corner n (0 to 3: foot, tip, tip, foot) of tooth k: its radius [m], and its angle from the x of the figure, where
 * tooth 0 has its middle. */
double rbv_tooth_corner(const RbvSceneFigure *wheel, int32_t k, int n, double *angle);
/* The wheel as a solid about the z of its figure, its middle at 0, as thick as that: a new list of triangles (three
 * points each), to be freed by the caller; *count of them. NULL: no memory. */
double *rbv_toothed_solid(const RbvSceneFigure *wheel, double thick, int32_t *count);

#endif
