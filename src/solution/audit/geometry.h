/* Points, axes and forces at points for the audit's loops over joints and rows, inline. `spatial` is a constant of each
 * call, so that a plane model, whose vectors have no z and whose rotations are about z, takes no product with zero.
 * Like points.c, it calls no formula of element/. Private to this room. */
#ifndef RBV_SOLUTION_AUDIT_GEOMETRY_H
#define RBV_SOLUTION_AUDIT_GEOMETRY_H

#include "core/base/extremes.h"
#include "solution/audit/points.h"

/* Call a function of this kind with the constant that belongs to the audited model. */
#define RBV_AUDIT_BY_SPACE(audit, function, ...)                                                                       \
    ((audit)->system->bodies.spatial ? function(true, __VA_ARGS__) : function(false, __VA_ARGS__))

RBV_UNROLLED RbvVec3 rbv_audit_sum_in(bool spatial, RbvVec3 a, RbvVec3 b) {
    return (RbvVec3){a.x + b.x, a.y + b.y, spatial ? a.z + b.z : 0};
}
RBV_UNROLLED RbvVec3 rbv_audit_difference_in(bool spatial, RbvVec3 a, RbvVec3 b) {
    return (RbvVec3){a.x - b.x, a.y - b.y, spatial ? a.z - b.z : 0};
}
RBV_UNROLLED double rbv_audit_dot_in(bool spatial, RbvVec3 a, RbvVec3 b) {
    return spatial ? rbv_dot(a, b) : a.x * b.x + a.y * b.y;
}
/* |x| + |y| + |z|. */
RBV_UNROLLED double rbv_audit_size_in(bool spatial, RbvVec3 a) {
    return spatial ? fabs(a.x) + fabs(a.y) + fabs(a.z) : fabs(a.x) + fabs(a.y);
}
/* Length of a vector of the plane or of space. */
RBV_UNROLLED double rbv_audit_length_in(bool spatial, RbvVec3 a) {
    return sqrt(rbv_audit_dot_in(spatial, a, a));
}

/* A vector of the body's axes in ground axes. */
RBV_UNROLLED RbvVec3 rbv_audit_turned_in(bool spatial, const RbvAudit *audit, int32_t body, RbvVec3 x) {
    if (spatial)
        return rbv_apply(&audit->A[body], x);
    double c = audit->turn[body][0], s = audit->turn[body][1];
    return (RbvVec3){c * x.x - s * x.y, s * x.x + c * x.y, 0};
}

/* w x p; in the plane w is along z, and p lies in it. */
RBV_UNROLLED RbvVec3 rbv_audit_spun_in(bool spatial, RbvVec3 w, RbvVec3 p) {
    return spatial ? rbv_cross(w, p) : (RbvVec3){-w.z * p.y, w.z * p.x, 0};
}

/* Position and arm of a marker, without its velocity. */
RBV_UNROLLED RbvAuditPoint rbv_audit_position_in(bool spatial, const RbvAudit *audit, int32_t marker) {
    const RbvModel *model = audit->system->model;
    const RbvMarker *m = &model->markers.items[marker];
    RbvVec3 own = rbv_audit_difference_in(spatial, m->at, model->bodies.items[m->body].centroid),
            arm = rbv_audit_turned_in(spatial, audit, m->body, own);
    return (RbvAuditPoint){rbv_audit_sum_in(spatial, audit->r[m->body], arm), arm, {0, 0, 0}, m->body};
}

/* A marker at the state, whose bodies have been placed. */
RBV_UNROLLED RbvAuditPoint rbv_audit_point_in(bool spatial, const RbvAudit *audit, const RbvState *state,
                                              int32_t marker) {
    RbvAuditPoint point = rbv_audit_position_in(spatial, audit, marker);
    const RbvTwist *v = &state->twists[point.body];
    point.v = rbv_audit_sum_in(spatial, v->v, rbv_audit_spun_in(spatial, v->w, point.arm));
    return point;
}

/* Axis k of a marker, ground axes; in the plane x or y. */
RBV_UNROLLED RbvVec3 rbv_audit_axis_in(bool spatial, const RbvAudit *audit, int32_t marker, int k) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    return rbv_audit_turned_in(spatial, audit, m->body, rbv_marker_axes(m)->A.column[k]);
}

/* Add force F at point p and torque T on a body to `to` (audit->applied or audit->joints). */
RBV_UNROLLED void rbv_audit_push_in(bool spatial, RbvAudit *audit, double *to, int32_t body, RbvVec3 p, RbvVec3 F,
                                    RbvVec3 T) {
    double size[2] = {rbv_audit_size_in(spatial, F), fabs(T.z)}, *sizes = audit->sizes[body],
           *single = audit->single[body];
    if (spatial) {
        RbvVec3 moment = rbv_cross(rbv_sub(p, audit->r[body]), F), torque = rbv_add(T, moment);
        double *sum = to + 6 * body;
        sum[0] += F.x, sum[1] += F.y, sum[2] += F.z;
        sum[3] += torque.x, sum[4] += torque.y, sum[5] += torque.z;
        size[1] = rbv_audit_size_in(true, T) + rbv_audit_size_in(true, moment);
    } else {
        double moment = (p.x - audit->r[body].x) * F.y - (p.y - audit->r[body].y) * F.x, *sum = to + 3 * body;
        sum[0] += F.x, sum[1] += F.y, sum[2] += T.z + moment;
        size[1] += fabs(moment);
    }
    sizes[0] += size[0], sizes[1] += size[1];
    single[0] = rbv_max(single[0], size[0]), single[1] = rbv_max(single[1], size[1]);
}

#endif
