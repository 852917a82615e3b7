/* Tables of joint kinds: which relative directions each kind locks, and the friction of its surfaces (most joints are
 * fully described by their row); and of load kinds. */
#ifndef RBV_MODEL_MODEL_JOINT_KIND_H
#define RBV_MODEL_MODEL_JOINT_KIND_H

#include "model/model/joint_form.h"

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

/* Friction: slip directions, normal load and radius of the friction contacts of a joint kind. */

struct RbvJoint;
struct RbvModel;

/* How the normal load N [N] on friction surfaces follows from the joint's reaction F [N], T [N m], in the axes of the
 * surfaces. */
typedef enum RbvPress {
    RBV_PRESS_RADIAL,  /* sqrt(Fx^2 + Fy^2): a pin, a shaft */
    RBV_PRESS_BEARING, /* sqrt(Fx^2 + Fy^2) + |Fz|: a pin with a collar */
    RBV_PRESS_ENDS, /* a guide: two contacts half a length before and behind the second marker's origin share the force
                       and the couple across the guide */
    RBV_PRESS_ACROSS, /* |Fy| */
    RBV_PRESS_NORMAL, /* |Fz| */
    RBV_PRESS_TOTAL,  /* |F| */
    RBV_PRESS_BALLS,  /* |F| + |T|/r: balls in tracks at the radius r, which transmit the couple T */
    RBV_PRESS_THREAD, /* |Fz| / cos(alpha), tan(alpha) = pitch/(2 pi r): a square thread */
    RBV_PRESS_TEETH,  /* |Fn| sqrt(1 + apart^2 + axial^2), Fn: force that turns the wheels; apart, axial: separating and
                         axial force per unit of Fn */
    RBV_PRESS_GIVEN,  /* the user's `normal` [N]: the load of a knife edge is not in the model */
    RBV_PRESS_WRAP    /* 2 T0 tanh(mu beta/2)/mu: both strands of a belt have the mean pull T0, and T1/T2 <= e^(mu beta)
                         (Euler, Eytelwein), beta the smaller angle of wrap */
} RbvPress;

/* Is the normal load independent of the joint's reaction? */
static inline bool rbv_press_is_given(RbvPress press) {
    return press == RBV_PRESS_GIVEN || press == RBV_PRESS_WRAP;
}

#define RBV_MOST_SLIP_DIRECTIONS 3
#define RBV_MOST_FRICTION_SURFACES 2
/* Values of RbvFrictionSurfaces.printed: the pin of a bar on its first or second body. */
#define RBV_PIN_FIRST 6
#define RBV_PIN_SECOND 7
/* Values of `printed` for a bar in space: x across the bar at its first or second end; y is the next number. */
#define RBV_END_FIRST 8
#define RBV_END_SECOND 10

typedef struct RbvFrictionSurfaces {
    int count;                               /* slip directions; 0: no friction surfaces */
    int direction[RBV_MOST_SLIP_DIRECTIONS]; /* slip directions 0 ... 5: x y z rx ry rz */
    int printed[RBV_MOST_SLIP_DIRECTIONS];   /* component of the output: joint.friction.x ... rz of a joint with several
                                                slip directions; FIRST, SECOND: ends of a bar */
    bool second; /* surfaces are fixed in the axes of the second marker, else of the first */
    RbvPress press;
} RbvFrictionSurfaces;

typedef enum RbvRadiusUse {
    RBV_RADIUS_NONE,
    RBV_RADIUS_MAY,
    RBV_RADIUS_MUST,
    RBV_RADIUS_LENGTH
} RbvRadiusUse; /* LENGTH: half of a guide, no radius */

typedef struct RbvFrictionLaw {
    const char *kind;
    bool spatial;
    RbvFrictionSurfaces surfaces[RBV_MOST_FRICTION_SURFACES];
    RbvRadiusUse radius;
    const char *meaning; /* MUST: what the radius is measured on, for messages */
    bool own; /* sticking is the joint's own constraint: its last rows, one for each slip direction, are the friction
                 force; these rows are active unless the contact slides */
} RbvFrictionLaw;

/* The friction law of the joint's kind; for `general` that of the kind with the same locked directions; gears have one
 * where their teeth slide. NULL: no friction law; *why is the reason, as a clause. */
const RbvFrictionLaw *rbv_friction_law_find(const struct RbvModel *model, const struct RbvJoint *joint,
                                            const char **why);
/* Does slip direction k of the surfaces slide, given the joint's friction radius [m]? */
bool rbv_friction_surfaces_slide(const RbvFrictionSurfaces *surfaces, int k, double radius);
/* Does the joint have this friction component (RBV_FRICTION ...)? Is the component a torque? */
bool rbv_friction_has(const struct RbvJoint *joint, int component);
bool rbv_friction_is_torque(const struct RbvJoint *joint, int component);
/* The RbvComponent that prints slip direction k of the surfaces. */
int rbv_friction_component(const struct RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k);

/* Kinds of loads. RBV_LOAD_LIST names all, in the order of the schema. The damping of a joint comes last; this kind has
 * no entry under loads:, no name and no column. */
#define RBV_LOAD_LIST(KIND)                                                                                            \
    KIND(FORCE, force)                                                                                                 \
    KIND(TORQUE, torque)                                                                                               \
    KIND(SPRING, spring)                                                                                               \
    KIND(TORSION, torsion)                                                                                             \
    KIND(BUSHING, bushing)                                                                                             \
    KIND(ROTATING_FRAME, rotating_frame)                                                                               \
    KIND(FIELD, field)                                                                                                 \
    KIND(ENERGY, energy)                                                                                               \
    KIND(DAMPING, damping)

typedef enum RbvLoadKind {
#define RBV_LOAD_MEMBER(KIND, name) RBV_LOAD_##KIND,
    RBV_LOAD_LIST(RBV_LOAD_MEMBER)
#undef RBV_LOAD_MEMBER
} RbvLoadKind;

/* Result columns of a load kind, in the order of RbvState.load_value. */
typedef struct RbvLoadColumns {
    int count;
    struct {
        const char *name, *unit;
    } part[6];
} RbvLoadColumns;

typedef struct RbvLoadRow {
    const char *type; /* under `type:` */
    int where;        /* RBV_KIND_PLANE, RBV_KIND_SPACE; 0: not written */
    RbvLoadColumns plane, space;
    bool applied;    /* a force or torque on one marker, of components given by the user */
    bool torque;     /* applied: its components are torques */
    bool law;        /* one force along one measure, which follows from its value and rate */
    bool line;       /* acts along the line of two points, which has no direction at length zero */
    bool elastic;    /* between two markers; its energy is zero where it is unstrained */
    bool everywhere; /* acts on all bodies */
    bool potential;  /* its expression is an energy: its force is a derivative, its stiffness a second one */
    int8_t points;   /* how many of its markers are points of the drawn machine */
} RbvLoadRow;

int32_t rbv_load_kind_count(void);
const RbvLoadRow *rbv_load_row(RbvLoadKind kind);
static inline const RbvLoadColumns *rbv_load_columns(RbvLoadKind kind, bool spatial) {
    return spatial ? &rbv_load_row(kind)->space : &rbv_load_row(kind)->plane;
}
/* The kind whose `type:` is `type`, or -1. */
int32_t rbv_load_kind_find(const char *type);
/* Index of the kind's column called `name`, or -1. */
int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name);

#endif
