/* A pinion on a straight rack, along x of the rack's marker. */
#include "mechanics/forms/form.h"

#include <math.h>

/* Rack: offset along the rack + s R (turn of the pinion relative to the rack) = constant, s = +1 if the pinion is on
 * the +y side. */
static void compile_rack(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    uint8_t locked = RBV_DIRECTION_RX | RBV_DIRECTION_RY; /* other joints keep the pinion's axis along the rack's z */
    int32_t rack = joint.spatial ? joint.rack : joint.marker[0]; /* x along the rack, z along the pinion's axis */
    int32_t along = rbv_model_direction_measure(model, rack, joint.marker[1], 0, locked);
    int32_t aside = rbv_model_direction_measure(model, rack, joint.marker[1], 1, locked);
    int32_t angle = rbv_model_direction_measure(model, rack, joint.marker[1], 5, locked);
    double R = joint.sizes->radii[1], side = rbv_builder_start_value(builder, aside), s = side >= 0 ? 1 : -1;
    if (fabs(fabs(side) - R) > 1e-6 * R)
        rbv_model_note(
            model, builder->diagnostics, joint.where,
            "the pinion of '%s' has its centre %g m from the rack's line in the starting poses, not its radius %g m",
            joint.name, fabs(side), R);
    if (!rbv_builder_row(builder, RBV_OWNER_JOINT, index))
        return;
    rbv_builder_term(builder, along, 1);
    rbv_builder_term(builder, angle, s * R);
    builder->rows[builder->row_count - 1].constant =
        rbv_builder_start_value(builder, along) + s * R * rbv_builder_start_value(builder, angle);
}

/* The pinion rolls on the rack. */
static void slip_of_rack(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                         RbvSlipDirection *slip) {
    const uint8_t locked = joint->spatial ? RBV_DIRECTION_RX | RBV_DIRECTION_RY : 0;
    slip->terms = 1;
    slip->measure[0] = rbv_model_direction_measure(model, joint->spatial ? joint->rack : joint->marker[0],
                                                   joint->marker[1], surfaces->direction[k], locked);
}

/* The point of the pitch line nearest to the pinion's centre, wherever on the line the rack's marker is. */
static RbvVec3 place_of_rack(const RbvState *state, int32_t index) {
    const RbvJoint *j = &state->system->model->joints.items[index];
    const RbvMarkerState *rack = &state->markers[j->spatial ? j->rack : j->marker[0]];
    RbvVec3 centre = state->markers[j->marker[1]].point, y = rack->axes->column[1];
    return rbv_add_scaled(centre, -rbv_dot(y, rbv_sub(centre, rack->point)), y);
}

/* Wrench along the rack at the pitch point, on the rack's side of the pinion. */
static RbvWrench rack_line(const RbvState *state, const RbvJoint *joint, const RbvMarkerState *i,
                           const RbvMarkerState *j) {
    const RbvMarkerState *rack = joint->spatial ? &state->markers[joint->rack] : i;
    RbvVec3 y = rack->axes->column[1];
    double side = rbv_dot(y, rbv_sub(j->point, rack->point)) >= 0 ? 1 : -1;
    return rbv_force_about_second(rack->axes->column[0], rbv_add_scaled(j->point, -side * joint->sizes->radii[1], y),
                                  j);
}

static int free_of_rack(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    return rbv_twists_across(joint->spatial, rack_line(state, joint, i, j), length, freed);
}

const RbvFormFunctions rbv_form_rack = {
    .rows = compile_rack, .slip_direction = slip_of_rack, .place = place_of_rack, .free_directions = free_of_rack};
