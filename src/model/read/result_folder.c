/* Reads the files of a run back into a result, as far as pictures need them: scene.json, series.csv with units and
 * verdicts, and result.json, whose text is kept. */
#define _POSIX_C_SOURCE 200809L
#include "core/base/diagnostics.h"
#include "model/read/files.h"
#include "model/read/sections.h"
#include "model/read/series.h"
#include "model/read/tree.h"
#include "model/result/scene.h"

#include <roberval/scene.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- scene.json ---
 *
 * Checks every index, so that drawing code can trust the scene. A missing value or one of a wrong
 * kind is reported once, with its position. */

/* Reads scene.json into the scene of a result. */

typedef struct SceneReader {
    RbvResult *result;
    RbvSceneStore *scene;
    const char *file;
    RbvDiagnostics *diagnostics;
    bool wrong, no_memory;
} SceneReader;

static void damaged(SceneReader *b, const RbvNode *node, const char *what) {
    if (!b->wrong)
        rbv_diagnose(b->diagnostics, RBV_ERROR, b->file, node ? node->at : (RbvPosition){0, 0},
                     "this is no scene of this program: '%s' is missing or damaged", what);
    b->wrong = true;
}

static const RbvNode *child(SceneReader *b, const RbvNode *map, const char *key, RbvNodeKind kind) {
    const RbvNode *node = rbv_node_child(map, key);
    if (node && node->kind == kind)
        return node;
    damaged(b, node ? node : map, key);
    return NULL;
}

static const char *keep_scene_text(SceneReader *b, const char *text) {
    const char *copy = rbv_arena_copy(&b->result->arena, text, strlen(text));
    b->no_memory = b->no_memory || !copy;
    return copy ? copy : "";
}

static void *scene_array(SceneReader *b, size_t count, size_t size) {
    void *block = rbv_arena_array(&b->result->arena, count + 1, size);
    b->no_memory = b->no_memory || !block;
    return block;
}

static const char *word(SceneReader *b, const RbvNode *map, const char *key) {
    const RbvNode *node = child(b, map, key, RBV_NODE_SCALAR);
    if (!node || node->type != RBV_SCALAR_STRING) {
        damaged(b, node, key);
        return "";
    }
    return keep_scene_text(b, node->text);
}

static double scene_value(SceneReader *b, const RbvNode *node, const char *what) {
    if (!node || node->kind != RBV_NODE_SCALAR || (node->type != RBV_SCALAR_NUMBER && node->type != RBV_SCALAR_NULL)) {
        damaged(b, node, what);
        return NAN;
    }
    return node->type == RBV_SCALAR_NULL ? NAN : node->number;
}

static double scene_number(SceneReader *b, const RbvNode *map, const char *key) {
    return scene_value(b, child(b, map, key, RBV_NODE_SCALAR), key);
}

static bool truth(SceneReader *b, const RbvNode *map, const char *key) {
    const RbvNode *node = child(b, map, key, RBV_NODE_SCALAR);
    if (node && node->type != RBV_SCALAR_BOOL)
        damaged(b, node, key);
    return node && node->truth;
}

/* Read an integer in [least, most]; null: `none`. */
static int32_t whole(SceneReader *b, const RbvNode *node, const char *what, int32_t least, int32_t most, int32_t none) {
    double value = scene_value(b, node, what);
    if (isnan(value))
        return none;
    if (!(value >= least && value <= most) || value != floor(value)) {
        damaged(b, node, what);
        return least;
    }
    return (int32_t)value;
}

static int32_t index_of(SceneReader *b, const RbvNode *map, const char *key, int32_t count, int32_t none) {
    return whole(b, child(b, map, key, RBV_NODE_SCALAR), key, none < 0 ? none : 0, count - 1, none);
}

static bool list_into(SceneReader *b, const RbvNode *list, const char *what, double *out, int32_t count) {
    if (!list || list->kind != RBV_NODE_LIST || list->count != count) {
        damaged(b, list, what);
        return false;
    }
    for (int32_t k = 0; k < count; k++)
        out[k] = scene_value(b, list->items[k], what);
    return true;
}

static void vector(SceneReader *b, const RbvNode *map, const char *key, double *out, int32_t count) {
    list_into(b, child(b, map, key, RBV_NODE_LIST), key, out, count);
}

static void read_bodies(SceneReader *b, const RbvNode *list) {
    for (int32_t k = 0; k < list->count && !b->wrong; k++) {
        const RbvNode *node = list->items[k];
        RbvSceneBody *body = &b->scene->bodies[k];
        body->name = word(b, node, "name");
        vector(b, node, "at", body->at, 3);
        vector(b, node, "turn", body->turn, 4);
        body->particle = truth(b, node, "particle");
        body->mass = scene_number(b, node, "mass");
        vector(b, node, "centroid", body->centroid, 3);
        body->line = index_of(b, node, "line", INT32_MAX, 0);
    }
    b->scene->shown.body_count = list->count;
}

static void read_scene_markers(SceneReader *b, const RbvNode *list) {
    for (int32_t k = 0; k < list->count && !b->wrong; k++) {
        const RbvNode *node = list->items[k];
        RbvSceneMarker *marker = &b->scene->markers[k];
        marker->name = word(b, node, "name");
        marker->body = index_of(b, node, "on", b->scene->shown.body_count, 0);
        vector(b, node, "at", marker->at, 3);
        vector(b, node, "turn", marker->turn, 4);
    }
    b->scene->shown.marker_count = list->count;
}

/* Index of the word among `count` names; another word is reported as damage. */
static int32_t choice(SceneReader *b, const RbvNode *map, const char *key, const char *(*name)(int32_t k),
                      int32_t count) {
    const char *text = word(b, map, key);
    for (int32_t k = 0; k < count; k++)
        if (strcmp(name(k), text) == 0)
            return k;
    damaged(b, rbv_node_child(map, key), key);
    return 0;
}

static const char *item_name(int32_t k) {
    return rbv_scene_item_name((RbvSceneItemKind)k);
}
static const char *kind_name(int32_t k) {
    return rbv_scene_kind_name((RbvSceneKind)k);
}
static const char *role_name(int32_t k) {
    return rbv_scene_role_name((RbvSceneRole)k);
}

static void read_scene_item(SceneReader *b, const RbvNode *list, int32_t figures) {
    int32_t markers = b->scene->shown.marker_count;
    for (int32_t k = 0; k < list->count && !b->wrong; k++) {
        const RbvNode *node = list->items[k], *pair = rbv_node_child(node, "markers");
        RbvSceneItem *item = &b->scene->items[k];
        item->kind = (RbvSceneItemKind)choice(b, node, "kind", item_name, RBV_SCENE_COORDINATE + 1);
        item->name = word(b, node, "name");
        item->type = word(b, node, "type");
        item->line = index_of(b, node, "line", INT32_MAX, 0);
        item->marker[0] = item->marker[1] = -1;
        if (pair && pair->kind == RBV_NODE_LIST && pair->count == 2)
            for (int side = 0; side < 2; side++)
                item->marker[side] = whole(b, pair->items[side], "markers", 0, markers - 1, -1);
        item->axes = index_of(b, node, "axes", markers, -1);
        item->point = index_of(b, node, "point", markers, -1);
        item->figure = index_of(b, node, "figure", figures, -1);
    }
    b->scene->shown.item_count = list->count;
}

static void read_points(SceneReader *b, const RbvNode *node, const char *key, RbvSceneFigure *f) {
    const RbvNode *list = child(b, node, key, RBV_NODE_LIST);
    double(*points)[3] = list ? scene_array(b, (size_t)list->count, sizeof *points) : NULL;
    f->count = points ? list->count : 0;
    for (int32_t k = 0; k < f->count && !b->wrong; k++)
        list_into(b, list->items[k], key, points[k], 3);
    f->points = points ? &points[0][0] : NULL;
}

static void read_triangles(SceneReader *b, const RbvNode *node, RbvSceneFigure *f) {
    const RbvNode *list = child(b, node, "triangles", RBV_NODE_LIST);
    int32_t(*triangles)[3] = list ? scene_array(b, (size_t)list->count, sizeof *triangles) : NULL;
    f->triangle_count = triangles ? list->count : 0;
    for (int32_t k = 0; k < f->triangle_count && !b->wrong; k++) {
        const RbvNode *three = list->items[k];
        if (three->kind != RBV_NODE_LIST || three->count != 3) {
            damaged(b, three, "triangles");
            return;
        }
        for (int n = 0; n < 3; n++)
            triangles[k][n] = whole(b, three->items[n], "triangles", 0, f->count - 1, 0);
    }
    f->triangles = triangles ? &triangles[0][0] : NULL;
}

static void read_strand(SceneReader *b, const RbvNode *node, RbvSceneFigure *f) {
    const RbvNode *turn = child(b, node, "turn", RBV_NODE_LIST);
    double radii[2] = {0, 0};
    if (turn && turn->count == 2) {
        list_into(b, turn->items[0], "turn", f->turn, 4);
        list_into(b, turn->items[1], "turn", f->turn_to, 4);
    } else {
        damaged(b, turn, "turn");
    }
    vector(b, node, "radii", radii, 2);
    f->radius = radii[0];
    f->other = radii[1];
    f->crossed = truth(b, node, "crossed");
}

static void read_on(SceneReader *b, const RbvNode *node, RbvSceneFigure *f) {
    const RbvNode *on = rbv_node_child(node, "on"), *along = rbv_node_child(node, "along");
    int32_t most = b->scene->shown.body_count - 1;
    bool pair = on && on->kind == RBV_NODE_LIST && on->count == 2;
    for (int side = 0; side < 2; side++)
        f->on[side] = whole(b, pair ? on->items[side] : on, "on", 0, most, 0);
    if (along)
        f->on[1] = whole(b, along, "along", 0, most, 0);
}

static void read_figure_shape(SceneReader *b, const RbvNode *node, RbvSceneFigure *f) {
    bool ends = f->kind == RBV_SCENE_CYLINDER || f->kind == RBV_SCENE_CONE ||
                (f->kind >= RBV_SCENE_BAR && f->kind <= RBV_SCENE_STRAND);
    bool has_axis = f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING,
         listed = f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_MESH;
    if (listed)
        read_points(b, node, f->kind == RBV_SCENE_LINE ? "points" : "vertices", f);
    else
        vector(b, node, ends ? "from" : "at", f->at, 3);
    if (ends)
        vector(b, node, "to", f->to, 3);
    if (f->kind == RBV_SCENE_CIRCLE || f->kind == RBV_SCENE_BOX || f->kind == RBV_SCENE_WHEEL)
        vector(b, node, "turn", f->turn, 4);
    if (f->kind == RBV_SCENE_BOX)
        vector(b, node, "size", f->size, 3);
    else if (has_axis)
        vector(b, node, "axis", f->axis, 3);
    else if (!listed && f->kind != RBV_SCENE_STRAND)
        f->radius = scene_number(b, node, "radius");
    if (f->kind == RBV_SCENE_LINE)
        f->closed = truth(b, node, "closed");
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_CIRCLE)
        f->filled = truth(b, node, "filled");
}

/* Read the guide of a figure; scenes of older versions have none. */
static void read_guide(SceneReader *b, const RbvNode *node, RbvSceneFigure *f) {
    const RbvNode *guide = rbv_node_child(node, "guide"),
                  *pair = guide ? child(b, guide, "markers", RBV_NODE_LIST) : NULL;
    if (!guide)
        return;
    const char *axes = word(b, guide, "axes");
    for (int side = 0; side < 2; side++)
        f->guide.marker[side] = whole(b, pair && pair->count == 2 ? pair->items[side] : NULL, "markers", 0,
                                      b->scene->shown.marker_count - 1, 0);
    for (; *axes; axes++)
        f->guide.axes |= *axes >= 'x' && *axes <= 'z' ? 1 << (*axes - 'x') : 0;
    f->guide.beside = scene_number(b, guide, "beside");
    f->guide.period = index_of(b, guide, "period", f->count > 0 ? f->count : 1, 0);
}

static void read_figure(SceneReader *b, const RbvNode *node) {
    RbvSceneFigure f = {.kind = (RbvSceneKind)choice(b, node, "kind", kind_name, RBV_SCENE_TURNING + 1),
                        .role = (RbvSceneRole)choice(b, node, "role", role_name, RBV_SCENE_OF_DRIVE + 1)};
    f.of = index_of(b, node, "of", INT32_MAX, -1);
    f.body = index_of(b, node, "body", b->scene->shown.body_count, -1);
    read_on(b, node, &f);
    read_figure_shape(b, node, &f);
    if (f.kind == RBV_SCENE_CIRCLE)
        f.closed = true;
    if (f.kind == RBV_SCENE_WHEEL) {
        f.other = scene_number(b, node, "width");
        f.count = index_of(b, node, "teeth", 1000000, 0);
        f.internal = truth(b, node, "internal");
    }
    if (f.kind == RBV_SCENE_COIL || f.kind == RBV_SCENE_DAMPER)
        f.count = index_of(b, node, "turns", 1000000, 0);
    if (f.kind == RBV_SCENE_STRAND)
        read_strand(b, node, &f);
    if (f.kind == RBV_SCENE_MESH)
        read_triangles(b, node, &f);
    read_guide(b, node, &f);
    if (!b->wrong && !b->no_memory)
        b->no_memory = rbv_scene_add(b->result, &f) < 0;
}

static void read_failure(SceneReader *b, const RbvNode *node) {
    RbvSceneFailure *failed = &b->scene->failed;
    const RbvNode *gaps = child(b, node, "gaps", RBV_NODE_LIST), *loop = child(b, node, "loop", RBV_NODE_LIST);
    int32_t items = b->scene->shown.item_count;
    RbvSceneGap *gap = gaps ? scene_array(b, (size_t)gaps->count, sizeof *gap) : NULL;
    int32_t *loop_items = loop ? scene_array(b, (size_t)loop->count, sizeof *loop_items) : NULL;
    failed->text = word(b, node, "text");
    for (int32_t k = 0; gap && k < gaps->count && !b->wrong; k++) {
        gap[k].of = index_of(b, gaps->items[k], "of", items, -1);
        vector(b, gaps->items[k], "from", gap[k].from, 3);
        vector(b, gaps->items[k], "to", gap[k].to, 3);
        gap[k].length = scene_number(b, gaps->items[k], "length");
        gap[k].angle = scene_number(b, gaps->items[k], "angle");
    }
    for (int32_t k = 0; loop_items && k < loop->count && !b->wrong; k++)
        loop_items[k] = whole(b, loop->items[k], "loop", 0, items - 1, 0);
    failed->gap_count = gap ? gaps->count : 0;
    failed->gaps = gap;
    failed->loop_count = loop_items ? loop->count : 0;
    failed->loop = loop_items;
    b->scene->shown.failure = failed;
}

/* Velocity [3] and angular velocity [3] of a body in a virtual motion; in the plane the angular velocity is one number.
 */
static void read_moved(SceneReader *b, const RbvNode *node, double velocity[3], double angular[3]) {
    vector(b, node, "velocity", velocity, 3);
    if (b->scene->shown.spatial)
        vector(b, node, "angular", angular, 3);
    else
        angular[2] = scene_number(b, node, "angular");
}

static int32_t body_named(SceneReader *b, const char *name, const RbvNode *node) {
    for (int32_t k = 1; k < b->scene->shown.body_count; k++)
        if (strcmp(b->scene->bodies[k].name, name) == 0)
            return k;
    damaged(b, node, "bodies");
    return 0;
}

static void read_scene_motion(SceneReader *b, const RbvNode *node, RbvSceneMotion *motion) {
    const RbvNode *bodies = child(b, node, "bodies", RBV_NODE_MAP);
    int32_t count = bodies ? bodies->count : 0, *index = scene_array(b, (size_t)count, sizeof *index);
    double(*velocity)[3] = scene_array(b, (size_t)count, sizeof *velocity),
    (*angular)[3] = scene_array(b, (size_t)count, sizeof *angular);
    motion->name = word(b, node, "name");
    motion->freedom = word(b, node, "freedom");
    motion->unit =
        rbv_node_child(node, "unit") ? word(b, node, "unit") : ""; /* scenes of older versions have no unit */
    motion->rate = scene_number(b, node, "rate");
    for (int32_t k = 0; k < count && !b->wrong && !b->no_memory; k++) {
        index[k] = body_named(b, bodies->keys[k], bodies->items[k]);
        read_moved(b, bodies->items[k], velocity[k], angular[k]);
    }
    motion->body_count = count;
    motion->bodies = index;
    motion->velocity = (const double(*)[3])velocity;
    motion->angular = (const double(*)[3])angular;
}

static void read_motions(SceneReader *b, const RbvNode *list) {
    RbvSceneMotion *motions = scene_array(b, (size_t)list->count, sizeof *motions);
    for (int32_t k = 0; motions && k < list->count && !b->wrong && !b->no_memory; k++)
        read_scene_motion(b, list->items[k], &motions[k]);
    b->scene->shown.motion_count = motions ? list->count : -1;
    b->scene->shown.motions = motions;
}

static void read_scene_units(SceneReader *b, const RbvNode *map) {
    for (int32_t k = 0; map && map->kind == RBV_NODE_MAP && k < map->count; k++) {
        int32_t dimension = rbv_dimension_find(map->keys[k]);
        RbvUnit unit;
        if (dimension >= 0 && map->items[k]->kind == RBV_NODE_SCALAR &&
            rbv_unit_parse(map->items[k]->text, strlen(map->items[k]->text), &unit, NULL))
            b->result->units[dimension] = (RbvShownUnit){keep_scene_text(b, map->items[k]->text), unit.factor};
    }
}

static void read_scene_head(SceneReader *b, const RbvNode *root) {
    RbvScene *shown = &b->scene->shown;
    const RbvNode *text = rbv_node_child(root, "text");
    shown->spatial = strcmp(word(b, root, "space"), "spatial") == 0;
    shown->title = word(b, root, "title");
    shown->file = word(b, root, "file");
    shown->text = text && text->kind == RBV_NODE_SCALAR && text->type == RBV_SCALAR_STRING
                      ? keep_scene_text(b, text->text)
                      : NULL;
    shown->size = scene_number(b, root, "size");
    shown->symbol = scene_number(b, root, "symbol");
    vector(b, root, "up", shown->up, 3);
    read_scene_units(b, rbv_node_child(root, "units"));
}

static void read_scene_tree(SceneReader *b, const RbvNode *root) {
    const RbvNode *bodies = child(b, root, "bodies", RBV_NODE_LIST),
                  *markers = child(b, root, "markers", RBV_NODE_LIST), *items = child(b, root, "things", RBV_NODE_LIST);
    const RbvNode *figures = child(b, root, "figures", RBV_NODE_LIST), *failure = rbv_node_child(root, "failure"),
                  *motions = rbv_node_child(root, "virtual_motions");
    if (b->wrong || bodies->count == 0) {
        damaged(b, root, "bodies");
        return;
    }
    b->scene = rbv_scene_begin(b->result, bodies->count, markers->count, items->count);
    b->no_memory = !b->scene;
    if (b->no_memory)
        return;
    read_scene_head(b, root);
    read_bodies(b, bodies);
    read_scene_markers(b, markers);
    read_scene_item(b, items, figures->count);
    for (int32_t k = 0; k < figures->count && !b->wrong && !b->no_memory; k++)
        read_figure(b, figures->items[k]);
    for (int32_t k = 0; k < b->scene->shown.figure_count; k++)
        if (b->scene->figures[k].of >= items->count)
            damaged(b, figures, "of");
    if (motions && motions->kind == RBV_NODE_LIST)
        read_motions(b, motions);
    if (failure && failure->kind == RBV_NODE_MAP)
        read_failure(b, failure);
}

/* Read the scene from a tree into the result. BAD_INPUT: missing or damaged data of `file`, reported. */
static RbvStatus read_scene(const RbvNode *root, const char *file, RbvDiagnostics *diagnostics, RbvResult *result) {
    SceneReader b = {.result = result, .file = file, .diagnostics = diagnostics};
    const RbvNode *version = rbv_node_child(root, "scene");
    if (!version || version->kind != RBV_NODE_SCALAR || version->type != RBV_SCALAR_NUMBER || version->number != 1)
        damaged(&b, root, "scene");
    else
        read_scene_tree(&b, root);
    if (b.no_memory)
        return RBV_NO_MEMORY;
    return b.wrong ? RBV_BAD_INPUT : RBV_OK;
}

typedef struct Folder {
    const char *path;
    char *name; /* path of the current file, also for messages */
    RbvResult *result;
    RbvDiagnostics *diagnostics;
    double *factor; /* [columns] SI values of the units of the series */
    int32_t capacity, line;
} Folder;

static void set_name(Folder *f, const char *file) {
    snprintf(f->name, strlen(f->path) + 40, "%s/%s", f->path, file);
}

static RbvStatus wrong_result(const Folder *f, const char *what) {
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->name, (RbvPosition){f->line, f->line > 0 ? 1 : 0}, "%s", what);
    return RBV_BAD_INPUT;
}

/* Read a text file of the folder as a tree; the caller frees *text. */
static RbvStatus read_folder_tree(Folder *f, const char *file, char **text, size_t *length, RbvNodeTree **tree) {
    *text = NULL;
    *tree = NULL;
    set_name(f, file);
    errno = 0;
    RbvStatus status = rbv_read_regular_file(f->name, RBV_TREE_MAX_BYTES, text, length);
    if (status != RBV_OK && errno == ENOENT)
        rbv_diagnose(f->diagnostics, RBV_ERROR, NULL, RBV_NOWHERE,
                     "there is no %s: a run of this version with " RBV_OPTION_FOLDER " %s writes it", f->name, f->path);
    else if (status == RBV_BAD_INPUT)
        wrong_result(f, errno ? strerror(errno) : "it is larger than 256 MiB, or no file");
    if (status != RBV_OK)
        return errno == ENOMEM ? RBV_NO_MEMORY : status;
    return rbv_read_tree(f->name, *text, *length, f->diagnostics, tree);
}

static RbvStatus read_scene_file(Folder *f) {
    char *text;
    size_t length;
    RbvNodeTree *tree;
    RbvStatus status = read_folder_tree(f, "scene.json", &text, &length, &tree);
    if (status == RBV_OK)
        status = read_scene(rbv_node_tree_root(tree), f->name, f->diagnostics, f->result);
    rbv_node_tree_destroy(tree);
    free(text);
    return status;
}

static const char *keep_text(Folder *f, const char *text, size_t length) {
    return rbv_arena_copy(&f->result->arena, text, length);
}

static bool add_column(Folder *f, const char *cell, size_t length) {
    RbvResult *result = f->result;
    RbvSeriesHead head = rbv_series_head(cell, length);
    if (result->column_count == f->capacity) {
        int32_t capacity = 2 * f->capacity + 64;
        RbvColumn *columns = realloc(result->columns, (size_t)capacity * sizeof *columns);
        result->columns = columns ? columns : result->columns;
        double *factor = realloc(f->factor, (size_t)capacity * sizeof *factor);
        f->factor = factor ? factor : f->factor;
        if (!columns || !factor)
            return false;
        f->capacity = capacity;
    }
    char si[80] = "";
    bool known = head.unit_length > 0 && isfinite(head.is.factor);
    if (known && (head.is.factor < 1 || head.is.factor > 1))
        rbv_exponents_si(head.is.exponents, si, sizeof si);
    f->factor[result->column_count] = known ? head.is.factor : 1;
    RbvColumn *column = &result->columns[result->column_count];
    *column = (RbvColumn){.name = keep_text(f, cell, head.name),
                          .unit = *si ? keep_text(f, si, strlen(si)) : keep_text(f, cell + head.unit, head.unit_length),
                          .verdict = head.verdict,
                          .has_verdict = head.has_verdict};
    result->column_count += column->name && column->unit;
    return column->name && column->unit;
}

static RbvStatus read_result_header(Folder *f, const char *line) {
    for (const char *cell = line; cell; cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL)
        if (!add_column(f, cell, strcspn(cell, ",")))
            return RBV_NO_MEMORY;
    return rbv_result_name_columns(f->result) ? RBV_OK : RBV_NO_MEMORY;
}

/* Read a row of the series; an empty cell has no value. */
static RbvStatus read_result_row(Folder *f, const char *line) {
    RbvResult *result = f->result;
    int32_t count = result->sample_count;
    if (count >= result->capacity && !rbv_result_reserve(result, count + count / 2 + 64))
        return RBV_NO_MEMORY;
    double *row = rbv_result_next(result);
    for (int32_t k = 0; k < result->column_count; k++) {
        size_t length = strcspn(line, ",");
        row[k] = NAN;
        if (length > 0 && rbv_number_parse(line, &row[k]) != length)
            return wrong_result(f, "a cell of this row is no number");
        row[k] *= f->factor[k];
        line += length;
        if ((*line == ',') != (k + 1 < result->column_count))
            return wrong_result(f, "this row has not as many cells as the header");
        line += *line == ',';
    }
    rbv_result_commit(result);
    return RBV_OK;
}

static RbvStatus read_lines(Folder *f, FILE *file) {
    char *line = NULL;
    size_t size = 0;
    RbvStatus status = RBV_OK;
    f->line = 0;
    errno = 0;
    while (status == RBV_OK && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        f->line++;
        if (f->line == 1)
            status = read_result_header(f, line);
        else if (*line)
            status = read_result_row(f, line);
    }
    if (status == RBV_OK && errno == ENOMEM)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && ferror(file))
        status = wrong_result(f, strerror(errno));
    free(line);
    f->line = 0;
    return status;
}

/* Read series.csv; a run of one state, such as check, has none. */
static RbvStatus read_result_series(Folder *f, bool expected) {
    set_name(f, "series.csv");
    if (!expected)
        return RBV_OK;
    FILE *file = rbv_open_regular(f->name);
    if (!file && errno == ENOMEM)
        return RBV_NO_MEMORY;
    if (!file)
        return wrong_result(f, errno ? strerror(errno) : "it is no regular file");
    RbvStatus status = read_lines(f, file);
    fclose(file);
    return status;
}

static void set_verdict(RbvResult *result, const char *owner, const char *part, const RbvNode *of) {
    char name[2 * RBV_NAME_SIZE];
    const RbvNode *verdict = rbv_node_child(of, "verdict");
    snprintf(name, sizeof name, *part ? "%s.%s" : "%s", owner, part);
    int32_t column = rbv_result_find(result, name);
    for (int k = RBV_FREE; column >= 0 && verdict && verdict->kind == RBV_NODE_SCALAR && k <= RBV_NOT_UNIQUE; k++)
        if (strcmp(verdict->text, rbv_verdict_name((RbvVerdict)k)) == 0) {
            result->columns[column].has_verdict = true;
            result->columns[column].verdict = (RbvVerdict)k;
        }
}

/* Take all verdicts from result.json; the header of the series has only those that are not unique. */
static void take_verdicts(RbvResult *result, const RbvNode *root) {
    static const char *const sections[] = {"drives", "constraints", "stops", "outputs"}, *const parts[] = {"effort",
                                                                                                           "effort",
                                                                                                           "force", ""};
    const RbvNode *reactions = rbv_node_child(root, "reactions");
    for (int32_t k = 0; reactions && reactions->kind == RBV_NODE_MAP && k < reactions->count; k++) {
        const RbvNode *components = rbv_node_child(reactions->items[k], "components");
        for (int32_t n = 0; components && components->kind == RBV_NODE_MAP && n < components->count; n++)
            set_verdict(result, reactions->keys[k], components->keys[n], components->items[n]);
    }
    for (int s = 0; s < 4; s++) {
        const RbvNode *map = rbv_node_child(root, sections[s]);
        for (int32_t k = 0; map && map->kind == RBV_NODE_MAP && k < map->count; k++)
            set_verdict(result, map->keys[k], parts[s], map->items[k]);
    }
}

static const char *string_of(Folder *f, const RbvNode *map, const char *key) {
    const RbvNode *node = rbv_node_child(map, key);
    return node && node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING
               ? keep_text(f, node->text, strlen(node->text))
               : "";
}

/* Read result.json and the series; result.json completes the verdicts of the series. */
static RbvStatus read_rest(Folder *f) {
    char *text;
    size_t length;
    RbvNodeTree *tree;
    RbvStatus status = read_folder_tree(f, "result.json", &text, &length, &tree);
    const RbvNode *root = status == RBV_OK ? rbv_node_tree_root(tree) : NULL,
                  *series = root ? rbv_node_child(root, "series") : NULL;
    if (root && !rbv_node_child(root, "roberval"))
        status = wrong_result(f, "this is no result of this program");
    if (status == RBV_OK)
        status = read_result_series(f, series && series->kind == RBV_NODE_MAP);
    if (status == RBV_OK) {
        take_verdicts(f->result, root);
        f->result->json = keep_text(f, text, length);
        f->result->analysis = string_of(f, root, "analysis");
        f->result->frame = string_of(f, root, "frame");
        f->result->title = f->result->scene->shown.title;
        f->result->file = f->result->scene->shown.file;
        status = f->result->json && f->result->analysis && f->result->frame ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_node_tree_destroy(tree);
    free(text);
    return status;
}

/* Note the bodies whose poses --only has left out of the series. Roots along a parameter have no poses at all. */
static void report_what_stays(Folder *f) {
    const RbvScene *scene = rbv_result_scene(f->result);
    int32_t missing = 0;
    for (int32_t b = 1; b < scene->body_count; b++)
        missing += scene->bodies[b].column[0] < 0;
    if (missing == 0 || f->result->sample_count < 2 || strcmp(f->result->analysis, "modes") == 0)
        return;
    set_name(f, "series.csv");
    rbv_diagnose(f->diagnostics, RBV_NOTE, f->name, RBV_NOWHERE,
                 "has no poses of %d of %d bodies (" RBV_OPTION_VIEW_ONLY "): they are drawn where they begin",
                 (int)missing, (int)scene->body_count - 1);
}

RbvStatus rbv_result_read(const char *path, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!path || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    Folder f = {.path = path,
                .diagnostics = diagnostics,
                .name = malloc(strlen(path) + 40),
                .result = calloc(1, sizeof(RbvResult))};
    RbvStatus status = RBV_NO_MEMORY;
    if (f.result)
        f.result->speller = rbv_diagnostics_speller(diagnostics);
    if (f.name && f.result)
        status = read_scene_file(&f);
    if (status == RBV_OK)
        status = read_rest(&f);
    if (status == RBV_OK)
        rbv_scene_find_columns(f.result);
    if (status == RBV_OK)
        report_what_stays(&f);
    if (status == RBV_OK)
        *result = f.result;
    else
        rbv_result_destroy(f.result);
    free(f.factor);
    free(f.name);
    return status;
}
