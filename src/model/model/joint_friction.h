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
#ifndef RBV_MODEL_MODEL_JOINT_FRICTION_H
#define RBV_MODEL_MODEL_JOINT_FRICTION_H

#include "model/model/joint_kind.h"

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
/* Number of slip directions of the joint, over all its friction surfaces. */
int rbv_friction_directions(const struct RbvJoint *joint);
/* Does the joint have this friction component (RBV_FRICTION ...)? Is the component a torque? */
bool rbv_friction_has(const struct RbvJoint *joint, int component);
bool rbv_friction_is_torque(const struct RbvJoint *joint, int component);
/* The RbvComponent that prints slip direction k of the surfaces. */
int rbv_friction_component(const struct RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k);

#endif
