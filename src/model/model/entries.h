/* Entries of a checked model: bodies, markers, measures, joints, drives, loads, ... Names are resolved to indices,
 * expressions are compiled. Numbers are SI. */
#ifndef RBV_MODEL_MODEL_ENTRIES_H
#define RBV_MODEL_MODEL_ENTRIES_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/expr/expr.h"
#include "core/linalg/small.h"
#include "model/model/kinds.h"
#include <roberval/joints.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct RbvBody {
    const char *name;
    bool particle;
    int32_t generalized; /* 1 + index of the generalized coordinate that this internal body carries; 0: a body of the
                            user */
    double mass;
    RbvVec3 centroid;  /* from the body frame's origin, body axes [m] */
    double inertia[6]; /* inertia tensor about the centroid: xx yy zz xy xz yz, body axes [kg m^2] */
    RbvVec3 at;        /* starting pose: origin of the body frame, ground axes [m] */
    double angle;      /* starting pose: turn about z [rad], not reduced (plane) */
    RbvQuat rotation;  /* starting pose (space) */
    bool posed;        /* a starting pose was given */
    RbvPosition where;
} RbvBody;

/* Shapes that contribute to a body's mass, kept for pictures only: mechanics uses the mass properties alone (shape.h).
 */
typedef enum RbvBodyShapeKind {
    RBV_SHAPE_ROD,
    RBV_SHAPE_RECTANGLE,
    RBV_SHAPE_TRIANGLE,
    RBV_SHAPE_DISK,
    RBV_SHAPE_SEMICIRCLE,
    RBV_SHAPE_RING,
    RBV_SHAPE_POLYGON,
    RBV_SHAPE_BOX,
    RBV_SHAPE_CYLINDER,
    RBV_SHAPE_CONE,
    RBV_SHAPE_SPHERE,
    RBV_SHAPE_MESH
} RbvBodyShapeKind;

/* One shape; points and rotation in the body's axes. */
typedef struct RbvBodyShape {
    int32_t body;
    RbvBodyShapeKind kind;
    bool hole;      /* a void: its mass is subtracted */
    RbvVec3 at, to; /* [m] middle, or ends (rod, cylinder, cone); triangle: middle of the base; semicircle: middle of
                       the full circle */
    RbvVec3 size;   /* [m] box: edges; rectangle, triangle: width, height; plane rod: y its height; ring: y its width */
    double radius;  /* [m] of disk, semicircle, ring, cylinder, cone, sphere */
    double angle;   /* [rad] orientation of triangle, semicircle */
    RbvQuat rotation; /* box */
    int32_t count;    /* number of points: of a polygon; of a mesh three per triangle */
    RbvVec3 *points;
} RbvBodyShape;

/* Angular momentum J w [kg m^2/s] about the centroid, in body axes, for w [rad/s] in ground axes; A: the body's axes.
 */
static inline RbvVec3 rbv_body_momentum(const RbvBody *body, const RbvMat3 *A, RbvVec3 w) {
    const double *I = body->inertia;
    RbvVec3 u = rbv_apply_transposed(A, w);
    return rbv_apply(A, (RbvVec3){I[0] * u.x + I[3] * u.y + I[4] * u.z, I[3] * u.x + I[1] * u.y + I[5] * u.z,
                                  I[4] * u.x + I[5] * u.y + I[2] * u.z});
}

typedef struct RbvMarker {
    const char *name; /* "body.marker"; "body" for the body's origin and for markers made by `at:` */
    int32_t body;
    RbvVec3 at;      /* from the body frame's origin, body axes [m] */
    double angle;    /* of the marker's x axis about z [rad] (plane) */
    RbvAxes *turned; /* axes in the body's axes; NULL: equal to the body's (most markers). Never NULL in a model with a
                        journal, so that refilling can change them */
} RbvMarker;

static inline const RbvAxes *rbv_marker_axes(const RbvMarker *marker) {
    return marker->turned ? marker->turned : &rbv_axes_alike;
}

/* Kinds of measures between two markers i, j. p: origins, a: axes, w: angular velocities, in ground axes. Values and
 * derivatives are computed in src/element. */
typedef enum RbvMeasureKind {
    RBV_MEASURE_OFFSET,    /* a_k(i) . (p_j - p_i)                      [m] */
    RBV_MEASURE_ANGLE,     /* turn of x_j from x_i about z, continuous  [rad] */
    RBV_MEASURE_DISTANCE,  /* |p_j - p_i|                               [m] */
    RBV_MEASURE_TURN,      /* turn of x_j about z, continuous           [rad] */
    RBV_MEASURE_DIRECTION, /* turn of p_j - p_i about z, continuous     [rad] */
    RBV_MEASURE_GAP,       /* signed distance of two outlines           [m] */
    RBV_MEASURE_ROTATION,  /* component `axis` of the rotation vector   [rad] (space, as all that follow but SLIP) */
    RBV_MEASURE_TILT,      /* angle between axes a of both markers about axis k; axis = 3 a + k [rad] */
    RBV_MEASURE_TWIST,     /* turn about the axis `axis`, continuous    [rad] */
    RBV_MEASURE_DOT,       /* k-th axis of i . l-th axis of j; axis = 3 k + l [1] */
    RBV_MEASURE_CONTACT,   /* height of a disk's lowest point above i's xy plane [m] */
    RBV_MEASURE_TRACK,     /* component of the distance from a spatial curve; axis = 2 cam + part [m] */
    RBV_MEASURE_REVOLVED,  /* signed distance from a surface of revolution; axis = cam [m] */
    RBV_MEASURE_MESH,      /* sum of pitch radius times twist relative to the carrier [m]; gradient along its lines */
    RBV_MEASURE_ROLL,      /* rate only: slip velocity of a disk or ball at its contact, 0 along, 1 across [m/s] */
    RBV_MEASURE_SPIN,  /* rate only: e_k . (w_j - w_i), e the axes of i for axis = k, those of j for axis = 3 + k; axis
                          6: along the line from p_i to p_j, both on one body [rad/s] */
    RBV_MEASURE_GLIDE, /* rate only: slip velocity of a cam's second outline over its first at the contact,
                          counterclockwise about the material; or along a spatial curve; axis = 2 cam + part, part 1:
                          across the outline of a surface [m/s] */
    RBV_MEASURE_TOOTH, /* rate only: slip velocity of the second wheel over the first along the teeth of crossed axes,
                          in direction z of the mesh line's marker at its origin [m/s] */
    RBV_MEASURE_SWING, /* rate only: turn across the bar from p_i to p_j, of the bar on i (axis = c) or of j on the bar
                          (axis = 2 + c), c the direction; see mechanics/element/turning.c [rad/s] */
    RBV_MEASURE_BEND,  /* rate only: turn of j on i about direction `axis` of the bisecting plane of shafts with equal
                          speeds [rad/s] */
    RBV_MEASURE_SLIP /* rate only: across the edge, n . (velocity of p_j over body i), n = z_i x x_j normalized [m/s] */
} RbvMeasureKind;

typedef struct RbvMeasure {
    RbvMeasureKind kind;
    int32_t marker[2];
    int32_t axis; /* OFFSET, ROTATION, TWIST: 0 1 2; TILT, DOT: two of them; GAP: the cam's index, GLIDE: 2 cam + part,
                     MESH, TOOTH: the mesh's; CONTACT, ROLL: 2 joint + part */
} RbvMeasure;

/* Items that prescribe the value or rate of a measure: 1 + index, 0: none. */
typedef struct RbvPrescribed {
    int32_t drive, initial[2]; /* initial condition of the value [0] and of the rate [1] */
    bool of_locks;             /* the measure is used only for directions that joints lock */
} RbvPrescribed;

/* Quantities that a variable of an expression can stand for. */
typedef enum RbvVariableKind {
    RBV_VARIABLE_TIME,
    RBV_VARIABLE_COORDINATE, /* measure `index`, differentiated `part` times by time */
    RBV_VARIABLE_LENGTH,     /* l of the spring the expression belongs to, differentiated `part` times */
    RBV_VARIABLE_PLACE,      /* x, y, z of the centroid the field acts on: `part` 0, 1, 2 */
    RBV_VARIABLE_EFFORT,     /* effort of drive `index` */
    RBV_VARIABLE_REACTION,   /* component `part` (see RbvComponent) of joint `index` */
    RBV_VARIABLE_LOAD,       /* value `part` of load `index` */
    RBV_VARIABLE_STATE,      /* state `index` of the user's differential equations */
    RBV_VARIABLE_MULTIPLIER, /* effort of constraint `index` */
    RBV_VARIABLE_CONTROL,    /* effort of actuator `index` */
    RBV_VARIABLE_STOP        /* force of stop `index` */
} RbvVariableKind;

/* Reactions, efforts of drives, multipliers of constraints and forces of stops: the variables that a self-stress can
 * change. */
static inline bool rbv_variable_is_result(RbvVariableKind kind) {
    return kind == RBV_VARIABLE_EFFORT || kind == RBV_VARIABLE_REACTION || kind == RBV_VARIABLE_MULTIPLIER ||
           kind == RBV_VARIABLE_STOP;
}

typedef struct RbvVariable {
    RbvVariableKind kind;
    int32_t index, part;
} RbvVariable;

/* Reaction components: force [N] and torque [N m] on the second body; then the components of joints with a single line
 * of action. */
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
    RBV_FRICTION, /* friction effort [N or N m] on the joint's own coordinate; joints that slide in several directions
                     have one of the following for each */
    RBV_FRICTION_X,
    RBV_FRICTION_Y,
    RBV_FRICTION_Z,
    RBV_FRICTION_RX,
    RBV_FRICTION_RY,
    RBV_FRICTION_RZ,
    RBV_FRICTION_FIRST,
    RBV_FRICTION_SECOND, /* friction torques at the two pins of a bar */
    RBV_FRICTION_FIRST_RX,
    RBV_FRICTION_FIRST_RY,
    RBV_FRICTION_SECOND_RX,
    RBV_FRICTION_SECOND_RY, /* friction torques at the two ends of a bar in space, across the bar */
    RBV_COMPONENT_COUNT
} RbvComponent;
const char *rbv_component_name(RbvComponent component);
const char *rbv_component_unit(RbvComponent component);

/* Compliance and misfit of a joint. Most joints have none: they are stored apart so that joints stay small. */
typedef struct RbvLoose {
    double compliance[6][2]; /* [m/N, rad/(N m)] along the axes of the printed reaction: least and largest; 0: rigid */
    double misfit[6];        /* [m, rad] offset of the second marker if the joint were not loaded */
    double penalty;          /* factor on the penalty stiffness of the joint's rows in penalty methods */
} RbvLoose;
extern const RbvLoose rbv_rigid;

/* Deviation of a misfit or a parameter from its value (tolerances:). */
typedef enum RbvToleranceKind {
    RBV_TOLERANCE_WIDTH,  /* up to `size` to both sides; its standard deviation is a part of it */
    RBV_TOLERANCE_NORMAL, /* `size`: standard deviation of a normal distribution */
    RBV_TOLERANCE_UNIFORM /* evenly up to `size` to both sides */
} RbvToleranceKind;
typedef struct RbvTolerance {
    const char *name; /* "top.z", "width" */
    int32_t joint;    /* -1: a parameter */
    int32_t of;       /* direction 0 ... 5 of the joint's misfit, or number of the parameter */
    RbvToleranceKind kind;
    double size; /* [SI] > 0 */
    RbvPosition where;
} RbvTolerance;

/* Sizes, contact and friction parameters of a joint. Default 0; NaN: `length`, `friction_normal`. */
typedef struct RbvJointSizes {
    double pitch;  /* [m] advance per turn: screw; worm */
    double value;  /* [m, rad] value at which a single locked direction is held */
    double length; /* DISTANCE; NaN: starting distance */
    double radii[2];
    double teeth[2];
    double pressure_angle, helix_angle;
    double preload;
    double restitution; /* coefficient of restitution of the approach rate when the joint closes (Newton) */
    double friction, friction_static, friction_radius; /* coefficients of sliding and static friction; radius [m] */
    double friction_normal; /* [N] normal load given by the user where the model has no reaction for it */
} RbvJointSizes;

/* Outlines of a cam joint. */
typedef struct RbvCam {
    RbvSpline *x[2], *y[2]; /* [m] outlines of the first and second body over the chord parameter; second NULL: none */
    double span[2];         /* parameter range 0 ... span */
    bool closed[2];
    double side[2]; /* +1: (y', -x') points out of the material, -1: (-y', x') */
    bool flat;
    RbvSpline *z;  /* [m] with x[0], y[0] a spatial curve; NULL: none */
    bool revolved; /* the outline is turned about z */
} RbvCam;

/* Toothed or belt wheels in space. Constraint: sum of turn[k] theta_k is constant, theta_k the twist of wheel k
 * against the carrier. The force acts along lines n through p that are fixed in the carrier:
 *   turn[k] = h_k . ((p - o_k) x n), opposite sign for the first wheel
 * h_k: axis of wheel k, o_k: its centre. */
typedef struct RbvMesh {
    int32_t seat[2];    /* markers of the carrier at the wheels' centres, axes as the wheels' at the start */
    int32_t line[2];    /* markers of the carrier: origin p, y along n, x separating (from first to second) */
    int32_t line_count; /* 1, or 2 for a belt: each strand carries half */
    double weight[2];
    double turn[2]; /* [m] */
    bool crossed;   /* axes are neither parallel nor intersecting: teeth slide along each other */
    bool parallel;  /* axes are parallel: the wheels may slide along them */
    double axial;   /* tan of the helix angle: force along z of the line's marker per unit of force along y */
    double apart;   /* tan(alpha)/cos(beta): separating force per unit of force along the line */
    double roll[2]; /* not for crossed axes: the second wheel turns against the first about a line through p. Parallel
                       axes: along h_0, with roll[k] theta_k'; intersecting axes: from the intersection to p, along
                       roll[0] h_0 + roll[1] h_1 */
} RbvMesh;

typedef struct RbvJoint { /* members ordered without padding: large models have many joints */
    const char *name;
    const RbvJointKind *kind;
    RbvPosition where;
    RbvJointForm form;
    RbvJointExtra extra;
    int32_t marker[2];
    int32_t mesh; /* GEAR, BELT in space */
    int32_t rack; /* RACK in space: marker of the first body, x along the rack, z along the pinion's axis */
    int32_t carrier;
    int32_t cam;
    uint8_t coordinates; /* mask of directions with a name of their own */
    uint8_t locks;       /* LOCKS: mask of locked directions */
    bool unknown; /* the joint's type was wrong (reported): every coordinate of the joint is accepted, to avoid a second
                     error */
    bool spatial;
    bool ball;    /* ROLL: a ball, else a disk; radii[1] its radius */
    bool lateral; /* ROLL: holds the contact across the rolling direction, too */
    bool internal, crossed;
    bool track;      /* CAM: a spatial curve, two constraint rows */
    bool unilateral; /* a unilateral constraint: opens where its force would become negative */
    bool has_friction;
    RbvJointSizes *sizes; /* most joints share the model's default sizes; in a model with a journal each has its own */
    const RbvFrictionLaw *friction_law; /* friction law of the joint's surfaces; NULL: no friction */
    RbvLoose *loose; /* compliance and misfit; NULL (most joints): rigid and without misfit. Never NULL in a model with
                        a journal */
} RbvJoint;

static inline const RbvLoose *rbv_joint_loose(const RbvJoint *joint) {
    return joint->loose ? joint->loose : &rbv_rigid;
}

/* Index of the marker whose axes carry the joint's reaction: the first marker, but the second of a knife edge or wheel.
 */
static inline int32_t rbv_joint_axes(const RbvJoint *joint) {
    return joint->marker[rbv_forms[joint->form].second_axes && !joint->ball];
}

/* +1: the wheels of a gear or belt turn against each other, as those of an external gear or a crossed belt; -1:
 * together. */
static inline double rbv_joint_wheel_sign(const RbvJoint *joint) {
    bool against = rbv_forms[joint->form].teeth ? !joint->internal : joint->crossed;
    return against ? 1 : -1;
}

/* Does the joint have this reaction component? Components along a line belong to joints with a single constraint row;
 * plane joints have no Fz, Tx, Ty. */
static inline bool rbv_joint_has_component(const RbvJoint *joint, int component) {
    if (joint->spatial && component < RBV_LINE_F)
        return true;
    if (component >= RBV_LINE_F && component < RBV_FRICTION)
        return rbv_forms[joint->form].components[1] >> component & 1 && !joint->track;
    return component >= RBV_FRICTION ? joint->has_friction && rbv_friction_has(joint, component)
                                     : component == RBV_FX || component == RBV_FY || component == RBV_TZ;
}

/* Reference to a coordinate: a measure, or an expression of measures by its name. Both -1: no coordinate (wrong,
 * reported). */
typedef struct RbvCoordinateRef {
    int32_t measure;
    int32_t named; /* among `coordinates` */
    int32_t rate;  /* 1: the rate of the coordinate */
} RbvCoordinateRef;

typedef enum RbvNaming { RBV_NAMING_ANNOUNCED, RBV_NAMING_OPEN, RBV_NAMING_DEFINED, RBV_NAMING_WRONG } RbvNaming;

/* A named expression under `coordinates:`. ANNOUNCED: defined further down in the file; OPEN: the expression is being
 * read; DEFINED, WRONG: read. */
typedef struct RbvNamedCoordinate {
    const char *name;
    const char *text; /* as written */
    RbvNaming state;
    RbvExpr *value;  /* NULL: not defined, or wrong (reported) */
    int32_t measure; /* measure that the expression equals, else -1 */
    RbvPrescribed prescribed;
    RbvPosition where;
} RbvNamedCoordinate;

typedef struct RbvConstraint {
    const char *name;
    const char *text;
    RbvExpr *equation;
    bool on_rates;          /* velocity: psi(m, m', t) = 0, else equation: phi(m, t) = 0 */
    const char *unit;       /* unit of the effort: power over the unit of psi, energy over that of phi; "" if unknown */
    bool nonideal;          /* a nonideal constraint: some of the model's nonideals belong to it */
    bool required;          /* under track: not a constraint of the mechanism, but a motion that control brings about */
    const char *error_unit; /* required: unit of the left-hand side */
    RbvPosition where;
} RbvConstraint;

/* Force [N or N m] that a nonideal constraint exerts along a coordinate, per unit of virtual displacement: C in
 * Udwadia's notation. */
typedef struct RbvNonideal {
    const char *coordinate; /* as written */
    int32_t constraint, measure;
    RbvExpr *force; /* may use ideal efforts of constraints */
    RbvPosition where;
} RbvNonideal;

/* An actuator: an effort along a coordinate that track may use; weight: in the weighted sum of squared efforts. */
typedef struct RbvActuator {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    double weight, most; /* most [N or N m, or the coordinate's unit of force]: effort between -most and most; INFINITY:
                            no limit */
    const char *unit;    /* unit of the effort */
    RbvPosition where;
} RbvActuator;

/* A stop: unilateral constraint on a coordinate, least <= value <= largest. */
typedef struct RbvStop {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    const char *unit, *force_unit; /* units of the coordinate and of the contact force along it */
    double limit[2];    /* [m, rad or the coordinate's unit] least and largest value; -INFINITY, INFINITY: none */
    double restitution; /* coefficient of restitution of the approach rate (Newton) */
    RbvPosition where;
} RbvStop;

/* A state of the user's differential equations: x' = rate. */
typedef struct RbvOwnState {
    const char *name;
    RbvExpr *rate;
    double start;
    RbvExprDimension dimension; /* dimension of x */
    const char *unit;           /* SI unit; "" if unknown */
    RbvPosition where;
    int32_t input; /* number of the parameter that is an input and has this state's start value, from 1; 0: none */
} RbvOwnState;

/* A generalized coordinate of a system with its own equations, M q'' = force. The coordinate is the position along
 * ground's x of an internal massless body without other freedoms. */
typedef struct RbvGeneralized {
    const char *name;
    int32_t body, measure;
    RbvExprDimension dimension;
    const char *unit; /* SI unit; "" if unknown */
    RbvExpr *force;
    RbvPosition where;
} RbvGeneralized;

/* Action of an event: mark the instant, or stop the simulation. */
typedef enum RbvEventDeed { RBV_EVENT_MARK, RBV_EVENT_STOP } RbvEventDeed;

/* An instant at which an expression passes zero. */
typedef struct RbvEventDefinition {
    const char *name;
    RbvExpr *when;
    bool truth;    /* `when` is a condition, 0 or 1, which passes 1/2 */
    int direction; /* 1: rising, -1: falling, 0: both */
    RbvEventDeed deed;
    RbvPosition where;
} RbvEventDefinition;

/* The value that an event assigns to a state of the user. */
typedef struct RbvSetting {
    int32_t event, state;
    RbvExpr *value;
} RbvSetting;

/* Kinds of items with a condition `active:`: in effect only while its expression is not zero. */
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
    const char *name; /* name of the item */
    RbvExpr *active;
    bool here; /* the item keeps the value that its coordinate has when it engages */
    RbvPosition where;
} RbvCondition;

typedef struct RbvDrive {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    RbvExpr *motion;
    const char *unit; /* unit of the effort */
    RbvPosition where;
    RbvExpr *most;   /* effort between -most and most; NULL: no limit */
    double catch_up; /* [1/s] decay rate of a lag; 0: the lag stays */
    bool has_rotor;  /* a rotor [kg m^2] turns with the coordinate, `ratio` times as fast [rad/rad, rad/m] */
    double rotor_inertia, rotor_ratio;
} RbvDrive;

typedef struct RbvLoad {
    const char *name; /* NULL: the damping of joint `joint` */
    RbvLoadKind kind;
    int32_t marker[2]; /* force, torque: [0] */
    int32_t joint;
    bool body_frame;
    int32_t measure_count, measure[6]; /* measures: spring: distance; torsion: angle; bushing: x y rz or all six;
                                          damping: free directions */
    double stiffness[6], damping[6], free;
    RbvExpr *value[3]; /* expressions: force, torque, energy, field; [0]: law of a spring, speed of a rotating frame */
    RbvVec3 center;
    RbvVec3 axis; /* rotating-frame: unit vector of the axis */
    RbvPosition where;
} RbvLoad;

typedef struct RbvInitial {
    const char *coordinate;
    RbvCoordinateRef of;
    double value;
    bool own; /* from start: or rate: of a generalized coordinate: may be redundant if consistent */
    RbvPosition where;
} RbvInitial;

typedef struct RbvOutput {
    const char *name;
    RbvExpr *value;
    const char *unit; /* SI unit, "" if unknown */
    RbvPosition where;
} RbvOutput;

/* A linear combination of reactions, efforts and constraint forces whose verdict is requested. */
typedef struct RbvQuestion {
    const char *text;
    RbvExpr *value;
} RbvQuestion;

typedef struct RbvParameter {
    const char *name;
    const char *unit; /* SI; "": none */
    double value;
    RbvExprDimension dimension;
    bool used;
    bool computed; /* computed from an expression: a number without dimension may be made from constants with dimensions
                    */
    bool fixed;    /* set by the program: never computed again */
    int32_t input; /* number of the state that stands for it in expressions (rbv_insert_input), from 1; 0: none */
    const char *option; /* option that gave the value, RBV_OPTION_OVERRIDES, RBV_OPTION_ALONG; NULL: the file, or C */
    RbvPosition where;
} RbvParameter;

typedef struct RbvTable {
    const char *name;
    RbvSpline *spline;
    RbvExprDimension x, y; /* dimensions of argument and value, from the headers of the columns */
    bool used;
    RbvPosition where;
} RbvTable;

/* The value of parameter `by` was computed from a constant (2k: parameter k, 2k+1: table k). */
typedef struct RbvUse {
    int32_t by, constant;
} RbvUse;

/* Sections of a model file whose items can be read again, in the order of reading. */
typedef enum RbvSection {
    RBV_SECTION_NONE, /* items added by a program */
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

/* Item number `index` of a section; RbvReading: this item reads the value of `parameter`. */
typedef struct RbvItem {
    RbvSection section;
    int32_t index;
} RbvItem;
typedef struct RbvReading {
    RbvItem item;
    int32_t parameter;
} RbvReading;

/* First indices of the items that a joint adds: its own markers, and its damping load. */
typedef struct RbvJointPlaces {
    int32_t markers, loads;
} RbvJointPlaces;

/* Source that can read items of a model again (model/read/change.c): those that depend on new values of parameters,
 * while the model is being refilled (refill.h). Errors are reported. */
typedef struct RbvModelSource {
    RbvStatus (*change)(void *context, RbvModel *model, const RbvParameterValue *values, int32_t count,
                        RbvDiagnostics *diagnostics);
    void (*destroy)(void *context);
    void *context;
} RbvModelSource;

#endif
