/* Compiles friction: the friction contacts of each joint, the coordinates of their slip directions with
 * weights and levers, and the rows that are active while they stick. */
#include "core/base/arena.h"
#include "mechanics/forms/form.h"

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
            rbv_joint_slip_direction(builder->model, joint, surfaces, c, slip);
        for (int t = 0; !friction->own && t < slip->terms; t++)
            builder->no_memory = builder->no_memory || slip->measure[t] < 0;
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

/* Weights and lever of a slip direction that is the joint's own row. */
static void take_row(const RbvSystem *system, const RbvRow *row, RbvSlipDirection *slip) {
    slip->lever = 1;
    for (int t = 0; t < slip->terms; t++)
        slip->weight[t] = system->terms[row->first + t].coefficient;
}

void rbv_system_place_friction(RbvSystem *system) {
    for (int32_t i = 0; i < system->friction_count; i++) {
        RbvFrictionContact *friction = &system->friction[i];
        const RbvJoint *joint = &system->model->joints.items[friction->joint];
        for (int c = 0; friction->own && c < friction->count; c++)
            take_row(system, &system->rows[friction->stick_row + c], &friction->slip[c]);
        for (int c = 0; !friction->own && c < friction->count; c++) {
            RbvSlipDirection *slip = &friction->slip[c];
            rbv_joint_slip_weights(system->model, joint, friction->surfaces, slip);
            for (int t = 0; t < slip->terms && friction->stick_row >= 0; t++)
                system->terms[system->rows[friction->stick_row + c].first + t].coefficient = slip->weight[t];
        }
    }
}
