/* A shape that contributes to a body's mass, kept for pictures only. Mechanics uses the mass properties alone (shape.h,
 * solid.h). */
#ifndef RBV_MODEL_MODEL_BODY_SHAPE_H
#define RBV_MODEL_MODEL_BODY_SHAPE_H

#include "core/linalg/rotation.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvBodyShapeKind {
    RBV_SHAPE_ROD,
    RBV_SHAPE_RECTANGLE,
    RBV_SHAPE_TRIANGLE,
    RBV_SHAPE_DISK,
    RBV_SHAPE_SEMICIRCLE,
    RBV_SHAPE_RING,
    RBV_SHAPE_POLYGON,
    RBV_SHAPE_BOX,
    RBV_SHAPE_CYLINDER,
    RBV_SHAPE_CONE,
    RBV_SHAPE_SPHERE,
    RBV_SHAPE_MESH
} RbvBodyShapeKind;

/* One shape; points and rotation in the body's axes. */
typedef struct RbvBodyShape {
    int32_t body;
    RbvBodyShapeKind kind;
    bool hole;      /* a void: its mass is subtracted */
    RbvVec3 at, to; /* [m] middle, or ends (rod, cylinder, cone); triangle: middle of the base; semicircle: middle of
                       the full circle */
    RbvVec3 size;   /* [m] box: edges; rectangle, triangle: width, height; plane rod: y its height; ring: y its width */
    double radius;  /* [m] of disk, semicircle, ring, cylinder, cone, sphere */
    double angle;   /* [rad] orientation of triangle, semicircle */
    RbvQuat rotation; /* box */
    int32_t count;    /* number of points: of a polygon; of a mesh three per triangle */
    RbvVec3 *points;
} RbvBodyShape;

#endif
