/* The part that the readers of YAML and of JSON share: nodes arrive in the order of the text and become a tree. It
 * knows the limits, duplicate keys, anchors and aliases; it knows nothing of syntax. Private to src/read/. */
#ifndef RBV_READ_TREE_BUILDER_H
#define RBV_READ_TREE_BUILDER_H

#include "base/arena.h"
#include "base/names.h"
#include "read/tree.h"

/* Longest line that the YAML reader takes: libfyaml looks a whole line ahead and holds some 400 bytes for each byte
 * of it in the worst case. JSON has no such limit. */
#define RBV_TREE_MAX_LINE (1u << 20)

struct RbvNodeTree {
    RbvArena arena;
    RbvNode *root;
};

typedef struct RbvFrame {
    RbvNode *node; /* the open list or map */
    RbvPosition at;
    char bracket;   /* '[' or '{' when written in brackets, else 0 */
    int32_t first;  /* of its children among the pending ones */
    int32_t anchor; /* index, -1: none */
    int32_t height; /* of the highest child */
    int64_t values_before;
    bool has_key;
    const char *key; /* waits for its value; bad_key: was refused */
    RbvPosition key_at;
} RbvFrame;

typedef struct RbvPending {
    RbvNode *node;
    const char *key;
    RbvPosition key_at;
} RbvPending;

typedef struct RbvAnchor {
    RbvNode *node;
    int64_t values; /* nodes in it, itself included, aliases expanded */
    int32_t height; /* 0: a scalar */
    bool open;
} RbvAnchor;

typedef struct RbvNodeTreeBuilder {
    const char *file, *text;
    size_t length;
    RbvNodeTree *tree;
    RbvDiagnostics *errors; /* kept apart: a syntax error later on replaces them */
    bool stopped;           /* a limit was passed or memory ran out: no use in going on */
    bool no_memory;
    /* a walk through the text that turns offsets into lines and columns */
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

/* What a reader knows of a node besides its kind. Zero means absent. */
typedef struct RbvNodeTraits {
    RbvPosition at;
    char bracket; /* of a list or map */
    bool quoted;  /* of a scalar: a string whatever it says */
    bool block;   /* of a scalar: literal or folded */
    int32_t text_column;
    const char *anchor;
    size_t anchor_length;
    const char *tag; /* resolved, "tag:yaml.org,2002:str" */
} RbvNodeTraits;

/* False when there is no memory. */
bool rbv_builder_start(RbvNodeTreeBuilder *builder, const char *file, const char *text, size_t length);
/* Free all that the builder holds, the tree included unless it was taken out (tree = NULL). */
void rbv_builder_clear(RbvNodeTreeBuilder *builder);

/* The position of an offset. Cheap when offsets grow. */
RbvPosition rbv_builder_position(RbvNodeTreeBuilder *builder, size_t offset);
void rbv_builder_error(RbvNodeTreeBuilder *builder, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

/* Nodes in the order of the text. In a map every second one is a value. All do nothing once the builder has stopped. */
void rbv_builder_open(RbvNodeTreeBuilder *builder, RbvNodeKind kind, const RbvNodeTraits *traits);
void rbv_builder_close(RbvNodeTreeBuilder *builder);
void rbv_builder_scalar(RbvNodeTreeBuilder *builder, const char *text, size_t length, const RbvNodeTraits *traits);
void rbv_builder_alias(RbvNodeTreeBuilder *builder, const char *name, size_t length, RbvPosition at);

/* Does the next node stand for a key? */
bool rbv_builder_wants_key(const RbvNodeTreeBuilder *builder);

#endif
