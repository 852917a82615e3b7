/* Absolute coordinates: each body by the position of its centroid and its orientation; velocities are its twist.
 *
 * In the plane a body has q = (x, y, turn) and v = (vx, vy, w), a particle q = (x, y). In space a body has q = (r, unit quaternion), 7 numbers, and
 * v = (r', w), 6, all in ground axes; a particle 3 and 3. Ground has none. The operations are those that every coordinates module offers:
 * place the bodies, push velocities to twists, pull wrenches back to generalized forces (the same map transposed), move along a step of v,
 * compare two poses, and the masses. Nobody else knows the layout of q; of v others know where a body's columns start.
 */
#ifndef RBV_COORDINATES_ABSOLUTE_H
#define RBV_COORDINATES_ABSOLUTE_H

#include "marker/marker.h"
#include "model/model.h"

typedef struct RbvAbsolute {
    int32_t body_count;    /* with ground */
    int32_t size;          /* of v, and of a, Q */
    int32_t position_size; /* of q */
    int32_t *start;        /* [body_count + 1] first of each body in v */
    int32_t *position;     /* [body_count + 1] first of each body in q */
    bool spatial;
} RbvAbsolute;

/* Lay out the bodies of a model; arrays in `arena`. False: no memory. */
bool rbv_absolute_create(const RbvModel *model, RbvArena *arena, RbvAbsolute *absolute);
/* The starting poses as coordinates q[position_size]. */
void rbv_absolute_start(const RbvAbsolute *absolute, const RbvModel *model, double *q);
/* A body's centroid, and its axes as a turn (plane) or a quaternion (space), into q. */
void rbv_absolute_put(const RbvAbsolute *absolute, int32_t body, RbvVec3 r, double turn, RbvQuat p, double *q);
/* Bodies [body_count] at q; ground too. */
void rbv_absolute_place(const RbvAbsolute *absolute, const double *q, RbvBodyState *bodies);
/* Twists [body_count] of v. */
void rbv_absolute_push(const RbvAbsolute *absolute, const double *v, RbvTwist *twists);
/* Generalized forces Q[size] of wrenches [body_count] about the centroids. */
void rbv_absolute_pull(const RbvAbsolute *absolute, const RbvWrench *wrenches, double *Q);
/* q moved by the step dv[size]: r + dr, exp(dtheta) A. */
void rbv_absolute_step(const RbvAbsolute *absolute, double *q, const double *dv);
/* The step dv[size] that leads from `from` to `to`; turns by the shortest way. */
void rbv_absolute_difference(const RbvAbsolute *absolute, const double *from, const double *to, double *dv);
/* The rate of q as plain numbers, for v: of a quaternion half of (0, w) p. For integration in the numbers of q; renew afterwards. */
void rbv_absolute_rate(const RbvAbsolute *absolute, const double *q, const double *v, double *rate);
/* Make quaternions unit again after they were treated as plain numbers. */
void rbv_absolute_renew(const RbvAbsolute *absolute, double *q);
/* Is coordinate `index` of v a rotation (so that lengths scale it)? `body` is the body it is of. */
bool rbv_absolute_is_rotation(const RbvAbsolute *absolute, int32_t body, int32_t index);
/* A body's twist from v; zero for ground. */
RbvTwist rbv_absolute_twist(const RbvAbsolute *absolute, int32_t body, const double *v);

/* The columns of one body's wrench: 2 or 3 numbers in the plane, 3 or 6 in space. */
static inline int32_t rbv_absolute_columns(const RbvAbsolute *absolute, int32_t body) {
    return absolute->start[body + 1] - absolute->start[body];
}
/* Which of a twist's six numbers (v, w) is column k of a body: in the plane x, y and the turn about z. */
static inline int rbv_absolute_direction(const RbvAbsolute *absolute, int32_t k) {
    return !absolute->spatial && k == 2 ? 5 : (int)k;
}
/* Can the body turn? */
static inline bool rbv_absolute_turns(const RbvAbsolute *absolute, int32_t body) {
    return rbv_absolute_columns(absolute, body) == (absolute->spatial ? 6 : 3);
}
/* out[columns of body] += k wrench. */
static inline void rbv_absolute_add(const RbvAbsolute *absolute, int32_t body, double k, const RbvWrench *wrench, double *out) {
    out[0] += k * wrench->force.x;
    out[1] += k * wrench->force.y;
    if (!absolute->spatial) {
        if (absolute->start[body + 1] - absolute->start[body] == 3)
            out[2] += k * wrench->torque.z;
        return;
    }
    out[2] += k * wrench->force.z;
    if (absolute->start[body + 1] - absolute->start[body] < 6)
        return;
    out[3] += k * wrench->torque.x;
    out[4] += k * wrench->torque.y;
    out[5] += k * wrench->torque.z;
}

#endif
