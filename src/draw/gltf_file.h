/* A glTF 2.0 file while it is made: lists of JSON objects, and the numbers they point into. (Khronos Group: glTF 2.0
 * specification.) */
#ifndef RBV_DRAW_GLTF_FILE_H
#define RBV_DRAW_GLTF_FILE_H

#include "base/text.h"
#include "draw/gltf_mesh.h"

typedef struct RbvGltf {
    RbvText bytes; /* the buffer */
    RbvText views, accessors, meshes, materials, nodes, samplers, channels;
    int32_t view_count, accessor_count, mesh_count, material_count, node_count, sampler_count;
} RbvGltf;

/* Numbers of single precision, `width` each; their accessor. With `bounds` it says the least and the largest. */
int32_t rbv_gltf_floats(RbvGltf *file, int32_t count, int width, const float *values, bool bounds, bool vertices);
/* A mesh of one material; its number. An empty mesh is -1. */
int32_t rbv_gltf_mesh(RbvGltf *file, const RbvMesh3 *mesh, int32_t material);
/* "#rrggbb" of sRGB, and how much of it covers what is behind. */
int32_t rbv_gltf_material(RbvGltf *file, const char *name, const char *colour, double opacity);
/* How a node moves: by "translation", "rotation" or "scale" (accessor `values`) over the times of another accessor. */
void rbv_gltf_animate(RbvGltf *file, int32_t node, const char *path, int32_t times, int32_t values);
/* A string in quotes, as JSON has it. */
void rbv_gltf_string(RbvText *text, const char *words);
/* The whole file, new, of length[0] bytes, to be freed by the caller, and `file` is cleared. roots: nodes that stand
 * under no other, as JSON; extras: an object about the whole. binary: numbers as they are behind the JSON (GLB), else
 * as base64 within it. NULL: no memory, or more than the 4 GiB that GLB may have. */
char *rbv_gltf_take(RbvGltf *file, const char *roots, const char *title, const char *extras, bool binary,
                    size_t *length);

#endif
