/* The table of the functions of each form of joint, and the calls to it. */
#include "mechanics/forms/form.h"

static const RbvFormFunctions *const form_functions[RBV_FORM_COUNT] = {
    [RBV_FORM_LOCKS] = &rbv_form_locks, [RBV_FORM_POINT] = &rbv_form_locks, [RBV_FORM_DISTANCE] = &rbv_form_bar,
    [RBV_FORM_GEAR] = &rbv_form_wheels, [RBV_FORM_BELT] = &rbv_form_wheels, [RBV_FORM_RACK] = &rbv_form_rack,
    [RBV_FORM_CAM] = &rbv_form_cam,     [RBV_FORM_EDGE] = &rbv_form_edge,   [RBV_FORM_ROLL] = &rbv_form_roll,
};

void rbv_joint_rows(RbvBuilder *builder, int32_t index) {
    form_functions[builder->model->joints.items[index].form]->rows(builder, index);
}

void rbv_joint_slip_direction(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                              RbvSlipDirection *slip) {
    form_functions[joint->form]->slip_direction(model, joint, surfaces, k, slip);
}

void rbv_joint_slip_weights(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                            RbvSlipDirection *slip) {
    slip->lever = slip->angular ? joint->sizes->friction_radius : 1;
    slip->weight[0] = 1;
    slip->weight[1] = 0;
    if (form_functions[joint->form]->slip_weights)
        form_functions[joint->form]->slip_weights(model, joint, surfaces, slip);
}

RbvVec3 rbv_joint_place(const RbvState *state, int32_t joint) {
    const RbvJoint *j = &state->system->model->joints.items[joint];
    const RbvFormFunctions *functions = form_functions[j->form];
    if (functions->place)
        return functions->place(state, joint);
    RbvVec3 first = state->markers[j->marker[0]].point, second = state->markers[j->marker[1]].point;
    bool alike = rbv_forms[j->form].symmetric && !(j->locks & ~RBV_DIRECTIONS_TURNS);
    return alike ? rbv_scale(0.5, rbv_add(first, second)) : second;
}

int rbv_joint_free_directions(const RbvState *state, int32_t joint, double length, RbvTwist freed[6]) {
    return form_functions[state->system->model->joints.items[joint].form]->free_directions(state, joint, length, freed);
}
