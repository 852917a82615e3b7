/* The open tree of a model (RbvTree): bodies on the arcs of the spanning tree (joint_tree.h), each arc as a chain of simple joints whose numbers are the model's coordinates.
 *
 * With the first marker's frame A_1, P_1 and the second's, an arc is A_2 = A_1 T, P_2 = P_1 + A_1 x: first slides along the axes of A_1, then a turn. Where the first marker's body hangs on the second's the
 * chain is gone through from its end, about and along the opposite axes: the numbers stay the same. A body's frame in the tree is that of the marker by which it hangs (of a universal joint: turned so that
 * both are alike at 0); of a free body it is its own.
 */
#include <roberval/linkage.h>

#include "base/diagnostics.h"
#include "coordinates/joint_tree.h"
#include "model/model.h"
#include "tree/linkage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame in that of its body in the model. */
typedef struct Place {
    RbvMat3 A;
    RbvVec3 p;
} Place;

typedef struct Planting {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    RbvArena arena;
    RbvJointTree arcs;
    RbvTreeBody *bodies;
    const char **coordinates; /* by numbers of q */
    int32_t count, nq;
    Place *frame;             /* [model's bodies] of its body in the tree */
    int32_t *index;           /* [model's bodies] in the tree; ground -1 */
    bool *is_arc;             /* [joints] */
    bool closed;              /* joints may close loops */
    bool *closes;             /* [joints] those that do */
    int32_t *driven, nv;      /* [drives] the number of v that each drives; -1: not found. How many numbers of v there are */
    double *start;            /* by numbers of q: of the starting poses */
    bool no_memory, wrong;
} Planting;

static RbvMat3 transposed_product(const RbvMat3 *A, const RbvMat3 *B) {
    return (RbvMat3){{rbv_apply_transposed(A, B->column[0]), rbv_apply_transposed(A, B->column[1]), rbv_apply_transposed(A, B->column[2])}};
}

static const char *text_of(Planting *p, const char *first, const char *second) {
    char text[600];
    int length = snprintf(text, sizeof text, "%s.%s", first, second);
    const char *copy = rbv_arena_copy(&p->arena, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    p->no_memory = p->no_memory || !copy;
    return copy;
}

static void refuse(Planting *p, RbvPosition where, const char *format, const char *name, const char *kind) {
    char text[600];
    snprintf(text, sizeof text, format, name, kind);
    rbv_diagnose(p->diagnostics, RBV_ERROR, p->model->file, where, "an open tree cannot have it: %s", text);
    p->wrong = true;
}

/* --- what an open tree has not --- */

/* Does it always hold whole directions, at zero, of two bodies with turns? Such close loops of a linkage. */
static bool closable(const Planting *p, int32_t index) {
    const RbvModel *model = p->model;
    const RbvJoint *joint = &model->joints.items[index];
    uint8_t aligned = joint->locks & (RBV_DIRECTION_RX | RBV_DIRECTION_RY);
    if (joint->form != RBV_FORM_LOCKS || joint->unilateral || joint->sizes->value != 0 || (joint->extra != RBV_EXTRA_NONE && joint->extra != RBV_EXTRA_SQUARE))
        return false;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT && model->conditions.items[k].index == index)
            return false;
    for (int side = 0; side < 2; side++) {
        const RbvBody *body = &model->bodies.items[model->markers.items[joint->marker[side]].body];
        if (body->generalized > 0 || (body->particle && (joint->locks & RBV_DIRECTIONS_TURNS)))
            return false;
    }
    return aligned == 0 || aligned == (RBV_DIRECTION_RX | RBV_DIRECTION_RY);
}

static void check_joints(Planting *p) {
    const RbvModel *model = p->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        if (p->arcs.arcs[b].joint >= 0)
            p->is_arc[p->arcs.arcs[b].joint] = true;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        uint8_t kept = p->arcs.kept[k];
        bool arc = p->is_arc[k];
        if (!arc && joint->form == RBV_FORM_LOCKS && joint->locks == 0 && joint->extra == RBV_EXTRA_NONE)
            continue; /* it holds nothing */
        if (!arc && p->closed && closable(p, k))
            p->closes[k] = true;
        else if (!arc)
            refuse(p, joint->where, "joint '%s' (%s) closes a loop, or comes and goes, or holds no directions", joint->name, joint->kind->name);
        else if (joint->extra == RBV_EXTRA_HOMOKINETIC)
            refuse(p, joint->where, "joint '%s' (%s) makes the speeds of its shafts equal", joint->name, joint->kind->name);
        else if ((kept & joint->locks) != joint->locks && !model->bodies.items[model->markers.items[joint->marker[1]].body].particle && !model->bodies.items[model->markers.items[joint->marker[0]].body].particle)
            refuse(p, joint->where, "joint '%s' (%s) holds more than its arc", joint->name, joint->kind->name);
        else if (joint->sizes->value != 0)
            refuse(p, joint->where, "joint '%s' (%s) holds its direction at a value", joint->name, joint->kind->name);
        if (joint->has_friction)
            rbv_diagnose(p->diagnostics, RBV_NOTE, model->file, joint->where, "the tree has not the friction of joint '%s', which depends on its reaction", joint->name);
    }
}

static void check_rest(Planting *p) {
    const RbvModel *model = p->model;
    for (int32_t k = 0; k < model->constraints.count - model->requirement_count; k++)
        refuse(p, model->constraints.items[k].where, "constraint '%s'%s", model->constraints.items[k].name, "");
    for (int32_t k = 0; k < model->generalized.count; k++)
        refuse(p, model->generalized.items[k].where, "generalized coordinate '%s'%s", model->generalized.items[k].name, "");
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].name)
            rbv_diagnose(p->diagnostics, RBV_NOTE, model->file, model->loads.items[k].where, "the tree has not the load '%s': what acts on its bodies is an argument of its functions", model->loads.items[k].name);
}

/* --- bodies --- */

static Place marker_place(const RbvModel *model, int32_t marker) {
    const RbvMarker *m = &model->markers.items[marker];
    return (Place){model->space == RBV_PLANAR ? rbv_mat3_about_z(m->angle) : rbv_marker_axes(m)->A, m->at};
}

/* A marker in the starting poses, in the ground's frame. */
static Place place_at_start(const RbvModel *model, int32_t marker) {
    const RbvBody *body = &model->bodies.items[model->markers.items[marker].body];
    RbvMat3 A = rbv_body_axes(model, body);
    Place own = marker_place(model, marker);
    return (Place){rbv_mat3_product(&A, &own.A), rbv_add(body->at, rbv_apply(&A, own.p))};
}

static double entry(const RbvMat3 *A, int row, int column) {
    const RbvVec3 *c = A->column + column;
    return row == 0 ? c->x : row == 1 ? c->y : c->z;
}

/* The next body of the tree, on `parent` of the tree, its joint's frame at `at` in the parent's frame (NULL: the same). */
static RbvTreeBody *add_body(Planting *p, const char *name, int32_t parent, const Place *at, RbvTreeJoint joint, RbvVec3 axis) {
    RbvTreeBody *b = p->bodies + p->count++;
    *b = rbv_tree_body_default();
    b->name = name, b->parent = parent, b->joint = joint;
    b->axis[0] = axis.x, b->axis[1] = axis.y, b->axis[2] = axis.z;
    if (at) {
        RbvQuat turn = rbv_quat_of_mat3(&at->A);
        b->place[0] = at->p.x, b->place[1] = at->p.y, b->place[2] = at->p.z;
        b->turn[0] = turn.w, b->turn[1] = turn.e.x, b->turn[2] = turn.e.y, b->turn[3] = turn.e.z;
    }
    return b;
}

/* The mass of a body of the model, in the frame that it has in the tree. */
static void set_mass(const RbvBody *from, const Place *frame, RbvTreeBody *b) {
    const double *I = from->inertia;
    RbvMat3 J = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    RbvVec3 c = rbv_apply_transposed(&frame->A, rbv_sub(from->centroid, frame->p));
    J = rbv_mat3_product(&J, &frame->A);
    J = transposed_product(&frame->A, &J);
    b->mass = from->mass;
    b->centre[0] = c.x, b->centre[1] = c.y, b->centre[2] = c.z;
    if (from->particle)
        return;
    b->inertia[0] = J.column[0].x, b->inertia[1] = J.column[1].y, b->inertia[2] = J.column[2].z;
    b->inertia[3] = J.column[1].x, b->inertia[4] = J.column[2].x, b->inertia[5] = J.column[2].y;
}

/* What belongs to a coordinate of a joint: rotors of drives, stops, damping. */
static void set_own(const RbvModel *model, int32_t joint, int direction, RbvTreeBody *b) {
    RbvMeasure m = rbv_joint_coordinate(&model->joints.items[joint], direction);
    int32_t measure = rbv_model_find_measure(model, m.kind, m.marker[0], m.marker[1], m.axis);
    if (measure < 0)
        return;
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        if (drive->has_rotor && drive->of.named < 0 && drive->of.measure == measure)
            b->rotor[0] += drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio;
    }
    for (int32_t k = 0; k < model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k];
        if (stop->of.named < 0 && stop->of.measure == measure && !stop->of.rate)
            b->lower[0] = stop->limit[0], b->upper[0] = stop->limit[1];
    }
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int32_t e = 0; !model->loads.items[k].name && e < model->loads.items[k].measure_count; e++)
            if (model->loads.items[k].measure[e] == measure)
                b->damping[0] += model->loads.items[k].damping[e];
}

/* The next number of q and of v is a coordinate of a joint: its value in the starting poses, the drives that it has. */
static void note_number(Planting *p, int32_t joint, int direction, double start) {
    const RbvModel *model = p->model;
    RbvMeasure m = rbv_joint_coordinate(&model->joints.items[joint], direction);
    int32_t measure = rbv_model_find_measure(model, m.kind, m.marker[0], m.marker[1], m.axis);
    for (int32_t k = 0; measure >= 0 && k < model->drives.count; k++)
        if (model->drives.items[k].of.named < 0 && model->drives.items[k].of.rate == 0 && model->drives.items[k].of.measure == measure)
            p->driven[k] = p->nv;
    p->start[p->nq] = start;
    p->nv++;
}

/* One number of an arc: of direction 0 ... 5. */
static void add_simple(Planting *p, int32_t body, int32_t *parent, const Place *at, int direction, bool last) {
    const RbvModel *model = p->model;
    const RbvArc *arc = &p->arcs.arcs[body];
    const RbvJoint *joint = arc->joint >= 0 ? &model->joints.items[arc->joint] : NULL;
    RbvVec3 axis = rbv_scale(arc->sign, rbv_mat3_identity().column[direction % 3]);
    const char *own = joint ? rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction) : rbv_direction_name(direction);
    const char *name = text_of(p, joint ? joint->name : model->bodies.items[body].name, own);
    RbvTreeBody *b = add_body(p, last ? model->bodies.items[body].name : name, *parent, at, direction < 3 ? RBV_TREE_PRISMATIC : RBV_TREE_REVOLUTE, axis);
    *parent = p->count - 1;
    if (joint) {
        Place first = place_at_start(model, joint->marker[0]), second = place_at_start(model, joint->marker[1]);
        RbvMat3 T = transposed_product(&first.A, &second.A);
        int one = (direction + 1) % 3, two = (direction + 2) % 3;
        const double turned = atan2(entry(&T, two, one) - entry(&T, one, two), entry(&T, one, one) + entry(&T, two, two));
        note_number(p, arc->joint, direction, direction < 3 ? rbv_dot(first.A.column[direction], rbv_sub(second.p, first.p)) : turned);
    } else {
        const RbvVec3 place = model->bodies.items[body].at;
        p->start[p->nq] = direction == 0 ? place.x : direction == 1 ? place.y : direction == 2 ? place.z : 0;
        p->nv++;
    }
    p->coordinates[p->nq++] = joint ? name : "";
    if (joint)
        set_own(model, arc->joint, direction, b);
}

/* The turn of A2 about z against A1, which need not be aligned there: as a twist is measured (element/turning.c). */
static double twist(const RbvMat3 *A1, const RbvMat3 *A2) {
    const RbvVec3 *u = A1->column, *w = A2->column;
    return atan2(rbv_dot(u[1], w[0]) - rbv_dot(u[0], w[1]), rbv_dot(u[0], w[0]) + rbv_dot(u[1], w[1]));
}

/* A screw: z = z0 + pitch (angle - angle0), z0 and angle0 those of the starting poses. */
static void add_screw(Planting *p, int32_t body, int32_t parent, Place at) {
    const RbvModel *model = p->model;
    const RbvArc *arc = &p->arcs.arcs[body];
    const RbvJoint *joint = &model->joints.items[arc->joint];
    RbvMat3 A1, A2;
    RbvVec3 apart = rbv_marker_start(model, joint->marker[0], &A1);
    apart = rbv_sub(rbv_marker_start(model, joint->marker[1], &A2), apart);
    double pitch = joint->sizes->pitch / RBV_TWO_PI, angle = twist(&A1, &A2), z = rbv_dot(A1.column[2], apart) - pitch * angle;
    at.p = rbv_add_scaled(at.p, arc->sign * z, at.A.column[2]);
    RbvTreeBody *b = add_body(p, model->bodies.items[body].name, parent, &at, RBV_TREE_SCREW, rbv_vec3(0, 0, arc->sign));
    b->pitch = pitch;
    note_number(p, arc->joint, 5, angle);
    p->coordinates[p->nq++] = text_of(p, joint->name, "angle");
    set_own(model, arc->joint, 5, b);
}

/* Numbers that are no coordinates of the model, with their values in the starting poses. */
static void add_numbers(Planting *p, int count, const double *start, int freedoms) {
    for (int k = 0; k < count; k++) {
        p->start[p->nq] = start[k];
        p->coordinates[p->nq++] = "";
    }
    p->nv += freedoms;
}

/* The turn of the frame of a body against that of the marker it hangs on, in the starting poses. */
static RbvMat3 turn_at_start(const Planting *p, int32_t body) {
    const RbvArc *arc = &p->arcs.arcs[body];
    const RbvMat3 mine = rbv_body_axes(p->model, &p->model->bodies.items[body]), own = rbv_mat3_product(&mine, &p->frame[body].A);
    const Place at = place_at_start(p->model, p->model->joints.items[arc->joint].marker[arc->sign > 0 ? 0 : 1]);
    return transposed_product(&at.A, &own);
}
static void add_ball(Planting *p, int32_t body) {
    const RbvMat3 T = turn_at_start(p, body);
    const RbvQuat t = rbv_quat_of_mat3(&T);
    add_numbers(p, 4, (const double[]){t.w, t.e.x, t.e.y, t.e.z}, 3);
}
/* T = Rz(sign a) Rx(b). */
static void add_cross(Planting *p, int32_t body) {
    const RbvMat3 T = turn_at_start(p, body);
    add_numbers(p, 2, (const double[]){p->arcs.arcs[body].sign * atan2(entry(&T, 1, 0), entry(&T, 0, 0)), atan2(entry(&T, 2, 1), entry(&T, 2, 2))}, 2);
}

/* z to x: a turn of a quarter about y (coordinates/joint.c). */
static RbvMat3 crossing(void) {
    return (RbvMat3){{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
}

/* The slides and turns of an arc one after the other; the last carries the body. */
static void add_chain(Planting *p, int32_t body, int32_t parent, const Place *at) {
    const RbvArc *arc = &p->arcs.arcs[body];
    const char *name = p->model->bodies.items[body].name;
    int directions[4], count = 0;
    bool around = arc->turn == RBV_ARC_AXIS, knot = arc->turn == RBV_ARC_BALL || arc->turn == RBV_ARC_CROSS;
    for (int k = 0; k < arc->slides; k++)
        directions[count++] = arc->slide[k];
    if (around)
        directions[count++] = 3 + arc->axis;
    if (knot && arc->sign < 0 && count > 0) { /* its turn comes first, and massless bodies slide */
        refuse(p, p->model->joints.items[arc->joint].where, "joint '%s' (%s) slides and turns about several axes: write its sides the other way round", p->model->joints.items[arc->joint].name,
               p->model->joints.items[arc->joint].kind->name);
        return;
    }
    for (int k = 0; k < count; k++, at = NULL)
        add_simple(p, body, &parent, at, directions[arc->sign > 0 ? k : count - 1 - k], k == count - 1 && !knot);
    if (arc->turn == RBV_ARC_BALL) {
        add_body(p, name, parent, at, RBV_TREE_SPHERICAL, rbv_vec3(0, 0, 1));
        add_ball(p, body);
    } else if (arc->turn == RBV_ARC_CROSS) {
        RbvTreeBody *b = add_body(p, name, parent, at, RBV_TREE_UNIVERSAL, rbv_vec3(0, 0, arc->sign));
        b->second_axis[0] = 1, b->second_axis[1] = b->second_axis[2] = 0; /* C z = x; of the other side -C^T z = x too */
        add_cross(p, body);
    } else if (count == 0) {
        add_body(p, name, parent, at, RBV_TREE_FIXED, rbv_vec3(0, 0, 1));
    }
}

/* A body that nothing ties, in its own frame. */
static void add_free(Planting *p, int32_t body) {
    const RbvBody *b = &p->model->bodies.items[body];
    p->frame[body] = (Place){rbv_mat3_identity(), rbv_vec3(0, 0, 0)};
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

static void add_tied(Planting *p, int32_t body) {
    const RbvModel *model = p->model;
    const RbvArc *arc = &p->arcs.arcs[body];
    const RbvJoint *joint = &model->joints.items[arc->joint];
    int own = arc->sign > 0 ? 1 : 0;
    Place at = marker_place(model, joint->marker[1 - own]), mine = marker_place(model, joint->marker[own]);
    const Place *parent = &p->frame[arc->parent];
    if (arc->turn == RBV_ARC_CROSS) { /* second = first C at 0 */
        RbvMat3 C = crossing(), T = transposed_product(&C, &(RbvMat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
        mine.A = rbv_mat3_product(&mine.A, own == 1 ? &T : &C);
    }
    p->frame[body] = mine;
    at.p = rbv_apply_transposed(&parent->A, rbv_sub(at.p, parent->p));
    at.A = transposed_product(&parent->A, &at.A);
    if (joint->extra == RBV_EXTRA_SCREW)
        add_screw(p, body, p->index[arc->parent], at);
    else
        add_chain(p, body, p->index[arc->parent], &at);
}

static void plant(Planting *p) {
    const RbvModel *model = p->model;
    p->frame[0] = (Place){rbv_mat3_identity(), rbv_vec3(0, 0, 0)};
    p->index[0] = -1;
    for (int32_t n = 1; n < model->bodies.count && !p->wrong && !p->no_memory; n++) {
        int32_t body = p->arcs.order[n];
        if (p->arcs.arcs[body].joint < 0)
            add_free(p, body);
        else
            add_tied(p, body);
        p->index[body] = p->count - 1;
        set_mass(&model->bodies.items[body], &p->frame[body], p->bodies + p->count - 1);
    }
}

static bool reserve(Planting *p) {
    size_t bodies = (size_t)p->model->bodies.count;
    if (!rbv_joint_tree_create(p->model, NULL, &p->arena, &p->arcs))
        return false;
    p->bodies = rbv_arena_array(&p->arena, 5 * bodies, sizeof *p->bodies);
    p->coordinates = rbv_arena_array(&p->arena, 8 * bodies, sizeof *p->coordinates);
    p->frame = rbv_arena_array(&p->arena, bodies, sizeof *p->frame);
    p->index = rbv_arena_array(&p->arena, bodies, sizeof *p->index);
    p->is_arc = rbv_arena_array(&p->arena, (size_t)p->model->joints.count + 1, sizeof *p->is_arc);
    p->closes = rbv_arena_array(&p->arena, (size_t)p->model->joints.count + 1, sizeof *p->closes);
    p->driven = rbv_arena_array(&p->arena, (size_t)p->model->drives.count + 1, sizeof *p->driven);
    p->start = rbv_arena_array(&p->arena, 8 * bodies, sizeof *p->start);
    for (int32_t k = 0; p->driven && k < p->model->drives.count; k++)
        p->driven[k] = -1;
    return p->bodies && p->coordinates && p->frame && p->index && p->is_arc && p->closes && p->driven && p->start;
}

/* The tree of a planting that may be begun. */
static RbvStatus grow(Planting *p, RbvTree **tree) {
    RbvStatus status = reserve(p) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        check_joints(p);
        check_rest(p);
        if (!p->wrong)
            plant(p);
        status = p->no_memory ? RBV_NO_MEMORY : p->wrong ? RBV_BAD_INPUT : RBV_OK;
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

static RbvStatus check_model(const RbvModel *model, RbvDiagnostics *diagnostics) {
    if (model->broken || model->no_memory)
        return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    if (model->bodies.count >= 2)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0}, "the model has no bodies: an open tree has at least one");
    return RBV_BAD_INPUT;
}

RbvStatus rbv_tree_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree) {
    if (tree)
        *tree = NULL;
    if (!model || !tree)
        return RBV_BAD_ARGUMENT;
    RbvStatus status = check_model(model, diagnostics);
    if (status != RBV_OK)
        return status;
    Planting p = {.model = model, .diagnostics = diagnostics};
    status = grow(&p, tree);
    rbv_arena_clear(&p.arena);
    return status;
}

/* --- closed linkages --- */

static RbvClosing closing_of(const Planting *p, const RbvJoint *joint) {
    RbvClosing c = {.holds = (uint32_t)(joint->locks & RBV_DIRECTIONS_ALL & ~RBV_DIRECTIONS_TURNS)};
    c.holds |= joint->locks & RBV_DIRECTION_RX ? RBV_HOLD_AXES : 0u;
    c.holds |= joint->locks & RBV_DIRECTION_RZ ? RBV_HOLD_TURN : 0u;
    c.holds |= joint->extra == RBV_EXTRA_SQUARE ? RBV_HOLD_CROSS : 0u;
    for (int side = 0; side < 2; side++) {
        int32_t body = p->model->markers.items[joint->marker[side]].body;
        const Place *frame = &p->frame[body];
        Place at = marker_place(p->model, joint->marker[side]);
        RbvMat3 A = transposed_product(&frame->A, &at.A);
        RbvQuat t = rbv_quat_of_mat3(&A);
        RbvVec3 x = rbv_apply_transposed(&frame->A, rbv_sub(at.p, frame->p));
        c.body[side] = p->index[body];
        c.place[side][0] = x.x, c.place[side][1] = x.y, c.place[side][2] = x.z;
        c.turn[side][0] = t.w, c.turn[side][1] = t.e.x, c.turn[side][2] = t.e.y, c.turn[side][3] = t.e.z;
    }
    return c;
}

static RbvStatus close_loops(Planting *p, const RbvTree *tree, RbvLinkage **linkage) {
    const RbvModel *model = p->model;
    RbvClosing *closings = rbv_arena_array(&p->arena, (size_t)model->joints.count, sizeof *closings);
    const char **names = rbv_arena_array(&p->arena, (size_t)model->joints.count, sizeof *names);
    int32_t count = 0;
    if (!closings || !names)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (p->driven[k] < 0) {
            rbv_diagnose(p->diagnostics, RBV_ERROR, model->file, model->drives.items[k].where, "drive '%s' is on no coordinate of a joint that the spanning tree goes through: '%s'", model->drives.items[k].name,
                         model->drives.items[k].coordinate);
            return RBV_BAD_INPUT;
        }
    for (int32_t k = 0; k < model->joints.count; k++)
        if (p->closes[k]) {
            names[count] = model->joints.items[k].name;
            closings[count++] = closing_of(p, &model->joints.items[k]);
        }
    RbvStatus status = rbv_linkage_create(tree, count, closings, model->drives.count, p->driven, p->diagnostics, linkage);
    if (status == RBV_OK && !rbv_linkage_set_origin(*linkage, p->start, names)) {
        rbv_linkage_destroy(*linkage);
        *linkage = NULL;
        status = RBV_NO_MEMORY;
    }
    return status;
}

RbvStatus rbv_linkage_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree, RbvLinkage **linkage) {
    if (tree)
        *tree = NULL;
    if (linkage)
        *linkage = NULL;
    if (!model || !tree || !linkage)
        return RBV_BAD_ARGUMENT;
    RbvStatus status = check_model(model, diagnostics);
    if (status != RBV_OK)
        return status;
    Planting p = {.model = model, .diagnostics = diagnostics, .closed = true};
    status = grow(&p, tree);
    if (status == RBV_OK && (status = close_loops(&p, *tree, linkage)) != RBV_OK) {
        rbv_tree_destroy(*tree);
        *tree = NULL;
    }
    rbv_arena_clear(&p.arena);
    return status;
}
