/* Reads the model file top down: parameters and tables first, then the items that refer to them, whatever the order in
 * the file. */
#define _XOPEN_SOURCE 700
#include "core/base/diagnostics.h"
#include "model/model/keys.h"
#include "model/read/files.h"
#include "model/read/sections.h"
#include "model/read/tree.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- files of other kinds given as a model: their probable kind, and where such files belong --- */

/* [bytes] part of the file that is searched for marks of a kind */
#define LOOKED_AT 4000

static bool has(const char *text, size_t length, const char *part) {
    size_t n = strlen(part);
    for (size_t k = 0; k + n <= length; k++)
        if (memcmp(text + k, part, n) == 0)
            return true;
    return false;
}

static const char *kind_of_xml(const char *text, size_t length) {
    return has(text, length, "<robot")    ? "URDF"
           : has(text, length, "<mujoco") ? "MJCF"
           : has(text, length, "<sdf")    ? "SDF"
                                          : NULL;
}

/* True if the text has control characters that no text file has. */
static bool is_binary(const char *text, size_t length) {
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f')
            return true;
    }
    return false;
}

/* True for a binary STL: 80 bytes of header, the number of triangles, 50 bytes per triangle. */
static bool is_binary_stl(const char *text, size_t length) {
    uint32_t count;
    if (length < 84)
        return false;
    memcpy(&count, text + 80, sizeof count);
    return (uint64_t)length == 84 + 50 * (uint64_t)count;
}

/* True for at least two lines of which the first has a comma or semicolon, and no colon. */
static bool is_table(const char *text, size_t length) {
    size_t first = 0;
    while (first < length && text[first] != '\n')
        first++;
    return first < length && (has(text, first, ",") || has(text, first, ";")) && !has(text, length, ":") &&
           text[0] != '{' && text[0] != '[';
}

/* Is the text neither YAML nor JSON? Then message[size] names its kind and where it belongs. */
static bool foreign_text(const char *text, size_t length, char *message, size_t size) {
    size_t looked = length < LOOKED_AT ? length : LOOKED_AT, blank = 0;
    const char *xml;
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return false; /* text of another encoding: a later check reports more about it */
    while (blank < looked && strchr(" \t\r\n\xEF\xBB\xBF", text[blank]) && text[blank])
        blank++;
    if (is_binary_stl(text, length)) {
        snprintf(message, size,
                 "this is a mesh (STL), not a model; a model names it in a body's shape: {mesh: {file: part.stl}, "
                 "density: 7850}");
    } else if (is_binary(text, looked)) {
        snprintf(message, size, "this is a binary file, not a model: a model is a text (YAML or JSON)");
    } else if (blank < looked && text[blank] == '<') {
        xml = kind_of_xml(text, looked);
        snprintf(message, size,
                 xml ? "this is XML (%s), not a model (YAML or JSON); such files are not converted in this version"
                     : "this is XML, not a model (YAML or JSON); such files are not converted in this version",
                 xml);
    } else if (looked - blank > 6 && memcmp(text + blank, "solid", 5) == 0 && has(text, looked, "facet")) {
        snprintf(message, size,
                 "this is a mesh (STL), not a model; a model names it in a body's shape: {mesh: {file: part.stl}, "
                 "density: 7850}");
    } else if (is_table(text, looked)) {
        snprintf(message, size,
                 "this looks like a table of numbers (CSV), not like a model; a model names it under tables: {lift: "
                 "{file: lift.csv, x: angle, y: height}}");
    } else {
        return false;
    }
    return true;
}

/* Is the tree a file written by this program that is no model? Then message[size] explains it. */
static bool foreign_root(const RbvNode *root, char *message, size_t size) {
    if (rbv_node_find(root, "roberval", 8) >= 0 && rbv_node_find(root, "analysis", 8) >= 0 &&
        rbv_node_find(root, "mobility", 8) >= 0) {
        snprintf(message, size,
                 "this is a result (result.json), not a model; its member model: names the file it came from");
        return true;
    }
    for (const RbvKey *key = rbv_model_keys; key->name; key++)
        if (rbv_node_find(root, key->name, strlen(key->name)) >= 0)
            return false;
    if (root->kind != RBV_NODE_MAP || root->count == 0)
        return false;
    snprintf(message, size,
             "nothing of a model stands in this file; a model has roberval: 1, space: planar or spatial, and bodies:, "
             "joints:, drives:, ...");
    return true;
}

/* Record the unit of bare numbers of a dimension in the model, if it is not the SI unit. */
static void set_bare_unit(RbvReader *reader, RbvDimension dimension, const char *text) {
    const char *copy = rbv_arena_copy(&reader->model->arena, text, strlen(text));
    reader->no_memory = reader->no_memory || !copy;
    if (reader->unit[dimension] < 1 || reader->unit[dimension] > 1)
        reader->model->bare_unit[dimension] = (RbvShownUnit){copy, reader->unit[dimension]};
}

static void read_units(RbvReader *reader, const RbvNode *node) {
    if (node->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, node->at, "units must be a map such as {length: mm, angle: deg}");
        return;
    }
    for (int32_t k = 0; k < node->count; k++) {
        int32_t dimension = rbv_dimension_find(node->keys[k]);
        const RbvNode *value = node->items[k];
        RbvUnit unit;
        size_t unknown = 0;
        if (dimension < 0) {
            const char *near = rbv_nearest_dimension(node->keys[k]);
            rbv_reader_error(reader, node->key_at[k],
                             near ? "units: there is no dimension '%s'; did you mean '%s'?"
                                  : "units: there is no dimension '%s'",
                             node->keys[k], near);
        } else if (value->kind != RBV_NODE_SCALAR || value->type != RBV_SCALAR_STRING) {
            rbv_reader_error(reader, value->at, "units: %s wants the name of a unit, such as %s", node->keys[k],
                             rbv_dimension_si((RbvDimension)dimension));
        } else if (!rbv_unit_parse(value->text, strlen(value->text), &unit, &unknown)) {
            const char *near = rbv_unit_nearest(value->text, strlen(value->text));
            rbv_reader_error(reader, value->at, near ? "'%s' is no unit; did you mean '%s'?" : "'%s' is no unit",
                             value->text, near);
        } else if (!rbv_unit_measures(&unit, (RbvDimension)dimension)) {
            char is[128];
            rbv_exponents_words(unit.exponents, is, sizeof is);
            rbv_reader_error(reader, value->at, "units: '%s' is no unit of %s; it measures %s", value->text,
                             rbv_dimension_name((RbvDimension)dimension), is);
        } else {
            reader->unit[dimension] = unit.factor;
            set_bare_unit(reader, (RbvDimension)dimension, value->text);
        }
    }
}

/* Read format, space and title. False: nothing else can be read. */
static bool read_model_head(RbvReader *reader, const RbvFields *top) {
    const RbvNode *format = rbv_fields_node(top, "roberval");
    if (format && (format->kind != RBV_NODE_SCALAR || format->type != RBV_SCALAR_NUMBER || format->number != 1)) {
        rbv_reader_error(reader, format->at, "this program reads format roberval: 1, not %s",
                         format->kind == RBV_NODE_SCALAR ? format->text : "this");
        return false;
    }
    int space = 0;
    rbv_fields_choice(top, "space", &space);
    reader->model->space = space == 1 ? RBV_SPATIAL : RBV_PLANAR;
    const char *title = NULL;
    rbv_fields_text(top, "title", &title);
    if (title) {
        reader->model->title = rbv_arena_copy(&reader->model->arena, title, strlen(title));
        reader->no_memory = reader->no_memory || !reader->model->title;
    }
    return true;
}

static void read_top(RbvReader *reader, const RbvNode *root) {
    RbvFields top;
    char foreign[200];
    if (foreign_root(root, foreign, sizeof foreign)) {
        rbv_reader_error(reader, root->at, "%s", foreign);
        return;
    }
    if (!rbv_fields_open(&top, reader, root, root->at, rbv_model_keys, NULL, "the model") ||
        !read_model_head(reader, &top))
        return;
    const RbvNode *units = rbv_fields_node(&top, "units");
    if (units)
        read_units(reader, units);
    rbv_read_parameters(reader, &top);
    for (int section = RBV_SECTION_NONE + 1; section < RBV_SECTIONS; section++)
        rbv_read_section(reader, &top, (RbvSection)section);
    rbv_read_cases(reader, &top);
    rbv_read_tolerances(reader, &top);
    if (!reader->model->broken && !reader->model->no_memory)
        rbv_model_note_unused(reader->model, reader->diagnostics);
}

RbvStatus rbv_read_tree(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics,
                        RbvNodeTree **tree) {
    RbvDiagnostics *own = diagnostics ? NULL : rbv_diagnostics_create();
    RbvDiagnostics *messages = diagnostics ? diagnostics : own;
    *tree = NULL;
    char foreign[300];
    if (foreign_text(text, length, foreign, sizeof foreign))
        rbv_diagnose(messages, RBV_ERROR, name, (RbvPosition){1, 1}, "%s", foreign);
    else
        *tree = rbv_node_tree_parse(name, text, length, messages);
    /* out of memory is the only message of the tree reader */
    int32_t count = rbv_diagnostics_count(messages);
    bool no_memory =
        !*tree && (count == 0 || strcmp(rbv_diagnostics_at(messages, count - 1).message, "no memory") == 0);
    rbv_diagnostics_sort(messages);
    rbv_diagnostics_destroy(own);
    if (*tree)
        return RBV_OK;
    return no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
}

static RbvStatus read_model_tree(const char *name, const RbvNodeTree *tree, bool journal, const RbvCallSettings *call,
                                 RbvDiagnostics *diagnostics, RbvModel **model) {
    *model = NULL;
    RbvDiagnostics *own = diagnostics ? NULL : rbv_diagnostics_create();
    RbvReader reader = {.diagnostics = diagnostics ? diagnostics : own, .file = name, .call = *call};
    int32_t errors_before = rbv_diagnostics_errors(reader.diagnostics);
    for (int k = 0; k < RBV_DIM_COUNT; k++)
        reader.unit[k] = 1;
    reader.model = rbv_model_create(RBV_PLANAR, "");
    reader.override_used = rbv_arena_array(&reader.arena, (size_t)call->overrides.count + 1, sizeof(bool));
    const char *file = reader.model ? rbv_arena_copy(&reader.model->arena, name, strlen(name)) : NULL;
    if (file && reader.override_used) {
        reader.model->file = file;
        reader.model->journal = journal;
        reader.model->scene = call->scene;
        for (int32_t k = 0; k < call->function_count; k++)
            rbv_model_add_function(reader.model, &call->functions[k], reader.diagnostics);
        read_top(&reader, rbv_node_tree_root(tree));
    } else {
        reader.no_memory = true;
    }
    RbvStatus status = RBV_OK;
    if (reader.no_memory || (reader.model && reader.model->no_memory))
        status = RBV_NO_MEMORY;
    else if (rbv_diagnostics_errors(reader.diagnostics) > errors_before || (reader.model && reader.model->broken))
        status = RBV_BAD_INPUT;
    rbv_diagnostics_sort(reader.diagnostics);
    rbv_arena_clear(&reader.arena);
    rbv_diagnostics_destroy(own);
    if (status != RBV_OK) {
        rbv_model_destroy(reader.model);
        return status;
    }
    *model = reader.model;
    return RBV_OK;
}

RbvStatus rbv_read_changing(const char *name, RbvNodeTree *tree, bool owned, const RbvCallSettings *call,
                            RbvDiagnostics *diagnostics, RbvModel **model) {
    bool journal = rbv_node_child(rbv_node_tree_root(tree), "parameters") != NULL;
    RbvStatus status = read_model_tree(name, tree, journal, call, diagnostics, model);
    if (status == RBV_OK && journal && rbv_keep_source(*model, tree, owned, call))
        return RBV_OK;
    if (status == RBV_OK && journal) {
        rbv_model_destroy(*model);
        *model = NULL;
        status = RBV_NO_MEMORY;
    }
    if (owned)
        rbv_node_tree_destroy(tree);
    return status;
}

RbvStatus rbv_read_model_file(const char *path, char **text, size_t *length, RbvDiagnostics *diagnostics) {
    errno = 0;
    RbvStatus status = rbv_read_file(path, RBV_TREE_MAX_BYTES, text, length);
    if (status == RBV_BAD_INPUT)
        rbv_diagnose(diagnostics, RBV_ERROR, path, (RbvPosition){0, 0}, "cannot read the model: %s",
                     errno ? strerror(errno) : "it is larger than 256 MiB or not a file");
    return status;
}

const RbvInput rbv_input_default = {.path = NULL};

RbvStatus rbv_check_input(const RbvInput *input, RbvDiagnostics *diagnostics) {
    if (!input || !input->path || (!input->text && input->length > 0) || input->override_count < 0 ||
        (input->override_count > 0 && !input->overrides) || input->folder_count < 0 ||
        (input->folder_count > 0 && !input->folders) || input->input_count < 0 ||
        (input->input_count > 0 && !input->inputs) || input->function_count < 0 ||
        (input->function_count > 0 && !input->functions))
        return RBV_BAD_ARGUMENT;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < input->folder_count; k++) {
        struct stat what;
        bool there = stat(input->folders[k], &what) == 0;
        if (there && S_ISDIR(what.st_mode))
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, input->path, (RbvPosition){0, 0}, RBV_OPTION_FOLDERS " %s: %s",
                     input->folders[k], there ? "it is no folder" : strerror(errno));
        status = RBV_BAD_INPUT;
    }
    return status;
}

RbvCallSettings rbv_call_settings(const RbvInput *input) {
    return (RbvCallSettings){.overrides = {input->override_count, input->overrides, RBV_OPTION_OVERRIDES},
                             .folders = {input->folder_count, input->folders},
                             .input_count = input->input_count,
                             .inputs = input->inputs,
                             .function_count = input->function_count,
                             .functions = input->functions,
                             .scene = input->scene};
}

static RbvStatus load_text(const RbvInput *input, const char *text, size_t length, RbvDiagnostics *diagnostics,
                           RbvModel **model) {
    const RbvCallSettings call = rbv_call_settings(input);
    RbvNodeTree *tree;
    RbvStatus status = rbv_read_tree(input->path, text, length, diagnostics, &tree);
    if (status != RBV_OK)
        return status;
    if (!input->fixed) {
        status = rbv_read_changing(input->path, tree, true, &call, diagnostics, model);
    } else {
        status = read_model_tree(input->path, tree, false, &call, diagnostics, model);
        rbv_node_tree_destroy(tree);
    }
    if (status != RBV_OK)
        return status;
    rbv_model_take_text(*model, text, length);
    if (input->scene && !rbv_model_keep_text(*model, text, length)) {
        rbv_model_destroy(*model);
        *model = NULL;
        return RBV_NO_MEMORY;
    }
    for (int32_t k = 0; k < input->override_count; k++)
        rbv_model_take_text(*model, input->overrides[k], strlen(input->overrides[k]));
    return RBV_OK;
}

RbvStatus rbv_model_read(const RbvInput *input, RbvDiagnostics *diagnostics, RbvModel **model) {
    RbvStatus status = model ? rbv_check_input(input, diagnostics) : RBV_BAD_ARGUMENT;
    if (model)
        *model = NULL;
    if (status != RBV_OK || input->text)
        return status == RBV_OK ? load_text(input, input->text, input->length, diagnostics, model) : status;
    char *text;
    size_t length;
    status = rbv_read_model_file(input->path, &text, &length, diagnostics);
    if (status == RBV_OK)
        status = load_text(input, text, length, diagnostics, model);
    free(text);
    return status;
}
