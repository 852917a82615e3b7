/* The closed linkage of a model (RbvLinkage): its tree (tree.c), the joints that are not tree joints as closings, and
 * drives by the number that they drive: of the tree, or a coordinate of a closing.
 *
 * Gears, racks and belts are lines fixed to their carrier (arrays/linkage_rows.c): in space the lines of the model's
 * meshes; in the plane and for racks they are found from the wheels' positions.
 */
#include "analysis/analyses/tree_builder.h"

#include "arrays/linkage.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"

#include <math.h>
#include <string.h>

/* Closings while they are collected. */
typedef struct Closings {
    RbvTreeBuilder *p;
    const RbvTree *tree;
    RbvTreeWorkspace *workspace; /* workspace of `tree`, to place meshes of gears; NULL: not yet needed */
    RbvClosing *list;
    const char **names;
    int32_t (*drive)[RBV_CLOSING_COORDINATES]; /* [closings] drive of each coordinate; -1: none */
    int32_t count;
    bool no_memory;
} Closings;

/* Direction of a joint for each of the closing coordinates X Y Z TURN. */
static const int closing_direction[] = {0, 1, 2, 5};

static RbvClosing *add_closing(Closings *c, const char *name, const int32_t marker[2], const RbvPlace at[2]) {
    const RbvTreeBuilder *p = c->p;
    RbvClosing *closing = c->list + c->count;
    *closing = (RbvClosing){.holds = 0};
    c->names[c->count] = name;
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
        c->drive[c->count][k] = -1;
    c->count++;
    for (int side = 0; side < 2; side++) {
        const int32_t body = p->model->markers.items[marker[side]].body;
        const RbvPlace *frame = &p->frame[body];
        const RbvMat3 A = rbv_mat3_transposed_product(&frame->A, &at[side].A);
        const RbvQuat t = rbv_quat_of_mat3(&A);
        const RbvVec3 x = rbv_apply_transposed(&frame->A, rbv_sub(at[side].p, frame->p));
        closing->body[side] = p->index[body];
        closing->place[side][0] = x.x, closing->place[side][1] = x.y, closing->place[side][2] = x.z;
        closing->turn[side][0] = t.w, closing->turn[side][1] = t.e.x, closing->turn[side][2] = t.e.y,
        closing->turn[side][3] = t.e.z;
    }
    return closing;
}

static void drive_closing(Closings *c, int32_t index, int coordinate, int32_t drive) {
    const RbvDrive *d = &c->p->model->drives.items[drive];
    if (c->drive[index][coordinate] >= 0)
        rbv_tree_builder_refuse(c->p, d->where, "drive '%s' on a coordinate that another drive moves: '%s'", d->name,
                                d->coordinate);
    c->drive[index][coordinate] = drive;
    c->list[index].drives |= rbv_linkage_bit(coordinate);
    c->p->driven[drive] = INT32_MAX; /* numbered once all closings are known */
}

/* Drives, rotors and damping of the coordinates that a joint leaves free. */
static void own_coordinates(Closings *c, int32_t joint, int32_t index) {
    RbvTreeBuilder *p = c->p;
    RbvClosing *closing = c->list + index;
    for (int k = 0; k < 4; k++) {
        const int32_t measure = rbv_tree_builder_measure(p, joint, closing_direction[k]);
        if (measure < 0 || (closing->holds & rbv_linkage_bit(k)))
            continue;
        const RbvCoordinateOwn own = rbv_tree_builder_own(p, measure);
        closing->damping[k] = own.damping, closing->rotor[k] = own.rotor;
        for (int32_t d = 0; d < p->model->drives.count; d++)
            if (p->model->drives.items[d].of.named < 0 && p->model->drives.items[d].of.rate == 0 &&
                p->model->drives.items[d].of.measure == measure)
                drive_closing(c, index, k, d);
    }
}

static void close_by_directions(Closings *c, int32_t index) {
    const RbvModel *model = c->p->model;
    const RbvJoint *joint = &model->joints.items[index];
    RbvPlace at[2] = {rbv_marker_in_body(model, joint->marker[0]), rbv_marker_in_body(model, joint->marker[1])};
    rbv_hold_at_value(model, joint, at, at + 1);
    double angle;
    if (joint->extra == RBV_EXTRA_SCREW)
        at[0].p = rbv_add_scaled(at[0].p, rbv_screw_phase(model, joint, &angle), at[0].A.column[2]);
    RbvClosing *closing = add_closing(c, joint->name, joint->marker, at);
    closing->holds = (uint32_t)(joint->locks & RBV_DIRECTIONS_ALL & ~RBV_DIRECTIONS_TURNS);
    closing->holds |= joint->locks & RBV_DIRECTION_RX ? RBV_HOLD_AXES : 0u;
    closing->holds |= joint->locks & RBV_DIRECTION_RZ ? RBV_HOLD_TURN : 0u;
    closing->holds |= joint->extra == RBV_EXTRA_SQUARE ? RBV_HOLD_CROSS : 0u;
    closing->holds |= joint->extra == RBV_EXTRA_HOMOKINETIC ? RBV_HOLD_EQUAL : 0u;
    closing->holds |= joint->extra == RBV_EXTRA_SCREW ? RBV_HOLD_SCREW : 0u;
    closing->pitch = joint->extra == RBV_EXTRA_SCREW ? joint->sizes->pitch / RBV_TWO_PI : 0;
    own_coordinates(c, index, c->count - 1);
}

static void close_by_distance(Closings *c, int32_t index) {
    const RbvModel *model = c->p->model;
    const RbvJoint *joint = &model->joints.items[index];
    const RbvPlace at[2] = {rbv_marker_in_body(model, joint->marker[0]), rbv_marker_in_body(model, joint->marker[1])};
    RbvClosing *closing = add_closing(c, joint->name, joint->marker, at);
    RbvMat3 A;
    closing->holds = RBV_HOLD_DISTANCE;
    closing->distance = joint->sizes->length;
    if (isnan(closing->distance))
        closing->distance = rbv_norm(
            rbv_sub(rbv_marker_start(model, joint->marker[1], &A), rbv_marker_start(model, joint->marker[0], &A)));
    if (!(closing->distance > 0))
        rbv_tree_builder_refuse(c->p, joint->where,
                                "'%s' (%s) has no length in the starting poses: its two points coincide; give length:",
                                joint->name, joint->kind->name);
}

/* --- gears, racks, belts --- */

/* Frame of a marker in the tree at its start, in the ground's frame. */
static RbvPlace place_in_tree(Closings *c, int32_t marker) {
    const RbvTreeBuilder *p = c->p;
    const int32_t body = p->model->markers.items[marker].body;
    const RbvPlace own = rbv_marker_in_body(p->model, marker);
    if (body == 0)
        return own;
    if (!c->workspace && rbv_tree_workspace_create(c->tree, 1, &c->workspace) != RBV_OK) {
        c->no_memory = true;
        return own;
    }
    const RbvPlace *frame = &p->frame[body];
    const RbvVec3 x = rbv_apply_transposed(&frame->A, rbv_sub(own.p, frame->p));
    const double point[3] = {x.x, x.y, x.z};
    double pose[7];
    rbv_tree_pose(c->tree, c->workspace, NULL, p->index[body], point, p->start, pose);
    const RbvMat3 R = rbv_mat3_of_quat((RbvQuat){pose[3], {pose[4], pose[5], pose[6]}}),
                  B = rbv_mat3_transposed_product(&frame->A, &own.A);
    return (RbvPlace){rbv_mat3_product(&R, &B), rbv_vec3(pose[0], pose[1], pose[2])};
}

/* Add the wrench of a force [N] and torque [N m] at the point `at`, all in the ground's axes, to `wrench` in the
 * carrier's axes about its origin. */
static void add_in_carrier(const RbvPlace *carrier, RbvVec3 force, RbvVec3 torque, RbvVec3 at, double wrench[6]) {
    const RbvVec3 t = rbv_apply_transposed(&carrier->A, rbv_add(torque, rbv_cross(rbv_sub(at, carrier->p), force))),
                  f = rbv_apply_transposed(&carrier->A, force);
    wrench[0] += f.x, wrench[1] += f.y, wrench[2] += f.z, wrench[3] += t.x, wrench[4] += t.y, wrench[5] += t.z;
}

/* The body that carries both wheels: of their two parents the one that is deeper in the tree, as a planet's arm is
 * deeper than the sun's ground. */
static int32_t carrier_of(const RbvTreeBuilder *p, const RbvJoint *joint) {
    const RbvJointTreeJoint *one = &p->tree_joints.tree_joints[p->model->markers.items[joint->marker[0]].body],
                            *two = &p->tree_joints.tree_joints[p->model->markers.items[joint->marker[1]].body];
    return p->tree_joints.tree_joints[two->parent].depth >= p->tree_joints.tree_joints[one->parent].depth ? two->parent
                                                                                                          : one->parent;
}

/* Frame of a body in the tree at the start, in the ground's frame. */
static RbvPlace frame_in_tree(Closings *c, int32_t body) {
    const RbvTreeBuilder *p = c->p;
    double pose[7];
    if (body == 0 || (!c->workspace && rbv_tree_workspace_create(c->tree, 1, &c->workspace) != RBV_OK)) {
        c->no_memory = c->no_memory || body != 0;
        return (RbvPlace){rbv_mat3_identity(), rbv_vec3(0, 0, 0)};
    }
    rbv_tree_pose(c->tree, c->workspace, NULL, p->index[body], NULL, p->start, pose);
    return (RbvPlace){rbv_mat3_of_quat((RbvQuat){pose[3], {pose[4], pose[5], pose[6]}}),
                      rbv_vec3(pose[0], pose[1], pose[2])};
}

/* Vector from the first marker to the second in the starting poses, from which the model's gears count their turns. The
 * tree satisfies its joints exactly, the starting poses only to some digits. */
static RbvVec3 apart_at_start(const RbvModel *model, const int32_t first, const int32_t second, RbvMat3 *axes) {
    RbvMat3 other;
    const RbvVec3 at = rbv_marker_start(model, first, axes);
    return rbv_sub(rbv_marker_start(model, second, &other), at);
}

/* Wheels in the plane: r2 turn2 + s r1 turn1 - (s r1 + r2) direction, whose gradient is a force across the line of
 * centres and a torque on each wheel. */
static void mesh_in_plane(Closings *c, const RbvJoint *joint, const RbvPlace at[2], const RbvPlace *carrier,
                          RbvTeeth *teeth) {
    const RbvVec3 d = rbv_sub(at[1].p, at[0].p), z = rbv_vec3(0, 0, 1);
    const double distance = rbv_norm(d), s = rbv_joint_wheel_sign(joint);
    double r[2] = {joint->sizes->radii[0], joint->sizes->radii[1]};
    if (!(distance > 0)) {
        rbv_tree_builder_refuse(c->p, joint->where, "the centres of '%s' (%s) coincide in the starting poses",
                                joint->name, joint->kind->name);
        return;
    }
    for (int side = 0; side < 2 && rbv_forms[joint->form].teeth && isnan(joint->sizes->radii[0]); side++)
        r[side] = distance * joint->sizes->teeth[side] / fabs(joint->sizes->teeth[0] + s * joint->sizes->teeth[1]);
    RbvMat3 A;
    const RbvVec3 n = rbv_scale(1 / distance, d),
                  raw = apart_at_start(c->p->model, joint->marker[0], joint->marker[1], &A);
    teeth->phase = (s * r[0] + r[1]) * atan2(raw.x * d.y - raw.y * d.x, rbv_dot(raw, d));
    add_in_carrier(carrier, rbv_scale(-(s * r[0] + r[1]) / distance, rbv_cross(z, n)), rbv_scale(r[1], z), at[1].p,
                   teeth->line);
    const double slant = (s * r[0] + r[1]) / distance;
    if (rbv_forms[joint->form].teeth)
        add_in_carrier(carrier, rbv_scale(s * tan(joint->sizes->pressure_angle) / cos(joint->sizes->helix_angle), n),
                       rbv_vec3(0, 0, 0), at[1].p, teeth->apart);
    else
        add_in_carrier(carrier, rbv_scale(-2 * joint->sizes->preload * sqrt(rbv_max(1 - slant * slant, 0)), n),
                       rbv_vec3(0, 0, 0), at[1].p, teeth->constant);
}

/* Wheels in space: lines fixed to the carrier. */
static void mesh_in_space(Closings *c, const RbvJoint *joint, const RbvPlace at[2], const RbvPlace *carrier,
                          RbvTeeth *teeth) {
    const RbvMesh *mesh = &c->p->model->meshes.items[joint->mesh];
    const RbvVec3 none = {0, 0, 0};
    const double s = rbv_joint_wheel_sign(joint);
    RbvPlace line = place_in_tree(c, mesh->line[0]);
    if (rbv_forms[joint->form].teeth) {
        add_in_carrier(carrier, rbv_scale(mesh->axial, line.A.column[2]), none, line.p, teeth->beside);
        add_in_carrier(carrier, rbv_scale(mesh->apart, line.A.column[0]), none, line.p, teeth->apart);
    } else {
        RbvVec3 d = rbv_sub(at[1].p, at[0].p);
        d = rbv_add_scaled(d, -rbv_dot(d, at[0].A.column[2]), at[0].A.column[2]);
        const double distance = rbv_norm(d), slant = (s * joint->sizes->radii[0] + joint->sizes->radii[1]) / distance;
        add_in_carrier(carrier,
                       rbv_scale(-2 * joint->sizes->preload * sqrt(rbv_max(1 - slant * slant, 0)) / distance, d), none,
                       at[1].p, teeth->constant);
    }
    for (int k = 0; k < mesh->line_count; k++) {
        line = place_in_tree(c, mesh->line[k]);
        add_in_carrier(carrier, rbv_scale(mesh->weight[k], line.A.column[1]), none, line.p, teeth->line);
    }
}

/* A rack: offset along the rack + s R turn of the pinion, s = +1 where the pinion is on the rack's +y side. */
static void mesh_rack(Closings *c, const RbvJoint *joint, const RbvPlace at[2], const RbvPlace *carrier,
                      RbvTeeth *teeth) {
    const RbvModel *model = c->p->model;
    const RbvPlace rack = joint->spatial ? place_in_tree(c, joint->rack) : at[0];
    RbvMat3 A;
    const RbvVec3 raw = apart_at_start(model, joint->spatial ? joint->rack : joint->marker[0], joint->marker[1], &A);
    const double s = rbv_dot(A.column[1], raw) >= 0 ? 1 : -1;
    teeth->phase = rbv_dot(A.column[0], raw) - rbv_dot(rack.A.column[0], rbv_sub(at[1].p, rack.p));
    add_in_carrier(carrier, rack.A.column[0], rbv_scale(s * joint->sizes->radii[1], rack.A.column[2]), at[1].p,
                   teeth->line);
}

static void close_by_teeth(Closings *c, int32_t index) {
    const RbvModel *model = c->p->model;
    const RbvJoint *joint = &model->joints.items[index];
    const bool mesh = joint->spatial && !rbv_forms[joint->form].rack;
    const int32_t body =
        mesh ? model->markers.items[model->meshes.items[joint->mesh].seat[0]].body : carrier_of(c->p, joint);
    const RbvPlace own[2] = {rbv_marker_in_body(model, joint->marker[0]), rbv_marker_in_body(model, joint->marker[1])};
    const RbvPlace at[2] = {place_in_tree(c, joint->marker[0]), place_in_tree(c, joint->marker[1])},
                   carrier = frame_in_tree(c, body);
    RbvClosing *closing = add_closing(c, joint->name, joint->marker, own);
    closing->holds = RBV_HOLD_TEETH;
    closing->teeth.carrier = c->p->index[body];
    if (rbv_forms[joint->form].rack)
        mesh_rack(c, joint, at, &carrier, &closing->teeth);
    else if (mesh)
        mesh_in_space(c, joint, at, &carrier, &closing->teeth);
    else
        mesh_in_plane(c, joint, at, &carrier, &closing->teeth);
}

/* --- drives --- */

/* A closing without locked directions, for a drive on a coordinate of no joint: the second marker's position along an
 * axis of the first, their distance, or the turn in the plane. */
static void drive_apart(Closings *c, int32_t drive) {
    const RbvModel *model = c->p->model;
    const RbvDrive *d = &model->drives.items[drive];
    const RbvMeasure *m =
        d->of.named < 0 && d->of.rate == 0 && d->of.measure >= 0 ? &model->measures.items[d->of.measure] : NULL;
    const bool turn = m && m->kind == RBV_MEASURE_ANGLE, place = m && m->kind == RBV_MEASURE_OFFSET,
               distance = m && m->kind == RBV_MEASURE_DISTANCE;
    if ((!turn && !place && !distance) ||
        model->markers.items[m->marker[0]].body == model->markers.items[m->marker[1]].body) {
        rbv_tree_builder_refuse(
            c->p, d->where,
            d->of.rate ? "drive '%s' is on a rate: '%s'"
            : d->of.named >= 0
                ? "drive '%s' is on an expression: '%s'"
                : "drive '%s' is on no coordinate of a joint, place, distance or angle of the plane: '%s'",
            d->name, d->coordinate);
        return;
    }
    const RbvPlace at[2] = {rbv_marker_in_body(model, m->marker[0]), rbv_marker_in_body(model, m->marker[1])};
    const RbvCoordinateOwn own = rbv_tree_builder_own(c->p, d->of.measure);
    int coordinate = turn ? RBV_CLOSING_TURN : m->axis;
    coordinate = distance ? RBV_CLOSING_DISTANCE : coordinate;
    RbvClosing *closing = add_closing(c, d->name, m->marker, at);
    closing->damping[coordinate] = own.damping, closing->rotor[coordinate] = own.rotor;
    drive_closing(c, c->count - 1, coordinate, drive);
}

/* Number the driven coordinates of closings, after the numbers of the tree. */
static void number_drives(Closings *c, int32_t nv) {
    for (int32_t n = 0; n < c->count; n++)
        for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
            if (c->drive[n][k] >= 0)
                c->p->driven[c->drive[n][k]] = nv++;
}

/* Refuse damping about several axes, as of ball joints: it acts along components of a rotation vector, which are no
 * coordinates here. */
static void check_dampings(RbvTreeBuilder *p) {
    for (int32_t k = 0; k < p->model->loads.count; k++) {
        const RbvLoad *load = &p->model->loads.items[k];
        bool lost = false;
        for (int32_t e = 0; !load->name && e < load->measure_count; e++)
            lost = lost || (load->damping[e] > 0 && !(p->damps[k] >> e & 1));
        if (lost)
            rbv_tree_builder_refuse(p, load->where, "damping of joint '%s' (%s) about several axes",
                                    p->model->joints.items[load->joint].name,
                                    p->model->joints.items[load->joint].kind->name);
    }
}

static void gather(Closings *c) {
    const RbvModel *model = c->p->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvFormTraits *form = &rbv_forms[model->joints.items[k].form];
        if (!c->p->closes[k])
            continue;
        if (form->directions)
            close_by_directions(c, k);
        else if (form->bar)
            close_by_distance(c, k);
        else
            close_by_teeth(c, k);
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (c->p->driven[k] < 0)
            drive_apart(c, k);
    number_drives(c, rbv_tree_v_count(c->tree));
    check_dampings(c->p);
}

static RbvStatus close_loops(RbvTreeBuilder *p, const RbvTree *tree, RbvLinkage **linkage) {
    const RbvModel *model = p->model;
    const size_t most = (size_t)model->joints.count + (size_t)model->drives.count + 1;
    Closings c = {.p = p, .tree = tree};
    c.list = rbv_arena_array(&p->arena, most, sizeof *c.list);
    c.names = rbv_arena_array(&p->arena, most, sizeof *c.names);
    c.drive = rbv_arena_array(&p->arena, most, sizeof *c.drive);
    if (!c.list || !c.names || !c.drive)
        return RBV_NO_MEMORY;
    gather(&c);
    rbv_tree_workspace_destroy(c.workspace);
    RbvStatus status = rbv_tree_builder_status(p, c.no_memory);
    if (status == RBV_OK)
        status = rbv_linkage_create_named(tree, c.count, c.list, c.names, model->drives.count, p->driven,
                                          p->diagnostics, linkage);
    if (status == RBV_OK && !rbv_linkage_set_origin(*linkage, p->start)) {
        rbv_linkage_destroy(*linkage);
        *linkage = NULL;
        status = RBV_NO_MEMORY;
    }
    return status;
}

RbvStatus rbv_linkage_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree,
                                 RbvLinkage **linkage) {
    if (tree)
        *tree = NULL;
    if (linkage)
        *linkage = NULL;
    if (!model || !tree || !linkage)
        return RBV_BAD_ARGUMENT;
    RbvStatus status = rbv_tree_builder_check(model, diagnostics);
    if (status != RBV_OK)
        return status;
    RbvTreeBuilder p = {.model = model, .diagnostics = diagnostics, .closed = true};
    status = rbv_tree_builder_grow(&p, tree);
    if (status == RBV_OK && (status = close_loops(&p, *tree, linkage)) != RBV_OK) {
        rbv_tree_destroy(*tree);
        *tree = NULL;
    }
    rbv_arena_clear(&p.arena);
    return status;
}
