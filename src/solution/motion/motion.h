/* A kinematically driven motion at its samples: q from Phi(q, t) = 0, v from C v = nu, a = v' from C a = gamma.
 *
 * Phi are the constraint rows, of drives too. C is their Jacobian over v; D is their Jacobian over the twists of bodies
 * (velocity of the centroid and angular velocity, ground axes). With twists = P v, C = D P; where v is the body twists
 * (system->coordinates.of_bodies) C is D. C_I and D_I are maximal sets of independent rows, square when the system is
 * fully driven. C_I moves the coordinates. D_I^T gives constraint forces and the null space of D^T.
 *
 * Between two samples the motion goes in steps. Each step (motion.c, try_step):
 *   1. predict q from v and a at the two last accepted states (step.c); with rows on rates, integrate q' = v(q, t)
 *      instead;
 *   2. correct q by Newton's method, dq = -C_I^-1 Phi_I, with factors of C_I that are renewed only where it is slow;
 *   3. factor C_I and D_I there, then v and a (rows.c).
 * A step whose correction is not small against the motion is halved, so that the solution stays on its branch. At a
 * sample the smallest singular value is estimated (monitor.c), ranks are decided again if it has changed much, rows are
 * exchanged if they are nearly dependent (rows.c), and redundant rows are checked.
 *
 * An idle spin is the turn of a body, such as a rod between two balls, about its own line, if no load, joint or other
 * row depends on it. Each idle spin has a row w . u = 0 of its own, with u along the line.
 *
 * A share of the size is a movement divided by the size [m] of the body's part of the mechanism; a rotation counts as
 * angle times the arm [m] of that part. `accepted`: a state of the motion that steps start from; samples are accepted,
 * and so are states between samples.
 */
#ifndef RBV_SOLUTION_MOTION_MOTION_H
#define RBV_SOLUTION_MOTION_MOTION_H

#include "core/linalg/lu.h"
#include "solution/solvability/solvability.h"

/* Largest residual that rounding alone can leave in a constraint row, as a part of the numbers and expressions in the
 * row. */
#define RBV_POSITION_ROUNDING 2e-15

/* A body with an idle spin at the last accepted state (step.c): its orientation p relative to ground, its angular
 * velocity w [rad/s] and its angular acceleration alpha [rad/s^2], both in ground axes. */
typedef struct RbvIdle {
    RbvQuat p;
    RbvVec3 w, alpha;
} RbvIdle;

/* The independent rows C_I of C, or D_I of D, and their LU factors. */
typedef struct RbvRowFactors {
    const RbvRowPattern *rows; /* pattern of all rows of C or of D */
    int32_t n;                 /* number of chosen rows = number of columns */
    const int32_t *chosen;     /* [n] the chosen rows */
    RbvLu *lu;         /* factors at the position where rbv_motion_factor or rbv_motion_factor_bodies ran last */
    int32_t *pattern;  /* [n + 1] starts of the chosen rows, then their columns; kept for small systems only */
    int32_t *place_of; /* [rows] index of each row among the chosen ones, or -1 */
    bool lent; /* large system whose independent rows are all its rows: the pattern is the system's own and is not
                  stored again */
} RbvRowFactors;

typedef struct RbvPrescribedRows RbvPrescribedRows; /* given.c */

typedef struct RbvMotion {
    RbvArena arena; /* of the arrays sized when the motion begins */
    const RbvSystem *system;
    RbvDiagnostics *diagnostics; /* the caller's; NULL while errors are not to be reported */
    RbvState *state;             /* the present state; during a step, the trial state */
    RbvSolvability *solvability;
    const struct RbvMotion *like;          /* while it begins: the motion that it continues; else NULL */
    int32_t n;                             /* length of v, number of rows of C_I; 0 in a prescribed motion */
    RbvRowFactors C, *D;                   /* C_I, D_I; D points to C where v is the body twists, else to `of_bodies` */
    RbvRowFactors of_bodies;               /* chosen: independent rows of D, then the rows of idle spins */
    int32_t *own_rows;                     /* [n] chosen rows of C, where v is not the body twists; else NULL */
    int32_t *own_dependent, own_redundant; /* [own_redundant] rows of C not chosen: combinations of the chosen; only
                                              where v is not the body twists */
    double *x;                             /* [larger of n and bodies.size] scratch */
    double *spread; /* [bodies.size] scratch, a vector over body twists; only where v is not the body twists */
    double *moved;  /* [bodies] predicted movement of each body in the trial step, as a share of the size of its part */
    struct {
        double *q, *v, *a; /* [position_size], [n], [n] */
    } saved;               /* q, v, a at the last accepted state */
    struct {
        double *v, *a; /* [n], [n] */
        double span;   /* [s] time between the two last accepted states, negative backwards; 0: there is only one */
    } before;          /* at the accepted state before the last one */
    bool followed; /* the next state to be accepted follows the last accepted one along the motion. False after a leap,
                      a restart, a change of rows or parameters: then before.span becomes 0 */
    bool factored_there; /* the factors of C_I are those at the last accepted state */
    double correction;   /* first Newton correction of the last position, as a share of the size; infinite if unknown */
    double *saved_twist, *saved_acceleration; /* [bodies.size] P v and P a at the last accepted state, without the bias
                                                 P' v; pointers to saved.v and saved.a where v is the body twists */
    RbvIdle *idle;                            /* [idle_count] in the order of system->spins */
    double *tried;                            /* [position_size] scratch: a position to return to */
    double *table;      /* [RBV_ROLL_TABLE][position_size] workspace of rbv_motion_roll; only with rows on rates */
    double *share;      /* [n] factor that makes each number of v a share of the size of its body's part */
    double *body_share; /* [bodies.size] such factors of body twists; pointer to `share` where v is the body twists */
    double *scale;      /* [position_size] such factors of q; only with rows on rates */
    bool spared;   /* D_I is not needed: it is factored only where rows are redundant or spins idle, and the monitor
                      watches C_I */
    double *probe; /* [bodies.size] |probe| = 1: weights of the watched rows (rbv_motion_watched) whose sum is nearest
                      to zero, estimated by the monitor */
    double sigma, sigma_reference; /* estimate of the smallest singular value of the watched rows, in their own units (m
                                      and rad mixed), so that only changes of it are judged; its value when ranks were
                                      last decided */
    double amplification; /* largest movement of a body over the residual of rows that causes it, both as shares of the
                             size of their part: about 1/sigma without units. In a prescribed motion: 1/(smallest
                             singular value over the largest), at least 1 */
    double nearness; /* how near to singular: equal to amplification; where the monitor watches C_I, the change of a
                        number of v instead of the movement of a body, since long arms amplify without being singular */
    int sign, sign_before; /* sign of the determinant of C_I at the accepted state, and at the beginning of the last
                              position solution */
    double previous;       /* [s] time of the last accepted state */
    bool started;          /* a sample has been accepted since the start, a restart or a switch */
    bool prescribed; /* a prescribed motion: positions, velocities and accelerations are the caller's (given.c). No rows
                   are chosen, there are no factors, and freedoms may be left; of the arrays above none is allocated */
    RbvPrescribedRows *rows_given; /* rows and scratch of given.c, to fit a prescribed motion */
    int32_t decisions;             /* number of full rank decisions */
    int32_t row_sets;        /* number of times that independent rows were chosen or exchanged: callers compare it to
                                see that their own copies are out of date */
    double constraint_error; /* largest residual Phi of rows at the last sample [m or rad]; in a prescribed motion
                                without drives */
} RbvMotion;

/* A motion assembled at `t`, or begun in the position of `start` (NULL: assembled) with the rows and loads that are
 * active there, its rank decided. BAD_INPUT, reported by name: the system is not fully driven, or over-driven.
 * `progress` (may be NULL) is asked at every step. `start` is used during the call only, but for its lists of active
 * rows and loads and its drive targets, to which the state of the motion then points. There is no accepted state yet:
 * rbv_motion_go to `t` finds v and a. The caller destroys the motion. */
RbvStatus rbv_motion_create(const RbvSystem *system, double t, const RbvState *start, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion);
/* A motion that goes on from the accepted state of another one, with its sizes and lengths, not those of the position
 * there. Statuses of rbv_motion_create. */
RbvStatus rbv_motion_continue(const RbvMotion *from, RbvProgress *progress, RbvDiagnostics *diagnostics,
                              RbvMotion **motion);
void rbv_motion_destroy(RbvMotion *motion);
/* A motion prescribed sample by sample (given.c): its state is where the caller puts it. The rows of joints and
 * constraints decide what fits; rows of drives carry efforts, whatever their targets are. NO_MEMORY; the caller
 * destroys *motion then, too. */
RbvStatus rbv_motion_create_given(const RbvSystem *system, RbvProgress *progress, RbvDiagnostics *diagnostics,
                                  RbvMotion **motion);
/* How far a prescribed motion has been corrected: the largest correction of a number of a body, rotations multiplied by
 * the arm of the body's part. */
typedef struct RbvMotionFit {
    double place, rate, acceleration; /* [m], [m/s], [m/s^2] */
} RbvMotionFit;
/* The state into which the caller puts q, t and twists of each sample: the motion's own where v is the body twists,
 * else a state of the absolute system. */
RbvState *rbv_motion_given_state(const RbvMotion *motion);
/* From q and twists in that state and accelerations[bodies], all prescribed: the nearest positions, velocities and
 * accelerations that joints and constraints allow, then ranks. Reported: NOT_ASSEMBLED (no position near by fits),
 * NOT_FINITE, INCONSISTENT (no velocities or accelerations fit). NO_MEMORY. */
RbvStatus rbv_motion_take_given(RbvMotion *motion, const RbvTwist *accelerations, RbvMotionFit *fit);
/* Set the accelerations of bodies at the present sample; to be called after rbv_state_load, which knows only those of
 * coordinates. */
void rbv_motion_accelerate_given(RbvMotion *motion);
void rbv_prescribed_rows_destroy(RbvPrescribedRows *rows);
/* Go to time t, before or after the last accepted state: the state has q, v, a there, C, gamma and factors of C_I. To
 * the same time, or with no accepted state: solve at the present position without a step. Reported: LOCKED,
 * INCONSISTENT, NOT_FINITE. INTERRUPTED, NO_MEMORY. */
RbvStatus rbv_motion_go(RbvMotion *motion, double t);
/* Go to the targets at t by one run of Newton's method from the position in the state, as if no time passed; then as
 * after rbv_motion_go. *reached is false where Newton's method does not converge or, unless `anywhere`, a body turns
 * further than a branch is sure to be kept; the position in the state is then changed. */
RbvStatus rbv_motion_leap(RbvMotion *motion, double t, bool anywhere, bool *reached);
/* Other rows are active from the accepted state on, which satisfies them: state->active lists them. Ranks and
 * independent rows are decided again; rbv_motion_go to the same time finds the velocities. Reported: INCONSISTENT (the
 * motion is no longer determined, or is over-driven), NOT_FINITE. NO_MEMORY. */
RbvStatus rbv_motion_switch(RbvMotion *motion);
/* Assemble again at t, from the starting poses, as rbv_motion_create does (start.c). Statuses of rbv_motion_create. */
RbvStatus rbv_motion_restart(RbvMotion *motion, double t);
/* rbv_motion_renew: parameters of the system have changed; the last accepted position stays and sizes are measured
 * again. rbv_motion_decide: at the first state reached with them, sizes and ranks again. LOCKED (reported), NO_MEMORY.
 */
void rbv_motion_renew(RbvMotion *motion);
RbvStatus rbv_motion_decide(RbvMotion *motion);
/* Rows, factors, v and a at the q in the state, without a correction of q. False: singular or not finite. */
bool rbv_motion_evaluate(RbvMotion *motion);
/* The step that rounding may displace the state by, along the direction nearest to singular, into step[larger of n and
 * bodies.size]; returns how many numbers it has. */
int32_t rbv_motion_rounding_step(RbvMotion *motion, double *step);
/* rbv_motion_evaluate after such a step from the position `from`. */
bool rbv_motion_step_aside(RbvMotion *motion, const double *from, const double *step);
/* The null space of D^T at the accepted state, into the solvability of each redundant block, from the factors of D_I:
 * ranks are not decided at each sample, but self-stresses change with the position. NO_MEMORY. */
RbvStatus rbv_motion_null(RbvMotion *motion);

/* rows.c: the independent rows, for motion.c, monitor.c and step.c. */
/* Patterns of C_I and D_I: D_I has the independent rows of the solvability, C_I rows that are chosen here. LOCKED: C
 * has too few independent rows; NO_MEMORY. */
RbvStatus rbv_motion_take_rows(RbvMotion *motion);
/* The pattern of C_I after own_rows have been exchanged. NO_MEMORY. */
RbvStatus rbv_motion_take_own_rows(RbvMotion *motion);
/* Free the chosen rows and their factors. */
void rbv_motion_forget_rows(RbvMotion *motion);
/* The rows that the monitor watches: D_I, or C_I where D_I is spared. */
const RbvRowFactors *rbv_motion_watched(const RbvMotion *motion);
/* rbv_motion_factor: C_I at a state whose positions are evaluated. rbv_motion_factor_bodies: D_I, where it differs from
 * C_I and is not spared. False: the factors failed. */
bool rbv_motion_factor(RbvMotion *motion);
bool rbv_motion_factor_bodies(RbvMotion *motion);
/* A vector over v as a vector over body twists, at a state whose positions are evaluated: `v` itself, or
 * motion->spread. */
const double *rbv_motion_of_bodies(const RbvMotion *motion, const double *v);
/* Does rbv_motion_displace go from the q in the state, not from its bodies? */
bool rbv_motion_displaces_q(const RbvMotion *motion);
/* Displace the q in the state by a small step, a vector over the columns of the watched rows: over v where the monitor
 * watches C_I, else over body twists. */
void rbv_motion_displace(RbvMotion *motion, const double *step);
/* Position, velocity and acceleration residuals of the dependent rows at a sample, as shares of the size, and
 * motion->constraint_error. INCONSISTENT, reported. */
RbvStatus rbv_motion_check_redundant(RbvMotion *motion);
/* out[n] = sign times those of rows[all rows], such as Phi or nu, that belong to C_I. */
void rbv_motion_gather(const RbvMotion *motion, const double *rows, double sign, double *out);
/* v from C_I v = nu at a state whose positions are evaluated and factored. Equations on rates are linearized about v
 * and factored again until v converges. False: not finite, or no convergence. */
bool rbv_motion_velocity(RbvMotion *motion);
/* v as rbv_motion_velocity, then a from C_I a = gamma. False: not finite, or no convergence. */
bool rbv_motion_rates(RbvMotion *motion);

/* step.c. rbv_motion_create_idle: workspace for idle spins (false: no memory). rbv_motion_spin: the position solved for
 * t is about to be stored as accepted; turn the bodies with idle spins by their missing angle, and store them. */
bool rbv_motion_create_idle(RbvMotion *motion);
void rbv_motion_spin(RbvMotion *motion, double t);

/* step.c. rbv_motion_save_rates: store v and a of the state accepted at t, and the ones stored so far as those before.
 * rbv_motion_predict: the predicted movement over h [s] from the saved position, a vector over v, into motion->x. */
void rbv_motion_save_rates(RbvMotion *motion, double t);
void rbv_motion_predict(RbvMotion *motion, double h);

/* Copy the position of the state into q[position_size]; copy q back into the state. */
void rbv_motion_save_position(const RbvMotion *motion, double *q);
void rbv_motion_restore_position(RbvMotion *motion, const double *q);

/* start.c: assemble at t, or begin at the state `at` (NULL: assemble), and choose the independent rows. Statuses of
 * rbv_motion_create. */
RbvStatus rbv_motion_start(RbvMotion *motion, double t, const RbvState *at);

/* monitor.c: estimate sigma again at a state with evaluated positions and factors, into motion->sigma and
 * motion->probe. */
void rbv_motion_monitor(RbvMotion *motion);
/* From now on D_I is not factored where no row is redundant: forces are found without it. Only for coordinates without
 * rows of their own in which bodies carry each other in a tree (joint coordinates). No effect in others. */
void rbv_motion_spare_bodies(RbvMotion *motion);
/* The movement along the direction nearest to singular that residuals of the watched rows cause, into motion->x, for
 * rbv_motion_displace. The residual of a row is `error` times the size of its part times its weight in motion->probe.
 */
void rbv_motion_find_step_aside(RbvMotion *motion, double error);
/* Is the present state indistinguishable from a singular one within rounding? On return the state has its position and
 * factors again. */
bool rbv_motion_is_indistinct(RbvMotion *motion);

/* monitor.c: report why a motion ends and return the status; rbv_motion_fastest_body writes the name of the body that
 * moves fastest into text. */
RbvStatus rbv_motion_locked(RbvMotion *motion);
RbvStatus rbv_motion_not_finite(RbvMotion *motion, double t);
void rbv_motion_fastest_body(const RbvMotion *motion, char *text, size_t size);

/* [kg m^2 or kg] Inertia that a drive feels at the accepted state, the change of its effort per change of its second
 * rate, all other drives held (rows.c). NaN: its row is not among the chosen ones, or there are none. work: scratch
 * [size of v]. */
double rbv_motion_felt_inertia(RbvMotion *motion, int32_t drive, double *work);

/* rows.c: exchange chosen rows for others, at a state with evaluated positions and factors. */
/* How nearly the chosen rows are dependent where the whole set of rows is not: an estimate of the largest |t| in T,
 * with D_d = T D_I for the redundant rows D_d, rows of unit length (and of C, where C is not D). One weighted sum of
 * the rows D_d is examined, over the root of their number plus one. 0 when no row is redundant. Overwrites motion->x.
 */
double rbv_motion_dependence(RbvMotion *motion);
/* Exchange rows until the largest |t| is about one, with new factors. OK; NO_MEMORY; LOCKED: singular. *changed: the
 * chosen rows have changed, and the sign of the determinant may have. */
RbvStatus rbv_motion_exchange(RbvMotion *motion, bool *changed);

/* step.c: number of steps between two samples.
 * RBV_SURE_STEPS: trial steps before the number of steps ahead is estimated; fewer give no reliable average. */
#define RBV_SURE_STEPS 10000
typedef struct RbvPace {
    double from, to; /* times of the two samples [s] */
    int32_t steps;   /* trial steps so far, rejected ones too */
} RbvPace;
/* Called before each trial step: counts it and asks the progress function. OK; INTERRUPTED; LOCKED (reported): too many
 * steps are still ahead. */
RbvStatus rbv_motion_pace(RbvMotion *motion, RbvPace *pace);
/* Does an active drive turn, or go to and fro, so often between the samples that no step can follow? Such a drive is
 * reported. For simulations too. */
bool rbv_outruns(RbvState *state, const RbvPace *pace, RbvDiagnostics *diagnostics);

/* step.c: positions by integration, where rows on rates are present. */
/* Integrate q' = v(q, t) from the accepted state at t0 to t1, into the state. False: the extrapolation does not
 * converge over this step. */
bool rbv_motion_roll(RbvMotion *motion, double t0, double t1);
/* Most columns of the extrapolation; rows of motion->table: those columns, and four vectors over q. */
#define RBV_ROLL_COLUMNS 10
#define RBV_ROLL_TABLE (RBV_ROLL_COLUMNS + 4)

#endif
