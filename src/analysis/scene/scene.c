/* Makes the scene of a model at a state: bodies, markers and items, then figures, kind by kind of item; and the scene
 * of an analysis that has failed. */
#include "analysis/scene/scene.h"

#include "analysis/scene/draft.h"
#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/assemble.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <stdlib.h>
#include <string.h>

/* Largest size of a symbol: part of the machine, and part of the smaller half of its bodies. */
#define SYMBOL_OF_SIZE 0.1
#define SYMBOL_OF_BODY 0.4

typedef struct Maker {
    RbvDraft sketch;
    RbvSceneStore *scene;
    int32_t *marker; /* [markers] index of each marker of the model in the scene, or -1 */
    RbvFrame frame;
} Maker;

static const char *keep_text(Maker *m, const char *text) {
    const char *fresh = rbv_arena_copy(&m->sketch.result->arena, text, strlen(text));
    m->sketch.lost = m->sketch.lost || !fresh;
    return fresh ? fresh : "";
}

static void show_bodies(Maker *m) {
    const RbvDraft *s = &m->sketch;
    for (int32_t b = 0; b < s->model->bodies.count; b++) {
        const RbvBody *body = &s->model->bodies.items[b];
        const RbvBodyState *state = &s->state->bodies[b];
        if (s->body[b] < 0)
            continue;
        RbvSceneBody *to = &m->scene->bodies[m->scene->shown.body_count++];
        *to = (RbvSceneBody){.name = keep_text(m, body->name),
                             .particle = body->particle,
                             .mass = b == 0 ? NAN : body->mass,
                             .line = body->where.line,
                             .turn = {1, 0, 0, 0}};
        rbv_draft_put(body->centroid, to->centroid);
        if (b == 0)
            continue;
        rbv_draft_put(rbv_draft_ground(s, b, rbv_vec3(0, 0, 0)), to->at);
        rbv_draft_put_turn(s->spatial ? state->p : rbv_quat_of_vector(rbv_vec3(0, 0, state->turn)), to->turn);
    }
}

static void show_markers(Maker *m) {
    const RbvDraft *s = &m->sketch;
    for (int32_t k = 0; k < s->model->markers.count; k++) {
        const RbvMarker *marker = &s->model->markers.items[k];
        m->marker[k] = -1;
        if (s->body[marker->body] < 0)
            continue;
        m->marker[k] = m->scene->shown.marker_count++;
        RbvSceneMarker *to = &m->scene->markers[m->marker[k]];
        *to = (RbvSceneMarker){.name = keep_text(m, marker->name), .body = s->body[marker->body]};
        rbv_draft_put(marker->at, to->at);
        rbv_draft_put_turn(rbv_draft_turn(s, k), to->turn);
    }
}

/* Add a body's own axes as a marker, for a force in the body's frame. */
static int32_t body_axes(Maker *m, int32_t body) {
    int32_t index = m->scene->shown.marker_count++;
    m->scene->markers[index] = (RbvSceneMarker){
        .name = m->scene->bodies[m->sketch.body[body]].name, .body = m->sketch.body[body], .turn = {1, 0, 0, 0}};
    return index;
}

static int32_t shown_marker(const Maker *m, int32_t marker) {
    return marker < 0 ? -1 : m->marker[marker];
}

/* Add an item. `type` of joints and loads is a static string and is not copied. */
static RbvSceneItem *add_item(Maker *m, RbvSceneItemKind kind, const char *name, const char *type, RbvPosition where) {
    RbvSceneItem *item = &m->scene->items[m->scene->shown.item_count];
    if (kind != RBV_SCENE_JOINT && kind != RBV_SCENE_LOAD)
        type = keep_text(m, type ? type : "");
    *item = (RbvSceneItem){.kind = kind,
                           .name = keep_text(m, name),
                           .type = type,
                           .line = where.line,
                           .marker = {-1, -1},
                           .axes = -1,
                           .point = -1,
                           .figure = -1};
    rbv_pen(&m->sketch,
            kind == RBV_SCENE_LOAD    ? RBV_SCENE_OF_LOAD
            : kind == RBV_SCENE_DRIVE ? RBV_SCENE_OF_DRIVE
                                      : RBV_SCENE_SYMBOL,
            m->scene->shown.item_count++);
    return item;
}

static void show_joint(Maker *m, int32_t k) {
    RbvDraft *s = &m->sketch;
    const RbvJoint *joint = &s->model->joints.items[k];
    RbvSceneItem *item = add_item(m, RBV_SCENE_JOINT, joint->name, joint->kind->name, joint->where);
    for (int side = 0; side < 2; side++)
        item->marker[side] = shown_marker(m, joint->marker[side]);
    item->axes = m->frame == RBV_FRAME_GROUND ? -1 : shown_marker(m, rbv_joint_axes(joint));
    item->point = item->marker[1];
    if (rbv_forms[joint->form].wheels || rbv_forms[joint->form].rack)
        rbv_draft_wheels(s, k);
    else if (rbv_forms[joint->form].outlines)
        rbv_draft_cam(s, joint);
    else if (s->spatial)
        rbv_draft_space_joint(s, joint);
    else
        rbv_draft_plane_joint(s, joint);
}

/* Convert the markers set by the drawing functions from indices of the model to those of the scene. */
static void show_own_markers(const Maker *m, RbvSceneItem *item) {
    for (int side = 0; side < 2; side++)
        item->marker[side] = shown_marker(m, item->marker[side]);
    item->point = shown_marker(m, item->point);
}

static void show_effort(Maker *m, const RbvCoordinateRef *of, RbvSceneItem *item) {
    int32_t measure = of->rate         ? -1
                      : of->named >= 0 ? m->sketch.model->coordinates.items[of->named].measure
                                       : of->measure;
    if (measure >= 0 && rbv_measure_generalized(m->sketch.model, measure))
        measure = -1;
    rbv_draft_drive(&m->sketch, measure, item);
    show_own_markers(m, item);
}

static void show_drives(Maker *m) {
    const RbvModel *model = m->sketch.model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        show_effort(m, &drive->of, add_item(m, RBV_SCENE_DRIVE, drive->name, drive->coordinate, drive->where));
    }
    for (int32_t k = 0; k < model->actuators.count; k++)
        show_effort(m, &model->actuators.items[k].of,
                    add_item(m, RBV_SCENE_DRIVE, model->actuators.items[k].name, model->actuators.items[k].coordinate,
                             model->actuators.items[k].where));
}

static void show_load(Maker *m, const RbvLoad *load) {
    RbvSceneItem *item = add_item(m, RBV_SCENE_LOAD, load->name, rbv_load_row(load->kind)->type, load->where);
    if (rbv_load_row(load->kind)->applied) {
        item->point = shown_marker(m, load->marker[0]);
        item->axes = load->body_frame ? body_axes(m, rbv_draft_body(&m->sketch, load->marker[0])) : -1;
    } else if (rbv_load_row(load->kind)->elastic) {
        for (int side = 0; side < 2; side++)
            item->marker[side] = shown_marker(m, load->marker[side]);
        item->point = item->marker[1];
        item->axes = load->kind == RBV_LOAD_BUSHING ? item->marker[0] : -1;
    }
    rbv_draft_load(&m->sketch, load, item);
}

static void show_items(Maker *m) {
    const RbvModel *model = m->sketch.model;
    for (int32_t k = 0; k < model->joints.count; k++)
        show_joint(m, k);
    show_drives(m);
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const RbvConstraint *constraint = &model->constraints.items[k];
        RbvSceneItem *item = add_item(m, RBV_SCENE_CONSTRAINT, constraint->name, constraint->text, constraint->where);
        rbv_draft_constraint(&m->sketch, constraint, item);
        show_own_markers(m, item);
    }
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].name)
            show_load(m, &model->loads.items[k]);
    for (int32_t k = 0; k < model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k];
        RbvSceneItem *item = add_item(m, RBV_SCENE_STOP, stop->name, stop->coordinate, stop->where);
        rbv_draft_stop(&m->sketch, stop, item);
        show_own_markers(m, item);
    }
    for (int32_t k = 0; k < model->coordinates.count; k++)
        add_item(m, RBV_SCENE_COORDINATE, model->coordinates.items[k].name, model->coordinates.items[k].text,
                 model->coordinates.items[k].where);
}

/* Convert the markers of guides from indices of the model to those of the scene. */
static void show_guides(Maker *m) {
    for (int32_t k = 0; k < m->scene->shown.figure_count; k++)
        for (int side = 0; m->scene->figures[k].guide.axes && side < 2; side++)
            m->scene->figures[k].guide.marker[side] = shown_marker(m, m->scene->figures[k].guide.marker[side]);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lower median over bodies of the largest distance [m] from their first joint to another one. 0: no body has two
 * joints; -1: out of memory. */
static double small_body(const RbvDraft *s) {
    int32_t bodies = s->model->bodies.count, count = 0;
    RbvArena scratch = {0};
    RbvVec3 *first = rbv_arena_array(&scratch, (size_t)bodies, sizeof *first);
    double *extent = rbv_arena_array(&scratch, (size_t)bodies + 1, sizeof *extent), middle = -1;
    bool *met = rbv_arena_array(&scratch, (size_t)bodies + 1, sizeof *met);
    for (int32_t k = 0; first && extent && met && k < 2 * s->model->joints.count; k++) {
        const RbvMarker *marker = &s->model->markers.items[s->model->joints.items[k / 2].marker[k % 2]];
        if (!met[marker->body])
            first[marker->body] = marker->at;
        met[marker->body] = true;
        extent[marker->body] = fmax(extent[marker->body], rbv_norm(rbv_sub(marker->at, first[marker->body])));
    }
    if (first && extent && met) {
        for (int32_t b = 1; b < bodies; b++)
            if (extent[b] > 0)
                extent[count++] = extent[b];
        qsort(extent, (size_t)count, sizeof *extent, by_value);
        middle = count > 0 ? extent[(count - 1) / 2] : 0;
    }
    rbv_arena_clear(&scratch);
    return middle;
}

/* Largest shape [m]: gives the size if joints do not. */
static double largest_shape(const RbvModel *model) {
    double most = 0;
    for (int32_t k = 0; k < model->shapes.count; k++) {
        const RbvBodyShape *shape = &model->shapes.items[k];
        most =
            fmax(most, fmax(2 * shape->radius, fmax(rbv_norm(shape->size), rbv_norm(rbv_sub(shape->to, shape->at)))));
    }
    return most > 0 ? most : 1;
}

/* Size of the machine and of its symbols [m], and the direction upwards. */
static void find_size(Maker *m) {
    RbvDraft *s = &m->sketch;
    RbvVec3 g = s->model->gravity, up = s->spatial ? rbv_vec3(0, 0, 1) : rbv_vec3(0, 1, 0);
    double size = rbv_machine_of(s->state).size, body = small_body(s), length = rbv_norm(g);
    s->lost = s->lost || body < 0;
    s->up = length > 0 ? rbv_scale(-1 / length, g) : up;
    size = size > 0 ? size : largest_shape(s->model);
    s->symbol = body > 0 ? fmin(SYMBOL_OF_SIZE * size, SYMBOL_OF_BODY * body) : SYMBOL_OF_SIZE * size;
    m->scene->shown.size = size;
    m->scene->shown.symbol = s->symbol;
    rbv_draft_put(s->up, m->scene->shown.up);
}

static void make(Maker *m) {
    RbvDraft *s = &m->sketch;
    RbvScene *shown = &m->scene->shown;
    shown->spatial = s->spatial;
    shown->title = keep_text(m, s->model->title);
    shown->file = keep_text(m, s->model->file);
    shown->text = s->model->text ? keep_text(m, s->model->text) : NULL;
    show_bodies(m);
    show_markers(m);
    find_size(m);
    if (s->lost)
        return;
    rbv_draft_substance(s);
    rbv_draft_outlines(s);
    show_items(m);
    show_guides(m);
    rbv_scene_find_columns(s->result);
}

/* Number of loads in the axes of a body: each needs an additional marker. */
static int32_t more_markers(const RbvModel *model) {
    int32_t count = 0;
    for (int32_t k = 0; k < model->loads.count; k++)
        count += model->loads.items[k].body_frame;
    return count;
}

bool rbv_scene_show(RbvResult *result, const RbvState *state, const RbvOptions *options) {
    if (!options->scene || result->scene)
        return true;
    const RbvModel *model = state->system->model;
    int32_t items = model->joints.count + model->drives.count + model->actuators.count + model->constraints.count +
                    model->loads.count + model->stops.count + model->coordinates.count;
    Maker m = {.sketch = {.state = state, .model = model, .result = result, .spatial = model->space == RBV_SPATIAL},
               .frame = options->reactions.frame};
    m.scene = rbv_scene_begin(result, model->bodies.count, model->markers.count + more_markers(model), items);
    m.sketch.body = calloc((size_t)model->bodies.count, sizeof *m.sketch.body);
    m.marker = calloc((size_t)model->markers.count + 1, sizeof *m.marker);
    bool good = m.scene && m.sketch.body && m.marker;
    int32_t count = 0;
    for (int32_t b = 0; good && b < model->bodies.count; b++)
        m.sketch.body[b] = model->bodies.items[b].generalized ? -1 : count++;
    if (good)
        make(&m);
    good = good && !m.sketch.lost && rbv_scene_find_motions(result, state, m.sketch.body);
    if (!good)
        rbv_scene_clear(result);
    free(m.sketch.body);
    free(m.marker);
    return good;
}

/* Scene of a failed analysis: the error messages, and, without a result, the state nearest to an assembled one with
 * the remaining constraint errors. */

/* Constraint errors below this part of the largest one are rounding, as in the messages of assembly. */
#define NO_PART 1e-6

static bool is_of_numbers(RbvStatus status) {
    return status == RBV_NOT_ASSEMBLED || status == RBV_INCONSISTENT || status == RBV_LOCKED ||
           status == RBV_NO_EQUILIBRIUM || status == RBV_NOT_FINITE || status == RBV_AUDIT_FAILED;
}

/* Error messages, one per line. NULL: out of memory. */
static const char *words_of(RbvResult *result, const RbvDiagnostics *messages) {
    RbvText text = {0};
    for (int32_t k = 0; messages && k < rbv_diagnostics_count(messages); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(messages, k);
        if (d.severity == RBV_ERROR)
            rbv_text_format(&text, "%s%s", text.length > 0 ? "\n" : "", d.message);
    }
    const char *copy = text.no_memory || rbv_diagnostics_lost(messages)
                           ? NULL
                           : rbv_arena_copy(&result->arena, text.data ? text.data : "", text.length);
    rbv_text_clear(&text);
    return copy;
}

/* Index of the scene item that a constraint row belongs to, -1: none. Items are in the order joints, drives,
 * actuators, constraints of the model. */
static int32_t item_of(const RbvModel *model, const RbvRow *row) {
    int32_t drives = model->joints.count, constraints = drives + model->drives.count + model->actuators.count;
    return row->owner == RBV_OWNER_JOINT        ? row->index
           : row->owner == RBV_OWNER_DRIVE      ? drives + row->index
           : row->owner == RBV_OWNER_CONSTRAINT ? constraints + row->index
                                                : -1;
}

/* Find the remaining errors of joints, drives and constraints, largest first, between the two markers of the first
 * measure in their row. False: out of memory. */
static bool find_gaps(RbvResult *result, const RbvState *state) {
    const RbvSystem *system = state->system;
    RbvSceneFailure *failed = &result->scene->failed;
    RbvResidual *left = calloc((size_t)system->all_count + 1, sizeof *left);
    int32_t count = left ? rbv_residuals(state, false, left) : 0;
    RbvSceneGap *gaps = rbv_arena_array(&result->arena, (size_t)count + 1, sizeof *gaps);
    for (int32_t k = 0;
         gaps && k < count &&
         left[k].size > fmax(RBV_ASSEMBLY_TOLERANCE * rbv_state_row_arm(state, left[k].row), NO_PART * left[0].size);
         k++) {
        const RbvRow *row = &system->rows[left[k].row];
        int32_t of = item_of(system->model, row);
        if (of < 0 || row->count == 0)
            continue;
        const RbvMeasure *measure = &system->model->measures.items[system->terms[row->first].measure];
        RbvSceneGap *gap = &gaps[failed->gap_count++];
        *gap = (RbvSceneGap){.of = of, .length = left[k].length, .angle = left[k].angle};
        rbv_draft_put(state->markers[measure->marker[0]].point, gap->from);
        rbv_draft_put(state->markers[measure->marker[1]].point, gap->to);
    }
    failed->gaps = gaps;
    free(left);
    return left && gaps;
}

static bool find_loop(RbvResult *result, const RbvState *state) {
    int32_t *loop = rbv_arena_array(&result->arena, (size_t)state->system->model->joints.count + 1, sizeof *loop);
    if (!loop)
        return false;
    int32_t count = rbv_find_loop(state, loop, NULL); /* joints are the first items, so their indices are equal */
    result->scene->failed.loop_count = count > 0 ? count : 0;
    result->scene->failed.loop = loop;
    return count >= 0;
}

/* Store the messages in the existing scene. False: out of memory. */
static bool record_messages(RbvResult *result, const RbvDiagnostics *messages) {
    RbvSceneStore *scene = result->scene;
    scene->failed.text = words_of(result, messages);
    scene->shown.failure = &scene->failed;
    return scene->failed.text != NULL;
}

/* Repeat the assembly to obtain its last state. *state NULL: values there are not finite, so nothing can be drawn.
 * False: out of memory. */
static bool nearest_state(const RbvSystem *system, const RbvOptions *options, RbvState **state) {
    RbvActivity activity = {0};
    RbvAssembly assembly = {.driven = true};
    double t = rbv_first_instant(system->model, options);
    RbvProgress progress = {.go_on = options->progress, .context = options->context};
    *state = rbv_state_create(system);
    if (*state)
        (*state)->progress = &progress;
    bool good = *state && rbv_activity_assemble(&activity, *state, t, false, NULL, &assembly) != RBV_NO_MEMORY;
    bool placed = good && rbv_state_place(*state);
    good = good && !(*state)->no_memory;
    if (*state) { /* belongs to the activity, which is destroyed */
        (*state)->active = NULL;
        (*state)->progress = NULL;
    }
    rbv_activity_destroy(&activity);
    if (!good || !placed) {
        rbv_state_destroy(*state);
        *state = NULL;
    }
    return good;
}

static bool name_all(RbvResult *result, const RbvModel *model, const char *analysis) {
    result->analysis = analysis;
    result->frame = "joint";
    for (int k = 0; k < RBV_DIM_COUNT; k++)
        if (model->bare_unit[k].text)
            result->units[k] = (RbvShownUnit){
                rbv_arena_copy(&result->arena, model->bare_unit[k].text, strlen(model->bare_unit[k].text)),
                model->bare_unit[k].factor};
    result->title = rbv_arena_copy(&result->arena, model->title, strlen(model->title));
    result->file = rbv_arena_copy(&result->arena, model->file, strlen(model->file));
    return result->title && result->file;
}

/* Create a result with a scene only. False: out of memory. */
static bool make_bare(const RbvState *state, const RbvOptions *options, const char *analysis,
                      const RbvDiagnostics *messages, RbvResult **out) {
    RbvResult *result = calloc(1, sizeof *result);
    if (result)
        result->bare = true;
    bool good = result && name_all(result, state->system->model, analysis) && rbv_scene_show(result, state, options) &&
                record_messages(result, messages) && find_gaps(result, state) && find_loop(result, state);
    if (!good) {
        rbv_result_destroy(result);
        return false;
    }
    *out = result;
    return true;
}

RbvStatus rbv_scene_end(const RbvSystem *system, const RbvOptions *options, const char *analysis, RbvStatus status,
                        const RbvDiagnostics *messages, RbvResult **result) {
    if (!options->scene || !is_of_numbers(status))
        return status;
    if (*result)
        return !(*result)->scene || record_messages(*result, messages) ? status : RBV_NO_MEMORY;
    RbvState *state;
    if (system->absolute) /* joint and natural coordinates satisfy these constraints by themselves: use the absolute
                             system */
        system = system->absolute;
    bool good =
        nearest_state(system, options, &state) && (!state || make_bare(state, options, analysis, messages, result));
    rbv_state_destroy(state);
    return good ? status : RBV_NO_MEMORY;
}
