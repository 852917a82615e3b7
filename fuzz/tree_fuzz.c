/* Any bytes as a model file: no crash, no leak, a tree within the limits or at least one error. Where the bytes are
 * strict JSON, both readers must build the same tree. */
#include "core/base/diagnostics.h"
#include "model/read/tree.h"
#include "model/read/tree_builder.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void walk(const RbvNode *node, int32_t depth, int64_t *left) {
    if (--*left < 0) {
        return;
    }
    require(node->at.line > 0 && node->at.column > 0);
    if (node->kind == RBV_NODE_SCALAR) {
        require(node->text != NULL);
        return;
    }
    require(depth < RBV_TREE_MAX_DEPTH);
    for (int32_t k = 0; k < node->count; k++) {
        if (node->kind == RBV_NODE_MAP) {
            require(node->keys[k] != NULL && node->key_at[k].line > 0);
        }
        walk(node->items[k], depth + 1, left);
    }
}

static void compare(const RbvNode *a, const RbvNode *b) {
    require(a->kind == b->kind && a->count == b->count && a->at.line == b->at.line && a->at.column == b->at.column);
    if (a->kind == RBV_NODE_SCALAR) {
        require(strcmp(a->text, b->text) == 0 && a->type == b->type && a->text_column == b->text_column);
    }
    for (int32_t k = 0; k < a->count; k++) {
        require(a->kind != RBV_NODE_MAP ||
                (strcmp(a->keys[k], b->keys[k]) == 0 && a->key_at[k].column == b->key_at[k].column));
        compare(a->items[k], b->items[k]);
    }
}

/* `tree` came from the JSON reader when that reader takes the text; then ask the YAML reader too. */
static void check_twin(const RbvNodeTree *tree, const char *text, size_t length) {
    RbvNodeTreeBuilder json, yaml;
    RbvSyntaxError error;
    size_t stop;
    require(rbv_builder_start(&json, "f", text, length) && rbv_builder_start(&yaml, "f", text, length));
    if (rbv_node_tree_read_json(&json, &stop) && rbv_node_tree_read_yaml(&yaml, &error) &&
        rbv_diagnostics_errors(yaml.errors) == 0) {
        compare(rbv_node_tree_root(tree), yaml.tree->root);
    }
    rbv_builder_clear(&json);
    rbv_builder_clear(&yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvNodeTree *tree = rbv_node_tree_parse("f", (const char *)data, size, diagnostics);
    require((tree == NULL) == (rbv_diagnostics_errors(diagnostics) > 0));
    if (tree != NULL) {
        int64_t left = 100000;
        walk(rbv_node_tree_root(tree), 0, &left);
        if (size > 0 && (data[0] == '{' || data[0] == '[')) {
            check_twin(tree, (const char *)data, size);
        }
    }
    rbv_node_tree_destroy(tree);
    rbv_diagnostics_destroy(diagnostics);
    return 0;
}
