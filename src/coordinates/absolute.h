/* Absolute coordinates: each body by the position of its centroid and its orientation; velocities are its twist.
 *
 * In the plane a body has q = (x, y, turn) and v = (vx, vy, w), a particle q = (x, y). Ground has none. The operations are those
 * that every coordinates module offers: place the bodies, push velocities to twists, pull wrenches back to generalized forces
 * (the same map transposed), move along a step of v, and the masses.
 */
#ifndef RBV_COORDINATES_ABSOLUTE_H
#define RBV_COORDINATES_ABSOLUTE_H

#include "marker/marker.h"
#include "model/model.h"

typedef struct RbvAbsolute {
    int32_t body_count;   /* with ground */
    int32_t size;         /* of q and v */
    int32_t *start;       /* [body_count + 1] first coordinate of each body */
} RbvAbsolute;

/* Lay out the bodies of a model; arrays in `arena`. False: no memory. */
bool rbv_absolute_create(const RbvModel *model, RbvArena *arena, RbvAbsolute *absolute);
/* The starting poses as coordinates q[size]. */
void rbv_absolute_start(const RbvAbsolute *absolute, const RbvModel *model, double *q);
/* Bodies [body_count] at q; ground too. */
void rbv_absolute_place(const RbvAbsolute *absolute, const double *q, RbvBodyState *bodies);
/* Twists [body_count] of v. */
void rbv_absolute_push(const RbvAbsolute *absolute, const double *v, RbvTwist *twists);
/* Generalized forces Q[size] of wrenches [body_count] about the centroids. */
void rbv_absolute_pull(const RbvAbsolute *absolute, const RbvWrench *wrenches, double *Q);
/* q moved by the step dv[size]. */
void rbv_absolute_step(const RbvAbsolute *absolute, double *q, const double *dv);
/* Is coordinate `index` a rotation (so that lengths scale it)? Which body is it of? */
bool rbv_absolute_is_rotation(const RbvAbsolute *absolute, int32_t body, int32_t index);
/* The columns of one body's wrench: 2 or 3 numbers. */
static inline int32_t rbv_absolute_columns(const RbvAbsolute *absolute, int32_t body) {
    return absolute->start[body + 1] - absolute->start[body];
}

#endif
