/* The layout of body twists and wrenches: the columns of body b in a vector over all bodies.
 *
 * A body of the plane has (vx, vy, w), a particle (vx, vy); in space a body has (v, w), 6 columns, and a particle 3;
 * ground has none. A generalized coordinate (model/model/generalized.c) is a body that moves along ground's x only,
 * (vx). Velocities are those of the centroid, torques are about the centroid, all in ground axes. A wrench has the
 * columns of the twist, so that its power is a plain dot product. The rows D of joints, drives and constraints, their
 * ranks, reactions and verdicts are written in these columns and do not depend on the choice of coordinates. */
#ifndef RBV_MECHANICS_MARKER_BODIES_H
#define RBV_MECHANICS_MARKER_BODIES_H

#include "core/linalg/small.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvBodyColumns {
    int32_t count;  /* number of bodies, ground included */
    int32_t size;   /* number of columns of a vector over all bodies */
    int32_t *start; /* [count + 1] first column of each body */
    bool spatial;
} RbvBodyColumns;

/* Number of columns of a body: 2 or 3 in the plane, 3 or 6 in space; 1 for a generalized coordinate. */
static inline int32_t rbv_bodies_columns(const RbvBodyColumns *bodies, int32_t body) {
    return bodies->start[body + 1] - bodies->start[body];
}

/* Index in the twist (v, w) of column k of a body: in the plane the columns are x, y and the turn about z. */
static inline int rbv_bodies_direction(const RbvBodyColumns *bodies, int32_t k) {
    return !bodies->spatial && k == 2 ? 5 : (int)k;
}

/* The body that a column belongs to. */
static inline int32_t rbv_bodies_at(const RbvBodyColumns *bodies, int32_t column) {
    int32_t low = 1, high = bodies->count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (bodies->start[middle] <= column)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* True if the body can turn. */
static inline bool rbv_bodies_turns(const RbvBodyColumns *bodies, int32_t body) {
    return rbv_bodies_columns(bodies, body) == (bodies->spatial ? 6 : 3);
}

/* True if column `index` of the vector, one of the body's, is a rotation [rad], to be scaled by a length. */
static inline bool rbv_bodies_is_rotation(const RbvBodyColumns *bodies, int32_t body, int32_t index) {
    int32_t column = index - bodies->start[body];
    return bodies->spatial ? column > 2 : column == 2;
}

/* A body's twist from the vector x[size]; zero for ground. */
static inline RbvTwist rbv_bodies_twist(const RbvBodyColumns *bodies, int32_t body, const double *x) {
    const RbvVec3 none = {0, 0, 0};
    if (body == 0)
        return (RbvTwist){none, none};
    const double *at = x + bodies->start[body];
    bool turns = rbv_bodies_turns(bodies, body);
    if (rbv_bodies_columns(bodies, body) == 1)
        return (RbvTwist){{at[0], 0, 0}, none};
    if (!bodies->spatial)
        return (RbvTwist){{at[0], at[1], 0}, {0, 0, turns ? at[2] : 0}};
    return (RbvTwist){{at[0], at[1], at[2]}, turns ? (RbvVec3){at[3], at[4], at[5]} : none};
}

/* Writes a body's twist into its columns of the vector out[size]. */
static inline void rbv_bodies_put(const RbvBodyColumns *bodies, int32_t body, RbvTwist twist, double *out) {
    const double x[6] = {twist.v.x, twist.v.y, twist.v.z, twist.w.x, twist.w.y, twist.w.z};
    for (int32_t k = 0; k < rbv_bodies_columns(bodies, body); k++)
        out[bodies->start[body] + k] = x[rbv_bodies_direction(bodies, k)];
}

/* out[columns of body] += k wrench. */
static inline void rbv_bodies_add(const RbvBodyColumns *bodies, int32_t body, double k, const RbvWrench *wrench,
                                  double *out) {
    out[0] += k * wrench->force.x;
    if (rbv_bodies_columns(bodies, body) == 1)
        return;
    out[1] += k * wrench->force.y;
    if (!bodies->spatial) {
        if (bodies->start[body + 1] - bodies->start[body] == 3)
            out[2] += k * wrench->torque.z;
        return;
    }
    out[2] += k * wrench->force.z;
    if (bodies->start[body + 1] - bodies->start[body] < 6)
        return;
    out[3] += k * wrench->torque.x;
    out[4] += k * wrench->torque.y;
    out[5] += k * wrench->torque.z;
}

#endif
