/* The open tree of a model (RbvTree): bodies on the tree joints of the spanning tree (joint_tree.h), each tree joint as
 * a chain of simple joints whose numbers are the model's coordinates.
 *
 * With the first marker's frame A_1, P_1 and the second's, a tree joint is A_2 = A_1 T, P_2 = P_1 + A_1 x: first slides
 * along the axes of A_1, then a turn. Where the second marker's body is the parent of the first's, the chain runs from
 * its end, about and along the opposite axes: the numbers stay the same. A body's frame in the tree is that of its
 * marker of the tree joint (of a universal joint: turned so that both frames coincide at 0); a free body keeps its own
 * frame.
 */
#include "analysis/analyses/tree_builder.h"

#include "arrays/tree.h"
#include "core/base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RbvMat3 rbv_mat3_transposed_product(const RbvMat3 *A, const RbvMat3 *B) {
    return (RbvMat3){{rbv_apply_transposed(A, B->column[0]), rbv_apply_transposed(A, B->column[1]),
                      rbv_apply_transposed(A, B->column[2])}};
}

static const char *text_of(RbvTreeBuilder *p, const char *first, const char *second) {
    char text[600];
    int length = snprintf(text, sizeof text, "%s.%s", first, second);
    const char *copy = rbv_arena_copy(&p->arena, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    p->no_memory = p->no_memory || !copy;
    return copy;
}

void rbv_tree_builder_refuse(RbvTreeBuilder *p, RbvPosition where, const char *format, const char *name,
                             const char *kind) {
    char text[600];
    snprintf(text, sizeof text, format, name, kind);
    rbv_diagnose(p->diagnostics, RBV_ERROR, p->model->file, where, "%s cannot have it: %s",
                 p->closed ? "a linkage" : "an open tree", text);
    p->wrong = true;
}

/* --- what an open tree cannot contain --- */

static bool rbv_joint_comes_and_goes(const RbvModel *model, int32_t index) {
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT && model->conditions.items[k].index == index)
            return true;
    return false;
}

const RbvBody *rbv_marker_body(const RbvModel *model, int32_t marker) {
    return &model->bodies.items[model->markers.items[marker].body];
}

/* Can a closing hold the locked directions of the joint? In space it holds turns about x and y together, or all three,
 * or none. */
static bool has_directions(const RbvModel *model, const RbvJoint *joint) {
    const uint8_t aligned = joint->locks & (RBV_DIRECTION_RX | RBV_DIRECTION_RY);
    if (model->space == RBV_PLANAR)
        return true;
    return aligned == (RBV_DIRECTION_RX | RBV_DIRECTION_RY) || (joint->locks & RBV_DIRECTIONS_TURNS) == 0;
}

/* Why a joint cannot close a loop; NULL: it can. */
static const char *not_closable(const RbvModel *model, int32_t index) {
    const RbvJoint *joint = &model->joints.items[index];
    if (rbv_joint_comes_and_goes(model, index))
        return "comes and goes";
    if (joint->unilateral)
        return "may let go (unilateral)";
    if (!rbv_forms[joint->form].closes_loops)
        return "holds what rolls or slides along curves";
    for (int side = 0; side < 2; side++) {
        const RbvBody *body = rbv_marker_body(model, joint->marker[side]);
        if (body->generalized > 0)
            return "is on a generalized coordinate";
        if (body->particle && ((joint->locks & RBV_DIRECTIONS_TURNS) || joint->extra != RBV_EXTRA_NONE))
            return "holds turns of a particle, which has none";
    }
    return rbv_forms[joint->form].directions && !has_directions(model, joint)
               ? "holds single turns of space, or two that leave x or y free"
               : NULL;
}

/* Does the tree joint slide and turn about several axes, with its sides swapped? Its turn would then come first, and
 * massless bodies would slide. */
static bool is_backward(const RbvJointTreeJoint *tree_joint) {
    return tree_joint->joint >= 0 && tree_joint->sign < 0 && tree_joint->slides > 0 && !tree_joint->screw &&
           (tree_joint->turn == RBV_TREE_JOINT_BALL || tree_joint->turn == RBV_TREE_JOINT_CROSS);
}

/* Choose the tree joints. In a linkage, joints that no chain of simple joints can represent close a loop instead:
 * shafts of equal speeds, whose tree joint would be a ball that does not make the speeds equal, and backward tree
 * joints. False: no memory. */
static bool choose_tree_joints(RbvTreeBuilder *p) {
    const RbvModel *model = p->model;
    bool again = true;
    for (int32_t k = 0; p->closed && k < model->joints.count; k++)
        p->cut[k] = model->joints.items[k].extra == RBV_EXTRA_HOMOKINETIC;
    while (again) {
        if (!rbv_joint_tree_create(model, p->cut, NULL, &p->arena, &p->tree_joints))
            return false;
        again = false;
        for (int32_t b = 1; p->closed && b < model->bodies.count; b++)
            if (is_backward(&p->tree_joints.tree_joints[b]))
                p->cut[p->tree_joints.tree_joints[b].joint] = again = true;
    }
    return true;
}

static void check_joint(RbvTreeBuilder *p, int32_t k) {
    const RbvModel *model = p->model;
    const RbvJoint *joint = &model->joints.items[k];
    const bool tree_joint = p->is_tree_joint[k],
               nothing = rbv_forms[joint->form].directions && joint->locks == 0 && joint->extra == RBV_EXTRA_NONE;
    const char *why = tree_joint || !p->closed ? NULL : not_closable(model, k);
    char text[300];
    if (nothing && !tree_joint)
        return;
    if (why) {
        snprintf(text, sizeof text, "joint '%%s' (%%s) closes a loop, and %s", why);
        rbv_tree_builder_refuse(p, joint->where, text, joint->name, joint->kind->name);
    } else if (!tree_joint && p->closed) {
        p->closes[k] = true;
    } else if (!tree_joint) {
        rbv_tree_builder_refuse(p, joint->where,
                                "joint '%s' (%s) closes a loop, or comes and goes, or holds no directions", joint->name,
                                joint->kind->name);
    } else if (joint->extra == RBV_EXTRA_HOMOKINETIC) {
        rbv_tree_builder_refuse(p, joint->where, "joint '%s' (%s) makes the speeds of its shafts equal", joint->name,
                                joint->kind->name);
    } else if ((p->tree_joints.kept[k] & joint->locks) != joint->locks &&
               !rbv_marker_body(model, joint->marker[1])->particle &&
               !rbv_marker_body(model, joint->marker[0])->particle) {
        rbv_tree_builder_refuse(p, joint->where, "joint '%s' (%s) holds more than its arc", joint->name,
                                joint->kind->name);
    }
}

static bool is_loose(const RbvJoint *joint) {
    const RbvLoose *loose = rbv_joint_loose(joint);
    bool any = false;
    for (int k = 0; k < 6; k++)
        any = any || loose->compliance[k][0] != 0 || loose->compliance[k][1] != 0 || loose->misfit[k] != 0;
    return any;
}

static void check_joints(RbvTreeBuilder *p) {
    const RbvModel *model = p->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        if (p->tree_joints.tree_joints[b].joint >= 0)
            p->is_tree_joint[p->tree_joints.tree_joints[b].joint] = true;
    for (int32_t k = 0; k < model->joints.count; k++) {
        check_joint(p, k);
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->has_friction)
            rbv_diagnose(p->diagnostics, RBV_NOTE, model->file, joint->where,
                         "the tree has not the friction of joint '%s', which depends on its reaction", joint->name);
        if (is_loose(joint))
            rbv_diagnose(p->diagnostics, RBV_NOTE, model->file, joint->where,
                         "the tree has not the compliance and the misfit of joint '%s'", joint->name);
    }
}

static void check_rest(RbvTreeBuilder *p) {
    const RbvModel *model = p->model;
    for (int32_t k = 0; p->closed && k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_DRIVE)
            rbv_tree_builder_refuse(p, model->drives.items[model->conditions.items[k].index].where,
                                    "drive '%s'%s comes and goes",
                                    model->drives.items[model->conditions.items[k].index].name, "");
    for (int32_t k = 0; k < model->constraints.count - model->requirement_count; k++)
        rbv_tree_builder_refuse(p, model->constraints.items[k].where, "constraint '%s'%s",
                                model->constraints.items[k].name, "");
    for (int32_t k = 0; k < model->generalized.count; k++)
        rbv_tree_builder_refuse(p, model->generalized.items[k].where, "generalized coordinate '%s'%s",
                                model->generalized.items[k].name, "");
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].name)
            rbv_diagnose(p->diagnostics, RBV_NOTE, model->file, model->loads.items[k].where,
                         "the tree has not the load '%s': what acts on its bodies is an argument of its functions",
                         model->loads.items[k].name);
}

/* --- bodies --- */

RbvPlace rbv_marker_in_body(const RbvModel *model, int32_t marker) {
    const RbvMarker *m = &model->markers.items[marker];
    return (RbvPlace){model->space == RBV_PLANAR ? rbv_mat3_about_z(m->angle) : rbv_marker_axes(m)->A, m->at};
}

/* Frame of a marker in the starting poses, in the ground's frame. */
static RbvPlace place_at_start(const RbvModel *model, int32_t marker) {
    const RbvBody *body = &model->bodies.items[model->markers.items[marker].body];
    RbvMat3 A = rbv_body_axes(model, body);
    RbvPlace own = rbv_marker_in_body(model, marker);
    return (RbvPlace){rbv_mat3_product(&A, &own.A), rbv_add(body->at, rbv_apply(&A, own.p))};
}

static double entry_of(const RbvMat3 *A, int row, int column) {
    const RbvVec3 *c = A->column + column;
    const double entries[3] = {c->x, c->y, c->z};
    return entries[row];
}

/* Add the next body of the tree, on `parent` of the tree, its joint's frame at `at` in the parent's frame (NULL: the
 * parent's frame). */
static RbvTreeBody *add_body(RbvTreeBuilder *p, const char *name, int32_t parent, const RbvPlace *at,
                             RbvTreeJoint joint, RbvVec3 axis) {
    RbvTreeBody *b = p->bodies + p->count++;
    *b = rbv_tree_body_default;
    b->name = name, b->parent = parent, b->joint = joint;
    b->axis[0] = axis.x, b->axis[1] = axis.y, b->axis[2] = axis.z;
    if (at) {
        RbvQuat turn = rbv_quat_of_mat3(&at->A);
        b->place[0] = at->p.x, b->place[1] = at->p.y, b->place[2] = at->p.z;
        b->turn[0] = turn.w, b->turn[1] = turn.e.x, b->turn[2] = turn.e.y, b->turn[3] = turn.e.z;
    }
    return b;
}

/* Mass, centroid and inertia of a body of the model, in its frame in the tree. */
static void set_mass(const RbvModel *model, const RbvBody *from, const RbvPlace *frame, RbvTreeBody *b) {
    const bool flat =
        model->space == RBV_PLANAR; /* only the moment about z counts; the others are those of a flat body */
    const double plate[6] = {0.5 * from->inertia[2], 0.5 * from->inertia[2], from->inertia[2], 0, 0, 0},
                 *I = flat ? plate : from->inertia;
    RbvMat3 J = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    RbvVec3 c = rbv_apply_transposed(&frame->A, rbv_sub(from->centroid, frame->p));
    J = rbv_mat3_product(&J, &frame->A);
    J = rbv_mat3_transposed_product(&frame->A, &J);
    b->mass = from->mass;
    b->centre[0] = c.x, b->centre[1] = c.y, b->centre[2] = c.z;
    if (from->particle)
        return;
    b->inertia[0] = J.column[0].x, b->inertia[1] = J.column[1].y, b->inertia[2] = J.column[2].z;
    b->inertia[3] = J.column[1].x, b->inertia[4] = J.column[2].x, b->inertia[5] = J.column[2].y;
}

int32_t rbv_tree_builder_measure(const RbvTreeBuilder *p, int32_t joint, int direction) {
    const RbvMeasure m = rbv_joint_coordinate(&p->model->joints.items[joint], direction);
    return rbv_model_find_measure(p->model, m.kind, m.marker[0], m.marker[1], m.axis);
}

RbvCoordinateOwn rbv_tree_builder_own(RbvTreeBuilder *p, int32_t measure) {
    const RbvModel *model = p->model;
    RbvCoordinateOwn own = {0, 0};
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        if (drive->has_rotor && drive->of.named < 0 && drive->of.measure == measure)
            own.rotor += drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio;
    }
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int32_t e = 0; !model->loads.items[k].name && e < model->loads.items[k].measure_count; e++)
            if (model->loads.items[k].measure[e] == measure) {
                own.damping += model->loads.items[k].damping[e];
                p->damps[k] |= (uint8_t)(1 << e);
            }
    return own;
}

/* Rotors of drives, stops and damping of a coordinate of a joint. */
static void set_own(RbvTreeBuilder *p, int32_t joint, int direction, RbvTreeBody *b) {
    const RbvModel *model = p->model;
    const int32_t measure = rbv_tree_builder_measure(p, joint, direction);
    if (measure < 0)
        return;
    const RbvCoordinateOwn own = rbv_tree_builder_own(p, measure);
    b->rotor[0] += own.rotor, b->damping[0] += own.damping;
    for (int32_t k = 0; k < model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k];
        if (stop->of.named < 0 && stop->of.measure == measure && !stop->of.rate)
            b->lower[0] = stop->limit[0], b->upper[0] = stop->limit[1];
    }
}

/* The next number of q and of v is a coordinate of a joint: store its value in the starting poses, and the drives on
 * it. */
static void note_number(RbvTreeBuilder *p, int32_t joint, int direction, double start) {
    const RbvModel *model = p->model;
    const int32_t measure = rbv_tree_builder_measure(p, joint, direction);
    for (int32_t k = 0; measure >= 0 && k < model->drives.count; k++)
        if (model->drives.items[k].of.named < 0 && model->drives.items[k].of.rate == 0 &&
            model->drives.items[k].of.measure == measure)
            p->driven[k] = p->nv;
    p->start[p->nq] = start;
    p->nv++;
}

/* Add one simple joint of a tree joint: direction 0 ... 5 (x, y, z, then turns about x, y, z). */
static void add_simple(RbvTreeBuilder *p, int32_t body, int32_t *parent, const RbvPlace *at, int direction, bool last) {
    const RbvModel *model = p->model;
    const RbvJointTreeJoint *tree_joint = &p->tree_joints.tree_joints[body];
    const RbvJoint *joint = tree_joint->joint >= 0 ? &model->joints.items[tree_joint->joint] : NULL;
    RbvVec3 axis = rbv_scale(tree_joint->sign, rbv_mat3_identity().column[direction % 3]);
    const char *own = joint ? rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction)
                            : rbv_direction_name(direction);
    const char *name = text_of(p, joint ? joint->name : model->bodies.items[body].name, own);
    RbvTreeBody *b = add_body(p, last ? model->bodies.items[body].name : name, *parent, at,
                              direction < 3 ? RBV_TREE_PRISMATIC : RBV_TREE_REVOLUTE, axis);
    *parent = p->count - 1;
    if (joint) {
        RbvPlace first = place_at_start(model, joint->marker[0]), second = place_at_start(model, joint->marker[1]);
        RbvMat3 T = rbv_mat3_transposed_product(&first.A, &second.A);
        int one = (direction + 1) % 3, two = (direction + 2) % 3;
        const double turned =
            atan2(entry_of(&T, two, one) - entry_of(&T, one, two), entry_of(&T, one, one) + entry_of(&T, two, two));
        note_number(p, tree_joint->joint, direction,
                    direction < 3 ? rbv_dot(first.A.column[direction], rbv_sub(second.p, first.p)) : turned);
    } else {
        const RbvVec3 place = model->bodies.items[body].at;
        const double at_start[6] = {place.x, place.y, place.z};
        p->start[p->nq] = at_start[direction];
        p->nv++;
    }
    p->coordinates[p->nq++] = joint ? name : "";
    if (joint)
        set_own(p, tree_joint->joint, direction, b);
}

/* Turn of A2 about z relative to A1, whose z axes need not coincide: as a twist is measured
 * (mechanics/element/turning.c). */
static double twist(const RbvMat3 *A1, const RbvMat3 *A2) {
    const RbvVec3 *u = A1->column, *w = A2->column;
    return atan2(rbv_dot(u[1], w[0]) - rbv_dot(u[0], w[1]), rbv_dot(u[0], w[0]) + rbv_dot(u[1], w[1]));
}

double rbv_screw_phase(const RbvModel *model, const RbvJoint *joint, double *angle) {
    RbvMat3 A1, A2;
    const RbvVec3 first = rbv_marker_start(model, joint->marker[0], &A1),
                  second = rbv_marker_start(model, joint->marker[1], &A2);
    *angle = twist(&A1, &A2);
    return rbv_dot(A1.column[2], rbv_sub(second, first)) - joint->sizes->pitch / RBV_TWO_PI * *angle;
}

/* A screw: z = z0 + pitch (angle - angle0), z0 and angle0 those of the starting poses. */
static void add_screw(RbvTreeBuilder *p, int32_t body, int32_t parent, RbvPlace at) {
    const RbvModel *model = p->model;
    const RbvJointTreeJoint *tree_joint = &p->tree_joints.tree_joints[body];
    const RbvJoint *joint = &model->joints.items[tree_joint->joint];
    double angle;
    const double pitch = joint->sizes->pitch / RBV_TWO_PI, z = rbv_screw_phase(model, joint, &angle);
    at.p = rbv_add_scaled(at.p, tree_joint->sign * z, at.A.column[2]);
    RbvTreeBody *b =
        add_body(p, model->bodies.items[body].name, parent, &at, RBV_TREE_SCREW, rbv_vec3(0, 0, tree_joint->sign));
    b->pitch = pitch;
    note_number(p, tree_joint->joint, 5, angle);
    p->coordinates[p->nq++] = text_of(p, joint->name, "angle");
    set_own(p, tree_joint->joint, 5, b);
}

/* Add numbers of q that are no coordinates of the model, with their values in the starting poses, and `freedoms`
 * numbers of v. */
static void add_numbers(RbvTreeBuilder *p, int count, const double *start, int freedoms) {
    for (int k = 0; k < count; k++) {
        p->start[p->nq] = start[k];
        p->coordinates[p->nq++] = "";
    }
    p->nv += freedoms;
}

/* Rotation from the frame of the parent's marker to the frame of a body, in the starting poses. */
static RbvMat3 turn_at_start(const RbvTreeBuilder *p, int32_t body) {
    const RbvJointTreeJoint *tree_joint = &p->tree_joints.tree_joints[body];
    const RbvMat3 mine = rbv_body_axes(p->model, &p->model->bodies.items[body]),
                  own = rbv_mat3_product(&mine, &p->frame[body].A);
    const RbvPlace at =
        place_at_start(p->model, p->model->joints.items[tree_joint->joint].marker[tree_joint->sign > 0 ? 0 : 1]);
    return rbv_mat3_transposed_product(&at.A, &own);
}
static void add_ball(RbvTreeBuilder *p, int32_t body) {
    const RbvMat3 T = turn_at_start(p, body);
    const RbvQuat t = rbv_quat_of_mat3(&T);
    add_numbers(p, 4, (const double[]){t.w, t.e.x, t.e.y, t.e.z}, 3);
}
/* T = Rz(sign a) Rx(b). */
static void add_cross(RbvTreeBuilder *p, int32_t body) {
    const RbvMat3 T = turn_at_start(p, body);
    add_numbers(p, 2,
                (const double[]){p->tree_joints.tree_joints[body].sign * atan2(entry_of(&T, 1, 0), entry_of(&T, 0, 0)),
                                 atan2(entry_of(&T, 2, 1), entry_of(&T, 2, 2))},
                2);
}

/* z to x: a turn of a quarter about y (mechanics/coordinates/joint.c). */
static RbvMat3 crossing(void) {
    return (RbvMat3){{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
}

/* The slides and turns of a tree joint one after the other; the last simple joint carries the body. */
static void add_chain(RbvTreeBuilder *p, int32_t body, int32_t parent, const RbvPlace *at) {
    const RbvJointTreeJoint *tree_joint = &p->tree_joints.tree_joints[body];
    const char *name = p->model->bodies.items[body].name;
    int directions[4], count = 0;
    bool around = tree_joint->turn == RBV_TREE_JOINT_AXIS,
         knot = tree_joint->turn == RBV_TREE_JOINT_BALL || tree_joint->turn == RBV_TREE_JOINT_CROSS;
    for (int k = 0; k < tree_joint->slides; k++)
        directions[count++] = tree_joint->slide[k];
    if (around)
        directions[count++] = 3 + tree_joint->axis;
    if (is_backward(tree_joint)) {
        rbv_tree_builder_refuse(
            p, p->model->joints.items[tree_joint->joint].where,
            "joint '%s' (%s) slides and turns about several axes: write its sides the other way round",
            p->model->joints.items[tree_joint->joint].name, p->model->joints.items[tree_joint->joint].kind->name);
        return;
    }
    for (int k = 0; k < count; k++, at = NULL)
        add_simple(p, body, &parent, at, directions[tree_joint->sign > 0 ? k : count - 1 - k], k == count - 1 && !knot);
    if (tree_joint->turn == RBV_TREE_JOINT_BALL) {
        add_body(p, name, parent, at, RBV_TREE_SPHERICAL, rbv_vec3(0, 0, 1));
        add_ball(p, body);
    } else if (tree_joint->turn == RBV_TREE_JOINT_CROSS) {
        RbvTreeBody *b = add_body(p, name, parent, at, RBV_TREE_UNIVERSAL, rbv_vec3(0, 0, tree_joint->sign));
        b->second_axis[0] = 1,
        b->second_axis[1] = b->second_axis[2] = 0; /* C z = x; of the other side -C^T z = x too */
        add_cross(p, body);
    } else if (count == 0) {
        add_body(p, name, parent, at, RBV_TREE_FIXED, rbv_vec3(0, 0, 1));
    }
}

/* A body without a tree joint, in its own frame. */
static void add_free(RbvTreeBuilder *p, int32_t body) {
    const RbvBody *b = &p->model->bodies.items[body];
    p->frame[body] = (RbvPlace){rbv_mat3_identity(), rbv_vec3(0, 0, 0)};
    if (b->particle) {
        add_chain(p, body, -1, NULL);
        return;
    }
    bool spatial = p->model->space == RBV_SPATIAL;
    add_body(p, b->name, -1, NULL, spatial ? RBV_TREE_FREE : RBV_TREE_PLANAR, rbv_vec3(0, 0, 1));
    const RbvQuat t = b->rotation;
    if (spatial)
        add_numbers(p, 7, (const double[]){b->at.x, b->at.y, b->at.z, t.w, t.e.x, t.e.y, t.e.z}, 6);
    else
        add_numbers(p, 3, (const double[]){b->at.x, b->at.y, b->angle}, 3);
}

void rbv_hold_at_value(const RbvModel *model, const RbvJoint *joint, RbvPlace *first, RbvPlace *second) {
    for (int d = 0; d < 3; d++)
        if (joint->locks == RBV_DIRECTION_X << d)
            first->p = rbv_add_scaled(first->p, joint->sizes->value, first->A.column[d]);
    if (joint->locks == RBV_DIRECTION_RZ && model->space == RBV_PLANAR) {
        const RbvMat3 back = rbv_mat3_about_z(-joint->sizes->value);
        second->A = rbv_mat3_product(&second->A, &back);
    }
}

static void add_tied(RbvTreeBuilder *p, int32_t body) {
    const RbvModel *model = p->model;
    const RbvJointTreeJoint *tree_joint = &p->tree_joints.tree_joints[body];
    const RbvJoint *joint = &model->joints.items[tree_joint->joint];
    int own = tree_joint->sign > 0 ? 1 : 0;
    RbvPlace at = rbv_marker_in_body(model, joint->marker[1 - own]),
             mine = rbv_marker_in_body(model, joint->marker[own]);
    const RbvPlace *parent = &p->frame[tree_joint->parent];
    if (own == 1)
        rbv_hold_at_value(model, joint, &at, &mine);
    else
        rbv_hold_at_value(model, joint, &mine, &at);
    if (tree_joint->turn == RBV_TREE_JOINT_CROSS) { /* second = first C at 0 */
        RbvMat3 C = crossing(), T = rbv_mat3_transposed_product(&C, &(RbvMat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
        mine.A = rbv_mat3_product(&mine.A, own == 1 ? &T : &C);
    }
    p->frame[body] = mine;
    at.p = rbv_apply_transposed(&parent->A, rbv_sub(at.p, parent->p));
    at.A = rbv_mat3_transposed_product(&parent->A, &at.A);
    if (joint->extra == RBV_EXTRA_SCREW)
        add_screw(p, body, p->index[tree_joint->parent], at);
    else
        add_chain(p, body, p->index[tree_joint->parent], &at);
}

static void add_bodies(RbvTreeBuilder *p) {
    const RbvModel *model = p->model;
    p->frame[0] = (RbvPlace){rbv_mat3_identity(), rbv_vec3(0, 0, 0)};
    p->index[0] = -1;
    for (int32_t n = 1; n < model->bodies.count && !p->wrong && !p->no_memory; n++) {
        int32_t body = p->tree_joints.order[n];
        if (p->tree_joints.tree_joints[body].joint < 0)
            add_free(p, body);
        else
            add_tied(p, body);
        p->index[body] = p->count - 1;
        set_mass(model, &model->bodies.items[body], &p->frame[body], p->bodies + p->count - 1);
    }
}

static bool reserve_builder(RbvTreeBuilder *p) {
    size_t bodies = (size_t)p->model->bodies.count;
    p->cut = rbv_arena_array(&p->arena, (size_t)p->model->joints.count + 1, sizeof *p->cut);
    if (!p->cut || !choose_tree_joints(p))
        return false;
    p->damps = rbv_arena_array(&p->arena, (size_t)p->model->loads.count + 1, sizeof *p->damps);
    p->bodies = rbv_arena_array(&p->arena, 5 * bodies, sizeof *p->bodies);
    p->coordinates = rbv_arena_array(&p->arena, 8 * bodies, sizeof *p->coordinates);
    p->frame = rbv_arena_array(&p->arena, bodies, sizeof *p->frame);
    p->index = rbv_arena_array(&p->arena, bodies, sizeof *p->index);
    p->is_tree_joint = rbv_arena_array(&p->arena, (size_t)p->model->joints.count + 1, sizeof *p->is_tree_joint);
    p->closes = rbv_arena_array(&p->arena, (size_t)p->model->joints.count + 1, sizeof *p->closes);
    p->driven = rbv_arena_array(&p->arena, (size_t)p->model->drives.count + 1, sizeof *p->driven);
    p->start = rbv_arena_array(&p->arena, 8 * bodies, sizeof *p->start);
    for (int32_t k = 0; p->driven && k < p->model->drives.count; k++)
        p->driven[k] = -1;
    return p->bodies && p->coordinates && p->frame && p->index && p->is_tree_joint && p->closes && p->driven &&
           p->start && p->damps;
}

RbvStatus rbv_tree_builder_status(const RbvTreeBuilder *p, bool no_memory) {
    if (no_memory)
        return RBV_NO_MEMORY;
    return p->wrong ? RBV_BAD_INPUT : RBV_OK;
}

RbvStatus rbv_tree_builder_grow(RbvTreeBuilder *p, RbvTree **tree) {
    RbvStatus status = reserve_builder(p) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        check_joints(p);
        check_rest(p);
        if (!p->wrong)
            add_bodies(p);
        status = rbv_tree_builder_status(p, p->no_memory);
    }
    const double gravity[3] = {p->model->gravity.x, p->model->gravity.y, p->model->gravity.z};
    if (status == RBV_OK)
        status = rbv_tree_create(p->count, p->bodies, gravity, p->diagnostics, tree);
    if (status == RBV_OK && !rbv_tree_name_coordinates(*tree, p->coordinates)) {
        rbv_tree_destroy(*tree);
        *tree = NULL;
        status = RBV_NO_MEMORY;
    }
    return status;
}

RbvStatus rbv_tree_builder_check(const RbvModel *model, RbvDiagnostics *diagnostics) {
    if (model->broken || model->no_memory)
        return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    if (model->bodies.count >= 2)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "the model has no bodies: an open tree has at least one");
    return RBV_BAD_INPUT;
}

RbvStatus rbv_tree_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree) {
    if (tree)
        *tree = NULL;
    if (!model || !tree)
        return RBV_BAD_ARGUMENT;
    RbvStatus status = rbv_tree_builder_check(model, diagnostics);
    if (status != RBV_OK)
        return status;
    RbvTreeBuilder p = {.model = model, .diagnostics = diagnostics};
    status = rbv_tree_builder_grow(&p, tree);
    rbv_arena_clear(&p.arena);
    return status;
}
