/* Parts of a glTF file: meshes of the shapes of figures, in unit size (a mesh is written once and scaled by each node
 * that uses it), and the file that they are collected in. */
#ifndef RBV_OUTPUT_DRAW_GLTF_MESH_H
#define RBV_OUTPUT_DRAW_GLTF_MESH_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvUnitShape {
    RBV_UNIT_BOX,      /* edges of length 1, centred at the origin */
    RBV_UNIT_CYLINDER, /* radius 1 about z, from z = 0 to 1 */
    RBV_UNIT_CONE,     /* base of radius 1 at z = 0, apex at z = 1 */
    RBV_UNIT_SPHERE,   /* radius 1 */
    RBV_UNIT_DISK,     /* radius 1, in the xy plane */
    RBV_UNIT_RING,     /* a circle of radius 1 in the xy plane, as a line */
    RBV_UNIT_COIL,     /* a line around z, from z = 0 to 1 */
    RBV_UNIT_DASHPOT,  /* a damper symbol, as lines */
    RBV_UNIT_ARROW,    /* along z, from 0 to 1 */
    RBV_UNIT_TURN,     /* three quarters of a circle of radius 1 about z, with an arrow head */
    RBV_UNIT_SHAPES
} RbvUnitShape;

typedef struct RbvMesh3 {
    float (*point)[3], (*normal)[3]; /* [count] points and unit normals; lines have no normals */
    uint32_t *index;                 /* [index_count] point numbers: three for each triangle, two for each line */
    int32_t count, index_count, capacity, index_capacity;
    bool lines;
    bool no_memory;
} RbvMesh3;

/* Mesh of a unit shape; the caller clears it. */
RbvMesh3 rbv_unit_mesh(RbvUnitShape shape);
/* Meshes of a line through points[count][3]; of the plane area inside such a line (ear clipping); of triangles with
 * flat faces. The caller clears them. */
RbvMesh3 rbv_line_mesh(int32_t count, const double *points, bool closed);
RbvMesh3 rbv_area_mesh(int32_t count, const double *points);
RbvMesh3 rbv_face_mesh(const double *points, int32_t triangle_count, const int32_t *triangles);
void rbv_mesh3_clear(RbvMesh3 *mesh);

/* A glTF 2.0 file being built: lists of JSON objects, and the buffer of numbers they refer to. */
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
/* Returns the whole file of length[0] bytes, to be freed by the caller, and clears `file`. roots: numbers of the root
 * nodes, as JSON; extras: JSON object with properties of the whole file. binary: the numbers follow the JSON as bytes
 * (GLB), else they are base64 within the JSON. NULL: out of memory, or more than the 4 GiB that GLB may have. */
char *rbv_gltf_take(RbvGltf *file, const char *roots, const char *title, const char *extras, bool binary,
                    size_t *length);

#endif
