/* The model's insides: arrays of checked things, names resolved to indices, expressions compiled.
 *
 * Every array grows in the model's arena. Body 0 is ground. Numbers are SI. A thing keeps the place of its name in the
 * file, so that later rooms can point at it.
 */
#ifndef RBV_MODEL_MODEL_H
#define RBV_MODEL_MODEL_H

#include "model/entries.h"

/* More than there are of these in a model. */
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
    uint64_t fingerprint; /* of the texts it was read from */
    bool scene;           /* what pictures need is kept: shapes, and */
    const char *text;     /* the text of the file; NULL: it is not */
    bool has_motion;
    bool no_memory;           /* an allocation failed while adding: what was said after it may be its consequence */
    bool broken;              /* a mistake was reported: not to be compiled */
    bool switched;            /* what is read has active: */
    bool defining;            /* what is parsed is the value of the next parameter */
    const char *const *later; /* [later_count] meanwhile: that one's name in the file, and those behind it */
    int32_t later_count;
    double from, to, step;
    bool journal;             /* what reads which parameter is noted */
    RbvItem reading;          /* what is being read */
    RbvJointSizes *plain;     /* of joints that say nothing of theirs; NULL: none yet */
    struct RbvRefill *refill; /* NULL: what is added is new; else things are read again, in place (refill.h) */
    RbvModelSource source;    /* NULL: nothing can be read again */
    struct RbvAddition *additions, *last_addition; /* of a model that a program builds (additions.h) */
    int32_t system_count;                          /* compiled from it */
    RbvShownUnit bare_unit[RBV_DIM_COUNT];         /* what `units:` says a bare number means; text NULL: SI */
    int32_t bare_notes;                            /* said so far */
    RbvExpr *numbers[RBV_MODEL_NUMBERS]; /* expressions that are plain numbers, by hash, the last of each: many things
                                            say the same (scope.c) */
    RBV_ARRAY(RbvParameter) parameters;
    RBV_ARRAY(RbvUse) uses;
    RBV_ARRAY(RbvReading) readings;         /* in the order in which things were read */
    RBV_ARRAY(RbvJointPlaces) joint_places; /* [joints] of a model with a journal */
    RBV_ARRAY(RbvTable) tables;
    RBV_ARRAY(const char *) files;          /* that the model names, as read */
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
    RBV_ARRAY(const char *) notes; /* what every result of the model says, each once (notes.c) */
    RbvNameTable names; /* bodies, joints, constraints, drives, loads, outputs: what each name is (RbvNamed) */
    RbvNameTable coordinate_names;
    RbvNameTable constants; /* parameters 2k, tables 2k+1 */
    RbvNameTable function_names;
    RbvNameTable marker_names;   /* "body.marker" -> marker */
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

/* Where a Def came from, so that a mistake in it can be pointed at. `find` gives the place of what stands under a
 * path such as "mass" or "between/1" (NULL path: the thing's name), `offset` bytes into its text. Without `find` no
 * place is known. */
typedef struct RbvSource {
    RbvDiagnostics *diagnostics;
    const char *file;
    const void *node;
    RbvPosition (*find)(const void *node, const char *path, size_t offset);
} RbvSource;

RbvPosition rbv_source_position(const RbvSource *source, const char *path, size_t offset);
void rbv_source_error(const RbvSource *source, const char *path, const char *format, ...) RBV_PRINTF(3, 4);
/* What a reader of any result must know of the model (a drive that is not smooth, data that were smoothed): said, and
 * kept with the model. What is only said to diagnostics while reading or compiling is in no result. */
void rbv_model_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, ...)
    RBV_PRINTF(4, 5);
void rbv_source_note(RbvModel *model, const RbvSource *source, const char *path, const char *format, ...)
    RBV_PRINTF(4, 5);

/* The adding functions of <roberval/model.h>, with places. */
RbvStatus rbv_insert_parameter(RbvModel *model, const char *name, double value, RbvExprDimension dimension,
                               const RbvSource *source);
/* The columns in SI, whatever their units of the Def; x and y: what they measure. */
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
RbvStatus rbv_insert_drive_rotor(RbvModel *model, const char *name, double inertia, double ratio,
                                 const RbvSource *source);
RbvStatus rbv_insert_drive_limit(RbvModel *model, const char *name, const char *most, double catch_up,
                                 const RbvSource *source);
RbvStatus rbv_insert_load(RbvModel *model, const RbvLoadDef *def, const RbvSource *source);
/* on_the_way.c. What of motion from forces an analysis takes: conditions where the machine stands; states; forces
 * that are not asked for (generalized:, nonideal:); stops, which it looks at; a time, along which events would
 * happen; equations of generalized coordinates. */
enum {
    RBV_TAKES_CONDITIONS = 1,
    RBV_TAKES_STATES = 2,
    RBV_TAKES_EQUATIONS = 4,
    RBV_TAKES_STOPS = 8,
    RBV_TAKES_TIME = 16,
    RBV_TAKES_GENERALIZED = 32,
    RBV_TAKES_LIMITS = 64
};
/* BAD_INPUT, said: the model has something else of it, which would change the answer. Stops, events and what is
 * required are noted. */
RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, unsigned takes,
                                   RbvDiagnostics *diagnostics);
/* states.c. First its name, with what it is at the start, then its rate, which may read anything that is known by then.
 */
RbvStatus rbv_insert_state(RbvModel *model, const char *name, double start, RbvExprDimension dimension,
                           const RbvSource *source);
/* Does the expression measure what the state does (rate: in a second)? False: said, at `key`. */
bool rbv_model_state_takes(RbvModel *model, int32_t state, int32_t rate, const RbvExpr *expr, const char *key,
                           const RbvSource *source);
RbvStatus rbv_insert_state_rate(RbvModel *model, const char *name, const char *rate, const RbvSource *source);
/* Has the word a meaning of its own in expressions? (generalized.c) */
bool rbv_model_is_word(const char *name);
/* generalized.c. Its name and what it is at the start (NaN: open), then the equations of all when everything they may
 * read is known: mass[n][n], force[n]; at `path` of the source. */
RbvStatus rbv_insert_generalized(RbvModel *model, const char *name, double start, double rate,
                                 RbvExprDimension dimension, const RbvSource *source);
RbvStatus rbv_insert_generalized_mass(RbvModel *model, int32_t row, int32_t column, const char *mass,
                                      const RbvSource *source);
RbvStatus rbv_insert_generalized_force(RbvModel *model, int32_t row, const char *force, const RbvSource *source);
/* There is none? Else it is said that `analysis` does not know it. */
bool rbv_model_without_generalized(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);
/* stops.c. limit[2]: -INFINITY, INFINITY where there is none. */
RbvStatus rbv_insert_stop(RbvModel *model, const char *name, const char *coordinate, const double limit[2],
                          double restitution, const RbvSource *source);
RbvStatus rbv_insert_event(RbvModel *model, const char *name, const char *when, int direction, RbvEventDeed deed,
                           const RbvSource *source);
/* track.c. most: INFINITY where there is no limit. After all constraints. */
RbvStatus rbv_insert_requirement(RbvModel *model, const char *name, const char *equation, bool on_rates,
                                 const RbvSource *source);
RbvStatus rbv_insert_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most,
                              const RbvSource *source);
/* `active:` of the thing with that index, which is named `name`. */
RbvStatus rbv_insert_setting(RbvModel *model, const char *event, const char *state, const char *value,
                             const RbvSource *source);
RbvStatus rbv_insert_condition(RbvModel *model, RbvConditionOf of, int32_t index, const char *name, const char *active,
                               bool here, const RbvSource *source);
RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source);
RbvStatus rbv_insert_output(RbvModel *model, const char *name, const char *expression, const RbvSource *source);

/* nonideal.c: the measure of a coordinate along which a non-ideal force acts (false: wrong, said at `path`), and that
 * force's dimension. Does no constraint do work? Else it is said that `analysis` does not know it. */
bool rbv_nonideal_measure(RbvModel *model, const char *coordinate, int32_t *measure, const char *path,
                          const RbvSource *source);
RbvDimension rbv_nonideal_dimension(const RbvModel *model, int32_t measure);
bool rbv_model_is_ideal(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics);

/* functions.c: the program's function of that name, or NULL. Does the expression (NULL: yes) have so many derivatives?
 * Else it is said of `what` 'name'. */
const RbvExprCallback *rbv_model_function(const RbvModel *model, const char *name);
bool rbv_model_has_derivatives(const RbvExpr *expr, int32_t count, const char *what, const char *name, const char *path,
                               const RbvSource *source);
/* Is this a word that parameters, tables and functions may be called by? The model's own copy; NULL after an error
 * (said) or without memory (remembered). */
const char *rbv_model_enter_word(RbvModel *model, const char *name, const RbvSource *source);

/* Shared by the adding functions. Grow an array by one zeroed item: index, or -1 when there is no memory. While the
 * model is refilled: the place that the item had. */
int32_t rbv_model_grow(RbvModel *model, void *array, size_t item_size);
/* Remember that memory ran out; returns RBV_NO_MEMORY. */
RbvStatus rbv_model_no_memory(RbvModel *model);
/* Room for one more item, so that growing cannot fail. False: no memory. */
bool rbv_model_has_room(RbvModel *model, void *array, size_t item_size);
/* What an adding function returns after it has said a mistake, or found no memory. */
RbvStatus rbv_model_wrong(RbvModel *model);
/* Is it a name, and short enough? Else it is said. */
bool rbv_model_is_name(const char *name, const RbvSource *source);
/* Check and enter a name of the common name space, and a zeroed item of `array` for it, whose index is then in *index.
 * NULL after an error (said), else the model's own copy. */
const char *rbv_model_enter_name(RbvModel *model, const char *name, RbvNamedKind kind, void *array, size_t item_size,
                                 int32_t *index, const RbvSource *source);
/* Index of the `kind` called `name`, or -1 without a word. */
int32_t rbv_model_find(const RbvModel *model, const char *name, RbvNamedKind kind);
/* Find the marker "body.marker" or the origin marker of "body" (made when needed). -1 after an error, which stands at
 * `path`. */
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
/* The relative direction (0 ... 5) of two markers as a measure. In space a turn is one about a single free axis, a
 * tilt of held axes, or a component of the rotation vector: as the turns `held` (a mask of directions) leave it. */
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
    return kind == RBV_MEASURE_ROLL || kind == RBV_MEASURE_SLIP || kind == RBV_MEASURE_SPIN ||
           kind == RBV_MEASURE_GLIDE || kind == RBV_MEASURE_TOOTH || kind == RBV_MEASURE_SWING ||
           kind == RBV_MEASURE_BEND;
}

/* The measure of a coordinate written as a function (coordinate_functions.c). -1: wrong, what is in `message`; or no
 * memory, `message` empty. */
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
    RBV_SCOPE_IDEAL = 512,     /* efforts of constraints */
    RBV_SCOPE_POSITION = 1024, /* what is read is a coordinate of the user's name: a function of the position alone */
    RBV_SCOPE_UNITLESS = 128   /* dimensions do not matter */
} RbvScopeFlags;
/* Parse an expression of the dimension `wanted` (ANY: of its own); NULL after an error at `path`. */
RbvExpr *rbv_model_expression(RbvModel *model, const char *text, int flags, RbvDimension requested, const char *path,
                              const RbvSource *source);
/* coordinates.c. "hinge.angle'", or a name under `coordinates:`. False after an error at `path` (NULL: the name); then
 * it refers to nothing. */
bool rbv_model_coordinate(RbvModel *model, const char *text, RbvCoordinateRef *to, const char *path,
                          const RbvSource *source);
/* What prescribes it; NULL: it refers to nothing. */
RbvPrescribed *rbv_coordinate_prescribed(RbvModel *model, const RbvCoordinateRef *of);
/* May it be given what is of this dimension? Asked where no key says so (ANY): false after an error at `path`, a
 * written unit contradicts it. */
bool rbv_coordinate_takes(const RbvModel *model, const RbvCoordinateRef *of, const char *coordinate,
                          RbvExprDimension has, const char *path, const RbvSource *source);

/* dimensions.c. What a variable of an expression measures: the one place that knows. */
RbvExprDimension rbv_model_variable_dimension(const RbvModel *model, int32_t variable);
/* What a coordinate measures, with its rate; as the dimension of a key, ANY where it has no name there. */
RbvExprDimension rbv_coordinate_dimension(const RbvModel *model, const RbvCoordinateRef *of);
RbvDimension rbv_coordinate_key(const RbvModel *model, const RbvCoordinateRef *of);
/* A turn, or a number without dimension that is one for small turns? */
bool rbv_coordinate_is_angle(const RbvModel *model, const RbvCoordinateRef *of);
/* Does the expression `text` measure what `name` wants? An error at `path` when a written unit contradicts it; notes
 * where numbers may mean another unit than was thought. */
bool rbv_model_check_dimension(RbvModel *model, const RbvExpr *expr, const char *text, RbvDimension requested,
                               const char *name, const char *path, const RbvSource *source);
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
void rbv_model_use_item(RbvModel *model, RbvItem item);
/* A note for each parameter and table that nothing but other such parameters uses. */
void rbv_model_note_unused(RbvModel *model, RbvDiagnostics *diagnostics);

/* One more text that the model was read from. */
void rbv_model_take_text(RbvModel *model, const char *text, size_t length);
/* A copy of the file's text, for pictures, unless it is very long. False: no memory. */
bool rbv_model_keep_text(RbvModel *model, const char *text, size_t length);
#endif
