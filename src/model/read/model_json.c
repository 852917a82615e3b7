/* The content of a model file as JSON, for programs that edit models as data. */
#include "core/base/text.h"
#include "model/read/sections.h"

#include <stdlib.h>

static void write_node(RbvText *out, const RbvNode *node) {
    const bool map = node->kind == RBV_NODE_MAP;
    if (node->kind == RBV_NODE_SCALAR) {
        if (node->type == RBV_SCALAR_NUMBER)
            rbv_text_number(out, node->number);
        else if (node->type == RBV_SCALAR_BOOL)
            rbv_text_add(out, node->truth ? "true" : "false");
        else if (node->type == RBV_SCALAR_NULL)
            rbv_text_add(out, "null");
        else
            rbv_text_json_string(out, node->text);
        return;
    }
    rbv_text_put(out, map ? '{' : '[');
    for (int32_t k = 0; k < node->count; k++) {
        if (k > 0)
            rbv_text_add(out, ", ");
        if (map)
            rbv_text_json_string(out, node->keys[k]);
        if (map)
            rbv_text_add(out, ": ");
        write_node(out, node->items[k]);
    }
    rbv_text_put(out, map ? '}' : ']');
}

static RbvStatus text_to_json(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics,
                              char **json) {
    RbvNodeTree *tree;
    RbvText out = {0};
    RbvStatus status = rbv_read_tree(name, text, length, diagnostics, &tree);
    if (status != RBV_OK)
        return status;
    write_node(&out, rbv_node_tree_root(tree));
    rbv_node_tree_destroy(tree);
    *json = rbv_text_take(&out);
    return *json ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_model_to_json(const RbvInput *input, RbvDiagnostics *diagnostics, char **json) {
    char *text;
    size_t length;
    if (!input || !input->path || (!input->text && input->length > 0) || !json)
        return RBV_BAD_ARGUMENT;
    *json = NULL;
    if (input->text)
        return text_to_json(input->path, input->text, input->length, diagnostics, json);
    RbvStatus status = rbv_read_model_file(input->path, &text, &length, diagnostics);
    if (status != RBV_OK)
        return status;
    status = text_to_json(input->path, text, length, diagnostics, json);
    free(text);
    return status;
}
