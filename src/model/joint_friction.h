/* Where joints rub: a table of what slides, what presses, and which radius counts, kind by kind
 * (docs/joints.md#friction).
 *
 * A joint has one pair of friction contacts, or two (the pins of a universal joint, the ends of a bar). On each, with u
 * the sliding velocity [m/s] and N the load that presses:
 *   sliding: f = -mu N u/|u|;   sticking: |f| <= static N
 * u and f have a component for each direction that slides; a turn slides with u = r w and carries the torque r f, r the
 * radius of the faces. Of what rolls, and of a belt, sticking is the joint's own relation: its tangential force is
 * friction, and is printed in the reaction as well.
 */
#ifndef RBV_MODEL_JOINT_FRICTION_H
#define RBV_MODEL_JOINT_FRICTION_H

#include "model/joint_kind.h"

struct RbvJoint;
struct RbvModel;

/* The load N on faces from the joint's reaction, in the axes of the faces. */
typedef enum RbvPress {
    RBV_PRESS_RADIAL,  /* sqrt(Fx^2 + Fy^2): a pin, a shaft */
    RBV_PRESS_BEARING, /* sqrt(Fx^2 + Fy^2) + |Fz|: a pin with a collar */
    RBV_PRESS_ENDS,   /* of a guide: both its ends, half a length before and behind the second's origin, which share the
                         force and the couple across */
    RBV_PRESS_ACROSS, /* |Fy| */
    RBV_PRESS_NORMAL, /* |Fz| */
    RBV_PRESS_TOTAL,  /* |F| */
    RBV_PRESS_BALLS,  /* |F| + |T|/r: balls in tracks at the radius r, which transmit the couple T */
    RBV_PRESS_THREAD, /* |Fz| / cos(alpha), tan(alpha) = pitch/(2 pi r): a square thread */
    RBV_PRESS_TEETH,  /* |Fn| sqrt(1 + apart^2 + axial^2) of the force Fn that turns the wheels: with what pushes them
                         apart, and along their axes */
    RBV_PRESS_GIVEN,  /* the user's `normal`: what presses a knife edge is not in the model */
    RBV_PRESS_WRAP    /* 2 T0 tanh(mu beta/2)/mu: both strands of a belt have the mean pull T0, and T1/T2 <= e^(mu beta)
                         (Euler, Eytelwein), beta the smaller angle of wrap */
} RbvPress;

/* Is the load no matter of the reaction? */
static inline bool rbv_press_is_given(RbvPress press) {
    return press == RBV_PRESS_GIVEN || press == RBV_PRESS_WRAP;
}

#define RBV_MOST_SLIP_DIRECTIONS 3
#define RBV_MOST_FRICTION_SURFACES 2
/* In `printed`: the pin of a bar, on its first or second body. */
#define RBV_PIN_FIRST 6
#define RBV_PIN_SECOND 7
/* Of a bar in space: its end, x across it; y follows. */
#define RBV_END_FIRST 8
#define RBV_END_SECOND 10

typedef struct RbvFrictionSurfaces {
    int count;                               /* 0: there are none */
    int direction[RBV_MOST_SLIP_DIRECTIONS]; /* that slide: 0 ... 5 */
    int printed[RBV_MOST_SLIP_DIRECTIONS]; /* as joint.friction.x ... rz, where a joint has several; FIRST, SECOND: the
                                   ends of a bar */
    bool second;                           /* in the axes of the second marker, else of the first */
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
    const char *meaning; /* MUST: whose radius it is, for messages */
    bool own; /* what sticks is the joint itself: its last rows, one for each way, which are friction; they hold
                 wherever nothing is said of sliding */
} RbvFrictionLaw;

/* Of the joint's kind, or for `general` of the kind that holds what it holds; gears have one where their teeth slide.
 * NULL: there is none, *why says so in a clause. */
const RbvFrictionLaw *rbv_friction_law_find(const struct RbvModel *model, const struct RbvJoint *joint,
                                            const char **why);
/* Does way k of the faces slide, with a radius as the joint's? */
bool rbv_friction_surfaces_slide(const RbvFrictionSurfaces *surfaces, int k, double radius);
/* Directions in which the joint rubs, of all its faces. */
int rbv_friction_directions(const struct RbvJoint *joint);
/* Is the friction component (RBV_FRICTION ...) one of the joint, and is it a torque? */
bool rbv_friction_has(const struct RbvJoint *joint, int component);
bool rbv_friction_is_torque(const struct RbvJoint *joint, int component);
/* The component in which way k of the faces is printed. */
int rbv_friction_component(const struct RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k);

#endif
