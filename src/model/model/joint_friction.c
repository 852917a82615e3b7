/* Table of joint friction; see joint_friction.h. */
#include "model/model/joint_friction.h"

#include "model/model/model.h"

#include <string.h>

#define ONE(way, press)                                                                                                \
    {                                                                                                                  \
        { 1, {way, 0, 0}, {way, 0, 0}, false, press }                                                                  \
    }
#define TWO(a, b, press)                                                                                               \
    {                                                                                                                  \
        { 2, {a, b, 0}, {a, b, 0}, false, press }                                                                      \
    }
#define THREE(a, b, c, press)                                                                                          \
    {                                                                                                                  \
        { 3, {a, b, c}, {a, b, c}, false, press }                                                                      \
    }
/* A massless bar: normal load F along the bar, and the forces across it that the couples of both pins require. */
#define PINS                                                                                                           \
    {                                                                                                                  \
        {1, {RZ, 0, 0}, {RBV_PIN_FIRST, 0, 0}, false, RBV_PRESS_TOTAL}, {                                              \
            1, {RZ, 0, 0}, {RBV_PIN_SECOND, 0, 0}, true, RBV_PRESS_TOTAL                                               \
        }                                                                                                              \
    }
/* Teeth slide before and behind the pitch point with slip velocity g (w2 - w1), g the distance of their contact from
 * it. The friction forces cancel on average, except the couple mu F r, r the mean of |g|. */
#define LINE_OF_ACTION "of its teeth, the mean distance of their contact from the pitch point"
/* In space: a ball at each end, on which the bar turns across its axis; it spins freely about its axis. */
#define ENDS                                                                                                           \
    {                                                                                                                  \
        {2, {RX, RY, 0}, {RBV_END_FIRST, RBV_END_FIRST + 1, 0}, false, RBV_PRESS_TOTAL}, {                             \
            2, {RX, RY, 0}, {RBV_END_SECOND, RBV_END_SECOND + 1, 0}, true, RBV_PRESS_TOTAL                             \
        }                                                                                                              \
    }
#define X 0
#define Y 1
#define Z 2
#define RX 3
#define RY 4
#define RZ 5

static const RbvFrictionLaw laws[] = {
    {"revolute", false, ONE(RZ, RBV_PRESS_RADIAL), RBV_RADIUS_MUST, "of its pin", false},
    {"prismatic", false, ONE(X, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"translational", false, ONE(X, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"slot", false, ONE(X, RBV_PRESS_ACROSS), RBV_RADIUS_NONE, NULL, false},
    {"cam", false, ONE(X, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL, false}, /* X: along the tangent */
    {"revolute", true, ONE(RZ, RBV_PRESS_BEARING), RBV_RADIUS_MUST, "of its pin", false},
    {"prismatic", true, ONE(Z, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"translational", true, ONE(Z, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"cylindrical", true, TWO(Z, RZ, RBV_PRESS_RADIAL), RBV_RADIUS_MUST, "of its shaft", false},
    {"spherical", true, THREE(RX, RY, RZ, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, "of its ball", false},
    {"universal",
     true,
     {{1, {RZ, 0, 0}, {RZ, 0, 0}, false, RBV_PRESS_BEARING}, {1, {RZ, 0, 0}, {RX, 0, 0}, true, RBV_PRESS_BEARING}},
     RBV_RADIUS_MUST,
     "of its pins",
     false},
    {"screw", true, ONE(RZ, RBV_PRESS_THREAD), RBV_RADIUS_MUST, "of its thread", false},
    {"planar", true, THREE(X, Y, RZ, RBV_PRESS_NORMAL), RBV_RADIUS_MAY, NULL, false},
    {"inplane", true, TWO(X, Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, false},
    {"cam", true, ONE(X, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL, false}, /* on a spatial curve: along the curve */
    {"cam", true, TWO(X, Y, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL,
     false}, /* on a surface: along the outline and across it */
    {"inline", true, ONE(Z, RBV_PRESS_RADIAL), RBV_RADIUS_NONE, NULL, false},
    {"worm", true, ONE(X, RBV_PRESS_TEETH), RBV_RADIUS_NONE, NULL, false}, /* along the teeth */
    {"gear", true, ONE(X, RBV_PRESS_TEETH), RBV_RADIUS_NONE, NULL, false}, /* of crossed axes */
    {"gear", true, ONE(RZ, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"bevel", true, ONE(RZ, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"gear", false, ONE(RZ, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"rack", false, ONE(RZ, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"rack", true, ONE(RZ, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"link", false, PINS, RBV_RADIUS_MUST, "of its pins", false},
    {"distance", false, PINS, RBV_RADIUS_MUST, "of its pins", false},
    {"link", true, ENDS, RBV_RADIUS_MUST, "of its balls", false},
    {"distance", true, ENDS, RBV_RADIUS_MUST, "of its balls", false},
    {"constant-velocity", true, TWO(RX, RY, RBV_PRESS_BALLS), RBV_RADIUS_MUST, "at which its balls run",
     false}, /* in the bisecting plane */
    /* sticking is the joint's own constraint */
    {"knife-edge", false, ONE(Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"wheel", false, ONE(Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"knife-edge", true, ONE(Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"wheel", true, TWO(X, Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL,
     true}, /* along the rolling direction, and across */
    {"ball", true, TWO(X, Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, true},
    {"belt", false, ONE(X, RBV_PRESS_WRAP), RBV_RADIUS_NONE, NULL, true},
    {"belt", true, ONE(X, RBV_PRESS_WRAP), RBV_RADIUS_NONE, NULL, true},
};

/* Reason why a joint has no friction law, as a clause. */
static const char *reason(const RbvJoint *joint) {
    bool any = joint->locks || joint->extra != RBV_EXTRA_NONE;
    switch (joint->form) {
    case RBV_FORM_BELT: return "its links mesh with the wheels, and do not slip";
    case RBV_FORM_GEAR:
    case RBV_FORM_RACK:
    case RBV_FORM_CAM:
    case RBV_FORM_DISTANCE:
    case RBV_FORM_EDGE:
    case RBV_FORM_ROLL:
    case RBV_FORM_LOCKS: break;
    }
    return !any                                 ? "it holds nothing, so that nothing presses"
           : joint->locks == RBV_DIRECTIONS_ALL ? "nothing slides"
                                                : "no faces are known that what it holds would press together";
}

/* Does a law of another kind with the same directions apply to a `general` joint? */
static bool is_alike(const RbvJoint *joint, const RbvFrictionLaw *law) {
    const RbvJointNature *nature = rbv_joint_nature(rbv_joint_kind_find(law->kind), law->spatial);
    return strcmp(joint->kind->name, "general") == 0 && joint->form == nature->form && joint->extra == nature->extra &&
           joint->locks == nature->locks;
}

/* Select among the laws of a spatial kind by geometry: teeth of crossed axes slide along each other, others turn;
 * curves have one slip direction, surfaces two. */
static bool fits(const RbvModel *model, const RbvJoint *joint, const RbvFrictionLaw *law) {
    if (joint->form == RBV_FORM_GEAR && joint->spatial) {
        bool crossed =
            joint->mesh >= 0
                ? model->meshes.items[joint->mesh].crossed
                : !(joint->sizes->friction_radius > 0); /* without a mesh (error reported before) any law fits */
        return crossed == (law->radius == RBV_RADIUS_NONE);
    }
    return joint->form != RBV_FORM_CAM || law->surfaces[0].count == 1 + (joint->spatial && !joint->track);
}

const RbvFrictionLaw *rbv_friction_law_find(const RbvModel *model, const RbvJoint *joint, const char **why) {
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++)
        if (laws[k].spatial == joint->spatial &&
            (strcmp(laws[k].kind, joint->kind->name) == 0 || is_alike(joint, &laws[k])) && fits(model, joint, &laws[k]))
            return &laws[k];
    *why = reason(joint);
    return NULL;
}

bool rbv_friction_surfaces_slide(const RbvFrictionSurfaces *surfaces, int k, double radius) {
    return k < surfaces->count && (surfaces->direction[k] < 3 || radius > 0);
}

int rbv_friction_directions(const RbvJoint *joint) {
    int sum = 0;
    for (int side = 0; joint->friction_law && side < RBV_MOST_FRICTION_SURFACES; side++)
        for (int k = 0; k < RBV_MOST_SLIP_DIRECTIONS; k++)
            sum += rbv_friction_surfaces_slide(&joint->friction_law->surfaces[side], k, joint->sizes->friction_radius);
    return sum;
}

int rbv_friction_component(const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k) {
    return rbv_friction_directions(joint) == 1 ? RBV_FRICTION : RBV_FRICTION_X + surfaces->printed[k];
}

bool rbv_friction_has(const RbvJoint *joint, int component) {
    for (int side = 0; joint->friction_law && side < RBV_MOST_FRICTION_SURFACES; side++)
        for (int k = 0; k < RBV_MOST_SLIP_DIRECTIONS; k++)
            if (rbv_friction_surfaces_slide(&joint->friction_law->surfaces[side], k, joint->sizes->friction_radius) &&
                rbv_friction_component(joint, &joint->friction_law->surfaces[side], k) == component)
                return true;
    return false;
}

bool rbv_friction_is_torque(const RbvJoint *joint, int component) {
    return component == RBV_FRICTION ? joint->friction_law && joint->friction_law->surfaces[0].direction[0] >= 3
                                     : component >= RBV_FRICTION_X + 3;
}
