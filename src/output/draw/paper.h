/* Parallel projection of points of the mechanism to paper, and poses of the bodies at one sample. */
#ifndef RBV_OUTPUT_DRAW_PAPER_H
#define RBV_OUTPUT_DRAW_PAPER_H

#include <roberval/draw.h>

#include "core/linalg/rotation.h"

typedef struct RbvPaper {
    RbvVec3 right, up, toward; /* unit vectors in ground's axes; toward: to the eye */
    double scale;              /* [px/m] */
    double x, y;               /* [px] position of ground's origin */
    double low[2], high[2];    /* [m] box along right and up of all that has been seen (rbv_paper_see) */
} RbvPaper;

typedef struct RbvSpot {
    double x, y, depth; /* position on paper [px]; depth towards the eye [m] */
} RbvSpot;

/* Projection of a scene from a viewpoint; the box of what has been seen is empty. */
RbvPaper rbv_paper_of(const RbvScene *scene, RbvViewpoint viewpoint);
/* Extends the box of what has been seen by a point [m] with a margin `around` [m]. */
void rbv_paper_see(RbvPaper *paper, RbvVec3 point, double around);
/* Sets scale and origin so that the box fits into width x height [px], less margin[0] at the sides and margin[1] above
 * and below, centred. */
void rbv_paper_fit(RbvPaper *paper, double width, double height, const double margin[2]);

/* Position on paper of a point p [m] in ground's axes. */
static inline RbvSpot rbv_paper_at(const RbvPaper *paper, RbvVec3 p) {
    return (RbvSpot){paper->x + paper->scale * rbv_dot(paper->right, p),
                     paper->y - paper->scale * rbv_dot(paper->up, p), rbv_dot(paper->toward, p)};
}

/* Frame of a body at a sample: origin [m] and axes, in ground's axes. */
typedef struct RbvPlace {
    RbvVec3 at;
    RbvMat3 A;
} RbvPlace;
/* Frames [scene->body_count] of all bodies at a sample, to be freed by the caller; NULL: out of memory. */
RbvPlace *rbv_places_at(const RbvResult *result, int32_t sample);

/* Point p [m] of a body, in ground's axes. */
static inline RbvVec3 rbv_place_point(const RbvPlace *place, const double p[3]) {
    return rbv_add(place->at, rbv_apply(&place->A, (RbvVec3){p[0], p[1], p[2]}));
}
/* Axes, in ground's axes, of a quaternion turn[4] = (w, x, y, z) relative to a body. */
RbvMat3 rbv_place_axes(const RbvPlace *place, const double turn[4]);

#endif
