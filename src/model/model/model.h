/* The model structure: arrays of checked entries, names resolved to indices, compiled expressions.
 *
 * Body 0 is ground. Numbers are SI. Each entry keeps its position in the file, for later messages.
 */
#ifndef RBV_MODEL_MODEL_MODEL_H
#define RBV_MODEL_MODEL_MODEL_H

#include "model/model/entries.h"
#include "model/model/sized.h"

/* Capacities, larger than the numbers of arrays and of kept plain numbers that a model has. */
#define RBV_MODEL_LISTS 32
#define RBV_MODEL_NUMBERS 16
#define RBV_ARRAY(Type)                                                                                                \
    struct {                                                                                                           \
        Type *items;                                                                                                   \
        int32_t count, capacity;                                                                                       \
    }

struct RbvModel {
    RbvArena arena;
    void *lists[RBV_MODEL_LISTS]; /* the RBV_ARRAYs below that have items, to be freed */
    int32_t list_count;
    RbvSpace space;
    const char *title, *file; /* file "" when built in C */
    RbvVec3 gravity;
    uint64_t fingerprint; /* checksum of the texts that the model was read from */
    bool scene;           /* data for pictures are kept: shapes and text */
    const char *text;     /* text of the model file; NULL: not kept */
    bool has_motion;
    bool no_memory;           /* an allocation failed while adding: later errors may be its consequence */
    bool broken;              /* an error was reported: the model must not be compiled */
    bool switched;            /* the entry that is being read has `active:` */
    bool defining;            /* the expression being parsed is the value of the next parameter */
    const char *const *later; /* [later_count] while `defining`: names of that parameter and those behind it */
    int32_t later_count;
    double from, to, step;
    bool journal;             /* which item reads which parameter is recorded (readings) */
    RbvItem reading;          /* the item that is being read */
    RbvJointSizes *plain;     /* sizes shared by all joints with default sizes; NULL: none yet */
    struct RbvRefill *refill; /* NULL: additions are new items; else items are read again, in place (refill.h) */
    RbvModelSource source;    /* members NULL: items cannot be read again */
    struct RbvAddition *additions, *last_addition; /* linked list of additions by a program (refill.h) */
    int32_t system_count;                          /* number of systems compiled from the model */
    RbvShownUnit bare_unit[RBV_DIM_COUNT]; /* unit of a bare number of each dimension by `units:`; text NULL: SI */
    int32_t bare_notes;                    /* number of notes about bare numbers so far */
    RbvExpr *numbers[RBV_MODEL_NUMBERS];   /* hash table of shared expressions that are plain numbers, the last one per
                                              cell (scope.c) */
    RBV_ARRAY(RbvParameter) parameters;
    RBV_ARRAY(RbvUse) uses;
    RBV_ARRAY(RbvReading) readings;         /* in the order of reading */
    RBV_ARRAY(RbvJointPlaces) joint_places; /* [joints] of a model with a journal */
    RBV_ARRAY(RbvTable) tables;
    RBV_ARRAY(const char *) files;          /* files named by the model and read */
    RBV_ARRAY(RbvExprCallback *) functions; /* functions of the calling program */
    RBV_ARRAY(RbvBody) bodies;
    RBV_ARRAY(RbvBodyShape) shapes; /* shapes in the order of bodies, if `scene` */
    RBV_ARRAY(RbvMarker) markers;
    RBV_ARRAY(RbvMeasure) measures;
    RBV_ARRAY(RbvPrescribed) prescribed; /* [measures] */
    RBV_ARRAY(RbvVariable) variables;
    RBV_ARRAY(RbvJoint) joints;
    RBV_ARRAY(RbvCam) cams;
    RBV_ARRAY(RbvMesh) meshes;
    RBV_ARRAY(RbvNamedCoordinate) coordinates;
    RBV_ARRAY(RbvConstraint) constraints; /* constraints, then requirements */
    int32_t requirement_count;
    double track_rate; /* [1/s] decay rate of errors of requirements; NaN: errors are not corrected */
    RBV_ARRAY(RbvActuator) actuators;
    RBV_ARRAY(RbvCase) cases; /* load cases of rbv_size */
    RBV_ARRAY(RbvTolerance) tolerances;
    RBV_ARRAY(RbvSized) sized; /* ratings of drives and actuators, bearings, guides, screws */
    RBV_ARRAY(RbvNonideal) nonideals;
    RBV_ARRAY(RbvDrive) drives;
    RBV_ARRAY(RbvLoad) loads;
    int32_t rotor_count; /* drives with a rotor */
    RBV_ARRAY(RbvStop) stops;
    RBV_ARRAY(RbvOwnState) states;
    RBV_ARRAY(RbvGeneralized) generalized;
    RBV_ARRAY(RbvExpr *) masses; /* [generalized][generalized] */
    RBV_ARRAY(RbvEventDefinition) events;
    RBV_ARRAY(RbvSetting) settings;
    RBV_ARRAY(RbvCondition) conditions;
    RBV_ARRAY(RbvInitial) initial;
    RBV_ARRAY(RbvOutput) outputs;
    RBV_ARRAY(RbvQuestion) questions;
    RBV_ARRAY(const char *) notes; /* notes that every result of the model prints, each once (model.c) */
    RbvNameTable names; /* index * RBV_NAMED_KINDS + kind of bodies, joints, constraints, drives, loads, outputs, ...
                           (RbvNamedKind) */
    RbvNameTable coordinate_names;
    RbvNameTable constants; /* constant numbers: parameter k as 2k, table k as 2k + 1 */
    RbvNameTable function_names;
    RbvNameTable marker_names;   /* "body.marker" -> marker */
    RbvIndexTable measure_table; /* of `measures` */
    RbvNameTable variable_keys;
};

/* Marker origin from the centroid of its body, body axes [m]. */
static inline RbvVec3 rbv_marker_arm(const RbvModel *model, const RbvMarker *marker) {
    return rbv_sub(marker->at, model->bodies.items[marker->body].centroid);
}

/* The generalized coordinate whose measure this is; NULL: none. */
static inline const RbvGeneralized *rbv_measure_generalized(const RbvModel *model, int32_t measure) {
    if (measure < 0 || model->generalized.count == 0)
        return NULL;
    int32_t k = model->bodies.items[model->markers.items[model->measures.items[measure].marker[1]].body].generalized;
    return k > 0 ? &model->generalized.items[k - 1] : NULL;
}

/* The defining expression of a named coordinate; NULL: the coordinate is a measure. */
static inline const RbvExpr *rbv_coordinate_value(const RbvModel *model, const RbvCoordinateRef *of) {
    return of->named < 0 ? NULL : model->coordinates.items[of->named].value;
}

typedef enum RbvNamedKind {
    RBV_NAMED_BODY,
    RBV_NAMED_JOINT,
    RBV_NAMED_CONSTRAINT,
    RBV_NAMED_DRIVE,
    RBV_NAMED_LOAD,
    RBV_NAMED_OUTPUT,
    RBV_NAMED_STOP,
    RBV_NAMED_EVENT,
    RBV_NAMED_STATE,
    RBV_NAMED_ACTUATOR,
    RBV_NAMED_GENERALIZED,
    RBV_NAMED_KINDS
} RbvNamedKind;

/* Origin of a Def, for messages. `find` gives the file position of the text under a path such as "mass" or
 * "between/1" (NULL path: the item's name), `offset` bytes into the text. `find` NULL: positions are unknown. */
typedef struct RbvSource {
    RbvDiagnostics *diagnostics;
    const char *file;
    const void *node;
    RbvPosition (*find)(const void *node, const char *path, size_t offset);
} RbvSource;

/* Origin of what a program adds: no file, no positions. */
static inline RbvSource rbv_plain_source(RbvDiagnostics *diagnostics) {
    return (RbvSource){.diagnostics = diagnostics, .file = ""};
}

RbvPosition rbv_source_position(const RbvSource *source, const char *path, size_t offset);
void rbv_source_error(const RbvSource *source, const char *path, const char *format, ...) RBV_PRINTF(3, 4);
/* Report a note that every reader of a result needs (a drive that is not smooth, smoothed data), and keep the note in
 * the model. Notes reported to diagnostics alone, while reading or compiling, do not appear in results. */
void rbv_model_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, ...)
    RBV_PRINTF(4, 5);
void rbv_source_note(RbvModel *model, const RbvSource *source, const char *path, const char *format, ...)
    RBV_PRINTF(4, 5);

/* The adding functions of <roberval/model.h>, with positions for messages. All return OK, BAD_INPUT (reported) or
 * NO_MEMORY. */
RbvStatus rbv_insert_parameter(RbvModel *model, const char *name, double value, RbvExprDimension dimension,
                               const RbvSource *source);
/* Add a table; def's columns are in SI whatever units the Def names; x and y: dimensions of argument and value. */
RbvStatus rbv_insert_table(RbvModel *model, const RbvTableDef *def, RbvExprDimension x, RbvExprDimension y,
                           const RbvSource *source);
RbvStatus rbv_insert_body(RbvModel *model, const RbvBodyDef *def, const RbvSource *source);
RbvStatus rbv_insert_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                            const RbvSource *source);
RbvStatus rbv_insert_frame(RbvModel *model, const char *body, const char *name, const double *at, RbvQuat rotation,
                           const RbvSource *source);
RbvStatus rbv_insert_joint(RbvModel *model, const RbvJointDef *def, const RbvSource *source);
RbvStatus rbv_insert_constraint(RbvModel *model, const char *name, const char *equation, bool on_rates,
                                const RbvSource *source);
RbvStatus rbv_insert_nonideal(RbvModel *model, int32_t constraint, const char *coordinate, const char *force,
                              const RbvSource *source);
/* Enter the name of a coordinate that is defined further down in the file. */
RbvStatus rbv_announce_coordinate(RbvModel *model, const char *name, const RbvSource *source);
bool rbv_model_has_coordinate(const RbvModel *model, const char *name);
/* Mark the definition of the coordinate as wrong (reported): from now on expressions accept the name without another
 * error. */
void rbv_lose_coordinate(RbvModel *model, const char *name);
RbvStatus rbv_insert_coordinate(RbvModel *model, const char *name, const char *expression, const RbvSource *source);
RbvStatus rbv_insert_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                           const RbvSource *source);
/* Add a rotor that turns with the drive's coordinate: inertia [kg m^2], `ratio` times as fast. And limit the drive's
 * effort to -most ... most; catch_up [1/s]: decay rate of a lag, 0: the lag stays. */
RbvStatus rbv_insert_drive_rotor(RbvModel *model, const char *name, double inertia, double ratio,
                                 const RbvSource *source);
RbvStatus rbv_insert_drive_limit(RbvModel *model, const char *name, const char *most, double catch_up,
                                 const RbvSource *source);
RbvStatus rbv_insert_load(RbvModel *model, const RbvLoadDef *def, const RbvSource *source);
/* sized.c. Enter a load case: values[count] of parameters by their numbers. */
RbvStatus rbv_insert_case(RbvModel *model, const char *name, const RbvParameterValue *values, int32_t count,
                          const RbvSource *source);
/* sized.c. Ratings with positions for messages: `source` is the place of the rating, of two bearings `sources[k]` that
 * of each. */
RbvStatus rbv_insert_rating(RbvModel *model, const char *name, const RbvRatingDef *def, const RbvSource *source);
RbvStatus rbv_insert_bearings(RbvModel *model, const char *joint, int32_t count, const RbvBearingDef *defs,
                              const char *arrangement, const RbvSource *source, const RbvSource *sources);
RbvStatus rbv_insert_plain_bearing(RbvModel *model, const char *joint, const RbvPlainDef *def, const RbvSource *source);
RbvStatus rbv_insert_guide(RbvModel *model, const char *joint, const RbvGuideDef *def, const RbvSource *source);
RbvStatus rbv_insert_screw_life(RbvModel *model, const char *joint, const RbvScrewLifeDef *def,
                                const RbvSource *source);
/* Is there a drive or actuator of that name that moves an angle or a length? */
bool rbv_model_can_rate(const RbvModel *model, const char *name);
/* The rating of a drive (or actuator); NULL: none. */
const RbvSized *rbv_model_rating(const RbvModel *model, int32_t index, bool actuator);
/* stops.c. Which parts of a model that describe motion from forces an analysis accepts: conditions, evaluated at
 * the state; states; unrequested forces (generalized:, nonideal:); stops; time, along which events would occur;
 * equations of generalized coordinates. */
enum {
    RBV_TAKES_CONDITIONS = 1,
    RBV_TAKES_STATES = 2,
    RBV_TAKES_EQUATIONS = 4,
    RBV_TAKES_STOPS = 8,
    RBV_TAKES_TIME = 16,
    RBV_TAKES_GENERALIZED = 32,
    RBV_TAKES_LIMITS = 64
};
/* Check that the model has no part of motion from forces outside `takes` that would change the answer: BAD_INPUT
 * (reported) if it has. Stops, events and requirements are noted. */
RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, unsigned takes,
                                   RbvDiagnostics *diagnostics);
/* stops.c. Enter a state of the user's differential equations: first name, initial value and dimension; then the
 * rate, which may read every name entered until then. */
RbvStatus rbv_insert_state(RbvModel *model, const char *name, double start, RbvExprDimension dimension,
                           const RbvSource *source);
RbvStatus rbv_insert_state_rate(RbvModel *model, const char *name, const char *rate, const RbvSource *source);
/* The parameter becomes an input of simulations: in expressions added from now on it is a state whose rate is zero. */
RbvStatus rbv_insert_input(RbvModel *model, int32_t parameter, const RbvSource *source);
/* Value of a state at the start. */
double rbv_model_state_start(const RbvModel *model, int32_t state);
/* Has the word a meaning of its own in expressions? (generalized.c) */
bool rbv_model_is_word(const char *name);
/* generalized.c. Enter a generalized coordinate: name, initial value and rate (NaN: open). The equations mass[n][n],
 * force[n] of all follow when every name that they may read is known. */
RbvStatus rbv_insert_generalized(RbvModel *model, const char *name, double start, double rate,
                                 RbvExprDimension dimension, const RbvSource *source);
RbvStatus rbv_insert_generalized_mass(RbvModel *model, int32_t row, int32_t column, const char *mass,
                                      const RbvSource *source);
RbvStatus rbv_insert_generalized_force(RbvModel *model, int32_t row, const char *force, const RbvSource *source);
/* True if the model has no generalized coordinates; else an error is reported that `analysis` does not support them. */
bool rbv_model_without_generalized(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);
/* stops.c. limit[2]: least and largest value of the coordinate; -INFINITY, INFINITY: no limit. */
RbvStatus rbv_insert_stop(RbvModel *model, const char *name, const char *coordinate, const double limit[2],
                          double restitution, const RbvSource *source);
RbvStatus rbv_insert_event(RbvModel *model, const char *name, const char *when, int direction, RbvEventDeed deed,
                           const RbvSource *source);
/* constraints.c. To be called after all constraints. most: largest effort of an actuator; INFINITY: no limit. */
RbvStatus rbv_insert_requirement(RbvModel *model, const char *name, const char *equation, bool on_rates,
                                 const RbvSource *source);
RbvStatus rbv_insert_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most,
                              const RbvSource *source);
/* Enter what an event assigns to a state; enter the condition `active:` of item `index` of a kind, named `name`. */
RbvStatus rbv_insert_setting(RbvModel *model, const char *event, const char *state, const char *value,
                             const RbvSource *source);
RbvStatus rbv_insert_condition(RbvModel *model, RbvConditionOf of, int32_t index, const char *name, const char *active,
                               bool here, const RbvSource *source);
RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source);
RbvStatus rbv_insert_output(RbvModel *model, const char *name, const char *expression, const RbvSource *source);

/* constraints.c: the measure of a coordinate along which a nonideal force acts (false: wrong, reported at `path`); the
 * dimension of that force; and whether the model has no nonideal constraint (else an error is reported that
 * `analysis` does not support them). */
bool rbv_nonideal_measure(RbvModel *model, const char *coordinate, int32_t *measure, const char *path,
                          const RbvSource *source);
RbvDimension rbv_nonideal_dimension(const RbvModel *model, int32_t measure);
bool rbv_model_is_ideal(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);

/* scope.c. Has the expression (NULL: yes) at least `count` derivatives? Else an error names `what` 'name'. */
bool rbv_model_has_derivatives(const RbvExpr *expr, int32_t count, const char *what, const char *name, const char *path,
                               const RbvSource *source);
/* Check a name for a parameter, table or function. Returns the model's copy; NULL after an error (reported) or when
 * out of memory (remembered). */
const char *rbv_model_enter_word(RbvModel *model, const char *name, const RbvSource *source);

/* Append a zeroed item to an array. Returns the index, or -1 when out of memory. While the model is refilled: the
 * index that the item had before. */
int32_t rbv_model_grow(RbvModel *model, void *array, size_t item_size);
/* Record that memory ran out; returns RBV_NO_MEMORY. */
RbvStatus rbv_model_no_memory(RbvModel *model);
/* Reserve space for one more item, so that the next rbv_model_grow cannot fail. False: out of memory. */
bool rbv_model_reserve_item(RbvModel *model, void *array, size_t item_size);
/* Status of an adding function after an error was reported or memory ran out; marks the model broken. */
RbvStatus rbv_model_wrong(RbvModel *model);
/* Is `name` a valid name, and short enough? Else an error is reported. */
bool rbv_model_is_name(const char *name, const RbvSource *source);
/* Check and enter a name of the common name space, with a zeroed item of `array` at *index. Returns the model's copy
 * of the name; NULL after an error (reported) or when out of memory. */
const char *rbv_model_enter_name(RbvModel *model, const char *name, RbvNamedKind kind, void *array, size_t item_size,
                                 int32_t *index, const RbvSource *source);
/* Index of the item of this kind called `name`, or -1 (not reported). */
int32_t rbv_model_find(const RbvModel *model, const char *name, RbvNamedKind kind);
/* Find the marker "body.marker", or the origin marker of "body" (created if needed). -1 after an error reported at
 * `path`. */
int32_t rbv_model_find_marker(RbvModel *model, const char *reference, const char *path, const RbvSource *source);
int32_t rbv_model_find_body(RbvModel *model, const char *name, const char *path, const RbvSource *source);
int32_t rbv_model_add_raw_marker(RbvModel *model, const char *name, int32_t body, RbvVec3 at, double angle);
int32_t rbv_model_add_raw_frame(RbvModel *model, const char *name, int32_t body, RbvVec3 at, RbvQuat rotation);
/* Axes of a body in its starting pose; a marker's origin and axes in that pose, ground axes [m]. */
RbvMat3 rbv_body_axes(const RbvModel *model, const RbvBody *body);
RbvVec3 rbv_marker_start(const RbvModel *model, int32_t marker, RbvMat3 *axes);
int32_t rbv_model_measure(RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis);
/* The measure of a joint's coordinate in a direction 0 ... 5. */
RbvMeasure rbv_joint_coordinate(const RbvJoint *joint, int direction);
int32_t rbv_model_find_measure(const RbvModel *model, RbvMeasureKind kind, int32_t i, int32_t j, int32_t axis);
/* The measure of relative direction 0 ... 5 of two markers. In space the measure of a turn depends on the mask `locked`
 * of locked directions: a twist about the only free axis, a tilt of locked axes, or a component of the rotation
 * vector. */
int32_t rbv_model_direction_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t locked);
/* rbv_model_direction_measure for a locking constraint row; a measure without any other use is marked of_locks. */
int32_t rbv_model_lock_measure(RbvModel *model, int32_t i, int32_t j, int direction, uint8_t locked);
/* Is the measure an angle [rad], or a dimensionless number that is an angle for small turns? */
bool rbv_measure_is_angle(RbvMeasureKind kind);
RbvExponents rbv_measure_exponents(RbvMeasureKind kind);
/* Is the measure an angle that counts whole turns? */
bool rbv_measure_counts_turns(RbvMeasureKind kind);
/* Has the measure a rate but no value? */
static inline bool rbv_measure_is_rate(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_ROLL || kind == RBV_MEASURE_SLIP || kind == RBV_MEASURE_SPIN ||
           kind == RBV_MEASURE_GLIDE || kind == RBV_MEASURE_TOOTH || kind == RBV_MEASURE_SWING ||
           kind == RBV_MEASURE_BEND;
}

/* Kinds of variables that an expression may use. */
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
    RBV_SCOPE_IDEAL = 512,     /* efforts (multipliers) of ideal constraints */
    RBV_SCOPE_POSITION = 1024, /* the expression defines a named coordinate: a function of positions alone */
    RBV_SCOPE_UNITLESS = 128   /* dimensions are not checked */
} RbvScopeFlags;
/* Parse an expression of dimension `requested` (ANY: free). Returns the expression, to be destroyed by the caller;
 * NULL after an error at `path`. */
RbvExpr *rbv_model_expression(RbvModel *model, const char *text, int flags, RbvDimension requested, const char *path,
                              const RbvSource *source);
/* coordinates.c. Resolve the text of a coordinate, such as "hinge.angle'" or a name under `coordinates:`. False after
 * an error at `path` (NULL: the name); *to is then empty. */
bool rbv_model_coordinate(RbvModel *model, const char *text, RbvCoordinateRef *to, const char *path,
                          const RbvSource *source);
/* Drive and initial conditions of a coordinate; NULL: an empty reference. */
RbvPrescribed *rbv_coordinate_prescribed(RbvModel *model, const RbvCoordinateRef *of);
/* May a coordinate get a value of dimension `has`? For coordinates whose key has no dimension (ANY): false after an
 * error at `path` if a written unit contradicts the coordinate's dimension. */
bool rbv_coordinate_takes(const RbvModel *model, const RbvCoordinateRef *of, const char *coordinate,
                          RbvExprDimension has, const char *path, const RbvSource *source);

/* [bytes] Space for a dimension in words, "a force [N]". */
#define RBV_DIMENSION_SIZE 128

/* dimensions.c. Dimension of a variable of an expression. */
RbvExprDimension rbv_model_variable_dimension(const RbvModel *model, int32_t variable);
/* Dimension of a coordinate, or of its rate; and that dimension as the dimension of a key, ANY if no key dimension
 * matches. */
RbvExprDimension rbv_coordinate_dimension(const RbvModel *model, const RbvCoordinateRef *of);
RbvDimension rbv_coordinate_key(const RbvModel *model, const RbvCoordinateRef *of);
/* Is the coordinate an angle, or a dimensionless number that is an angle for small turns? */
bool rbv_coordinate_is_angle(const RbvModel *model, const RbvCoordinateRef *of);
/* Check that an expression has the dimension `requested`. `name`: key, for messages. False: a written unit
 * contradicts it, reported at `path`. Notes are reported where numbers may mean another unit than the user intended. */
bool rbv_model_check_dimension(RbvModel *model, const RbvExpr *expr, const char *text, RbvDimension requested,
                               const char *name, const char *path, const RbvSource *source);
/* The SI unit in which a value of this dimension is printed, "" if unknown. The string lives as long as the model. */
const char *rbv_model_unit_of(RbvModel *model, RbvExprDimension dimension);
/* The SI unit of a dimension that was written as a unit: every rad of the written unit is kept. */
const char *rbv_model_declared_unit_of(RbvModel *model, RbvExprDimension dimension);
/* Dimension of the effort (multiplier) of a constraint: effort times the constraint expression is an energy, or, if
 * on_rates, a power. */
RbvExprDimension rbv_model_effort_dimension(RbvExprDimension locked, bool on_rates);
/* Key dimension of a limit on the effort along a coordinate (ANY: no matching key dimension, or unknown); and the
 * unit of the effort of a drive on the coordinate. */
RbvDimension rbv_coordinate_effort_key(const RbvModel *model, const RbvCoordinateRef *of);
const char *rbv_model_effort_unit(RbvModel *model, const RbvCoordinateRef *of);
/* Unit of a coordinate's value; "": dimension unknown, or dimensionless. */
const char *rbv_model_coordinate_unit(RbvModel *model, const RbvCoordinateRef *of);
/* Mark a constant (2k: parameter k, 2k+1: table k) as used by the text being parsed. */
void rbv_model_use(RbvModel *model, int32_t constant);
/* Record that the item being read depends on every parameter that another item (`item`) reads. */
void rbv_model_use_item(RbvModel *model, RbvItem item);
/* Report a note for each parameter and table that is unused, or used only by unused parameters. */
void rbv_model_note_unused(RbvModel *model, RbvDiagnostics *diagnostics);

/* Include one more text in the fingerprint of the model. */
void rbv_model_take_text(RbvModel *model, const char *text, size_t length);
/* Keep a copy of the file's text, for pictures, unless longer than 1 MiB. False: out of memory. */
bool rbv_model_keep_text(RbvModel *model, const char *text, size_t length);

/* bodies.c. Store a copy of shape number `index` (from 0) of the body, if the model keeps shapes. False: out of memory
 * (remembered in the model). */
bool rbv_model_add_shape(RbvModel *model, int32_t body, int32_t index, const RbvBodyShape *shape);

/* mesh.c, for toothed and belt wheels in space; everything is computed once in the starting pose and fixed in the
 * carrier's axes. Compute and store the mesh of a spatial gear, bevel, worm or belt whose markers and carrier are
 * known: sets joint->mesh, and radii from teeth. False: an error was reported, or out of memory (remembered in the
 * model). */
bool rbv_add_mesh(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source);

/* Add the marker of a spatial rack: x along the rack, z along the pinion's axis (joint->rack). False: an error was
 * reported, or out of memory (remembered in the model). */
bool rbv_add_rack(RbvModel *model, RbvJoint *joint, const RbvSource *source);

/* Tolerances (tolerances.c). Add one whose name, and joint or parameter, are set; BAD_INPUT: reported. */
RbvStatus rbv_insert_tolerance(RbvModel *model, const RbvTolerance *tolerance, const RbvSource *source);
/* Give a joint of a model that was read another misfit [m, rad]; systems compiled from it have it from their next
 * analysis on. False: no memory. */
bool rbv_model_set_misfit(RbvModel *model, int32_t joint, int direction, double misfit);

#endif
