/* Where the arcs of a tree are when its bodies are placed; see joint.h. */
#include "coordinates/joint.h"

#define NONE ((RbvVec3){0, 0, 0})

const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *c) {
    return c->own;
}

static const RbvArc *arc_of(const RbvCoordinates *c, int32_t b) {
    return &rbv_joint_tree_of(c)->arcs[b];
}

/* The point of a marker; an arc without a joint ties a centroid to the origin. */
static RbvVec3 point_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvBodyState *body = &bodies[m->body];
    return rbv_add(body->r, rbv_apply(&body->A, rbv_marker_arm(c->model, m)));
}

/* One of its axes. */
static RbvVec3 axis_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker, int axis) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvMat3 *A = &bodies[m->body].A;
    return m->turned ? rbv_apply(A, m->turned->A.column[axis]) : A->column[axis];
}

void rbv_arc_points(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, RbvVec3 *first, RbvVec3 *second) {
    const RbvArc *arc = arc_of(c, b);
    const int32_t *marker = arc->joint >= 0 ? c->model->joints.items[arc->joint].marker : NULL;
    if (first)
        *first = marker ? point_of(c, bodies, marker[0]) : NONE;
    *second = marker ? point_of(c, bodies, marker[1]) : bodies[b].r;
}

RbvVec3 rbv_arc_axis(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, int side, int axis) {
    const RbvArc *arc = arc_of(c, b);
    if (arc->joint >= 0)
        return axis_of(c, bodies, c->model->joints.items[arc->joint].marker[side], axis);
    return side == 0 ? rbv_mat3_identity().column[axis] : bodies[b].A.column[axis];
}

RbvArcWay rbv_arc_way(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies) {
    const RbvArc *arc = arc_of(c, b);
    RbvArcWay way = {.count = arc->slides + arc->turns, .slides = arc->slides, .lead = rbv_arc_lead(c->model, arc)};
    rbv_arc_points(c, b, bodies, NULL, &way.point);
    way.from_parent = rbv_sub(way.point, bodies[arc->parent].r);
    way.from_point = rbv_sub(bodies[b].r, way.point);
    for (int k = 0; k < arc->slides; k++)
        way.direction[k] = rbv_arc_axis(c, b, bodies, 0, arc->slide[k]);
    RbvVec3 *axis = way.direction + arc->slides;
    if (!c->bodies->spatial)
        axis[0] = rbv_vec3(0, 0, 1);
    else if (arc->turn == RBV_ARC_AXIS)
        axis[0] = rbv_arc_axis(c, b, bodies, 0, arc->axis);
    else if (arc->turn == RBV_ARC_CROSS)
        axis[0] = rbv_arc_axis(c, b, bodies, 0, 2), axis[1] = rbv_arc_axis(c, b, bodies, 1, 2);
    for (int k = 0; k < 3 && arc->turn == RBV_ARC_BALL; k++)
        axis[k] = rbv_arc_axis(c, b, bodies, 0, k);
    return way;
}
