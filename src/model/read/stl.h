/* Reads STL triangle files, ASCII or binary, and tests whether the surface is closed. */
#ifndef RBV_MODEL_READ_STL_H
#define RBV_MODEL_READ_STL_H

#include "core/base/arena.h"
#include "core/linalg/small.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RbvStl {
    int32_t count;   /* number of triangles */
    RbvVec3 *corner; /* [3 count] in the unit of the file */
} RbvStl;

/* Parse text[length]; corners in `arena`. False with `why` (empty: no memory). */
bool rbv_stl_parse(const char *text, size_t length, RbvArena *arena, RbvStl *stl, char *why, size_t size);
/* Is the surface closed: does each edge occur once in either direction? False with `why`: the first edge that does
 * not (empty: out of memory). */
bool rbv_stl_is_closed(const RbvStl *stl, RbvArena *arena, char *why, size_t size);

#endif
