/* Virtual motions of the bodies: null space of all constraint rows except those of drives, with a basis named by
 * coordinates. In motion k coordinate c_k has unit rate, c_k' = 1, and the others c_j' = 0:
 *
 *   D u = 0,  g_j . u = 1 for j = k, else 0
 *
 * D: active rows without drives; u: velocities; g: gradients of the drives' coordinates and of the remaining
 * freedoms.
 */
#include "analysis/scene/scene.h"

#include "analysis/scene/reach.h"
#include "model/result/scene.h"
#include "solution/assembly/freedom.h"

#include <stdlib.h>
#include <string.h>

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

static void *room(Finder *f, size_t count, size_t size) {
    void *block = rbv_arena_array(&f->result->arena, count + 1, size);
    f->lost = f->lost || !block;
    return block;
}

static const char *keep(Finder *f, const char *text, size_t length) {
    const char *fresh = rbv_arena_copy(&f->result->arena, text, length);
    f->lost = f->lost || !fresh;
    return fresh ? fresh : "";
}

static const char *keep_unit(Finder *f, const char *unit) {
    return keep(f, unit, strlen(unit));
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
    double fastest = rbv_scene_fastest(scene, f->twists), largest = fmax(fastest, STANDS);
    motion->rate = fastest > 0 ? 1 / fastest : NAN;
    int32_t *bodies = room(f, (size_t)scene->body_count, sizeof *bodies);
    double(*velocity)[3] = room(f, (size_t)scene->body_count, sizeof *velocity),
    (*angular)[3] = room(f, (size_t)scene->body_count, sizeof *angular);
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
        motion->name = motion->freedom = keep(f, at, length);
        motion->unit = keep_unit(f, unit_of_freedom(f->state->system->model, motion->freedom));
        rbv_freedom_motion(freedom, first + count++, f->u);
        put_motion(f, motion, f->u);
        at += length + strspn(at + length, ", ");
    }
    return count;
}

/* Find the motions. Drives come first, so that they keep their names; in the list they come last. */
static void find(Finder *f, RbvFreedom *freedom, char *names, size_t size) {
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
    f->motions = room(f, (size_t)left + (size_t)model->drives.count, sizeof *f->motions);
    f->lost = f->lost || rbv_freedom_lost(freedom);
    if (!f->lost)
        count = put_left(f, freedom, names, first);
    for (int32_t k = 0; !f->lost && k < model->drives.count; k++) {
        if (taken[k] < 0)
            continue;
        RbvSceneMotion *motion = &f->motions[count++];
        motion->name = keep(f, model->drives.items[k].name, strlen(model->drives.items[k].name));
        motion->freedom = keep(f, model->drives.items[k].coordinate, strlen(model->drives.items[k].coordinate));
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
    f->motions = room(f, (size_t)count + 1, sizeof *f->motions);
    if (f->lost)
        return;
    if (count > 0)
        memcpy(f->motions, scene->shown.motions, (size_t)count * sizeof *f->motions);
    RbvSceneMotion *motion = &f->motions[count];
    motion->name = keep(f, name, strlen(name));
    motion->freedom = keep(f, freedom, strlen(freedom));
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
    char *names = malloc(size);
    f.u = malloc(((size_t)system->bodies.size + 1) * sizeof *f.u);
    f.twists = calloc((size_t)system->bodies.count, sizeof *f.twists);
    RbvFreedom *freedom = f.state && names && f.u && f.twists ? open_freedom(state, f.state) : NULL;
    f.lost = !freedom;
    if (freedom)
        find(&f, freedom, names, size);
    rbv_freedom_destroy(freedom);
    rbv_state_destroy(f.state);
    free(names);
    free(f.u);
    free(f.twists);
    return !f.lost;
}
