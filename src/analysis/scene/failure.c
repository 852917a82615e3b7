/* Scene of a failed analysis: the error messages, and, without a result, the state nearest to an assembled one with
 * the remaining constraint errors. */
#include "analysis/scene/scene.h"

#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/assemble.h"

#include <stdlib.h>
#include <string.h>

/* Constraint errors below this part of the largest one are rounding, as in the messages of assembly. */
#define NO_PART 1e-6

static bool is_of_numbers(RbvStatus status) {
    return status == RBV_NOT_ASSEMBLED || status == RBV_INCONSISTENT || status == RBV_LOCKED ||
           status == RBV_NO_EQUILIBRIUM || status == RBV_NOT_FINITE || status == RBV_AUDIT_FAILED;
}

/* Error messages, one per line. NULL: out of memory. */
static const char *words_of(RbvResult *result, const RbvDiagnostics *said) {
    RbvText text = {0};
    for (int32_t k = 0; said && k < rbv_diagnostics_count(said); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(said, k);
        if (d.severity == RBV_ERROR)
            rbv_text_format(&text, "%s%s", text.length > 0 ? "\n" : "", d.message);
    }
    const char *copy = text.no_memory || rbv_diagnostics_lost(said)
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

static void put(RbvVec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
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
        put(state->markers[measure->marker[0]].point, gap->from);
        put(state->markers[measure->marker[1]].point, gap->to);
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
static bool tell(RbvResult *result, const RbvDiagnostics *said) {
    RbvSceneStore *scene = result->scene;
    scene->failed.text = words_of(result, said);
    scene->shown.failure = &scene->failed;
    return scene->failed.text != NULL;
}

/* Repeat the assembly to obtain its last state. *state NULL: values there are not finite, so nothing can be drawn.
 * False: out of memory. */
static bool nearest_state(const RbvSystem *system, const RbvOptions *options, RbvState **state) {
    RbvActivity activity = {0};
    RbvAssembly assembly = {.driven = true};
    double t = !isnan(options->from) ? options->from : system->model->has_motion ? system->model->from : 0;
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
                      const RbvDiagnostics *said, RbvResult **out) {
    RbvResult *result = calloc(1, sizeof *result);
    if (result)
        result->bare = true;
    bool good = result && name_all(result, state->system->model, analysis) && rbv_scene_show(result, state, options) &&
                tell(result, said) && find_gaps(result, state) && find_loop(result, state);
    if (!good) {
        rbv_result_destroy(result);
        return false;
    }
    *out = result;
    return true;
}

RbvStatus rbv_scene_end(const RbvSystem *system, const RbvOptions *options, const char *analysis, RbvStatus status,
                        const RbvDiagnostics *said, RbvResult **result) {
    if (!options->scene || !is_of_numbers(status))
        return status;
    if (*result)
        return !(*result)->scene || tell(*result, said) ? status : RBV_NO_MEMORY;
    RbvState *state;
    if (system->absolute) /* joint and natural coordinates satisfy these constraints by themselves: use the absolute
                             system */
        system = system->absolute;
    bool good = nearest_state(system, options, &state) && (!state || make_bare(state, options, analysis, said, result));
    rbv_state_destroy(state);
    return good ? status : RBV_NO_MEMORY;
}
