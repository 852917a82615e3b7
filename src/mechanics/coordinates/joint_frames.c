/* Points and axes of the tree joints at the positions of the bodies; see joint.h. */
#include "mechanics/coordinates/joint.h"

#define NONE ((RbvVec3){0, 0, 0})

const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *c) {
    return c->own;
}

static const RbvJointTreeJoint *tree_joint_of(const RbvCoordinates *c, int32_t b) {
    return &rbv_joint_tree_of(c)->tree_joints[b];
}

/* Origin of a marker in ground axes. */
static RbvVec3 point_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvBodyState *body = &bodies[m->body];
    return rbv_add(body->r, rbv_apply(&body->A, rbv_marker_arm(c->model, m)));
}

/* Axis of a marker in ground axes. */
static RbvVec3 axis_of(const RbvCoordinates *c, const RbvBodyState *bodies, int32_t marker, int axis) {
    const RbvMarker *m = &c->model->markers.items[marker];
    const RbvMat3 *A = &bodies[m->body].A;
    return m->turned ? rbv_apply(A, m->turned->A.column[axis]) : A->column[axis];
}

void rbv_tree_joint_points(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, RbvVec3 *first,
                           RbvVec3 *second) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    const int32_t *marker = tree_joint->joint >= 0 ? c->model->joints.items[tree_joint->joint].marker : NULL;
    if (first)
        *first = marker ? point_of(c, bodies, marker[0]) : NONE;
    *second = marker ? point_of(c, bodies, marker[1]) : bodies[b].r;
}

RbvVec3 rbv_tree_joint_axis(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, int side, int axis) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    if (tree_joint->joint >= 0)
        return axis_of(c, bodies, c->model->joints.items[tree_joint->joint].marker[side], axis);
    return side == 0 ? rbv_mat3_identity().column[axis] : bodies[b].A.column[axis];
}

RbvTreeJointFrame rbv_tree_joint_frame(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    RbvTreeJointFrame frame = {.count = tree_joint->slides + tree_joint->turns,
                               .slides = tree_joint->slides,
                               .lead = rbv_tree_joint_lead(c->model, tree_joint)};
    rbv_tree_joint_points(c, b, bodies, NULL, &frame.point);
    frame.from_parent = rbv_sub(frame.point, bodies[tree_joint->parent].r);
    frame.from_point = rbv_sub(bodies[b].r, frame.point);
    for (int k = 0; k < tree_joint->slides; k++)
        frame.direction[k] = rbv_tree_joint_axis(c, b, bodies, 0, tree_joint->slide[k]);
    RbvVec3 *axis = frame.direction + tree_joint->slides;
    if (!c->bodies->spatial)
        axis[0] = rbv_vec3(0, 0, 1);
    else if (tree_joint->turn == RBV_TREE_JOINT_AXIS)
        axis[0] = rbv_tree_joint_axis(c, b, bodies, 0, tree_joint->axis);
    else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
        axis[0] = rbv_tree_joint_axis(c, b, bodies, 0, 2), axis[1] = rbv_tree_joint_axis(c, b, bodies, 1, 2);
    for (int k = 0; k < 3 && tree_joint->turn == RBV_TREE_JOINT_BALL; k++)
        axis[k] = rbv_tree_joint_axis(c, b, bodies, 0, k);
    return frame;
}
