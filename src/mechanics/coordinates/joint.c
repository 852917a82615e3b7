/* Joint coordinates: q and v are the free motions of the joints of a spanning tree; see joint_tree.h.
 *
 * A body has the motion of its parent and the motion of its tree joint, taken at the second marker's point P_2 (s = 1
 * if the body has the second marker, else -1):
 *
 *   w_b = w_p + s w_rel      v_b = v_p + w_p x (r_b - r_p) + s (A_1 x' + w_rel x (r_b - P_2))
 *
 * w_rel: rate about the axis, which for a screw also determines x'; for a ball A_1 omega, v having omega in the first
 * marker's axes; for a cross alpha' z_1 + beta' z_2. So P_b has the columns of the tree joints from ground to b. One
 * outward sweep gives twists and biases, one inward sweep Q. The step of a ball is exp(omega) T. */
#include "mechanics/coordinates/joint.h"

#include <string.h>

#define NONE ((RbvVec3){0, 0, 0})

static const RbvJointTreeJoint *tree_joint_of(const RbvCoordinates *c, int32_t b) {
    return &rbv_joint_tree_of(c)->tree_joints[b];
}

static bool layout(RbvCoordinates *c, RbvArena *arena) {
    RbvJointTree *tree = rbv_arena_alloc(arena, sizeof *tree);
    c->phase = rbv_arena_array(arena, (size_t)c->model->joints.count + 1, sizeof *c->phase);
    if (!tree || !c->phase || !rbv_joint_tree_create(c->model, c->from_rows.cut, c->from_rows.base, arena, tree))
        return false;
    c->own = tree;
    c->size = tree->size;
    c->position_size = tree->positions;
    c->kept = tree->kept;
    c->prepared_size = (size_t)c->bodies->count * sizeof(RbvTreeJointFrame);
    return true;
}

/* Angle k of a tree joint, with its whole turns. */
static RbvTurns angle_at(const RbvJointTreeJoint *tree_joint, int32_t k, const double *q) {
    return (RbvTurns){q[tree_joint->position + tree_joint->slides + k], q[tree_joint->whole + k]};
}

static void store_angle(const RbvJointTreeJoint *tree_joint, int32_t k, RbvTurns angle, double *q) {
    angle = rbv_turns_reduced(angle);
    q[tree_joint->position + tree_joint->slides + k] = angle.turn;
    q[tree_joint->whole + k] = angle.whole;
}

static RbvQuat ball_at(const RbvJointTreeJoint *tree_joint, const double *q) {
    const double *x = q + tree_joint->position + tree_joint->slides;
    return (RbvQuat){x[0], {x[1], x[2], x[3]}};
}

static void store_ball(const RbvJointTreeJoint *tree_joint, RbvQuat p, double *q) {
    double *x = q + tree_joint->position + tree_joint->slides;
    x[0] = p.w, x[1] = p.e.x, x[2] = p.e.y, x[3] = p.e.z;
}

/* The value (value:) at which a joint that locks one direction only locks it; else 0. */
static double held_value(const RbvJoint *joint, int direction) {
    bool single = (joint->locks & (joint->locks - 1)) == 0;
    return single && joint->locks >> direction & 1 ? joint->sizes->value : 0;
}

static RbvVec3 unit(int axis) {
    return rbv_mat3_identity().column[axis];
}

/* Translation x [m] in the first marker's axes: free translations, locked values, and of a screw its z. */
static RbvVec3 shift_at(const RbvCoordinates *c, const RbvJointTreeJoint *tree_joint, const double *q) {
    const RbvJoint *joint = tree_joint->joint >= 0 ? &c->model->joints.items[tree_joint->joint] : NULL;
    RbvVec3 x = joint ? rbv_vec3(held_value(joint, 0), held_value(joint, 1), held_value(joint, 2)) : NONE;
    for (int k = 0; k < tree_joint->slides; k++)
        x = rbv_add_scaled(x, q[tree_joint->position + k], unit(tree_joint->slide[k]));
    if (tree_joint->screw)
        x.z = c->phase[tree_joint->joint] +
              rbv_tree_joint_lead(c->model, tree_joint) *
                  (angle_at(tree_joint, 0, q).turn + RBV_TWO_PI * angle_at(tree_joint, 0, q).whole);
    return x;
}

/* Quaternion of a rotation about an axis, by half the angle: each whole turn changes its sign. */
static RbvQuat quat_about(RbvVec3 axis, RbvTurns angle) {
    RbvQuat p = rbv_quat_of_vector(rbv_scale(angle.turn, axis));
    return fmod(fabs(angle.whole), 2) == 1 ? (RbvQuat){-p.w, rbv_scale(-1, p.e)} : p;
}

/* Quarter turn about y, which takes z to x. */
static RbvQuat crossing(void) {
    const double half = 0.70710678118654752440;
    return (RbvQuat){half, {0, half, 0}};
}

/* The rotation T in space. */
static RbvQuat turn_at(const RbvJointTreeJoint *tree_joint, const double *q) {
    RbvTurns angle;
    switch (tree_joint->turn) {
    case RBV_TREE_JOINT_NO_TURN: break;
    case RBV_TREE_JOINT_AXIS:
        angle = angle_at(tree_joint, 0, q);
        angle.whole += tree_joint->screw ? q[tree_joint->whole + 1] : 0;
        return quat_about(unit(tree_joint->axis), angle);
    case RBV_TREE_JOINT_BALL: return rbv_quat_normalised(ball_at(tree_joint, q));
    case RBV_TREE_JOINT_CROSS:
        return rbv_quat_product(rbv_quat_product(quat_about(unit(2), angle_at(tree_joint, 0, q)), crossing()),
                                quat_about(unit(2), angle_at(tree_joint, 1, q)));
    }
    return rbv_quat_identity();
}

/* Axes of a body in the plane: angles of the parent, the markers and the tree joint. */
static void place_turn(const RbvCoordinates *c, int32_t b, const double *q, const RbvBodyState *parent,
                       RbvBodyState *to) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    const RbvJoint *joint = tree_joint->joint >= 0 ? &c->model->joints.items[tree_joint->joint] : NULL;
    RbvTurns own = tree_joint->turns > 0 ? angle_at(tree_joint, 0, q)
                                         : (RbvTurns){joint ? held_value(joint, 5) : 0, q[tree_joint->whole]};
    double markers =
        joint ? c->model->markers.items[joint->marker[0]].angle - c->model->markers.items[joint->marker[1]].angle : 0;
    RbvTurns angle = rbv_turns_reduced((RbvTurns){parent->turn + tree_joint->sign * (own.turn + markers),
                                                  parent->whole + tree_joint->sign * own.whole});
    to->turn = angle.turn;
    to->whole = angle.whole;
    to->A = rbv_mat3_about_z(angle.turn);
}

/* Axes of a body in space: p_2 = p_1 T, with the markers' rotations in between. */
static void place_axes(const RbvCoordinates *c, int32_t b, const double *q, const RbvBodyState *parent,
                       RbvBodyState *to) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    RbvQuat T = turn_at(tree_joint, q);
    if (tree_joint->joint >= 0) {
        const RbvJoint *joint = &c->model->joints.items[tree_joint->joint];
        const RbvAxes *first = rbv_marker_axes(&c->model->markers.items[joint->marker[0]]),
                      *second = rbv_marker_axes(&c->model->markers.items[joint->marker[1]]);
        T = rbv_quat_product(rbv_quat_product(first->p, T), rbv_quat_conjugate(second->p));
    }
    to->p = rbv_quat_normalised(rbv_quat_product(parent->p, tree_joint->sign > 0 ? T : rbv_quat_conjugate(T)));
    to->A = rbv_mat3_of_quat(to->p);
}

/* Position of the centroid; the axes of the body are computed already. */
static void place_point(const RbvCoordinates *c, int32_t b, const double *q, RbvBodyState *bodies) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    RbvVec3 x = shift_at(c, tree_joint, q), first, second;
    bodies[b].r = NONE;
    rbv_tree_joint_points(c, b, bodies, &first, &second);
    for (int k = 0; k < 3; k++) {
        double part = rbv_vec3_part(x, k);
        if (part != 0)
            first = rbv_add_scaled(first, part, rbv_tree_joint_axis(c, b, bodies, 0, k));
    }
    bodies[b].r = rbv_scale(tree_joint->sign, rbv_sub(first, second));
}

static void positions(const RbvCoordinates *c, const double *q, RbvBodyState *bodies) {
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    const RbvBodyState none = {NONE, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
    bodies[0] = none;
    for (int32_t n = 1; n < c->bodies->count; n++) {
        int32_t b = tree->order[n];
        bodies[b] = none;
        if (rbv_bodies_turns(c->bodies, b) && c->bodies->spatial)
            place_axes(c, b, q, &bodies[tree->tree_joints[b].parent], &bodies[b]);
        else if (rbv_bodies_turns(c->bodies, b))
            place_turn(c, b, q, &bodies[tree->tree_joints[b].parent], &bodies[b]);
        if (tree->tree_joints[b].scalar)
            bodies[b].r = rbv_vec3(q[tree->tree_joints[b].position], 0, 0);
        else
            place_point(c, b, q, bodies);
    }
}

/* Stores the angle of a screw at translation z; `angle` is known from the quaternion up to whole turns. */
static void take_screw(const RbvCoordinates *c, const RbvJointTreeJoint *tree_joint, double angle, double z,
                       double *q) {
    double whole =
        rint(((z - c->phase[tree_joint->joint]) / rbv_tree_joint_lead(c->model, tree_joint) - angle) / RBV_TWO_PI);
    store_angle(tree_joint, 0, (RbvTurns){angle, whole}, q);
    q[tree_joint->whole + 1] = fmod(fabs(whole), 2);
}

/* Stores the rotation of the second marker relative to the first at the positions `bodies`, the nearest that the tree
 * joint allows. `shift`: position of the second point relative to the first. */
static void take_turn(const RbvCoordinates *c, int32_t b, const RbvBodyState *bodies, RbvVec3 shift, double *q) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    const RbvBodyState *at[2] = {&bodies[tree_joint->parent], &bodies[b]};
    const RbvMarker *marker[2] = {NULL, NULL};
    if (tree_joint->sign < 0)
        at[0] = &bodies[b], at[1] = &bodies[tree_joint->parent];
    for (int side = 0; tree_joint->joint >= 0 && side < 2; side++)
        marker[side] = &c->model->markers.items[c->model->joints.items[tree_joint->joint].marker[side]];
    if (!c->bodies->spatial) {
        double markers = marker[0] ? marker[1]->angle - marker[0]->angle : 0;
        RbvTurns angle = {at[1]->turn - at[0]->turn + markers, at[1]->whole - at[0]->whole};
        if (tree_joint->turns > 0)
            store_angle(tree_joint, 0, angle, q);
        else
            q[tree_joint->whole] =
                angle.whole +
                rint((angle.turn -
                      (tree_joint->joint >= 0 ? held_value(&c->model->joints.items[tree_joint->joint], 5) : 0)) /
                     RBV_TWO_PI);
        return;
    }
    RbvQuat p[2] = {at[0]->p, at[1]->p};
    for (int side = 0; side < 2 && marker[side]; side++)
        p[side] = rbv_quat_product(p[side], rbv_marker_axes(marker[side])->p);
    RbvQuat T = rbv_quat_product(rbv_quat_conjugate(p[0]), p[1]);
    if (tree_joint->turn == RBV_TREE_JOINT_BALL) {
        store_ball(tree_joint, rbv_quat_normalised(T), q);
    } else if (tree_joint->screw) {
        take_screw(c, tree_joint, 2 * atan2(T.e.z, T.w), shift.z, q);
    } else if (tree_joint->turn == RBV_TREE_JOINT_AXIS) {
        store_angle(tree_joint, 0, (RbvTurns){2 * atan2(rbv_dot(T.e, unit(tree_joint->axis)), T.w), 0}, q);
    } else { /* Rz(a) Q Rz(b), Q the crossing: (cos cos, cos sin) of half the sum and difference */
        RbvQuat S = rbv_quat_product(T, rbv_quat_conjugate(crossing())); /* Rz(a) Rx(b) */
        double sum = atan2(S.e.z, S.w), less = atan2(S.e.y, S.e.x); /* w = ca cb, x = ca sb, y = sa sb, z = sa cb */
        bool first = S.w * S.w + S.e.z * S.e.z >= 0.5;
        double alpha = 2 * (first ? sum : less), w = cos(alpha / 2) * S.w + sin(alpha / 2) * S.e.z,
               x = cos(alpha / 2) * S.e.x + sin(alpha / 2) * S.e.y;
        store_angle(tree_joint, 0, (RbvTurns){alpha, 0}, q);
        store_angle(tree_joint, 1, (RbvTurns){2 * atan2(x, w), 0}, q);
    }
}

static void from_bodies(const RbvCoordinates *c, const RbvBodyState *bodies, double *q) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        RbvVec3 first, second, x;
        if (tree_joint->scalar) {
            q[tree_joint->position] = bodies[b].r.x;
            continue;
        }
        rbv_tree_joint_points(c, b, bodies, &first, &second);
        second = rbv_sub(second, first);
        x = rbv_vec3(rbv_dot(second, rbv_tree_joint_axis(c, b, bodies, 0, 0)),
                     rbv_dot(second, rbv_tree_joint_axis(c, b, bodies, 0, 1)),
                     rbv_dot(second, rbv_tree_joint_axis(c, b, bodies, 0, 2)));
        for (int k = 0; k < tree_joint->slides; k++)
            q[tree_joint->position + k] = rbv_dot(x, unit(tree_joint->slide[k]));
        if (tree_joint->turns > 0 || tree_joint->wholes > 0)
            take_turn(c, b, bodies, x, q);
    }
}

static void prepare(const RbvCoordinates *c, RbvPosed at) {
    RbvTreeJointFrame *ways = at.prepared;
    for (int32_t b = 1; b < c->bodies->count; b++)
        if (!tree_joint_of(c, b)->scalar)
            ways[b] = rbv_tree_joint_frame(c, b, at.bodies);
}

/* Motion of the tree joint of body b: as prepared, or computed into *own. */
static const RbvTreeJointFrame *way_at(const RbvCoordinates *c, int32_t b, RbvPosed at, RbvTreeJointFrame *own) {
    if (at.prepared)
        return (const RbvTreeJointFrame *)at.prepared + b;
    *own = rbv_tree_joint_frame(c, b, at.bodies);
    return own;
}

/* The twist of the tree joint alone, s (A_1 x', w_rel), with the velocity at P_2. */
static inline RbvTwist along(const RbvTreeJointFrame *frame, double sign, const double *rates) {
    RbvTwist twist = {NONE, NONE};
    if (frame->count == 1 && frame->slides == 0) { /* the case of most joints */
        twist.w = rbv_scale(sign * rates[0], frame->direction[0]);
        if (frame->lead != 0)
            twist.v = rbv_scale(frame->lead, twist.w);
        return twist;
    }
    for (int k = 0; k < frame->count; k++) {
        RbvVec3 *sum = k < frame->slides ? &twist.v : &twist.w;
        *sum = rbv_add_scaled(*sum, sign * rates[k], frame->direction[k]);
    }
    return twist;
}

/* The twist of the body from its parent's twist and the tree joint's. */
static RbvTwist carried(RbvTwist parent, const RbvTreeJointFrame *frame, RbvTwist own, bool turns) {
    RbvTwist twist = {NONE, turns ? rbv_add(parent.w, own.w) : NONE};
    twist.v = rbv_add(rbv_add(parent.v, own.v),
                      rbv_add(rbv_cross(parent.w, frame->from_parent), rbv_cross(twist.w, frame->from_point)));
    return twist;
}

static void velocities(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *twists) {
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    twists[0] = (RbvTwist){NONE, NONE};
    for (int32_t n = 1; n < c->bodies->count; n++) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        if (tree_joint->scalar) {
            twists[b] = (RbvTwist){{v[tree_joint->column], 0, 0}, NONE};
            continue;
        }
        RbvTreeJointFrame own;
        const RbvTreeJointFrame *frame = way_at(c, b, at, &own);
        twists[b] = carried(twists[tree_joint->parent], frame, along(frame, tree_joint->sign, v + tree_joint->column),
                            rbv_bodies_turns(c->bodies, b));
    }
}

/* s times the rate of w_rel for constant rates v, and 2 w_1 x A_1 x': the axes turn with the first marker, the second
 * axis of a cross with the second marker. */
static RbvTwist drift_along(const RbvCoordinates *c, int32_t b, const RbvTreeJointFrame *frame, RbvVec3 w_first,
                            RbvVec3 w_second, const double *rates) {
    const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
    RbvTwist own = along(frame, tree_joint->sign, rates),
             drift = {rbv_scale(2, rbv_cross(w_first, own.v)), rbv_cross(w_first, own.w)};
    if (tree_joint->turn == RBV_TREE_JOINT_CROSS) {
        RbvVec3 last =
            rbv_scale(tree_joint->sign * rates[tree_joint->slides + 1], frame->direction[tree_joint->slides + 1]);
        drift.w = rbv_add(drift.w, rbv_cross(rbv_sub(w_second, w_first), last));
    }
    return drift;
}

/* Outward sweep: accelerations propagate as twists do, with w x (w x .) of both arms. */
static void bias(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *accelerations) {
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    RbvTwist *twists = at.room, *biases = at.room + c->bodies->count;
    velocities(c, at, v, twists);
    biases[0] = (RbvTwist){NONE, NONE};
    for (int32_t n = 1; n < c->bodies->count; n++) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        biases[b] = (RbvTwist){NONE, NONE};
        if (tree_joint->scalar)
            continue;
        const int32_t p = tree_joint->parent;
        const bool turns = rbv_bodies_turns(c->bodies, b);
        RbvTreeJointFrame made;
        const RbvTreeJointFrame *frame = way_at(c, b, at, &made);
        RbvTwist own = drift_along(c, b, frame, twists[tree_joint->sign > 0 ? p : b].w,
                                   twists[tree_joint->sign > 0 ? b : p].w, v + tree_joint->column);
        biases[b] = carried(biases[p], frame, own, turns);
        biases[b].v = rbv_add(biases[b].v, rbv_cross(twists[p].w, rbv_cross(twists[p].w, frame->from_parent)));
        biases[b].v = rbv_add(biases[b].v, rbv_cross(twists[b].w, rbv_cross(twists[b].w, frame->from_point)));
        accelerations[b].v = rbv_add(accelerations[b].v, biases[b].v);
        accelerations[b].w = rbv_add(accelerations[b].w, biases[b].w);
    }
}

/* Generalized forces of a tree joint, out[] += k S^T of a force and a torque at P_2. */
static void efforts(const RbvTreeJointFrame *frame, double k, RbvVec3 force, RbvVec3 torque, double *out) {
    if (frame->lead != 0)
        torque = rbv_add_scaled(torque, frame->lead, force);
    for (int i = 0; i < frame->count; i++)
        out[i] += k * rbv_dot(frame->direction[i], i < frame->slides ? force : torque);
}

/* Inward sweep: generalized forces from the wrench on each body and all bodies that it carries, taken at P_2 and passed
 * to the parent. Overwrites `sums` [bodies]. */
static void gather(const RbvCoordinates *c, RbvPosed at, RbvWrench *sums, double *out) {
    const RbvJointTree *tree = rbv_joint_tree_of(c);
    for (int32_t k = 0; k < c->size; k++)
        out[k] = 0;
    for (int32_t n = c->bodies->count - 1; n > 0; n--) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        if (tree_joint->scalar) {
            out[tree_joint->column] = sums[b].force.x;
            continue;
        }
        RbvTreeJointFrame own;
        const RbvTreeJointFrame *frame = way_at(c, b, at, &own);
        RbvVec3 torque = rbv_bodies_turns(c->bodies, b)
                             ? rbv_add(sums[b].torque, rbv_cross(frame->from_point, sums[b].force))
                             : NONE;
        efforts(frame, tree_joint->sign, sums[b].force, torque, out + tree_joint->column);
        RbvWrench *parent = &sums[tree_joint->parent];
        parent->force = rbv_add(parent->force, sums[b].force);
        parent->torque = rbv_add(parent->torque, rbv_add(torque, rbv_cross(frame->from_parent, sums[b].force)));
    }
}

static void generalized_forces(const RbvCoordinates *c, RbvPosed at, const RbvWrench *wrenches, double *out) {
    RbvWrench *sums = at.sums;
    memcpy(sums, wrenches, (size_t)c->bodies->count * sizeof *sums);
    gather(c, at, sums, out);
}

static void mass(const RbvCoordinates *c, RbvPosed at, const double *x, double *out) {
    RbvTwist *twists = at.room;
    velocities(c, at, x, twists);
    at.sums[0] = (RbvWrench){NONE, NONE};
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvBody *body = &c->model->bodies.items[b];
        at.sums[b] =
            (RbvWrench){rbv_scale(body->mass, twists[b].v),
                        rbv_bodies_turns(c->bodies, b) ? rbv_body_momentum(body, &at.bodies[b].A, twists[b].w) : NONE};
    }
    gather(c, at, at.sums, out);
}

/* Columns from the body towards ground, as far as the body `common`. */
static int32_t columns_beyond(const RbvCoordinates *c, int32_t common, int32_t body, int32_t *column) {
    int32_t count = 0;
    for (; body != common; body = tree_joint_of(c, body)->parent)
        for (int32_t k = 0; k < tree_joint_of(c, body)->slides + tree_joint_of(c, body)->turns; k++)
            column[count++] = tree_joint_of(c, body)->column + k;
    return count;
}

static int32_t columns(const RbvCoordinates *c, int32_t body, int32_t *column) {
    return columns_beyond(c, 0, body, column);
}

static void add_beyond(const RbvCoordinates *c, RbvPosed at, int32_t common, int32_t body, double k,
                       const RbvWrench *wrench, double *out) {
    if (body == common)
        return;
    if (tree_joint_of(c, body)->scalar) {
        out[0] += k * wrench->force.x;
        return;
    }
    RbvVec3 from = at.bodies[body].r, torque = rbv_bodies_turns(c->bodies, body) ? wrench->torque : NONE;
    for (; body != common; body = tree_joint_of(c, body)->parent) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, body);
        RbvTreeJointFrame own;
        const RbvTreeJointFrame *frame = way_at(c, body, at, &own);
        torque = rbv_bodies_turns(c->bodies, body)
                     ? rbv_add(torque, rbv_cross(rbv_sub(from, frame->point), wrench->force))
                     : NONE;
        efforts(frame, k * tree_joint->sign, wrench->force, torque, out);
        from = frame->point;
        out += frame->count;
    }
}

static void add(const RbvCoordinates *c, RbvPosed at, int32_t body, double k, const RbvWrench *wrench, double *out) {
    add_beyond(c, at, 0, body, k, wrench, out);
}

/* The body where the paths of all bodies to ground meet; 0 if a particle is on one of the paths, as bodies beyond it do
 * not turn with the others. */
static int32_t common(const RbvCoordinates *c, int32_t count, const int32_t *bodies) {
    int32_t meet = count > 0 ? bodies[0] : 0;
    for (int32_t k = 1; k < count; k++)
        for (int32_t b = bodies[k]; b != meet;) {
            if (tree_joint_of(c, b)->depth >= tree_joint_of(c, meet)->depth)
                b = tree_joint_of(c, b)->parent;
            else
                meet = tree_joint_of(c, meet)->parent;
        }
    for (int32_t k = 0; k < count; k++)
        for (int32_t b = bodies[k]; b != meet; b = tree_joint_of(c, b)->parent)
            if (!rbv_bodies_turns(c->bodies, b))
                return 0;
    return meet;
}

static void take_rates(const RbvCoordinates *c, RbvPosed at, const RbvTwist *twists, double *v) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        const int32_t p = tree_joint->parent;
        if (tree_joint->scalar) {
            v[tree_joint->column] = twists[b].v.x;
            continue;
        }
        RbvTreeJointFrame frame = rbv_tree_joint_frame(c, b, at.bodies);
        RbvVec3 mine = rbv_add(twists[b].v, rbv_cross(twists[b].w, rbv_sub(frame.point, at.bodies[b].r)));
        RbvVec3 its = rbv_add(twists[p].v, rbv_cross(twists[p].w, rbv_sub(frame.point, at.bodies[p].r)));
        RbvVec3 apart = rbv_sub(mine, its), turning = rbv_sub(twists[b].w, twists[p].w);
        for (int k = 0; k < frame.count; k++)
            v[tree_joint->column + k] =
                tree_joint->sign * rbv_dot(frame.direction[k], k < frame.slides ? apart : turning);
    }
}

static void step(const RbvCoordinates *c, double *q, const double *dv) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        const double *d = dv + tree_joint->column;
        for (int k = 0; k < tree_joint->slides; k++)
            q[tree_joint->position + k] += d[k];
        d += tree_joint->slides;
        if (tree_joint->turn == RBV_TREE_JOINT_BALL)
            store_ball(tree_joint,
                       rbv_quat_normalised(
                           rbv_quat_product(rbv_quat_of_vector(rbv_vec3(d[0], d[1], d[2])), ball_at(tree_joint, q))),
                       q);
        for (int k = 0; tree_joint->whole >= 0 && k < tree_joint->turns; k++) {
            RbvTurns angle = angle_at(tree_joint, k, q);
            store_angle(tree_joint, k, (RbvTurns){angle.turn + d[k], angle.whole}, q);
        }
    }
}

static void difference(const RbvCoordinates *c, const double *from, const double *to, double *dv) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        double *d = dv + tree_joint->column;
        for (int k = 0; k < tree_joint->slides; k++)
            d[k] = to[tree_joint->position + k] - from[tree_joint->position + k];
        d += tree_joint->slides;
        if (tree_joint->turn == RBV_TREE_JOINT_BALL) {
            RbvVec3 turn = rbv_vector_of_quat(
                rbv_quat_product(ball_at(tree_joint, to), rbv_quat_conjugate(ball_at(tree_joint, from))));
            d[0] = turn.x, d[1] = turn.y, d[2] = turn.z;
        }
        for (int k = 0; tree_joint->whole >= 0 && k < tree_joint->turns; k++)
            d[k] = angle_at(tree_joint, k, to).turn - angle_at(tree_joint, k, from).turn +
                   RBV_TWO_PI * (angle_at(tree_joint, k, to).whole - angle_at(tree_joint, k, from).whole);
    }
}

/* Screws excepted: their turns also move the body along the axis. */
static void without_turns(const RbvCoordinates *c, double *dv) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        for (int k = 0; tree_joint->whole >= 0 && !tree_joint->screw && k < tree_joint->turns; k++)
            dv[tree_joint->column + tree_joint->slides + k] =
                remainder(dv[tree_joint->column + tree_joint->slides + k], RBV_TWO_PI);
    }
}

static void rate(const RbvCoordinates *c, const double *q, const double *v, double *rate) {
    for (int32_t k = 0; k < c->position_size; k++)
        rate[k] = 0;
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        const double *d = v + tree_joint->column + tree_joint->slides;
        for (int k = 0; k < tree_joint->slides + (tree_joint->whole >= 0 ? tree_joint->turns : 0); k++)
            rate[tree_joint->position + k] = v[tree_joint->column + k];
        if (tree_joint->turn == RBV_TREE_JOINT_BALL)
            store_ball(tree_joint,
                       rbv_quat_product((RbvQuat){0, {0.5 * d[0], 0.5 * d[1], 0.5 * d[2]}}, ball_at(tree_joint, q)),
                       rate);
    }
}

static void renew(const RbvCoordinates *c, double *q) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        if (tree_joint->turn == RBV_TREE_JOINT_BALL)
            store_ball(tree_joint, rbv_quat_normalised(ball_at(tree_joint, q)), q);
        for (int k = 0; tree_joint->whole >= 0 && k < tree_joint->turns; k++)
            store_angle(tree_joint, k, angle_at(tree_joint, k, q), q);
    }
}

/* Scales of coordinates.h; a unit of a quaternion number counts as 2 radians. */
static void scale(const RbvCoordinates *c, const double *size, const double *arm, double *of_q, double *of_v) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvJointTreeJoint *tree_joint = tree_joint_of(c, b);
        for (int k = 0; of_v && k < tree_joint->slides + tree_joint->turns; k++)
            of_v[tree_joint->column + k] = (k < tree_joint->slides ? 1 : arm[b]) / size[b];
        for (int k = 0; of_q && k < tree_joint->slides; k++)
            of_q[tree_joint->position + k] = 1 / size[b];
        for (int k = 0; of_q && tree_joint->turn == RBV_TREE_JOINT_BALL && k < 4; k++)
            of_q[tree_joint->position + tree_joint->slides + k] = 2 * arm[b] / size[b];
        for (int k = 0; of_q && tree_joint->whole >= 0 && k < tree_joint->turns; k++)
            of_q[tree_joint->position + tree_joint->slides + k] = arm[b] / size[b];
        for (int k = 0; of_q && tree_joint->whole >= 0 && k < tree_joint->wholes; k++)
            of_q[tree_joint->whole + k] = RBV_TWO_PI * arm[b] / size[b];
    }
}

const RbvCoordinatesKind rbv_joint_coordinates = {
    .name = "joint",
    .live = true,
    .layout = layout,
    .from_bodies = from_bodies,
    .take_rates = take_rates,
    .positions = positions,
    .prepare = prepare,
    .velocities = velocities,
    .generalized_forces = generalized_forces,
    .bias = bias,
    .columns = columns,
    .add = add,
    .common = common,
    .columns_beyond = columns_beyond,
    .add_beyond = add_beyond,
    .step = step,
    .difference = difference,
    .without_turns = without_turns,
    .rate = rate,
    .renew = renew,
    .scale = scale,
    .mass = mass,
    .place_second = rbv_joint_place_second,
};
