/* Tables of kinds: of joints, with the directions that each locks and the names of its coordinates (docs/joints.md);
 * of the friction of joints; of loads. */
#include "model/model/kinds.h"

#include "model/model/model.h"

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
#define ON_PLANE(locks)                                                                                                \
    { RBV_FORM_POINT, locks, RBV_EXTRA_NONE, 0 }
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
    {"point", BOTH, ON_PLANE(Y), ON_PLANE(Z),
     "the second's origin on the first's xy plane, in the plane on its x; with unilateral on that side of z, or y"},
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

static const char *const direction_names[6] = {"x", "y", "z", "rx", "ry", "rz"};

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
        if (strcmp(direction_names[k], name) == 0)
            return k;
    return -1;
}

const char *rbv_direction_name(int direction) {
    return direction_names[direction];
}

const char *rbv_coordinate_name(const RbvJointNature *nature, int direction) {
    if (!(nature->coordinates >> direction & 1))
        return direction_names[direction];
    return direction == 5 ? "angle" : "distance";
}

/* Friction of joints: slip directions, normal load and radius of the friction contacts of each joint kind
 * (docs/joints.md#friction).
 *
 * A joint has one friction contact, or two (pins of a universal joint, ends of a bar). At each, with slip velocity u
 * [m/s] and normal load N [N]:
 *   sliding:  f = -mu N u/|u|
 *   sticking: |f| <= static N
 * u and f have one component per slip direction. A turn w [rad/s] slides with u = r w and carries the torque r f, r
 * [m] the radius of the surfaces. In rolling joints and belts, sticking is the joint's own constraint: the tangential
 * force is friction, and is printed in the reaction as well.
 */

#define SLIDES_ONE(slip, press)                                                                                        \
    {                                                                                                                  \
        { 1, {slip, 0, 0}, {slip, 0, 0}, false, press }                                                                \
    }
#define SLIDES_TWO(a, b, press)                                                                                        \
    {                                                                                                                  \
        { 2, {a, b, 0}, {a, b, 0}, false, press }                                                                      \
    }
#define SLIDES_THREE(a, b, c, press)                                                                                   \
    {                                                                                                                  \
        { 3, {a, b, c}, {a, b, c}, false, press }                                                                      \
    }
/* A massless bar: normal load F along the bar, and the forces across it that the couples of both pins require. */
#define TWO_PINS                                                                                                       \
    {                                                                                                                  \
        {1, {TURN_Z, 0, 0}, {RBV_PIN_FIRST, 0, 0}, false, RBV_PRESS_TOTAL}, {                                          \
            1, {TURN_Z, 0, 0}, {RBV_PIN_SECOND, 0, 0}, true, RBV_PRESS_TOTAL                                           \
        }                                                                                                              \
    }
/* Teeth slide before and behind the pitch point with slip velocity g (w2 - w1), g the distance of their contact from
 * it. The friction forces cancel on average, except the couple mu F r, r the mean of |g|. */
#define LINE_OF_ACTION "of its teeth, the mean distance of their contact from the pitch point"
/* In space: a ball at each end, on which the bar turns across its axis; it spins freely about its axis. */
#define TWO_BALLS                                                                                                      \
    {                                                                                                                  \
        {2, {TURN_X, TURN_Y, 0}, {RBV_END_FIRST, RBV_END_FIRST + 1, 0}, false, RBV_PRESS_TOTAL}, {                     \
            2, {TURN_X, TURN_Y, 0}, {RBV_END_SECOND, RBV_END_SECOND + 1, 0}, true, RBV_PRESS_TOTAL                     \
        }                                                                                                              \
    }
#define SLIDE_X 0
#define SLIDE_Y 1
#define SLIDE_Z 2
#define TURN_X 3
#define TURN_Y 4
#define TURN_Z 5

static const RbvFrictionLaw friction_laws[] = {
    {"revolute", false, SLIDES_ONE(TURN_Z, RBV_PRESS_RADIAL), RBV_RADIUS_MUST, "of its pin", false},
    {"prismatic", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"translational", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"slot", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_ACROSS), RBV_RADIUS_NONE, NULL, false},
    {"cam", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL, false}, /* SLIDE_X: along the tangent */
    {"revolute", true, SLIDES_ONE(TURN_Z, RBV_PRESS_BEARING), RBV_RADIUS_MUST, "of its pin", false},
    {"prismatic", true, SLIDES_ONE(SLIDE_Z, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"translational", true, SLIDES_ONE(SLIDE_Z, RBV_PRESS_ENDS), RBV_RADIUS_LENGTH, NULL, false},
    {"cylindrical", true, SLIDES_TWO(SLIDE_Z, TURN_Z, RBV_PRESS_RADIAL), RBV_RADIUS_MUST, "of its shaft", false},
    {"spherical", true, SLIDES_THREE(TURN_X, TURN_Y, TURN_Z, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, "of its ball", false},
    {"universal",
     true,
     {{1, {TURN_Z, 0, 0}, {TURN_Z, 0, 0}, false, RBV_PRESS_BEARING},
      {1, {TURN_Z, 0, 0}, {TURN_X, 0, 0}, true, RBV_PRESS_BEARING}},
     RBV_RADIUS_MUST,
     "of its pins",
     false},
    {"screw", true, SLIDES_ONE(TURN_Z, RBV_PRESS_THREAD), RBV_RADIUS_MUST, "of its thread", false},
    {"planar", true, SLIDES_THREE(SLIDE_X, SLIDE_Y, TURN_Z, RBV_PRESS_NORMAL), RBV_RADIUS_MAY, NULL, false},
    {"inplane", true, SLIDES_TWO(SLIDE_X, SLIDE_Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, false},
    {"cam", true, SLIDES_ONE(SLIDE_X, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL,
     false}, /* on a spatial curve: along the curve */
    {"cam", true, SLIDES_TWO(SLIDE_X, SLIDE_Y, RBV_PRESS_TOTAL), RBV_RADIUS_NONE, NULL,
     false}, /* on a surface: along the outline and across it */
    {"point", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_ACROSS), RBV_RADIUS_NONE, NULL, false},
    {"point", true, SLIDES_TWO(SLIDE_X, SLIDE_Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, false},
    {"inline", true, SLIDES_ONE(SLIDE_Z, RBV_PRESS_RADIAL), RBV_RADIUS_NONE, NULL, false},
    {"worm", true, SLIDES_ONE(SLIDE_X, RBV_PRESS_TEETH), RBV_RADIUS_NONE, NULL, false}, /* along the teeth */
    {"gear", true, SLIDES_ONE(SLIDE_X, RBV_PRESS_TEETH), RBV_RADIUS_NONE, NULL, false}, /* of crossed axes */
    {"gear", true, SLIDES_ONE(TURN_Z, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"bevel", true, SLIDES_ONE(TURN_Z, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"gear", false, SLIDES_ONE(TURN_Z, RBV_PRESS_TEETH), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"rack", false, SLIDES_ONE(TURN_Z, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"rack", true, SLIDES_ONE(TURN_Z, RBV_PRESS_TOTAL), RBV_RADIUS_MUST, LINE_OF_ACTION, false},
    {"link", false, TWO_PINS, RBV_RADIUS_MUST, "of its pins", false},
    {"distance", false, TWO_PINS, RBV_RADIUS_MUST, "of its pins", false},
    {"link", true, TWO_BALLS, RBV_RADIUS_MUST, "of its balls", false},
    {"distance", true, TWO_BALLS, RBV_RADIUS_MUST, "of its balls", false},
    {"constant-velocity", true, SLIDES_TWO(TURN_X, TURN_Y, RBV_PRESS_BALLS), RBV_RADIUS_MUST, "at which its balls run",
     false}, /* in the bisecting plane */
    /* sticking is the joint's own constraint */
    {"knife-edge", false, SLIDES_ONE(SLIDE_Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"wheel", false, SLIDES_ONE(SLIDE_Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"knife-edge", true, SLIDES_ONE(SLIDE_Y, RBV_PRESS_GIVEN), RBV_RADIUS_NONE, NULL, true},
    {"wheel", true, SLIDES_TWO(SLIDE_X, SLIDE_Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL,
     true}, /* along the rolling direction, and across */
    {"wheel", true, SLIDES_ONE(SLIDE_X, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, true}, /* lateral: false */
    {"ball", true, SLIDES_TWO(SLIDE_X, SLIDE_Y, RBV_PRESS_NORMAL), RBV_RADIUS_NONE, NULL, true},
    {"belt", false, SLIDES_ONE(SLIDE_X, RBV_PRESS_WRAP), RBV_RADIUS_NONE, NULL, true},
    {"belt", true, SLIDES_ONE(SLIDE_X, RBV_PRESS_WRAP), RBV_RADIUS_NONE, NULL, true},
};

/* Reason why a joint has no friction law, as a clause. */
static const char *why_no_friction(const RbvJoint *joint) {
    bool any = joint->locks || joint->extra != RBV_EXTRA_NONE;
    if (rbv_forms[joint->form].strands)
        return "its links mesh with the wheels, and do not slip";
    return !any                                 ? "it holds nothing, so that nothing presses"
           : joint->locks == RBV_DIRECTIONS_ALL ? "nothing slides"
                                                : "no faces are known that what it holds would press together";
}

/* Does a law of another kind with the same directions apply to a `general` joint? */
static bool is_general_alike(const RbvJoint *joint, const RbvFrictionLaw *law) {
    const RbvJointNature *nature = rbv_joint_nature(rbv_joint_kind_find(law->kind), law->spatial);
    return strcmp(joint->kind->name, "general") == 0 && joint->form == nature->form && joint->extra == nature->extra &&
           joint->locks == nature->locks;
}

/* Select among the laws of a spatial kind by geometry: teeth of crossed axes slide along each other, others turn;
 * curves and wheels without lateral rows have one slip direction, surfaces and other wheels two. */
static bool law_fits(const RbvModel *model, const RbvJoint *joint, const RbvFrictionLaw *law) {
    if (rbv_forms[joint->form].teeth && joint->spatial) {
        bool crossed =
            joint->mesh >= 0
                ? model->meshes.items[joint->mesh].crossed
                : !(joint->sizes->friction_radius > 0); /* without a mesh (error reported before) any law fits */
        return crossed == (law->radius == RBV_RADIUS_NONE);
    }
    if (rbv_forms[joint->form].rolls)
        return law->surfaces[0].count == 1 + joint->lateral;
    return !rbv_forms[joint->form].outlines || law->surfaces[0].count == 1 + (joint->spatial && !joint->track);
}

const RbvFrictionLaw *rbv_friction_law_find(const RbvModel *model, const RbvJoint *joint, const char **why) {
    for (size_t k = 0; k < sizeof friction_laws / sizeof friction_laws[0]; k++)
        if (friction_laws[k].spatial == joint->spatial &&
            (strcmp(friction_laws[k].kind, joint->kind->name) == 0 || is_general_alike(joint, &friction_laws[k])) &&
            law_fits(model, joint, &friction_laws[k]))
            return &friction_laws[k];
    *why = why_no_friction(joint);
    return NULL;
}

bool rbv_friction_surfaces_slide(const RbvFrictionSurfaces *surfaces, int k, double radius) {
    return k < surfaces->count && (surfaces->direction[k] < 3 || radius > 0);
}

/* Number of slip directions of the joint, over all its friction surfaces. */
static int friction_directions(const RbvJoint *joint) {
    int sum = 0;
    for (int side = 0; joint->friction_law && side < RBV_MOST_FRICTION_SURFACES; side++)
        for (int k = 0; k < RBV_MOST_SLIP_DIRECTIONS; k++)
            sum += rbv_friction_surfaces_slide(&joint->friction_law->surfaces[side], k, joint->sizes->friction_radius);
    return sum;
}

int rbv_friction_component(const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k) {
    return friction_directions(joint) == 1 ? RBV_FRICTION : RBV_FRICTION_X + surfaces->printed[k];
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

/* Table of load kinds: name in a model file, plane or space, and columns in results.
 *
 * RBV_LOAD_LIST names all kinds. For each second name in the list there must be checks (add_NAME in
 * src/model/model/loads.c), formulas (rbv_load_NAME in src/mechanics/element) and the audit's own formulas (NAME in
 * src/solution/audit/loads.c); a missing one is a compiler error.
 */

#define NO_COLUMNS                                                                                                     \
    {                                                                                                                  \
        0, {                                                                                                           \
            { 0 }                                                                                                      \
        }                                                                                                              \
    }

static const RbvLoadRow load_rows[] = {
    [RBV_LOAD_FORCE] = {"force",
                        BOTH,
                        {2, {{"Fx", "N"}, {"Fy", "N"}}},
                        {3, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}}},
                        .applied = true,
                        .points = 1},
    [RBV_LOAD_TORQUE] = {"torque",
                         BOTH,
                         {1, {{"torque", "N.m"}}},
                         {3, {{"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}},
                         .applied = true,
                         .torque = true,
                         .points = 1},
    [RBV_LOAD_SPRING] = {"spring",
                         BOTH,
                         {1, {{"force", "N"}}},
                         {1, {{"force", "N"}}},
                         .law = true,
                         .line = true,
                         .elastic = true,
                         .points = 2},
    [RBV_LOAD_TORSION] =
        {"torsion-spring", BOTH, {1, {{"torque", "N.m"}}}, {1, {{"torque", "N.m"}}}, .law = true, .elastic = true},
    [RBV_LOAD_BUSHING] = {"bushing",
                          BOTH,
                          {3, {{"Fx", "N"}, {"Fy", "N"}, {"Tz", "N.m"}}},
                          {6, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}, {"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}},
                          .elastic = true,
                          .points = 2},
    [RBV_LOAD_ROTATING_FRAME] = {"rotating-frame", BOTH, NO_COLUMNS, NO_COLUMNS, .everywhere = true},
    [RBV_LOAD_FIELD] = {"field", BOTH, NO_COLUMNS, NO_COLUMNS, .everywhere = true},
    [RBV_LOAD_ENERGY] = {"energy", BOTH, {1, {{"energy", "J"}}}, {1, {{"energy", "J"}}}, .potential = true},
    [RBV_LOAD_DAMPING] = {"damping", 0, NO_COLUMNS, NO_COLUMNS, .points = 0}, /* damping of a joint: a key of joints */
};

int32_t rbv_load_kind_count(void) {
    return (int32_t)(sizeof load_rows / sizeof load_rows[0]);
}

const RbvLoadRow *rbv_load_row(RbvLoadKind kind) {
    return &load_rows[kind];
}

int32_t rbv_load_kind_find(const char *type) {
    for (int32_t kind = 0; kind < rbv_load_kind_count(); kind++)
        if (load_rows[kind].where && strcmp(load_rows[kind].type, type) == 0)
            return kind;
    return -1;
}

int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name) {
    const RbvLoadColumns *columns = rbv_load_columns(kind, spatial);
    for (int part = 0; part < columns->count; part++)
        if (strcmp(columns->part[part].name, name) == 0)
            return part;
    return -1;
}
