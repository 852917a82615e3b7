/* Inward sweep over a spanning tree; see tree_forces.h. */
#include "solution/reaction/tree_forces.h"

static const RbvVec3 ground[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static const RbvMarkerState *marker_of(const RbvState *state, const RbvJointTreeJoint *tree_joint, int side) {
    return &state->markers[state->system->model->joints.items[tree_joint->joint].marker[side]];
}

/* P; the centroid for a body that no joint connects to its parent. */
static RbvVec3 point_of(const RbvState *state, const RbvJointTreeJoint *tree_joint, int32_t b) {
    return tree_joint->joint >= 0 ? marker_of(state, tree_joint, 1)->point : state->bodies[b].r;
}

/* n_b; zero for a body that does not rotate. */
static RbvVec3 torque_at(const RbvState *state, int32_t b, RbvVec3 P, const RbvWrench *sum) {
    if (!rbv_bodies_turns(&state->system->bodies, b))
        return rbv_vec3(0, 0, 0);
    return rbv_add(sum->torque, rbv_cross(rbv_sub(state->bodies[b].r, P), sum->force));
}

void rbv_tree_forces_gather(const RbvJointTree *tree, const RbvState *state, RbvWrench *sums) {
    for (int32_t n = state->system->bodies.count - 1; n > 0; n--) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        if (tree_joint->parent == 0)
            continue;
        RbvVec3 P = point_of(state, tree_joint, b), torque = torque_at(state, b, P, &sums[b]);
        RbvWrench *parent = &sums[tree_joint->parent];
        parent->force = rbv_add(parent->force, sums[b].force);
        parent->torque = rbv_add(
            parent->torque, rbv_add(torque, rbv_cross(rbv_sub(P, state->bodies[tree_joint->parent].r), sums[b].force)));
    }
}

/* Axes of the rotations that a tree joint leaves free. */
static void find_axes(const RbvState *state, const RbvJointTreeJoint *tree_joint, RbvVec3 axis[3]) {
    const RbvVec3 *first = tree_joint->joint >= 0 ? marker_of(state, tree_joint, 0)->axes->column : ground;
    if (!state->system->bodies.spatial)
        axis[0] = ground[2];
    else if (tree_joint->turn == RBV_TREE_JOINT_AXIS)
        axis[0] = first[tree_joint->axis];
    else if (tree_joint->turn == RBV_TREE_JOINT_BALL)
        axis[0] = first[0], axis[1] = first[1], axis[2] = first[2];
    else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
        axis[0] = first[2], axis[1] = marker_of(state, tree_joint, 1)->axes->column[2];
}

void rbv_tree_forces_efforts(const RbvJointTree *tree, const RbvState *state, const RbvWrench *sums, double *y) {
    for (int32_t b = 1; b < state->system->bodies.count; b++) {
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        double *out = y + tree_joint->column;
        if (tree_joint->scalar) {
            out[0] = sums[b].force.x;
            continue;
        }
        const RbvVec3 *first =
            tree_joint->joint >= 0 && tree_joint->slides > 0 ? marker_of(state, tree_joint, 0)->axes->column : ground;
        for (int k = 0; k < tree_joint->slides; k++)
            out[k] = tree_joint->sign * rbv_dot(first[tree_joint->slide[k]], sums[b].force);
        if (tree_joint->turns == 0)
            continue;
        RbvVec3 axis[3], torque = torque_at(state, b, point_of(state, tree_joint, b), &sums[b]);
        find_axes(state, tree_joint, axis);
        torque = rbv_add_scaled(torque, rbv_tree_joint_lead(state->system->model, tree_joint), sums[b].force);
        for (int k = 0; k < tree_joint->turns; k++)
            out[tree_joint->slides + k] = tree_joint->sign * rbv_dot(axis[k], torque);
    }
}

RbvWrench rbv_tree_forces_reaction(const RbvJointTree *tree, const RbvState *state, int32_t b, const RbvWrench *sum) {
    const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
    RbvVec3 torque = torque_at(state, b, point_of(state, tree_joint, b), sum);
    return (RbvWrench){rbv_scale(-tree_joint->sign, sum->force), rbv_scale(-tree_joint->sign, torque)};
}
