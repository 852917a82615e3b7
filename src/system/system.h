/* The compiled system and its state: everything of M v' + C^T lambda = Q, C v' = gamma at an instant.
 *
 * Rows: Phi = sum_k c_k m_k - c(t) - constant for joints and drives, Phi = f(m, t) for user equations, over measures m.
 *   nu = -Phi_t,  gamma = -(sum_k Phi_mk bias_k + m'^T Phi_mm m' + 2 Phi_mt.m' + Phi_tt)
 * The force that row k puts on the bodies is -lambda_k times its gradient.
 */
#ifndef RBV_SYSTEM_SYSTEM_H
#define RBV_SYSTEM_SYSTEM_H

#include <roberval/system.h>

#include "base/progress.h"
#include "coordinates/coordinates.h"
#include "element/load.h"

typedef enum RbvOwner {
    RBV_OWNER_JOINT,
    RBV_OWNER_CONSTRAINT,
    RBV_OWNER_DRIVE,
    RBV_OWNER_INITIAL,
    RBV_OWNER_SPIN,
    RBV_OWNER_STOP,
    RBV_OWNER_STICK
} RbvOwner;

/* What sees the spin of a body about its own line, if anything does. */
typedef enum RbvSpinSeen {
    RBV_SPIN_IDLE,
    RBV_SPIN_CENTROID,
    RBV_SPIN_INERTIA,
    RBV_SPIN_LOAD,
    RBV_SPIN_DAMPING,
    RBV_SPIN_OUTPUT,
    RBV_SPIN_INITIAL
} RbvSpinSeen;

/* A body that rows hold at points of one line alone, a rod between two balls: they leave its spin about that line free.
 * Where nothing else sees it, it is idle (line_spin.c). */
typedef struct RbvLineSpin {
    int32_t body, marker[2]; /* two points of the line */
    int32_t ball;            /* a spherical joint on it, or -1 */
    RbvSpinSeen seen;
    const char *by;   /* the load, joint, output or condition that sees it, or "" */
    int32_t row;      /* u.w = 0, or -1 where it is not idle */
    double stands_in; /* [kg.m^2] of an idle spin with hardly any inertia: what motion counts for it, of the size of
                         that across the line; 0: it has its own */
} RbvLineSpin;

typedef struct RbvFrictionContact RbvFrictionContact;

typedef struct RbvTerm {
    int32_t measure;
    double coefficient; /* linear rows; equations: set at each evaluation in the state */
    int32_t slot[2];    /* where the two bodies' columns start in the row's values; -1: ground */
} RbvTerm;

/* A point by which a part of the mechanism is measured: a marker that its rows look at (sizes.c). */
typedef struct RbvPartPoint {
    int32_t part, marker;
} RbvPartPoint;

/* What the variables of an equation are. */
typedef struct RbvRowVariables {
    int32_t *term; /* of its row; time: -1 */
    bool *rate;    /* on_rates equations: is it the rate of its term's measure? */
} RbvRowVariables;

typedef struct RbvRow { /* large models have many of them: no gaps */
    RbvOwner owner : 8;
    int8_t direction; /* joints that lock: 0 ... 5; of a stop its side; where friction sticks its component; else -1 */
    bool angular;     /* Phi is an angle [rad], else a length [m] */
    bool on_rates;    /* a row on velocities alone: Psi v = beta or psi(m, m', t) = 0; there is no Phi */
    int32_t index;    /* of the joint, constraint or drive */
    int32_t first, count; /* its terms */
    double constant;
    const RbvExpr *target;   /* drive: c(t) */
    const RbvExpr *equation; /* user constraint, drive or stop of a named coordinate: f of `variables` */
    RbvRowVariables *variables;
} RbvRow;

struct RbvSystem {
    const RbvModel *model;
    RbvModel *compiled; /* the same, to be told when the system is gone */
    int32_t generation; /* how often parameters have been given other values */
    RbvArena arena;
    RbvBodyColumns bodies; /* body twists and wrenches */
    RbvCoordinates coordinates;
    bool *kept;   /* [held_count] those that the coordinates satisfy by themselves; NULL: none */
    bool *unseen; /* [held_count] of these, where C has no entries of them: motion does not see them; NULL: none */
    struct RbvSystem *absolute; /* the same in absolute coordinates, in which a system is assembled whose v is not the
                               body twists; NULL: it is */
    int32_t row_count, term_count; /* row_count: joints, constraints, drives, stops, friction that sticks */
    int32_t undriven_count;        /* of them joints and constraints, which stand first */
    int32_t held_count; /* then idle spins, which motions and equilibria hold besides: no force comes from these rows */
    int32_t position_count, all_count; /* then initial positions, then initial rates: rows of assembly only */
                                       /* and in C, phi and gamma the coordinates.own_rows rigid rows behind them */
    RbvRow *rows;
    RbvTerm *terms;
    RbvLineSpin *spins;
    int32_t spin_count, idle_count;
    RbvRowPattern D, C; /* of all rows: on body twists, and on v */
    int32_t
        *number_of; /* [measures] which of the coordinates' numbers it is, or -1; NULL: there are none (numbers.c) */
    int32_t *joint_row;                  /* [joints + 1] first row of each joint */
    int32_t *constraint_row, *drive_row; /* one row each */
    int32_t *stop_row;                   /* [stops][2] at the least and the largest value, or -1 */
    bool *active;                        /* [rows] those that hold from the first: all but stops; NULL: all hold */
    struct RbvFrictionContact *friction; /* [rub_count] friction contacts (friction_contacts.h) */
    int32_t friction_count;
    double (*wheel)[2]; /* [joints] gear, belt: radii, from teeth where needed; NULL: there are none */
    double *start_q;    /* [coordinates.position_size] starting poses */
    int32_t *used_marker, used_marker_count;   /* markers that measures and loads look at */
    int32_t *measure_order, row_measure_count; /* [measures] those of rows first, */
    int32_t seen_measure_count;                /* and of them first those that more than unseen rows ask for */
    int32_t part_count;                        /* what rows join, ground apart */
    int32_t *part, *row_part;                  /* [bodies], [all rows] -1: ground, rows that touch ground alone */
    RbvPartPoint *part_point;                  /* [part_point_count] by part */
    int32_t part_point_count;
    double *part_arm;    /* [parts] [m] rms distance of its points from their bodies' centroids, 0: none */
    int32_t rate_count;  /* of the rows, those on rates */
    bool rate_equations; /* some of them are psi(m, m', t): C and nu depend on v then */
    int32_t work_size;   /* doubles for expression scratch */
};

/* A drive that is led from one value, rate and second rate to another instead of by its own motion. At `from` and `to`
 * they are met exactly. */
typedef struct RbvDriveTarget {
    double from, to;         /* [s] */
    double start[3], end[3]; /* value [rad or m], rate, second rate */
} RbvDriveTarget;

typedef struct RbvState {
    const RbvSystem *system;
    RbvArena arena;
    double t;
    double *q;                /* [coordinates.position_size] */
    double *v, *a;            /* [coordinates.size] */
    double *own;              /* [states] of the user's own */
    double *mass;             /* [generalized][generalized] M of rbv_state_masses */
    RbvMeasureMemory *memory; /* [measures] */
    double *row_turn;   /* [rows] added to what is held: whole turns of an angle [rad]; where something stood when it
                           engaged */
    double *part_size;  /* [parts] [m] of rbv_state_measure_sizes; at first of the starting poses */
    double *size, *arm; /* [bodies] [m] the size of each body's part, and what a turn of it is worth in length */
    /* by place */
    RbvBodyState *bodies;      /* [bodies] */
    RbvMarkerState *markers;   /* [markers] */
    RbvAxes *turned;           /* those of used markers that are turned in their bodies */
    RbvMeasureState *measures; /* [measures] */
    double *phi;               /* [all rows, own rows] */
    double *D;                 /* [entries of D] */
    double *D_rest; /* [entries of D] without terms whose measures are numbers of q; D itself where there are none */
    double *C;      /* [entries of C] = D_rest P, and numbers; D itself where v is the body twists */
    double *coefficient; /* [terms] Phi_m of each term */
    /* by rates */
    double *nu;            /* [rows] */
    double *target_second; /* [rows] c'' of a drive */
    /* by move */
    RbvTwist *twists; /* [bodies] */
    double *gamma_D;  /* [rows] D a = gamma_D for the accelerations a of bodies */
    double *gamma;    /* [rows] C v' = gamma; gamma_D itself where v is the body twists */
    /* by load */
    RbvTwist *accelerations; /* [bodies] for v and a */
    RbvWrench *wrenches;     /* [bodies] of all loads and of -w x J w, about centroids */
    double *Q;               /* [coordinates.size] */
    RbvWrench *less;         /* [bodies] room for what a bias takes from Q */
    RbvTwist *bias;          /* [bodies] rbv_state_bias, for bias_v [n] at the placed state where `biased` */
    double *bias_v;
    bool biased;
    RbvWrench *bare;         /* [bodies] room for wrenches without what acts on numbers of q; NULL: there are none */
    RbvTwist *pushed;        /* [bodies] room for a vector over v as twists; likewise */
    RbvTwist *room;          /* [2 bodies] and */
    RbvWrench *sums;         /* [bodies] room for sweeps over the bodies; likewise */
    void *prepared;          /* by place: what coordinates prepare of it; NULL: nothing */
    double *columns;         /* [2 bodies.size] room for vectors over bodies */
    double (*load_value)[6]; /* [loads] what the results print */
    double *work;
    RbvRowWork row_work;
    int32_t singular_measure; /* a measure without gradient met by place, or -1 */
    const bool *active;       /* [rows] rows that hold; the others are zero, and carry nothing. NULL: all hold */
    const bool *acting;       /* [loads] loads that act; NULL: all */
    double (*lag)[2];  /* [drives] with a max: how far behind its motion each was [m or rad], and when [s]; since then
                          that dies out. NULL: no drive has one */
    RbvPieces *pieces; /* on which laws are held, the caller's; NULL: those that they are on */
    const RbvDriveTarget *guides; /* [drives] of drives on their way to a target; NULL: all by their own motions */
    bool brief;   /* the caller's, while accelerations alone are asked for: unseen rows, and measures that only they ask
                     for, keep what they had */
    bool lenient; /* start: of a generalized coordinate counts as met where it nearly is */
    bool keeps_turns; /* whole turns are those of `memory` and `row_turn`, whatever assembly starts from: of a machine
                         that has been assembled */
    bool no_memory;   /* something done with this state found none: what came out of it is no result */
    RbvProgress *progress; /* asked by what takes long with this state; NULL: nobody watches */
} RbvState;

static inline RbvPosed rbv_state_at(const RbvState *state) {
    return (RbvPosed){state->q, state->bodies, state->room, state->sums, state->prepared};
}

/* Do the coordinates satisfy row k by themselves? */
static inline bool rbv_system_keeps(const RbvSystem *system, int32_t k) {
    return system->kept && k < system->held_count && system->kept[k];
}

/* Is row k passed over? */
static inline bool rbv_state_passes(const RbvState *state, int32_t k) {
    return state->brief && k < state->system->held_count && state->system->unseen[k];
}

/* Of the rows of C that motion holds, those of joints, constraints and drives and then the coordinates' own, the one
 * after k; -1: before all. */
static inline int32_t rbv_system_next_row(const RbvSystem *system, int32_t k) {
    return k + 1 == system->row_count ? system->all_count : k + 1;
}

/* Does row k hold? Rows of initial conditions and spins always do. */
static inline bool rbv_state_holds(const RbvState *state, int32_t k) {
    return !state->active || k >= state->system->row_count || state->active[k];
}

/* Does load k act? */
static inline bool rbv_state_acts(const RbvState *state, int32_t k) {
    return !state->acting || state->acting[k];
}

/* What loads see of a state. */
static inline RbvConfiguration rbv_state_configuration(const RbvState *state) {
    return (RbvConfiguration){
        state->system->model, state->t,   state->size, state->bodies, state->twists, state->markers,
        state->measures,      state->own, state->work, state->pieces, false};
}

/* Mixed coordinates (numbers.c). Value of measure m, and its rate, as the number of q that it is; false: that is the
 * distance or angle of the other branch. Rows of C with their numbers from D; what the biases of numbers are in a row
 * of gamma_D; and springs on numbers: off the bodies' wrenches, onto Q[size]. */
bool rbv_state_adopt(RbvState *state, int32_t m);
void rbv_state_adopt_rate(RbvState *state, int32_t m);
void rbv_state_number_rows(RbvState *state);
double rbv_state_number_bias(const RbvState *state, int32_t row);
void rbv_state_number_loads(const RbvState *state, RbvWrench *wrenches, double *Q);
/* The column of the number that load k acts on, or -1. */
int32_t rbv_state_on_number(const RbvState *state, int32_t load);
/* moments[bodies]: sum F rho^T of the loads at points beside the centroids; see load.h, `spread`. */
void rbv_state_load_moments(const RbvState *state, RbvMat3 *moments);

/* A system in absolute coordinates, whatever the choice of others. Statuses of rbv_system_create. */
RbvStatus rbv_system_create_of_bodies(RbvModel *model, RbvDiagnostics *diagnostics, RbvSystem **system);
/* A system in the coordinates of another one. Likewise. */
RbvStatus rbv_system_create_like(RbvModel *model, const RbvSystem *like, RbvDiagnostics *diagnostics,
                                 RbvSystem **system);

/* A state at the starting poses, time 0, at rest. NULL: no memory. */
RbvState *rbv_state_create(const RbvSystem *system);
void rbv_state_destroy(RbvState *state);
/* q and the memory of turns and contacts as at creation, bodies and markers placed. */
void rbv_state_begin(RbvState *state);

/* Place bodies, markers and the measures of rows; Phi and Phi_m. False when a number is not finite. Equations on
 * rates are linearized about the v in the state: Psi = d psi/dm' J and nu = Psi v - psi, so that C v = nu is a step
 * of Newton for them. */
bool rbv_state_place(RbvState *state);
/* What a drive's row asks for at t: its value, and the value, rate and second rate (target.c). */
double rbv_state_target(const RbvState *state, const RbvRow *row);
void rbv_state_target_jet(const RbvState *state, const RbvRow *row, double target[3]);
/* D and C from the placed measures. */
void rbv_state_jacobian(RbvState *state);
/* nu = -Phi_t at t. */
bool rbv_state_rates(RbvState *state);
/* Twists, measure rates and gamma for v. */
bool rbv_state_move(RbvState *state);
/* The measures that no row uses; accelerations of bodies; wrenches of gravity and all loads, and Q. After place and
 * move. */
bool rbv_state_load(RbvState *state);
/* The accelerations [bodies] of v' = 0 for the v of the state, after place: kept until either is another. Where v is
 * not the body twists. */
const RbvTwist *rbv_state_bias(RbvState *state);
/* The accelerations of bodies for the v and a of the state, after place and move; part of rbv_state_load. */
void rbv_state_accelerate(RbvState *state);
/* out = M x for x[size], at the placed bodies. */
void rbv_state_inertia(const RbvState *state, const double *x, double *out);
/* out[bodies.size] = (m, J) a for accelerations of bodies, with generalized coordinates and rotors. */
void rbv_state_body_inertia(const RbvState *state, const RbvTwist *accelerations, double *out);
/* M of the generalized coordinates at the placed state, for its v. False: not finite, not symmetric, or negative;
 * rbv_state_explain_masses says which. (generalized.c) */
bool rbv_state_masses(RbvState *state);
void rbv_state_explain_masses(const RbvState *state, char *message, size_t size);
/* The number of body twists that is generalized coordinate k. */
int32_t rbv_generalized_column(const RbvSystem *system, int32_t k);
/* Their right-hand sides onto wrenches[bodies], the state being moved. */
void rbv_state_push_generalized(const RbvState *state, RbvWrench *wrenches);
/* (M a)_k; 1/2 q'^T M q'; 1/2 q'^T M' q', what the energy gains because M varies; all with the last M. */
double rbv_state_generalized_inertia(const RbvState *state, int32_t k);
double rbv_state_generalized_energy(const RbvState *state);
double rbv_state_generalized_gain(const RbvState *state, double *work);
/* Rotors of drives (rotors.c): of one the gradient J of its coordinate by columns of bodies, as far as it is not zero,
 * and m = inertia ratio^2. False: the drive has none. The state is placed. */
typedef struct RbvRotor {
    int32_t count, column[12];
    double value[12], mass;
} RbvRotor;
bool rbv_state_rotor(const RbvState *state, int32_t drive, RbvRotor *rotor);
/* Q[size of v] of wrenches[bodies] at the velocities of the state, which is moved: what M v' is to be besides, where
 * accelerations of bodies have a bias, is taken off it; of rotors too. */
void rbv_state_force(RbvState *state, const RbvWrench *wrenches, double *Q);
/* out += factor m J^T J x of all, x and out over bodies; wrenches += what their inertia does at a = 0; 1/2 m c'^2; the
 * power m b c' of the part of it that no a brings. The state being moved but for the first. */
void rbv_state_add_rotors(const RbvState *state, const double *x, double factor, double *out);
void rbv_state_push_rotors(const RbvState *state, RbvWrench *wrenches);
double rbv_state_rotor_energy(const RbvState *state);
double rbv_state_rotor_gain(const RbvState *state);
/* J of a body in ground axes [kg m^2], row-major. */
void rbv_state_tensor(const RbvState *state, int32_t body, double J[3][3]);
/* Remember turns, directions and contacts of this state. */
void rbv_state_accept(RbvState *state);
/* Sizes (sizes.c). Measure the parts at the placed state: assembly does where it has found one, so that starting poses
 * play no part. */
void rbv_state_measure_sizes(RbvState *state);
/* [m] The extension of the part that a body, or a row, belongs to: a length that errors and steps are compared with,
 * never printed. */
double rbv_state_body_size(const RbvState *state, int32_t body);
double rbv_state_row_size(const RbvState *state, int32_t row);
/* [m] What a turn of the body, of a row's part, of a part (-1: ground) is worth in length. */
double rbv_state_body_arm(const RbvState *state, int32_t body);
double rbv_state_row_arm(const RbvState *state, int32_t row);
double rbv_state_part_arm(const RbvState *state, int32_t part);
/* 1/arm for coordinates of rotation, 1 for others: [size], to be freed with free(). NULL: no memory. */
double *rbv_state_column_scales(const RbvState *state);
/* The place of a joint, for sizes: its second marker; the middle of both where its two ends are alike (links, gears,
 * belts) or hold no point; of a rack its pitch point, of a cam the contact. */
RbvVec3 rbv_state_joint_place(const RbvState *state, int32_t joint);
/* [m] What rounding of the coordinates of a row's points may do to it: far from the origin no part is known better. */
double rbv_state_row_rounding(const RbvState *state, int32_t row);

/* The stiffness K = sum_k lambda_k H_k - dQ/dq at rest, streamed (element/stiffness.h). After place and load, v = 0. */
void rbv_state_stiffness(RbvState *state, const double *lambda, const RbvStiffnessSink *sink);
/* That of the loads alone. */
void rbv_state_load_stiffness(RbvState *state, const RbvStiffnessSink *sink);

/* The potential energy [J] of weights and loads at rest, and the sum of the magnitudes of its parts. NaN when a load
 * has none. After place and load. */
double rbv_state_energy(RbvState *state, double *size);
/* Does the load derive from an energy that is known in closed form? */
bool rbv_load_has_energy(const RbvModel *model, const RbvLoad *load);

/* Hessian of row k over all of v, dense [size*size], for tests and tangents (hessian.c). */
void rbv_state_row_hessian(const RbvState *state, int32_t k, double *H);

/* The derivative of row k of C along v[size] at fixed t (and rates): out[start[k+1] - start[k]], in the order of its
 * entries. In space it is H v of the symmetric Hessian; what the turn of the axes adds, half the cross product of the
 * turn and the row's torque, cancels where rows are in equilibrium. */
void rbv_state_row_derivative(RbvState *state, int32_t k, const double *v, double *out);
/* Stops that are pressed and friction that sticks are forces: no freedom is counted without them. */
static inline bool rbv_row_is_force(const RbvRow *row) {
    return row->owner == RBV_OWNER_STICK || row->owner == RBV_OWNER_STOP;
}
/* A row's equation at this state. */
RbvJet rbv_state_equation_jet(const RbvState *state, const RbvRow *row);
/* Row k of C times x[size of v]; the sum of the magnitudes in *size (NULL: not wanted). */
double rbv_state_row_times(const RbvState *state, int32_t k, const double *x, double *size);
/* What row k measures, differentiated by time: sum Phi_m m', after move. */
double rbv_state_row_rate(const RbvState *state, int32_t k);
/* m'^T f_mm m' of a row's equation f(m, t) at the rates of its measures, with time among the variables at rate 1. */
double rbv_state_curvature(const RbvState *state, const RbvRow *row);

/* Value and rate of a coordinate, measures being placed and moved. */
void rbv_state_coordinate(const RbvState *state, const RbvCoordinateRef *of, double *value, double *rate);
/* An effort on a coordinate, added to wrenches[bodies]: on a measure as it is; on an expression f of measures m the
 * effort times f_m on each. */
void rbv_state_push_coordinate(const RbvState *state, const RbvCoordinateRef *of, double effort, RbvWrench *wrenches);

/* Value of an expression of variables at this state; `results` gives efforts, reactions and load values (may be NULL).
 */
typedef struct RbvResultValues {
    const double *effort;         /* [drives] */
    const double *multiplier;     /* [constraints] */
    const double *control;        /* [actuators] */
    const double *stop;           /* [stops] */
    double *const *reaction;      /* [joints][components] */
    const double *measure_second; /* [measures] second rates */
} RbvResultValues;
double rbv_state_expression(const RbvState *state, const RbvExpr *expr, const RbvResultValues *results, double *work);
/* Which expression of the model is not finite at this state? Writes "drive 'motor': sqrt of -1" or "". */
void rbv_state_explain(const RbvState *state, char *message, size_t size);

/* Why the spin is not idle, and what would hold it. */
void rbv_spin_describe(const RbvSystem *system, const RbvLineSpin *spin, char *text, size_t size);

/* [rows] Those that feel only how bodies move against each other; to be freed with free(). NULL: no memory.
 * (kept_rows.c) */
bool *rbv_system_relative_rows(const RbvSystem *system);
/* [all rows] Those of joints in directions that coordinates keep, and of the spins of rods. NULL: no memory. */
bool *rbv_system_kept_rows(const RbvSystem *system, const RbvCoordinates *coordinates, RbvArena *arena);

/* The name of the thing that a row belongs to: of a joint, constraint, drive, stop, body that spins, or coordinate of
 * an initial condition. */
const char *rbv_system_row_owner(const RbvSystem *system, int32_t row);
/* "joint 'A' (x)", "drive 'motor'", for messages. */
void rbv_system_row_name(const RbvSystem *system, int32_t row, char *text, size_t size);

/* Parts, their points and arms, of the compiled rows (sizes.c). False: no memory. */
bool rbv_system_find_parts(RbvSystem *system);

/* loads.c */
bool rbv_state_load_wrenches(RbvState *state);

#endif
