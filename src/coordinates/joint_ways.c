/* Where the arcs of a tree are when its bodies are placed; see joint.h. */
#include "coordinates/joint.h"

#define NONE ((RbvVec3){0, 0, 0})

const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *c) {
    return c->own;
}

static const RbvArc *arc_of(const RbvCoordinates *c, int32_t b) {
    return &rbv_joint_tree_of(c)->arcs[b];
}

static RbvVec3 unit(int axis) {
    return rbv_mat3_identity().column[axis];
}

static RbvMat3 axes_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvMat3 *A = &bodies[m->body].A;
    return m->turned ? rbv_mat3_product(A, &m->turned->A) : *A;
}

static RbvVec3 point_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvBodyState *body = &bodies[m->body];
    return rbv_add(body->r, rbv_apply(&body->A, rbv_marker_arm(c->model, m)));
}

static RbvArcFrame frame_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    return (RbvArcFrame){axes_of(c, bodies, marker), point_of(c, bodies, marker)};
}

RbvVec3 rbv_arc_point(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, int side) {
    const RbvArc *arc = arc_of(c, b);
    return arc->joint >= 0 ? point_of(c, bodies, c->model->joints.items[arc->joint].marker[side]) : side == 0 ? NONE : bodies[b].r;
}

RbvMat3 rbv_arc_axes(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, int side) {
    const RbvArc *arc = arc_of(c, b);
    return arc->joint >= 0 ? axes_of(c, bodies, c->model->joints.items[arc->joint].marker[side]) : side == 0 ? rbv_mat3_identity() : bodies[b].A;
}

void rbv_arc_frames(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, RbvArcFrame *first, RbvArcFrame *second) {
    const RbvArc *arc = arc_of(c, b);
    if (arc->joint < 0) {
        *first = (RbvArcFrame){rbv_mat3_identity(), NONE};
        *second = (RbvArcFrame){bodies[b].A, bodies[b].r};
        return;
    }
    const RbvJoint *joint = &c->model->joints.items[arc->joint];
    *first = frame_of(c, bodies, joint->marker[0]);
    *second = frame_of(c, bodies, joint->marker[1]);
}

RbvArcWay rbv_arc_way(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies) {
    const RbvArc *arc = arc_of(c, b);
    RbvArcWay way = {.count = arc->slides + arc->turns, .slides = arc->slides, .lead = rbv_arc_lead(c->model, arc)};
    way.point = rbv_arc_point(c, b, bodies, 1);
    way.from_parent = rbv_sub(way.point, bodies[arc->parent].r);
    way.from_point = rbv_sub(bodies[b].r, way.point);
    RbvVec3 *axis = way.direction + arc->slides;
    if (!c->bodies->spatial)
        axis[0] = unit(2);
    if (arc->slides == 0 && (!c->bodies->spatial || arc->turn == RBV_ARC_NO_TURN))
        return way;
    RbvMat3 first = rbv_arc_axes(c, b, bodies, 0);
    for (int k = 0; k < arc->slides; k++)
        way.direction[k] = first.column[arc->slide[k]];
    if (c->bodies->spatial && arc->turn == RBV_ARC_AXIS)
        axis[0] = first.column[arc->axis];
    else if (c->bodies->spatial && arc->turn == RBV_ARC_BALL)
        axis[0] = first.column[0], axis[1] = first.column[1], axis[2] = first.column[2];
    else if (arc->turn == RBV_ARC_CROSS)
        axis[0] = first.column[2], axis[1] = rbv_arc_axes(c, b, bodies, 1).column[2];
    return way;
}
