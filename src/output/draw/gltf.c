/* A result as glTF 2.0: one node for each body, with its figures as children; figures between two bodies, and arrows of
 * reactions, as nodes of their own; all poses as one animation.
 *
 * The y axis of glTF points up: a root node rotates ground's axes accordingly. Lengths are in metres. Arrows of forces
 * have a length in metres per newton that the extras of the file give. */
#include <roberval/draw.h>

#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "model/result/scene.h"
#include "output/draw/drawing.h"
#include "output/draw/gltf_mesh.h"
#include "output/draw/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Length of the longest arrow as a part of the mechanism's size. */
#define LONGEST_ARROW 0.25
/* Smallest scale of a node: a scale of zero would lose its rotation. */
#define NOTHING 1e-6

/* Largest number of frames; longer motions are thinned out. A minute at 50 frames per second. */
#define MOST_FRAMES 3000

#define ROLES 7

typedef struct Writer {
    const RbvResult *result;
    const RbvScene *scene;
    RbvGltf file;
    int32_t material[ROLES], verdict[5]; /* numbers in the file; -1: not yet written */
    int32_t mesh[RBV_UNIT_SHAPES][ROLES + 5];
    /* samples[sample_count]: the samples that are shown. */
    int32_t *samples, sample_count, times; /* times: accessor; -1: nothing moves */
    RbvText *below;                        /* [body_count] numbers of the child nodes of each body */
    RbvText roots;
    RbvPlace *places; /* [sample_count][body_count] frames of all bodies at each shown sample */
    float *row;       /* [4 sample_count] workspace of one animated quantity */
    RbvArena arena;   /* memory of all but the texts */
    bool no_memory;
} Writer;

typedef struct Frame {
    RbvVec3 at;
    RbvQuat turn;
    RbvVec3 scale;
} Frame;

static int32_t material_of(Writer *w, int32_t colour) {
    static const char *const names[ROLES] = {"substance", "void", "outline", "symbol", "ground", "load", "drive"};
    static const char *const colours[ROLES] = {"#b9c7d6", "#ffffff", "#c8d3df", "#4a4a4a",
                                               "#8c8c8c", "#b06f00", "#00805f"};
    if (colour < ROLES) {
        if (w->material[colour] < 0)
            w->material[colour] =
                rbv_gltf_material(&w->file, names[colour], colours[colour], colour == RBV_SCENE_VOID ? 0.35 : 1);
        return w->material[colour];
    }
    RbvVerdict verdict = (RbvVerdict)(colour - ROLES);
    if (w->verdict[verdict] < 0)
        w->verdict[verdict] =
            rbv_gltf_material(&w->file, rbv_verdict_name(verdict), rbv_verdict_ink(verdict)->stroke, 1);
    return w->verdict[verdict];
}

static int32_t unit_mesh(Writer *w, RbvUnitShape shape, int32_t colour) {
    if (w->mesh[shape][colour] < 0) {
        RbvMesh3 mesh = rbv_unit_mesh(shape);
        w->mesh[shape][colour] = rbv_gltf_mesh(&w->file, &mesh, material_of(w, colour));
        rbv_mesh3_clear(&mesh);
    }
    return w->mesh[shape][colour];
}

static void write_numbers(RbvText *text, const char *name, int count, const double *value) {
    rbv_text_format(text, ",\"%s\":[", name);
    for (int k = 0; k < count; k++) {
        rbv_text_add(text, k ? "," : "");
        rbv_text_number(text, value[k]);
    }
    rbv_text_add(text, "]");
}

/* Opens a node with a mesh (-1: none) and a frame; the caller adds children and extras and closes it with "}". */
static int32_t open_node(Writer *w, const char *name, int32_t mesh, const Frame *frame) {
    RbvText *text = &w->file.nodes;
    RbvQuat q = rbv_quat_normalised(frame->turn);
    rbv_text_add(text, w->file.node_count ? ",{\"name\":" : "{\"name\":");
    rbv_text_json_string(text, name);
    if (mesh >= 0)
        rbv_text_format(text, ",\"mesh\":%d", (int)mesh);
    write_numbers(text, "translation", 3, (double[]){frame->at.x, frame->at.y, frame->at.z});
    write_numbers(text, "rotation", 4, (double[]){q.e.x, q.e.y, q.e.z, q.w});
    write_numbers(text, "scale", 3, (double[]){frame->scale.x, frame->scale.y, frame->scale.z});
    return w->file.node_count++;
}

static void add_child(RbvText *list, int32_t node) {
    rbv_text_format(list, "%s%d", list->length ? "," : "", (int)node);
}

/* Rotation that takes the z axis to a direction. */
static RbvQuat turn_z_to(RbvVec3 direction) {
    double length = rbv_norm(direction);
    RbvMat3 frame;
    if (!(length > 0) ||
        !rbv_frame_of_axes(rbv_scale(1 / length, direction),
                           fabs(direction.x) < 0.9 * length ? (RbvVec3){1, 0, 0} : (RbvVec3){0, 1, 0}, &frame))
        return rbv_quat_identity();
    return rbv_quat_of_mat3(&frame);
}

/* Frame of a unit shape between two points [m]: z along the line, scaled by its length along z and by `radius` across.
 */
static Frame spanning(RbvVec3 from, RbvVec3 to, double radius) {
    double length = rbv_norm(rbv_sub(to, from));
    return (Frame){from, turn_z_to(rbv_sub(to, from)), {radius, radius, fmax(length, NOTHING)}};
}

static double thickness(const Writer *w, const RbvSceneFigure *f) {
    return f->other > 0 ? f->other : 0.3 * w->scene->symbol;
}

/* Unit shape and frame, in the body, of a figure on one body. False: the figure needs a mesh of its own, or spans two
 * bodies. */
static bool unit_figure(const Writer *w, const RbvSceneFigure *f, RbvUnitShape *shape, Frame *frame) {
    double thick = thickness(w, f);
    *frame = (Frame){rbv_vec3_at(f->at), rbv_quat_identity(), {f->radius, f->radius, f->radius}};
    switch (f->kind) {
    case RBV_SCENE_BOX:
        *shape = RBV_UNIT_BOX;
        frame->turn = rbv_quat_at(f->turn);
        frame->scale = rbv_vec3_at(f->size);
        return true;
    case RBV_SCENE_CIRCLE:
        *shape = f->filled ? RBV_UNIT_DISK : RBV_UNIT_RING;
        frame->turn = rbv_quat_at(f->turn);
        return true;
    case RBV_SCENE_SPHERE: *shape = RBV_UNIT_SPHERE; return true;
    case RBV_SCENE_CYLINDER:
    case RBV_SCENE_CONE:
        *shape = f->kind == RBV_SCENE_CONE ? RBV_UNIT_CONE : RBV_UNIT_CYLINDER;
        *frame = spanning(rbv_vec3_at(f->at), rbv_vec3_at(f->to), f->radius);
        return true;
    case RBV_SCENE_WHEEL:
        *shape = f->internal ? RBV_UNIT_RING : RBV_UNIT_CYLINDER;
        frame->turn = rbv_quat_at(f->turn);
        if (!f->internal) {
            RbvMat3 axes = rbv_mat3_of_quat(frame->turn);
            frame->at = rbv_add_scaled(frame->at, -thick / 2, axes.column[2]);
            frame->scale.z = thick;
        }
        return true;
    default: return false;
    }
}

/* A toothed wheel has a mesh of its own, in its own frame. */
static bool is_toothed(const RbvSceneFigure *f) {
    return f->kind == RBV_SCENE_WHEEL && f->count > 0;
}

static RbvMesh3 toothed_mesh(const Writer *w, const RbvSceneFigure *f) {
    int32_t count = 0;
    double *points = rbv_toothed_solid(f, thickness(w, f), &count);
    int32_t *triangles = malloc(3 * (size_t)count * sizeof *triangles + 1);
    RbvMesh3 mesh = {.no_memory = !points || !triangles};
    for (int32_t k = 0; !mesh.no_memory && k < 3 * count; k++)
        triangles[k] = k;
    if (!mesh.no_memory)
        mesh = rbv_face_mesh(points, count, triangles);
    free(points);
    free(triangles);
    return mesh;
}

static int32_t own_mesh(Writer *w, const RbvSceneFigure *f) {
    RbvMesh3 mesh = is_toothed(f)                ? toothed_mesh(w, f)
                    : f->kind == RBV_SCENE_MESH  ? rbv_face_mesh(f->points, f->triangle_count, f->triangles)
                    : f->filled && f->count >= 3 ? rbv_area_mesh(f->count, f->points)
                                                 : rbv_line_mesh(f->count, f->points, f->closed);
    int32_t number = rbv_gltf_mesh(&w->file, &mesh, material_of(w, (int32_t)f->role));
    rbv_mesh3_clear(&mesh);
    return number;
}

static const char *name_of(const Writer *w, const RbvSceneFigure *f) {
    const char *name = rbv_figure_name(w->scene, f);
    return name ? name : "ground";
}

/* Animates one quantity of a node's frame over the samples, from w->row with `width` numbers per sample. */
static void animate(Writer *w, int32_t node, const char *path, int width) {
    if (w->times >= 0)
        rbv_gltf_animate(&w->file, node, path, w->times,
                         rbv_gltf_floats(&w->file, w->sample_count, width, w->row, false, false));
}

static void set3(float *row, RbvVec3 v) {
    row[0] = (float)v.x, row[1] = (float)v.y, row[2] = (float)v.z;
}

/* Stores a unit quaternion in single precision; of the two quaternions of a rotation the one nearer to that of the
 * previous sample. */
static void set_turn(Writer *w, int32_t k, RbvQuat q) {
    float *row = &w->row[4 * k];
    q = rbv_quat_normalised(q);
    row[0] = (float)q.e.x, row[1] = (float)q.e.y, row[2] = (float)q.e.z, row[3] = (float)q.w;
    if (k > 0 && row[0] * row[-4] + row[1] * row[-3] + row[2] * row[-2] + row[3] * row[-1] < 0)
        for (int i = 0; i < 4; i++)
            row[i] = -row[i];
}

typedef Frame (*FrameAt)(const Writer *w, const void *what, int32_t k);

static void animate_frame(Writer *w, int32_t node, FrameAt frame_at, const void *what, bool scales) {
    for (int32_t k = 0; k < w->sample_count; k++)
        set3(&w->row[3 * k], frame_at(w, what, k).at);
    animate(w, node, "translation", 3);
    for (int32_t k = 0; k < w->sample_count; k++)
        set_turn(w, k, frame_at(w, what, k).turn);
    animate(w, node, "rotation", 4);
    for (int32_t k = 0; scales && k < w->sample_count; k++)
        set3(&w->row[3 * k], frame_at(w, what, k).scale);
    if (scales)
        animate(w, node, "scale", 3);
}

static const RbvPlace *place_at(const Writer *w, int32_t k, int32_t body) {
    return &w->places[(size_t)k * (size_t)w->scene->body_count + (size_t)body];
}

static Frame body_frame(const Writer *w, const void *what, int32_t k) {
    const RbvPlace *place = place_at(w, k, *(const int32_t *)what);
    return (Frame){place->at, rbv_quat_of_mat3(&place->A), {1, 1, 1}};
}

/* Length [m] of an arrow that shows only position and direction, independent of the value. */
static double direction_size(const Writer *w, const RbvSceneFigure *f) {
    return w->scene->symbol * (f->kind == RBV_SCENE_ARROW ? 2.2 : 0.8);
}

static bool is_direction(const RbvSceneFigure *f) {
    return f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING;
}

static Frame spanning_frame(const Writer *w, const void *what, int32_t k) {
    const RbvSceneFigure *f = what;
    double size = direction_size(w, f);
    if (is_direction(f))
        return (Frame){rbv_place_point(place_at(w, k, f->on[0]), f->at),
                       turn_z_to(rbv_apply(&place_at(w, k, f->on[1])->A, rbv_vec3_at(f->axis))),
                       {size, size, size}};
    return spanning(rbv_place_point(place_at(w, k, f->on[0]), f->at), rbv_place_point(place_at(w, k, f->on[1]), f->to),
                    f->radius > 0 ? f->radius : 0.05 * w->scene->symbol);
}

/* Adds a figure between two bodies. A strand of a belt is one bar between the wheels' centres; other figures show the
 * circles it touches. */
static void add_spanning(Writer *w, const RbvSceneFigure *f) {
    RbvUnitShape shape = f->kind == RBV_SCENE_COIL      ? RBV_UNIT_COIL
                         : f->kind == RBV_SCENE_DAMPER  ? RBV_UNIT_DASHPOT
                         : f->kind == RBV_SCENE_ARROW   ? RBV_UNIT_ARROW
                         : f->kind == RBV_SCENE_TURNING ? RBV_UNIT_TURN
                                                        : RBV_UNIT_CYLINDER;
    Frame frame = spanning_frame(w, f, 0);
    int32_t node = open_node(w, name_of(w, f), unit_mesh(w, shape, (int32_t)f->role), &frame);
    rbv_text_add(&w->file.nodes, "}");
    add_child(&w->roots, node);
    animate_frame(w, node, spanning_frame, f, true);
}

static void add_figure(Writer *w, const RbvSceneFigure *f) {
    RbvUnitShape shape;
    Frame frame;
    if (f->kind == RBV_SCENE_BAR || f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER || is_direction(f)) {
        add_spanning(w, f);
        return;
    }
    if (f->kind == RBV_SCENE_STRAND) {
        RbvSceneFigure strand = *f;
        strand.radius = 0;
        add_spanning(w, &strand);
        return;
    }
    bool unit = !is_toothed(f) && unit_figure(w, f, &shape, &frame);
    int32_t mesh = unit ? unit_mesh(w, shape, (int32_t)f->role) : own_mesh(w, f);
    const Frame still = is_toothed(f) ? (Frame){rbv_vec3_at(f->at), rbv_quat_at(f->turn), {1, 1, 1}}
                                      : (Frame){{0, 0, 0}, rbv_quat_identity(), {1, 1, 1}};
    if (mesh < 0)
        return;
    int32_t node = open_node(w, name_of(w, f), mesh, unit ? &frame : &still);
    rbv_text_format(&w->file.nodes, ",\"extras\":{\"role\":\"%s\"}}", rbv_scene_role_name(f->role));
    add_child(&w->below[f->on[0]], node);
}

static void add_body(Writer *w, int32_t body) {
    const RbvSceneBody *b = &w->scene->bodies[body];
    Frame frame = body_frame(w, &body, 0);
    int32_t node = open_node(w, b->name, -1, &frame);
    RbvText *text = &w->file.nodes;
    if (w->below[body].length)
        rbv_text_format(text, ",\"children\":[%s]", w->below[body].data);
    rbv_text_add(text, ",\"extras\":{\"kind\":\"body\"");
    if (isfinite(b->mass)) {
        rbv_text_add(text, ",\"mass\":");
        rbv_text_number(text, b->mass);
    }
    rbv_text_add(text, "}}");
    add_child(&w->roots, node);
    if (body > 0)
        animate_frame(w, node, body_frame, &body, false);
}

/* Force or torque of one item, and the length of its arrow per unit. */
typedef struct WrenchNode {
    int32_t item;
    bool torque;
    double scale; /* length of the arrow [m/N] or radius of the ring [m/(N m)] */
} WrenchNode;

static Frame pointer_frame(const Writer *w, const void *what, int32_t k) {
    const WrenchNode *p = what;
    RbvSceneWrench wrench = {.point = {0}};
    rbv_result_wrench(w->result, w->samples[k], p->item, &wrench);
    RbvVec3 direction = rbv_vec3_at(p->torque ? wrench.torque : wrench.force);
    double size = fmax(p->scale * rbv_norm(direction), NOTHING * w->scene->size);
    return (Frame){rbv_vec3_at(wrench.point), turn_z_to(direction), {size, size, size}};
}

static double largest(const Writer *w, bool torque) {
    double most = 0;
    RbvSceneWrench wrench;
    for (int32_t t = 0; t < w->scene->item_count; t++)
        for (int32_t k = 0; k < w->sample_count; k++)
            if (w->scene->items[t].kind == RBV_SCENE_JOINT && rbv_result_wrench(w->result, w->samples[k], t, &wrench))
                most = fmax(most, rbv_norm(rbv_vec3_at(torque ? wrench.torque : wrench.force)));
    return most;
}

/* Adds the arrows of all joints; a reaction that is always zero has none. scale: [m/N] or [m/(N m)]. */
static void add_pointers(Writer *w, double scale, bool torque) {
    RbvSceneWrench wrench;
    for (int32_t t = 0; t < w->scene->item_count && scale > 0; t++) {
        const RbvSceneItem *item = &w->scene->items[t];
        const WrenchNode pointer = {t, torque, scale};
        bool any = false;
        for (int32_t k = 0; k < w->sample_count && !any && item->kind == RBV_SCENE_JOINT; k++)
            any = rbv_result_wrench(w->result, w->samples[k], t, &wrench) &&
                  rbv_norm(rbv_vec3_at(torque ? wrench.torque : wrench.force)) > 0;
        if (!any)
            continue;
        Frame frame = pointer_frame(w, &pointer, 0);
        int32_t node =
            open_node(w, item->name,
                      unit_mesh(w, torque ? RBV_UNIT_TURN : RBV_UNIT_ARROW, ROLES + (int32_t)wrench.verdict), &frame);
        rbv_text_format(&w->file.nodes, ",\"extras\":{\"kind\":\"%s\",\"verdict\":\"%s\"}}",
                        torque ? "torque" : "force", rbv_verdict_name(wrench.verdict));
        add_child(&w->roots, node);
        animate_frame(w, node, pointer_frame, &pointer, true);
    }
}

/* Chooses the samples at which time increases (both sides of a jump have the same time); along a path, whose parameter
 * may go back, by their numbers. False: out of memory. */
static bool choose_samples(Writer *w) {
    const RbvResult *result = w->result;
    int32_t capacity = result->sample_count > 0 ? result->sample_count : 1;
    w->samples = rbv_arena_array(&w->arena, (size_t)capacity, sizeof *w->samples);
    w->row = rbv_arena_array(&w->arena, 4 * (size_t)capacity, sizeof *w->row);
    if (!w->samples || !w->row)
        return false;
    bool path = result->followed.parameter;
    float last = -INFINITY;
    int32_t every = (result->sample_count - 1) / MOST_FRAMES + 1;
    for (int32_t s = 0; s < result->sample_count; s += every) {
        float t = path ? (float)s : (float)rbv_result_value(result, s, 0);
        if (t > last) {
            w->samples[w->sample_count] = s;
            w->row[w->sample_count++] = last = t;
        }
    }
    if (w->sample_count == 0) {
        w->samples[0] = -1;
        w->sample_count = 1;
    }
    float from = w->row[0];
    for (int32_t k = 0; k < w->sample_count; k++)
        w->row[k] -= from; /* an animation begins at time 0 */
    w->times = w->sample_count > 1 ? rbv_gltf_floats(&w->file, w->sample_count, 1, w->row, true, false) : -1;
    size_t bodies = (size_t)w->scene->body_count;
    w->places = rbv_arena_array(&w->arena, (size_t)w->sample_count * bodies, sizeof *w->places);
    for (int32_t k = 0; w->places && k < w->sample_count; k++)
        rbv_places_at(result, w->samples[k], &w->places[(size_t)k * bodies]);
    return w->places;
}

/* Rotation that takes `up` to glTF's y axis; the identity for a plane mechanism. */
static RbvQuat upright(const RbvScene *scene) {
    RbvVec3 up = rbv_vec3_at(scene->up), y = {0, 1, 0}, axis = rbv_cross(up, y);
    double s = rbv_norm(axis), c = rbv_dot(up, y);
    if (!scene->spatial || (s < 1e-12 && c > 0))
        return rbv_quat_identity();
    return s < 1e-12 ? (RbvQuat){0, {1, 0, 0}} : rbv_quat_of_vector(rbv_scale(atan2(s, c) / s, axis));
}

static char *write_all(Writer *w, bool binary, size_t *length) {
    const RbvScene *scene = w->scene;
    RbvText extras = {0}, root = {0};
    double force = largest(w, false), torque = largest(w, true);
    double per_newton = force > 0 ? LONGEST_ARROW * scene->size / force : 0,
           per_torque = torque > 0 ? 0.4 * LONGEST_ARROW * scene->size / torque : 0;
    for (int32_t k = 0; k < scene->figure_count; k++)
        add_figure(w, &scene->figures[k]);
    for (int32_t b = 0; b < scene->body_count; b++)
        add_body(w, b);
    add_pointers(w, per_newton, false);
    add_pointers(w, per_torque, true);
    Frame frame = {{0, 0, 0}, upright(scene), {1, 1, 1}};
    int32_t node = open_node(w, "mechanism", -1, &frame);
    rbv_text_format(&w->file.nodes, ",\"children\":[%s]}", w->roots.data ? w->roots.data : "");
    add_child(&root, node);
    rbv_text_add(&extras, "{\"length\":\"m\",\"time\":\"s\",\"arrow_metres_per_newton\":");
    rbv_text_number(&extras, per_newton);
    rbv_text_add(&extras, ",\"ring_metres_per_newton_metre\":");
    rbv_text_number(&extras, per_torque);
    rbv_text_add(&extras, "}");
    bool lost = w->no_memory || w->roots.no_memory || root.no_memory || extras.no_memory;
    for (int32_t b = 0; b < scene->body_count; b++)
        lost = lost || w->below[b].no_memory;
    char *text = lost ? NULL
                      : rbv_gltf_take(&w->file, root.data, scene->title ? scene->title : "mechanism", extras.data,
                                      binary, length);
    rbv_text_clear(&extras);
    rbv_text_clear(&root);
    return text;
}

static RbvStatus write_gltf(const RbvResult *result, RbvDiagnostics *diagnostics, bool binary, char **gltf,
                            size_t *length) {
    Writer w = {.result = result, .scene = rbv_result_scene(result)};
    if (!w.scene) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s has no picture of the mechanism",
                     result->analysis);
        return RBV_BAD_INPUT;
    }
    memset(w.material, -1, sizeof w.material);
    memset(w.verdict, -1, sizeof w.verdict);
    memset(w.mesh, -1, sizeof w.mesh);
    w.below = rbv_arena_array(&w.arena, (size_t)w.scene->body_count, sizeof *w.below);
    RbvScene spread;
    if (w.below && choose_samples(&w) && rbv_guides_spread(result, w.samples, w.sample_count, &w.arena, &spread)) {
        w.scene = &spread;
        *gltf = write_all(&w, binary, length);
    }
    RbvText *parts[] = {&w.file.bytes, &w.file.views,    &w.file.accessors, &w.file.meshes, &w.file.materials,
                        &w.file.nodes, &w.file.samplers, &w.file.channels,  &w.roots};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        rbv_text_clear(parts[k]);
    for (int32_t b = 0; w.below && b < w.scene->body_count; b++)
        rbv_text_clear(&w.below[b]);
    rbv_arena_clear(&w.arena);
    return *gltf ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_result_gltf(const RbvResult *result, bool binary, RbvDiagnostics *diagnostics, char **gltf,
                          size_t *length) {
    if (!result || !gltf || !length)
        return RBV_BAD_ARGUMENT;
    *gltf = NULL;
    *length = 0;
    RbvStatus status = write_gltf(result, diagnostics, binary, gltf, length);
    if (status == RBV_OK && !binary)
        *length = strlen(*gltf);
    return status;
}
