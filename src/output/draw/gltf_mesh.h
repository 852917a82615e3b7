/* Meshes of the shapes of figures, in unit size. A mesh is written to a file once and scaled by each node that uses it.
 */
#ifndef RBV_OUTPUT_DRAW_GLTF_MESH_H
#define RBV_OUTPUT_DRAW_GLTF_MESH_H

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
    int32_t count, index_count, room, index_room;
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

#endif
