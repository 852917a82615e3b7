/* Virtual motions of the bodies: null space of all constraint rows except those of drives, with a basis named by
 * coordinates. In motion k coordinate c_k has unit rate, c_k' = 1, and the others c_j' = 0:
 *
 *   D u = 0,  g_j . u = 1 for j = k, else 0
 *
 * D: active rows without drives; u: velocities; g: gradients of the drives' coordinates and of the remaining
 * freedoms.
 */
#include "analysis/scene/scene.h"
#include "core/linalg/small.h"
#include "model/result/scene.h"
#include "solution/assembly/freedom.h"

#include <roberval/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outermost points of figures: ends, corners, RIM points of each rim. The speed of the point r + A p is |v + w x A
 * p|. */

/* Largest speed of the points of a scene's figures. */

#define RIM 8

typedef struct Reach {
    const RbvSceneFigure *figure;
    int side;  /* side of on[2] */
    RbvMat3 A; /* axes of its body */
    RbvTwist twist;
    double fastest;
} Reach;

static RbvMat3 axes_of(const double turn[4]) {
    return rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}});
}

static RbvVec3 vector(const double v[3]) {
    return (RbvVec3){v[0], v[1], v[2]};
}

static void meet(Reach *r, RbvVec3 p) {
    r->fastest = fmax(r->fastest, rbv_norm(rbv_add(r->twist.v, rbv_cross(r->twist.w, rbv_apply(&r->A, p)))));
}

static void meet_rim(Reach *r, RbvVec3 middle, const RbvMat3 *axes, double radius) {
    for (int k = 0; k < RIM; k++) {
        double angle = k * RBV_TWO_PI / RIM;
        meet(r, rbv_add(middle, rbv_apply(axes, rbv_vec3(radius * cos(angle), radius * sin(angle), 0))));
    }
}

/* Test the rims of a round figure about the line from `at` to `to`: at its base, and at its other end. */
static void meet_round(Reach *r, RbvVec3 from, RbvVec3 to) {
    RbvMat3 axes;
    RbvVec3 along = rbv_sub(to, from);
    if (!rbv_frame_of_axes(along, rbv_vec3(1, 0, 0), &axes) && !rbv_frame_of_axes(along, rbv_vec3(0, 1, 0), &axes))
        axes = rbv_mat3_identity();
    meet_rim(r, from, &axes, r->figure->radius);
    meet_rim(r, to, &axes, r->figure->kind == RBV_SCENE_CONE ? 0 : r->figure->radius);
}

static void meet_box(Reach *r) {
    const RbvSceneFigure *f = r->figure;
    RbvMat3 axes = axes_of(f->turn);
    for (int k = 0; k < 8; k++) {
        double part[3];
        for (int c = 0; c < 3; c++)
            part[c] = k >> c & 1 ? 0.5 : -0.5;
        RbvVec3 corner = {part[0] * f->size[0], part[1] * f->size[1], part[2] * f->size[2]};
        meet(r, rbv_add(vector(f->at), rbv_apply(&axes, corner)));
    }
}

static void meet_ball(Reach *r) {
    for (int k = 0; k < 6; k++) {
        double p[3] = {r->figure->at[0], r->figure->at[1], r->figure->at[2]};
        p[k / 2] += (k % 2 ? -1 : 1) * r->figure->radius;
        meet(r, vector(p));
    }
}

/* Test the points of a figure on its body `side`. */
static void meet_figure(Reach *r) {
    const RbvSceneFigure *f = r->figure;
    RbvMat3 axes;
    switch (f->kind) {
    case RBV_SCENE_LINE:
    case RBV_SCENE_MESH:
        for (int32_t k = 0; k < f->count; k++)
            meet(r, vector(&f->points[3 * k]));
        break;
    case RBV_SCENE_CIRCLE:
    case RBV_SCENE_WHEEL:
        axes = axes_of(f->turn);
        meet_rim(r, vector(f->at), &axes, f->radius);
        break;
    case RBV_SCENE_BOX: meet_box(r); break;
    case RBV_SCENE_SPHERE: meet_ball(r); break;
    case RBV_SCENE_CYLINDER:
    case RBV_SCENE_CONE: meet_round(r, vector(f->at), vector(f->to)); break;
    case RBV_SCENE_BAR:
    case RBV_SCENE_COIL:
    case RBV_SCENE_DAMPER:
    case RBV_SCENE_STRAND: meet(r, vector(r->side ? f->to : f->at)); break;
    default: /* arrows */ meet(r, vector(f->at));
    }
}

/* Largest speed of a point of the figures, in the poses of the scene, if bodies move by twists[body_count] of their
 * frame origins in ground's axes. */
static double scene_fastest(const RbvScene *scene, const RbvTwist *twists) {
    Reach r = {0};
    for (int32_t k = 0; k < scene->figure_count; k++) {
        r.figure = &scene->figures[k];
        for (r.side = 0; r.side < (r.figure->kind >= RBV_SCENE_BAR && r.figure->kind <= RBV_SCENE_STRAND ? 2 : 1);
             r.side++) {
            int32_t b = r.figure->on[r.side];
            r.A = axes_of(scene->bodies[b].turn);
            r.twist = twists[b];
            if (b > 0)
                meet_figure(&r);
        }
    }
    return r.fastest;
}

/* Relative to the fastest point: smaller velocities are rounding. */
#define STANDS 1e-10

typedef struct Finder {
    RbvResult *result;
    RbvState *state;      /* a copy: evaluating it leaves the analysis unchanged */
    const int32_t *shown; /* [bodies] index of each body of the model in the scene, or -1 */
    RbvSceneMotion *motions;
    double *u;        /* [columns] velocities */
    RbvTwist *twists; /* [bodies of the scene] twists of their frame origins */
    bool lost;
} Finder;

/* Zeroed memory for count + 1 elements in the result's arena; NULL (remembered) if there is none. */
static void *reserve(Finder *f, size_t count, size_t size) {
    void *block = rbv_arena_array(&f->result->arena, count + 1, size);
    f->lost = f->lost || !block;
    return block;
}

static const char *keep_part(Finder *f, const char *text, size_t length) {
    const char *fresh = rbv_arena_copy(&f->result->arena, text, length);
    f->lost = f->lost || !fresh;
    return fresh ? fresh : "";
}

static const char *keep_unit(Finder *f, const char *unit) {
    return keep_part(f, unit, strlen(unit));
}

static RbvState *copy_of(const RbvState *state) {
    const RbvSystem *system = state->system;
    RbvState *copy = rbv_state_create(system);
    if (!copy)
        return NULL;
    copy->t = state->t;
    copy->active = state->active;
    memcpy(copy->q, state->q, (size_t)system->coordinates.position_size * sizeof(double));
    memcpy(copy->v, state->v, (size_t)system->coordinates.size * sizeof(double));
    memcpy(copy->memory, state->memory, (size_t)system->model->measures.count * sizeof *copy->memory);
    memcpy(copy->own, state->own, (size_t)system->model->states.count * sizeof(double));
    return copy;
}

/* Null space of the rows that are active without drives and control. */
static RbvFreedom *open_freedom(const RbvState *state, RbvState *copy) {
    const RbvSystem *system = state->system;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    if (without)
        rbv_freedom_open_rows(state, without);
    RbvFreedom *freedom = without ? rbv_freedom_create_without(copy, system->row_count, without) : NULL;
    free(without);
    return freedom;
}

/* Store the velocities u as a motion of the scene's bodies, scaled so that the fastest point has 1 m/s. */
static void put_motion(Finder *f, RbvSceneMotion *motion, const double *u) {
    const RbvModel *model = f->state->system->model;
    const RbvScene *scene = rbv_result_scene(f->result);
    for (int32_t b = 0; b < model->bodies.count; b++) {
        if (f->shown[b] < 0)
            continue;
        RbvTwist twist = rbv_bodies_twist(&f->state->system->bodies, b, u);
        RbvVec3 back = rbv_apply(&f->state->bodies[b].A, rbv_scale(-1, model->bodies.items[b].centroid));
        f->twists[f->shown[b]] = (RbvTwist){b == 0 ? twist.v : rbv_add(twist.v, rbv_cross(twist.w, back)), twist.w};
    }
    double fastest = scene_fastest(scene, f->twists), largest = fmax(fastest, STANDS);
    motion->rate = fastest > 0 ? 1 / fastest : NAN;
    int32_t *bodies = reserve(f, (size_t)scene->body_count, sizeof *bodies);
    double(*velocity)[3] = reserve(f, (size_t)scene->body_count, sizeof *velocity),
    (*angular)[3] = reserve(f, (size_t)scene->body_count, sizeof *angular);
    for (int32_t b = 1; !f->lost && fastest > 0 && b < scene->body_count; b++) {
        RbvVec3 v = f->twists[b].v, w = f->twists[b].w;
        if (rbv_norm(v) + scene->size * rbv_norm(w) < STANDS * largest)
            continue;
        int32_t n = motion->body_count++;
        bodies[n] = b;
        const double *from = &v.x, *turn = &w.x;
        for (int k = 0; k < 3; k++) {
            velocity[n][k] = fabs(from[k]) > STANDS * largest ? from[k] * motion->rate : 0;
            angular[n][k] = scene->size * fabs(turn[k]) > STANDS * largest ? turn[k] * motion->rate : 0;
        }
    }
    motion->bodies = bodies;
    motion->velocity = (const double(*)[3])velocity;
    motion->angular = (const double(*)[3])angular;
}

/* SI unit of a coordinate; "" if its dimension has no name. */
static const char *unit_of(const RbvModel *model, const RbvCoordinateRef *of) {
    RbvExprDimension dimension = rbv_coordinate_dimension(model, of);
    RbvDimension named = dimension.bond < RBV_EXPR_KNOWN ? RBV_DIM_ANY : rbv_exponents_named(dimension.exponents);
    dimension.exponents.half[RBV_OF_ANGLE] = 0; /* m rad is a length */
    if (dimension.bond >= RBV_EXPR_KNOWN && named == RBV_DIM_ANY)
        named = rbv_exponents_named(dimension.exponents);
    return named == RBV_DIM_ANY ? "" : rbv_dimension_si(named);
}

/* Unit of a freedom by its name (solution/assembly/freedom.c): a named coordinate, a generalized coordinate, or a
 * translation or a turn of a joint or a body. */
static const char *unit_of_freedom(const RbvModel *model, const char *name) {
    for (int32_t k = 0; k < model->coordinates.count; k++)
        if (strcmp(model->coordinates.items[k].name, name) == 0)
            return unit_of(model, &(RbvCoordinateRef){.measure = model->coordinates.items[k].measure,
                                                      .named = model->coordinates.items[k].measure >= 0 ? -1 : k});
    for (int32_t k = 0; k < model->generalized.count; k++)
        if (strcmp(model->generalized.items[k].name, name) == 0)
            return model->generalized.items[k].unit;
    const char *dot = strrchr(name, '.'), *part = dot ? dot + 1 : name;
    return *part == 'r' || strncmp(part, "angle", 5) == 0 || strncmp(part, "a turn", 6) == 0 ? "rad" : "m";
}

/* Store one motion for each name in a list such as "O.angle, x(rod)"; their gradients begin at number `first`. */
static int32_t put_left(Finder *f, const RbvFreedom *freedom, const char *names, int32_t first) {
    int32_t count = 0;
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        RbvSceneMotion *motion = &f->motions[count];
        motion->name = motion->freedom = keep_part(f, at, length);
        motion->unit = keep_unit(f, unit_of_freedom(f->state->system->model, motion->freedom));
        rbv_freedom_motion(freedom, first + count++, f->u);
        put_motion(f, motion, f->u);
        at += length + strspn(at + length, ", ");
    }
    return count;
}

/* Find the motions. Drives come first, so that they keep their names; in the list they come last. */
static void find_motions(Finder *f, RbvFreedom *freedom, char *names, size_t size) {
    const RbvSystem *system = f->state->system;
    const RbvModel *model = system->model;
    RbvSceneStore *scene = f->result->scene;
    int32_t *taken = calloc((size_t)model->drives.count + 1, sizeof *taken);
    f->lost = f->lost || !taken;
    if (f->lost)
        return;
    rbv_freedom_keep(freedom);
    rbv_freedom_take_idle(freedom, f->state);
    for (int32_t k = 0; k < model->drives.count; k++)
        taken[k] = rbv_freedom_take_row(freedom, f->state, system->drive_row[k]) ? rbv_freedom_taken(freedom) - 1 : -1;
    int32_t first = rbv_freedom_taken(freedom), left = rbv_freedom_complete(freedom, f->state, names, size), count = 0;
    f->motions = reserve(f, (size_t)left + (size_t)model->drives.count, sizeof *f->motions);
    f->lost = f->lost || rbv_freedom_lost(freedom);
    if (!f->lost)
        count = put_left(f, freedom, names, first);
    for (int32_t k = 0; !f->lost && k < model->drives.count; k++) {
        if (taken[k] < 0)
            continue;
        RbvSceneMotion *motion = &f->motions[count++];
        motion->name = keep_part(f, model->drives.items[k].name, strlen(model->drives.items[k].name));
        motion->freedom = keep_part(f, model->drives.items[k].coordinate, strlen(model->drives.items[k].coordinate));
        motion->unit = keep_unit(f, unit_of(model, &model->drives.items[k].of));
        rbv_freedom_motion(freedom, taken[k], f->u);
        put_motion(f, motion, f->u);
    }
    scene->shown.motion_count = count;
    scene->shown.motions = f->motions;
    free(taken);
}

/* Store a motion as the last one of the scene. */
static void add_last(Finder *f, RbvSceneStore *scene, const char *name, const char *freedom, const double *u) {
    int32_t count = scene->shown.motion_count > 0 ? scene->shown.motion_count : 0;
    f->motions = reserve(f, (size_t)count + 1, sizeof *f->motions);
    if (f->lost)
        return;
    if (count > 0)
        memcpy(f->motions, scene->shown.motions, (size_t)count * sizeof *f->motions);
    RbvSceneMotion *motion = &f->motions[count];
    motion->name = keep_part(f, name, strlen(name));
    motion->freedom = keep_part(f, freedom, strlen(freedom));
    put_motion(f, motion, u);
    scene->shown.motion_count = count + 1;
    scene->shown.motions = f->motions;
}

bool rbv_scene_add_motion(RbvResult *result, RbvState *state, const char *name, const char *freedom, const double *u) {
    const RbvModel *model = state->system->model;
    if (!result->scene || result->bare)
        return true;
    int32_t *shown = calloc((size_t)model->bodies.count, sizeof *shown), count = 0;
    for (int32_t b = 0; shown && b < model->bodies.count; b++)
        shown[b] = model->bodies.items[b].generalized ? -1 : count++;
    Finder f = {.result = result,
                .state = state,
                .shown = shown,
                .twists = calloc((size_t)model->bodies.count, sizeof *f.twists)};
    f.lost = !shown || !f.twists;
    if (!f.lost)
        add_last(&f, result->scene, name, freedom, u);
    free(shown);
    free(f.twists);
    return !f.lost;
}

bool rbv_scene_find_motions(RbvResult *result, const RbvState *state, const int32_t *shown) {
    const RbvSystem *system = state->system;
    if (!rbv_freedom_is_small(system) || result->bare)
        return true;
    size_t size = 300 * (size_t)system->bodies.size + 300;
    Finder f = {.result = result, .state = copy_of(state), .shown = shown};
    RbvArena scratch = {0};
    char *names = rbv_arena_array(&scratch, size, 1);
    f.u = rbv_arena_array(&scratch, (size_t)system->bodies.size + 1, sizeof *f.u);
    f.twists = rbv_arena_array(&scratch, (size_t)system->bodies.count, sizeof *f.twists);
    RbvFreedom *freedom = f.state && names && f.u && f.twists ? open_freedom(state, f.state) : NULL;
    f.lost = !freedom;
    if (freedom)
        find_motions(&f, freedom, names, size);
    rbv_freedom_destroy(freedom);
    rbv_state_destroy(f.state);
    rbv_arena_clear(&scratch);
    return !f.lost;
}
