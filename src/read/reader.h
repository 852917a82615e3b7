/* A reading in progress: the model that grows, its units and overrides, where its messages go and where things stand in
 * the file. */
#ifndef RBV_READ_READER_H
#define RBV_READ_READER_H

#include "model/model.h"
#include "read/tree.h"

/* Values of parameters instead of the file's: "name=value" each, and the option they came with, for messages. */
typedef struct RbvOverrides {
    int32_t count;
    const char *const *items;
    const char *option;
} RbvOverrides;

/* Where files that a model names may lie besides its own folder: --path. */
typedef struct RbvFolders {
    int32_t count;
    const char *const *items;
} RbvFolders;

typedef struct RbvReader {
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvModel *model;
    RbvArena arena;             /* strings and lists that Defs point to */
    double unit[RBV_DIM_COUNT]; /* SI value of a bare 1 of each dimension */
    RbvOverrides overrides;
    RbvFolders folders;
    bool *override_used;
    RBV_ARRAY(RbvBodyShape) shapes; /* of the body that is read, in the arena, where the model keeps them */
    bool no_memory;
} RbvReader;

/* A source whose places are looked up in the node of one thing. */
typedef struct RbvPlaces {
    const RbvNode *node;
    RbvPosition name_at;
} RbvPlaces;
RbvPosition rbv_places_find(const void *places, const char *path, size_t offset);
RbvSource rbv_reader_source(const RbvReader *reader, const RbvPlaces *places);

/* One more shape of the body that is read, where the model keeps them. */
void rbv_reader_keep_shape(RbvReader *reader, const RbvBodyShape *shape);
void rbv_reader_error(RbvReader *reader, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

#endif
