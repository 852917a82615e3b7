/* The two readers behind rbv_node_tree_parse. Private to src/read/. */
#ifndef RBV_MODEL_READ_TREE_SOURCE_H
#define RBV_MODEL_READ_TREE_SOURCE_H

#include "model/read/tree_builder.h"

/* Read strict JSON (RFC 8259) into the builder. False at the first place that is not JSON, whose offset is then in
 * *stop. */
bool rbv_node_tree_read_json(RbvNodeTreeBuilder *builder, size_t *stop);

/* A syntax error: position, and message in plain words. */
typedef struct RbvSyntaxError {
    RbvPosition at;
    char message[320];
} RbvSyntaxError;

/* Read YAML into the builder. False on a syntax error. */
bool rbv_node_tree_read_yaml(RbvNodeTreeBuilder *builder, RbvSyntaxError *error);

/* fy_parser_set_string that handles memory exhaustion (yaml_input.c): returns false. */
struct fy_parser;
bool rbv_yaml_set_text(struct fy_parser *parser, const char *text, size_t length);

/* Translate the parser's complaint about text[length] into a message for the author of the file. error->at holds the
 * parser's position and is moved to the actual error if known better. */
void rbv_yaml_explain(const char *complaint, const char *text, size_t length, RbvSyntaxError *error);

#endif
