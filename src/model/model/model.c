/* Creates and destroys a model; its arrays, its names, its measures, the file positions of its errors, and its notes.
 */
#include "model/model/model.h"

#include "core/base/archive.h"
#include "core/base/diagnostics.h"
#include "model/model/refill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const component_names[RBV_COMPONENT_COUNT] = {"Fx",
                                                                 "Fy",
                                                                 "Fz",
                                                                 "Tx",
                                                                 "Ty",
                                                                 "Tz",
                                                                 "F",
                                                                 "Ft",
                                                                 "Fr",
                                                                 "Fa",
                                                                 "friction",
                                                                 "friction.x",
                                                                 "friction.y",
                                                                 "friction.z",
                                                                 "friction.rx",
                                                                 "friction.ry",
                                                                 "friction.rz",
                                                                 "friction.first",
                                                                 "friction.second",
                                                                 "friction.first.rx",
                                                                 "friction.first.ry",
                                                                 "friction.second.rx",
                                                                 "friction.second.ry"};

const char *rbv_component_name(RbvComponent component) {
    return component_names[component];
}

const char *rbv_component_unit(RbvComponent component) {
    return (component >= RBV_TX && component <= RBV_TZ) || component >= RBV_FRICTION_RX ? "N.m" : "N";
}

bool rbv_measure_is_angle(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_ANGLE || kind == RBV_MEASURE_TURN || kind == RBV_MEASURE_DIRECTION ||
           kind == RBV_MEASURE_ROTATION || kind == RBV_MEASURE_TILT || kind == RBV_MEASURE_TWIST ||
           kind == RBV_MEASURE_DOT || kind == RBV_MEASURE_SPIN || kind == RBV_MEASURE_SWING || kind == RBV_MEASURE_BEND;
}

bool rbv_measure_counts_turns(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_ANGLE || kind == RBV_MEASURE_TWIST;
}

RbvPosition rbv_source_position(const RbvSource *source, const char *path, size_t offset) {
    return source && source->find ? source->find(source->node, path, offset) : (RbvPosition){0, 0};
}

void rbv_source_error(const RbvSource *source, const char *path, const char *format, ...) {
    if (!source)
        return;
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(source->diagnostics, RBV_ERROR, source->file, rbv_source_position(source, path, 0), format,
                      arguments);
    va_end(arguments);
}

bool rbv_model_reserve_item(RbvModel *model, void *array, size_t item_size) {
    RBV_ARRAY(void) *list = array;
    if (list->count < list->capacity)
        return true;
    int32_t capacity = list->capacity + list->capacity / 2 + 8;
    bool known = list->items || model->list_count < RBV_MODEL_LISTS;
    void *items = known ? realloc(list->items, (size_t)capacity * item_size) : NULL;
    if (!items) {
        model->no_memory = true;
        return false;
    }
    if (!list->items)
        model->lists[model->list_count++] = array;
    list->items = items;
    list->capacity = capacity;
    return true;
}

int32_t rbv_model_grow(RbvModel *model, void *array, size_t item_size) {
    RBV_ARRAY(void) *list = array;
    if (model->refill)
        return rbv_refill_next(model, array, item_size);
    if (!rbv_model_reserve_item(model, array, item_size))
        return -1;
    memset((char *)list->items + (size_t)list->count * item_size, 0, item_size);
    return list->count++;
}

RbvModel *rbv_model_create(RbvSpace space, const char *title) {
    RbvModel *model = space == RBV_PLANAR || space == RBV_SPATIAL ? calloc(1, sizeof *model) : NULL;
    if (!model)
        return NULL;
    model->space = space;
    model->file = "";
    model->track_rate = NAN;
    title = title ? title : "";
    model->title = rbv_arena_copy(&model->arena, title, strlen(title));
    int32_t ground = rbv_model_grow(model, &model->bodies, sizeof(RbvBody));
    if (!model->title || ground != 0 || !rbv_name_table_add(&model->names, "ground", RBV_NAMED_BODY) ||
        rbv_model_add_raw_marker(model, "ground", 0, rbv_vec3(0, 0, 0), 0) != 0 ||
        !rbv_name_table_add(&model->marker_names, "ground", 0)) {
        rbv_model_destroy(model);
        return NULL;
    }
    model->bodies.items[0].name = "ground";
    model->bodies.items[0].rotation = rbv_quat_identity();
    return model;
}

void rbv_model_destroy(RbvModel *model) {
    if (!model)
        return;
    if (model->source.destroy)
        model->source.destroy(model->source.context);
    for (int32_t k = 0; k < RBV_MODEL_NUMBERS; k++)
        rbv_expr_destroy(model->numbers[k]);
    for (int32_t k = 0; k < model->tables.count; k++)
        rbv_spline_destroy(model->tables.items[k].spline);
    for (int32_t k = 0; k < model->cams.count; k++)
        rbv_spline_destroy(model->cams.items[k].z);
    for (int32_t k = 0; k < model->cams.count; k++)
        for (int side = 0; side < 2; side++) {
            rbv_spline_destroy(model->cams.items[k].x[side]);
            rbv_spline_destroy(model->cams.items[k].y[side]);
        }
    for (int32_t k = 0; k < model->constraints.count; k++)
        rbv_expr_destroy(model->constraints.items[k].equation);
    for (int32_t k = 0; k < model->nonideals.count; k++)
        rbv_expr_destroy(model->nonideals.items[k].force);
    for (int32_t k = 0; k < model->drives.count; k++)
        rbv_expr_destroy(model->drives.items[k].motion), rbv_expr_destroy(model->drives.items[k].most);
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            rbv_expr_destroy(model->loads.items[k].value[part]);
    for (int32_t k = 0; k < model->outputs.count; k++)
        rbv_expr_destroy(model->outputs.items[k].value);
    for (int32_t k = 0; k < model->questions.count; k++)
        rbv_expr_destroy(model->questions.items[k].value);
    for (int32_t k = 0; k < model->states.count; k++)
        rbv_expr_destroy(model->states.items[k].rate);
    for (int32_t k = 0; k < model->generalized.count; k++)
        rbv_expr_destroy(model->generalized.items[k].force);
    for (int32_t k = 0; k < model->masses.count; k++)
        rbv_expr_destroy(model->masses.items[k]);
    for (int32_t k = 0; k < model->events.count; k++)
        rbv_expr_destroy(model->events.items[k].when);
    for (int32_t k = 0; k < model->settings.count; k++)
        rbv_expr_destroy(model->settings.items[k].value);
    for (int32_t k = 0; k < model->conditions.count; k++)
        rbv_expr_destroy(model->conditions.items[k].active);
    rbv_name_table_clear(&model->names);
    for (int32_t k = 0; k < model->coordinates.count; k++)
        rbv_expr_destroy(model->coordinates.items[k].value);
    rbv_name_table_clear(&model->coordinate_names);
    rbv_name_table_clear(&model->constants);
    rbv_name_table_clear(&model->function_names);
    rbv_name_table_clear(&model->marker_names);
    rbv_index_table_clear(&model->measure_table);
    rbv_name_table_clear(&model->variable_keys);
    for (int32_t k = 0; k < model->list_count; k++) {
        RBV_ARRAY(void) *list = model->lists[k];
        free(list->items);
    }
    rbv_arena_clear(&model->arena);
    free(model);
}

void rbv_model_take_text(RbvModel *model, const char *text, size_t length) {
    model->fingerprint = rbv_archive_sum(model->fingerprint ^ RBV_SUM_OF_NOTHING ^ length, text, length);
}

/* [bytes] Longest model text that is kept for pictures. */
#define MOST_TEXT ((size_t)1 << 20)

bool rbv_model_keep_text(RbvModel *model, const char *text, size_t length) {
    if (length > MOST_TEXT)
        return true;
    model->text = rbv_arena_copy(&model->arena, text, length);
    return model->text != NULL;
}

uint64_t rbv_model_fingerprint(const RbvModel *model) {
    return model ? model->fingerprint : 0;
}

const char *rbv_model_title(const RbvModel *model) {
    return model ? model->title : "";
}

RbvStatus rbv_model_set_gravity(RbvModel *model, const double *gravity) {
    if (!model || !gravity)
        return RBV_BAD_ARGUMENT;
    for (int k = 0; k < 3; k++)
        if (!isfinite(gravity[k]))
            return RBV_BAD_ARGUMENT;
    model->gravity = rbv_vec3(gravity[0], gravity[1], gravity[2]);
    return RBV_OK;
}

RbvStatus rbv_model_set_motion(RbvModel *model, double from, double to, double step) {
    if (!model || !isfinite(from) || !isfinite(to) || !isfinite(step) || to < from || step <= 0)
        return RBV_BAD_ARGUMENT;
    model->has_motion = true;
    model->from = from;
    model->to = to;
    model->step = step;
    return RBV_OK;
}

/* The name table holds index * RBV_NAMED_KINDS + kind. */
int32_t rbv_model_find(const RbvModel *model, const char *name, RbvNamedKind kind) {
    int32_t found = rbv_name_table_find(&model->names, name);
    return found >= 0 && found % RBV_NAMED_KINDS == (int32_t)kind ? found / RBV_NAMED_KINDS : -1;
}

bool rbv_model_is_name(const char *name, const RbvSource *source) {
    size_t length = name && rbv_name_is_valid(name) ? strlen(name) : 0;
    if (length == 0)
        rbv_source_error(source, NULL, "'%s' is not a name; a name is letters, digits and '_', starting with a letter",
                         name ? name : "");
    if (length > RBV_NAME_MOST)
        rbv_source_error(source, NULL, "the name '%.40s...' has %zu letters; a name has at most %d", name, length,
                         RBV_NAME_MOST);
    return length > 0 && length <= RBV_NAME_MOST;
}

const char *rbv_model_enter_name(RbvModel *model, const char *name, RbvNamedKind kind, void *array, size_t item_size,
                                 int32_t *index, const RbvSource *source) {
    RBV_ARRAY(void) *list = array;
    static const char *const words[RBV_NAMED_KINDS] = {"body",
                                                       "joint",
                                                       "constraint",
                                                       "drive",
                                                       "load",
                                                       "output",
                                                       "stop",
                                                       "event",
                                                       "state",
                                                       "actuator",
                                                       "generalized coordinate"};
    if (!rbv_model_is_name(name, source))
        return NULL;
    if (model->refill)
        return rbv_refill_named(model, name, kind, array, item_size, index);
    int32_t taken = rbv_name_table_find(&model->names, name);
    if (taken >= 0) {
        rbv_source_error(
            source, NULL,
            "the name '%s' is taken by a %s; bodies, joints, constraints, drives, loads and outputs share one "
            "name space",
            name, words[taken % RBV_NAMED_KINDS]);
        return NULL;
    }
    const char *copy = rbv_arena_copy(&model->arena, name, strlen(name));
    *index = list->count;
    if (copy && rbv_model_reserve_item(model, array, item_size) &&
        rbv_name_table_add(&model->names, copy, *index * RBV_NAMED_KINDS + (int32_t)kind) &&
        rbv_model_grow(model, array, item_size) >= 0)
        return copy;
    model->no_memory = true;
    return NULL;
}

/* Set the axes of a marker; returns the marker, or -1 if out of memory. */
static int32_t turn(RbvModel *model, int32_t marker, RbvAxes axes) {
    RbvMarker *item = &model->markers.items[marker];
    if (!item->turned)
        item->turned = rbv_arena_alloc(&model->arena, sizeof *item->turned);
    model->no_memory = model->no_memory || !item->turned;
    if (!item->turned)
        return -1;
    *item->turned = axes;
    return marker;
}

int32_t rbv_model_add_raw_marker(RbvModel *model, const char *name, int32_t body, RbvVec3 at, double angle) {
    int32_t marker = rbv_model_grow(model, &model->markers, sizeof(RbvMarker));
    if (marker < 0)
        return -1;
    RbvMarker *item = &model->markers.items[marker];
    item->name = item->name ? item->name : name; /* when read again the marker keeps its name */
    item->body = body;
    item->at = at;
    item->angle = angle;
    return angle != 0 || model->journal
               ? turn(model, marker, (RbvAxes){rbv_mat3_about_z(angle), rbv_quat_of_vector(rbv_vec3(0, 0, angle))})
               : marker;
}

int32_t rbv_model_add_raw_frame(RbvModel *model, const char *name, int32_t body, RbvVec3 at, RbvQuat rotation) {
    int32_t marker = rbv_model_add_raw_marker(model, name, body, at, 0);
    if (marker < 0)
        return -1;
    RbvQuat p = rbv_quat_normalised(rotation);
    return rbv_norm(p.e) > 0 || model->markers.items[marker].turned
               ? turn(model, marker, (RbvAxes){rbv_mat3_of_quat(p), p})
               : marker;
}

RbvMat3 rbv_body_axes(const RbvModel *model, const RbvBody *body) {
    return model->space == RBV_SPATIAL ? rbv_mat3_of_quat(body->rotation) : rbv_mat3_about_z(body->angle);
}

RbvVec3 rbv_marker_start(const RbvModel *model, int32_t marker, RbvMat3 *axes) {
    const RbvMarker *item = &model->markers.items[marker];
    const RbvBody *body = &model->bodies.items[item->body];
    RbvMat3 A = rbv_body_axes(model, body);
    *axes = rbv_mat3_product(&A, &rbv_marker_axes(item)->A);
    return rbv_add(body->at, rbv_apply(&A, item->at));
}

RbvStatus rbv_model_wrong(RbvModel *model) {
    model->broken = true;
    return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
}

RbvStatus rbv_model_no_memory(RbvModel *model) {
    model->no_memory = true;
    return RBV_NO_MEMORY;
}

typedef struct Candidates {
    const RbvModel *model;
    int32_t body;
} Candidates;

static const char *body_candidate(const void *context, int32_t k) {
    const RbvBody *body = &((const RbvModel *)context)->bodies.items[k];
    return body->generalized ? "" : body->name;
}

/* The full name "arm.tip" of a marker "tip"; NULL: no body has such a marker, or several have. */
static const char *marker_called(const RbvModel *model, const char *name) {
    const char *found = NULL;
    for (int32_t k = 0; k < model->markers.count; k++) {
        const char *full = model->markers.items[k].name, *dot = full ? strchr(full, '.') : NULL;
        if (!dot || strcmp(dot + 1, name) != 0)
            continue;
        if (found)
            return NULL;
        found = full;
    }
    return found;
}

int32_t rbv_model_find_body(RbvModel *model, const char *name, const char *path, const RbvSource *source) {
    int32_t body = rbv_model_find(model, name, RBV_NAMED_BODY);
    if (body >= 0)
        return body;
    const char *near = rbv_name_nearest(name, model->bodies.count, body_candidate, model);
    near = near && *near ? near : NULL;
    static const char *const grounds[] = {"world",    "base",  "earth", "fixed",
                                          "inertial", "frame", "floor", "environment"};
    for (size_t k = 0; !near && k < sizeof grounds / sizeof grounds[0]; k++)
        near = strcmp(name, grounds[k]) == 0 ? "ground" : NULL;
    const char *marker = near ? NULL : marker_called(model, name);
    if (near || marker)
        rbv_source_error(source, path, "there is no body '%s'; did you mean '%s'?", name, near ? near : marker);
    else
        rbv_source_error(source, path, "there is no body '%s'; the bodies are those under bodies: and ground", name);
    return -1;
}

/* Markers of one body, for "did you mean": the k-th marker's own name, or "" when it belongs to another body. */
static const char *marker_candidate(const void *context, int32_t k) {
    const Candidates *list = context;
    const RbvMarker *marker = &list->model->markers.items[k];
    const char *dot = marker->name ? strchr(marker->name, '.') : NULL;
    return marker->body == list->body && dot ? dot + 1 : "";
}

int32_t rbv_model_find_marker(RbvModel *model, const char *reference, const char *path, const RbvSource *source) {
    int32_t marker = rbv_name_table_find(&model->marker_names, reference);
    rbv_refill_found(model, marker);
    if (marker >= 0)
        return marker;
    const char *dot = strchr(reference, '.');
    char name[RBV_NAME_SIZE];
    size_t length = dot ? (size_t)(dot - reference) : strlen(reference);
    if (length >= sizeof name) {
        rbv_source_error(source, path, "'%.40s...' is no marker; write body.marker", reference);
        return -1;
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    int32_t body = rbv_model_find_body(model, name, path, source);
    if (body < 0)
        return -1;
    if (!dot) {
        const char *copy = model->bodies.items[body].name;
        marker = rbv_model_add_raw_marker(model, copy, body, rbv_vec3(0, 0, 0), 0);
        if (marker >= 0 && rbv_name_table_add(&model->marker_names, copy, marker))
            return marker;
        model->no_memory = true;
        return -1;
    }
    Candidates list = {model, body};
    const char *near = rbv_name_nearest(dot + 1, model->markers.count, marker_candidate, &list);
    if (near && *near)
        rbv_source_error(source, path, "body '%s' has no marker '%s'; did you mean '%s.%s'?", name, dot + 1, name,
                         near);
    else
        rbv_source_error(source, path, "body '%s' has no marker '%s'; markers are defined under markers: of the body",
                         name, dot + 1);
    return -1;
}

RbvMeasure rbv_joint_coordinate(const RbvJoint *joint, int direction) {
    RbvMeasureKind turn = joint->spatial ? RBV_MEASURE_TWIST : RBV_MEASURE_ANGLE,
                   kind = direction < 3 ? RBV_MEASURE_OFFSET : turn;
    return (RbvMeasure){kind, {joint->marker[0], joint->marker[1]}, direction % 3};
}

static uint32_t measure_hash(const RbvMeasure *measure) {
    const int32_t key[4] = {(int32_t)measure->kind, measure->marker[0], measure->marker[1], measure->axis};
    return rbv_hash(key, sizeof key);
}

static uint32_t hash_of(const void *model, int32_t measure) {
    return measure_hash(&((const RbvModel *)model)->measures.items[measure]);
}

int32_t rbv_model_find_measure(const RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis) {
    if (model->measure_table.capacity == 0)
        return -1;
    const RbvMeasure measure = {kind, {i, j}, axis};
    uint32_t cell = rbv_index_cell(&model->measure_table, measure_hash(&measure));
    for (int32_t k; (k = rbv_index_at(&model->measure_table, cell)) >= 0;
         cell = rbv_index_cell(&model->measure_table, cell + 1)) {
        const RbvMeasure *other = &model->measures.items[k];
        if (other->kind == kind && other->marker[0] == i && other->marker[1] == j && other->axis == axis)
            return k;
    }
    return -1;
}

/* Index of the measure, added if new (*fresh); -1: out of memory. */
static int32_t take_measure(RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis, bool *fresh) {
    int32_t measure = rbv_model_find_measure(model, kind, i, j, axis);
    *fresh = measure < 0;
    if (measure >= 0)
        return measure;
    bool reserved = rbv_model_reserve_item(model, &model->prescribed, sizeof(RbvPrescribed));
    measure = reserved ? rbv_model_grow(model, &model->measures, sizeof(RbvMeasure)) : -1;
    if (measure >= 0)
        model->measures.items[measure] = (RbvMeasure){kind, {i, j}, axis};
    if (measure < 0 || rbv_model_grow(model, &model->prescribed, sizeof(RbvPrescribed)) != measure ||
        !rbv_index_table_add(&model->measure_table, measure, hash_of, model)) {
        model->no_memory = true;
        return -1;
    }
    return measure;
}

int32_t rbv_model_measure(RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis) {
    bool fresh;
    int32_t measure = take_measure(model, kind, i, j, axis, &fresh);
    if (measure >= 0)
        model->prescribed.items[measure].of_locks = false;
    return measure;
}

/* Kind of the measure of a relative direction. */
static RbvMeasureKind direction_kind(const RbvModel *model, int direction, uint8_t locked, int32_t *of_axis) {
    *of_axis = direction < 3 ? direction : direction - 3;
    if (direction < 3)
        return RBV_MEASURE_OFFSET;
    *of_axis = 2;
    if (model->space == RBV_PLANAR)
        return RBV_MEASURE_ANGLE;
    *of_axis = direction - 3;
    /* two locked turns leave one common axis; the twist about it is its turn, the others are tilts of that axis */
    for (int axis = 0; axis < 3; axis++) {
        int others = RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis);
        if ((locked & RBV_DIRECTIONS_TURNS) != others)
            continue;
        if (direction - 3 == axis)
            return RBV_MEASURE_TWIST;
        *of_axis = 3 * axis + direction - 3;
        return RBV_MEASURE_TILT;
    }
    return RBV_MEASURE_ROTATION;
}

int32_t rbv_model_direction_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t locked) {
    int32_t axis;
    RbvMeasureKind kind = direction_kind(model, direction, locked, &axis);
    return rbv_model_measure(model, kind, i, j, axis);
}

int32_t rbv_model_lock_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t locked) {
    int32_t axis;
    bool fresh;
    RbvMeasureKind kind = direction_kind(model, direction, locked, &axis);
    int32_t measure = take_measure(model, kind, i, j, axis, &fresh);
    if (fresh && measure >= 0)
        model->prescribed.items[measure].of_locks = true;
    return measure;
}

/* Notes on the model that a reader of a result needs. They are found while reading and compiling, kept in the model,
 * each once, and printed in every result of it (solution/record/record_notes.c), independent of the list of messages.
 */

/* Largest number of notes; more are dropped. */
#define MOST_NOTES 100

static void keep_note(RbvModel *model, const char *text) {
    if (model->notes.count >= MOST_NOTES)
        return;
    for (int32_t k = 0; k < model->notes.count; k++)
        if (strcmp(model->notes.items[k], text) == 0)
            return;
    int32_t k = rbv_model_grow(model, &model->notes, sizeof *model->notes.items);
    const char *copy = rbv_arena_copy(&model->arena, text, strlen(text));
    if (k >= 0)
        model->notes.items[k] = copy ? copy : "";
    model->no_memory = model->no_memory || !copy;
}

/* Report and keep a note. No action while the model is refilled: the notes exist already. */
static void add_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format,
                     va_list arguments) {
    if (model->refill)
        return;
    RbvText text = {0};
    rbv_text_list(&text, format, arguments);
    char *line = rbv_text_take(&text);
    if (!line) {
        model->no_memory = true;
        return;
    }
    rbv_diagnose(diagnostics, RBV_NOTE, model->file, at, "%s", line);
    keep_note(model, line);
    free(line);
}

void rbv_model_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(model, diagnostics, at, format, arguments);
    va_end(arguments);
}

void rbv_source_note(RbvModel *model, const RbvSource *source, const char *path, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(model, source ? source->diagnostics : NULL, rbv_source_position(source, path, 0), format, arguments);
    va_end(arguments);
}
