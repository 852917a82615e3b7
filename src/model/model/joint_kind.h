/* Table of joint kinds: which relative directions each kind locks. Most joints are fully described by their row. */
#ifndef RBV_MODEL_MODEL_JOINT_KIND_H
#define RBV_MODEL_MODEL_JOINT_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* Relative directions of the second marker in the first marker's axes: translations x y z, turns rx ry rz. */
enum {
    RBV_DIRECTION_X = 1 << 0,
    RBV_DIRECTION_Y = 1 << 1,
    RBV_DIRECTION_Z = 1 << 2,
    RBV_DIRECTION_RX = 1 << 3,
    RBV_DIRECTION_RY = 1 << 4,
    RBV_DIRECTION_RZ = 1 << 5,
    RBV_DIRECTIONS_PLANAR = RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_RZ,
    RBV_DIRECTIONS_TURNS = RBV_DIRECTION_RX | RBV_DIRECTION_RY | RBV_DIRECTION_RZ,
    RBV_DIRECTIONS_ALL = 0x3f
};

typedef enum RbvJointForm {
    RBV_FORM_LOCKS,    /* locks the directions of a mask, and perhaps one more relation */
    RBV_FORM_DISTANCE, /* |p2 - p1| = length */
    RBV_FORM_GEAR,     /* tooth force at the pitch point */
    RBV_FORM_BELT,
    RBV_FORM_RACK,
    RBV_FORM_CAM,
    RBV_FORM_EDGE, /* no slip across the second's x: a constraint row on rates */
    RBV_FORM_ROLL  /* a disk or ball on a plane: contact, and two constraint rows on rates */
} RbvJointForm;

/* One constraint besides the locked directions. */
typedef enum RbvJointExtra {
    RBV_EXTRA_NONE,
    RBV_EXTRA_SQUARE,      /* z1 . z2 = 0 */
    RBV_EXTRA_HOMOKINETIC, /* the twist about z is 0: equal speeds of both shafts (constant-velocity joint) */
    RBV_EXTRA_SCREW        /* z - pitch angle/(2 pi) keeps its initial value */
} RbvJointExtra;

/* Constraints of a joint kind in the plane, or in space. */
typedef struct RbvJointNature {
    RbvJointForm form;
    uint8_t locks;
    RbvJointExtra extra;
    uint8_t coordinates; /* mask of named directions: "angle" for RZ, "distance" for the translation */
} RbvJointNature;

typedef enum RbvJointSpace { RBV_KIND_PLANE = 1, RBV_KIND_SPACE = 2 } RbvJointSpace;

typedef struct RbvJointKind {
    const char *name;
    int where; /* RBV_KIND_PLANE, RBV_KIND_SPACE */
    RbvJointNature plane, space;
    const char *doc; /* one line for the documentation */
} RbvJointKind;

int32_t rbv_joint_kind_count(void);
const RbvJointKind *rbv_joint_kind_at(int32_t k);
/* The kind called `name`; NULL: no such kind. */
const RbvJointKind *rbv_joint_kind_find(const char *name);
static inline const RbvJointNature *rbv_joint_nature(const RbvJointKind *kind, bool spatial) {
    return spatial ? &kind->space : &kind->plane;
}
/* Direction number of a name: "x" ... "rz" -> 0 ... 5, or -1. And the name of a direction number. */
int rbv_direction_find(const char *name);
const char *rbv_direction_name(int direction);
/* Name of a direction as a coordinate of a joint kind: "angle", "distance", or "x" ... "rz". */
const char *rbv_coordinate_name(const RbvJointNature *nature, int direction);

#endif
