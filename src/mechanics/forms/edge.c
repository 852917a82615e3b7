/* A knife edge, or a wheel in the plane: no slip across the second marker's x, a row on rates. */
#include "mechanics/forms/form.h"

static void compile_edge(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    RbvRow *row = rbv_builder_joint_row(
        builder, index, rbv_model_measure(builder->model, RBV_MEASURE_SLIP, joint.marker[0], joint.marker[1], 0));
    if (row)
        row->on_rates = true;
}

static int free_of_edge(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    const RbvWrench locked = {rbv_cross(i->axes->column[2], j->axes->column[0]), {0, 0, 0}};
    return rbv_twists_across(joint->spatial, locked, length, freed);
}

const RbvFormFunctions rbv_form_edge = {.rows = compile_edge, .free_directions = free_of_edge};
