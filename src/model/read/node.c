/* Nodes of a tree that has been read; see tree.h. */
#include "model/read/tree_builder.h"

#include <stdlib.h>
#include <string.h>

void rbv_node_tree_destroy(RbvNodeTree *tree) {
    if (tree != NULL) {
        rbv_arena_clear(&tree->arena);
        free(tree);
    }
}

const RbvNode *rbv_node_tree_root(const RbvNodeTree *tree) {
    return tree == NULL ? NULL : tree->root;
}

/* Index of the child `key`, or -1. First letters are compared first, since most names differ there. */
int32_t rbv_node_find(const RbvNode *map, const char *key, size_t length) {
    for (int32_t k = 0; map->kind == RBV_NODE_MAP && k < map->count; k++)
        if (map->keys[k][0] == key[0] && strncmp(map->keys[k], key, length) == 0 && map->keys[k][length] == '\0')
            return k;
    return -1;
}

const RbvNode *rbv_node_child(const RbvNode *map, const char *key) {
    int32_t k = map ? rbv_node_find(map, key, strlen(key)) : -1;
    return k >= 0 ? map->items[k] : NULL;
}
