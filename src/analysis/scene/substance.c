/* Draws the shapes that the model gives for bodies: in the plane polygons and circles, in space solids and meshes. */
#include "analysis/scene/draft.h"

#include "core/base/index_table.h"

#include <string.h>

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

/* Draw a rod; a thin one is a line. */
static void rod(RbvDraft *s, const RbvBodyShape *shape) {
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
static void mesh(RbvDraft *s, const RbvBodyShape *shape) {
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

static void draw(RbvDraft *s, const RbvBodyShape *shape) {
    int32_t body = shape->body;
    const RbvVec3 triangle[3] = {turned(shape->at, shape->angle, -0.5 * shape->size.x, 0),
                                 turned(shape->at, shape->angle, 0.5 * shape->size.x, 0),
                                 turned(shape->at, shape->angle, 0, shape->size.y)};
    switch (shape->kind) {
    case RBV_SHAPE_ROD: rod(s, shape); break;
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
    case RBV_SHAPE_MESH: mesh(s, shape); break;
    }
}

void rbv_draft_substance(RbvDraft *s) {
    for (int32_t k = 0; k < s->model->shapes.count && !s->lost; k++) {
        rbv_pen(s, s->model->shapes.items[k].hole ? RBV_SCENE_VOID : RBV_SCENE_SUBSTANCE, -1);
        draw(s, &s->model->shapes.items[k]);
    }
}
