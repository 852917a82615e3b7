/* Writes scene.json, the geometry of a mechanism (docs/decisions/0035-pictures.md). Each body, marker, item and figure
 * stands on a line of its own. */
#include "model/result/scene.h"
#include "output/write/files.h"
#include "output/write/json_text.h"

#include <errno.h>

/* Members on one line. Member names are words of this file or names of bodies: none needs a backslash. */
static void add_key(RbvJson *json, const char *name) {
    if (!json->empty)
        rbv_text_append(&json->text, ", ", 2);
    json->empty = false;
    rbv_text_put(&json->text, '"');
    rbv_text_add(&json->text, name);
    rbv_text_append(&json->text, "\": ", 3);
}

static void add_word(RbvJson *json, const char *name, const char *value) {
    add_key(json, name);
    if (value)
        rbv_json_text(json, value);
    else
        rbv_text_add(&json->text, "null");
}

static void add_number(RbvJson *json, const char *name, double value) {
    add_key(json, name);
    rbv_json_value(json, value);
}

static void add_integer(RbvJson *json, const char *name, int32_t value) {
    add_key(json, name);
    rbv_text_integer(&json->text, value);
}

/* An index, or null if it is `none`. */
static void add_index_or_null(RbvJson *json, const char *name, int32_t value, int32_t none) {
    add_key(json, name);
    if (value == none)
        rbv_text_append(&json->text, "null", 4);
    else
        rbv_text_integer(&json->text, value);
}

static void add_bool(RbvJson *json, const char *name, bool value) {
    add_key(json, name);
    rbv_text_add(&json->text, value ? "true" : "false");
}

static void add_numbers(RbvJson *json, const double *values, int32_t count) {
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        rbv_json_value(json, values[k]);
    }
    rbv_text_put(&json->text, ']');
}

static void add_vector(RbvJson *json, const char *name, const double *values, int32_t count) {
    add_key(json, name);
    add_numbers(json, values, count);
}

static void add_points(RbvJson *json, const char *name, const double *values, int32_t count) {
    add_key(json, name);
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        add_numbers(json, values + 3 * k, 3);
    }
    rbv_text_put(&json->text, ']');
}

static void add_indices(RbvJson *json, const int32_t *values, int32_t count) {
    rbv_text_put(&json->text, '[');
    for (int32_t k = 0; k < count; k++) {
        if (k > 0)
            rbv_text_append(&json->text, ", ", 2);
        rbv_text_integer(&json->text, values[k]);
    }
    rbv_text_put(&json->text, ']');
}

static void begin_line(RbvJson *json) {
    rbv_json_next(json);
    rbv_text_put(&json->text, '{');
    json->empty = true;
}

static void end(RbvJson *json) {
    rbv_text_put(&json->text, '}');
    json->empty = false;
}

/* Bytes collected before a write. */
#define SCENE_CHUNK (1u << 16)

/* Writes the text to the file if it is longer than `above` bytes; file NULL: all stays in the text. */
static void spill(RbvJson *json, FILE *file, size_t above) {
    RbvText *text = &json->text;
    if (!file || text->no_memory || text->length <= above || ferror(file))
        return;
    fwrite(text->data, 1, text->length, file);
    text->length = 0;
}

static void add_bodies(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "bodies", "[");
    for (int32_t k = 0; k < scene->body_count; k++) {
        const RbvSceneBody *body = &scene->bodies[k];
        begin_line(json);
        add_word(json, "name", body->name);
        add_vector(json, "at", body->at, 3);
        add_vector(json, "turn", body->turn, 4);
        add_bool(json, "particle", body->particle);
        add_number(json, "mass", body->mass);
        add_vector(json, "centroid", body->centroid, 3);
        add_index_or_null(json, "line", body->line, 0);
        end(json);
        spill(json, file, SCENE_CHUNK);
    }
    rbv_json_close(json, "]");
}

static void markers(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "markers", "[");
    for (int32_t k = 0; k < scene->marker_count; k++) {
        const RbvSceneMarker *marker = &scene->markers[k];
        begin_line(json);
        add_word(json, "name", marker->name);
        add_integer(json, "on", marker->body);
        add_vector(json, "at", marker->at, 3);
        add_vector(json, "turn", marker->turn, 4);
        end(json);
        spill(json, file, SCENE_CHUNK);
    }
    rbv_json_close(json, "]");
}

static void add_items(RbvJson *json, const RbvScene *scene, FILE *file) {
    rbv_json_open(json, "things", "[");
    for (int32_t k = 0; k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        begin_line(json);
        add_word(json, "kind", rbv_scene_item_name(item->kind));
        add_word(json, "name", item->name);
        add_word(json, "type", item->type);
        add_index_or_null(json, "line", item->line, 0);
        add_key(json, "markers");
        if (item->marker[0] >= 0 && item->marker[1] >= 0)
            add_indices(json, item->marker, 2);
        else
            rbv_text_add(&json->text, "null");
        add_index_or_null(json, "axes", item->axes, -1);
        add_index_or_null(json, "point", item->point, -1);
        add_index_or_null(json, "figure", item->figure, -1);
        end(json);
        spill(json, file, SCENE_CHUNK);
    }
    rbv_json_close(json, "]");
}

/* Members that a figure of this kind has besides its position. */
static void shape(RbvJson *json, const RbvSceneFigure *f) {
    bool ends = f->kind == RBV_SCENE_CYLINDER || f->kind == RBV_SCENE_CONE || f->kind == RBV_SCENE_BAR ||
                f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER || f->kind == RBV_SCENE_STRAND;
    bool turned = f->kind == RBV_SCENE_CIRCLE || f->kind == RBV_SCENE_BOX || f->kind == RBV_SCENE_WHEEL,
         directed = f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING;
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_MESH)
        add_points(json, f->kind == RBV_SCENE_LINE ? "points" : "vertices", f->points, f->count);
    else
        add_vector(json, ends ? "from" : "at", f->at, 3);
    if (ends)
        add_vector(json, "to", f->to, 3);
    if (turned)
        add_vector(json, "turn", f->turn, 4);
    if (f->kind == RBV_SCENE_BOX)
        add_vector(json, "size", f->size, 3);
    else if (directed)
        add_vector(json, "axis", f->axis, 3);
    else if (f->kind != RBV_SCENE_LINE && f->kind != RBV_SCENE_MESH && f->kind != RBV_SCENE_STRAND)
        add_number(json, "radius", f->radius);
    if (directed && f->on[1] != f->on[0])
        add_integer(json, "along", f->on[1]);
}

static void guide(RbvJson *json, const RbvSceneGuide *g) {
    char axes[4] = "";
    for (int k = 0, n = 0; k < 3; k++)
        if (g->axes >> k & 1)
            axes[n++] = "xyz"[k], axes[n] = '\0';
    add_key(json, "guide");
    rbv_text_put(&json->text, '{');
    json->empty = true;
    add_key(json, "markers");
    add_indices(json, g->marker, 2);
    add_word(json, "axes", axes);
    add_number(json, "beside", g->beside);
    add_integer(json, "period", g->period);
    end(json);
}

static void figure(RbvJson *json, const RbvSceneFigure *f) {
    begin_line(json);
    add_word(json, "kind", rbv_scene_kind_name(f->kind));
    add_word(json, "role", rbv_scene_role_name(f->role));
    add_integer(json, "of", f->of);
    add_integer(json, "body", f->body);
    add_key(json, "on");
    if (f->kind == RBV_SCENE_BAR || f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER ||
        f->kind == RBV_SCENE_STRAND)
        add_indices(json, f->on, 2);
    else
        rbv_text_integer(&json->text, f->on[0]);
    shape(json, f);
    if (f->kind == RBV_SCENE_LINE)
        add_bool(json, "closed", f->closed);
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_CIRCLE)
        add_bool(json, "filled", f->filled);
    if (f->kind == RBV_SCENE_WHEEL) {
        add_number(json, "width", f->other);
        add_integer(json, "teeth", f->count);
        add_bool(json, "internal", f->internal);
    }
    if (f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER)
        add_integer(json, "turns", f->count);
    if (f->kind == RBV_SCENE_STRAND) {
        const double radii[2] = {f->radius, f->other};
        add_key(json, "turn");
        rbv_text_put(&json->text, '[');
        add_numbers(json, f->turn, 4);
        rbv_text_add(&json->text, ", ");
        add_numbers(json, f->turn_to, 4);
        rbv_text_put(&json->text, ']');
        add_vector(json, "radii", radii, 2);
        add_bool(json, "crossed", f->crossed);
    }
    if (f->kind == RBV_SCENE_MESH) {
        add_key(json, "triangles");
        rbv_text_put(&json->text, '[');
        for (int32_t k = 0; k < f->triangle_count; k++) {
            if (k > 0)
                rbv_text_append(&json->text, ", ", 2);
            add_indices(json, f->triangles + 3 * k, 3);
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
        begin_line(json);
        add_integer(json, "of", failed->gaps[k].of);
        add_vector(json, "from", failed->gaps[k].from, 3);
        add_vector(json, "to", failed->gaps[k].to, 3);
        add_number(json, "length", failed->gaps[k].length);
        add_number(json, "angle", failed->gaps[k].angle);
        end(json);
    }
    rbv_json_close(json, "]");
    rbv_json_key(json, "loop");
    add_indices(json, failed->loop, failed->loop_count);
    rbv_json_close(json, "}");
}

static void motion(RbvJson *json, const RbvScene *scene, const RbvSceneMotion *moves) {
    begin_line(json);
    add_word(json, "name", moves->name);
    add_word(json, "freedom", moves->freedom);
    add_word(json, "unit", moves->unit);
    add_number(json, "rate", moves->rate);
    add_key(json, "bodies");
    rbv_text_put(&json->text, '{');
    json->empty = true;
    for (int32_t k = 0; k < moves->body_count; k++) {
        add_key(json, scene->bodies[moves->bodies[k]].name);
        rbv_text_put(&json->text, '{');
        json->empty = true;
        add_vector(json, "velocity", moves->velocity[k], 3);
        if (scene->spatial)
            add_vector(json, "angular", moves->angular[k], 3);
        else
            add_number(json, "angular", moves->angular[k][2]);
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
        spill(json, file, SCENE_CHUNK);
    }
    rbv_json_close(json, "]");
}

static void add_units(RbvJson *json, const RbvResult *result) {
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
    add_vector(json, "up", scene->up, 3);
    json->empty = false;
    add_units(json, result);
    add_bodies(json, scene, file);
    markers(json, scene, file);
    add_items(json, scene, file);
    rbv_json_open(json, "figures", "[");
    for (int32_t k = 0; k < scene->figure_count; k++) {
        figure(json, &scene->figures[k]);
        spill(json, file, SCENE_CHUNK);
    }
    rbv_json_close(json, "]");
    motions(json, scene, file);
    failure(json, scene->failure);
    rbv_json_close(json, "}");
    rbv_text_add(&json->text, "\n");
    spill(json, file, 0);
}

char *rbv_scene_of_result(const RbvResult *result) {
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
