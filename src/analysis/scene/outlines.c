/* Draws bodies: the shapes that the model gives, and outlines of bodies without one. */
#include "analysis/scene/draft.h"
#include "core/base/names.h"

#include <stdlib.h>
#include <string.h>

/* Shapes that the model gives for bodies: in the plane polygons and circles, in space solids and meshes. */

#define HALF_TURN 24 /* corners of a half circle */

static RbvVec3 turned(RbvVec3 at, double angle, double x, double y) {
    return rbv_add(at, rbv_vec3(cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y, 0));
}

static void rectangle(RbvDraft *s, const RbvBodyShape *shape, RbvVec3 middle, double angle, double width,
                      double height) {
    const RbvVec3 corner[4] = {
        turned(middle, angle, -0.5 * width, -0.5 * height), turned(middle, angle, 0.5 * width, -0.5 * height),
        turned(middle, angle, 0.5 * width, 0.5 * height), turned(middle, angle, -0.5 * width, 0.5 * height)};
    rbv_draft_line(s, shape->body, corner, 4, true, true);
}

/* Draw a draw_rod; a thin one is a line. */
static void draw_rod(RbvDraft *s, const RbvBodyShape *shape) {
    const RbvVec3 ends[2] = {shape->at, shape->to};
    RbvVec3 d = rbv_sub(shape->to, shape->at);
    if (shape->size.y > 0)
        rectangle(s, shape, rbv_scale(0.5, rbv_add(shape->at, shape->to)), atan2(d.y, d.x), rbv_norm(d), shape->size.y);
    else
        rbv_draft_line(s, shape->body, ends, 2, false, false);
}

static void semicircle(RbvDraft *s, const RbvBodyShape *shape) {
    RbvVec3 corner[HALF_TURN + 1];
    for (int k = 0; k <= HALF_TURN; k++) {
        double angle = RBV_TWO_PI * (0.5 * k / HALF_TURN - 0.25);
        corner[k] = turned(shape->at, shape->angle + angle, shape->radius, 0);
    }
    rbv_draft_line(s, shape->body, corner, HALF_TURN + 1, true, true);
}

/* Draw a ring: without width a circle, else a disk with a hole. */
static void ring(RbvDraft *s, const RbvBodyShape *shape) {
    double out = shape->radius + 0.5 * shape->size.y, in = shape->radius - 0.5 * shape->size.y;
    rbv_draft_circle(s, shape->body, shape->at, rbv_quat_identity(), out, shape->size.y > 0);
    RbvSceneRole role = s->role;
    s->role = RBV_SCENE_VOID;
    if (shape->size.y > 0 && in > 0)
        rbv_draft_circle(s, shape->body, shape->at, rbv_quat_identity(), in, true);
    s->role = role;
}

typedef struct Mesh {
    const RbvVec3 *corner;
    int32_t *first; /* [vertices] first corner at each vertex */
    double (*vertex)[3];
    int32_t count;
} Mesh;

static uint32_t vertex_hash(const void *mesh, int32_t k) {
    const Mesh *m = mesh;
    return rbv_hash(&m->corner[m->first[k]], sizeof *m->corner);
}

/* Index of the vertex at a corner, added if new; -1: out of memory. */
static int32_t vertex_of(Mesh *m, RbvIndexTable *table, int32_t corner) {
    const RbvVec3 *p = &m->corner[corner];
    if (table->capacity > 0) {
        uint32_t cell = rbv_index_cell(table, rbv_hash(p, sizeof *p));
        for (int32_t k; (k = rbv_index_at(table, cell)) >= 0; cell = rbv_index_cell(table, cell + 1))
            if (memcmp(&m->corner[m->first[k]], p, sizeof *p) == 0)
                return k;
    }
    m->first[m->count] = corner;
    m->vertex[m->count][0] = p->x, m->vertex[m->count][1] = p->y, m->vertex[m->count][2] = p->z;
    return rbv_index_table_add(table, m->count, vertex_hash, m) ? m->count++ : -1;
}

/* Draw a mesh; equal corners become one vertex. */
static void draw_mesh(RbvDraft *s, const RbvBodyShape *shape) {
    RbvArena *arena = &s->result->arena, scratch = {0};
    RbvIndexTable table = {0};
    Mesh m = {.corner = shape->points};
    m.first = rbv_arena_array(&scratch, (size_t)shape->count + 1, sizeof *m.first);
    m.vertex = rbv_arena_array(arena, (size_t)shape->count + 1, sizeof *m.vertex);
    int32_t *triangle = rbv_arena_array(arena, (size_t)shape->count + 1, sizeof *triangle);
    s->lost = s->lost || !m.first || !m.vertex || !triangle;
    for (int32_t k = 0; k < shape->count && !s->lost; k++) {
        triangle[k] = vertex_of(&m, &table, k);
        s->lost = triangle[k] < 0;
    }
    rbv_index_table_clear(&table);
    rbv_arena_clear(&scratch);
    if (!s->lost)
        rbv_draft_figure(s, (RbvSceneFigure){.kind = RBV_SCENE_MESH,
                                             .on = {shape->body, shape->body},
                                             .count = m.count,
                                             .points = &m.vertex[0][0],
                                             .triangle_count = shape->count / 3,
                                             .triangles = triangle});
}

static void draw_shape(RbvDraft *s, const RbvBodyShape *shape) {
    int32_t body = shape->body;
    const RbvVec3 triangle[3] = {turned(shape->at, shape->angle, -0.5 * shape->size.x, 0),
                                 turned(shape->at, shape->angle, 0.5 * shape->size.x, 0),
                                 turned(shape->at, shape->angle, 0, shape->size.y)};
    switch (shape->kind) {
    case RBV_SHAPE_ROD: draw_rod(s, shape); break;
    case RBV_SHAPE_RECTANGLE: rectangle(s, shape, shape->at, 0, shape->size.x, shape->size.y); break;
    case RBV_SHAPE_TRIANGLE: rbv_draft_line(s, body, triangle, 3, true, true); break;
    case RBV_SHAPE_DISK: rbv_draft_circle(s, body, shape->at, rbv_quat_identity(), shape->radius, true); break;
    case RBV_SHAPE_SEMICIRCLE: semicircle(s, shape); break;
    case RBV_SHAPE_RING: ring(s, shape); break;
    case RBV_SHAPE_POLYGON: rbv_draft_line(s, body, shape->points, shape->count, true, true); break;
    case RBV_SHAPE_BOX: rbv_draft_box(s, body, shape->at, shape->rotation, shape->size); break;
    case RBV_SHAPE_CYLINDER: rbv_draft_round(s, RBV_SCENE_CYLINDER, body, shape->at, shape->to, shape->radius); break;
    case RBV_SHAPE_CONE: rbv_draft_round(s, RBV_SCENE_CONE, body, shape->at, shape->to, shape->radius); break;
    case RBV_SHAPE_SPHERE: rbv_draft_sphere(s, body, shape->at, shape->radius); break;
    case RBV_SHAPE_MESH: draw_mesh(s, shape); break;
    }
}

void rbv_draft_substance(RbvDraft *s) {
    for (int32_t k = 0; k < s->model->shapes.count && !s->lost; k++) {
        rbv_pen(s, s->model->shapes.items[k].hole ? RBV_SCENE_VOID : RBV_SCENE_SUBSTANCE, -1);
        draw_shape(s, &s->model->shapes.items[k]);
    }
}

/* Bodies without shapes: connections of the points where joints and loads act. In the plane, with the centroid: two
 * points give a line, more their convex hull. In space: two points give a rod, three a triangle of rods, more points
 * rods to their middle, and a centroid beside them is a ball on a thin rod. A body with a single point is a dot, and a
 * rod to its centroid. */

/* Points nearer than this part of a symbol are merged. */
#define APART 1e-6

typedef struct Points {
    RbvArena arena;  /* owns the arrays */
    int32_t *start;  /* [bodies + 1] */
    RbvVec3 *items;  /* points of body b: items[start[b]] ... */
    int32_t *filled; /* [bodies] number of points found so far */
    bool *shaped;    /* [bodies] the model gives a shape */
} Points;

typedef void Visit(const RbvDraft *s, Points *p, int32_t marker);

static void both_ends(const RbvDraft *s, Points *p, int32_t measure, Visit *visit) {
    for (int side = 0; side < 2; side++)
        visit(s, p, s->model->measures.items[measure].marker[side]);
}

/* Visit the markers of driven coordinates, and of coordinates in constraints. */
static void each_measured(const RbvDraft *s, Points *p, Visit *visit) {
    const RbvModel *model = s->model;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].of.named < 0 && model->drives.items[k].of.measure >= 0)
            both_ends(s, p, model->drives.items[k].of.measure, visit);
    for (int32_t k = 0; k < model->constraints.count; k++)
        for (int32_t v = 0; v < rbv_expr_variable_count(model->constraints.items[k].equation); v++) {
            RbvVariable variable = model->variables.items[rbv_expr_variable(model->constraints.items[k].equation, v)];
            if (variable.kind == RBV_VARIABLE_COORDINATE)
                both_ends(s, p, variable.index, visit);
        }
}

/* Visit every marker at which a joint, load, drive or constraint acts. */
static void each_marker(const RbvDraft *s, Points *p, Visit *visit) {
    each_measured(s, p, visit);
    for (int32_t k = 0; k < s->model->joints.count; k++)
        for (int side = 0; side < 2; side++)
            visit(s, p, s->model->joints.items[k].marker[side]);
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        for (int side = 0; load->name && side < rbv_load_row(load->kind)->points; side++)
            visit(s, p, load->marker[side]);
    }
}

static void count_point(const RbvDraft *s, Points *p, int32_t marker) {
    p->start[rbv_draft_body(s, marker) + 1]++;
}

static bool is_new(const RbvDraft *s, const Points *p, int32_t body, RbvVec3 at) {
    for (int32_t k = 0; k < p->filled[body]; k++)
        if (rbv_norm(rbv_sub(p->items[p->start[body] + k], at)) <= APART * s->symbol)
            return false;
    return true;
}

/* Number of points of a body above which further points are not compared with each other. */
#define MOST_COMPARED 200

static void add_point(const RbvDraft *s, Points *p, int32_t body, RbvVec3 at) {
    if (p->filled[body] > MOST_COMPARED || is_new(s, p, body, at))
        p->items[p->start[body] + p->filled[body]++] = at;
}

static void add_marker(const RbvDraft *s, Points *p, int32_t marker) {
    int32_t body = rbv_draft_body(s, marker);
    if (body > 0 && !p->shaped[body])
        add_point(s, p, body, rbv_draft_at(s, marker));
}

static double cross(RbvVec3 o, RbvVec3 a, RbvVec3 b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int by_place(const void *a, const void *b) {
    const RbvVec3 *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Convex hull, counterclockwise (Andrew): hull[2 n]. Returns the number of corners. */
static int32_t hull_of(RbvVec3 *points, int32_t n, RbvVec3 *hull) {
    int32_t m = 0;
    qsort(points, (size_t)n, sizeof *points, by_place);
    for (int32_t k = 0; k < n; k++) {
        while (m > 1 && cross(hull[m - 2], hull[m - 1], points[k]) <= 0)
            m--;
        hull[m++] = points[k];
    }
    for (int32_t k = n - 2, lower = m + 1; k >= 0; k--) {
        while (m >= lower && cross(hull[m - 2], hull[m - 1], points[k]) <= 0)
            m--;
        hull[m++] = points[k];
    }
    return m - 1;
}

/* Parts of a symbol: radii of rods, of the thin draw_rod_between to a centroid, and of its ball; a centroid nearer than
 * that is on a draw_rod_between. */
#define ROD 0.08
#define ARM 0.04
#define MASS 0.16

/* Draw a draw_rod_between, and update the point of all rods nearest to the centroid. */
static void draw_rod_between(RbvDraft *s, int32_t body, RbvVec3 from, RbvVec3 to, RbvVec3 *nearest) {
    RbvVec3 centroid = s->model->bodies.items[body].centroid, along = rbv_sub(to, from);
    double length = rbv_norm(along),
           part = length > 0 ? rbv_dot(rbv_sub(centroid, from), along) / (length * length) : 0;
    RbvVec3 foot = rbv_add_scaled(from, fmax(0, fmin(1, part)), along);
    if (length <= APART * s->symbol)
        return;
    if (rbv_norm(rbv_sub(centroid, foot)) < rbv_norm(rbv_sub(centroid, *nearest)))
        *nearest = foot;
    rbv_draft_round(s, RBV_SCENE_CYLINDER, body, from, to, ROD * s->symbol);
}

static void rods(RbvDraft *s, int32_t body, const RbvVec3 *points, int32_t n) {
    const RbvBody *of = &s->model->bodies.items[body];
    RbvVec3 middle = {0, 0, 0}, nearest = points[0];
    for (int32_t k = 0; k < n; k++)
        middle = rbv_add_scaled(middle, 1.0 / n, points[k]);
    for (int32_t k = 0; k < n && n > 3; k++)
        draw_rod_between(s, body, middle, points[k], &nearest);
    for (int32_t k = 0; k < n && n <= 3; k++)
        if (n == 3 || k == 0)
            draw_rod_between(s, body, points[k], points[(k + 1) % n], &nearest);
    if (!(of->mass > 0) || rbv_norm(rbv_sub(of->centroid, nearest)) < MASS * s->symbol)
        return;
    rbv_draft_round(s, RBV_SCENE_CYLINDER, body, nearest, of->centroid, ARM * s->symbol);
    rbv_draft_sphere(s, body, of->centroid, MASS * s->symbol);
}

static void outline(RbvDraft *s, int32_t body, RbvVec3 *points, int32_t n, RbvVec3 *hull) {
    if (n < 2) {
        RbvVec3 at = n == 1 ? points[0] : s->model->bodies.items[body].centroid;
        if (s->spatial)
            rbv_draft_sphere(s, body, at, 0.2 * s->symbol);
        else
            rbv_draft_circle(s, body, at, rbv_quat_identity(), 0.2 * s->symbol, true);
        return;
    }
    if (s->spatial) {
        rods(s, body, points, n);
        return;
    }
    int32_t corners = n > 2 ? hull_of(points, n, hull) : 0;
    if (corners > 2)
        rbv_draft_line(s, body, hull, corners, true, true);
    else
        rbv_draft_line(s, body, corners == 2 ? hull : points, 2, false, false);
}

static bool create(const RbvDraft *s, Points *p) {
    size_t bodies = (size_t)s->model->bodies.count;
    p->start = rbv_arena_array(&p->arena, bodies + 2, sizeof *p->start);
    p->filled = rbv_arena_array(&p->arena, bodies + 1, sizeof *p->filled);
    p->shaped = rbv_arena_array(&p->arena, bodies + 1, sizeof *p->shaped);
    if (!p->start || !p->filled || !p->shaped)
        return false;
    for (int32_t k = 0; k < s->model->shapes.count; k++)
        p->shaped[s->model->shapes.items[k].body] = true;
    each_marker(s, p, count_point);
    for (int32_t b = 0; b < s->model->bodies.count; b++)
        p->start[b + 1] += p->start[b] + 1; /* one more for the centroid */
    p->items = rbv_arena_array(&p->arena, (size_t)p->start[bodies] + 1, sizeof *p->items);
    if (!p->items)
        return false;
    each_marker(s, p, add_marker);
    return true;
}

void rbv_draft_outlines(RbvDraft *s) {
    Points p = {0};
    RbvVec3 *hull = NULL;
    s->lost = s->lost || !create(s, &p);
    int32_t most = 0;
    for (int32_t b = 1; !s->lost && b < s->model->bodies.count; b++)
        most = p.filled[b] > most ? p.filled[b] : most;
    hull = rbv_arena_array(&p.arena, 2 * (size_t)most + 4, sizeof *hull);
    s->lost = s->lost || !hull;
    rbv_pen(s, RBV_SCENE_OUTLINE, -1);
    for (int32_t b = 1; b < s->model->bodies.count && !s->lost; b++) {
        const RbvBody *body = &s->model->bodies.items[b];
        if (p.shaped[b] || s->body[b] < 0)
            continue;
        if ((body->mass > 0 && !(s->spatial && p.filled[b] > 1)) || p.filled[b] == 0)
            add_point(s, &p, b, body->centroid);
        outline(s, b, p.items + p.start[b], p.filled[b], hull);
    }
    rbv_arena_clear(&p.arena);
}
