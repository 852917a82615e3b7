/* A cam: outlines of two bodies touch, or a point runs on a curve in space or on a surface of revolution. */
#include "mechanics/forms/form.h"

#include "mechanics/element/gap.h"
#include "mechanics/element/track.h"

static void compile_cam(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    for (int part = 0; joint.track && part < 2; part++)
        rbv_builder_joint_row(builder, index,
                              rbv_model_measure(builder->model, RBV_MEASURE_TRACK, joint.marker[0], joint.marker[1],
                                                2 * joint.cam + part));
    if (joint.track)
        return;
    bool revolved = builder->model->cams.items[joint.cam].revolved;
    rbv_builder_joint_row(builder, index,
                          rbv_model_measure(builder->model, revolved ? RBV_MEASURE_REVOLVED : RBV_MEASURE_GAP,
                                            joint.marker[0], joint.marker[1], joint.cam));
}

/* The contact has no coordinate, only a rate. */
static void slip_of_cam(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                        RbvSlipDirection *slip) {
    slip->terms = 1;
    slip->measure[0] = rbv_model_measure(model, RBV_MEASURE_GLIDE, joint->marker[0], joint->marker[1],
                                         2 * joint->cam + surfaces->direction[k]);
}

/* The contact; of curves in space and surfaces the second marker. */
static RbvVec3 place_of_cam(const RbvState *state, int32_t joint) {
    const RbvSystem *system = state->system;
    const RbvJoint *j = &system->model->joints.items[joint];
    int32_t at = system->terms[system->rows[system->joint_row[joint]].first].measure;
    const RbvMeasure *gap = &system->model->measures.items[at];
    if (gap->kind != RBV_MEASURE_GAP)
        return state->markers[j->marker[1]].point;
    return rbv_gap_point(&system->model->cams.items[gap->axis], &state->markers[gap->marker[0]],
                         &state->markers[gap->marker[1]], &state->measures[at]);
}

static int free_of_cam(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    const RbvSystem *system = state->system;
    const RbvCam *cam = &system->model->cams.items[joint->cam];
    const double *contact =
        state->measures[system->terms[system->rows[system->joint_row[index]].first].measure].contact;
    RbvVec3 tangent, place;
    if (joint->track) {
        rbv_track_tangent(cam, i, j, contact[0], &tangent, &place);
        freed[0] = rbv_slide_along(tangent);
        for (int k = 0; k < 3; k++)
            freed[1 + k] = rbv_turn_about(rbv_ground_axis(k));
        return 4;
    }
    if (joint->spatial) {
        RbvSurfaceContact at = rbv_surface_contact(cam, i, j, contact, NULL, NULL);
        return rbv_twists_across(true, rbv_force_about_second(rbv_cross(at.tangent[0], at.tangent[1]), at.place, j),
                                 length, freed);
    }
    rbv_gap_tangent(cam, i, j, contact, &tangent, &place);
    return rbv_twists_across(false, rbv_force_about_second(rbv_cross(tangent, rbv_ground_axis(2)), place, j), length,
                             freed);
}

const RbvFormFunctions rbv_form_cam = {
    .rows = compile_cam, .slip_direction = slip_of_cam, .place = place_of_cam, .free_directions = free_of_cam};
