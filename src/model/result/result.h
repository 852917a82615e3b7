/* Results of an analysis, printed by src/write: series, summaries, verdicts, audit. All names are copied, so a result
 * needs neither model nor system. */
#ifndef RBV_MODEL_RESULT_RESULT_H
#define RBV_MODEL_RESULT_RESULT_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "core/base/units.h"

#include <roberval/advice.h>
#include <roberval/folder.h>
#include <roberval/sizing.h>

/* Error propagation of an output f, at the samples where its value is the first, the least and the largest: gain, the
 * sum of |df/dx| over the variables x of each dimension; part, the largest term of its sums. */
typedef enum RbvMixAt { RBV_MIX_FIRST, RBV_MIX_LEAST, RBV_MIX_MOST, RBV_MIX_COUNT } RbvMixAt;
typedef struct RbvMix {
    bool known;
    double value[RBV_MIX_COUNT], part[RBV_MIX_COUNT];
    double gain[RBV_MIX_COUNT][RBV_DIM_COUNT];
} RbvMix;

typedef struct RbvColumn {
    const char *name, *unit;
    const RbvMix *mix;  /* of an output; NULL: other columns */
    double error;       /* estimated rounding error of the values, at the worst sample */
    RbvVerdict verdict; /* worst verdict over the samples */
    RbvVerdict begins;  /* verdict of the first sample */
    bool has_verdict;   /* true for reactions and efforts */
    bool has_error;
} RbvColumn;

/* An item of the model and its columns: a joint, drive, constraint or load. */
typedef struct RbvEntry {
    const char *name, *kind; /* kind: "revolute", "spring", ...; "" for drives and constraints */
    const char *on, *by;     /* joints: second and first body */
    int32_t first, count;    /* columns */
    int32_t components;      /* number of reaction components among the columns (the rest: values along the line) */
    int32_t resultant;       /* column of the force's magnitude, or -1 */
    int32_t power;           /* drives: column of effort times rate, or -1 */
    int32_t rate; /* of what is sized: joints: column of the relative speed, and, where reactions are in ground's axes,
                     six more of them in the joint's; drives: the first of rate, second rate, felt inertia; 0: none */
    int32_t most; /* of a joint that is sized, where compliances have ranges: the first of six columns of the largest
                     magnitudes of its components; 0: none */
    bool aside;   /* not shown: does not act on the bodies that are balanced */
} RbvEntry;

typedef struct RbvList {
    RbvEntry *items;
    int32_t count;
} RbvList;

/* A body with an idle spin about the line through two of its points. */
typedef struct RbvIdleSpin {
    const char *body, *from, *to;
} RbvIdleSpin;

typedef struct RbvRankChange {
    double time;
    int32_t rank, redundant;
    bool safe;
} RbvRankChange;

/* Nonholonomic test: are the constraint rows on rates, without drives, integrable together with the rows of
 * positions? */
typedef struct RbvIntegrability {
    int32_t rows, independent; /* rows on rates; those independent of the rows of positions and of each other */
    int32_t nonholonomic; /* lower bound of the number of combinations that are not integrable; exact (all) if equal to
                             `independent` */
    int32_t left_out;     /* rows that prescribe a rate or depend on time: counted as drives */
    int32_t states;       /* number of states tested */
    const char *untested; /* why not tested; NULL: tested, or there are no such rows */
} RbvIntegrability;

/* Do multipliers exist that balance the loads at rest? */
typedef struct RbvMultiplierTheorem {
    bool tested, exist;
    double residual; /* norm of the part of the loads that no multipliers can balance, over the norm of the loads */
} RbvMultiplierTheorem;

/* A constraint row, with the verdict on its own multiplier. */
typedef struct RbvRowVerdict {
    const RbvEntry *entry;       /* of the joint, constraint or drive */
    const char *element, *holds; /* "joint", "constraint", "drive"; "x", "rz", "length", "motion", ... */
    bool on_rates;
    RbvVerdict verdict;
} RbvRowVerdict;

typedef struct RbvAsked {
    const char *text;
    RbvVerdict verdict;
} RbvAsked;

typedef struct RbvVerdictChange {
    double time;
    int32_t column;
    RbvVerdict verdict;
} RbvVerdictChange;

/* statics: an equilibrium. */
typedef struct RbvEquilibrium {
    bool found;
    const char *stability;    /* "stable", "unstable", "neutral"; NULL: not decided */
    const char *falls_by;     /* coordinate with the largest part in the motion of least stiffness, or a body's:
                                 "angle(door)"; NULL: none */
    bool flutter;             /* unstable by growing oscillation, not by divergence */
    double energy, curvature; /* [J] potential energy, [1/s^2] least curvature; NaN: none */
    int32_t iterations;
    int32_t rounds;      /* augmented method: number of multiplier updates; 0: another method */
    RbvMode coordinates; /* "joint.coordinate": its value, m or rad */
    double *compliance;  /* [coordinates.count squared] displacement of coordinate i per unit of load along j [m/N,
                            rad/N, rad/(N m)]; NULL: none */
    const char *method;
    int32_t body_count;
    RbvEntry *bodies; /* [body_count] name, and first, count in `pose`: origin (components), then angle or quaternion */
    double *pose;
    double penalty, penalty_error, penalty_force_error; /* [N/m] penalty, [m] and [N] errors; NaN: another method */
    const char **pressed; /* [pressed_count] closed stops and one-sided joints; NULL: the model has none */
    int32_t pressed_count;
} RbvEquilibrium;

/* statics --hold: intervals of a parameter in which friction holds the equilibrium. */
typedef struct RbvHoldable {
    const char *parameter, *unit; /* NULL: not requested; the SI unit */
    double at;                    /* value of the parameter in the model */
    double (*end)[2]; /* [count] intervals in which friction holds; the one that contains the value, or is nearest to
                         it, first; infinite: no such end */
    int32_t count;
    const char **at_limit; /* [at_limit_count] joints whose friction is at its limit at an end of the first interval */
    int32_t at_limit_count;
} RbvHoldable;

/* statics --follow: an event between two points of the path. */
typedef struct RbvEvent {
    const char *kind; /* kind: "fold", "snap-through", "bifurcation", "flutter", "stability", "land", "release" */
    double at;        /* value of the parameter */
    int32_t sample;   /* sample of the series at the event */
    const char *before, *after; /* stability at the neighbouring points; NULL: not decided */
    int rises;             /* fold, land, release: 1: the parameter has a maximum here, -1: a minimum, 0: neither */
    const char **supports; /* [support_count] land, release: stops and one-sided joints that close or open */
    int32_t support_count;
    RbvEquilibrium place; /* equilibrium at the event; falls_by: the coordinate that moves most */
    bool snaps, lands;    /* the stable branch ends here; `landing` is the equilibrium reached from here */
    RbvEquilibrium landing;
} RbvEvent;

typedef struct RbvFollowed {
    const char *parameter, *unit; /* NULL: no path was followed; the SI unit */
    RbvShownUnit shown;           /* the unit in which the range was written */
    double from, to, reached;
    const char *ended; /* "to the end", "back past the start", "round to the start"; "as far as": stopped early */
    int32_t places;    /* number of points, events not counted */
    RbvEvent *events;
    int32_t event_count, event_capacity;
    RbvEquilibrium last; /* last point of the path */
} RbvFollowed;

/* A multiplier of the augmented Lagrangian method. */
typedef struct RbvSoftRow {
    RbvRowVerdict row;
    const char *unit;
    double value, alpha; /* lambda: the row exerts -lambda times its gradient on bodies; alpha: penalty mass [kg], of
                            angles [kg m^2] */
} RbvSoftRow;

/* inverse with the penalty or augmented method: largest errors of the run. */
typedef struct RbvSoftRows {
    bool found, augmented;
    double coefficient;                     /* [kg] */
    double acceleration_error, force_error; /* [m/s^2], [N]; angular ones times the arm of their part; NaN: unknown */
    int32_t rounds;
    double at;        /* [s] time of the multipliers in `rows` */
    RbvSoftRow *rows; /* multipliers of the first sample, where rows are redundant */
    int32_t row_count;
} RbvSoftRows;

/* simulate: integration statistics. */
typedef struct RbvIntegration {
    const char *method; /* NULL: no integration */
    double tolerance;
    int64_t steps, rejected, evaluations;
    double energy_error, constraint_error; /* [J], [m or rad] largest errors of energy and constraints */
    double magnification; /* factor by which small differences of the initial state grow; NaN: unknown */
    struct RbvIntegrationEvent {
        double t, impulse; /* [s] time; [N s or N m s] impulse, NaN: none */
        const char *name, *kind;
    } * events;
    int32_t event_count;
} RbvIntegration;

/* modes: solutions exp(lambda t); of a conjugate pair the one with im >= 0. */
typedef RbvShapePart RbvOscillationPart;

/* Motion of a body's frame in a mode, ground axes: origin [m] and turn [rad], real and imaginary parts. */
typedef struct RbvOscillationBody {
    const char *name;
    double at[3][2], turn[3][2];
} RbvOscillationBody;

typedef struct RbvOscillation {
    double re, im;             /* [1/s] */
    double frequency, damping; /* |lambda| / 2 pi [Hz], -re / |lambda| (NaN: lambda is 0) */
    RbvOscillationPart *shape; /* [shape_count] */
    int32_t shape_count;
    RbvOscillationBody *bodies; /* [body_count] unless the system is large; in the scale of `shape` */
    int32_t body_count;
    RbvMode participation; /* share of each coordinate ("bob.x") in the kinetic energy */
} RbvOscillation;

/* modes --follow */
typedef struct RbvOscillationEvent {
    const char *kind; /* "flutter", "divergence": an oscillation, or a monotonic motion, begins to grow; "stable": stops
                         growing; "divergence to flutter" and back: change between the two */
    double at;        /* value of the parameter */
    double re, im;    /* root lambda that crosses [1/s] */
    int32_t mode;     /* column "mode3.re", from 1 */
} RbvOscillationEvent;

typedef struct RbvOscillations {
    bool found, equilibrium; /* equilibrium: the state is at rest, and forces balance */
    double time;             /* [s] time of the state */
    int32_t freedoms;        /* number of velocity freedoms */
    int32_t sought;          /* number of modes asked for, those of least frequency; 0: all */
    int32_t growing;         /* number of modes that grow and are not listed, where all are known */
    RbvOscillation *items;
    int32_t count;
    RbvOscillationEvent *events;
    int32_t event_count;
    bool has_space; /* --inputs, --outputs */
    RbvStateSpace space;
} RbvOscillations;

/* assemble --udwadia: a vector (columns -1) or matrix, row-major. */
typedef struct RbvArray {
    const char *name;
    int32_t rows, columns;
    const double *values;
} RbvArray;

typedef struct RbvFigure {
    const char *name;
    double value;
} RbvFigure;

#define RBV_UDWADIA_ARRAYS 20
#define RBV_UDWADIA_FIGURES 8
/* check --coordinates natural: a point or unit vector shared by bodies as coordinates. */
typedef struct RbvBasicNote {
    const char *name;
    bool vector, ground; /* a unit vector, else a point; fixed in ground? */
    const char **bodies; /* bodies that share it */
    int32_t body_count;
} RbvBasicNote;
typedef struct RbvBodyNote {
    const char *name, *type; /* "2 points, 1 vector" */
    int32_t numbers, rows;   /* numbers of q of the body, own and shared; rigid constraint rows */
    bool constant_mass;
} RbvBodyNote;
typedef struct RbvRigidNote {
    const char *body, *holds; /* "distance A - B" */
} RbvRigidNote;
/* A measured coordinate that is one of the numbers of q (--mixed). */
typedef struct RbvNumberNote {
    const char *name, *of, *kind,
        *row; /* such as "crank.angle", "angle from crank.A to ground.A", "angle"; equation of its row */
} RbvNumberNote;
typedef struct RbvCoordinatesNote {
    const char *kind;                 /* NULL: not requested */
    int32_t numbers, row_count, rest; /* numbers of q; rigid rows; rows of joints, constraints and drives that shared
                                         points and vectors do not satisfy by themselves */
    RbvBasicNote *basics;
    int32_t basic_count;
    RbvBodyNote *bodies;
    int32_t body_count;
    RbvRigidNote *rows;      /* [row_count] */
    RbvNumberNote *measured; /* [measured_count] among the numbers of q, each with a constraint row */
    int32_t measured_count;
} RbvCoordinatesNote;
/* check --coordinates joint: a tree joint of the tree of joint coordinates. */
typedef struct RbvArcNote {
    const char *body, *parent; /* a body and its parent */
    const char *joint;         /* NULL: the body is free, without a tree joint */
    const char *numbers;       /* free coordinates: "angle", "x, y, rotation" */
    int32_t count;             /* numbers of v */
} RbvArcNote;
typedef struct RbvCutNote {
    const char *joint; /* a joint that is no tree joint (a cut), or a tree joint with rows beyond those that the
                          coordinates keep */
    int32_t rows;
    bool tree_joint;
} RbvCutNote;
typedef struct RbvTreeNote {
    const char *kind;      /* NULL: not requested */
    int32_t numbers, rest; /* numbers of v; rows of joints, constraints and drives that the coordinates of tree joints
                              do not keep by themselves */
    RbvArcNote *tree_joints;
    int32_t tree_joint_count;
    RbvCutNote *cuts;
    int32_t cut_count;
} RbvTreeNote;

/* inverse --coordinates natural: a multiplier with the force that it means. */
typedef struct RbvMultiplierNote {
    const char *row, *body; /* "rod.row2", "slide.y", "motor", "crank.angle.row"; the body of a rigid row, or NULL */
    const char *holds, *meaning, *unit;
    const char *brief;    /* the meaning in one or two words: "tension" */
    bool meant;           /* false: the multiplier means no force, and has no value */
    double value, lambda; /* lambda: multiplier of the row in the form of `holds` */
    RbvVerdict verdict;
} RbvMultiplierNote;
/* Wrench of a joint on a body, ground axes, torque about the second marker [N, N m]. */
typedef struct RbvElementNote {
    const char *body, *joint;
    RbvVerdict verdict;
    double F[3], T[3];
} RbvElementNote;
typedef struct RbvNaturalNote {
    bool found, shown;   /* shown: also in tables and series */
    const char *missing; /* why there are no values; NULL: there are, or not requested */
    bool spatial;
    double t, residual; /* time [s]; residual of M q'' + J^T lambda = Q with rigid rows, relative to its largest term */
    bool yields, augmented; /* rows were penalties, or augmented */
    double alpha, error;    /* [kg] penalty mass; [N] error of the multipliers of rows with unit gradients */
    int32_t rounds;         /* number of multiplier updates */
    RbvMultiplierNote *rows;
    int32_t row_count;
    RbvElementNote *elements; /* by bodies */
    int32_t element_count;
} RbvNaturalNote;

/* assemble --null-space: null space of the constraint matrix over the numbers of v. */
typedef struct RbvNullSpaceNote {
    bool found;
    const char *missing; /* why not found; NULL: not requested, or found */
    int32_t n, count;    /* numbers of v, of independent coordinates z */
    const char **coordinates, **z;
    double *R;      /* [n][count] v = R z' */
    double *second; /* [count][count][n] (dr_j/dz_k + dr_k/dz_j)/2: v' = R z'' + sum second_jk z_j' z_k' */
} RbvNullSpaceNote;

/* assemble --load-forces: generalized force of one weight or load. */
typedef struct RbvLoadForce {
    const char *name; /* "weight of crank", or the load's name */
    double potential; /* [J]; NaN: the load has no potential */
    double *Q;        /* [n] */
} RbvLoadForce;
typedef struct RbvLoadForces {
    bool found;
    int32_t n, count;
    const char **coordinates; /* [n] */
    RbvLoadForce *items;
} RbvLoadForces;

typedef struct RbvUdwadiaRecord {
    bool found;
    const char *root; /* "symmetric", "cholesky" */
    double t;         /* [s] */
    int32_t n, m, rank;
    const char **coordinates; /* [n] "rod x" */
    const char **rows;        /* [m] */
    RbvArray array[RBV_UDWADIA_ARRAYS];
    int32_t array_count;
    RbvFigure figure[RBV_UDWADIA_FIGURES]; /* minimum of Gauss' function, and residuals of the checks */
    int32_t figure_count;
} RbvUdwadiaRecord;

/* assemble: a body in the first row of the series, from column `first`: origin, orientation (plane: an angle, space:
 * a quaternion), and their rates. */
typedef struct RbvPlacedBody {
    const char *name;
    int32_t first;
    bool spatial, turns;
    double moved, turned; /* [m], [rad] displacement of the centroid and turn from the starting pose */
} RbvPlacedBody;

typedef struct RbvCoordinateState {
    const char *name, *rate_name; /* "hinge.angle", "hinge.angle'" */
    const char *unit, *rate_unit; /* SI, "" where none is known */
    double value, rate;
    const char *by, *rate_by; /* source: "initial", "drive", "nearest"; "": determined by other coordinates */
} RbvCoordinateState;

/* Residuals of the constraint rows of one item; those of an equation, in its own unit, count as lengths. */
typedef struct RbvLeftOver {
    const char *name, *kind;                       /* "joint", "constraint", "drive", "initial" */
    double length, angle, length_rate, angle_rate; /* [m], [rad], [m/s], [rad/s] */
} RbvLeftOver;

typedef struct RbvAssembled {
    bool found;
    int32_t tries; /* start of the assembly: 0: starting poses; 1: joint by joint from ground; larger: other poses */
    RbvPlacedBody *bodies;
    int32_t body_count;
    RbvCoordinateState *coordinates;
    int32_t coordinate_count;
    RbvLeftOver *residuals; /* largest first */
    int32_t residual_count;
    bool named;             /* `completed` is filled (not in large systems) */
    const char **completed; /* coordinates and rates determined only by the condition of being nearest to the start */
    int32_t completed_count;
} RbvAssembled;

/* info: contents of a model. */
typedef struct RbvInfoBody {
    const char *name;
    double mass, centroid[3]; /* [kg], [m] in the body frame */
    int32_t moments;          /* number of moments of inertia: 0: a particle; 1: the plane; 3: space */
    double moment[3],
        radius[3]; /* principal moments of inertia [kg.m^2], ascending; radii of gyration [m], NaN without mass */
    int32_t markers;
} RbvInfoBody;

typedef struct RbvInfoJoint {
    const char *name, *kind, *first, *second; /* markers: "crank.A" */
} RbvInfoJoint;

typedef struct RbvInfoCount {
    const char *kind;
    int32_t count;
} RbvInfoCount;

/* A parameter with its value, a table with its range, an output with its unit, a drive with its coordinate, ... */
typedef struct RbvInfoItem {
    const char *name, *word;   /* coordinate of a drive; option that gave a parameter its value, NULL: the model file */
    const char *unit, *unit_x; /* SI */
    double value, from, to;
} RbvInfoItem;

typedef struct RbvInfoList {
    RbvInfoItem *items;
    int32_t count;
} RbvInfoList;

typedef struct RbvInfo {
    bool found, spatial, has_motion;
    double mass, size, gravity[3], from, to, step; /* [kg], [m] in the starting poses, [m/s^2], [s] */
    int32_t rows;                                  /* constraint rows of joints, constraints and drives */
    RbvInfoBody *bodies;
    int32_t body_count;
    RbvInfoJoint *joints;
    int32_t joint_count;
    RbvInfoCount *joint_kinds, *load_kinds;
    int32_t joint_kind_count, load_kind_count;
    RbvInfoList constraints, drives, loads, coordinates, parameters, tables, initial, outputs;
    RbvInfoList stops, states, events, generalized, required, actuators, conditions; /* items with active: */
    RbvInfoList sized; /* ratings, bearings, guides, screws: name of the drive or joint, kind */
    const char **files;
    int32_t file_count;
} RbvInfo;

/* Summary of a column over the samples done. NaN without samples. */
typedef struct RbvSummary {
    double first, min, max, at_min, at_max, peak; /* peak: largest magnitude */
} RbvSummary;

/* Times of the extremes of columns (scales.c). */
typedef struct RbvExtremes {
    int32_t samples; /* number of samples searched */
    struct {
        double within[2], at[2]; /* within: bounds below (above) which values count as the minimum (maximum); at: first
                                    times [s] of such values, NaN: none yet */
    } of[];                      /* [columns and hidden ones] */
} RbvExtremes;

/* Influence of a misfit on a column at a sample. */
typedef struct RbvInfluence {
    int32_t sample, tolerance; /* number of the misfit among the tolerances of the model */
    int32_t column;            /* -1: the misfit is unbounded, it stresses a loop of rigid joints */
    double value;              /* [unit of the column/m, /rad] derivative */
} RbvInfluence;

/* Storage of the samples (rows.c). */
typedef struct RbvStore {
    const char *folder; /* the caller's string; NULL: memory */
    int64_t above;      /* bytes that are kept in memory */
    size_t mapped;      /* bytes of the mapped file that holds the data; 0: memory */
    int file;
    RbvSummary *sums; /* [columns and hidden ones] of the first `summed` samples */
    int32_t summed;
    RbvExtremes *times;
} RbvStore;

/* inverse --reaction: the virtual motion that gives a reaction, with unit rate at the cut: velocities of the moving
 * bodies, ground axes. */
typedef struct RbvVirtualBody {
    const char *name;
    double velocity[3], angular[3]; /* [m/s] of the origin of the body's frame, [rad/s] */
} RbvVirtualBody;

typedef struct RbvVirtualMotion {
    const char *name; /* "A.Fx", "motor.effort", "rod.row1" */
    bool stretches;   /* for a rigid row: its body is not rigid in this motion; `bodies` are points and vectors with
                         `velocity` only */
    RbvVirtualBody *bodies; /* [body_count] */
    int32_t body_count;
    bool found; /* false: the other rows block the motion that the cut frees */
} RbvVirtualMotion;

/* Points of a rated part: of a drive its effort over the speed of the motor's shaft, of others their load P or p over
 * time; of samples that lie close together those with the largest effort or load. SI units. */
typedef struct RbvSizedPlot {
    double *x, *y; /* [count] */
    int32_t count;
    RbvRatingDef rating; /* of a drive; its curve in the result's arena */
} RbvSizedPlot;

struct RbvResult {
    RbvArena arena;
    RbvVirtualMotion *virtual_motions; /* [virtual_motion_count] */
    int32_t virtual_motion_count;
    RbvSpeller speller;  /* writes options in its texts; NULL: their names */
    bool planar_motions; /* plane: angular velocities are scalars */
    const char *analysis, *method, *frame, *title, *file;
    RbvShownUnit units[RBV_DIM_COUNT]; /* units declared by the model */
    struct {
        double size, mass;      /* [m], [kg]; NaN: unknown */
        const char *corrected;  /* body that assembly moved furthest from a given starting pose; NULL: none moved */
        double distance, angle; /* [m], [rad] */
        double gravity[3];      /* [m/s^2], ground axes */
        int axes;               /* components of gravity: 2 in the plane */
    } machine;
    RbvMobility mobility;
    struct {
        bool found;
        int32_t unknowns, equations, rank, gruebler;
        const char **bodies; /* [body_count] bodies of --balance; 0: all bodies */
        int32_t body_count;
    } newton;          /* inverse --method newton: Newton-Euler equations at the first sample */
    RbvIdleSpin *idle; /* [idle_count] */
    int32_t idle_count;
    double rank_smallest, rank_dropped, rank_tau; /* relative singular values at the rank decision; threshold */
    bool rank_safe, rank_exact, rank_sparse;
    const char *criterion;
    const char *redundant_by; /* rule that chose the values that are not unique */
    double length;            /* [m] length L in the norm of the largest redundant block, NaN: no redundancy */
    RbvColumn *columns;
    int32_t column_count, hidden_count; /* hidden columns come last: resultants and powers, not in series.csv */
    struct {
        bool known;          /* they were requested, and follow from the samples */
        RbvInfluence *items; /* [count] those that are not zero, sample by sample */
        size_t count, capacity;
    } influences;
    double (*ranges)[2]; /* [column_count] least and largest value over the run, for intervals of compliances or
                            sticking friction; NaN: none; NULL: no column has a range */
    double *data;        /* [capacity][column_count + hidden_count] */
    int32_t sample_count, capacity;
    RbvStore store;
    RbvList joints, drives, constraints, loads, stops, outputs, residuals, rigid_rows;
    RbvMode *modes;
    int32_t mode_count;
    RbvMode *groups;
    bool groups_skipped; /* sums were not searched in some cluster because of its size */
    int32_t group_count;
    RbvCluster *clusters;
    int32_t cluster_count;
    RbvRemedy together;    /* changes of joint types that remove the redundancy of all clusters at once, as types of the
                              model file; */
    bool together_missing; /* or true: some clusters have none */
    bool described;        /* modes, groups and clusters were searched in all blocks */
    int32_t fastest; /* where something is sized: hidden column of the fastest rate of all bodies [rad/s], speeds over
                        their size; 0: none */
    RbvRankChange *rank_changes; /* check --motion */
    int32_t rank_change_count, rank_change_capacity;
    double motion_from, motion_to;    /* [s] interval that was followed */
    int32_t motion_samples;           /* 0: no motion was followed */
    RbvIntegrability integrability;   /* check */
    RbvMultiplierTheorem multipliers; /* check */
    RbvRowVerdict *rows;              /* check: [row_count] in the order of joints, constraints, drives */
    int32_t row_count;
    RbvAsked *asked;
    int32_t asked_count;
    RbvVerdictChange *changes;
    int32_t change_count, change_capacity;
    RbvInfo info;                   /* info */
    RbvAssembled assembled;         /* assemble */
    RbvUdwadiaRecord udwadia;       /* assemble --udwadia */
    RbvNullSpaceNote null_space;    /* assemble --null-space */
    RbvLoadForces load_forces;      /* assemble --load-forces */
    RbvCoordinatesNote coordinates; /* check --coordinates natural */
    RbvTreeNote tree;               /* check --coordinates joint */
    RbvNaturalNote natural;         /* inverse --coordinates natural */
    RbvEquilibrium equilibrium;
    RbvEquilibrium *equilibria; /* statics --all: all equilibria found, by ascending energy */
    int32_t equilibrium_count;
    int32_t equilibrium_starts;   /* number of starts of --all; 0: not requested */
    RbvFollowed followed;         /* statics --follow */
    RbvHoldable held;             /* statics --hold */
    RbvIntegration integration;   /* simulate */
    RbvSoftRows soft;             /* inverse --method penalty, augmented */
    RbvOscillations oscillations; /* modes */
    struct RbvSceneStore *scene;  /* see scene.h; NULL: not requested */
    RbvSizedItem *sized;          /* [sized_count] figures of what is sized (analysis/sizing) */
    int32_t sized_count;
    RbvMotorChoice *choices; /* [choice_count] motors and gears of rbv_size */
    int32_t choice_count;
    bool sizes;          /* of rbv_size: pages show what is sized alone */
    RbvSizedPlot *plots; /* [sized_count] what a page draws of each; NULL: nothing */
    const char *json;    /* result.json of a result that was read from a folder; NULL: another result */
    bool bare;           /* contains only the scene of a failed analysis */
    bool has_audit;
    double audit_force, audit_torque, audit_power, audit_constraint;
    double audit_force_scale, audit_torque_scale, audit_power_scale;
    const char **notes;
    int32_t note_count, note_capacity;
    RbvIndexTable *names; /* names of `columns` except hidden ones; filled on the first search */
};

const char *rbv_verdict_name(RbvVerdict verdict);

/* Call after all columns are entered: they can then be found by name. False: out of memory. */
bool rbv_result_name_columns(RbvResult *result);
/* Reserve space for `samples` rows of all columns. False: out of memory. */
bool rbv_result_reserve(RbvResult *result, int32_t samples);
/* Row of the next sample, [column_count + hidden_count], to be filled by the caller; rbv_result_commit then counts
 * it. */
double *rbv_result_next(RbvResult *result);
void rbv_result_commit(RbvResult *result);
/* rbv_result_decide lowers a column's verdict to `verdict` if that is worse. rbv_result_change lists a change of the
 * column's verdict against the previous sample, at `time` [s]; false: out of memory. */
void rbv_result_decide(RbvResult *result, int32_t column, RbvVerdict verdict);
bool rbv_result_change(RbvResult *result, int32_t column, RbvVerdict verdict, double time);
/* Append an influence. False: out of memory. */
bool rbv_result_influence(RbvResult *result, RbvInfluence influence);
/* Append a change of rank along a motion. False: out of memory. */
bool rbv_result_rank_change(RbvResult *result, RbvRankChange change);
/* Append an event of a path. False: out of memory. */
bool rbv_result_event(RbvResult *result, const RbvEvent *event);
/* Append a note unless it is already in the list. False: out of memory. */
bool rbv_result_note(RbvResult *result, const char *text);
/* Copy of a text, owned by the result, with its options spelt; NULL: no memory. */
const char *rbv_result_spelt(RbvResult *result, const char *text);

/* {least, largest} of a column over the intervals of compliances or sticking friction; NULL: no range. */
const double *rbv_result_range(const RbvResult *result, int32_t column);
RbvSummary rbv_result_summary(const RbvResult *result, int32_t column);
/* Worst verdict of an entry's reaction components. */
RbvVerdict rbv_result_entry_verdict(const RbvResult *result, const RbvEntry *entry);

/* Storage of the samples of a result: in memory; or, where there are many and the caller has named a folder, in an
 * unlinked, memory-mapped file in that folder. Parts of a mapped file that have been written or read are dropped from
 * memory block by block, so that a run of any length needs little memory (rows.c). */

/* Reserve space for `samples` rows in all. From then on, samples larger than `above` bytes in all are stored in
 * `folder`, a string that must stay valid as long as rows are reserved; NULL: all in memory. False: out of memory. */
bool rbv_result_reserve_in(RbvResult *result, int32_t samples, const char *folder, int64_t above);
/* Take over the samples of another run: values[samples][columns and hidden columns]. False: out of memory. */
bool rbv_result_adopt(RbvResult *result, const double *values, int32_t samples);
/* Append the samples of a later result with the same columns, in memory, with their sums. False: out of memory. */
bool rbv_result_append(RbvResult *result, RbvResult *later);
/* Sample k, all columns. To be read in ascending order: earlier rows of a mapped file are dropped from memory. */
const double *rbv_result_row(const RbvResult *result, int32_t k);
/* Summary of a column without the times of its extremes (rbv_result_summary has them). */
RbvSummary rbv_result_sums(const RbvResult *result, int32_t column);
/* Root mean square over time of some columns, rms[count], by the piecewise cubic of the squares through the samples
 * (core/linalg/quadrature.h); of one sample its magnitude; NaN along a parameter. False: no memory. */
bool rbv_result_rms(const RbvResult *result, const int32_t *columns, int32_t count, double *rms);
void rbv_result_rows_clear(RbvResult *result);

/* --- what a view requests of a result --- */

/* Is this item ("leg1"), or this column ("leg1.Fx", shown with its item), to be shown? */
bool rbv_view_shows(const RbvView *view, const char *name);
/* Printed unit for an SI unit, with its value in SI: the model's unit if the view requests the model's units, else
 * SI. */
RbvShownUnit rbv_view_unit(const RbvView *view, const RbvResult *result, const char *si);
/* Printed unit of a column of the series. If a parameter was varied, the first column is the parameter: in SI unless
 * the view requests the model's units. */
RbvShownUnit rbv_series_unit(const RbvView *view, const RbvResult *result, int32_t column);

#endif
