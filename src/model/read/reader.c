/* Messages of a reader and positions of the items read; see reader.h. */
#include "model/read/reader.h"

#include "core/base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

void rbv_reader_error(RbvReader *reader, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(reader->diagnostics, RBV_ERROR, reader->file, at, format, arguments);
    va_end(arguments);
    if (reader->model)
        reader->model->broken = true;
}

RbvPosition rbv_places_find(const void *context, const char *path, size_t offset) {
    const RbvPlaces *places = context;
    if (!path)
        return places->name_at;
    const RbvNode *node = places->node;
    RbvPosition at = *path ? places->name_at : node->at;
    while (*path) {
        size_t length = strcspn(path, "/");
        int32_t k = node->kind == RBV_NODE_LIST ? atoi(path) : rbv_node_find(node, path, length);
        if (k < 0 || (node->kind == RBV_NODE_LIST && k >= node->count) || node->kind == RBV_NODE_SCALAR)
            return at;
        node = node->items[k];
        at = node->at;
        path += length + (path[length] == '/');
    }
    if (offset > 0 || node->kind == RBV_NODE_SCALAR) {
        if (node->kind == RBV_NODE_SCALAR && node->text_column > 0)
            at.column = node->text_column + (int32_t)offset;
    }
    return at;
}

RbvSource rbv_reader_source(const RbvReader *reader, const RbvPlaces *places) {
    return (RbvSource){
        .diagnostics = reader->diagnostics, .file = reader->file, .node = places, .find = rbv_places_find};
}

void rbv_reader_keep_shape(RbvReader *reader, const RbvBodyShape *shape) {
    if (!reader->model->scene)
        return;
    if (reader->shapes.count == reader->shapes.capacity) {
        int32_t capacity = 2 * reader->shapes.capacity + 8;
        RbvBodyShape *grown = rbv_arena_array(&reader->arena, (size_t)capacity, sizeof *grown);
        if (!grown) {
            reader->no_memory = true;
            return;
        }
        if (reader->shapes.count > 0)
            memcpy(grown, reader->shapes.items, (size_t)reader->shapes.count * sizeof *grown);
        reader->shapes.items = grown;
        reader->shapes.capacity = capacity;
    }
    reader->shapes.items[reader->shapes.count++] = *shape;
}
