/* Shapes that figures have only when they are drawn: guides over the travel of the bodies, teeth of wheels. */
#ifndef RBV_OUTPUT_DRAW_SHAPES_H
#define RBV_OUTPUT_DRAW_SHAPES_H

#include "core/linalg/small.h"
#include "model/result/scene.h"

/* Vector and quaternion (w, x, y, z) from numbers of a figure or marker. */
static inline RbvVec3 rbv_vec3_at(const double p[3]) {
    return (RbvVec3){p[0], p[1], p[2]};
}
static inline RbvQuat rbv_quat_at(const double turn[4]) {
    return (RbvQuat){turn[0], {turn[1], turn[2], turn[3]}};
}

/* Name of the item or body that a figure belongs to; NULL: ground. */
static inline const char *rbv_figure_name(const RbvScene *scene, const RbvSceneFigure *figure) {
    if (figure->of >= 0)
        return scene->items[figure->of].name;
    return figure->body >= 0 ? scene->bodies[figure->body].name : NULL;
}

/* *spread: the scene of the result with its guides (rails, plates, racks, hatching) extended over samples[count] (-1:
 * the state of the scene), as far as the bodies travel along them. Figures and their points are in the arena. False:
 * out of memory. */
bool rbv_guides_spread(const RbvResult *result, const int32_t *samples, int32_t count, RbvArena *arena,
                       RbvScene *spread);

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
