/* Table of joint kinds (docs/joints.md). */
#include "model/model/joint_kind.h"

#include <stddef.h>
#include <string.h>

#define X RBV_DIRECTION_X
#define Y RBV_DIRECTION_Y
#define Z RBV_DIRECTION_Z
#define RX RBV_DIRECTION_RX
#define RY RBV_DIRECTION_RY
#define RZ RBV_DIRECTION_RZ
#define ALIGN (RX | RY)
#define POINT (X | Y | Z)
#define PLANE RBV_KIND_PLANE
#define SPACE RBV_KIND_SPACE
#define BOTH (RBV_KIND_PLANE | RBV_KIND_SPACE)

#define LOCKS(locks, coordinates)                                                                                      \
    { RBV_FORM_LOCKS, locks, RBV_EXTRA_NONE, coordinates }
#define EXTRA(locks, extra, coordinates)                                                                               \
    { RBV_FORM_LOCKS, locks, extra, coordinates }
#define FORM(form)                                                                                                     \
    { form, 0, RBV_EXTRA_NONE, 0 }
#define NONE LOCKS(0, 0)

static const RbvJointKind kinds[] = {
    {"revolute", BOTH, LOCKS(X | Y, RZ), LOCKS(POINT | ALIGN, RZ), "a pin: the second turns about the first's z"},
    {"prismatic", BOTH, LOCKS(Y | RZ, X), LOCKS(X | Y | ALIGN | RZ, Z),
     "a slide along the first's x (in space z), no turning"},
    {"translational", BOTH, LOCKS(Y | RZ, X), LOCKS(X | Y | ALIGN | RZ, Z), "another name of prismatic"},
    {"cylindrical", SPACE, NONE, LOCKS(X | Y | ALIGN, Z | RZ), "turns about and slides along the first's z"},
    {"spherical", SPACE, NONE, LOCKS(POINT, 0), "a ball in a socket"},
    {"universal", SPACE, NONE, EXTRA(POINT, RBV_EXTRA_SQUARE, 0), "a cross: the two z axes meet and stay square"},
    {"constant-velocity", SPACE, NONE, EXTRA(POINT, RBV_EXTRA_HOMOKINETIC, 0),
     "two shafts z that meet and turn at equal speeds"},
    {"screw", SPACE, NONE, EXTRA(X | Y | ALIGN, RBV_EXTRA_SCREW, Z | RZ),
     "turning about the first's z advances along it"},
    {"planar", SPACE, NONE, LOCKS(Z | ALIGN, 0), "moves in the first's xy plane and turns about its z"},
    {"fixed", BOTH, LOCKS(X | Y | RZ, 0), LOCKS(RBV_DIRECTIONS_ALL, 0), "no relative motion"},
    {"free", BOTH, LOCKS(0, 0), LOCKS(0, 0), "holds nothing: its coordinates measure one body against the other"},
    {"slot", PLANE, LOCKS(Y, 0), NONE, "a pin in a slot: the second's origin on a line along the first's x"},
    {"inline", SPACE, NONE, LOCKS(X | Y, 0), "the second's origin on the first's z"},
    {"inplane", SPACE, NONE, LOCKS(Z, 0), "the second's origin in the first's xy plane"},
    {"parallel", BOTH, LOCKS(RZ, 0), LOCKS(ALIGN, 0), "equal directions: of x in the plane, of z in space"},
    {"perpendicular", SPACE, NONE, EXTRA(0, RBV_EXTRA_SQUARE, 0), "the two z axes stay square"},
    {"x", BOTH, LOCKS(X, 0), LOCKS(X, 0), "holds the relative x"},
    {"y", BOTH, LOCKS(Y, 0), LOCKS(Y, 0), "holds the relative y"},
    {"z", SPACE, NONE, LOCKS(Z, 0), "holds the relative z"},
    {"angle", PLANE, LOCKS(RZ, 0), NONE, "holds the relative angle"},
    {"general", BOTH, LOCKS(0, 0), LOCKS(0, 0), "holds the directions listed in `locked`"},
    {"link", BOTH, FORM(RBV_FORM_DISTANCE), FORM(RBV_FORM_DISTANCE), "a massless bar between two pins"},
    {"distance", BOTH, FORM(RBV_FORM_DISTANCE), FORM(RBV_FORM_DISTANCE), "holds the distance of two points"},
    {"gear", BOTH, FORM(RBV_FORM_GEAR), FORM(RBV_FORM_GEAR), "a pair of gear wheels"},
    {"bevel", SPACE, NONE, FORM(RBV_FORM_GEAR), "a pair of gear wheels whose axes meet"},
    {"worm", SPACE, NONE, FORM(RBV_FORM_GEAR), "a worm, first, and its wheel"},
    {"belt", BOTH, FORM(RBV_FORM_BELT), FORM(RBV_FORM_BELT), "a belt around two pulleys"},
    {"chain", BOTH, FORM(RBV_FORM_BELT), FORM(RBV_FORM_BELT), "another name of belt"},
    {"rack", BOTH, FORM(RBV_FORM_RACK), FORM(RBV_FORM_RACK), "a rack along the first's x and a pinion"},
    {"cam", BOTH, FORM(RBV_FORM_CAM), FORM(RBV_FORM_CAM), "a curve and a point, flat or curve follower"},
    {"knife-edge", BOTH, FORM(RBV_FORM_EDGE), FORM(RBV_FORM_EDGE),
     "the second's origin moves over the first only along the second's x"},
    {"wheel", BOTH, FORM(RBV_FORM_EDGE), FORM(RBV_FORM_ROLL),
     "a disk that rolls on the first's xy plane; in the plane a knife edge"},
    {"ball", SPACE, NONE, FORM(RBV_FORM_ROLL), "a ball that rolls on the first's xy plane"},
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

const char *rbv_coordinate_name(const RbvJointNature *nature, int direction) {
    if (!(nature->coordinates >> direction & 1))
        return directions[direction];
    return direction == 5 ? "angle" : "distance";
}
