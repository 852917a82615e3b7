/* Describes coordinates with the names of the model: points, vectors and rigid rows of natural coordinates, the tree of
 * joint coordinates, and the number of v behind each rate. */
#include "mechanics/coordinates/joint.h"
#include "mechanics/coordinates/natural.h"
#include "solution/record/record.h"

#include <stdio.h>
#include <string.h>

/* Describes the tree of joint coordinates with the names of the model: joint, parent and coordinates of each body,
 * and the cut joints; see record.h. */

/* Appends a word to a list "x, y", with ", " between. */
static void append(char *text, size_t size, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
}

/* Names of a tree joint's coordinates, in the order of v. */
static void name_numbers(const RbvSystem *system, const RbvJointTreeJoint *tree_joint, char *text, size_t size) {
    static const char *const slides[3] = {"x", "y", "z"}, *const turns[3] = {"angle about x", "angle about y", "angle"};
    text[0] = '\0';
    if (tree_joint->scalar) {
        append(text, size, "itself");
        return;
    }
    for (int k = 0; k < tree_joint->slides; k++)
        append(text, size, slides[tree_joint->slide[k]]);
    if (tree_joint->turn == RBV_TREE_JOINT_BALL)
        append(text, size, "rotation");
    else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
        append(text, size, "angles about both z");
    else if (tree_joint->turns > 0)
        append(text, size, system->bodies.spatial ? turns[tree_joint->axis] : "angle");
    if (tree_joint->slides + tree_joint->turns == 0)
        append(text, size, "none");
}

static bool tree_joints(RbvResult *result, const RbvSystem *system) {
    const RbvJointTree *tree = rbv_joint_tree_of(&system->coordinates);
    const RbvModel *model = system->model;
    RbvTreeNote *to = &result->tree;
    to->tree_joints = rbv_arena_array(&result->arena, (size_t)system->bodies.count + 1, sizeof *to->tree_joints);
    for (int32_t n = 1; to->tree_joints && n < system->bodies.count; n++) {
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[tree->order[n]];
        char numbers[100];
        name_numbers(system, tree_joint, numbers, sizeof numbers);
        RbvArcNote note = {.body = model->bodies.items[tree->order[n]].name,
                           .parent = model->bodies.items[tree_joint->parent].name,
                           .joint = tree_joint->joint >= 0 ? model->joints.items[tree_joint->joint].name : NULL,
                           .count = tree_joint->slides + tree_joint->turns};
        note.body = rbv_arena_copy(&result->arena, note.body, strlen(note.body));
        note.parent = rbv_arena_copy(&result->arena, note.parent, strlen(note.parent));
        note.joint = note.joint ? rbv_arena_copy(&result->arena, note.joint, strlen(note.joint)) : NULL;
        note.numbers = rbv_arena_copy(&result->arena, numbers, strlen(numbers));
        if (!note.body || !note.parent || !note.numbers || (tree_joint->joint >= 0 && !note.joint))
            return false;
        to->tree_joints[to->tree_joint_count++] = note;
    }
    return to->tree_joints != NULL;
}

/* Joints with rows that the tree does not keep. False: no memory. */
static bool cuts(RbvResult *result, const RbvSystem *system) {
    const RbvJointTree *tree = rbv_joint_tree_of(&system->coordinates);
    const RbvModel *model = system->model;
    RbvTreeNote *to = &result->tree;
    to->cuts = rbv_arena_array(&result->arena, (size_t)model->joints.count + 1, sizeof *to->cuts);
    for (int32_t k = 0; to->cuts && k < model->joints.count; k++) {
        int32_t rows = 0;
        for (int32_t r = system->joint_row[k]; r < system->joint_row[k + 1]; r++)
            rows += !rbv_system_keeps(system, r);
        if (rows == 0)
            continue;
        const char *name =
            rbv_arena_copy(&result->arena, model->joints.items[k].name, strlen(model->joints.items[k].name));
        if (!name)
            return false;
        to->cuts[to->cut_count++] = (RbvCutNote){name, rows, tree->kept[k] != 0};
    }
    return to->cuts != NULL;
}

bool rbv_record_tree(RbvResult *result, const RbvSystem *system) {
    result->tree.kind = system->coordinates.kind->name;
    result->tree.numbers = system->coordinates.size;
    for (int32_t k = 0; k < system->row_count; k++)
        result->tree.rest += !rbv_system_keeps(system, k);
    return tree_joints(result, system) && cuts(result, system);
}

#define BASIC_NAME 300

typedef struct Noting {
    const RbvSystem *system;
    const RbvNatural *natural;
    RbvArena *arena;
    RbvCoordinatesNote *to;
    bool lost;
} Noting;

static const char *keep_basic(Noting *n, const char *text) {
    const char *fresh = rbv_arena_copy(n->arena, text, strlen(text));
    n->lost = n->lost || !fresh;
    return fresh ? fresh : "";
}

static void *basics_array(Noting *n, int32_t count, size_t size) {
    void *block = rbv_arena_array(n->arena, (size_t)count + 1, size);
    n->lost = n->lost || !block;
    return block;
}

/* Name of a point or vector: "crank.A", "crank.A.z", "rod (centroid)", "rod e1" for vectors without a marker. */
static void name_basic(const Noting *n, int32_t k, char text[BASIC_NAME]) {
    const RbvBasic *basic = &n->natural->basics[k];
    const RbvModel *model = n->system->model;
    const char *body = model->bodies.items[basic->owner].name;
    if (basic->marker >= 0 && basic->vector)
        snprintf(text, BASIC_NAME, "%s.%c", model->markers.items[basic->marker].name, "xyz"[basic->axis]);
    else if (basic->marker >= 0)
        snprintf(text, BASIC_NAME, "%s", model->markers.items[basic->marker].name);
    else if (basic->vector)
        snprintf(text, BASIC_NAME, "%s e%d", body, basic->axis + 1);
    else
        snprintf(text, BASIC_NAME, "%s %s", body, basic->axis < 0 ? "centroid" : "point");
}

void rbv_record_basic(const RbvSystem *system, int32_t k, char *text, size_t size) {
    char name[BASIC_NAME];
    name_basic(&(Noting){.system = system, .natural = rbv_natural_of(&system->coordinates)}, k, name);
    snprintf(text, size, "%s", name);
}

static void basics(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->basics = basics_array(n, natural->basic_count, sizeof *n->to->basics);
    for (int32_t k = 0; !n->lost && k < natural->basic_count; k++) {
        char name[BASIC_NAME];
        name_basic(n, k, name);
        n->to->basics[k] = (RbvBasicNote){
            .name = keep_basic(n, name), .vector = natural->basics[k].vector, .ground = natural->basics[k].column < 0};
        n->to->basics[k].bodies = basics_array(n, natural->basics[k].users, sizeof(char *));
    }
    for (int32_t b = 1; !n->lost && b < n->system->bodies.count; b++)
        for (int32_t u = natural->bodies[b].first; u < natural->bodies[b].first + natural->bodies[b].count; u++) {
            RbvBasicNote *note = &n->to->basics[natural->uses[u].basic];
            note->bodies[note->body_count++] = keep_basic(n, n->system->model->bodies.items[b].name);
        }
    n->to->basic_count = n->lost ? 0 : natural->basic_count;
}

static void natural_bodies(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->bodies = basics_array(n, n->system->bodies.count, sizeof *n->to->bodies);
    for (int32_t b = 1; !n->lost && b < n->system->bodies.count; b++) {
        const RbvNaturalBody *body = &natural->bodies[b];
        int32_t points = 0, vectors = 0, numbers = 0;
        char type[60] = "its own number";
        for (int32_t u = body->first; u < body->first + body->count; u++) {
            const RbvBasic *basic = &natural->basics[natural->uses[u].basic];
            *(basic->vector ? &vectors : &points) += 1;
            numbers += basic->column < 0 ? 0 : natural->dims;
        }
        if (body->form == RBV_NATURAL_ROD)
            snprintf(type, sizeof type, "%d points (a rod)", (int)points);
        else if (body->form != RBV_NATURAL_SCALAR)
            snprintf(type, sizeof type, vectors ? "%d point%s, %d vector%s" : "%d point%s", (int)points,
                     rbv_plural(points), (int)vectors, rbv_plural(vectors));
        RbvBodyNote *note = &n->to->bodies[n->to->body_count++];
        *note = (RbvBodyNote){keep_basic(n, n->system->model->bodies.items[b].name), keep_basic(n, type),
                              body->form == RBV_NATURAL_SCALAR ? 1 : numbers, 0, body->form != RBV_NATURAL_CROSSED};
        for (int32_t k = 0; k < natural->row_count; k++)
            note->rows += natural->rows[k].body == b;
    }
}

/* Name of a difference of points, "(head - tail)", or of a vector. */
static void name_core(const Noting *n, RbvCoreVector a, char text[3 * BASIC_NAME]) {
    char head[BASIC_NAME], tail[BASIC_NAME];
    name_basic(n, n->natural->uses[a.head].basic, head);
    if (a.tail < 0) {
        snprintf(text, 3 * BASIC_NAME, "%s", head);
        return;
    }
    name_basic(n, n->natural->uses[a.tail].basic, tail);
    snprintf(text, 3 * BASIC_NAME, "(%s - %s)", head, tail);
}

/* Text that describes what rigid row k keeps constant. */
static const char *held(Noting *n, int32_t k) {
    const RbvNatural *natural = n->natural;
    const RbvRigidRow *row = &natural->rows[k];
    char text[7 * BASIC_NAME], a[3 * BASIC_NAME], b[3 * BASIC_NAME];
    if (row->kind == RBV_RIGID_DOT) {
        name_core(n, natural->bodies[row->body].a[row->i], a);
        name_core(n, natural->bodies[row->body].a[row->j], b);
        snprintf(text, sizeof text, "scalar product %s . %s", a, b);
    } else if (row->kind == RBV_RIGID_LINEAR) {
        name_basic(n, natural->uses[row->i].basic, a);
        snprintf(text, sizeof text, "%s along %c follows from the others", a, "xyz"[row->axis]);
    } else {
        name_basic(n, natural->uses[row->i].basic, a);
        if (row->kind == RBV_RIGID_DISTANCE)
            name_basic(n, natural->uses[row->j].basic, b);
        snprintf(text, sizeof text, row->kind == RBV_RIGID_NORM ? "length 1 of %s" : "distance %s - %s", a, b);
    }
    return keep_basic(n, text);
}

static void rows(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->rows = basics_array(n, natural->row_count, sizeof *n->to->rows);
    for (int32_t k = 0; !n->lost && k < natural->row_count; k++)
        n->to->rows[k] =
            (RbvRigidNote){keep_basic(n, n->system->model->bodies.items[natural->rows[k].body].name), held(n, k)};
    n->to->row_count = n->lost ? 0 : natural->row_count;
}

/* Description of a number of q, "distance(a.P, b.Q)", "angle(b)", by its points and axes. */
static void describe_number(const RbvModel *model, const RbvMeasure *measure, char text[3 * BASIC_NAME]) {
    const char *one = model->markers.items[measure->marker[0]].name,
               *other = model->markers.items[measure->marker[1]].name;
    if (measure->kind == RBV_MEASURE_OFFSET)
        snprintf(text, 3 * BASIC_NAME, "%c of %s along axes of %s", "xyz"[measure->axis % 3], other, one);
    else if (measure->kind == RBV_MEASURE_TURN)
        snprintf(text, 3 * BASIC_NAME, "angle of %s", other);
    else
        snprintf(text, 3 * BASIC_NAME, "%s from %s to %s",
                 measure->kind == RBV_MEASURE_DISTANCE    ? "distance"
                 : measure->kind == RBV_MEASURE_DIRECTION ? "direction"
                                                          : "angle",
                 one, other);
}

/* Name of a number of q without blank and comma, for columns: of a joint's coordinate, a named coordinate, else of
 * the drive or spring along it. */
static void name_number(const RbvModel *model, int32_t m, char text[2 * BASIC_NAME]) {
    const RbvMeasure *measure = &model->measures.items[m];
    bool length = measure->kind == RBV_MEASURE_DISTANCE || measure->kind == RBV_MEASURE_OFFSET;
    for (int32_t k = 0; k < model->joints.count && measure->kind != RBV_MEASURE_DISTANCE &&
                        measure->kind != RBV_MEASURE_DIRECTION && measure->kind != RBV_MEASURE_TURN;
         k++)
        if (model->joints.items[k].marker[0] == measure->marker[0] &&
            model->joints.items[k].marker[1] == measure->marker[1]) {
            const char *along = rbv_direction_name((int)measure->axis);
            bool slides = model->joints.items[k].coordinates & (1 << measure->axis);
            snprintf(text, 2 * BASIC_NAME, "%s.%s", model->joints.items[k].name,
                     !length  ? "angle"
                     : slides ? "distance"
                              : along);
            return;
        }
    for (int32_t k = 0; k < model->coordinates.count; k++)
        if (model->coordinates.items[k].measure == m) {
            snprintf(text, 2 * BASIC_NAME, "%s", model->coordinates.items[k].name);
            return;
        }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].of.measure == m) {
            snprintf(text, 2 * BASIC_NAME, "%s.%s", model->drives.items[k].name, length ? "length" : "angle");
            return;
        }
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].measure_count > 0 && model->loads.items[k].measure[0] == m &&
            model->loads.items[k].name) {
            snprintf(text, 2 * BASIC_NAME, "%s.%s", model->loads.items[k].name, length ? "length" : "angle");
            return;
        }
    snprintf(text, 2 * BASIC_NAME, "%s%d", length ? "length" : "angle", (int)m);
}

void rbv_record_number_name(const RbvSystem *system, int32_t k, char *text, size_t size) {
    char name[2 * BASIC_NAME];
    name_number(system->model, rbv_natural_of(&system->coordinates)->numbers[k].measure, name);
    snprintf(text, size, "%s", name);
}

const char *rbv_record_number(RbvResult *result, const RbvSystem *system, int32_t k) {
    char text[2 * BASIC_NAME];
    name_number(system->model, rbv_natural_of(&system->coordinates)->numbers[k].measure, text);
    return rbv_arena_copy(&result->arena, text, strlen(text));
}

const char *rbv_record_number_row(int32_t kind) {
    return kind == RBV_NUMBER_DISTANCE ? "|d|^2 - s^2, d from the first point to the second"
           : kind == RBV_NUMBER_OFFSET
               ? "s - u . d, u the axis, d from the first point to the second"
               : "sin(psi) e . f - cos(psi) g . f, e and g square on the first, f on the second";
}

static void numbers(Noting *n, RbvResult *result) {
    static const char *const kinds[] = {
        [RBV_NUMBER_DISTANCE] = "distance", [RBV_NUMBER_OFFSET] = "offset", [RBV_NUMBER_ANGLE] = "angle"};
    const RbvNatural *natural = n->natural;
    n->to->measured = basics_array(n, natural->number_count, sizeof *n->to->measured);
    for (int32_t k = 0; !n->lost && k < natural->number_count; k++) {
        const char *name = rbv_record_number(result, n->system, k);
        char of[3 * BASIC_NAME];
        describe_number(n->system->model, &n->system->model->measures.items[natural->numbers[k].measure], of);
        n->lost = !name;
        n->to->measured[k] = (RbvNumberNote){name, keep_basic(n, of), kinds[natural->numbers[k].kind],
                                             rbv_record_number_row((int32_t)natural->numbers[k].kind)};
    }
    n->to->measured_count = n->lost ? 0 : natural->number_count;
}

const char *rbv_record_rigid_row(RbvResult *result, const RbvSystem *system, int32_t k) {
    Noting n = {.system = system,
                .natural = rbv_natural_of(&system->coordinates),
                .arena = &result->arena,
                .to = &result->coordinates};
    const char *text = held(&n, k);
    return n.lost ? NULL : text;
}

bool rbv_record_coordinates(RbvResult *result, const RbvSystem *system) {
    if (system->coordinates.kind == &rbv_joint_coordinates)
        return rbv_record_tree(result, system);
    if (!rbv_is_natural(&system->coordinates))
        return true;
    Noting n = {.system = system,
                .natural = rbv_natural_of(&system->coordinates),
                .arena = &result->arena,
                .to = &result->coordinates};
    n.to->kind = system->coordinates.kind->name;
    n.to->numbers = system->coordinates.size;
    for (int32_t k = 0; k < system->row_count; k++)
        n.to->rest += !rbv_system_keeps(system, k);
    basics(&n);
    natural_bodies(&n);
    rows(&n);
    numbers(&n, result);
    return !n.lost;
}

/* Names of the numbers of v, in any coordinates; see record.h. */

#define RATE_NAME 600

typedef struct Naming {
    const RbvSystem *system;
    RbvArena *arena;
    const char **names;
    bool lost;
} Naming;

static void put_name(Naming *n, int32_t column, const char *text) {
    n->names[column] = rbv_arena_copy(n->arena, text, strlen(text));
    n->lost = n->lost || !n->names[column];
}

static void of_bodies(Naming *n) {
    static const char *const directions[] = {"x", "y", "z", "turn about x", "turn about y", "turn about z"};
    const RbvBodyColumns *bodies = &n->system->bodies;
    char text[RATE_NAME];
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t k = 0; k < rbv_bodies_columns(bodies, b); k++) {
            snprintf(text, sizeof text, n->system->model->bodies.items[b].generalized ? "%s" : "%s %s",
                     n->system->model->bodies.items[b].name, directions[rbv_bodies_direction(bodies, k)]);
            put_name(n, bodies->start[b] + k, text);
        }
}

static void of_points(Naming *n) {
    const RbvNatural *natural = rbv_natural_of(&n->system->coordinates);
    char text[RATE_NAME], basic[RATE_NAME / 2];
    for (int32_t k = 0; k < natural->basic_count; k++)
        for (int d = 0; natural->basics[k].column >= 0 && d < natural->dims; d++) {
            rbv_record_basic(n->system, k, basic, sizeof basic);
            snprintf(text, sizeof text, "%s %c", basic, "xyz"[d]);
            put_name(n, natural->basics[k].column + d, text);
        }
    for (int32_t b = 1; b < n->system->bodies.count; b++)
        if (natural->bodies[b].form == RBV_NATURAL_SCALAR)
            put_name(n, natural->bodies[b].column, n->system->model->bodies.items[b].name);
    for (int32_t k = 0; k < natural->number_count; k++) {
        rbv_record_number_name(n->system, k, text, sizeof text);
        put_name(n, natural->numbers[k].column, text);
    }
}

/* Names of a tree joint's coordinates: "hinge.angle", "slide.x", "ball.turn about x"; of a body without joint to its
 * parent "hull.x". */
static void of_tree_joint(Naming *n, int32_t body) {
    static const char *const turns[] = {"turn about x", "turn about y", "turn about z"};
    const RbvJointTreeJoint *tree_joint = &rbv_joint_tree_of(&n->system->coordinates)->tree_joints[body];
    const RbvModel *model = n->system->model;
    const char *owner =
        tree_joint->joint >= 0 ? model->joints.items[tree_joint->joint].name : model->bodies.items[body].name;
    char text[RATE_NAME];
    for (int k = 0; k < tree_joint->slides + tree_joint->turns; k++) {
        int turn = k - tree_joint->slides;
        if (tree_joint->scalar)
            snprintf(text, sizeof text, "%s", owner);
        else if (turn < 0)
            snprintf(text, sizeof text, "%s.%c", owner, "xyz"[tree_joint->slide[k]]);
        else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
            snprintf(text, sizeof text, "%s.turn about z of %s", owner, turn == 0 ? "the first" : "the second");
        else
            snprintf(text, sizeof text, "%s.%s", owner,
                     tree_joint->turn == RBV_TREE_JOINT_AXIS ? "angle" : turns[turn]);
        put_name(n, tree_joint->column + k, text);
    }
}

const char **rbv_record_rates(RbvArena *arena, const RbvSystem *system) {
    Naming n = {.system = system,
                .arena = arena,
                .names = rbv_arena_array(arena, (size_t)system->coordinates.size + 1, sizeof *n.names)};
    if (!n.names)
        return NULL;
    if (rbv_is_natural(&system->coordinates))
        of_points(&n);
    else if (system->coordinates.kind == &rbv_joint_coordinates)
        for (int32_t b = 1; b < system->bodies.count; b++)
            of_tree_joint(&n, b);
    else
        of_bodies(&n);
    return n.lost ? NULL : n.names;
}
