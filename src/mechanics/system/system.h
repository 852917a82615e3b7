/* The compiled system and its state: all quantities of M v' + C^T lambda = Q, C v' = gamma at an instant.
 *
 * Rows over measures m: Phi = sum_k c_k m_k - c(t) - constant for joints and drives, Phi = f(m, t) for user equations.
 *   nu = -Phi_t,  gamma = -(sum_k Phi_mk bias_k + m'^T Phi_mm m' + 2 Phi_mt.m' + Phi_tt)
 * The force that row k exerts on the bodies is -lambda_k times its gradient. */
#ifndef RBV_MECHANICS_SYSTEM_SYSTEM_H
#define RBV_MECHANICS_SYSTEM_SYSTEM_H

#include <roberval/system.h>

#include "core/base/progress.h"
#include "mechanics/coordinates/coordinates.h"
#include "mechanics/element/load.h"

typedef enum RbvOwner {
    RBV_OWNER_JOINT,
    RBV_OWNER_CONSTRAINT,
    RBV_OWNER_DRIVE,
    RBV_OWNER_INITIAL,
    RBV_OWNER_SPIN,
    RBV_OWNER_STOP,
    RBV_OWNER_STICK
} RbvOwner;

/* What depends on the spin of a body about its own line; RBV_SPIN_IDLE: nothing. */
typedef enum RbvSpinSeen {
    RBV_SPIN_IDLE,
    RBV_SPIN_CENTROID,
    RBV_SPIN_INERTIA,
    RBV_SPIN_LOAD,
    RBV_SPIN_DAMPING,
    RBV_SPIN_OUTPUT,
    RBV_SPIN_INITIAL
} RbvSpinSeen;

/* A body that rows constrain only at points of one line, such as a rod between two spherical joints: its spin about
 * that line is free. The spin is idle where nothing else depends on it either (line_spin.c). */
typedef struct RbvLineSpin {
    int32_t body, marker[2]; /* two points of the line */
    int32_t ball;            /* a spherical joint on the body, or -1 */
    RbvSpinSeen seen;
    const char *by;   /* name of the load, joint, output or condition that depends on the spin, or "" */
    int32_t row;      /* the row u.w = 0, or -1 where the spin is not idle */
    double stands_in; /* [kg m^2] inertia used by motion for an idle spin whose own inertia is nearly zero, of the size
                         of the inertia across the line; 0: the body's own is used */
} RbvLineSpin;

typedef struct RbvFrictionContact RbvFrictionContact;

typedef struct RbvTerm {
    int32_t measure;
    double coefficient; /* linear rows; equations: set at each evaluation in the state */
    int32_t slot[2];    /* index of each body's first column among the row's values; -1: ground */
} RbvTerm;

/* A point from which the size of a part of the mechanism is measured: a marker that rows of the part use (sizes.c). */
typedef struct RbvPartPoint {
    int32_t part, marker;
} RbvPartPoint;

/* The variables of an equation. */
typedef struct RbvRowVariables {
    int32_t *term; /* term of the row that each variable belongs to; time: -1 */
    bool *rate;    /* equations on rates: true if the variable is the rate of its term's measure */
} RbvRowVariables;

typedef struct RbvRow { /* ordered without gaps, as large models have many rows */
    RbvOwner owner : 8;
    int8_t direction; /* of a joint that locks directions: 0 ... 5; of a stop: its side; of friction that sticks: its
                         component; else -1 */
    bool angular;     /* Phi is an angle [rad], else a length [m] */
    bool on_rates;    /* the row constrains velocities only: Psi v = beta or psi(m, m', t) = 0; it has no Phi */
    int32_t index;    /* of the joint, constraint or drive in the model */
    int32_t first, count; /* its terms in RbvSystem.terms */
    double constant;
    const RbvExpr *target;   /* drive: c(t) */
    const RbvExpr *equation; /* user constraint, drive or stop on a named coordinate: f of `variables` */
    RbvRowVariables *variables;
} RbvRow;

struct RbvSystem {
    const RbvModel *model;
    RbvModel *compiled; /* the model, for its count of systems when this system is destroyed */
    int32_t generation; /* counts changes of parameter values */
    RbvArena arena;
    RbvBodyColumns bodies; /* columns of body twists and wrenches */
    RbvCoordinates coordinates;
    bool *kept;   /* [satisfied_count] rows that the coordinates satisfy by themselves; NULL: none */
    bool *unseen; /* [satisfied_count] kept rows without entries in C, which motion does not evaluate; NULL: none */
    struct RbvSystem *absolute; /* the same model in absolute coordinates, in which the system is assembled; NULL: v is
                                   the body twists already */
    int32_t row_count, term_count; /* row_count: rows of joints, constraints, drives, stops and sticking friction */
    int32_t undriven_count;        /* number of rows of joints and constraints, which stand first */
    int32_t satisfied_count; /* end of the rows of idle spins, which follow row_count; motions and equilibria satisfy
                           them, and they exert no force */
    int32_t position_count, all_count; /* ends of the rows of initial positions and rates (assembly only) */
                                       /* in C, phi and gamma the coordinates.own_rows rigid rows follow all_count */
    RbvRow *rows;
    RbvTerm *terms;
    RbvLineSpin *spins;
    int32_t spin_count, idle_count;
    RbvRowPattern D, C; /* patterns of all rows: on body twists, and on v */
    int32_t *number_of; /* [measures] index among the numbers of q, or -1; NULL: no numbers (numbers.c) */
    int32_t *joint_row; /* [joints + 1] first row of each joint */
    int32_t *constraint_row, *drive_row; /* one row each */
    int32_t *stop_row;                   /* [stops][2] rows of the lower and of the upper limit, or -1 */
    bool *active; /* [rows] rows active at first: all but stops, sticking friction and required motions; NULL: all */
    struct RbvFrictionContact *friction; /* [friction_count] friction contacts (friction_contacts.h) */
    int32_t friction_count;
    double (*wheel)[2]; /* [joints] radii [m] of gears and belts, from teeth where needed; NULL: no gears or belts */
    double *start_q;    /* [coordinates.position_size] starting poses */
    int32_t *used_marker, used_marker_count;   /* markers that measures, loads and joints use */
    int32_t *measure_order, row_measure_count; /* [measures] measures of rows first; row_measure_count of them */
    int32_t seen_measure_count;                /* of these, the first ones are used by more than unseen rows */
    int32_t part_count;                        /* number of parts: bodies joined by rows, not counting ground */
    int32_t *part, *row_part; /* [bodies], [all rows] part; -1: ground, and rows that touch only ground */
    RbvPartPoint *part_point; /* [part_point_count] sorted by part */
    int32_t part_point_count;
    double *part_arm;    /* [parts] [m] rms distance of a part's points from the centroids of their bodies; 0: none */
    int32_t rate_count;  /* number of rows on rates */
    bool rate_equations; /* some of these are psi(m, m', t) = 0: C and nu depend on v */
    int32_t work_size;   /* doubles of workspace for expressions */
};

/* Target of a drive: prescribed path from one value, rate and second rate to another, instead of the drive's own
 * motion. Both ends are met exactly. */
typedef struct RbvDriveTarget {
    double from, to;         /* [s] start and end time */
    double start[3], end[3]; /* value [rad or m], rate, second rate at start and end */
} RbvDriveTarget;

typedef struct RbvState {
    const RbvSystem *system;
    RbvArena arena;
    double t;
    double *q;                /* [coordinates.position_size] */
    double *v, *a;            /* [coordinates.size] */
    double *own;              /* [states] the user's own states */
    double *mass;             /* [generalized][generalized] M of rbv_state_masses */
    RbvMeasureMemory *memory; /* [measures] */
    double *row_turn;   /* [rows] added to the row's constant: whole turns of an angle [rad]; the position at which the
                           row engaged */
    double *part_size;  /* [parts] [m] of rbv_state_measure_sizes; initially of the starting poses */
    double *size, *arm; /* [bodies] [m] size of each body's part, and its arm (length per radian of rotation) */
    /* evaluated by rbv_state_place */
    RbvBodyState *bodies;      /* [bodies] */
    RbvMarkerState *markers;   /* [markers] */
    RbvAxes *turned;           /* axes of used markers that are turned relative to their bodies */
    RbvMeasureState *measures; /* [measures] */
    double *phi;               /* [all rows, own rows] */
    double *D;                 /* [entries of D] */
    double *D_rest; /* [entries of D] without terms of measures that are numbers of q; D itself if there are none */
    double *C;      /* [entries of C] = D_rest P and the columns of numbers; D itself where v is the body twists */
    double *coefficient; /* [terms] Phi_m of each term */
    /* evaluated by rbv_state_rates */
    double *nu;            /* [rows] */
    double *target_second; /* [rows] c'' of a drive's motion c(t) */
    /* evaluated by rbv_state_move */
    RbvTwist *twists; /* [bodies] */
    double *gamma_D;  /* [rows] right-hand side of D a = gamma_D for the accelerations a of the bodies */
    double *gamma;    /* [rows] right-hand side of C v' = gamma; gamma_D itself where v is the body twists */
    /* evaluated by rbv_state_load */
    RbvTwist *accelerations; /* [bodies] for v and a */
    RbvWrench *wrenches;     /* [bodies] of all loads, with -w x J w, about the centroids */
    double *Q;               /* [coordinates.size] */
    RbvWrench *less;         /* [bodies] workspace for the part of Q from the bias */
    RbvTwist *bias;          /* [bodies] rbv_state_bias, valid for bias_v [n] at the present positions if `biased` */
    double *bias_v;
    bool biased;
    RbvWrench *bare;  /* [bodies] workspace for wrenches without those that act on numbers of q; NULL: no numbers */
    RbvTwist *pushed; /* [bodies] workspace for a vector over v as twists; NULL where v is the body twists */
    RbvTwist *room;   /* [2 bodies] workspace and */
    RbvWrench *sums;  /* [bodies] workspace for sweeps over the bodies; NULL where v is the body twists */
    void *prepared;   /* what the coordinates compute once per position; NULL: nothing */
    double *columns;  /* [2 bodies.size] workspace for vectors over bodies */
    double (*load_value)[6]; /* [loads] values that the results print */
    double *work;
    RbvRowWork row_work;
    int32_t singular_measure; /* a measure without gradient found by rbv_state_place, or -1 */
    const bool *active;       /* [rows] active rows; the others are zero and exert no force. NULL: all are active */
    const bool *acting;       /* [loads] loads that act; NULL: all */
    double (*lag)[2]; /* [drives] difference [m or rad] between a drive with a limit (max:) and its motion, and the time
                         [s] from which on it decays. NULL: no drive has a limit */
    RbvPieces *pieces; /* the caller's pieces on which laws are held; NULL: each law on the piece of its argument */
    const RbvDriveTarget *targets; /* [drives] targets of drives; NULL: all drives follow their own motions */
    bool brief; /* set by the caller while only accelerations are needed: unseen rows, and measures used by these alone,
                   keep their values */
    bool lenient;     /* start: of a generalized coordinate counts as satisfied if nearly satisfied */
    bool keeps_turns; /* whole turns stay those of `memory` and `row_turn`, whatever pose assembly starts from: for a
                         machine already assembled */
    bool no_memory;   /* memory ran out in an operation on this state: its result is invalid */
    RbvProgress *progress; /* progress function, called by long operations on this state; NULL: none */
} RbvState;

static inline RbvPosed rbv_state_at(const RbvState *state) {
    return (RbvPosed){state->q, state->bodies, state->room, state->sums, state->prepared};
}

/* True if the coordinates satisfy row k by themselves. */
static inline bool rbv_system_keeps(const RbvSystem *system, int32_t k) {
    return system->kept && k < system->satisfied_count && system->kept[k];
}

/* True if row k is not evaluated now. */
static inline bool rbv_state_passes(const RbvState *state, int32_t k) {
    return state->brief && k < state->system->satisfied_count && state->system->unseen[k];
}

/* The next row after k of those that motion satisfies: joints, constraints and drives, then the coordinates' own rows.
 * k = -1: the first. */
static inline int32_t rbv_system_next_row(const RbvSystem *system, int32_t k) {
    return k + 1 == system->row_count ? system->all_count : k + 1;
}

/* True if row k is active. Rows of initial conditions and spins always are. */
static inline bool rbv_state_holds(const RbvState *state, int32_t k) {
    return !state->active || k >= state->system->row_count || state->active[k];
}

/* True if load k acts. */
static inline bool rbv_state_acts(const RbvState *state, int32_t k) {
    return !state->acting || state->acting[k];
}

/* The state as loads use it. */
static inline RbvConfiguration rbv_state_configuration(const RbvState *state) {
    return (RbvConfiguration){
        state->system->model, state->t,   state->size, state->bodies, state->twists, state->markers,
        state->measures,      state->own, state->work, state->pieces, false};
}

/* Mixed coordinates (numbers.c).
 * rbv_state_adopt: the value of measure m becomes the number of q that it is; false: that number is the distance or
 * angle of the other branch. rbv_state_adopt_rate: its rate becomes the number of v. rbv_state_number_rows: rows of C
 * with their columns of numbers, from D. rbv_state_number_bias: contribution of the biases of numbers to a row of
 * gamma. rbv_state_number_loads: moves springs on numbers from the bodies' wrenches to Q[size]. */
bool rbv_state_adopt(RbvState *state, int32_t m);
void rbv_state_adopt_rate(RbvState *state, int32_t m);
void rbv_state_number_rows(RbvState *state);
double rbv_state_number_bias(const RbvState *state, int32_t row);
void rbv_state_number_loads(const RbvState *state, RbvWrench *wrenches, double *Q);
/* The column of v of the number that load k acts on, or -1. */
int32_t rbv_state_on_number(const RbvState *state, int32_t load);
/* moments[bodies] = sum F rho^T of the loads, F at rho from the centroid; see load.h, `spread`. */
void rbv_state_load_moments(const RbvState *state, RbvMat3 *moments);

/* Creates a system in absolute coordinates. Statuses of rbv_system_create. */
RbvStatus rbv_system_create_of_bodies(RbvModel *model, RbvDiagnostics *diagnostics, RbvSystem **system);
/* Creates a system in the coordinates of the system `like`. Statuses of rbv_system_create. */
RbvStatus rbv_system_create_like(RbvModel *model, const RbvSystem *like, RbvDiagnostics *diagnostics,
                                 RbvSystem **system);

/* A state at the starting poses, time 0, at rest. NULL if out of memory. */
RbvState *rbv_state_create(const RbvSystem *system);
void rbv_state_destroy(RbvState *state);
/* Resets q and the memory of turns and contacts to the starting poses and evaluates bodies and markers. */
void rbv_state_begin(RbvState *state);

/* Takes over the sizes of another state of the same system. */
void rbv_state_take_sizes(RbvState *state, const RbvState *from);

/* Evaluates bodies, markers, the measures of rows, Phi and Phi_m. False if a number is not finite, or a number of mixed
 * coordinates is on the other branch. Equations on rates are linearized about the v of the state: Psi = d psi/dm' J and
 * nu = Psi v - psi, so that C v = nu is a Newton step for them. */
bool rbv_state_place(RbvState *state);
/* Value of a drive's motion at t; and value, rate, second rate (expressions.c). */
double rbv_state_target(const RbvState *state, const RbvRow *row);
void rbv_state_target_jet(const RbvState *state, const RbvRow *row, double target[3]);
/* D and C from the evaluated measures. */
void rbv_state_jacobian(RbvState *state);
/* nu = -Phi_t at t. False if not finite. */
bool rbv_state_rates(RbvState *state);
/* Body twists, rates of measures and gamma for the v of the state. False if not finite. */
bool rbv_state_move(RbvState *state);
/* Evaluates the measures that no row uses. After rbv_state_place and rbv_state_move. False if a number of mixed
 * coordinates is on the other branch. */
bool rbv_state_measure(RbvState *state);
/* rbv_state_measure, then the accelerations of bodies, the wrenches of gravity and all loads, and Q. False, too, if
 * not finite. */
bool rbv_state_load(RbvState *state);
/* The accelerations [bodies] of v' = 0 for the v of the state; after rbv_state_place. Kept until the positions or v
 * change. Only where v is not the body twists. */
const RbvTwist *rbv_state_bias(RbvState *state);
/* The accelerations of bodies for the v and a of the state, after rbv_state_place and rbv_state_move; part of
 * rbv_state_load. */
void rbv_state_accelerate(RbvState *state);
/* out[size] = M x for x[size], at the evaluated positions. */
void rbv_state_inertia(const RbvState *state, const double *x, double *out);
/* out[bodies.size] = (m, J) a for accelerations a of bodies, with generalized coordinates and rotors. */
void rbv_state_body_inertia(const RbvState *state, const RbvTwist *accelerations, double *out);
/* M of the generalized coordinates at the evaluated positions, for the v of the state. False: not finite, not
 * symmetric, or negative; rbv_state_explain_masses describes which (inertia.c). */
bool rbv_state_masses(RbvState *state);
void rbv_state_explain_masses(const RbvState *state, char *message, size_t size);
/* The column of body twists that is generalized coordinate k. */
int32_t rbv_generalized_column(const RbvSystem *system, int32_t k);
/* Adds the right-hand sides of the generalized coordinates to wrenches[bodies]; after rbv_state_move. */
void rbv_state_push_generalized(const RbvState *state, RbvWrench *wrenches);
/* (M a)_k; 1/2 q'^T M q'; 1/2 q'^T M' q', the power of the change of M; all with M as last computed by
 * rbv_state_masses. */
double rbv_state_generalized_inertia(const RbvState *state, int32_t k);
double rbv_state_generalized_energy(const RbvState *state);
double rbv_state_generalized_gain(const RbvState *state, double *work);
/* Rotor of a drive (inertia.c): gradient J of the drive's coordinate as nonzero entries by columns of bodies, and mass
 * m = inertia ratio^2. False: the drive has no rotor. After rbv_state_place. */
typedef struct RbvRotor {
    int32_t count, column[12];
    double value[12], mass;
} RbvRotor;
bool rbv_state_rotor(const RbvState *state, int32_t drive, RbvRotor *rotor);
/* Q[size of v] of wrenches[bodies] at the velocities of the state, after rbv_state_move. Where the coordinates have a
 * bias, the inertia forces of the bias, those of rotors included, are subtracted. */
void rbv_state_force(RbvState *state, const RbvWrench *wrenches, double *Q);
/* Of all rotors: out += factor m J^T J x, x and out over columns of bodies; wrenches += their inertia forces at a = 0;
 * kinetic energy 1/2 m c'^2 [J]; power m b c' [W] of the second rate b at a = 0. All but the first after
 * rbv_state_move. */
void rbv_state_add_rotors(const RbvState *state, const double *x, double factor, double *out);
void rbv_state_push_rotors(const RbvState *state, RbvWrench *wrenches);
double rbv_state_rotor_energy(const RbvState *state);
double rbv_state_rotor_gain(const RbvState *state);
/* J of a body in ground axes [kg m^2], row-major. */
void rbv_state_tensor(const RbvState *state, int32_t body, double J[3][3]);
/* Stores turns, directions and contacts of this state as memory. */
void rbv_state_accept(RbvState *state);
/* Measures the sizes of the parts at the evaluated positions (sizes.c). Assembly calls it at the assembled state, so
 * that starting poses do not matter. */
void rbv_state_measure_sizes(RbvState *state);
/* [m] Size of the part of a body or of a row: the length with which errors and steps are compared; never printed. */
static inline double rbv_state_body_size(const RbvState *state, int32_t body) {
    return state->size[body];
}
static inline double rbv_state_row_size(const RbvState *state, int32_t row) {
    int32_t part = state->system->row_part[row];
    return part >= 0 ? state->part_size[part] : 1;
}
/* [m] Arm: length per radian of rotation of a body, of a row's part, of a part (-1: ground). */
static inline double rbv_state_body_arm(const RbvState *state, int32_t body) {
    return state->arm[body];
}
double rbv_state_row_arm(const RbvState *state, int32_t row);
double rbv_state_part_arm(const RbvState *state, int32_t part);
/* 1/arm for coordinates of rotation, 1 for others: [bodies.size], to be freed with free(). NULL if out of memory. */
double *rbv_state_column_scales(const RbvState *state);
/* [m] Possible rounding error of a row from the coordinates of its points: far from the origin no part is known better.
 */
double rbv_state_row_rounding(const RbvState *state, int32_t row);

/* Streams the stiffness K = sum_k lambda_k H_k - dQ/dq at rest to `sink` (mechanics/element/configuration.h). After
 * rbv_state_place and rbv_state_load, v = 0. */
void rbv_state_stiffness(RbvState *state, const double *lambda, const RbvStiffnessSink *sink);
/* Streams the stiffness of the loads alone. */
void rbv_state_load_stiffness(RbvState *state, const RbvStiffnessSink *sink);

/* Potential energy [J] of weights and loads at rest; *size: sum of the magnitudes of its parts. NaN if a load has no
 * energy. After rbv_state_place and rbv_state_load. */
double rbv_state_energy(RbvState *state, double *size);
/* True if the load derives from an energy known in closed form. */
bool rbv_load_has_energy(const RbvModel *model, const RbvLoad *load);

/* Hessian of row k over the body twists, dense [bodies.size^2], for tests and tangents (second_derivatives.c). */
void rbv_state_row_hessian(const RbvState *state, int32_t k, double *H);

/* The derivative of row k of D along body twists v[bodies.size] at fixed t (and rates): out[start[k+1] - start[k]], in
 * the order of its entries. In space it is H v with the symmetric Hessian H; the additional term from the rotation of
 * the axes, half the cross product of the rotation and the row's torque, cancels where the rows are in equilibrium. */
void rbv_state_row_derivative(RbvState *state, int32_t k, const double *v, double *out);
/* Rows of closed stops and of sticking friction are forces: freedoms are counted without them. */
static inline bool rbv_row_is_force(const RbvRow *row) {
    return row->owner == RBV_OWNER_STICK || row->owner == RBV_OWNER_STOP;
}
/* Value and derivatives of a row's equation at this state. */
RbvJet rbv_state_equation_jet(const RbvState *state, const RbvRow *row);
/* Row k of C times x[size of v]; *size: sum of the magnitudes (NULL: not computed). */
double rbv_state_row_times(const RbvState *state, int32_t k, const double *x, double *size);
/* Time derivative sum Phi_m m' of the measured part of row k; after rbv_state_move. */
double rbv_state_row_rate(const RbvState *state, int32_t k);
/* m'^T f_mm m' of a row's equation f(m, t) at the rates of its measures; time is among the variables, with rate 1. */
double rbv_state_curvature(const RbvState *state, const RbvRow *row);

/* Value and rate of a coordinate, after rbv_state_place and rbv_state_move. */
void rbv_state_coordinate(const RbvState *state, const RbvCoordinateRef *of, double *value, double *rate);
/* Adds an effort on a coordinate to wrenches[bodies]: on a measure directly; on an expression f of measures m, effort
 * times f_m on each measure. */
void rbv_state_push_coordinate(const RbvState *state, const RbvCoordinateRef *of, double effort, RbvWrench *wrenches);

/* Value of an expression of variables at this state; `results` supplies efforts, reactions and load values (its members
 * may be NULL). */
typedef struct RbvResultValues {
    const double *effort;         /* [drives] */
    const double *multiplier;     /* [constraints] */
    const double *control;        /* [actuators] */
    const double *stop;           /* [stops] */
    double *const *reaction;      /* [joints][components] */
    const double *measure_second; /* [measures] second rates */
} RbvResultValues;
double rbv_state_expression(const RbvState *state, const RbvExpr *expr, const RbvResultValues *results, double *work);
/* Writes why an expression of the model is not finite at this state, such as "drive 'motor': sqrt of -1", or "". */
void rbv_state_explain(const RbvState *state, char *message, size_t size);

/* Describes why the spin is not idle, and which joint would constrain it. */
void rbv_spin_describe(const RbvSystem *system, const RbvLineSpin *spin, char *text, size_t size);

/* [rows] rows that depend only on the relative motion of their bodies; to be freed with free(). NULL if out of memory
 * (compile.c). */
bool *rbv_system_relative_rows(const RbvSystem *system);
/* [all rows] rows of joints in directions that the coordinates keep, and of the spins of rods; in `arena`. NULL if out
 * of memory. */
bool *rbv_system_kept_rows(const RbvSystem *system, const RbvCoordinates *coordinates, RbvArena *arena);

/* The name of the item that a row belongs to: joint, constraint, drive, stop, spinning body, or coordinate of an
 * initial condition. */
const char *rbv_system_row_owner(const RbvSystem *system, int32_t row);
/* Name of a row for messages: "joint 'A' (x)", "drive 'motor'". */
void rbv_system_row_name(const RbvSystem *system, int32_t row, char *text, size_t size);

/* Finds the parts, their points and arms, of the compiled rows (sizes.c). False if out of memory. */
bool rbv_system_find_parts(RbvSystem *system);

/* Wrenches of weights and loads, about the centroids, into state->wrenches (inertia.c). False if not finite. */
bool rbv_state_load_wrenches(RbvState *state);

#endif
