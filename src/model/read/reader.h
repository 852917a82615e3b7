/* State of reading a model file: the model, units, overrides, diagnostics, and positions in the file. */
#ifndef RBV_MODEL_READ_READER_H
#define RBV_MODEL_READ_READER_H

#include "model/model/model.h"
#include "model/read/tree.h"

/* Overrides of parameters, each "name=value", and the option that gave them, for messages. */
typedef struct RbvOverrides {
    int32_t count;
    const char *const *items;
    const char *option;
} RbvOverrides;

/* Additional folders for files that a model names: --path. */
typedef struct RbvFolders {
    int32_t count;
    const char *const *items;
} RbvFolders;

typedef struct RbvReader {
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvModel *model;
    RbvArena arena;             /* strings and lists referenced by Defs */
    double unit[RBV_DIM_COUNT]; /* SI value of a bare 1 of each dimension */
    RbvOverrides overrides;
    RbvFolders folders;
    bool *override_used;
    RBV_ARRAY(RbvBodyShape) shapes; /* shapes of the body being read, in the arena, if the model keeps shapes */
    bool no_memory;
} RbvReader;

/* Position source of one item: positions are looked up in its node. */
typedef struct RbvPlaces {
    const RbvNode *node;
    RbvPosition name_at;
} RbvPlaces;
RbvPosition rbv_places_find(const void *places, const char *path, size_t offset);
RbvSource rbv_reader_source(const RbvReader *reader, const RbvPlaces *places);

/* Append a shape of the body being read, if the model keeps shapes. */
void rbv_reader_keep_shape(RbvReader *reader, const RbvBodyShape *shape);
void rbv_reader_error(RbvReader *reader, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

#endif
