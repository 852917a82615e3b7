/* The table of joint kinds: which relative directions each holds. Most joints are nothing but a row of this table. */
#ifndef RBV_MODEL_JOINT_KIND_H
#define RBV_MODEL_JOINT_KIND_H

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
    RBV_DIRECTIONS_PLANAR = RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_RZ
};

typedef enum RbvJointForm {
    RBV_FORM_LOCKS,    /* holds the directions of a mask */
    RBV_FORM_DISTANCE, /* |p2 - p1| = length */
    RBV_FORM_GEAR,     /* tooth force at the pitch point */
    RBV_FORM_BELT,
    RBV_FORM_RACK,
    RBV_FORM_CAM,
    RBV_FORM_EDGE      /* no slip across the second's x: a row on rates */
} RbvJointForm;

typedef enum RbvJointSpace { RBV_KIND_PLANE = 1, RBV_KIND_SPACE = 2 } RbvJointSpace;

typedef struct RbvJointKind {
    const char *name;
    RbvJointForm form;
    int where;              /* RBV_KIND_PLANE, RBV_KIND_SPACE */
    uint8_t planar_locks;   /* LOCKS: directions held in the plane */
    const char *coordinate; /* the name of its own coordinate in the plane, or NULL */
    uint8_t coordinate_direction;
    const char *doc;        /* one line for the documentation */
} RbvJointKind;

int32_t rbv_joint_kind_count(void);
const RbvJointKind *rbv_joint_kind_at(int32_t k);
/* NULL when there is no such kind. */
const RbvJointKind *rbv_joint_kind_find(const char *name);
/* "x" ... "rz" -> 0 ... 5, or -1; and back. */
int rbv_direction_find(const char *name);
const char *rbv_direction_name(int direction);

#endif
