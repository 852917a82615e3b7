/* Writes scene.json, the geometry of a mechanism (docs/decisions/0035-pictures.md). Each body, marker, item and figure
 * stands on a line of its own. */
#include "output/write/scene_json.h"

#include "model/result/scene.h"
#include "output/write/json_text.h"

#include <errno.h>

/* Members on one line. Member names are words of this file or names of bodies: none needs a backslash. */
static void key(RbvJson *json, const char *name) {
    if (!json->empty)
        rbv_text_append(&json->text, ", ", 2);
    json->empty = false;
    rbv_text_put(&json->text, '"');
    rbv_text_add(&json->text, name);
    rbv_text_append(&json->text, "\": ", 3);
}

static void word(RbvJson *json, const char *name, const char *value) {
    key(json, name);
    if (value)
        rbv_json_text(json, value);
    else
        rbv_text_add(&json->text, "null");
}

static void number(RbvJson *json, const char *name, double value) {
    key(json, name);
    rbv_json_value(json, value);
}

static void integer(RbvJson *json, const char *name, int32_t value) {
    key(json, name);
    rbv_text_integer(&json->text, value);
}

/* An index, or null if it is `none`. */
static void index_or_null(RbvJson *json, const char *name, int32_t value, int32_t none) {
    key(json, name);
    if (value == none)
        rbv_text_append(&json->text, "null", 4);
    else
        rbv_text_integer(&json->text, value);
}

static void truth(RbvJson *json, const char *name, bool value) {
    key(json, name);
    rbv_text_add(&json->text, value ? "true" : "false");
}

static void list(RbvJson *json, const double *values, int32_t count) {
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        rbv_json_value(json, values[k]);
    }
    rbv_text_put(&json->text, ']');
}

static void vector(RbvJson *json, const char *name, const double *values, int32_t count) {
    key(json, name);
    list(json, values, count);
}

static void points(RbvJson *json, const char *name, const double *values, int32_t count) {
    key(json, name);
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        list(json, values + 3 * k, 3);
    }
    rbv_text_put(&json->text, ']');
}

static void indices(RbvJson *json, const int32_t *values, int32_t count) {
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        rbv_text_integer(&json->text, values[k]);
    }
    rbv_text_put(&json->text, ']');
}

static void begin(RbvJson *json) {
    rbv_json_next(json);
    rbv_text_put(&json->text, '{');
    json->empty = true;
}

static void end(RbvJson *json) {
    rbv_text_put(&json->text, '}');
    json->empty = false;
}

/* Bytes collected before a write. */
#define CHUNK (1u << 16)

/* Writes the text to the file if it is longer than `above` bytes; file NULL: all stays in the text. */
static void spill(RbvJson *json, FILE *file, size_t above) {
    RbvText *text = &json->text;
    if (!file || text->no_memory || text->length <= above || ferror(file))
        return;
    fwrite(text->data, 1, text->length, file);
    text->length = 0;
}

static void bodies(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "bodies", "[");
    for (int32_t k = 0; k < scene->body_count; k++) {
        const RbvSceneBody *body = &scene->bodies[k];
        begin(json);
        word(json, "name", body->name);
        vector(json, "at", body->at, 3);
        vector(json, "turn", body->turn, 4);
        truth(json, "particle", body->particle);
        number(json, "mass", body->mass);
        vector(json, "centroid", body->centroid, 3);
        index_or_null(json, "line", body->line, 0);
        end(json);
        spill(json, file, CHUNK);
    }
    rbv_json_close(json, "]");
}

static void markers(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "markers", "[");
    for (int32_t k = 0; k < scene->marker_count; k++) {
        const RbvSceneMarker *marker = &scene->markers[k];
        begin(json);
        word(json, "name", marker->name);
        integer(json, "on", marker->body);
        vector(json, "at", marker->at, 3);
        vector(json, "turn", marker->turn, 4);
        end(json);
        spill(json, file, CHUNK);
    }
    rbv_json_close(json, "]");
}

static void items(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "things", "[");
    for (int32_t k = 0; k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        begin(json);
        word(json, "kind", rbv_scene_item_name(item->kind));
        word(json, "name", item->name);
        word(json, "type", item->type);
        index_or_null(json, "line", item->line, 0);
        key(json, "markers");
        if (item->marker[0] >= 0 && item->marker[1] >= 0)
            indices(json, item->marker, 2);
        else
            rbv_text_add(&json->text, "null");
        index_or_null(json, "axes", item->axes, -1);
        index_or_null(json, "point", item->point, -1);
        index_or_null(json, "figure", item->figure, -1);
        end(json);
        spill(json, file, CHUNK);
    }
    rbv_json_close(json, "]");
}

/* Members that a figure of this kind has besides its position. */
static void shape(RbvJson *json, const RbvSceneFigure *f) {
    bool ends = f->kind == RBV_SCENE_CYLINDER || f->kind == RBV_SCENE_CONE || f->kind == RBV_SCENE_BAR ||
                f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER || f->kind == RBV_SCENE_STRAND;
    bool turned = f->kind == RBV_SCENE_CIRCLE || f->kind == RBV_SCENE_BOX || f->kind == RBV_SCENE_WHEEL,
         way = f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING;
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_MESH)
        points(json, f->kind == RBV_SCENE_LINE ? "points" : "vertices", f->points, f->count);
    else
        vector(json, ends ? "from" : "at", f->at, 3);
    if (ends)
        vector(json, "to", f->to, 3);
    if (turned)
        vector(json, "turn", f->turn, 4);
    if (f->kind == RBV_SCENE_BOX)
        vector(json, "size", f->size, 3);
    else if (way)
        vector(json, "axis", f->axis, 3);
    else if (f->kind != RBV_SCENE_LINE && f->kind != RBV_SCENE_MESH && f->kind != RBV_SCENE_STRAND)
        number(json, "radius", f->radius);
    if (way && f->on[1] != f->on[0])
        integer(json, "along", f->on[1]);
}

static void guide(RbvJson *json, const RbvSceneGuide *g) {
    char axes[4] = "";
    for (int k = 0, n = 0; k < 3; k++)
        if (g->axes >> k & 1)
            axes[n++] = "xyz"[k], axes[n] = '\0';
    key(json, "guide");
    rbv_text_put(&json->text, '{');
    json->empty = true;
    key(json, "markers");
    indices(json, g->marker, 2);
    word(json, "axes", axes);
    number(json, "beside", g->beside);
    integer(json, "period", g->period);
    end(json);
}

static void figure(RbvJson *json, const RbvSceneFigure *f) {
    begin(json);
    word(json, "kind", rbv_scene_kind_name(f->kind));
    word(json, "role", rbv_scene_role_name(f->role));
    integer(json, "of", f->of);
    integer(json, "body", f->body);
    key(json, "on");
    if (f->kind == RBV_SCENE_BAR || f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER ||
        f->kind == RBV_SCENE_STRAND)
        indices(json, f->on, 2);
    else
        rbv_text_integer(&json->text, f->on[0]);
    shape(json, f);
    if (f->kind == RBV_SCENE_LINE)
        truth(json, "closed", f->closed);
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_CIRCLE)
        truth(json, "filled", f->filled);
    if (f->kind == RBV_SCENE_WHEEL) {
        number(json, "width", f->other);
        integer(json, "teeth", f->count);
        truth(json, "internal", f->internal);
    }
    if (f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER)
        integer(json, "turns", f->count);
    if (f->kind == RBV_SCENE_STRAND) {
        const double radii[2] = {f->radius, f->other};
        key(json, "turn");
        rbv_text_put(&json->text, '[');
        list(json, f->turn, 4);
        rbv_text_add(&json->text, ", ");
        list(json, f->turn_to, 4);
        rbv_text_put(&json->text, ']');
        vector(json, "radii", radii, 2);
        truth(json, "crossed", f->crossed);
    }
    if (f->kind == RBV_SCENE_MESH) {
        key(json, "triangles");
        rbv_text_put(&json->text, '[');
        for (int32_t k = 0; k < f->triangle_count; k++) {
            if (k > 0)
                rbv_text_append(&json->text, ", ", 2);
            indices(json, f->triangles + 3 * k, 3);
        }
        rbv_text_put(&json->text, ']');
    }
    if (f->guide.axes)
        guide(json, &f->guide);
    end(json);
}

static void failure(RbvJson *json, const RbvSceneFailure *failed) {
    if (!failed) {
        rbv_json_string(json, "failure", NULL);
        return;
    }
    rbv_json_open(json, "failure", "{");
    rbv_json_string(json, "text", failed->text);
    rbv_json_open(json, "gaps", "[");
    for (int32_t k = 0; k < failed->gap_count; k++) {
        begin(json);
        integer(json, "of", failed->gaps[k].of);
        vector(json, "from", failed->gaps[k].from, 3);
        vector(json, "to", failed->gaps[k].to, 3);
        number(json, "length", failed->gaps[k].length);
        number(json, "angle", failed->gaps[k].angle);
        end(json);
    }
    rbv_json_close(json, "]");
    rbv_json_key(json, "loop");
    indices(json, failed->loop, failed->loop_count);
    rbv_json_close(json, "}");
}

static void motion(RbvJson *json, const RbvScene *scene, const RbvSceneMotion *moves) {
    begin(json);
    word(json, "name", moves->name);
    word(json, "freedom", moves->freedom);
    word(json, "unit", moves->unit);
    number(json, "rate", moves->rate);
    key(json, "bodies");
    rbv_text_put(&json->text, '{');
    json->empty = true;
    for (int32_t k = 0; k < moves->body_count; k++) {
        key(json, scene->bodies[moves->bodies[k]].name);
        rbv_text_put(&json->text, '{');
        json->empty = true;
        vector(json, "velocity", moves->velocity[k], 3);
        if (scene->spatial)
            vector(json, "angular", moves->angular[k], 3);
        else
            number(json, "angular", moves->angular[k][2]);
        end(json);
    }
    end(json);
    end(json);
}

static void motions(RbvJson *json, const RbvScene *scene, FILE *file) {
    if (scene->motion_count < 0) {
        rbv_json_string(json, "virtual_motions", NULL);
        return;
    }
    rbv_json_open(json, "virtual_motions", "[");
    for (int32_t k = 0; k < scene->motion_count; k++) {
        motion(json, scene, &scene->motions[k]);
        spill(json, file, CHUNK);
    }
    rbv_json_close(json, "]");
}

static void units(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "units", "{");
    for (int k = 0; k < RBV_DIM_COUNT; k++)
        if (result->units[k].text)
            rbv_json_string(json, rbv_dimension_name((RbvDimension)k), result->units[k].text);
    rbv_json_close(json, "}");
}

static void put_scene(RbvJson *json, const RbvResult *result, FILE *file) {
    const RbvScene *scene = rbv_result_scene(result);
    rbv_text_put(&json->text, '{');
    json->depth = 1;
    rbv_json_integer(json, "scene", 1);
    rbv_json_string(json, "space", scene->spatial ? "spatial" : "planar");
    rbv_json_string(json, "title", scene->title);
    rbv_json_string(json, "file", scene->file);
    rbv_json_string(json, "text", scene->text);
    rbv_json_number(json, "size", scene->size);
    rbv_json_number(json, "symbol", scene->symbol);
    rbv_json_next(json);
    json->empty = true;
    vector(json, "up", scene->up, 3);
    json->empty = false;
    units(json, result);
    bodies(json, scene, file);
    markers(json, scene, file);
    items(json, scene, file);
    rbv_json_open(json, "figures", "[");
    for (int32_t k = 0; k < scene->figure_count; k++) {
        figure(json, &scene->figures[k]);
        spill(json, file, CHUNK);
    }
    rbv_json_close(json, "]");
    motions(json, scene, file);
    failure(json, scene->failure);
    rbv_json_close(json, "}");
    rbv_text_add(&json->text, "\n");
    spill(json, file, 0);
}

char *rbv_result_scene_json(const RbvResult *result) {
    RbvJson json = {.empty = true};
    if (!rbv_result_scene(result))
        return NULL;
    put_scene(&json, result, NULL);
    return rbv_text_take(&json.text);
}

bool rbv_write_scene(const RbvResult *result, const RbvView *view, FILE *file) {
    (void)view;
    RbvJson json = {.empty = true};
    put_scene(&json, result, file);
    bool good = !json.text.no_memory;
    rbv_text_clear(&json.text);
    if (!good)
        errno = ENOMEM;
    return good && !ferror(file);
}
