/* Reads bytes into a tree: check the bytes, read strict JSON by our own reader and all else by libfyaml, then report
 * either the one syntax error or all errors that the builder found. */
#include "model/read/tree.h"

#include "core/base/diagnostics.h"
#include "model/read/text_check.h"
#include "model/read/tree_source.h"

#include <string.h>

static const RbvPosition nowhere = {0, 0};

static bool starts_like_json(const RbvNodeTreeBuilder *builder) {
    size_t k = 0;
    while (k < builder->length && strchr(" \t\r\n", builder->text[k]) != NULL) {
        k++;
    }
    return k < builder->length && (builder->text[k] == '{' || builder->text[k] == '[');
}

static bool has_long_line(const char *text, size_t length) {
    for (size_t start = 0; start < length;) {
        const char *newline = memchr(text + start, '\n', length - start);
        size_t end = newline == NULL ? length : (size_t)(newline - text);
        if (end - start > RBV_TREE_MAX_LINE) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

/* Read the text into the builder. False: syntax error. */
static bool read_text(RbvNodeTreeBuilder *builder, RbvSyntaxError *error) {
    if (starts_like_json(builder)) {
        const char *file = builder->file, *text = builder->text;
        size_t length = builder->length, stop = 0;
        if (rbv_node_tree_read_json(builder, &stop)) {
            return true;
        }
        if (has_long_line(text, length)) {
            error->at = rbv_builder_position(builder, stop);
            strcpy(error->message, "not JSON here, and too long in one line to be read as YAML");
            return false;
        }
        rbv_builder_clear(builder);
        if (!rbv_builder_start(builder, file, text, length)) {
            builder->stopped = builder->no_memory = true;
            return true;
        }
    }
    return rbv_node_tree_read_yaml(builder, error);
}

static void pass_on(const RbvNodeTreeBuilder *builder, const char *file, RbvDiagnostics *diagnostics) {
    rbv_diagnostics_sort(builder->errors);
    int32_t kept = rbv_diagnostics_count(builder->errors);
    for (int32_t k = 0; k < kept; k++) {
        RbvDiagnostic error = rbv_diagnostics_at(builder->errors, k);
        rbv_diagnose(diagnostics, RBV_ERROR, file, error.at, "%s", error.message);
    }
    if (builder->no_memory || (kept == 0 && rbv_diagnostics_errors(builder->errors) > 0)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, nowhere, "no memory");
    }
}

RbvNodeTree *rbv_node_tree_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics) {
    if (length > RBV_TREE_MAX_BYTES) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, nowhere, "the file is larger than 256 MiB; a model file is not");
        return NULL;
    }
    if (!rbv_text_check(file, text, length, diagnostics)) {
        return NULL;
    }
    size_t mark = rbv_text_mark_length(text, length);
    RbvNodeTreeBuilder builder;
    RbvSyntaxError error = {.message = ""};
    if (!rbv_builder_start(&builder, file, text + mark, length - mark)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, nowhere, "no memory");
        return NULL;
    }
    RbvNodeTree *tree = NULL;
    if (!read_text(&builder, &error)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, error.at, "%s", error.message);
    } else if (builder.no_memory || rbv_diagnostics_errors(builder.errors) > 0) {
        pass_on(&builder, file, diagnostics);
    } else if (builder.tree->root == NULL ||
               (builder.tree->root->kind == RBV_NODE_SCALAR && builder.tree->root->text[0] == '\0')) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, (RbvPosition){1, 1},
                     "the file is empty; a model starts with \"roberval: 1\"");
    } else {
        tree = builder.tree;
        builder.tree = NULL;
    }
    rbv_builder_clear(&builder);
    return tree;
}
