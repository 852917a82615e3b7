/* Reads a study file: its top level, its model, its options; and what all of it adds up to. */
#include "core/base/archive.h"
#include "core/base/text.h"
#include "model/read/files.h"
#include "model/read/sections.h"
#include "study/definition/reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 20)

static const char *const study_keys[] = {"study",   "title", "model",     "analysis", "options", "vary", "design",
                                         "samples", "seed",  "correlate", "collect",  "keep",    NULL};

/* ---- the analysis ---- */

static const char *const analysis_names[] = {"check", "assemble", "kinematics", "statics", "inverse", "simulate",
                                             "track", "modes",    "size",       NULL}; /* order of RbvStudyAnalysis */

static void read_analysis(RbvStudyReader *reader, const RbvNode *node) {
    int k = rbv_study_word(reader, node, "analysis", analysis_names);
    if (k < 0)
        return;
    reader->study->analysis = analysis_names[k];
    reader->study->of = (RbvStudyAnalysis)k;
    reader->study->one_state = k == RBV_STUDY_CHECK || k == RBV_STUDY_ASSEMBLE || k == RBV_STUDY_STATICS;
}

/* ---- options ---- */

/* "norm_length" as the program has it: "norm-length". */
static const char *option_name(RbvStudyReader *reader, const char *key) {
    char *name = rbv_study_array(reader, strlen(key), 1);
    if (!name)
        return "";
    strcpy(name, key);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return name;
}

static void read_options(RbvStudyReader *reader, const RbvNode *node) {
    RbvStudy *study = reader->study;
    RbvText all = {0};
    if (node->kind != RBV_NODE_MAP) {
        rbv_study_error(reader, node->at, "options: must be a map, such as {to: 1 s}");
        return;
    }
    for (int32_t k = 0; k < node->count && study->analysis; k++) {
        char why[600] = "this program takes no options from a study";
        const char *name = option_name(reader, node->keys[k]);
        const char *value = rbv_study_scalar(reader, node->items[k], node->keys[k]);
        if (!value)
            continue;
        value = rbv_study_copy(reader, value, strlen(value)); /* options may point to it */
        if (!reader->input->set_option || !reader->input->set_option(reader->input->context, study->analysis, name,
                                                                     value, &study->options, why, sizeof why))
            rbv_study_error(reader, node->key_at[k], "options: %s", why);
        rbv_text_format(&all, "%s%s: %s", k ? ", " : "", node->keys[k], value);
    }
    study->options_text = all.data ? rbv_study_copy(reader, all.data, all.length) : "";
    rbv_text_clear(&all);
}

/* ---- the model ---- */

RbvInput rbv_study_model_input(const RbvStudy *study) {
    RbvInput input = rbv_input_default;
    input.path = study->model_path;
    input.folder_count = study->folder_count;
    input.folders = study->folders;
    return input;
}

/* The model, for what the study names of it. NULL: reported. */
static RbvModel *read_model(RbvStudyReader *reader, const RbvNode *node) {
    RbvStudy *study = reader->study;
    RbvModel *model = NULL;
    const char *name = rbv_study_scalar(reader, node, "model");
    if (!name)
        return NULL;
    study->model_path = rbv_study_beside(reader, name);
    RbvInput input = rbv_study_model_input(study);
    RbvDiagnostics *messages = rbv_diagnostics_create();
    rbv_diagnostics_spell(messages, rbv_diagnostics_speller(reader->diagnostics));
    RbvStatus status = messages ? rbv_model_read(&input, messages, &model) : RBV_NO_MEMORY;
    if (status == RBV_BAD_INPUT)
        rbv_study_error(reader, node->at, "the model cannot be read");
    rbv_diagnostics_append(reader->diagnostics, messages);
    rbv_diagnostics_destroy(messages);
    reader->no_memory = reader->no_memory || status == RBV_NO_MEMORY;
    if (!model)
        return NULL;
    study->model_fingerprint = rbv_model_fingerprint(model);
    const char *title = rbv_model_title(model);
    study->model_title = title ? rbv_study_copy(reader, title, strlen(title)) : "";
    return model;
}

/* ---- the whole ---- */

static bool is_study(RbvStudyReader *reader, const RbvNode *root) {
    const RbvNode *version = rbv_node_child(root, "study");
    if (root->kind == RBV_NODE_MAP && !version && rbv_node_child(root, "roberval"))
        rbv_study_error(reader, root->at, "this is a model, not a study; a study has study: 1 and names its model");
    else if (root->kind != RBV_NODE_MAP || !version)
        rbv_study_error(reader, root->at, "a study begins with study: 1");
    else if (version->kind != RBV_NODE_SCALAR || version->type != RBV_SCALAR_NUMBER || !(version->number >= 1) ||
             version->number > 1)
        rbv_study_error(reader, version->at, "study: 1 is the version that there is");
    else
        return true;
    return false;
}

static void require(RbvStudyReader *reader, const RbvNode *root, const char *key) {
    if (!rbv_node_child(root, key))
        rbv_study_error(reader, root->at, "the study has no %s:", key);
}

static void read_sections(RbvStudyReader *reader, const RbvNode *root) {
    static const char *const keeps[] = {"none", "failed", "series", NULL};
    RbvStudy *study = reader->study;
    const RbvNode *title = rbv_node_child(root, "title"), *keep = rbv_node_child(root, "keep"),
                  *options = rbv_node_child(root, "options"), *analysis = rbv_node_child(root, "analysis"),
                  *vary = rbv_node_child(root, "vary"), *collect = rbv_node_child(root, "collect"),
                  *model_node = rbv_node_child(root, "model");
    rbv_study_map(reader, root, "the study", study_keys);
    for (int k = 0; k < 3; k++)
        require(reader, root, ((const char *const[]){"model", "analysis", "collect"})[k]);
    const char *text = title ? rbv_study_scalar(reader, title, "title") : NULL;
    study->title = text ? rbv_study_copy(reader, text, strlen(text)) : NULL;
    if (analysis)
        read_analysis(reader, analysis);
    if (options)
        read_options(reader, options);
    int kept = keep ? rbv_study_word(reader, keep, "keep", keeps) : 0;
    study->keep = (RbvStudyKeep)(kept < 0 ? 0 : kept);
    RbvModel *model = model_node ? read_model(reader, model_node) : NULL;
    reader->model = model;
    if (vary)
        rbv_study_read_vary(reader, vary);
    rbv_study_read_design(reader, root);
    if (collect)
        rbv_study_read_collect(reader, collect);
    if (model)
        rbv_study_check_quantities(reader, model);
    rbv_model_destroy(model);
    reader->model = NULL;
}

static RbvStatus read_text(const RbvStudyInput *input, const char *text, size_t length, RbvDiagnostics *diagnostics,
                           RbvStudy *study) {
    RbvStudyReader reader = {.study = study, .diagnostics = diagnostics, .input = input};
    RbvNodeTree *tree = NULL;
    int32_t errors = rbv_diagnostics_errors(diagnostics);
    study->file = rbv_arena_copy(&study->arena, input->path, strlen(input->path));
    if (!study->file)
        return RBV_NO_MEMORY;
    study->text = rbv_arena_copy(&study->arena, text, length);
    study->options = input->options;
    study->options_text = "";
    study->folder_count = input->folder_count;
    study->folders = input->folders;
    study->fingerprint = rbv_archive_sum(RBV_SUM_OF_NOTHING, text, length);
    RbvStatus status = rbv_read_tree(study->file, text, length, diagnostics, &tree);
    if (status != RBV_OK)
        return status;
    if (is_study(&reader, rbv_node_tree_root(tree)))
        read_sections(&reader, rbv_node_tree_root(tree));
    rbv_node_tree_destroy(tree);
    rbv_diagnostics_sort(diagnostics);
    if (reader.no_memory)
        return RBV_NO_MEMORY;
    return rbv_diagnostics_errors(diagnostics) > errors ? RBV_BAD_INPUT : RBV_OK;
}

RbvStatus rbv_study_read(const RbvStudyInput *input, RbvDiagnostics *diagnostics, RbvStudy **study) {
    if (study)
        *study = NULL;
    if (!input || !study || !input->path || !diagnostics)
        return RBV_BAD_ARGUMENT;
    RbvStudy *read = calloc(1, sizeof *read);
    char *text = input->definition ? rbv_study_definition_text(input->definition) : NULL;
    size_t length = text ? strlen(text) : input->length;
    RbvStatus status = read && (text || !input->definition) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !input->text && !text) {
        status = rbv_read_regular_file(input->path, MOST_BYTES, &text, &length);
        if (status != RBV_OK && status != RBV_NO_MEMORY) {
            rbv_diagnose(diagnostics, RBV_ERROR, input->path, RBV_NOWHERE, "cannot be read: %s",
                         errno ? strerror(errno) : "it is no regular file");
            status = RBV_BAD_INPUT;
        }
    }
    if (status == RBV_OK)
        status = read_text(input, text ? text : input->text, length, diagnostics, read);
    free(text);
    if (status == RBV_OK)
        *study = read;
    else
        rbv_study_destroy(read);
    return status;
}

void rbv_study_destroy(RbvStudy *study) {
    if (!study)
        return;
    for (int32_t k = 0; k < study->quantity_count; k++)
        rbv_expr_destroy(study->quantities[k].expr);
    rbv_arena_clear(&study->arena);
    free(study);
}

/* ---- what callers ask ---- */

RbvStudyCounts rbv_study_counts(const RbvStudy *study) {
    if (!study)
        return (RbvStudyCounts){0};
    return (RbvStudyCounts){study->design.count, study->parameter_count, study->quantity_count};
}

uint64_t rbv_study_fingerprint(const RbvStudy *study) {
    if (!study)
        return 0;
    const uint64_t all[3] = {study->fingerprint, study->model_fingerprint, (uint64_t)study->design.count};
    return rbv_archive_sum(RBV_SUM_OF_NOTHING, all, sizeof all);
}

RbvStudyColumn rbv_study_parameter(const RbvStudy *study, int32_t k) {
    if (!study || k < 0 || k >= study->parameter_count)
        return (RbvStudyColumn){0};
    return (RbvStudyColumn){study->parameters[k].name, study->parameters[k].unit};
}

RbvStudyColumn rbv_study_quantity(const RbvStudy *study, int32_t k) {
    if (!study || k < 0 || k >= study->quantity_count)
        return (RbvStudyColumn){0};
    return (RbvStudyColumn){study->quantities[k].name, study->quantities[k].unit};
}

bool rbv_study_values(const RbvStudy *study, int64_t variant, double *values) {
    if (!study || !values || variant < 1 || variant > study->design.count)
        return false;
    rbv_design_point(&study->design, variant - 1, values);
    return true;
}
