/* Results: their memory and public accessors; the items and units that a view requests of them. */
#include "model/result/result.h"

#include "core/base/diagnostics.h"
#include "model/result/scene.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rbv_verdict_name(RbvVerdict verdict) {
    static const char *const names[] = {"free", "unique", "compliance", "unsure", "not unique"};
    return names[verdict];
}

void rbv_result_destroy(RbvResult *result) {
    if (!result)
        return;
    if (result->names)
        rbv_index_table_clear(result->names);
    if (result->scene)
        free(result->scene->figures);
    rbv_arena_clear(&result->arena);
    free(result->columns);
    rbv_result_rows_clear(result);
    free(result->changes);
    free(result->influences.items);
    free(result->notes);
    free(result);
}

static size_t column_width(const RbvResult *result) {
    return (size_t)(result->column_count + result->hidden_count);
}

void rbv_result_decide(RbvResult *result, int32_t column, RbvVerdict verdict) {
    if (verdict > result->columns[column].verdict)
        result->columns[column].verdict = verdict;
}

bool rbv_result_change(RbvResult *result, int32_t column, RbvVerdict verdict, double time) {
    if (result->change_count == result->change_capacity) {
        int32_t capacity = result->change_capacity ? 2 * result->change_capacity : 64;
        RbvVerdictChange *changes = realloc(result->changes, (size_t)capacity * sizeof *changes);
        if (!changes)
            return false;
        result->changes = changes;
        result->change_capacity = capacity;
    }
    result->changes[result->change_count++] = (RbvVerdictChange){time, column, verdict};
    return true;
}

bool rbv_result_influence(RbvResult *result, RbvInfluence influence) {
    if (result->influences.count == result->influences.capacity) {
        size_t capacity = 2 * result->influences.capacity + 64;
        RbvInfluence *grown = realloc(result->influences.items, capacity * sizeof *grown);
        if (!grown)
            return false;
        result->influences.items = grown;
        result->influences.capacity = capacity;
    }
    result->influences.items[result->influences.count++] = influence;
    return true;
}

bool rbv_result_rank_change(RbvResult *result, RbvRankChange change) {
    if (result->rank_change_count == result->rank_change_capacity) {
        int32_t capacity = result->rank_change_capacity ? 2 * result->rank_change_capacity : 16;
        RbvRankChange *grown = rbv_arena_alloc(&result->arena, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        if (result->rank_change_count)
            memcpy(grown, result->rank_changes, (size_t)result->rank_change_count * sizeof *grown);
        result->rank_changes = grown;
        result->rank_change_capacity = capacity;
    }
    result->rank_changes[result->rank_change_count++] = change;
    return true;
}

bool rbv_result_event(RbvResult *result, const RbvEvent *event) {
    RbvFollowed *f = &result->followed;
    if (f->event_count == f->event_capacity) {
        int32_t capacity = f->event_capacity ? 2 * f->event_capacity : 8;
        RbvEvent *grown = rbv_arena_alloc(&result->arena, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        if (f->event_count)
            memcpy(grown, f->events, (size_t)f->event_count * sizeof *grown);
        f->events = grown;
        f->event_capacity = capacity;
    }
    f->events[f->event_count++] = *event;
    return true;
}

const char *rbv_result_spelt(RbvResult *result, const char *text) {
    size_t size = rbv_spell(result->speller, text, NULL, 0) + 1;
    char *spelt = rbv_arena_alloc(&result->arena, size);
    if (spelt)
        rbv_spell(result->speller, text, spelt, size);
    return spelt;
}

bool rbv_result_note(RbvResult *result, const char *text) {
    for (int32_t k = 0; k < result->note_count; k++)
        if (strcmp(result->notes[k], text) == 0)
            return true;
    if (result->note_count == result->note_capacity) {
        int32_t capacity = result->note_capacity ? 2 * result->note_capacity : 8;
        const char **notes = realloc(result->notes, (size_t)capacity * sizeof *notes);
        if (!notes)
            return false;
        result->notes = notes;
        result->note_capacity = capacity;
    }
    const char *copy = rbv_arena_copy(&result->arena, text, strlen(text));
    if (!copy)
        return false;
    result->notes[result->note_count++] = copy;
    return true;
}

const double *rbv_result_range(const RbvResult *result, int32_t column) {
    return result->ranges && !isnan(result->ranges[column][0]) ? result->ranges[column] : NULL;
}

RbvVerdict rbv_result_entry_verdict(const RbvResult *result, const RbvEntry *entry) {
    RbvVerdict worst = RBV_FREE;
    for (int32_t c = entry->first; c < entry->first + entry->count; c++)
        if (result->columns[c].verdict > worst)
            worst = result->columns[c].verdict;
    return worst;
}

RbvResultCounts rbv_result_counts(const RbvResult *result) {
    if (!result)
        return (RbvResultCounts){0};
    return (RbvResultCounts){.samples = result->sample_count,
                             .columns = result->column_count,
                             .path_events = result->followed.event_count,
                             .modes = result->oscillations.count,
                             .self_stresses = result->mode_count,
                             .sums = result->group_count,
                             .clusters = result->cluster_count};
}

static uint32_t column_hash(const void *result, int32_t column) {
    const char *name = ((const RbvResult *)result)->columns[column].name;
    return rbv_hash(name, strlen(name));
}

static int32_t find_in_table(const RbvResult *result, const char *name) {
    const RbvIndexTable *names = result->names;
    uint32_t cell = rbv_index_cell(names, rbv_hash(name, strlen(name)));
    for (int32_t c; (c = rbv_index_at(names, cell)) >= 0; cell = rbv_index_cell(names, cell + 1))
        if (strcmp(result->columns[c].name, name) == 0)
            return c;
    return -1;
}

/* Enter the names of all columns; for repeated names, the first one. False: out of memory. */
static bool fill_names(const RbvResult *result) {
    for (int32_t c = 0; c < result->column_count; c++) {
        bool known = result->names->capacity > 0 && find_in_table(result, result->columns[c].name) >= 0;
        if (!known && !rbv_index_table_add(result->names, c, column_hash, result)) {
            rbv_index_table_clear(result->names);
            return false;
        }
    }
    return true;
}

int32_t rbv_result_find(const RbvResult *result, const char *name) {
    if (!result || !name || !result->names)
        return -1;
    if (result->names->capacity > 0 || (fill_names(result) && result->names->capacity > 0))
        return find_in_table(result, name);
    for (int32_t c = 0; c < result->column_count; c++) /* no memory for the table, or no such column */
        if (strcmp(result->columns[c].name, name) == 0)
            return c;
    return -1;
}

bool rbv_result_name_columns(RbvResult *result) {
    result->names = rbv_arena_alloc(&result->arena, sizeof *result->names);
    return result->names != NULL;
}

static bool has_column(const RbvResult *result, int32_t column) {
    return result && column >= 0 && column < result->column_count;
}

RbvResultColumn rbv_result_column(const RbvResult *result, int32_t index) {
    if (!has_column(result, index))
        return (RbvResultColumn){.name = "", .unit = "", .verdict = RBV_UNIQUE};
    const RbvColumn *column = &result->columns[index];
    return (RbvResultColumn){.name = column->name,
                             .unit = column->unit,
                             .verdict = column->verdict,
                             .judged = column->has_verdict,
                             .error = column->has_error ? column->error : (double)NAN,
                             .values = result->sample_count > 0 ? result->data + index : NULL,
                             .stride = (int32_t)column_width(result)};
}

bool rbv_result_verdicts(const RbvResult *result, int32_t column, uint8_t *verdicts) {
    if (!has_column(result, column) || !verdicts)
        return false;
    const RbvColumn *of = &result->columns[column];
    int32_t sample = 0;
    RbvVerdict verdict = of->has_verdict ? of->begins : RBV_UNIQUE;
    for (int32_t k = 0; k < result->change_count; k++) {
        const RbvVerdictChange *change = &result->changes[k];
        if (change->column != column)
            continue;
        for (; sample < result->sample_count && rbv_result_row(result, sample)[0] < change->time; sample++)
            verdicts[sample] = (uint8_t)verdict;
        verdict = change->verdict;
    }
    for (; sample < result->sample_count; sample++)
        verdicts[sample] = (uint8_t)verdict;
    return true;
}

double rbv_result_value(const RbvResult *result, int32_t sample, int32_t column) {
    if (!has_column(result, column) || sample < 0 || sample >= result->sample_count)
        return NAN;
    return rbv_result_row(result, sample)[column];
}

RbvMobility rbv_result_mobility(const RbvResult *result) {
    return result ? result->mobility : (RbvMobility){0};
}

RbvEquilibriumSummary rbv_result_equilibrium(const RbvResult *result) {
    const RbvEquilibrium *e = result ? &result->equilibrium : NULL;
    if (!e || !e->found)
        return (RbvEquilibriumSummary){.energy = NAN, .curvature = NAN};
    return (RbvEquilibriumSummary){true, e->stability, e->falls_by, e->energy, e->curvature, e->iterations};
}

RbvPathEvent rbv_result_path_event(const RbvResult *result, int32_t event) {
    if (event < 0 || event >= rbv_result_counts(result).path_events)
        return (RbvPathEvent){.at = NAN, .sample = -1};
    const RbvEvent *e = &result->followed.events[event];
    return (RbvPathEvent){e->kind, e->at, e->sample, e->place.falls_by, e->before, e->after};
}

const RbvMode *rbv_result_self_stress(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_counts(result).self_stresses ? &result->modes[index] : NULL;
}

const RbvMode *rbv_result_sum(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_counts(result).sums ? &result->groups[index] : NULL;
}

const RbvCluster *rbv_result_cluster(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_counts(result).clusters ? &result->clusters[index] : NULL;
}

const RbvRemedy *rbv_result_remedy(const RbvResult *result) {
    return result && result->together.count > 0 && !result->together_missing ? &result->together : NULL;
}

RbvModeSummary rbv_result_mode(const RbvResult *result, int32_t mode) {
    if (!result || mode < 0 || mode >= result->oscillations.count)
        return (RbvModeSummary){0};
    const RbvOscillation *o = &result->oscillations.items[mode];
    return (RbvModeSummary){o->re, o->im, o->frequency, o->damping, o->shape_count, o->shape};
}

const RbvStateSpace *rbv_result_state_space(const RbvResult *result) {
    return result && result->oscillations.has_space ? &result->oscillations.space : NULL;
}

/* --- views --- */

const RbvView rbv_view_default = {.width = 100};

/* Does the pattern match the whole name, or that of the item that the column belongs to (up to the first point)? */
static bool matches(const char *pattern, const char *name) {
    char owner[RBV_NAME_SIZE];
    size_t length = strcspn(name, ".");
    if (fnmatch(pattern, name, 0) == 0)
        return true;
    if (length >= sizeof owner)
        return false;
    memcpy(owner, name, length);
    owner[length] = '\0';
    return fnmatch(pattern, owner, 0) == 0;
}

bool rbv_view_shows(const RbvView *view, const char *name) {
    bool shown = view->only_count == 0;
    for (int32_t k = 0; k < view->only_count && !shown; k++)
        shown = matches(view->only[k], name);
    return shown;
}

/* Number of items of a model without columns that match. */
static int32_t things_that_fit(const RbvInfo *info, const char *pattern) {
    const RbvInfoList *const lists[] = {&info->coordinates, &info->constraints, &info->drives, &info->loads,
                                        &info->initial,     &info->parameters,  &info->tables, &info->outputs,
                                        &info->stops,       &info->states,      &info->events, &info->generalized,
                                        &info->required,    &info->actuators};
    int32_t count = 0;
    for (int32_t k = 0; k < info->body_count; k++)
        count += matches(pattern, info->bodies[k].name);
    for (int32_t k = 0; k < info->joint_count; k++)
        count += matches(pattern, info->joints[k].name);
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++)
        for (int32_t k = 0; k < lists[n]->count; k++)
            count += matches(pattern, lists[n]->items[k].name);
    return count;
}

int32_t rbv_result_match_count(const RbvResult *result, const char *pattern) {
    int32_t count = result && pattern ? things_that_fit(&result->info, pattern) : 0;
    for (int32_t c = 1; result && pattern && c < result->column_count; c++)
        count += matches(pattern, result->columns[c].name);
    return count;
}

RbvShownUnit rbv_view_unit(const RbvView *view, const RbvResult *result, const char *si) {
    for (int d = RBV_DIM_LENGTH; view->model_units && d < RBV_DIM_COUNT; d++)
        if (result->units[d].text && strcmp(rbv_dimension_si((RbvDimension)d), si) == 0)
            return result->units[d];
    return (RbvShownUnit){si, 1};
}

RbvShownUnit rbv_series_unit(const RbvView *view, const RbvResult *result, int32_t column) {
    if (column == 0 && result->followed.parameter && result->followed.shown.text && view->model_units)
        return result->followed.shown;
    return rbv_view_unit(view, result, result->columns[column].unit);
}
