/* Tree builder shared by the readers of YAML and JSON: nodes arrive in the order of the text. Handles limits,
 * duplicate keys, anchors and aliases; contains no syntax. Private to src/read/. */
#ifndef RBV_MODEL_READ_TREE_BUILDER_H
#define RBV_MODEL_READ_TREE_BUILDER_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "model/read/tree.h"

/* Longest line for the YAML reader: libfyaml looks a whole line ahead and holds up to about 400 bytes per byte of the
 * line. JSON has no such limit. */
#define RBV_TREE_MAX_LINE (1u << 20)

struct RbvNodeTree {
    RbvArena arena;
    RbvNode *root;
};

typedef struct RbvFrame {
    RbvNode *node; /* the open list or map */
    RbvPosition at;
    char bracket;   /* '[' or '{' when written in brackets, else 0 */
    int32_t first;  /* index of its first child among the pending nodes */
    int32_t anchor; /* index, -1: none */
    int32_t height; /* height of the highest child */
    int64_t values_before;
    bool has_key;
    const char *key; /* key without value yet; bad_key: refused */
    RbvPosition key_at;
} RbvFrame;

typedef struct RbvPending {
    RbvNode *node;
    const char *key;
    RbvPosition key_at;
} RbvPending;

typedef struct RbvAnchor {
    RbvNode *node;
    int64_t values; /* number of nodes in it, itself included, aliases expanded */
    int32_t height; /* 0: a scalar */
    bool open;
} RbvAnchor;

typedef struct RbvNodeTreeBuilder {
    const char *file, *text;
    size_t length;
    RbvNodeTree *tree;
    RbvDiagnostics *errors; /* separate list: a later syntax error replaces these errors */
    bool stopped;           /* a limit was exceeded or memory ran out: stop reading */
    bool no_memory;
    /* progress through the text, to convert offsets into lines and columns */
    size_t walked;
    RbvPosition walked_at;
    RbvFrame stack[RBV_TREE_MAX_DEPTH];
    int32_t depth;
    RbvPending *pending;
    int32_t pending_count, pending_capacity;
    int64_t values;
    RbvNameTable anchor_names;
    RbvAnchor *anchors;
    int32_t anchor_count, anchor_capacity;
} RbvNodeTreeBuilder;

/* Properties of a node besides its kind. Zero: absent. */
typedef struct RbvNodeTraits {
    RbvPosition at;
    char bracket; /* of a list or map */
    bool quoted;  /* quoted scalar: always a string */
    bool block;   /* of a scalar: literal or folded */
    int32_t text_column;
    const char *anchor;
    size_t anchor_length;
    const char *tag; /* resolved, "tag:yaml.org,2002:str" */
} RbvNodeTraits;

/* Start building. False: out of memory. */
bool rbv_builder_start(RbvNodeTreeBuilder *builder, const char *file, const char *text, size_t length);
/* Free all memory of the builder, and the tree unless it was taken out (tree = NULL). */
void rbv_builder_clear(RbvNodeTreeBuilder *builder);

/* Line and column of an offset. Fast for ascending offsets. */
RbvPosition rbv_builder_position(RbvNodeTreeBuilder *builder, size_t offset);
void rbv_builder_error(RbvNodeTreeBuilder *builder, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

/* Add nodes in the order of the text. In a map, every second node is a value. No effect once the builder has stopped.
 */
void rbv_builder_open(RbvNodeTreeBuilder *builder, RbvNodeKind kind, const RbvNodeTraits *traits);
void rbv_builder_close(RbvNodeTreeBuilder *builder);
void rbv_builder_scalar(RbvNodeTreeBuilder *builder, const char *text, size_t length, const RbvNodeTraits *traits);
void rbv_builder_alias(RbvNodeTreeBuilder *builder, const char *name, size_t length, RbvPosition at);

/* The two readers behind rbv_node_tree_parse: tree.c, tree_yaml.c. */

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

#endif
