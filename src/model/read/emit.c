/* Nodes on one line; see emit.h. */
#include "model/read/emit.h"

void rbv_emit_string(RbvText *text, const char *string) {
    rbv_text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            rbv_text_format(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            rbv_text_format(text, "\\x%02x", (unsigned)*c);
        else
            rbv_text_append(text, c, 1);
    }
    rbv_text_add(text, "\"");
}

void rbv_emit_node(RbvText *text, const RbvNode *node) {
    if (node->kind == RBV_NODE_SCALAR) {
        if (node->type == RBV_SCALAR_STRING)
            rbv_emit_string(text, node->text);
        else
            rbv_text_add(text, node->type == RBV_SCALAR_NULL ? "null" : node->text);
        return;
    }
    bool map = node->kind == RBV_NODE_MAP;
    rbv_text_add(text, map ? "{" : "[");
    for (int32_t k = 0; k < node->count; k++) {
        rbv_text_add(text, k ? ", " : "");
        if (map) {
            rbv_emit_string(text, node->keys[k]);
            rbv_text_add(text, ": ");
        }
        rbv_emit_node(text, node->items[k]);
    }
    rbv_text_add(text, map ? "}" : "]");
}
