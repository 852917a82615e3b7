/* Draws bodies without shapes: connections of the points where joints and loads act. In the plane, with the centroid:
 * two points give a line, more their convex hull. In space: two points give a rod, three a triangle of rods, more
 * points rods to their middle, and a centroid beside them is a ball on a thin rod. A body with a single point is a
 * dot, and a rod to its centroid. */
#include "analysis/scene/draft.h"

#include <stdlib.h>

/* Points nearer than this part of a symbol are merged. */
#define APART 1e-6

typedef struct Points {
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
        bool places = load->name && (load->kind == RBV_LOAD_FORCE || load->kind == RBV_LOAD_TORQUE ||
                                     load->kind == RBV_LOAD_SPRING || load->kind == RBV_LOAD_BUSHING);
        for (int side = 0; places && side < (load->kind == RBV_LOAD_FORCE || load->kind == RBV_LOAD_TORQUE ? 1 : 2);
             side++)
            visit(s, p, load->marker[side]);
    }
}

static void count(const RbvDraft *s, Points *p, int32_t marker) {
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

static void take(const RbvDraft *s, Points *p, int32_t body, RbvVec3 at) {
    if (p->filled[body] > MOST_COMPARED || is_new(s, p, body, at))
        p->items[p->start[body] + p->filled[body]++] = at;
}

static void fill(const RbvDraft *s, Points *p, int32_t marker) {
    int32_t body = rbv_draft_body(s, marker);
    if (body > 0 && !p->shaped[body])
        take(s, p, body, rbv_draft_at(s, marker));
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

/* Parts of a symbol: radii of rods, of the thin rod to a centroid, and of its ball; a centroid nearer than that is on
 * a rod. */
#define ROD 0.08
#define ARM 0.04
#define MASS 0.16

/* Draw a rod, and update the point of all rods nearest to the centroid. */
static void rod(RbvDraft *s, int32_t body, RbvVec3 from, RbvVec3 to, RbvVec3 *nearest) {
    RbvVec3 centroid = s->model->bodies.items[body].centroid, way = rbv_sub(to, from);
    double length = rbv_norm(way), part = length > 0 ? rbv_dot(rbv_sub(centroid, from), way) / (length * length) : 0;
    RbvVec3 foot = rbv_add_scaled(from, fmax(0, fmin(1, part)), way);
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
        rod(s, body, middle, points[k], &nearest);
    for (int32_t k = 0; k < n && n <= 3; k++)
        if (n == 3 || k == 0)
            rod(s, body, points[k], points[(k + 1) % n], &nearest);
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
    p->start = calloc(bodies + 2, sizeof *p->start);
    p->filled = calloc(bodies + 1, sizeof *p->filled);
    p->shaped = calloc(bodies + 1, sizeof *p->shaped);
    if (!p->start || !p->filled || !p->shaped)
        return false;
    for (int32_t k = 0; k < s->model->shapes.count; k++)
        p->shaped[s->model->shapes.items[k].body] = true;
    each_marker(s, p, count);
    for (int32_t b = 0; b < s->model->bodies.count; b++)
        p->start[b + 1] += p->start[b] + 1; /* one more for the centroid */
    p->items = calloc((size_t)p->start[bodies] + 1, sizeof *p->items);
    if (!p->items)
        return false;
    each_marker(s, p, fill);
    return true;
}

void rbv_draft_outlines(RbvDraft *s) {
    Points p = {0};
    RbvVec3 *hull = NULL;
    s->lost = s->lost || !create(s, &p);
    int32_t most = 0;
    for (int32_t b = 1; !s->lost && b < s->model->bodies.count; b++)
        most = p.filled[b] > most ? p.filled[b] : most;
    hull = calloc(2 * (size_t)most + 4, sizeof *hull);
    s->lost = s->lost || !hull;
    rbv_pen(s, RBV_SCENE_OUTLINE, -1);
    for (int32_t b = 1; b < s->model->bodies.count && !s->lost; b++) {
        const RbvBody *body = &s->model->bodies.items[b];
        if (p.shaped[b] || s->body[b] < 0)
            continue;
        if ((body->mass > 0 && !(s->spatial && p.filled[b] > 1)) || p.filled[b] == 0)
            take(s, &p, b, body->centroid);
        outline(s, b, p.items + p.start[b], p.filled[b], hull);
    }
    free(hull);
    free(p.start);
    free(p.items);
    free(p.filled);
    free(p.shaped);
}
