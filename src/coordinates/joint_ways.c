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

static RbvArcFrame frame_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvBodyState *body = &bodies[m->body];
    return (RbvArcFrame){m->turned ? rbv_mat3_product(&body->A, &m->turned->A) : body->A, rbv_add(body->r, rbv_apply(&body->A, rbv_marker_arm(c->model, m)))};
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
    RbvArcFrame first, second;
    rbv_arc_frames(c, b, bodies, &first, &second);
    way.point = second.point;
    way.from_parent = rbv_sub(second.point, bodies[arc->parent].r);
    way.from_point = rbv_sub(bodies[b].r, second.point);
    for (int k = 0; k < arc->slides; k++)
        way.direction[k] = first.A.column[arc->slide[k]];
    RbvVec3 *axis = way.direction + arc->slides;
    if (!c->bodies->spatial)
        axis[0] = unit(2);
    else if (arc->turn == RBV_ARC_AXIS)
        axis[0] = first.A.column[arc->axis];
    else if (arc->turn == RBV_ARC_BALL)
        axis[0] = first.A.column[0], axis[1] = first.A.column[1], axis[2] = first.A.column[2];
    else if (arc->turn == RBV_ARC_CROSS)
        axis[0] = first.A.column[2], axis[1] = second.A.column[2];
    return way;
}
