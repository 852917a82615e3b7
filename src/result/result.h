/* What an analysis fills and write/ prints: series, summaries, verdicts, audit. It copies every name, so it needs
 * neither model nor system. */
#ifndef RBV_RESULT_RESULT_H
#define RBV_RESULT_RESULT_H

#include <roberval/result.h>

#include "base/arena.h"
#include "base/index_table.h"
#include "base/names.h"
#include "base/units.h"

/* What an output is made of, where its value is the first, the least and the largest: its derivatives by what it reads,
 * |df/dx| summed for each dimension of x, and the largest part of its sums. */
typedef enum RbvMixAt { RBV_MIX_FIRST, RBV_MIX_LEAST, RBV_MIX_MOST, RBV_MIX_COUNT } RbvMixAt;
typedef struct RbvMix {
    bool known;
    double value[RBV_MIX_COUNT], part[RBV_MIX_COUNT];
    double gain[RBV_MIX_COUNT][RBV_DIM_COUNT];
} RbvMix;

typedef struct RbvColumn {
    const char *name, *unit;
    const RbvMix *mix;  /* of an output; NULL: it is no output */
    double error;       /* an estimate of what rounding has moved the values by, at the worst sample */
    RbvVerdict verdict; /* worst so far */
    bool has_verdict;   /* a reaction or an effort */
    bool has_error;
} RbvColumn;

/* One thing of the model and its columns: a joint, drive, constraint or load. */
typedef struct RbvEntry {
    const char *name, *kind; /* kind: "revolute", "spring", ...; "" for drives and constraints */
    const char *on, *by;     /* joints: second and first body */
    int32_t first, count;    /* columns */
    int32_t components;      /* of them, how many are reaction components (the rest: line values) */
    int32_t resultant;       /* column of the force's magnitude, or -1 */
    int32_t power;           /* drives: column of effort times rate, or -1 */
    bool aside;              /* it is not shown: it does not act on the bodies that are balanced */
} RbvEntry;

typedef struct RbvList {
    RbvEntry *items;
    int32_t count;
} RbvList;

/* A body whose spin about the line through two of its points is idle. */
typedef struct RbvIdleSpin {
    const char *body, *from, *to;
} RbvIdleSpin;

typedef struct RbvRankChange {
    double time;
    int32_t rank, redundant;
    bool safe;
} RbvRankChange;

/* Rows on rates, without drives: are they integrable together with those of positions? */
typedef struct RbvIntegrability {
    int32_t rows, independent; /* all; of those how many are independent of the rows of positions and of each other */
    int32_t nonholonomic; /* at least so many combinations of them are not integrable; all if it is `independent` */
    int32_t left_out;     /* rows that prescribe a rate or depend on time: these count as drives do */
    int32_t states;       /* at which it was looked */
    const char *untested; /* why not; NULL: it was, or there are no such rows */
} RbvIntegrability;

/* Do multipliers exist that balance the loads at rest? */
typedef struct RbvMultiplierTheorem {
    bool tested, exist;
    double residual; /* the part of the loads that no multipliers can balance, over the loads */
} RbvMultiplierTheorem;

/* A constraint row: is its own multiplier determined? */
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

/* statics: the equilibrium. */
typedef struct RbvEquilibrium {
    bool found;
    const char *stability;    /* "stable", "unstable", "neutral"; NULL: not decided */
    const char *falls_by;     /* the coordinate with the largest part in the motion of least stiffness, or a body's:
                                 "angle(door)"; NULL: none */
    bool flutter;             /* unstable because it swings more and more, not because it falls */
    double energy, curvature; /* [J], [1/s^2]; NaN: none */
    int32_t iterations;
    int32_t rounds;      /* in which multipliers were taken over, of the augmented method; 0: another */
    RbvMode coordinates; /* "joint.coordinate": its value, m or rad */
    double *compliance;  /* [coordinates.count squared] what coordinate i gains per unit of load along j [m/N, rad/N,
                            rad/(N m)]; NULL: none */
    const char *method;
    int32_t body_count;
    RbvEntry *bodies; /* [body_count] name, and first, count in pose: place (components), then angle or quaternion */
    double *pose;
    double penalty, penalty_error, penalty_force_error; /* [N/m], [m], [N]; NaN: another method */
    const char **pressed; /* [pressed_count] stops and one-sided joints that hold; NULL: the model has none */
    int32_t pressed_count;
} RbvEquilibrium;

/* statics --hold: what friction can hold. */
typedef struct RbvHoldable {
    const char *parameter, *unit; /* NULL: it was not asked; the SI unit */
    double at;                    /* the value as it is */
    double (*end)[2]; /* [count] intervals that hold, the one of the value, or nearest to it, first; infinite: it has no
                         such end */
    int32_t count;
    const char **at_limit; /* [at_limit_count] joints whose friction is at its limit at an end of the first */
    int32_t at_limit_count;
} RbvHoldable;

/* statics --follow: what happens between two places of the path. */
typedef struct RbvEvent {
    const char *kind;           /* "fold", "snap-through", "bifurcation", "flutter", "stability", "land", "release" */
    double at;                  /* the parameter */
    int32_t sample;             /* of the series, the place itself */
    const char *before, *after; /* stability at the places next to it; NULL: not decided */
    int rises; /* fold, land, release: 1 where the parameter turns at its most, -1 at its least, 0: it does not */
    const char **supports; /* [support_count] land, release: the stops and one-sided joints */
    int32_t support_count;
    RbvEquilibrium place; /* falls_by: the coordinate that moves most */
    bool snaps, lands;    /* the stable places end there; the equilibrium reached is `landing` */
    RbvEquilibrium landing;
} RbvEvent;

typedef struct RbvFollowed {
    const char *parameter, *unit; /* NULL: nothing was followed; the SI unit */
    RbvShownUnit shown;           /* the unit as the range was written */
    double from, to, reached;
    const char *ended; /* "to the end", "back past the start", "round to the start"; "as far as": it stopped */
    int32_t places;    /* without events */
    RbvEvent *events;
    int32_t event_count, event_capacity;
    RbvEquilibrium last; /* the last place */
} RbvFollowed;

/* A multiplier of the augmented method's own. */
typedef struct RbvSoftRow {
    RbvRowVerdict row;
    const char *unit;
    double value, alpha; /* lambda: the row puts -lambda times its gradient on bodies; [kg], of angles [kg m^2] */
} RbvSoftRow;

/* inverse by penalty or by augmented multipliers: the largest of the run. */
typedef struct RbvSoftRows {
    bool found, augmented;
    double coefficient; /* [kg] */
    double acceleration_error,
        force_error; /* [m/s^2], [N]; turns and torques at the arm of their part; NaN: not known */
    int32_t rounds;
    double at;        /* [s] the time of the multipliers */
    RbvSoftRow *rows; /* of the first sample, where rows are redundant */
    int32_t row_count;
} RbvSoftRows;

/* simulate: how the motion was found. */
typedef struct RbvIntegration {
    const char *method; /* NULL: nothing was integrated */
    double tolerance;
    int64_t steps, rejected, evaluations;
    double energy_error, constraint_error; /* [J], [m or rad] the largest */
    double magnification;                  /* of small differences of the start; NaN: not known */
    struct RbvIntegrationEvent {
        double t, impulse; /* [s], [N s or N m s] NaN: none */
        const char *name, *kind;
    } * events;
    int32_t event_count;
} RbvIntegration;

/* modes: exp(lambda t), of a conjugate pair the one with im >= 0. */
typedef RbvShapePart RbvOscillationPart;

/* How a body's frame moves in a mode, in ground's axes: its origin [m] and its turn [rad], real and imaginary parts. */
typedef struct RbvOscillationBody {
    const char *name;
    double at[3][2], turn[3][2];
} RbvOscillationBody;

typedef struct RbvOscillation {
    double re, im;             /* [1/s] */
    double frequency, damping; /* |lambda| / 2 pi [Hz], -re / |lambda| (NaN: lambda is 0) */
    RbvOscillationPart *shape; /* [shape_count] */
    int32_t shape_count;
    RbvOscillationBody *bodies; /* [body_count], of systems that are not large: in the scale of `shape` */
    int32_t body_count;
    RbvMode participation; /* "bob.x": its share of the kinetic energy */
} RbvOscillation;

/* modes --follow */
typedef struct RbvOscillationEvent {
    const char *kind; /* "flutter", "divergence": begins to swing, to fall; "stable": no more; "divergence to flutter"
                         and back: falls, or swings, already */
    double at;        /* the parameter */
    double re, im;    /* of the root that crosses */
    int32_t mode;     /* column "mode3.re", from 1 */
} RbvOscillationEvent;

typedef struct RbvOscillations {
    bool found, equilibrium; /* equilibrium: at rest, and forces balance */
    double time;             /* [s] of the state */
    int32_t freedoms;        /* of rates */
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
/* What coordinates that joints share are made of: check --coordinates natural. */
typedef struct RbvBasicNote {
    const char *name;
    bool vector, ground; /* a unit vector, else a point; does it stand still? */
    const char **bodies; /* that have it */
    int32_t body_count;
} RbvBasicNote;
typedef struct RbvBodyNote {
    const char *name, *type; /* "2 points, 1 vector" */
    int32_t numbers, rows;   /* of its own and shared ones; rigid rows */
    bool constant_mass;
} RbvBodyNote;
typedef struct RbvRigidNote {
    const char *body, *holds; /* "distance A - B" */
} RbvRigidNote;
/* A measured coordinate that is a number of q (--mixed). */
typedef struct RbvNumberNote {
    const char *name, *of, *kind,
        *row; /* "crank.angle", "angle from crank.A to ground.A", "angle", and the equation of its row */
} RbvNumberNote;
typedef struct RbvCoordinatesNote {
    const char *kind; /* NULL: not asked for */
    int32_t numbers, row_count,
        rest; /* numbers of q; rigid rows; rows of joints, constraints and drives that sharing does not keep */
    RbvBasicNote *basics;
    int32_t basic_count;
    RbvBodyNote *bodies;
    int32_t body_count;
    RbvRigidNote *rows;      /* [row_count] */
    RbvNumberNote *measured; /* [measured_count], among the numbers; rows of their own */
    int32_t measured_count;
} RbvCoordinatesNote;
/* The tree of joint coordinates: check --coordinates joint. */
typedef struct RbvArcNote {
    const char *body, *parent; /* what hangs on what */
    const char *joint;         /* NULL: nothing ties it, it is free */
    const char *numbers;       /* "angle", "x, y, rotation": what is free */
    int32_t count;             /* of v */
} RbvArcNote;
typedef struct RbvCutNote {
    const char *joint; /* that is no arc, or leaves rows to what its arc holds */
    int32_t rows;
    bool tree_joint;
} RbvCutNote;
typedef struct RbvTreeNote {
    const char *kind;      /* NULL: not asked for */
    int32_t numbers, rest; /* numbers of v; rows of joints, constraints and drives that tree joints do not hold */
    RbvArcNote *tree_joints;
    int32_t tree_joint_count;
    RbvCutNote *cuts;
    int32_t cut_count;
} RbvTreeNote;

/* inverse --coordinates natural: a multiplier as the force that it stands for. */
typedef struct RbvMultiplierNote {
    const char *row, *body; /* "rod.row2", "slide.y", "motor", "crank.angle.row"; the body of a rigid row, or NULL */
    const char *holds, *meaning, *unit;
    const char *brief;    /* the meaning in a word or two: "tension" */
    bool meant;           /* false: it stands for no force, and has no value */
    double value, lambda; /* lambda: of the row as it `holds` */
    RbvVerdict verdict;
} RbvMultiplierNote;
/* What a joint does to a body, ground axes, torque about the second marker [N, N m]. */
typedef struct RbvElementNote {
    const char *body, *joint;
    RbvVerdict verdict;
    double F[3], T[3];
} RbvElementNote;
typedef struct RbvNaturalNote {
    bool found, shown;   /* shown: in tables and series, too */
    const char *missing; /* why there are none; NULL: there are, or they were not asked for */
    bool spatial;
    double t, residual;     /* of M q'' + J^T lambda = Q, of its largest term, with rigid rows */
    bool yields, augmented; /* rows were penalties: */
    double alpha, error;    /* [kg]; [N] what multipliers of rows with unit gradients are off by */
    int32_t rounds;         /* in which multipliers were taken over */
    RbvMultiplierNote *rows;
    int32_t row_count;
    RbvElementNote *elements; /* by bodies */
    int32_t element_count;
} RbvNaturalNote;

/* assemble --null-space: over the numbers of v. */
typedef struct RbvNullSpaceNote {
    bool found;
    const char *missing; /* why it is not; NULL: it was not asked for, or found */
    int32_t n, count;    /* numbers of v, of independent coordinates z */
    const char **coordinates, **z;
    double *R; /* [n][count] v = R z' */
    double
        *second; /* [count][count][n] half the sum of dr_j/dz_k and dr_k/dz_j: v' = R z'' + sum second_jk z_j' z_k' */
} RbvNullSpaceNote;

/* assemble --load-forces: each weight and load by itself. */
typedef struct RbvLoadForce {
    const char *name; /* "weight of crank", or of the load */
    double potential; /* [J]; NaN: it has none */
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
    RbvFigure figure[RBV_UDWADIA_FIGURES]; /* Gauss' minimum, and what the checks are off by */
    int32_t figure_count;
} RbvUdwadiaRecord;

/* assemble: a body in the first row of the series, from column `first` on: place, turn (plane: an angle, space: a
 * quaternion), and their rates. */
typedef struct RbvPlacedBody {
    const char *name;
    int32_t first;
    bool spatial, turns;
    double moved, turned; /* [m], [rad] from the starting pose: of the centroid */
} RbvPlacedBody;

typedef struct RbvCoordinateState {
    const char *name, *rate_name; /* "hinge.angle", "hinge.angle'" */
    const char *unit, *rate_unit; /* SI, "" where none is known */
    double value, rate;
    const char *by, *rate_by; /* what decides it: "initial", "drive", "nearest"; "": the others */
} RbvCoordinateState;

/* What is left of the rows of one thing; of an equation in its own unit, as a length. */
typedef struct RbvLeftOver {
    const char *name, *kind;                       /* "joint", "constraint", "drive", "initial" */
    double length, angle, length_rate, angle_rate; /* [m], [rad], [m/s], [rad/s] */
} RbvLeftOver;

typedef struct RbvAssembled {
    bool found;
    int32_t tries; /* 0: from the starting poses; 1: joint by joint from ground; else from other poses */
    RbvPlacedBody *bodies;
    int32_t body_count;
    RbvCoordinateState *coordinates;
    int32_t coordinate_count;
    RbvLeftOver *residuals; /* largest first */
    int32_t residual_count;
    bool named;             /* what was completed is named; not in large systems */
    const char **completed; /* coordinates and rates that nothing decides but the state nearest to the start */
    int32_t completed_count;
} RbvAssembled;

/* info: what is in a model. */
typedef struct RbvInfoBody {
    const char *name;
    double mass, centroid[3]; /* [kg], [m] in the body frame */
    int32_t moments;          /* 0: a particle; 1: the plane; 3: space */
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

/* A parameter and its value, a table and its range, an output and its unit, a drive and its coordinate, ... */
typedef struct RbvInfoItem {
    const char *name, *word; /* the coordinate of a drive; the option that gave a parameter its value, NULL: the file */
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
    int32_t rows;                                  /* of joints, constraints and drives */
    RbvInfoBody *bodies;
    int32_t body_count;
    RbvInfoJoint *joints;
    int32_t joint_count;
    RbvInfoCount *joint_kinds, *load_kinds;
    int32_t joint_kind_count, load_kind_count;
    RbvInfoList constraints, drives, loads, coordinates, parameters, tables, initial, outputs;
    RbvInfoList stops, states, events, generalized, required, actuators, conditions; /* conditions: what has active: */
    const char **files;
    int32_t file_count;
} RbvInfo;

/* What a series does: over the samples done. NaN when there are none. */
typedef struct RbvSummary {
    double first, min, max, at_min, at_max, rms, peak; /* peak: largest magnitude */
} RbvSummary;

/* When the columns are least and largest (extremes.c). */
typedef struct RbvExtremes {
    int32_t samples; /* among which it was looked */
    struct {
        double within[2],
            at[2]; /* the least and the largest that count as the extreme; the first times of such, NaN: none yet */
    } of[];        /* [columns and hidden ones] */
} RbvExtremes;

/* Where the samples are (rows.h). */
typedef struct RbvStore {
    const char *folder; /* of the caller; NULL: memory */
    int64_t above;      /* bytes that stay in memory */
    size_t mapped;      /* bytes of the file that data is; 0: memory */
    int file;
    RbvSummary *sums; /* [columns and hidden ones] of the first `summed` samples; rms: the sum of squares */
    int32_t summed;
    RbvExtremes *times;
} RbvStore;

/* inverse --reaction: the motion that a reaction was found by, the cut at unit rate: bodies that move, in ground's
 * axes. */
typedef struct RbvVirtualBody {
    const char *name;
    double velocity[3], angular[3]; /* [m/s] of the origin of the body's frame, [rad/s] */
} RbvVirtualBody;

typedef struct RbvVirtualMotion {
    const char *name;       /* "A.Fx", "motor.effort", "rod.row1" */
    bool stretches;         /* of a rigid row: its body is not rigid then, and `bodies` are points and vectors, of which
                               `velocity` counts */
    RbvVirtualBody *bodies; /* [body_count] */
    int32_t body_count;
    bool found; /* false: the other rows hold what the cut frees */
} RbvVirtualMotion;

struct RbvResult {
    RbvArena arena;
    RbvVirtualMotion *virtual_motions; /* [virtual_motion_count] */
    int32_t virtual_motion_count;
    bool planar_motions; /* their turns are numbers */
    const char *analysis, *method, *frame, *title, *file;
    RbvShownUnit units[RBV_DIM_COUNT]; /* what the model declares */
    struct {
        double size, mass;      /* [m], [kg]; NaN: not looked at */
        const char *corrected;  /* the body that assembly took furthest from a pose that was given; NULL: none was */
        double distance, angle; /* [m], [rad] */
        double gravity[3];      /* [m/s^2], ground axes */
        int axes;               /* of it: 2 in the plane */
    } machine;
    RbvMobility mobility;
    struct {
        bool found;
        int32_t unknowns, equations, rank, gruebler;
        const char **bodies; /* [body_count] of --balance; 0: all */
        int32_t body_count;
    } newton;          /* inverse --method newton: at the first sample */
    RbvIdleSpin *idle; /* [idle_count] */
    int32_t idle_count;
    double rank_smallest, rank_dropped, rank_tau; /* relative singular values around the decision */
    bool rank_safe, rank_exact, rank_sparse;
    const char *criterion;
    const char *redundant_by; /* how values that are not unique were chosen */
    double length;            /* [m] L of the largest redundant block's norm, NaN: none redundant */
    RbvColumn *columns;
    int32_t column_count, hidden_count; /* hidden columns stand last: resultants and powers, not in series.csv */
    double (*ranges)[2]; /* [column_count] least and largest over the run and the intervals of compliances, or of
                            friction that sticks; NaN: none; NULL: no column has one */
    double *data;        /* [capacity][column_count + hidden_count] */
    int32_t sample_count, capacity;
    RbvStore store;
    RbvList joints, drives, constraints, loads, stops, outputs, residuals, rigid_rows;
    RbvMode *modes;
    int32_t mode_count;
    RbvMode *groups;
    bool groups_skipped; /* some cluster was too large to look for sums in */
    int32_t group_count;
    RbvCluster *clusters;
    int32_t cluster_count;
    RbvRemedy together;          /* frees all clusters at once, in types that can be typed; */
    bool together_missing;       /* or some of them have none */
    bool described;              /* modes, groups and clusters were looked for in all blocks */
    RbvRankChange *rank_changes; /* check --motion */
    int32_t rank_change_count, rank_change_capacity;
    double motion_from, motion_to;    /* [s] what was followed */
    int32_t motion_samples;           /* 0: nothing */
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
    RbvEquilibrium *equilibria; /* statics --all: every one found, by rising energy */
    int32_t equilibrium_count;
    int32_t equilibrium_starts;   /* from so many starts; 0: not asked for */
    RbvFollowed followed;         /* statics --follow */
    RbvHoldable held;             /* statics --hold */
    RbvIntegration integration;   /* simulate */
    RbvSoftRows soft;             /* inverse --method penalty, augmented */
    RbvOscillations oscillations; /* modes */
    struct RbvSceneStore *scene;  /* scene.h; NULL: it was not asked for */
    const char *json;             /* of a result that was read from a folder: its result.json; NULL: another */
    bool bare;                    /* it holds nothing but a scene, of a machine that is wrong */
    bool has_audit;
    double audit_force, audit_torque, audit_power, audit_constraint;
    double audit_force_scale, audit_torque_scale, audit_power_scale;
    const char **notes;
    int32_t note_count, note_capacity;
    RbvIndexTable *names; /* of `columns`, but hidden ones: filled when one is asked for first */
};

const char *rbv_verdict_name(RbvVerdict verdict);

/* All columns are there: they can be found by name. False: no memory. */
bool rbv_result_name_columns(RbvResult *result);
/* Room for `samples` rows of all columns. False: no memory. */
bool rbv_result_reserve(RbvResult *result, int32_t samples);
/* The row of the next sample, to be filled before rbv_result_commit counts it. */
double *rbv_result_next(RbvResult *result);
void rbv_result_commit(RbvResult *result);
/* Worsen a column's verdict; a change against the last sample's verdict is listed with its time. */
void rbv_result_decide(RbvResult *result, int32_t column, RbvVerdict verdict);
bool rbv_result_change(RbvResult *result, int32_t column, RbvVerdict verdict, double time);
/* One more change of rank along a motion. False: no memory. */
bool rbv_result_rank_change(RbvResult *result, RbvRankChange change);
/* One more event of a path. False: no memory. */
bool rbv_result_event(RbvResult *result, const RbvEvent *event);
/* One more note, unless it stands there already. False: no memory. */
bool rbv_result_note(RbvResult *result, const char *text);

/* The range of a column over the intervals of compliances, or NULL. */
const double *rbv_result_range(const RbvResult *result, int32_t column);
RbvSummary rbv_result_summary(const RbvResult *result, int32_t column);
/* Worst verdict among an entry's reaction components. */
RbvVerdict rbv_result_entry_verdict(const RbvResult *result, const RbvEntry *entry);

#endif
