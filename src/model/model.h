/* The model's insides: arrays of checked things, names resolved to indices, expressions compiled.
 *
 * Every array grows in the model's arena. Body 0 is ground. Numbers are SI. A thing keeps the place of its name in the file, so that
 * later rooms can point at it.
 */
#ifndef RBV_MODEL_MODEL_H
#define RBV_MODEL_MODEL_H

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
    int32_t generalized; /* 1 + the generalized coordinate that it carries, of which users do not know; 0: a body of theirs */
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
    return rbv_apply(A, (RbvVec3){I[0] * u.x + I[3] * u.y + I[4] * u.z, I[3] * u.x + I[1] * u.y + I[5] * u.z, I[4] * u.x + I[5] * u.y + I[2] * u.z});
}

typedef struct RbvMarker {
    const char *name; /* "body.marker"; "body" for its origin and for places made by `at:` */
    int32_t body;
    RbvVec3 at;       /* from the body frame's origin, body axes [m] */
    double angle;     /* of its x about z [rad] (plane) */
    RbvAxes *turned;  /* its axes in the body's; NULL: they are the body's, as of most. In a model with a journal each has room for them */
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
    RBV_MEASURE_SPIN,      /* a rate alone: e_k . (w_j - w_i), e the axes of i for axis = k, those of j for axis = 3 + k; 6: the line from p_i to p_j, both on one body [rad/s] */
    RBV_MEASURE_GLIDE,     /* a rate alone: sliding of a cam's second over its first at the contact, counterclockwise about the material; or along a curve of space; axis = 2 cam + part, part 1: across the outline of a surface [m/s] */
    RBV_MEASURE_TOOTH,     /* a rate alone: sliding of the second over the first along the teeth of crossed axes, z of the mesh's line at its point [m/s] */
    RBV_MEASURE_SWING,     /* a rate alone: turn across the bar from p_i to p_j, of it on i (axis = c) or of j on it (2 + c), c its direction; see element/swing.c [rad/s] */
    RBV_MEASURE_BEND,      /* a rate alone: turn of j on i about direction `axis` of the plane that halves shafts of equal speeds [rad/s] */
    RBV_MEASURE_SLIP       /* a rate alone: across the edge, n . (velocity of p_j over body i), n = z_i x x_j made unit [m/s] */
} RbvMeasureKind;

typedef struct RbvMeasure {
    RbvMeasureKind kind;
    int32_t marker[2];
    int32_t axis; /* OFFSET, ROTATION, TWIST: 0 1 2; TILT, DOT: two of them; GAP: the cam's index, GLIDE: 2 cam + part, MESH, TOOTH: the mesh's; CONTACT, ROLL: 2 joint + part */
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
    return kind == RBV_VARIABLE_EFFORT || kind == RBV_VARIABLE_REACTION || kind == RBV_VARIABLE_MULTIPLIER || kind == RBV_VARIABLE_STOP;
}

typedef struct RbvVariable {
    RbvVariableKind kind;
    int32_t index, part;
} RbvVariable;

/* Reaction components: force and torque on the second body, then what single-line joints add. */
typedef enum RbvComponent {
    RBV_FX, RBV_FY, RBV_FZ, RBV_TX, RBV_TY, RBV_TZ,
    RBV_LINE_F, RBV_LINE_FT, RBV_LINE_FR, RBV_LINE_FA,
    RBV_FRICTION, /* effort on the joint's own coordinate, N or N m; or, where it rubs in several directions, one for each */
    RBV_FRICTION_X, RBV_FRICTION_Y, RBV_FRICTION_Z, RBV_FRICTION_RX, RBV_FRICTION_RY, RBV_FRICTION_RZ,
    RBV_FRICTION_FIRST, RBV_FRICTION_SECOND, /* of the pins of a bar */
    RBV_FRICTION_FIRST_RX, RBV_FRICTION_FIRST_RY, RBV_FRICTION_SECOND_RX, RBV_FRICTION_SECOND_RY, /* of its ends in space, across it */
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
    int32_t mesh;      /* GEAR, BELT in space */
    int32_t rack;      /* RACK in space: marker of the first, x along the rack, z along the pinion's axis */
    int32_t carrier;
    int32_t cam;
    uint8_t coordinates; /* directions with a name of their own */
    uint8_t locks;     /* LOCKS: directions held */
    bool unknown;      /* its type was wrong (said): every coordinate of it is accepted, so that no mistake is said twice */
    bool spatial;
    bool ball;         /* ROLL: a ball, else a disk; radii[1] its radius */
    bool internal, crossed;
    bool track;              /* CAM: a curve of space, two rows */
    bool unilateral;         /* it lets go where its force would turn negative */
    bool has_friction;
    RbvJointSizes *sizes;    /* those of most joints are the model's plain ones. In a model with a journal each has its own */
    const RbvFrictionLaw *rubs; /* what slides on what; NULL: nothing rubs */
    RbvLoose *loose;         /* NULL: rigid, and a fit, as most. In a model with a journal each has room for it */
} RbvJoint;

static inline const RbvLoose *rbv_joint_loose(const RbvJoint *joint) {
    return joint->loose ? joint->loose : &rbv_rigid;
}

/* The first marker's axes carry the joint's reaction, but the second's those of a knife edge or wheel. */
static inline int32_t rbv_joint_axes(const RbvJoint *joint) {
    return joint->marker[joint->form == RBV_FORM_EDGE || (joint->form == RBV_FORM_ROLL && !joint->ball)];
}

/* Does the kind of joint have this component? Values along a line belong to joints that hold a single line; in the plane there is no Fz, Tx, Ty. */
static inline bool rbv_joint_has_component(const RbvJoint *joint, int component) {
    RbvJointForm form = joint->form;
    if (joint->spatial && component < RBV_LINE_F)
        return true;
    if (component == RBV_LINE_F)
        return form != RBV_FORM_LOCKS && form != RBV_FORM_EDGE && !joint->track;
    if (component > RBV_LINE_F && component < RBV_FRICTION)
        return form == RBV_FORM_GEAR;
    return component >= RBV_FRICTION ? joint->has_friction && rbv_friction_has(joint, component) : component == RBV_FX || component == RBV_FY || component == RBV_TZ;
}

/* What is asked for where a coordinate is: a measure, or an expression of measures by its name. Both -1: nothing (wrong, said). */
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
    bool on_rates; /* velocity: psi(m, m', t) = 0, else equation: phi(m, t) = 0 */
    const char *unit; /* of its effort: power over the unit of psi, energy over that of phi; "" where it is not known */
    bool nonideal; /* it does work: some of the model's nonideals are its own */
    bool required; /* under track: no constraint of the mechanism, but a motion that control is to bring about */
    const char *error_unit; /* required: of the left-hand side */
    RbvPosition where;
} RbvConstraint;

/* The force [N or N m] that a constraint is said to exert along a coordinate, per unit of virtual displacement: Udwadia's C. */
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
    double weight, most;    /* most [N or N m, or its unit]: +-; INFINITY: no limit */
    const char *unit;       /* of its effort */
    RbvPosition where;
} RbvActuator;

/* One-sided: a coordinate that cannot pass. */
typedef struct RbvStop {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    const char *unit, *force_unit; /* of the coordinate, and of the push on it */
    double limit[2];        /* [m, rad or its unit] least and largest; -INFINITY, INFINITY: none */
    double restitution;     /* of the rate of approach (Newton) */
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

/* A coordinate of a system by its own equations, M q'' = force. It is the place along ground's x of a massless body that has no other motion. */
typedef struct RbvGeneralized {
    const char *name;
    int32_t body, measure;
    RbvExprDimension dimension;
    const char *unit;           /* SI; "" where it is not known */
    RbvExpr *force;
    RbvPosition where;
} RbvGeneralized;

/* What an event does. */
typedef enum RbvEventDeed { RBV_EVENT_MARK, RBV_EVENT_STOP } RbvEventDeed;

/* An instant at which an expression passes zero. */
typedef struct RbvHappening {
    const char *name;
    RbvExpr *when;
    bool truth;             /* when: is a condition, 0 or 1, which passes 1/2 */
    int direction;          /* 1: rising, -1: falling, 0: both */
    RbvEventDeed deed;
    RbvPosition where;
} RbvHappening;

/* The value that an event gives to a state of the user's own. */
typedef struct RbvSetting {
    int32_t happening, state;
    RbvExpr *value;
} RbvSetting;

/* What holds only while an expression is not zero. */
typedef enum RbvConditionOf { RBV_CONDITION_JOINT, RBV_CONDITION_CONSTRAINT, RBV_CONDITION_DRIVE, RBV_CONDITION_LOAD, RBV_CONDITION_STOP } RbvConditionOf;
typedef struct RbvCondition {
    RbvConditionOf of;
    int32_t index;
    const char *name;       /* of what it belongs to */
    RbvExpr *active;
    bool here;              /* it holds where it stands when it engages */
    RbvPosition where;
} RbvCondition;

typedef struct RbvDrive {
    const char *name;
    const char *coordinate; /* as written */
    RbvCoordinateRef of;
    RbvExpr *motion;
    const char *unit;       /* of its effort */
    RbvPosition where;
    RbvExpr *most;          /* its effort lies between -most and most; NULL: it has what it needs */
    double catch_up;        /* [1/s] how fast a lag dies out; 0: it stays */
    bool has_rotor;         /* a wheel of this inertia [kg m^2] turns with it, `ratio` times as fast: [rad/rad or rad/m] */
    double rotor_inertia, rotor_ratio;
} RbvDrive;

typedef struct RbvLoad {
    const char *name; /* NULL: the damping of joint `joint` */
    RbvLoadKind kind;
    int32_t marker[2]; /* force, torque: [0] */
    int32_t joint;
    bool body_frame;
    int32_t measure_count, measure[6]; /* spring: distance; torsion: angle; bushing: x y rz or all six; damping: free directions */
    double stiffness[6], damping[6], free;
    RbvExpr *value[3]; /* force, torque, energy, field; spring law in [0]; speed in [0] */
    RbvVec3 center;
    RbvVec3 axis;      /* rotating-frame: unit */
    RbvPosition where;
} RbvLoad;

typedef struct RbvInitial {
    const char *coordinate;
    RbvCoordinateRef of;
    double value;
    bool own;          /* start: or rate: of a generalized coordinate: it may be one too many when it fits */
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
    RBV_SECTION_TABLES, RBV_SECTION_STATE_NAMES, RBV_SECTION_GRAVITY, RBV_SECTION_BODIES, RBV_SECTION_GENERALIZED_NAMES, RBV_SECTION_JOINTS, RBV_SECTION_COORDINATES, RBV_SECTION_CONSTRAINTS, RBV_SECTION_DRIVES, RBV_SECTION_LOADS, RBV_SECTION_STATES, RBV_SECTION_GENERALIZED, RBV_SECTION_STOPS, RBV_SECTION_EVENTS, RBV_SECTION_TRACK, RBV_SECTION_INITIAL,
    RBV_SECTION_MOTION, RBV_SECTION_OUTPUT, RBV_SECTIONS
} RbvSection;

/* Number `index` of a section reads the value of `parameter`. */
typedef struct RbvThing {
    RbvSection section;
    int32_t index;
} RbvThing;
typedef struct RbvReading {
    RbvThing thing;
    int32_t parameter;
} RbvReading;

/* Where what a joint adds besides itself begins: markers of its own, and its damping. */
typedef struct RbvJointPlaces {
    int32_t markers, loads;
} RbvJointPlaces;

/* Who can read the things of a model again (read/change.c): those that new values of parameters change, while the model is being refilled (refill.h). Mistakes are said. */
typedef struct RbvModelSource {
    RbvStatus (*change)(void *context, RbvModel *model, const RbvParameterValue *values, int32_t count, RbvDiagnostics *diagnostics);
    void (*destroy)(void *context);
    void *context;
} RbvModelSource;

/* More than there are of these in a model. */
#define RBV_MODEL_LISTS 32
#define RBV_MODEL_NUMBERS 16
#define RBV_ARRAY(Type) \
    struct {            \
        Type *items;    \
        int32_t count, capacity; \
    }

struct RbvModel {
    RbvArena arena;
    void *lists[RBV_MODEL_LISTS]; /* the RBV_ARRAYs below that have items, to be freed */
    int32_t list_count;
    RbvSpace space;
    const char *title, *file; /* file "" when built in C */
    RbvVec3 gravity;
    uint64_t fingerprint; /* of the texts it was read from */
    bool scene;        /* what pictures need is kept: shapes, and */
    const char *text;  /* the text of the file; NULL: it is not */
    bool has_motion;
    bool no_memory; /* an allocation failed while adding: what was said after it may be its consequence */
    bool broken; /* a mistake was reported: not to be compiled */
    bool switched; /* what is read has active: */
    bool defining; /* what is parsed is the value of the next parameter */
    const char *const *later; /* [later_count] meanwhile: that one's name in the file, and those behind it */
    int32_t later_count;
    double from, to, step;
    bool journal;  /* what reads which parameter is noted */
    RbvThing reading; /* what is being read */
    RbvJointSizes *plain;     /* of joints that say nothing of theirs; NULL: none yet */
    struct RbvRefill *refill; /* NULL: what is added is new; else things are read again, in place (refill.h) */
    RbvModelSource source;    /* NULL: nothing can be read again */
    struct RbvAddition *additions, *last_addition; /* of a model that a program builds (additions.h) */
    int32_t system_count;     /* compiled from it */
    RbvShownUnit bare_unit[RBV_DIM_COUNT]; /* what `units:` says a bare number means; text NULL: SI */
    int32_t bare_notes;                   /* said so far */
    RbvExpr *numbers[RBV_MODEL_NUMBERS]; /* expressions that are plain numbers, by hash, the last of each: many things say the same (scope.c) */
    RBV_ARRAY(RbvParameter) parameters;
    RBV_ARRAY(RbvUse) uses;
    RBV_ARRAY(RbvReading) readings; /* in the order in which things were read */
    RBV_ARRAY(RbvJointPlaces) joint_places; /* [joints] of a model with a journal */
    RBV_ARRAY(RbvTable) tables;
    RBV_ARRAY(const char *) files; /* that the model names, as read */
    RBV_ARRAY(RbvExprCallback *) functions; /* of the program */
    RBV_ARRAY(RbvBody) bodies;
    RBV_ARRAY(RbvBodyShape) shapes; /* of bodies, in their order, where `scene` */
    RBV_ARRAY(RbvMarker) markers;
    RBV_ARRAY(RbvMeasure) measures;
    RBV_ARRAY(RbvPrescribed) prescribed; /* [measures] */
    RBV_ARRAY(RbvVariable) variables;
    RBV_ARRAY(RbvJoint) joints;
    RBV_ARRAY(RbvCam) cams;
    RBV_ARRAY(RbvMesh) meshes;
    RBV_ARRAY(RbvNamedCoordinate) coordinates;
    RBV_ARRAY(RbvConstraint) constraints; /* requirements stand last */
    int32_t requirement_count;
    double track_rate; /* [1/s] at which errors of requirements die out; NaN: they are not corrected */
    RBV_ARRAY(RbvActuator) actuators;
    RBV_ARRAY(RbvNonideal) nonideals;
    RBV_ARRAY(RbvDrive) drives;
    RBV_ARRAY(RbvLoad) loads;
    int32_t rotor_count;       /* drives with a rotor */
    RBV_ARRAY(RbvStop) stops;
    RBV_ARRAY(RbvOwnState) states;
    RBV_ARRAY(RbvGeneralized) generalized;
    RBV_ARRAY(RbvExpr *) masses; /* [generalized][generalized] */
    RBV_ARRAY(RbvHappening) happenings;
    RBV_ARRAY(RbvSetting) settings;
    RBV_ARRAY(RbvCondition) conditions;
    RBV_ARRAY(RbvInitial) initial;
    RBV_ARRAY(RbvOutput) outputs;
    RBV_ARRAY(RbvQuestion) questions;
    RBV_ARRAY(const char *) notes; /* what every result of the model says, each once (notes.c) */
    RbvNameTable names;        /* bodies, joints, constraints, drives, loads, outputs: what each name is (RbvNamed) */
    RbvNameTable coordinate_names;
    RbvNameTable constants;    /* parameters 2k, tables 2k+1 */
    RbvNameTable function_names;
    RbvNameTable marker_names; /* "body.marker" -> marker */
    RbvIndexTable measure_table; /* of `measures` */
    RbvNameTable variable_keys;
};

/* From the centroid of its body, body axes [m]. */
static inline RbvVec3 rbv_marker_arm(const RbvModel *model, const RbvMarker *marker) {
    return rbv_sub(marker->at, model->bodies.items[marker->body].centroid);
}

/* The generalized coordinate that is this measure; NULL: none. */
static inline const RbvGeneralized *rbv_measure_generalized(const RbvModel *model, int32_t measure) {
    if (measure < 0 || model->generalized.count == 0)
        return NULL;
    int32_t k = model->bodies.items[model->markers.items[model->measures.items[measure].marker[1]].body].generalized;
    return k > 0 ? &model->generalized.items[k - 1] : NULL;
}

/* The expression that a coordinate is by its name; NULL: a measure. */
static inline const RbvExpr *rbv_coordinate_value(const RbvModel *model, const RbvCoordinateRef *of) {
    return of->named < 0 ? NULL : model->coordinates.items[of->named].value;
}

typedef enum RbvNamedKind {
    RBV_NAMED_BODY, RBV_NAMED_JOINT, RBV_NAMED_CONSTRAINT, RBV_NAMED_DRIVE, RBV_NAMED_LOAD, RBV_NAMED_OUTPUT, RBV_NAMED_STOP, RBV_NAMED_EVENT, RBV_NAMED_STATE, RBV_NAMED_ACTUATOR, RBV_NAMED_GENERALIZED, RBV_NAMED_KINDS
} RbvNamedKind;

/* Where a Def came from, so that a mistake in it can be pointed at. `find` gives the place of what stands under a path such as
 * "mass" or "between/1" (NULL path: the thing's name), `offset` bytes into its text. Without `find` no place is known. */
typedef struct RbvSource {
    RbvDiagnostics *diagnostics;
    const char *file;
    const void *node;
    RbvPosition (*find)(const void *node, const char *path, size_t offset);
} RbvSource;

RbvPosition rbv_source_position(const RbvSource *source, const char *path, size_t offset);
void rbv_source_error(const RbvSource *source, const char *path, const char *format, ...) RBV_PRINTF(3, 4);
/* What a reader of any result must know of the model (a drive that is not smooth, data that were smoothed): said, and kept with the model. What is only said to
 * diagnostics while reading or compiling is in no result. */
void rbv_model_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, ...) RBV_PRINTF(4, 5);
void rbv_source_note(RbvModel *model, const RbvSource *source, const char *path, const char *format, ...) RBV_PRINTF(4, 5);

/* The adding functions of <roberval/model.h>, with places. */
RbvStatus rbv_insert_parameter(RbvModel *model, const char *name, double value, RbvExprDimension dimension, const RbvSource *source);
/* The columns in SI, whatever their units of the Def; x and y: what they measure. */
RbvStatus rbv_insert_table(RbvModel *model, const RbvTableDef *def, RbvExprDimension x, RbvExprDimension y, const RbvSource *source);
RbvStatus rbv_insert_body(RbvModel *model, const RbvBodyDef *def, const RbvSource *source);
RbvStatus rbv_insert_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                            const RbvSource *source);
RbvStatus rbv_insert_frame(RbvModel *model, const char *body, const char *name, const double *at, RbvQuat rotation,
                           const RbvSource *source);
RbvStatus rbv_insert_joint(RbvModel *model, const RbvJointDef *def, const RbvSource *source);
RbvStatus rbv_insert_constraint(RbvModel *model, const char *name, const char *equation, bool on_rates, const RbvSource *source);
RbvStatus rbv_insert_nonideal(RbvModel *model, int32_t constraint, const char *coordinate, const char *force, const RbvSource *source);
/* The name stands for a coordinate that is defined further down. */
RbvStatus rbv_announce_coordinate(RbvModel *model, const char *name, const RbvSource *source);
bool rbv_model_has_coordinate(const RbvModel *model, const char *name);
/* What it stands for is wrong (said): from here on it stands for anything. */
void rbv_lose_coordinate(RbvModel *model, const char *name);
RbvStatus rbv_insert_coordinate(RbvModel *model, const char *name, const char *expression, const RbvSource *source);
RbvStatus rbv_insert_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                           const RbvSource *source);
/* The drive's effort is limited; catch_up [1/s], 0: a lag stays. */
/* A rotor that turns with the drive's coordinate. */
RbvStatus rbv_insert_drive_rotor(RbvModel *model, const char *name, double inertia, double ratio, const RbvSource *source);
RbvStatus rbv_insert_drive_limit(RbvModel *model, const char *name, const char *most, double catch_up, const RbvSource *source);
RbvStatus rbv_insert_load(RbvModel *model, const RbvLoadDef *def, const RbvSource *source);
/* on_the_way.c. What of motion from forces an analysis takes: conditions where the machine stands; states; forces that are not asked for (generalized:, nonideal:); stops, which it looks at;
 * a time, along which events would happen; equations of generalized coordinates. */
enum { RBV_TAKES_CONDITIONS = 1, RBV_TAKES_STATES = 2, RBV_TAKES_EQUATIONS = 4, RBV_TAKES_STOPS = 8, RBV_TAKES_TIME = 16, RBV_TAKES_GENERALIZED = 32, RBV_TAKES_LIMITS = 64 };
/* BAD_INPUT, said: the model has something else of it, which would change the answer. Stops, events and what is required are noted. */
RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, unsigned takes, RbvDiagnostics *diagnostics);
/* states.c. First its name, with what it is at the start, then its rate, which may read anything that is known by then. */
RbvStatus rbv_insert_state(RbvModel *model, const char *name, double start, RbvExprDimension dimension, const RbvSource *source);
/* Does the expression measure what the state does (rate: in a second)? False: said, at `key`. */
bool rbv_model_state_takes(RbvModel *model, int32_t state, int32_t rate, const RbvExpr *expr, const char *key, const RbvSource *source);
RbvStatus rbv_insert_state_rate(RbvModel *model, const char *name, const char *rate, const RbvSource *source);
/* Has the word a meaning of its own in expressions? (generalized.c) */
bool rbv_model_is_word(const char *name);
/* generalized.c. Its name and what it is at the start (NaN: open), then the equations of all when everything they may read is known: mass[n][n], force[n]; at `path` of the source. */
RbvStatus rbv_insert_generalized(RbvModel *model, const char *name, double start, double rate, RbvExprDimension dimension, const RbvSource *source);
RbvStatus rbv_insert_generalized_mass(RbvModel *model, int32_t row, int32_t column, const char *mass, const RbvSource *source);
RbvStatus rbv_insert_generalized_force(RbvModel *model, int32_t row, const char *force, const RbvSource *source);
/* There is none? Else it is said that `analysis` does not know it. */
bool rbv_model_without_generalized(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);
/* stops.c. limit[2]: -INFINITY, INFINITY where there is none. */
RbvStatus rbv_insert_stop(RbvModel *model, const char *name, const char *coordinate, const double limit[2], double restitution, const RbvSource *source);
RbvStatus rbv_insert_happening(RbvModel *model, const char *name, const char *when, int direction, RbvEventDeed deed, const RbvSource *source);
/* track.c. most: INFINITY where there is no limit. After all constraints. */
RbvStatus rbv_insert_requirement(RbvModel *model, const char *name, const char *equation, bool on_rates, const RbvSource *source);
RbvStatus rbv_insert_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most, const RbvSource *source);
/* `active:` of the thing with that index, which is named `name`. */
RbvStatus rbv_insert_setting(RbvModel *model, const char *event, const char *state, const char *value, const RbvSource *source);
RbvStatus rbv_insert_condition(RbvModel *model, RbvConditionOf of, int32_t index, const char *name, const char *active, bool here, const RbvSource *source);
RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source);
RbvStatus rbv_insert_output(RbvModel *model, const char *name, const char *expression, const RbvSource *source);

/* nonideal.c: the measure of a coordinate along which a non-ideal force acts (false: wrong, said at `path`), and that force's dimension. Does no constraint do work? Else it is said that
 * `analysis` does not know it. */
bool rbv_nonideal_measure(RbvModel *model, const char *coordinate, int32_t *measure, const char *path, const RbvSource *source);
RbvDimension rbv_nonideal_dimension(const RbvModel *model, int32_t measure);
bool rbv_model_is_ideal(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);

/* functions.c: the program's function of that name, or NULL. Does the expression (NULL: yes) have so many derivatives? Else it is said of `what` 'name'. */
const RbvExprCallback *rbv_model_function(const RbvModel *model, const char *name);
bool rbv_model_has_derivatives(const RbvExpr *expr, int32_t count, const char *what, const char *name, const char *path, const RbvSource *source);
/* Is this a word that parameters, tables and functions may be called by? The model's own copy; NULL after an error (said) or without memory (remembered). */
const char *rbv_model_enter_word(RbvModel *model, const char *name, const RbvSource *source);

/* Shared by the adding functions. Grow an array by one zeroed item: index, or -1 when there is no memory. While the model is refilled: the place that the item had. */
int32_t rbv_model_grow(RbvModel *model, void *array, size_t item_size);
/* Remember that memory ran out; returns RBV_NO_MEMORY. */
RbvStatus rbv_model_no_memory(RbvModel *model);
/* Room for one more item, so that growing cannot fail. False: no memory. */
bool rbv_model_has_room(RbvModel *model, void *array, size_t item_size);
/* What an adding function returns after it has said a mistake, or found no memory. */
RbvStatus rbv_model_wrong(RbvModel *model);
/* Is it a name, and short enough? Else it is said. */
bool rbv_model_is_name(const char *name, const RbvSource *source);
/* Check and enter a name of the common name space, and a zeroed item of `array` for it, whose index is then in *index. NULL after an error (said), else the model's own copy. */
const char *rbv_model_enter_name(RbvModel *model, const char *name, RbvNamedKind kind, void *array, size_t item_size, int32_t *index,
                                 const RbvSource *source);
/* Index of the `kind` called `name`, or -1 without a word. */
int32_t rbv_model_find(const RbvModel *model, const char *name, RbvNamedKind kind);
/* Find the marker "body.marker" or the origin marker of "body" (made when needed). -1 after an error, which stands at `path`. */
int32_t rbv_model_find_marker(RbvModel *model, const char *reference, const char *path, const RbvSource *source);
int32_t rbv_model_find_body(RbvModel *model, const char *name, const char *path, const RbvSource *source);
int32_t rbv_model_add_raw_marker(RbvModel *model, const char *name, int32_t body, RbvVec3 at, double angle);
int32_t rbv_model_add_raw_frame(RbvModel *model, const char *name, int32_t body, RbvVec3 at, RbvQuat rotation);
/* Axes of a body in its starting pose; a marker's place and axes there. */
RbvMat3 rbv_body_axes(const RbvModel *model, const RbvBody *body);
RbvVec3 rbv_marker_start(const RbvModel *model, int32_t marker, RbvMat3 *axes);
int32_t rbv_model_measure(RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis);
/* The same if the model has it already, else -1. */
/* The measure of a joint's coordinate in a direction, 0 ... 5. */
RbvMeasure rbv_joint_coordinate(const RbvJoint *joint, int direction);
int32_t rbv_model_find_measure(const RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis);
/* The relative direction (0 ... 5) of two markers as a measure. In space a turn is one about a single free axis, a tilt of held axes, or a
 * component of the rotation vector: as the turns `held` (a mask of directions) leave it. */
int32_t rbv_model_direction_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t held);
/* The same for a row that locks it: what nothing else asks for is of_locks. */
int32_t rbv_model_lock_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t held);
/* A turn [rad], or a number without dimension that is one for small turns. */
bool rbv_measure_is_angle(RbvMeasureKind kind);
RbvExponents rbv_measure_exponents(RbvMeasureKind kind);
/* Does it count whole turns? */
bool rbv_measure_counts_turns(RbvMeasureKind kind);
/* A row of rates alone, without a value? */
static inline bool rbv_measure_is_rate(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_ROLL || kind == RBV_MEASURE_SLIP || kind == RBV_MEASURE_SPIN || kind == RBV_MEASURE_GLIDE || kind == RBV_MEASURE_TOOTH || kind == RBV_MEASURE_SWING ||
           kind == RBV_MEASURE_BEND;
}

/* The measure of a coordinate written as a function (coordinate_functions.c). -1: wrong, what is in `message`; or no memory, `message` empty. */
int32_t rbv_model_function_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size);

/* Which variables an expression may use. */
typedef enum RbvScopeFlags {
    RBV_SCOPE_CONSTANT = 0,
    RBV_SCOPE_TIME = 1,
    RBV_SCOPE_COORDINATES = 2,
    RBV_SCOPE_RATES = 4,
    RBV_SCOPE_SECOND_RATES = 8,
    RBV_SCOPE_LENGTH = 16,
    RBV_SCOPE_PLACE = 32,
    RBV_SCOPE_RESULTS = 64,
    RBV_SCOPE_STATES = 256,
    RBV_SCOPE_IDEAL = 512, /* efforts of constraints */
    RBV_SCOPE_POSITION = 1024, /* what is read is a coordinate of the user's name: a function of the position alone */
    RBV_SCOPE_UNITLESS = 128 /* dimensions do not matter */
} RbvScopeFlags;
/* Parse an expression of the dimension `wanted` (ANY: of its own); NULL after an error at `path`. */
RbvExpr *rbv_model_expression(RbvModel *model, const char *text, int flags, RbvDimension wanted, const char *path, const RbvSource *source);
/* coordinates.c. "hinge.angle'", or a name under `coordinates:`. False after an error at `path` (NULL: the name); then it refers to nothing. */
bool rbv_model_coordinate(RbvModel *model, const char *text, RbvCoordinateRef *to, const char *path, const RbvSource *source);
/* What prescribes it; NULL: it refers to nothing. */
RbvPrescribed *rbv_coordinate_prescribed(RbvModel *model, const RbvCoordinateRef *of);
/* May it be given what is of this dimension? Asked where no key says so (ANY): false after an error at `path`, a written unit contradicts it. */
bool rbv_coordinate_takes(const RbvModel *model, const RbvCoordinateRef *of, const char *coordinate, RbvExprDimension has, const char *path, const RbvSource *source);

/* dimensions.c. What a variable of an expression measures: the one place that knows. */
RbvExprDimension rbv_model_variable_dimension(const RbvModel *model, int32_t variable);
/* What a coordinate measures, with its rate; as the dimension of a key, ANY where it has no name there. */
RbvExprDimension rbv_coordinate_dimension(const RbvModel *model, const RbvCoordinateRef *of);
RbvDimension rbv_coordinate_key(const RbvModel *model, const RbvCoordinateRef *of);
/* A turn, or a number without dimension that is one for small turns? */
bool rbv_coordinate_is_angle(const RbvModel *model, const RbvCoordinateRef *of);
/* Does the expression `text` measure what `name` wants? An error at `path` when a written unit contradicts it; notes where numbers may mean another unit than was thought. */
bool rbv_model_check_dimension(RbvModel *model, const RbvExpr *expr, const char *text, RbvDimension wanted, const char *name, const char *path,
                               const RbvSource *source);
/* The SI unit of a value as printed, "" where none is known; lives as long as the model. */
const char *rbv_model_unit_of(RbvModel *model, RbvExprDimension dimension);
/* The same of a dimension that was written as a unit: every rad of it is kept. */
const char *rbv_model_declared_unit_of(RbvModel *model, RbvExprDimension dimension);
/* The effort that holds an expression at zero: what it multiplies the expression, or its rate, by is a power. */
RbvExprDimension rbv_model_effort_dimension(RbvExprDimension held, bool on_rates);
/* The unit of the effort of a drive on it. */
/* The dimension that the key of a limit of an effort on it has; ANY: one without a name, or not known. */
RbvDimension rbv_coordinate_effort_key(const RbvModel *model, const RbvCoordinateRef *of);
const char *rbv_model_effort_unit(RbvModel *model, const RbvCoordinateRef *of);
/* The unit of a coordinate's value; "": its dimension is not known, or it is a number. */
const char *rbv_model_coordinate_unit(RbvModel *model, const RbvCoordinateRef *of);
/* A constant (2k: parameter k, 2k+1: table k) stands in what is parsed. */
void rbv_model_use(RbvModel *model, int32_t constant);
/* What another thing reads is read here, too: number `index` of a section. */
void rbv_model_use_thing(RbvModel *model, RbvThing thing);
/* A note for each parameter and table that nothing but other such parameters uses. */
void rbv_model_note_unused(RbvModel *model, RbvDiagnostics *diagnostics);

/* One more text that the model was read from. */
void rbv_model_take_text(RbvModel *model, const char *text, size_t length);
/* A copy of the file's text, for pictures, unless it is very long. False: no memory. */
bool rbv_model_keep_text(RbvModel *model, const char *text, size_t length);
#endif
