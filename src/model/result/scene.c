/* Scenes: their arrays, and positions of bodies and wrenches at a sample. A point p in a body's axes is at r + A p in
 * ground's axes, A from the body's quaternion. */
#include "model/result/scene.h"

#include "core/linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rbv_scene_kind_name(RbvSceneKind kind) {
    static const char *const names[] = {"line", "circle", "box",  "cylinder", "cone",   "sphere", "wheel",
                                        "mesh", "bar",    "coil", "damper",   "strand", "arrow",  "turning"};
    return names[kind];
}

const char *rbv_scene_role_name(RbvSceneRole role) {
    static const char *const names[] = {"substance", "void", "outline", "symbol", "ground", "load", "drive"};
    return names[role];
}

const char *rbv_scene_item_name(RbvSceneItemKind kind) {
    static const char *const names[] = {"joint", "drive", "constraint", "load", "stop", "coordinate"};
    return names[kind];
}

RbvSceneStore *rbv_scene_begin(RbvResult *result, int32_t bodies, int32_t markers, int32_t items) {
    RbvArena *arena = &result->arena;
    RbvSceneStore *scene = rbv_arena_alloc(arena, sizeof *scene);
    if (!scene)
        return NULL;
    scene->bodies = rbv_arena_array(arena, (size_t)bodies + 1, sizeof *scene->bodies);
    scene->markers = rbv_arena_array(arena, (size_t)markers + 1, sizeof *scene->markers);
    scene->items = rbv_arena_array(arena, (size_t)items + 1, sizeof *scene->items);
    if (!scene->bodies || !scene->markers || !scene->items)
        return NULL;
    scene->shown =
        (RbvScene){.motion_count = -1, .bodies = scene->bodies, .markers = scene->markers, .items = scene->items};
    result->scene = scene;
    return scene;
}

void rbv_scene_clear(RbvResult *result) {
    if (result->scene)
        free(result->scene->figures);
    result->scene = NULL;
}

int32_t rbv_scene_add(RbvResult *result, const RbvSceneFigure *figure) {
    RbvSceneStore *scene = result->scene;
    int32_t count = scene->shown.figure_count;
    if (count == scene->figure_capacity) {
        int32_t capacity = count + count / 4 + 64;
        RbvSceneFigure *grown = realloc(scene->figures, (size_t)capacity * sizeof *grown);
        if (!grown)
            return -1;
        scene->shown.figures = scene->figures = grown;
        scene->figure_capacity = capacity;
    }
    scene->figures[count] = *figure;
    return scene->shown.figure_count++;
}

/* Index of column "owner.part", searched first after `before`, its usual position. -1: none. */
static int32_t column_of(const RbvResult *result, const char *owner, const char *part, int32_t before) {
    char name[2 * RBV_NAME_SIZE];
    size_t length = strlen(owner), more = strlen(part) + 1;
    if (length + 1 + more > sizeof name)
        return -1;
    memcpy(name, owner, length);
    name[length] = '.';
    memcpy(name + length + 1, part, more);
    if (before >= 0 && before + 1 < result->column_count && strcmp(result->columns[before + 1].name, name) == 0)
        return before + 1;
    return rbv_result_find(result, name);
}

/* Remove components of a vector that were not all kept (--only): a part would be mistaken for the whole. Forces, and
 * torques. */
static void keep_whole(bool spatial, int32_t column[6]) {
    static const int begin[2][2] = {{0, 5}, {0, 3}}, end[2][2] = {{1, 5}, {2, 5}}; /* plane, space */
    for (int group = 0; group < 2; group++) {
        int first = begin[spatial][group], last = end[spatial][group];
        bool whole = true;
        for (int k = first; k <= last; k++)
            whole = whole && column[k] >= 0;
        for (int k = first; k <= last && !whole; k++)
            column[k] = -1;
    }
}

/* Find the columns of an item. `last`: the column found last; the next one usually follows it. */
static void find_of_item(const RbvResult *result, bool spatial, RbvSceneItem *item, int32_t *last) {
    static const char *const parts[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    static const char *const values[] = {"effort", "force", "torque"};
    bool single = item->figure >= 0 || item->kind == RBV_SCENE_DRIVE || item->kind == RBV_SCENE_CONSTRAINT ||
                  item->kind == RBV_SCENE_STOP;
    for (int k = 0; k < 6; k++) {
        bool none = single || item->kind == RBV_SCENE_COORDINATE || (!spatial && k > 1 && k < 5);
        item->column[k] = none ? -1 : column_of(result, item->name, parts[k], *last);
        *last = item->column[k] >= 0 ? item->column[k] : *last;
    }
    if (!single)
        keep_whole(spatial, item->column);
    for (int k = 0; single && k < 3 && item->column[0] < 0; k++)
        item->column[0] = column_of(result, item->name, values[k], -1);
    if (!single && item->kind == RBV_SCENE_LOAD && item->column[5] < 0) /* in the plane */
        item->column[5] = column_of(result, item->name, "torque", -1);
}

/* Remove a pose that was not kept completely: the body then stays where it is in the scene. Particles have no
 * orientation. */
static void keep_whole_pose(bool spatial, RbvSceneBody *body) {
    int32_t *column = body->column;
    bool place = column[0] >= 0 && column[1] >= 0 && (!spatial || column[2] >= 0);
    bool turn = column[3] >= 0 && (!spatial || (column[4] >= 0 && column[5] >= 0 && column[6] >= 0));
    for (int k = 0; k < 7 && !(place && (turn || body->particle)); k++)
        column[k] = -1;
}

/* Find the columns of a body's pose: of all but ground, and no more if there is no x. In the plane the angle stands
 * behind y. */
static void find_of_body(const RbvResult *result, bool spatial, bool moves, RbvSceneBody *body) {
    static const char *const parts[2][7] = {{"x", "y", NULL, "angle", NULL, NULL, NULL},
                                            {"x", "y", "z", "qw", "qx", "qy", "qz"}};
    static const int before[2][7] = {{-1, 0, -1, 1, -1, -1, -1}, {-1, 0, 1, 2, 3, 4, 5}};
    for (int k = 0; k < 7; k++) {
        const char *part = parts[spatial][k];
        int last = before[spatial][k];
        body->column[k] = -1;
        if (moves && part && (k == 0 || body->column[0] >= 0))
            body->column[k] = column_of(result, body->name, part, last < 0 ? -1 : body->column[last]);
    }
}

void rbv_scene_find_columns(RbvResult *result) {
    RbvSceneStore *scene = result->scene;
    for (int32_t b = 0; b < scene->shown.body_count; b++) {
        find_of_body(result, scene->shown.spatial, b > 0, &scene->bodies[b]);
        keep_whole_pose(scene->shown.spatial, &scene->bodies[b]);
    }
    int32_t last = -1;
    for (int32_t k = 0; k < scene->shown.item_count; k++)
        find_of_item(result, scene->shown.spatial, &scene->items[k], &last);
}

const RbvScene *rbv_result_scene(const RbvResult *result) {
    return result && result->scene ? &result->scene->shown : NULL;
}

bool rbv_result_is_bare(const RbvResult *result) {
    return result && result->bare;
}

bool rbv_result_pose(const RbvResult *result, int32_t sample, int32_t body, double at[3], double turn[4]) {
    const RbvScene *scene = rbv_result_scene(result);
    if (!scene || body < 0 || body >= scene->body_count || sample < -1 ||
        sample >= result->sample_count + (result->sample_count == 0))
        return false;
    const RbvSceneBody *b = &scene->bodies[body];
    memcpy(at, b->at, sizeof b->at);
    memcpy(turn, b->turn, sizeof b->turn);
    for (int k = 0; k < 3; k++)
        if (sample >= 0 && b->column[k] >= 0)
            at[k] = rbv_result_value(result, sample, b->column[k]);
    if (sample < 0 || b->column[3] < 0)
        return true;
    double first = rbv_result_value(result, sample, b->column[3]);
    turn[0] = scene->spatial ? first : cos(0.5 * first);
    turn[3] = scene->spatial ? rbv_result_value(result, sample, b->column[6]) : sin(0.5 * first);
    turn[1] = scene->spatial ? rbv_result_value(result, sample, b->column[4]) : 0;
    turn[2] = scene->spatial ? rbv_result_value(result, sample, b->column[5]) : 0;
    return true;
}

static RbvVec3 vector(const double x[3]) {
    return rbv_vec3(x[0], x[1], x[2]);
}

static void put(RbvVec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static RbvQuat quaternion(const double p[4]) {
    return (RbvQuat){p[0], {p[1], p[2], p[3]}};
}

/* Axes A and origin r of a body at a sample. */
static bool frame(const RbvResult *result, int32_t sample, int32_t body, RbvMat3 *A, RbvVec3 *r) {
    double at[3], turn[4];
    if (!rbv_result_pose(result, sample, body, at, turn))
        return false;
    *A = rbv_mat3_of_quat(quaternion(turn));
    *r = vector(at);
    return true;
}

bool rbv_result_point(const RbvResult *result, int32_t sample, int32_t body, const double on_body[3], double point[3]) {
    RbvMat3 A;
    RbvVec3 r;
    if (!frame(result, sample, body, &A, &r))
        return false;
    put(rbv_add(r, rbv_apply(&A, vector(on_body))), point);
    return true;
}

/* Wrench of an item with a single value v: along its line, where a load pulls `to` towards `from` and a drive pushes
 * it away; or along or about the figure's axis. */
static bool single_wrench(const RbvResult *result, int32_t sample, const RbvSceneItem *item, double v,
                          RbvSceneWrench *wrench) {
    const RbvScene *scene = rbv_result_scene(result);
    const RbvSceneFigure *figure = &scene->figures[item->figure];
    bool line = figure->kind == RBV_SCENE_BAR || figure->kind == RBV_SCENE_COIL || figure->kind == RBV_SCENE_DAMPER;
    double from[3], to[3];
    RbvMat3 A;
    RbvVec3 r;
    if (!rbv_result_point(result, sample, figure->on[0], figure->at, from) ||
        !frame(result, sample, figure->on[1], &A, &r))
        return false;
    if (line) {
        rbv_result_point(result, sample, figure->on[1], figure->to, to);
        RbvVec3 d = rbv_sub(vector(from), vector(to));
        double length = rbv_norm(d), pull = item->kind == RBV_SCENE_DRIVE ? -v : v;
        put(rbv_scale(length > 0 ? pull / length : 0, d), wrench->force);
        memcpy(wrench->point, to, sizeof to);
        return true;
    }
    memcpy(wrench->point, from, sizeof from);
    if (item->point >= 0)
        rbv_result_point(result, sample, scene->markers[item->point].body, scene->markers[item->point].at,
                         wrench->point);
    put(rbv_scale(v, rbv_apply(&A, vector(figure->axis))),
        figure->kind == RBV_SCENE_TURNING ? wrench->torque : wrench->force);
    return true;
}

/* Wrench from components F along the axes B of its marker: A B F. */
static bool wrench_of_components(const RbvResult *result, int32_t sample, const RbvSceneItem *item,
                                 RbvSceneWrench *wrench) {
    const RbvScene *scene = rbv_result_scene(result);
    double f[6] = {0};
    bool any = false;
    for (int k = 0; k < 6; k++)
        if (item->column[k] >= 0) {
            f[k] = rbv_result_value(result, sample, item->column[k]);
            any = true;
        }
    if (!any || item->point < 0)
        return false;
    const RbvSceneMarker *point = &scene->markers[item->point];
    RbvVec3 force = vector(f), torque = vector(f + 3), r;
    if (!rbv_result_point(result, sample, point->body, point->at, wrench->point))
        return false;
    if (item->axes >= 0) {
        RbvMat3 A, B = rbv_mat3_of_quat(quaternion(scene->markers[item->axes].turn));
        if (!frame(result, sample, scene->markers[item->axes].body, &A, &r))
            return false;
        force = rbv_apply(&A, rbv_apply(&B, force));
        torque = rbv_apply(&A, rbv_apply(&B, torque));
    }
    put(force, wrench->force);
    put(torque, wrench->torque);
    return true;
}

bool rbv_result_wrench(const RbvResult *result, int32_t sample, int32_t item, RbvSceneWrench *wrench) {
    const RbvScene *scene = rbv_result_scene(result);
    if (!scene || !wrench || item < 0 || item >= scene->item_count || sample < 0 || sample >= result->sample_count)
        return false;
    const RbvSceneItem *of = &scene->items[item];
    *wrench = (RbvSceneWrench){.verdict = RBV_FREE};
    for (int k = 0; k < 6; k++)
        if (of->column[k] >= 0 && rbv_result_column(result, of->column[k]).verdict > wrench->verdict)
            wrench->verdict = rbv_result_column(result, of->column[k]).verdict;
    if (of->figure < 0)
        return wrench_of_components(result, sample, of, wrench);
    return of->column[0] >= 0 &&
           single_wrench(result, sample, of, rbv_result_value(result, sample, of->column[0]), wrench);
}
