/* Joints that lock relative directions of their markers, and perhaps one more relation: square axes, equal twist, or a
 * screw.
 *
 *   translation along u free: F.u = 0;  rotation about u: T.u = 0;  screw: T.u = -p F.u;  cross: T.u1 = T.u2 = 0 */
#include "mechanics/forms/form.h"

#include <math.h>

/* The relation of a joint kind besides its locked directions: square axes, equal twist, or screw. */
static void compile_extra(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    const int32_t *m = joint.marker;
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_JOINT, index);
    if (!row)
        return;
    if (joint.extra != RBV_EXTRA_SCREW) {
        row->angular = true;
        rbv_builder_term(builder,
                         joint.extra == RBV_EXTRA_SQUARE ? rbv_model_measure(model, RBV_MEASURE_DOT, m[0], m[1], 8)
                                                         : rbv_model_measure(model, RBV_MEASURE_TWIST, m[0], m[1], 2),
                         1);
        return;
    }
    int32_t along = rbv_model_direction_measure(model, m[0], m[1], 2, joint.locks),
            turn = rbv_model_direction_measure(model, m[0], m[1], 5, joint.locks);
    double lead = joint.sizes->pitch / RBV_TWO_PI;
    rbv_builder_term(builder, along, 1);
    rbv_builder_term(builder, turn, -lead);
    builder->rows[builder->row_count - 1].constant =
        rbv_builder_start_value(builder, along) - lead * rbv_builder_start_value(builder, turn);
}

static void compile_locks(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    bool single = (joint.locks & (joint.locks - 1)) == 0;
    for (int direction = 0; direction < 6; direction++) {
        if (!(joint.locks >> direction & 1))
            continue;
        RbvRow *row = rbv_builder_joint_row(
            builder, index,
            rbv_model_lock_measure(builder->model, joint.marker[0], joint.marker[1], direction, joint.locks));
        if (!row)
            return;
        row->direction = (int8_t)direction;
        row->angular = direction >= 3;
        row->constant = single ? joint.sizes->value : 0;
    }
    if (joint.extra != RBV_EXTRA_NONE)
        compile_extra(builder, index);
}

/* Turns about several axes have no coordinate, only a rate about each axis. The thread of a screw slides along its axis
 * too. */
static void slip_of_locks(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                          RbvSlipDirection *slip) {
    int direction = surfaces->direction[k];
    const int32_t *m = joint->marker;
    bool several = direction >= 3 && joint->spatial &&
                   (joint->locks & RBV_DIRECTIONS_TURNS) != (RBV_DIRECTION_RX | RBV_DIRECTION_RY);
    slip->terms = 1;
    if (joint->extra == RBV_EXTRA_HOMOKINETIC)
        slip->measure[0] = rbv_model_measure(model, RBV_MEASURE_BEND, m[0], m[1], k);
    else if (several)
        slip->measure[0] =
            rbv_model_measure(model, RBV_MEASURE_SPIN, m[0], m[1], direction - 3 + (surfaces->second ? 3 : 0));
    else
        slip->measure[0] = rbv_model_direction_measure(model, m[0], m[1], direction, joint->locks);
    if (surfaces->press != RBV_PRESS_THREAD)
        return;
    slip->terms = 2;
    slip->measure[1] = rbv_model_direction_measure(model, m[0], m[1], 2, joint->locks);
}

/* A thread with the slope s = tan of its lead angle slides along itself: with 1/(1 + s^2) of its turn and s/(r (1 +
 * s^2)) of its advance. */
static void weigh_slip_of_locks(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                                RbvSlipDirection *slip) {
    (void)model;
    if (surfaces->press != RBV_PRESS_THREAD)
        return;
    double radius = joint->sizes->friction_radius, slope = rbv_thread_slope(joint), square = 1 / (1 + slope * slope);
    slip->lever = slip->angular ? radius / sqrt(square) : 1;
    slip->weight[0] = square;
    slip->weight[1] = slip->terms > 1 ? slope * square / radius : 0;
}

/* Two unit vectors orthogonal to each other and to d. */
static void square_to(RbvVec3 d, RbvVec3 e[2]) {
    int k = fabs(d.y) <= fabs(d.z) ? 1 : 2;
    if (fabs(d.x) <= fabs(d.y) && fabs(d.x) <= fabs(d.z))
        k = 0;
    e[0] = rbv_unit_along(rbv_cross(d, rbv_ground_axis(k)));
    e[1] = rbv_unit_along(rbv_cross(d, e[0]));
}

/* Free rotations of a spatial joint that locks directions. Two locked rotations align the axes about which the third
 * turns. */
static int free_turns(const RbvJoint *joint, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist *freed) {
    RbvVec3 e[2], z1 = i->axes->column[2], z2 = j->axes->column[2];
    int locked = joint->locks & RBV_DIRECTIONS_TURNS, count = 0;
    if (joint->extra == RBV_EXTRA_SCREW || locked == RBV_DIRECTIONS_TURNS)
        return 0;
    for (int k = 0; locked && k < 3; k++)
        if (!(locked >> (3 + k) & 1))
            freed[count++] = rbv_turn_about(i->axes->column[k]);
    if (locked)
        return count;
    switch (joint->extra) {
    case RBV_EXTRA_NONE:
        for (int k = 0; k < 3; k++)
            freed[count++] = rbv_turn_about(rbv_ground_axis(k));
        return count;
    case RBV_EXTRA_HOMOKINETIC: square_to(rbv_add(z1, z2), e); break; /* the plane of symmetry between both shafts */
    default:
        e[0] = z1;
        e[1] = z2;
        break;
    }
    for (int k = 0; k < 2; k++)
        freed[count++] = rbv_turn_about(e[k]);
    return count;
}

/* Slides along the free translations, then turns. */
static int free_of_locks(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    (void)length;
    int count = 0;
    bool screw = joint->extra == RBV_EXTRA_SCREW;
    for (int k = 0; k < (joint->spatial ? 3 : 2); k++)
        if (!(joint->locks >> k & 1) && !(screw && k == 2))
            freed[count++] = rbv_slide_along(i->axes->column[k]);
    if (screw)
        freed[count++] =
            (RbvTwist){rbv_scale(joint->sizes->pitch / RBV_TWO_PI, i->axes->column[2]), i->axes->column[2]};
    if (joint->spatial)
        return count + free_turns(joint, i, j, freed + count);
    if (!(joint->locks & RBV_DIRECTION_RZ))
        freed[count++] = rbv_turn_about(rbv_ground_axis(2));
    return count;
}

const RbvFormFunctions rbv_form_locks = {.rows = compile_locks,
                                         .slip_direction = slip_of_locks,
                                         .slip_weights = weigh_slip_of_locks,
                                         .free_directions = free_of_locks};
