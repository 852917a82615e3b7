/* Natural coordinates in the names of the model: points and vectors, bodies, rigid rows; see record.h. */
#include "record/record.h"

#include "coordinates/natural.h"

#include <stdio.h>
#include <string.h>

#define NAME 300

typedef struct Noting {
    const RbvSystem *system;
    const RbvNatural *natural;
    RbvArena *arena;
    RbvCoordinatesNote *to;
    bool lost;
} Noting;

static const char *keep(Noting *n, const char *text) {
    const char *fresh = rbv_arena_copy(n->arena, text, strlen(text));
    n->lost = n->lost || !fresh;
    return fresh ? fresh : "";
}

static void *room(Noting *n, int32_t count, size_t size) {
    void *block = rbv_arena_array(n->arena, (size_t)count + 1, size);
    n->lost = n->lost || !block;
    return block;
}

/* "crank.A", "crank.A.z", "rod (centroid)", "rod e1" for vectors that no marker has. */
static void name_basic(const Noting *n, int32_t k, char text[NAME]) {
    const RbvBasic *basic = &n->natural->basics[k];
    const RbvModel *model = n->system->model;
    const char *body = model->bodies.items[basic->owner].name;
    if (basic->marker >= 0 && basic->vector)
        snprintf(text, NAME, "%s.%c", model->markers.items[basic->marker].name, "xyz"[basic->axis]);
    else if (basic->marker >= 0)
        snprintf(text, NAME, "%s", model->markers.items[basic->marker].name);
    else if (basic->vector)
        snprintf(text, NAME, "%s e%d", body, basic->axis + 1);
    else
        snprintf(text, NAME, "%s %s", body, basic->axis < 0 ? "centroid" : "point");
}

static void basics(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->basics = room(n, natural->basic_count, sizeof *n->to->basics);
    for (int32_t k = 0; !n->lost && k < natural->basic_count; k++) {
        char name[NAME];
        name_basic(n, k, name);
        n->to->basics[k] = (RbvBasicNote){.name = keep(n, name), .vector = natural->basics[k].vector, .ground = natural->basics[k].column < 0};
        n->to->basics[k].bodies = room(n, natural->basics[k].users, sizeof(char *));
    }
    for (int32_t b = 1; !n->lost && b < n->system->bodies.count; b++)
        for (int32_t u = natural->bodies[b].first; u < natural->bodies[b].first + natural->bodies[b].count; u++) {
            RbvBasicNote *note = &n->to->basics[natural->uses[u].basic];
            note->bodies[note->body_count++] = keep(n, n->system->model->bodies.items[b].name);
        }
    n->to->basic_count = n->lost ? 0 : natural->basic_count;
}

static void bodies(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->bodies = room(n, n->system->bodies.count, sizeof *n->to->bodies);
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
            snprintf(type, sizeof type, vectors ? "%d point%s, %d vector%s" : "%d point%s", (int)points, points == 1 ? "" : "s", (int)vectors, vectors == 1 ? "" : "s");
        RbvBodyNote *note = &n->to->bodies[n->to->body_count++];
        *note = (RbvBodyNote){keep(n, n->system->model->bodies.items[b].name), keep(n, type), body->form == RBV_NATURAL_SCALAR ? 1 : numbers, 0, body->form != RBV_NATURAL_CROSSED};
        for (int32_t k = 0; k < natural->row_count; k++)
            note->rows += natural->rows[k].body == b;
    }
}

/* "head - tail", or the vector. */
static void name_core(const Noting *n, RbvCoreVector a, char text[3 * NAME]) {
    char head[NAME], tail[NAME];
    name_basic(n, n->natural->uses[a.head].basic, head);
    if (a.tail < 0) {
        snprintf(text, 3 * NAME, "%s", head);
        return;
    }
    name_basic(n, n->natural->uses[a.tail].basic, tail);
    snprintf(text, 3 * NAME, "(%s - %s)", head, tail);
}

/* What rigid row k holds. */
static const char *held(Noting *n, int32_t k) {
    const RbvNatural *natural = n->natural;
    const RbvRigidRow *row = &natural->rows[k];
    char text[7 * NAME], a[3 * NAME], b[3 * NAME];
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
    return keep(n, text);
}

static void rows(Noting *n) {
    const RbvNatural *natural = n->natural;
    n->to->rows = room(n, natural->row_count, sizeof *n->to->rows);
    for (int32_t k = 0; !n->lost && k < natural->row_count; k++)
        n->to->rows[k] = (RbvRigidNote){keep(n, n->system->model->bodies.items[natural->rows[k].body].name), held(n, k)};
    n->to->row_count = n->lost ? 0 : natural->row_count;
}

const char *rbv_record_rigid_row(RbvResult *result, const RbvSystem *system, int32_t k) {
    Noting n = {.system = system, .natural = rbv_natural_of(&system->coordinates), .arena = &result->arena, .to = &result->coordinates};
    const char *text = held(&n, k);
    return n.lost ? NULL : text;
}

bool rbv_record_coordinates(RbvResult *result, const RbvSystem *system) {
    if (system->coordinates.kind == &rbv_joint_coordinates)
        return rbv_record_tree(result, system);
    if (system->coordinates.kind != &rbv_natural_coordinates)
        return true;
    Noting n = {.system = system, .natural = rbv_natural_of(&system->coordinates), .arena = &result->arena, .to = &result->coordinates};
    n.to->kind = system->coordinates.kind->name;
    n.to->numbers = n.natural->basics_size;
    for (int32_t k = 0; k < system->row_count; k++)
        n.to->rest += !rbv_system_keeps(system, k);
    basics(&n);
    bodies(&n);
    rows(&n);
    return !n.lost;
}
