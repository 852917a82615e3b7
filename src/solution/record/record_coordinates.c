/* Describes natural coordinates with the names of the model: points and vectors, bodies, rigid rows; see record.h. */
#include "solution/record/record.h"

#include "mechanics/coordinates/natural.h"

#include <stdio.h>
#include <string.h>

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
                     points == 1 ? "" : "s", (int)vectors, vectors == 1 ? "" : "s");
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
