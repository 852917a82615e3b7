/* A massless bar between two points: |p2 - p1| = length. Its force is along their line; friction turns at both ends. */
#include "mechanics/forms/form.h"

#include <math.h>

static void compile_bar(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    int32_t measure = rbv_model_measure(builder->model, RBV_MEASURE_DISTANCE, joint.marker[0], joint.marker[1], 0);
    double length = isnan(joint.sizes->length) ? rbv_builder_start_value(builder, measure) : joint.sizes->length;
    if (!(length > 0))
        rbv_builder_mistake(builder, joint.where,
                            "%s '%s' has no length in the starting poses: its two points coincide; give length:",
                            joint.kind->name, joint.name);
    RbvRow *row = rbv_builder_joint_row(builder, index, measure);
    if (row)
        row->constant = length;
}

/* In the plane the turn of the bar, and that of the body at this end; in space a rate across the bar. */
static void slip_of_bar(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                        RbvSlipDirection *slip) {
    const int32_t *m = joint->marker;
    if (joint->spatial) {
        slip->terms = 1;
        slip->measure[0] = rbv_model_measure(model, RBV_MEASURE_SWING, m[0], m[1], k + (surfaces->second ? 2 : 0));
        return;
    }
    int32_t end = m[surfaces->second];
    slip->terms = 2;
    slip->measure[0] = rbv_model_measure(model, RBV_MEASURE_DIRECTION, m[0], m[1], 0);
    slip->measure[1] = rbv_model_measure(model, RBV_MEASURE_TURN, end, end, 2);
}

/* First pin: the bar against its first body; second pin: the second body against the bar. In space the measure has the
 * sign. */
static void weigh_slip_of_bar(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                              RbvSlipDirection *slip) {
    (void)model;
    if (joint->spatial)
        return;
    slip->weight[0] = surfaces->second ? -1 : 1;
    slip->weight[1] = -slip->weight[0];
}

static int free_of_bar(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    const RbvWrench locked = {rbv_sub(j->point, i->point), {0, 0, 0}};
    return rbv_twists_across(joint->spatial, locked, length, freed);
}

const RbvFormFunctions rbv_form_bar = {.rows = compile_bar,
                                       .slip_direction = slip_of_bar,
                                       .slip_weights = weigh_slip_of_bar,
                                       .free_directions = free_of_bar};
