/* Compiles the rows of each kind of joint as combinations of measures, and the friction contacts of joints with the
 * rows that are active while they stick. */
#include "mechanics/system/builder.h"

#include "core/base/diagnostics.h"
#include "mechanics/system/friction_contacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows and their terms, appended one after the other. */

RbvRow *rbv_builder_row(RbvBuilder *builder, RbvOwner owner, int32_t index) {
    if (builder->row_count == builder->row_capacity) {
        int32_t capacity = builder->row_capacity ? 2 * builder->row_capacity : 64;
        RbvRow *rows = realloc(builder->rows, (size_t)capacity * sizeof *rows);
        if (!rows) {
            builder->no_memory = true;
            return NULL;
        }
        builder->rows = rows;
        builder->row_capacity = capacity;
    }
    RbvRow *row = &builder->rows[builder->row_count++];
    *row = (RbvRow){.owner = owner, .index = index, .direction = -1, .first = builder->term_count};
    return row;
}

void rbv_builder_term(RbvBuilder *builder, int32_t measure, double coefficient) {
    if (measure < 0 || builder->row_count == 0) {
        builder->no_memory = true;
        return;
    }
    if (builder->term_count == builder->term_capacity) {
        int32_t capacity = builder->term_capacity ? 2 * builder->term_capacity : 64;
        RbvTerm *terms = realloc(builder->terms, (size_t)capacity * sizeof *terms);
        if (!terms) {
            builder->no_memory = true;
            return;
        }
        builder->terms = terms;
        builder->term_capacity = capacity;
    }
    builder->terms[builder->term_count++] = (RbvTerm){measure, coefficient, {-1, -1}};
    builder->rows[builder->row_count - 1].count++;
}

static void report_joint_mistake(RbvBuilder *builder, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
static void report_joint_mistake(RbvBuilder *builder, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(builder->diagnostics, RBV_ERROR, builder->model->file, at, format, arguments);
    va_end(arguments);
    builder->wrong = true;
}

/* State of a marker in the starting poses; the result points into *axes. */
static RbvMarkerState start_of(const RbvModel *model, int32_t m, RbvAxes *axes) {
    const RbvMarker *marker = &model->markers.items[m];
    const RbvBody *body = &model->bodies.items[marker->body];
    RbvMat3 A = rbv_body_axes(model, body);
    RbvMarkerState state = {.body = marker->body,
                            .axes = &axes->A,
                            .p = &axes->p,
                            .arm = rbv_apply(&A, rbv_sub(marker->at, body->centroid))};
    state.point = rbv_marker_start(model, m, &axes->A);
    state.turn = body->angle + marker->angle;
    axes->p = rbv_quat_product(body->rotation, rbv_marker_axes(marker)->p);
    return state;
}

/* Value, in the starting poses, of a measure that depends on its two markers only. */
static double start_value(RbvBuilder *builder, int32_t index) {
    if (index < 0)
        return 0;
    RbvMeasure measure = builder->model->measures.items[index];
    RbvAxes axes[2];
    const RbvMarkerState ends[2] = {start_of(builder->model, measure.marker[0], &axes[0]),
                                    start_of(builder->model, measure.marker[1], &axes[1])};
    RbvMeasureMemory memory = rbv_measure_no_memory(measure.kind);
    RbvMeasureState state;
    memset(&state, 0, sizeof state);
    measure.marker[0] = 0;
    measure.marker[1] = 1;
    rbv_measure_place(&measure, builder->model, ends, &memory, &state);
    return state.value;
}

/* A row of the joint with one measure. NULL if out of memory. */
static RbvRow *append_joint_row(RbvBuilder *builder, int32_t index, int32_t measure) {
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_JOINT, index);
    if (row)
        rbv_builder_term(builder, measure, 1);
    return row;
}

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
    builder->rows[builder->row_count - 1].constant = start_value(builder, along) - lead * start_value(builder, turn);
}

static void compile_locks(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    bool single = (joint.locks & (joint.locks - 1)) == 0;
    for (int direction = 0; direction < 6; direction++) {
        if (!(joint.locks >> direction & 1))
            continue;
        RbvRow *row = append_joint_row(
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

static void compile_distance(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    int32_t measure = rbv_model_measure(builder->model, RBV_MEASURE_DISTANCE, joint.marker[0], joint.marker[1], 0);
    double length = isnan(joint.sizes->length) ? start_value(builder, measure) : joint.sizes->length;
    if (!(length > 0))
        report_joint_mistake(builder, joint.where,
                             "%s '%s' has no length in the starting poses: its two points coincide; give length:",
                             joint.kind->name, joint.name);
    RbvRow *row = append_joint_row(builder, index, measure);
    if (row)
        row->constant = length;
}

/* Gear and belt: r2 turn2 + s r1 turn1 - (s r1 + r2) direction = constant; s = +1 external gear, crossed belt. */
static void compile_wheels(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    if (model->space == RBV_SPATIAL) {
        memcpy(builder->system->wheel[index], joint.sizes->radii, sizeof joint.sizes->radii);
        append_joint_row(builder, index,
                         rbv_model_measure(model, RBV_MEASURE_MESH, joint.marker[0], joint.marker[1], joint.mesh));
        return;
    }
    double s = rbv_joint_wheel_sign(&joint);
    double distance =
        start_value(builder, rbv_model_measure(model, RBV_MEASURE_DISTANCE, joint.marker[0], joint.marker[1], 0));
    double *r = builder->system->wheel[index];
    memcpy(r, joint.sizes->radii, sizeof joint.sizes->radii);
    if (rbv_forms[joint.form].teeth && isnan(r[0]))
        for (int side = 0; side < 2; side++)
            r[side] = distance * joint.sizes->teeth[side] / fabs(joint.sizes->teeth[0] + s * joint.sizes->teeth[1]);
    if (!(distance > 0)) {
        report_joint_mistake(builder, joint.where, "the centres of %s '%s' coincide in the starting poses",
                             joint.kind->name, joint.name);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (model->bodies.items[model->markers.items[joint.marker[side]].body].particle)
            report_joint_mistake(builder, joint.where, "'%s' is a particle and cannot be a wheel of '%s'",
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
    row->constant = r[1] * start_value(builder, turn[1]) + s * r[0] * start_value(builder, turn[0]) -
                    (s * r[0] + r[1]) * start_value(builder, direction);
}

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
    double R = joint.sizes->radii[1], side = start_value(builder, aside), s = side >= 0 ? 1 : -1;
    if (fabs(fabs(side) - R) > 1e-6 * R)
        rbv_model_note(
            model, builder->diagnostics, joint.where,
            "the pinion of '%s' has its centre %g m from the rack's line in the starting poses, not its radius %g m",
            joint.name, fabs(side), R);
    if (!rbv_builder_row(builder, RBV_OWNER_JOINT, index))
        return;
    rbv_builder_term(builder, along, 1);
    rbv_builder_term(builder, angle, s * R);
    builder->rows[builder->row_count - 1].constant = start_value(builder, along) + s * R * start_value(builder, angle);
}

static void compile_cam(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    for (int part = 0; joint.track && part < 2; part++)
        append_joint_row(builder, index,
                         rbv_model_measure(builder->model, RBV_MEASURE_TRACK, joint.marker[0], joint.marker[1],
                                           2 * joint.cam + part));
    if (joint.track)
        return;
    bool revolved = builder->model->cams.items[joint.cam].revolved;
    append_joint_row(builder, index,
                     rbv_model_measure(builder->model, revolved ? RBV_MEASURE_REVOLVED : RBV_MEASURE_GAP,
                                       joint.marker[0], joint.marker[1], joint.cam));
}

static void compile_edge(RbvBuilder *builder, int32_t index) {
    const RbvJoint joint = builder->model->joints.items[index];
    RbvRow *row = append_joint_row(
        builder, index, rbv_model_measure(builder->model, RBV_MEASURE_SLIP, joint.marker[0], joint.marker[1], 0));
    if (row)
        row->on_rates = true;
}

/* A disk or ball on the first marker's xy plane: its height, then no slip along and across. */
static void compile_roll(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    const RbvJoint joint = model->joints.items[index];
    const int32_t *m = joint.marker;
    RbvRow *row = append_joint_row(builder, index,
                                   joint.ball ? rbv_model_measure(model, RBV_MEASURE_OFFSET, m[0], m[1], 2)
                                              : rbv_model_measure(model, RBV_MEASURE_CONTACT, m[0], m[1], 2 * index));
    if (row)
        row->constant = joint.ball ? joint.sizes->radii[1] : 0;
    for (int part = 0; part < 2; part++) {
        row =
            append_joint_row(builder, index, rbv_model_measure(model, RBV_MEASURE_ROLL, m[0], m[1], 2 * index + part));
        if (row)
            row->on_rates = true;
    }
}

void rbv_compile_joint(RbvBuilder *builder, int32_t index) {
    switch (builder->model->joints.items[index].form) {
    case RBV_FORM_LOCKS: compile_locks(builder, index); break;
    case RBV_FORM_DISTANCE: compile_distance(builder, index); break;
    case RBV_FORM_GEAR:
    case RBV_FORM_BELT: compile_wheels(builder, index); break;
    case RBV_FORM_RACK: compile_rack(builder, index); break;
    case RBV_FORM_CAM: compile_cam(builder, index); break;
    case RBV_FORM_EDGE: compile_edge(builder, index); break;
    case RBV_FORM_ROLL: compile_roll(builder, index); break;
    case RBV_FORM_COUNT: break;
    }
}

/* Compiles friction: the friction contacts of each joint, the coordinates of their slip directions, and the rows that
 * are active while they stick. */

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
