/* Builds a glTF 2.0 file: lists of JSON objects, and the buffer of numbers they refer to. (Khronos Group: glTF 2.0
 * specification.) */
#ifndef RBV_OUTPUT_DRAW_GLTF_FILE_H
#define RBV_OUTPUT_DRAW_GLTF_FILE_H

#include "core/base/text.h"
#include "output/draw/gltf_mesh.h"

typedef struct RbvGltf {
    RbvText bytes; /* the binary buffer */
    RbvText views, accessors, meshes, materials, nodes, samplers, channels;
    int32_t view_count, accessor_count, mesh_count, material_count, node_count, sampler_count;
} RbvGltf;

/* Appends count items of `width` numbers of single precision each; returns their accessor. bounds: the accessor has
 * minimum and maximum. vertices: the numbers are vertex data (target of the buffer view). */
int32_t rbv_gltf_floats(RbvGltf *file, int32_t count, int width, const float *values, bool bounds, bool vertices);
/* Adds a mesh of one material; returns its number; -1 for an empty mesh. */
int32_t rbv_gltf_mesh(RbvGltf *file, const RbvMesh3 *mesh, int32_t material);
/* Adds a material; returns its number. colour: "#rrggbb" of sRGB; opacity: 0 to 1. */
int32_t rbv_gltf_material(RbvGltf *file, const char *name, const char *colour, double opacity);
/* Animates a node: path "translation", "rotation" or "scale" takes the accessor `values` at the times of the accessor
 * `times` [s]. */
void rbv_gltf_animate(RbvGltf *file, int32_t node, const char *path, int32_t times, int32_t values);
/* Appends a JSON string with its quotes. */
void rbv_gltf_string(RbvText *text, const char *words);
/* Returns the whole file of length[0] bytes, to be freed by the caller, and clears `file`. roots: numbers of the root
 * nodes, as JSON; extras: JSON object with properties of the whole file. binary: the numbers follow the JSON as bytes
 * (GLB), else they are base64 within the JSON. NULL: out of memory, or more than the 4 GiB that GLB may have. */
char *rbv_gltf_take(RbvGltf *file, const char *roots, const char *title, const char *extras, bool binary,
                    size_t *length);

#endif
