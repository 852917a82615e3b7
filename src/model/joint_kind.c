/* Joint kinds of MODEL.md section 5 as a table. */
#include "model/joint_kind.h"

#include <stddef.h>
#include <string.h>

#define X RBV_DIRECTION_X
#define Y RBV_DIRECTION_Y
#define RZ RBV_DIRECTION_RZ
#define BOTH (RBV_KIND_PLANE | RBV_KIND_SPACE)

static const RbvJointKind kinds[] = {
    {"revolute", RBV_FORM_LOCKS, BOTH, X | Y, "angle", RZ, "a pin: the second turns about the first's z"},
    {"prismatic", RBV_FORM_LOCKS, BOTH, Y | RZ, "distance", X, "a slide along the first's x, no turning"},
    {"translational", RBV_FORM_LOCKS, BOTH, Y | RZ, "distance", X, "another name of prismatic"},
    {"fixed", RBV_FORM_LOCKS, BOTH, X | Y | RZ, NULL, 0, "no relative motion"},
    {"slot", RBV_FORM_LOCKS, BOTH, Y, NULL, 0, "a pin in a slot: the second's origin on a line along the first's x"},
    {"parallel", RBV_FORM_LOCKS, BOTH, RZ, NULL, 0, "equal directions x"},
    {"x", RBV_FORM_LOCKS, BOTH, X, NULL, 0, "holds the relative x"},
    {"y", RBV_FORM_LOCKS, BOTH, Y, NULL, 0, "holds the relative y"},
    {"angle", RBV_FORM_LOCKS, BOTH, RZ, NULL, 0, "holds the relative angle"},
    {"general", RBV_FORM_LOCKS, BOTH, 0, NULL, 0, "holds the directions listed in `locked`"},
    {"link", RBV_FORM_DISTANCE, BOTH, 0, NULL, 0, "a massless bar between two pins"},
    {"distance", RBV_FORM_DISTANCE, BOTH, 0, NULL, 0, "holds the distance of two points"},
    {"gear", RBV_FORM_GEAR, BOTH, 0, NULL, 0, "a pair of gear wheels"},
    {"belt", RBV_FORM_BELT, BOTH, 0, NULL, 0, "a belt around two pulleys"},
    {"chain", RBV_FORM_BELT, BOTH, 0, NULL, 0, "another name of belt"},
    {"rack", RBV_FORM_RACK, BOTH, 0, NULL, 0, "a rack along the first's x and a pinion"},
    {"cam", RBV_FORM_CAM, BOTH, 0, NULL, 0, "a curve and a point, flat or curve follower"},
    {"knife-edge", RBV_FORM_EDGE, BOTH, 0, NULL, 0, "the second's origin moves over the first only along the second's x"},
    {"wheel", RBV_FORM_EDGE, BOTH, 0, NULL, 0, "in the plane a knife edge: no slip across the second's x"},
    {"z", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"cylindrical", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"spherical", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"universal", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"screw", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"planar", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"perpendicular", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"inline", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"inplane", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"constant-velocity", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"bevel", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"worm", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
    {"ball", RBV_FORM_LOCKS, RBV_KIND_SPACE, 0, NULL, 0, ""},
};

static const char *const directions[6] = {"x", "y", "z", "rx", "ry", "rz"};

int32_t rbv_joint_kind_count(void) {
    return (int32_t)(sizeof kinds / sizeof kinds[0]);
}

const RbvJointKind *rbv_joint_kind_at(int32_t k) {
    return &kinds[k];
}

const RbvJointKind *rbv_joint_kind_find(const char *name) {
    for (int32_t k = 0; k < rbv_joint_kind_count(); k++)
        if (strcmp(kinds[k].name, name) == 0)
            return &kinds[k];
    return NULL;
}

int rbv_direction_find(const char *name) {
    for (int k = 0; k < 6; k++)
        if (strcmp(directions[k], name) == 0)
            return k;
    return -1;
}

const char *rbv_direction_name(int direction) {
    return directions[direction];
}
