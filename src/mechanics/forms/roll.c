/* A disk or ball that rolls on the first marker's xy plane: contact, no slip along, and none across (lateral). */
#include "mechanics/forms/form.h"

#include <math.h>

/* A disk or ball on the first marker's xy plane: its height, then no slip along and across. */
static void compile_roll(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    const int32_t *m = joint.marker;
    RbvRow *row =
        rbv_builder_joint_row(builder, index,
                              joint.ball ? rbv_model_measure(model, RBV_MEASURE_OFFSET, m[0], m[1], 2)
                                         : rbv_model_measure(model, RBV_MEASURE_CONTACT, m[0], m[1], 2 * index));
    if (row)
        row->constant = joint.ball ? joint.sizes->radii[1] : 0;
    for (int part = 0; part < 1 + joint.lateral; part++) {
        row = rbv_builder_joint_row(builder, index,
                                    rbv_model_measure(model, RBV_MEASURE_ROLL, m[0], m[1], 2 * index + part));
        if (row)
            row->on_rates = true;
    }
}

/* A disk or ball turns about its contact point: T + (p - P) x F = 0 about the contact p. Without lateral rows it slides
 * across its rolling direction, too. */
static int free_of_roll(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    (void)length;
    RbvVec3 up = i->axes->column[2], axis = j->axes->column[2];
    if (!joint->ball)
        up = rbv_unit_along(rbv_add_scaled(up, -rbv_dot(up, axis), axis));
    for (int k = 0; k < 3; k++) /* the marker lies R above the contact */
        freed[k] = (RbvTwist){rbv_cross(rbv_ground_axis(k), rbv_scale(joint->sizes->radii[1], up)), rbv_ground_axis(k)};
    if (joint->lateral)
        return 3;
    RbvVec3 along = rbv_cross(axis, i->axes->column[2]);
    freed[3] = rbv_slide_along(rbv_unit_along(rbv_cross(i->axes->column[2], along)));
    return 4;
}

const RbvFormFunctions rbv_form_roll = {.rows = compile_roll, .free_directions = free_of_roll};
