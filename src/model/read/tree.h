/* Parses a YAML 1.2 (or JSON) text into a tree of nodes with source positions; keys are not interpreted here. */
#ifndef RBV_MODEL_READ_TREE_H
#define RBV_MODEL_READ_TREE_H

#include <roberval/base.h>
#include <stddef.h>
#include <stdint.h>

/* Position of a message about a whole file. */
#define RBV_NOWHERE ((RbvPosition){0, 0})

typedef enum RbvNodeKind { RBV_NODE_SCALAR, RBV_NODE_LIST, RBV_NODE_MAP } RbvNodeKind;

/* A scalar's type by the YAML 1.2 core schema: a quoted or block scalar is always a string. Only true/false (True,
 * TRUE) are booleans; null, Null, NULL, ~ and nothing are null; `y n on off yes no` are strings; 0o7 and 0xF are
 * integers, .inf and .nan are strings here (no model value may be infinite). */
typedef enum RbvScalarType { RBV_SCALAR_STRING, RBV_SCALAR_NUMBER, RBV_SCALAR_BOOL, RBV_SCALAR_NULL } RbvScalarType;

typedef struct RbvNode RbvNode;
struct RbvNode {
    RbvPosition at; /* of its first character (of the opening quote, bracket, or first key) */
    uint8_t kind;   /* RbvNodeKind */
    uint8_t type;   /* RbvScalarType of a scalar */
    bool truth;     /* BOOL */
    int32_t count;  /* of a list or map, in the order of the file; else 0 */
    union {
        struct {                 /* scalar */
            const char *text;    /* NUL-terminated; no embedded NUL can occur */
            double number;       /* NUMBER */
            int32_t text_column; /* column of text[0] in its line when the scalar stands on one line without escapes,
                                    else 0 */
        };
        struct {                 /* list, map */
            RbvNode **items;     /* [count] values */
            const char **keys;   /* [count] of a map */
            RbvPosition *key_at; /* [count] */
        };
    };
};

typedef struct RbvNodeTree RbvNodeTree;

/* Limits of a file; larger files are refused with a message. */
#define RBV_TREE_MAX_BYTES (256u << 20) /* a model file of 256 MiB is not a model file */
#define RBV_TREE_MAX_DEPTH 64
#define RBV_TREE_MAX_NODES 50000000 /* two million bodies; after alias expansion: "a billion laughs" ends here */

/* Parse text[length]. `file` is for messages. NULL when anything is wrong: at least one error is then in diagnostics,
 * with its line and column at or after the mistake's line; a syntax error is reported alone. Refused here: bytes that
 * are not UTF-8, control characters, a NUL, duplicate keys, keys that are not plain strings, more than one document,
 * an empty document, undefined aliases, tags other than !!str !!int !!float !!bool !!null !!map !!seq. A "<<" key is
 * an ordinary (unknown) key. A leading byte order mark is accepted. */
RbvNodeTree *rbv_node_tree_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics);
void rbv_node_tree_destroy(RbvNodeTree *tree);
const RbvNode *rbv_node_tree_root(const RbvNodeTree *tree);
/* Index of key[length] in a map, or -1; -1 if the node is no map. */
int32_t rbv_node_find(const RbvNode *map, const char *key, size_t length);
/* The value of a key of a map; NULL: no such key, or no map. */
const RbvNode *rbv_node_child(const RbvNode *map, const char *key);

#endif
