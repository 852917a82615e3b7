/* Points and axes of the tree joints at the positions of the bodies; see joint.h. */
#include "mechanics/coordinates/joint.h"

#include <string.h>

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

/* Second derivatives of the positions of bodies by joint coordinates; see joint.h.
 *
 * Along the path from ground to a body, number i nearer to ground with the axis w_i (zero for a translation) moves the
 * motion of number j behind it, u_j (velocity of the body's centroid) and w_j:
 *
 *   d2r/dv_i dv_j = w_i x u_j      d2theta/dv_i dv_j = 1/2 w_i x w_j
 *   as exp(w_i) exp(w_j) = exp(w_i + w_j + 1/2 w_i x w_j + ...)
 *
 * For i = j: w_j x u_j. The numbers of a ball have no order: half of both orders, and no rotation. If the body has the
 * first marker of its joint, the rotations stand before the translations, which turn with them, and a cross's second
 * axis before its first. */

/* Motion of the body per unit of one number: velocity of the centroid u, angular velocity w. */
typedef struct Number {
    RbvVec3 u, w;
} Number;

static Number number_of(const RbvTreeJointFrame *frame, double sign, int k, RbvVec3 r) {
    RbvVec3 direction = rbv_scale(sign, frame->direction[k]);
    if (k < frame->slides)
        return (Number){direction, NONE};
    return (Number){rbv_add_scaled(rbv_cross(direction, rbv_sub(r, frame->point)), frame->lead, direction), direction};
}

/* The wrench times the second derivative by the nearer number and the farther one. */
static double carries(const Number *near, const Number *far, const RbvWrench *wrench) {
    return rbv_dot(wrench->force, rbv_cross(near->w, far->u)) +
           0.5 * rbv_dot(wrench->torque, rbv_cross(near->w, far->w));
}

/* The same product for two numbers k <= l of one tree joint. */
static double layout(const RbvJointTreeJoint *tree_joint, const RbvTreeJointFrame *frame, int k, int l, RbvVec3 r,
                     const RbvWrench *wrench) {
    Number a = number_of(frame, tree_joint->sign, k, r), b = number_of(frame, tree_joint->sign, l, r);
    if (tree_joint->turn == RBV_TREE_JOINT_BALL && k >= frame->slides) {
        const RbvWrench force = {wrench->force, NONE};
        return 0.5 * (carries(&a, &b, &force) + carries(&b, &a, &force));
    }
    if (k == l) {
        const RbvWrench force = {wrench->force, NONE};
        return carries(&a, &a, &force);
    }
    return tree_joint->sign > 0 ? carries(&a, &b, wrench) : carries(&b, &a, wrench);
}

static RbvTreeJointFrame way_at(const RbvCoordinates *c, int32_t b, RbvPosed at) {
    return at.prepared ? ((const RbvTreeJointFrame *)at.prepared)[b] : rbv_tree_joint_frame(c, b, at.bodies);
}

void rbv_joint_place_second(const RbvCoordinates *c, RbvPosed at, int32_t body, const RbvWrench *wrench, double *zero,
                            double *out) {
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    const RbvVec3 r = at.bodies[body].r;
    const RbvWrench velocities = {wrench->force, rbv_bodies_turns(c->bodies, body) ? wrench->torque : NONE};
    int32_t count = 0;
    (void)zero;
    for (int32_t b = body; b > 0; b = tree->tree_joints[b].parent)
        count += tree->tree_joints[b].slides + tree->tree_joints[b].turns;
    memset(out, 0, (size_t)count * (size_t)count * sizeof *out);
    if (tree->tree_joints[body].scalar)
        return;
    for (int32_t far = body, j = 0; far > 0; far = tree->tree_joints[far].parent) {
        const RbvTreeJointFrame behind = way_at(c, far, at);
        for (int k = 0; k < behind.count; k++)
            for (int l = k; l < behind.count; l++)
                out[(j + k) * count + j + l] = out[(j + l) * count + j + k] =
                    layout(&tree->tree_joints[far], &behind, k, l, r, &velocities);
        int32_t i = j + behind.count;
        for (int32_t near = tree->tree_joints[far].parent; near > 0; near = tree->tree_joints[near].parent) {
            const RbvTreeJointFrame before = way_at(c, near, at);
            for (int k = 0; k < behind.count; k++) {
                Number a = number_of(&behind, tree->tree_joints[far].sign, k, r);
                for (int l = 0; l < before.count; l++) {
                    Number b = number_of(&before, tree->tree_joints[near].sign, l, r);
                    out[(j + k) * count + i + l] = out[(i + l) * count + j + k] = carries(&b, &a, &velocities);
                }
            }
            i += before.count;
        }
        j += behind.count;
    }
}
