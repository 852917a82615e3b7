/* Two wheels that turn on one carrier: gears, belts and chains. In space their lines of force are fixed in the carrier
 * (RbvMesh). */
#include "mechanics/forms/form.h"

#include <math.h>
#include <string.h>

/* Gear and belt: r2 turn2 + s r1 turn1 - (s r1 + r2) direction = constant; s = +1 external gear, crossed belt. */
static void compile_wheels(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    if (model->space == RBV_SPATIAL) {
        memcpy(builder->system->wheel[index], joint.sizes->radii, sizeof joint.sizes->radii);
        rbv_builder_joint_row(builder, index,
                              rbv_model_measure(model, RBV_MEASURE_MESH, joint.marker[0], joint.marker[1], joint.mesh));
        return;
    }
    double s = rbv_joint_wheel_sign(&joint);
    double distance = rbv_builder_start_value(
        builder, rbv_model_measure(model, RBV_MEASURE_DISTANCE, joint.marker[0], joint.marker[1], 0));
    double *r = builder->system->wheel[index];
    memcpy(r, joint.sizes->radii, sizeof joint.sizes->radii);
    if (rbv_forms[joint.form].teeth && isnan(r[0]))
        for (int side = 0; side < 2; side++)
            r[side] = distance * joint.sizes->teeth[side] / fabs(joint.sizes->teeth[0] + s * joint.sizes->teeth[1]);
    if (!(distance > 0)) {
        rbv_builder_mistake(builder, joint.where, "the centres of %s '%s' coincide in the starting poses",
                            joint.kind->name, joint.name);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (model->bodies.items[model->markers.items[joint.marker[side]].body].particle)
            rbv_builder_mistake(builder, joint.where, "'%s' is a particle and cannot be a wheel of '%s'",
                                model->bodies.items[model->markers.items[joint.marker[side]].body].name, joint.name);
    int32_t turn[2];
    for (int side = 0; side < 2; side++)
        turn[side] = rbv_model_measure(model, RBV_MEASURE_TURN, joint.marker[side], joint.marker[side], 2);
    int32_t direction = rbv_model_measure(model, RBV_MEASURE_DIRECTION, joint.marker[0], joint.marker[1], 0);
    if (!rbv_builder_row(builder, RBV_OWNER_JOINT, index))
        return;
    rbv_builder_term(builder, turn[1], r[1]);
    rbv_builder_term(builder, turn[0], s * r[0]);
    rbv_builder_term(builder, direction, -(s * r[0] + r[1]));
    RbvRow *row = &builder->rows[builder->row_count - 1];
    row->constant = r[1] * rbv_builder_start_value(builder, turn[1]) +
                    s * r[0] * rbv_builder_start_value(builder, turn[0]) -
                    (s * r[0] + r[1]) * rbv_builder_start_value(builder, direction);
}

/* Measure of the relative rolling of teeth, one wheel against the other. In space a sum of two: the turns of the wheels
 * in their seats, which are positions, or rates about both axes that meet (RbvMesh). */
static int32_t wheel_rolling_measure(RbvModel *model, const RbvJoint *joint, int side) {
    if (!joint->spatial)
        return rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], 5, 0);
    const RbvMesh *mesh = &model->meshes.items[joint->mesh];
    return mesh->parallel
               ? rbv_model_measure(model, RBV_MEASURE_TWIST, mesh->seat[side], joint->marker[side], 2)
               : rbv_model_measure(model, RBV_MEASURE_SPIN, joint->marker[0], joint->marker[1], 2 + 3 * side);
}

/* Teeth of crossed axes slide along each other, others roll. */
static void slip_of_teeth(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                          RbvSlipDirection *slip) {
    slip->terms = 1;
    if (surfaces->direction[k] < 3) {
        slip->measure[0] = rbv_model_measure(model, RBV_MEASURE_TOOTH, joint->marker[0], joint->marker[1], joint->mesh);
        return;
    }
    slip->measure[0] = wheel_rolling_measure(model, joint, 0);
    if (!joint->spatial)
        return;
    slip->terms = 2;
    slip->measure[1] = wheel_rolling_measure(model, joint, 1);
}

/* Teeth in space roll about the line through the pitch point, by the turns of both wheels. */
static void weigh_slip_of_teeth(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                                RbvSlipDirection *slip) {
    (void)surfaces;
    for (int side = 0; joint->mesh >= 0 && slip->angular && side < 2; side++)
        slip->weight[side] = model->meshes.items[joint->mesh].roll[side];
}

/* Wrench of planar gears and belts. Gears: along the common tangent, orthogonal to the line of centres, at the pitch
 * point, which divides that line in the ratio of the radii; the radial force of the flanks is known from it. Belts:
 * one strand gains what the other loses, and their parts along the line of centres cancel. */
static RbvWrench plane_wheels(const RbvState *state, int32_t index, const RbvMarkerState *i, const RbvMarkerState *j) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const double *r = state->system->wheel[index];
    const RbvVec3 z = {0, 0, 1};
    RbvVec3 d = rbv_sub(j->point, i->point), n = rbv_cross(z, rbv_scale(1 / rbv_norm(d), d));
    double both = r[1] + rbv_joint_wheel_sign(joint) * r[0];
    if (rbv_forms[joint->form].teeth)
        return rbv_force_about_second(n, rbv_add_scaled(j->point, -r[1] / both, d), j);
    return (RbvWrench){rbv_scale(-both / rbv_norm(d), n), rbv_scale(r[1], z)};
}

/* Wrench of the teeth or strands of a spatial mesh; their lines are fixed in the carrier. */
static RbvWrench mesh_lines(const RbvState *state, const RbvJoint *joint, const RbvMarkerState *j) {
    const RbvMesh *mesh = &state->system->model->meshes.items[joint->mesh];
    RbvWrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < mesh->line_count; k++) {
        const RbvMarkerState *line = &state->markers[mesh->line[k]];
        sum =
            rbv_wrench_add_scaled(sum, mesh->weight[k], rbv_force_about_second(line->axes->column[1], line->point, j));
    }
    return sum;
}

static int free_of_wheels(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    const RbvWrench locked = joint->spatial ? mesh_lines(state, joint, j) : plane_wheels(state, index, i, j);
    return rbv_twists_across(joint->spatial, locked, length, freed);
}

const RbvFormFunctions rbv_form_wheels = {.rows = compile_wheels,
                                          .slip_direction = slip_of_teeth,
                                          .slip_weights = weigh_slip_of_teeth,
                                          .free_directions = free_of_wheels};
