/* Compiles friction: the friction contacts of each joint, the coordinates of their slip directions, and the rows that
 * are active while they stick. */
#include "core/base/diagnostics.h"
#include "mechanics/system/builder.h"
#include "mechanics/system/friction_contacts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are active while the contact sticks; their positions are the row_turn of the state. */
void rbv_compile_stick(RbvBuilder *builder, RbvFrictionContact *friction) {
    if (friction->own)
        return;
    friction->stick_row = -1;
    if (!(builder->model->joints.items[friction->joint].sizes->friction > 0))
        return;
    friction->stick_row = builder->row_count;
    for (int c = 0; c < friction->count; c++) {
        const RbvSlipDirection *slip = &friction->slip[c];
        RbvRow *row = rbv_builder_row(builder, RBV_OWNER_STICK, friction->joint);
        if (!row)
            return;
        row->angular = slip->angular;
        row->on_rates = rbv_measure_is_rate(builder->model->measures.items[slip->measure[0]].kind);
        row->direction = (int8_t)slip->component;
        for (int t = 0; t < slip->terms; t++)
            rbv_builder_term(builder, slip->measure[t], 1); /* coefficient set by rbv_system_place_friction */
    }
}

/* Measure of the relative rolling of teeth, one wheel against the other. In space a sum of two: the turns of the wheels
 * in their seats, which are positions, or rates about both axes that meet (RbvMesh). */
static int32_t rolling_measure(RbvModel *model, const RbvJoint *joint, int side) {
    if (joint->spatial && joint->form == RBV_FORM_RACK)
        return rbv_model_direction_measure(model, joint->rack, joint->marker[1], 5,
                                           RBV_DIRECTION_RX | RBV_DIRECTION_RY);
    if (!joint->spatial)
        return rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], 5, 0);
    const RbvMesh *mesh = &model->meshes.items[joint->mesh];
    return mesh->parallel
               ? rbv_model_measure(model, RBV_MEASURE_TWIST, mesh->seat[side], joint->marker[side], 2)
               : rbv_model_measure(model, RBV_MEASURE_SPIN, joint->marker[0], joint->marker[1], 2 + 3 * side);
}

/* The measure of slip direction k. Turns about several axes have no coordinate, only a rate about each axis. The
 * contact of a cam has only a rate, as has a turn about an axis that moves with the geometry. */
static int32_t sliding_measure(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k) {
    int direction = surfaces->direction[k];
    if (joint->form == RBV_FORM_CAM)
        return rbv_model_measure(model, RBV_MEASURE_GLIDE, joint->marker[0], joint->marker[1],
                                 2 * joint->cam + direction);
    if (direction >= 3 && (joint->form == RBV_FORM_GEAR || joint->form == RBV_FORM_RACK))
        return rolling_measure(model, joint, 0);
    if (joint->form == RBV_FORM_GEAR)
        return rbv_model_measure(model, RBV_MEASURE_TOOTH, joint->marker[0], joint->marker[1], joint->mesh);
    if (joint->form == RBV_FORM_DISTANCE)
        return rbv_model_measure(model, RBV_MEASURE_SWING, joint->marker[0], joint->marker[1],
                                 k + (surfaces->second ? 2 : 0));
    if (joint->extra == RBV_EXTRA_HOMOKINETIC)
        return rbv_model_measure(model, RBV_MEASURE_BEND, joint->marker[0], joint->marker[1], k);
    bool several = direction >= 3 && joint->spatial &&
                   (joint->locks & RBV_DIRECTIONS_TURNS) != (RBV_DIRECTION_RX | RBV_DIRECTION_RY);
    if (several)
        return rbv_model_measure(model, RBV_MEASURE_SPIN, joint->marker[0], joint->marker[1],
                                 direction - 3 + (surfaces->second ? 3 : 0));
    return rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], direction, joint->locks);
}

/* The measures of slip direction c where it is not one of the joint's rows; sets slip->terms. */
static void compile_slip_direction(RbvBuilder *builder, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                                   int c, RbvSlipDirection *slip) {
    RbvModel *model = builder->model;
    const int32_t *m = joint->marker;
    bool bar = joint->form == RBV_FORM_DISTANCE && !joint->spatial, thread = surfaces->press == RBV_PRESS_THREAD,
         teeth = joint->spatial && joint->form == RBV_FORM_GEAR && slip->angular;
    int32_t end = m[surfaces->second];
    slip->terms = bar || thread || teeth ? 2 : 1;
    slip->measure[0] = bar ? rbv_model_measure(model, RBV_MEASURE_DIRECTION, m[0], m[1], 0)
                           : sliding_measure(model, joint, surfaces, c);
    if (slip->terms > 1)
        slip->measure[1] = bar     ? rbv_model_measure(model, RBV_MEASURE_TURN, end, end, 2)
                           : teeth ? rolling_measure(model, joint, 1)
                                   : rbv_model_direction_measure(model, m[0], m[1], 2, joint->locks);
    builder->no_memory = builder->no_memory || slip->measure[0] < 0 || (slip->terms > 1 && slip->measure[1] < 0);
}

/* The slip directions of a friction contact. If its rows are the joint's own, these are the joint's last rows. */
static void compile_slip_directions(RbvBuilder *builder, const RbvJoint *joint, RbvFrictionContact *friction) {
    const RbvFrictionSurfaces *surfaces = friction->surfaces;
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
        if (!rbv_friction_surfaces_slide(surfaces, c, joint->sizes->friction_radius))
            continue;
        RbvSlipDirection *slip = &friction->slip[friction->count++];
        slip->angular = surfaces->direction[c] >= 3;
        slip->component = rbv_friction_component(joint, surfaces, c);
        if (!friction->own)
            compile_slip_direction(builder, joint, surfaces, c, slip);
    }
    friction->stick_row = friction->own ? builder->system->joint_row[friction->joint + 1] - friction->count : -1;
    for (int c = 0; friction->own && !builder->no_memory && c < friction->count; c++) {
        const RbvRow *row = &builder->rows[friction->stick_row + c];
        friction->slip[c].terms = row->count;
        for (int t = 0; t < row->count; t++)
            friction->slip[c].measure[t] = builder->terms[row->first + t].measure;
    }
}

/* Friction contacts of all joints with friction, after the joints' own rows. False if out of memory. */
bool rbv_compile_friction(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    RbvModel *model = builder->model;
    size_t joints = 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        joints += model->joints.items[k].has_friction;
    system->friction =
        rbv_arena_alloc(&system->arena, (RBV_MOST_FRICTION_SURFACES * joints + 1) * sizeof *system->friction);
    for (int32_t k = 0; system->friction && k < model->joints.count; k++) {
        const RbvJoint joint = model->joints.items[k];
        for (int side = 0; joint.has_friction && side < RBV_MOST_FRICTION_SURFACES; side++) {
            const RbvFrictionSurfaces *surfaces = &joint.friction_law->surfaces[side];
            RbvFrictionContact *friction = &system->friction[system->friction_count];
            *friction = (RbvFrictionContact){.joint = k, .surfaces = surfaces, .own = joint.friction_law->own};
            compile_slip_directions(builder, &joint, friction);
            system->friction_count += friction->count > 0;
        }
    }
    return system->friction != NULL && !builder->no_memory;
}
