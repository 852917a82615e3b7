/* Where a point of the mechanism is on paper: a parallel projection, and the poses of bodies at one sample. */
#ifndef RBV_DRAW_PAPER_H
#define RBV_DRAW_PAPER_H

#include <roberval/draw.h>

#include "linalg/rotation.h"

typedef struct RbvPaper {
    RbvVec3 right, up, toward; /* unit, ground's axes; toward: to the eye */
    double scale;              /* [px/m] */
    double x, y;               /* [px] of ground's origin */
    double low[2], high[2];    /* [m] along right and up: what has been seen (rbv_paper_see) */
} RbvPaper;

typedef struct RbvSpot {
    double x, y, depth; /* [px], [px], [m] */
} RbvSpot;

/* The axes of a view of a scene; nothing has been seen yet. */
RbvPaper rbv_paper_of(const RbvScene *scene, RbvViewpoint viewpoint);
/* The box of what is drawn grows to hold this point with so much around it. */
void rbv_paper_see(RbvPaper *paper, RbvVec3 point, double around);
/* All that was seen fits into width x height px less the margins at the sides and above and below, in its middle. */
void rbv_paper_fit(RbvPaper *paper, double width, double height, const double margin[2]);

static inline RbvSpot rbv_paper_at(const RbvPaper *paper, RbvVec3 p) {
    return (RbvSpot){paper->x + paper->scale * rbv_dot(paper->right, p),
                     paper->y - paper->scale * rbv_dot(paper->up, p), rbv_dot(paper->toward, p)};
}

/* A body's frame at a sample, in ground's axes. */
typedef struct RbvPlace {
    RbvVec3 at;
    RbvMat3 A;
} RbvPlace;
/* Of all bodies of the scene, new, to be freed by the caller; NULL: no memory. */
RbvPlace *rbv_places_at(const RbvResult *result, int32_t sample);

static inline RbvVec3 rbv_place_point(const RbvPlace *place, const double p[3]) {
    return rbv_add(place->at, rbv_apply(&place->A, (RbvVec3){p[0], p[1], p[2]}));
}
/* The axes of a turn that is given on a body, in ground's. */
RbvMat3 rbv_place_axes(const RbvPlace *place, const double turn[4]);

#endif
