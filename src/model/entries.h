/* What a model is a list of: bodies, markers, measures, joints, drives, loads, ... as they are after checking. Names
 * are resolved to indices, expressions compiled. Numbers are SI. */
#ifndef RBV_MODEL_ENTRIES_H
#define RBV_MODEL_ENTRIES_H

#include <roberval/model.h>

#include "base/arena.h"
#include "base/index_table.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "expr/expr.h"
#include "linalg/rotation.h"
#include "model/body_shape.h"
#include "model/joint_friction.h"
#include "model/joint_kind.h"
#include "model/joint_numbers.h"
#include "model/load_kind.h"
#include "model/transmission.h"

typedef struct RbvBody {
    const char *name;
    bool particle;
    int32_t generalized; /* 1 + the generalized coordinate that it carries, of which users do not know; 0: a body of
                            theirs */
    double mass;
    RbvVec3 centroid;  /* from the body frame's origin, body axes [m] */
    double inertia[6]; /* about the centroid, body axes [kg m^2] */
    RbvVec3 at;        /* starting pose: origin [m] */
    double angle;      /* starting pose: turn about z [rad], not reduced (plane) */
    RbvQuat rotation;  /* starting pose (space) */
    bool posed;        /* a starting pose was given */
    RbvPosition where;
} RbvBody;

/* J w for w in ground axes, A the body's axes. */
static inline RbvVec3 rbv_body_momentum(const RbvBody *body, const RbvMat3 *A, RbvVec3 w) {
    const double *I = body->inertia;
    RbvVec3 u = rbv_apply_transposed(A, w);
    return rbv_apply(A, (RbvVec3){I[0] * u.x + I[3] * u.y + I[4] * u.z, I[3] * u.x + I[1] * u.y + I[5] * u.z,
                                  I[4] * u.x + I[5] * u.y + I[2] * u.z});
}

typedef struct RbvMarker {
    const char *name; /* "body.marker"; "body" for its origin and for places made by `at:` */
    int32_t body;
    RbvVec3 at;      /* from the body frame's origin, body axes [m] */
    double angle;    /* of its x about z [rad] (plane) */
    RbvAxes *turned; /* its axes in the body's; NULL: they are the body's, as of most. In a model with a journal each
                        has room for them */
} RbvMarker;

static inline const RbvAxes *rbv_marker_axes(const RbvMarker *marker) {
    return marker->turned ? marker->turned : &rbv_axes_alike;
}

/* What can be measured between two markers i, j. Element/ knows how. */
typedef enum RbvMeasureKind {
    RBV_MEASURE_OFFSET,    /* a_k(i) . (p_j - p_i)                      [m] */
    RBV_MEASURE_ANGLE,     /* turn of x_j from x_i about z, continuous  [rad] */
    RBV_MEASURE_DISTANCE,  /* |p_j - p_i|                               [m] */
    RBV_MEASURE_TURN,      /* turn of x_j about z, continuous           [rad] */
    RBV_MEASURE_DIRECTION, /* turn of p_j - p_i about z, continuous     [rad] */
    RBV_MEASURE_GAP,       /* signed distance of two outlines           [m] */
    RBV_MEASURE_ROTATION,  /* component `axis` of the rotation vector   [rad] (space, as all that follow but SLIP) */
    RBV_MEASURE_TILT,      /* axes a of both apart, about k; axis = 3 a + k [rad] */
    RBV_MEASURE_TWIST,     /* turn about the axis `axis`, continuous    [rad] */
    RBV_MEASURE_DOT,       /* k-th axis of i . l-th axis of j; axis = 3 k + l [1] */
    RBV_MEASURE_CONTACT,   /* height of a disk's lowest point over i's xy plane [m] */
    RBV_MEASURE_TRACK,     /* part of the distance from a curve of space; axis = 2 cam + part [m] */
    RBV_MEASURE_REVOLVED,  /* signed distance from a surface of revolution; axis = cam [m] */
    RBV_MEASURE_MESH,      /* sum of pitch radius times twist against the carrier [m]; gradient along its lines */
    RBV_MEASURE_ROLL,      /* a rate alone: slip of a disk or ball at its contact, 0 along, 1 across [m/s] */
    RBV_MEASURE_SPIN,  /* a rate alone: e_k . (w_j - w_i), e the axes of i for axis = k, those of j for axis = 3 + k; 6:
                          the line from p_i to p_j, both on one body [rad/s] */
    RBV_MEASURE_GLIDE, /* a rate alone: sliding of a cam's second over its first at the contact, counterclockwise about
                          the material; or along a curve of space; axis = 2 cam + part, part 1: across the outline of a
                          surface [m/s] */
    RBV_MEASURE_TOOTH, /* a rate alone: sliding of the second over the first along the teeth of crossed axes, z of the
                          mesh's line at its point [m/s] */
    RBV_MEASURE_SWING, /* a rate alone: turn across the bar from p_i to p_j, of it on i (axis = c) or of j on it (2 +
                          c), c its direction; see element/swing.c [rad/s] */
    RBV_MEASURE_BEND,  /* a rate alone: turn of j on i about direction `axis` of the plane that halves shafts of equal
                          speeds [rad/s] */
    RBV_MEASURE_SLIP /* a rate alone: across the edge, n . (velocity of p_j over body i), n = z_i x x_j made unit [m/s]
                      */
} RbvMeasureKind;

typedef struct RbvMeasure {
    RbvMeasureKind kind;
    int32_t marker[2];
    int32_t axis; /* OFFSET, ROTATION, TWIST: 0 1 2; TILT, DOT: two of them; GAP: the cam's index, GLIDE: 2 cam + part,
                     MESH, TOOTH: the mesh's; CONTACT, ROLL: 2 joint + part */
} RbvMeasure;

/* What prescribes a measure: 1 + the index, 0: nothing does. And who has asked for it. */
typedef struct RbvPrescribed {
    int32_t drive, initial[2]; /* initial conditions of value and rate */
    bool of_locks;             /* nothing but directions that joints lock */
} RbvPrescribed;

/* What a variable of an expression stands for. */
typedef enum RbvVariableKind {
    RBV_VARIABLE_TIME,
    RBV_VARIABLE_COORDINATE, /* measure `index`, differentiated `part` times by time */
    RBV_VARIABLE_LENGTH,     /* l of the spring the expression belongs to, differentiated `part` times */
    RBV_VARIABLE_PLACE,      /* x, y, z of the centroid the field acts on: `part` 0, 1, 2 */
    RBV_VARIABLE_EFFORT,     /* of drive `index` */
    RBV_VARIABLE_REACTION,   /* component `part` (see RbvComponent) of joint `index` */
    RBV_VARIABLE_LOAD,       /* value `part` of load `index` */
    RBV_VARIABLE_STATE,      /* state `index` of the user's own */
    RBV_VARIABLE_MULTIPLIER, /* effort of constraint `index` */
    RBV_VARIABLE_CONTROL,    /* effort of actuator `index` */
    RBV_VARIABLE_STOP        /* force of stop `index` */
} RbvVariableKind;

/* Reactions, efforts, forces of constraints and stops: what a self-stress can change. */
static inline bool rbv_variable_is_result(RbvVariableKind kind) {
    return kind == RBV_VARIABLE_EFFORT || kind == RBV_VARIABLE_REACTION || kind == RBV_VARIABLE_MULTIPLIER ||
           kind == RBV_VARIABLE_STOP;
}

typedef struct RbvVariable {
    RbvVariableKind kind;
    int32_t index, part;
} RbvVariable;

/* Reaction components: force and torque on the second body, then what single-line joints add. */
typedef enum RbvComponent {
    RBV_FX,
    RBV_FY,
    RBV_FZ,
    RBV_TX,
    RBV_TY,
    RBV_TZ,
    RBV_LINE_F,
    RBV_LINE_FT,
    RBV_LINE_FR,
    RBV_LINE_FA,
    RBV_FRICTION, /* effort on the joint's own coordinate, N or N m; or, where it rubs in several directions, one for
                     each */
    RBV_FRICTION_X,
    RBV_FRICTION_Y,
    RBV_FRICTION_Z,
    RBV_FRICTION_RX,
    RBV_FRICTION_RY,
    RBV_FRICTION_RZ,
    RBV_FRICTION_FIRST,
    RBV_FRICTION_SECOND, /* of the pins of a bar */
    RBV_FRICTION_FIRST_RX,
    RBV_FRICTION_FIRST_RY,
    RBV_FRICTION_SECOND_RX,
    RBV_FRICTION_SECOND_RY, /* of its ends in space, across it */
    RBV_COMPONENT_COUNT
} RbvComponent;
const char *rbv_component_name(RbvComponent component);
const char *rbv_component_unit(RbvComponent component);

typedef struct RbvJoint { /* large models have many of them: no gaps */
    const char *name;
    const RbvJointKind *kind;
    RbvPosition where;
    RbvJointForm form;
    RbvJointExtra extra;
    int32_t marker[2];
    int32_t mesh; /* GEAR, BELT in space */
    int32_t rack; /* RACK in space: marker of the first, x along the rack, z along the pinion's axis */
    int32_t carrier;
    int32_t cam;
    uint8_t coordinates; /* directions with a name of their own */
    uint8_t locks;       /* LOCKS: directions held */
    bool unknown; /* its type was wrong (said): every coordinate of it is accepted, so that no mistake is said twice */
    bool spatial;
    bool ball; /* ROLL: a ball, else a disk; radii[1] its radius */
    bool internal, crossed;
    bool track;      /* CAM: a curve of space, two rows */
    bool unilateral; /* it lets go where its force would turn negative */
    bool has_friction;
    RbvJointSizes
        *sizes; /* those of most joints are the model's plain ones. In a model with a journal each has its own */
    const RbvFrictionLaw *friction_law; /* what slides on what; NULL: nothing rubs */
    RbvLoose *loose; /* NULL: rigid, and a fit, as most. In a model with a journal each has room for it */
} RbvJoint;

static inline const RbvLoose *rbv_joint_loose(const RbvJoint *joint) {
    return joint->loose ? joint->loose : &rbv_rigid;
}

/* The first marker's axes carry the joint's reaction, but the second's those of a knife edge or wheel. */
static inline int32_t rbv_joint_axes(const RbvJoint *joint) {
    return joint->marker[joint->form == RBV_FORM_EDGE || (joint->form == RBV_FORM_ROLL && !joint->ball)];
}

/* Does the kind of joint have this component? Values along a line belong to joints that hold a single line; in the
 * plane there is no Fz, Tx, Ty. */
static inline bool rbv_joint_has_component(const RbvJoint *joint, int component) {
    RbvJointForm form = joint->form;
    if (joint->spatial && component < RBV_LINE_F)
        return true;
    if (component == RBV_LINE_F)
        return form != RBV_FORM_LOCKS && form != RBV_FORM_EDGE && !joint->track;
    if (component > RBV_LINE_F && component < RBV_FRICTION)
        return form == RBV_FORM_GEAR;
    return component >= RBV_FRICTION ? joint->has_friction && rbv_friction_has(joint, component)
                                     : component == RBV_FX || component == RBV_FY || component == RBV_TZ;
}

/* What is asked for where a coordinate is: a measure, or an expression of measures by its name. Both -1: nothing
 * (wrong, said). */
typedef struct RbvCoordinateRef {
    int32_t measure;
    int32_t named; /* among `coordinates` */
    int32_t rate;  /* 1: its rate */
} RbvCoordinateRef;

typedef enum RbvNaming { RBV_NAMING_ANNOUNCED, RBV_NAMING_OPEN, RBV_NAMING_DEFINED, RBV_NAMING_WRONG } RbvNaming;

/* A name under `coordinates:`. Announced: it stands further down; open: its expression is being read. */
typedef struct RbvNamedCoordinate {
    const char *name;
    const char *text; /* as written */
    RbvNaming state;
    RbvExpr *value;  /* NULL: not defined, or wrong (said) */
    int32_t measure; /* where it is a coordinate as it stands, else -1 */
    RbvPrescribed prescribed;
    RbvPosition where;
} RbvNamedCoordinate;

typedef struct RbvConstraint {
    const char *name;
    const char *text;
    RbvExpr *equation;
    bool on_rates;    /* velocity: psi(m, m', t) = 0, else equation: phi(m, t) = 0 */
    const char *unit; /* of its effort: power over the unit of psi, energy over that of phi; "" where it is not known */
    bool nonideal;    /* it does work: some of the model's nonideals are its own */
    bool required;    /* under track: no constraint of the mechanism, but a motion that control is to bring about */
    const char *error_unit; /* required: of the left-hand side */
    RbvPosition where;
} RbvConstraint;

/* The force [N or N m] that a constraint is said to exert along a coordinate, per unit of virtual displacement:
 * Udwadia's C. */
typedef struct RbvNonideal {
    const char *coordinate; /* as written */
    int32_t constraint, measure;
    RbvExpr *force; /* may read ideal efforts of constraints */
    RbvPosition where;
} RbvNonideal;

/* An effort that control may use. */
typedef struct RbvActuator {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    double weight, most; /* most [N or N m, or its unit]: +-; INFINITY: no limit */
    const char *unit;    /* of its effort */
    RbvPosition where;
} RbvActuator;

/* One-sided: a coordinate that cannot pass. */
typedef struct RbvStop {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    const char *unit, *force_unit; /* of the coordinate, and of the push on it */
    double limit[2];               /* [m, rad or its unit] least and largest; -INFINITY, INFINITY: none */
    double restitution;            /* of the rate of approach (Newton) */
    RbvPosition where;
} RbvStop;

/* A differential equation of the user's own: x' = rate. */
typedef struct RbvOwnState {
    const char *name;
    RbvExpr *rate;
    double start;
    RbvExprDimension dimension; /* of x */
    const char *unit;           /* SI; "" where it is not known */
    RbvPosition where;
} RbvOwnState;

/* A coordinate of a system by its own equations, M q'' = force. It is the place along ground's x of a massless body
 * that has no other motion. */
typedef struct RbvGeneralized {
    const char *name;
    int32_t body, measure;
    RbvExprDimension dimension;
    const char *unit; /* SI; "" where it is not known */
    RbvExpr *force;
    RbvPosition where;
} RbvGeneralized;

/* What an event does. */
typedef enum RbvEventDeed { RBV_EVENT_MARK, RBV_EVENT_STOP } RbvEventDeed;

/* An instant at which an expression passes zero. */
typedef struct RbvEventDefinition {
    const char *name;
    RbvExpr *when;
    bool truth;    /* when: is a condition, 0 or 1, which passes 1/2 */
    int direction; /* 1: rising, -1: falling, 0: both */
    RbvEventDeed deed;
    RbvPosition where;
} RbvEventDefinition;

/* The value that an event gives to a state of the user's own. */
typedef struct RbvSetting {
    int32_t event, state;
    RbvExpr *value;
} RbvSetting;

/* What holds only while an expression is not zero. */
typedef enum RbvConditionOf {
    RBV_CONDITION_JOINT,
    RBV_CONDITION_CONSTRAINT,
    RBV_CONDITION_DRIVE,
    RBV_CONDITION_LOAD,
    RBV_CONDITION_STOP
} RbvConditionOf;
typedef struct RbvCondition {
    RbvConditionOf of;
    int32_t index;
    const char *name; /* of what it belongs to */
    RbvExpr *active;
    bool here; /* it holds where it stands when it engages */
    RbvPosition where;
} RbvCondition;

typedef struct RbvDrive {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    RbvExpr *motion;
    const char *unit; /* of its effort */
    RbvPosition where;
    RbvExpr *most;   /* its effort lies between -most and most; NULL: it has what it needs */
    double catch_up; /* [1/s] how fast a lag dies out; 0: it stays */
    bool has_rotor;  /* a wheel of this inertia [kg m^2] turns with it, `ratio` times as fast: [rad/rad or rad/m] */
    double rotor_inertia, rotor_ratio;
} RbvDrive;

typedef struct RbvLoad {
    const char *name; /* NULL: the damping of joint `joint` */
    RbvLoadKind kind;
    int32_t marker[2]; /* force, torque: [0] */
    int32_t joint;
    bool body_frame;
    int32_t measure_count,
        measure[6]; /* spring: distance; torsion: angle; bushing: x y rz or all six; damping: free directions */
    double stiffness[6], damping[6], free;
    RbvExpr *value[3]; /* force, torque, energy, field; spring law in [0]; speed in [0] */
    RbvVec3 center;
    RbvVec3 axis; /* rotating-frame: unit */
    RbvPosition where;
} RbvLoad;

typedef struct RbvInitial {
    const char *coordinate;
    RbvCoordinateRef of;
    double value;
    bool own; /* start: or rate: of a generalized coordinate: it may be one too many when it fits */
    RbvPosition where;
} RbvInitial;

typedef struct RbvOutput {
    const char *name;
    RbvExpr *value;
    const char *unit; /* SI unit where its dimension is known, else "" */
    RbvPosition where;
} RbvOutput;

/* A linear combination of reactions, efforts and forces of constraints, whose verdict is asked for. */
typedef struct RbvQuestion {
    const char *text;
    RbvExpr *value;
} RbvQuestion;

typedef struct RbvParameter {
    const char *name;
    double value;
    RbvExprDimension dimension;
    bool used;
    bool computed;      /* from an expression: a number without dimension may be made of some with */
    bool fixed;         /* the program has set it: whatever it was made from, it stays */
    const char *option; /* that gave it this value, "--set", "--follow"; NULL: the file, or C */
    RbvPosition where;
} RbvParameter;

typedef struct RbvTable {
    const char *name;
    RbvSpline *spline;
    RbvExprDimension x, y; /* from the headers of its columns */
    bool used;
    RbvPosition where;
} RbvTable;

/* The value of parameter `by` was made from a constant (2k: parameter k, 2k+1: table k). */
typedef struct RbvUse {
    int32_t by, constant;
} RbvUse;

/* The sections of a model file whose things can be read again, in the order in which they are read. */
typedef enum RbvSection {
    RBV_SECTION_NONE, /* what is added by a program */
    RBV_SECTION_TABLES,
    RBV_SECTION_STATE_NAMES,
    RBV_SECTION_GRAVITY,
    RBV_SECTION_BODIES,
    RBV_SECTION_GENERALIZED_NAMES,
    RBV_SECTION_JOINTS,
    RBV_SECTION_COORDINATES,
    RBV_SECTION_CONSTRAINTS,
    RBV_SECTION_DRIVES,
    RBV_SECTION_LOADS,
    RBV_SECTION_STATES,
    RBV_SECTION_GENERALIZED,
    RBV_SECTION_STOPS,
    RBV_SECTION_EVENTS,
    RBV_SECTION_TRACK,
    RBV_SECTION_INITIAL,
    RBV_SECTION_MOTION,
    RBV_SECTION_OUTPUT,
    RBV_SECTIONS
} RbvSection;

/* Number `index` of a section reads the value of `parameter`. */
typedef struct RbvItem {
    RbvSection section;
    int32_t index;
} RbvItem;
typedef struct RbvReading {
    RbvItem item;
    int32_t parameter;
} RbvReading;

/* Where what a joint adds besides itself begins: markers of its own, and its damping. */
typedef struct RbvJointPlaces {
    int32_t markers, loads;
} RbvJointPlaces;

/* Who can read the things of a model again (read/change.c): those that new values of parameters change, while the model
 * is being refilled (refill.h). Mistakes are said. */
typedef struct RbvModelSource {
    RbvStatus (*change)(void *context, RbvModel *model, const RbvParameterValue *values, int32_t count,
                        RbvDiagnostics *diagnostics);
    void (*destroy)(void *context);
    void *context;
} RbvModelSource;

#endif
