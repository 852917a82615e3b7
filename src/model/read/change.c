/* New values of parameters of a loaded model. Parameters that depend on them are evaluated again, and the items that
 * read them are read again, in place (model/model/refill.h). */
#include "core/base/diagnostics.h"
#include "model/model/refill.h"
#include "model/read/sections.h"

#include <math.h>
#include <string.h>

/* Source for reading items again; in the model's arena, but for the tree. */
typedef struct Source {
    RbvNodeTree *tree;
    bool owned;
    RbvCallSettings call; /* overrides and folders */
} Source;

/* State of a change while it is made. */
typedef struct Change {
    RbvReader reader;
    RbvFields top;
    RbvModel *model;
    bool *changed;  /* [parameters] true: the value has changed */
    int32_t errors; /* number of errors before the change */
} Change;

static void wrong_change(Change *change, const char *format, const char *name) {
    rbv_reader_error(&change->reader, (RbvPosition){0, 0}, format, name);
}

static bool is_good(const Change *change) {
    return !change->reader.no_memory && !change->model->no_memory && !change->model->refill->differs &&
           rbv_diagnostics_errors(change->reader.diagnostics) == change->errors;
}

/* ---- parameters ---- */

/* The last new value for a parameter; NULL: none. */
static const double *find_value(const RbvParameterValue *values, int32_t count, int32_t parameter) {
    for (int32_t k = count - 1; k >= 0; k--)
        if (values[k].parameter == parameter)
            return &values[k].value;
    return NULL;
}

/* True if the parameter's expression uses a parameter that has changed. model->uses is sorted by the using parameter;
 * *use advances with the calls. */
static bool is_made_of_changed(const Change *change, int32_t parameter, int32_t *use) {
    const RbvModel *model = change->model;
    bool depends = false;
    while (*use < model->uses.count && model->uses.items[*use].by < parameter)
        ++*use;
    for (; *use < model->uses.count && model->uses.items[*use].by == parameter; ++*use) {
        int32_t constant = model->uses.items[*use].constant;
        depends = depends || (constant % 2 == 0 && change->changed[constant / 2]);
    }
    return depends;
}

static void read_parameters(Change *change, const RbvParameterValue *values, int32_t count) {
    RbvModel *model = change->model;
    const RbvNode *dict = rbv_fields_node(&change->top, "parameters");
    int32_t use = 0;
    for (int32_t k = 0; k < model->parameters.count; k++) {
        RbvParameter *parameter = &model->parameters.items[k];
        const double *given = find_value(values, count, k);
        bool depends = is_made_of_changed(change, k, &use);
        bool fixed = given ? !isnan(*given) : parameter->fixed;
        double value = given && fixed ? *given : parameter->value;
        RbvExprDimension measured = parameter->dimension;
        parameter->fixed = fixed;
        if (!fixed && (depends || given) && k < dict->count)
            rbv_read_value(&change->reader, dict, k, &value, &measured);
        change->changed[k] = memcmp(&value, &parameter->value, sizeof value) != 0;
        parameter->value = value;
        if (measured.bond != parameter->dimension.bond ||
            !rbv_exponents_equal(measured.exponents, parameter->dimension.exponents))
            model->refill->differs = true;
    }
}

/* ---- items ---- */

/* Mark the joints of moved bodies for reading again: the positions of their markers may change. */
static void find_joints(Change *change) {
    RbvModel *model = change->model;
    const bool *moved = model->refill->moved;
    for (int32_t k = 0; model->refill->any_moved && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool touches = moved[model->markers.items[joint->marker[0]].body] ||
                       moved[model->markers.items[joint->marker[1]].body] || moved[joint->carrier];
        model->refill->again[k] = model->refill->again[k] || touches;
    }
}

static void read_joints(Change *change) {
    for (int32_t k = 0; k < change->model->joints.count && is_good(change); k++)
        if (change->model->refill->again[k])
            rbv_read_again(&change->reader, &change->top, (RbvItem){RBV_SECTION_JOINTS, k});
}

/* Read again all items that read a changed parameter, in the order of the file. Joints are only marked, and read
 * together with the joints of moved bodies. */
static void read_changed_item(Change *change) {
    RbvModel *model = change->model;
    bool joints_read = false;
    RbvItem last = {RBV_SECTION_NONE, -1};
    for (int32_t k = 0; k < model->readings.count && is_good(change); k++) {
        const RbvReading *reading = &model->readings.items[k];
        RbvItem item = reading->item;
        if (!joints_read && (item.section == RBV_SECTION_NONE || item.section > RBV_SECTION_JOINTS)) {
            find_joints(change);
            read_joints(change);
            joints_read = true;
        }
        if (!change->changed[reading->parameter] || (item.section == last.section && item.index == last.index))
            continue;
        last = item;
        if (item.section == RBV_SECTION_NONE)
            wrong_change(change,
                         "the parameter '%s' cannot be changed: what the program has added to the model reads it",
                         model->parameters.items[reading->parameter].name);
        else if (item.section == RBV_SECTION_TABLES)
            wrong_change(
                change,
                "the parameter '%s' cannot be changed: a table is smoothed by it, and tables are not read again",
                model->parameters.items[reading->parameter].name);
        else if (item.section == RBV_SECTION_JOINTS)
            model->refill->again[item.index] = true;
        else
            rbv_read_again(&change->reader, &change->top, item);
    }
    if (!joints_read && is_good(change)) {
        find_joints(change);
        read_joints(change);
    }
}

static RbvStatus change_model(void *context, RbvModel *model, const RbvParameterValue *values, int32_t count,
                              RbvDiagnostics *diagnostics) {
    const Source *source = context;
    Change change = {.model = model, .errors = rbv_diagnostics_errors(diagnostics)};
    RbvReader *reader = &change.reader;
    *reader = (RbvReader){.diagnostics = diagnostics, .file = model->file, .model = model, .call = source->call};
    for (int k = 0; k < RBV_DIM_COUNT; k++)
        reader->unit[k] = model->bare_unit[k].text ? model->bare_unit[k].factor : 1;
    reader->override_used = rbv_arena_alloc(&reader->arena, ((size_t)source->call.overrides.count + 1) * sizeof(bool));
    change.changed = rbv_arena_alloc(&reader->arena, ((size_t)model->parameters.count + 1) * sizeof(bool));
    change.top = (RbvFields){
        .reader = reader, .node = rbv_node_tree_root(source->tree), .keys = rbv_model_keys, .what = "the model"};
    reader->no_memory = !reader->override_used || !change.changed;
    if (!reader->no_memory) {
        read_parameters(&change, values, count);
        read_changed_item(&change);
    }
    bool settled = is_good(&change) && rbv_refill_settle(model), differs = model->refill->differs;
    bool no_memory = !differs && (reader->no_memory || model->no_memory);
    if (differs)
        wrong_change(&change, "these values change %s: read the model anew with them",
                     "what the model is made of, or a unit, and not its numbers alone");
    rbv_arena_clear(&reader->arena);
    if (settled)
        return RBV_OK;
    return no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
}

/* ---- keeping ---- */

static void destroy(void *context) {
    const Source *source = context;
    if (source->owned)
        rbv_node_tree_destroy(source->tree);
}

static bool copy_texts(RbvArena *arena, int32_t count, const char *const *items, const char *const **out) {
    const char **copies = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *copies);
    for (int32_t k = 0; copies && k < count; k++)
        if (!(copies[k] = rbv_arena_copy(arena, items[k], strlen(items[k]))))
            return false;
    *out = copies;
    return copies != NULL;
}

bool rbv_keep_source(RbvModel *model, RbvNodeTree *tree, bool owned, const RbvCallSettings *call) {
    const RbvOverrides *overrides = &call->overrides;
    const RbvFolders *folders = &call->folders;
    Source *source = rbv_arena_alloc(&model->arena, sizeof *source);
    if (!source)
        return false;
    *source = (Source){.tree = tree, .owned = owned, .call = {.overrides = *overrides, .folders = *folders}};
    if (!copy_texts(&model->arena, overrides->count, overrides->items, &source->call.overrides.items) ||
        !copy_texts(&model->arena, folders->count, folders->items, &source->call.folders.items))
        return false;
    model->source = (RbvModelSource){change_model, destroy, source};
    return true;
}
