/* A kinematically driven motion, sample by sample: q from Phi(q, t) = 0, v from C v = nu, a from C a = gamma.
 *
 * A maximal set of independent rows C_I is square when the system is fully driven. Position: predict from the rates and
 * accelerations at two states, then Newton with frozen factors; a step whose correction is not small against the motion
 * is halved, so that the branch is followed and not left.
 */
#ifndef RBV_MOTION_MOTION_H
#define RBV_MOTION_MOTION_H

#include "linalg/lu.h"
#include "solvability/solvability.h"

/* What rows may be off by rounding alone, of the numbers they are made of, and that of the expressions in them. */
#define RBV_POSITION_ROUNDING 2e-15

/* A body with an idle spin at the last accepted state: its turn, angular velocity and acceleration (idle.c). */
typedef struct RbvIdle {
    RbvQuat p;
    RbvVec3 w, alpha;
} RbvIdle;

/* Independent rows of C or of D and their factors: C_I moves coordinates, and the transposed of D_I carries forces.
 * Where v is the body twists both are one. */
typedef struct RbvRowFactors {
    const RbvRowPattern *rows;
    int32_t n;             /* rows chosen = columns */
    const int32_t *chosen; /* [n] */
    RbvLu *lu;             /* at the accepted state */
    int32_t *pattern;      /* [n + 1] where its rows start, then their columns; kept of small systems */
    int32_t *place_of;     /* [rows] index among the chosen, or -1 */
    bool lent;             /* of a large system whose independent rows are all: the rows are not held twice */
} RbvRowFactors;

typedef struct RbvPrescribedRows RbvPrescribedRows;

typedef struct RbvMotion {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvState *state;
    RbvSolvability *solvability;
    int32_t n;           /* coordinates = independent rows of C, with those of idle spins, which stand behind them */
    RbvRowFactors C, *D; /* D: &C itself where v is the body twists, else `of_bodies` */
    RbvRowFactors of_bodies;
    int32_t *own_rows;                     /* [n] chosen of C, where v is not the body twists */
    int32_t *own_dependent, own_redundant; /* [rows] others of C, each a combination of those */
    double *x;                             /* [n or bodies.size, the larger] scratch */
    double *spread;                        /* [bodies.size] likewise: a vector over bodies, where v is none */
    double *moved; /* [bodies] predicted movement of the step being tried, as a share of the size */
    struct {
        double *q, *v, *a; /* [position_size], [n], [n] */
    } saved;               /* the last accepted state */
    struct {
        double *v, *a;   /* [n], [n] */
        double span;     /* time from there to the last accepted state; 0: there is none */
    } before;            /* the accepted state before it */
    bool followed;       /* the last accepted state belongs to the motion that goes on: its rates predict */
    bool factored_there; /* the factors of C_I are those at the last accepted state */
    double correction;   /* the first of the last position, as a share of the size; infinite where it is not known */
    double *saved_twist, *saved_acceleration; /* [bodies.size] of bodies there; saved.v and saved.a themselves where v
                                                 is the body twists */
    RbvIdle *idle;                            /* [idle_count] */
    double *tried;                            /* [position_size] scratch: a position to come back to */
    double *table;                            /* [RBV_ROLL_TABLE][position_size] of extrapolation, with rows on rates */
    double *share;      /* [n] what one of each number of v is worth as a share of the size of its body's part */
    double *body_share; /* [bodies.size] likewise of body twists; share itself where v is those */
    double *scale;      /* [position_size] likewise of q, with rows on rates */
    bool spared;   /* nobody asks for D_I: it is factored only where rows are redundant or spins idle, and the monitor
                      watches C_I */
    double *probe; /* [bodies.size] rows that are nearest to dependent, for the monitor */
    double sigma, sigma_reference;
    double amplification; /* what a body moves by at most over what a row is off by, both as shares of the size of their
                             part: about 1/sigma without units */
    double nearness; /* how near to singular: the same; where the monitor watches C_I what a number of v changes by,
                        since long arms amplify and are not singular */
    int sign,
        sign_before; /* of the determinant of C_I at the accepted state, and where a position began to be solved */
    double previous; /* time of the last accepted state */
    bool started;
    bool given; /* places, rates and accelerations are the caller's (given.c): no rows are chosen, there are no factors,
                   and freedoms may be left */
    RbvPrescribedRows *rows_given; /* what given.c fits it with */
    int32_t decisions;             /* full rank decisions made */
    int32_t row_sets;              /* times that independent rows were taken */
    double constraint_error;       /* of the last sample, m or rad */
} RbvMotion;

/* Assemble at `t`, or begin in the position of `start` (NULL: none), with the rows and loads that hold and act there,
 * and decide rank. BAD_INPUT when the system is not fully driven or over-driven: said by name. `watch` (may be NULL)
 * is asked at every step. */
RbvStatus rbv_motion_create(const RbvSystem *system, double t, const RbvState *start, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion);
void rbv_motion_destroy(RbvMotion *motion);
/* A motion that is given sample by sample (given.c): its state is where the caller puts it. Rows of joints and
 * constraints tell what fits it, those of drives carry efforts, whatever their motions ask for. NO_MEMORY. */
RbvStatus rbv_motion_create_given(const RbvSystem *system, RbvProgress *progress, RbvDiagnostics *diagnostics,
                                  RbvMotion **motion);
/* How far a motion that was given has been corrected: the largest of a number of a body, turns at the arm of its part.
 */
typedef struct RbvMotionFit {
    double place, rate, acceleration; /* [m], [m/s], [m/s^2] */
} RbvMotionFit;
/* The state into which each sample is to be put. */
RbvState *rbv_motion_given_state(const RbvMotion *motion);
/* At the q and the twists in that state, which bodies have been given, with these accelerations[bodies]: the nearest
 * place, rates and accelerations that joints and constraints allow, then ranks. NOT_ASSEMBLED: there is none near by;
 * NOT_FINITE; INCONSISTENT (accelerations or rates that none allows): said. */
RbvStatus rbv_motion_take_given(RbvMotion *motion, const RbvTwist *accelerations, RbvMotionFit *fit);
/* The accelerations of bodies at the sample taken, after rbv_state_load, which knows only those of coordinates. */
void rbv_motion_accelerate_given(RbvMotion *motion);
void rbv_prescribed_rows_destroy(RbvPrescribedRows *rows);
/* Go to time t: state holds q, v, a there, C, gamma and factors of C_I. LOCKED, INCONSISTENT, NOT_FINITE, INTERRUPTED,
 * NO_MEMORY: said. */
RbvStatus rbv_motion_go(RbvMotion *motion, double t);
/* To the targets at t by one run of Newton's method from the position in state, as if no time passed; then as after
 * rbv_motion_go. Not *reached: it does not converge, or (unless `anywhere` is right) a body turns further than a
 * branch is kept over; the position in state is another then. */
RbvStatus rbv_motion_leap(RbvMotion *motion, double t, bool anywhere, bool *reached);
/* Other rows hold from the accepted state on, which fits them: state->active says which. Ranks and rows anew;
 * rbv_motion_go to the same time finds the rates. INCONSISTENT: the motion is not determined any more, or
 * over-driven; NOT_FINITE, NO_MEMORY: said. */
RbvStatus rbv_motion_switch(RbvMotion *motion);
/* Assemble anew at t, from the starting poses, as rbv_motion_create does (start.c). */
RbvStatus rbv_motion_restart(RbvMotion *motion, double t);
/* The system has other numbers: the position stays, sizes are measured anew. And at the first state reached with them:
 * sizes and ranks. LOCKED, NO_MEMORY: said. */
void rbv_motion_renew(RbvMotion *motion);
RbvStatus rbv_motion_decide(RbvMotion *motion);
/* Everything at the q in the state: rows, factors, v and a. False: singular or not finite. */
bool rbv_motion_evaluate(RbvMotion *motion);
/* The same after a step by what rounding may move the state, along the direction nearest to singular; side: -1 or 1. */
bool rbv_motion_step_aside(RbvMotion *motion, int side);
/* The null space of C^T at the accepted state into the solvability of each redundant block, from the factors of C_I. */
RbvStatus rbv_motion_null(RbvMotion *motion);

/* rows.c: the independent rows, for motion.c, exchange.c and rolling.c. */
/* Patterns of C_I and D_I for the independent rows of the solvability. LOCKED: C has too few; NO_MEMORY. */
RbvStatus rbv_motion_take_rows(RbvMotion *motion);
/* After own_rows have been exchanged: the pattern of C_I. NO_MEMORY. */
RbvStatus rbv_motion_take_own_rows(RbvMotion *motion);
void rbv_motion_forget_rows(RbvMotion *motion);
/* The rows that the monitor watches: D_I, or C_I where that is spared. */
const RbvRowFactors *rbv_motion_watched(const RbvMotion *motion);
/* Factor C_I at the placed state; then D_I, where it is another and is not spared. */
bool rbv_motion_factor(RbvMotion *motion);
bool rbv_motion_factor_bodies(RbvMotion *motion);
/* A vector over v as one over body twists, at the placed state: itself, or motion->spread. */
const double *rbv_motion_of_bodies(const RbvMotion *motion, const double *v);
/* The bodies moved by a small step of their own; of v where the monitor watches C_I. */
void rbv_motion_displace(RbvMotion *motion, const double *step);
/* out[n] = sign * rows[independent]. */
void rbv_motion_gather(const RbvMotion *motion, const double *rows, double sign, double *out);
/* v at the placed state with its factors; equations on rates are linearized about v, and factored anew, until it stays.
 */
bool rbv_motion_velocity(RbvMotion *motion);
/* v, and a at that v. */
bool rbv_motion_rates(RbvMotion *motion);

/* idle.c: room for idle spins (false: no memory); the state solved for t is accepted: make up for what idle spins lack,
 * and keep them. */
bool rbv_motion_create_idle(RbvMotion *motion);
void rbv_motion_spin(RbvMotion *motion, double t);

/* predict.c: keep v and a of the state accepted at t; the step of length h from the saved position into motion->x. */
void rbv_motion_save_rates(RbvMotion *motion, double t);
void rbv_motion_predict(RbvMotion *motion, double h);

/* The position of the state into q[position_size], and back from there. */
void rbv_motion_save_position(const RbvMotion *motion, double *q);
void rbv_motion_restore_position(RbvMotion *motion, const double *q);

/* start.c: assemble at t, or begin at a state (NULL: none), and take up the independent rows. Statuses as of
 * rbv_motion_create. */
RbvStatus rbv_motion_start(RbvMotion *motion, double t, const RbvState *at);

/* monitor.c: a new estimate of sigma at the placed state with its factors, in motion->sigma and motion->probe. */
void rbv_motion_monitor(RbvMotion *motion);
/* From now on D_I is not asked for where no row is redundant: forces are found without it. Only for coordinates without
 * rigid rows, in which bodies hang on each other. */
void rbv_motion_spare_bodies(RbvMotion *motion);
/* The step that rows off by `error` of the size make at most, along the direction nearest to singular, into motion->x:
 * for rbv_motion_displace. */
void rbv_motion_find_step_aside(RbvMotion *motion, double error);
/* Is the placed state one that rounding does not tell from a singular one? It comes back with its factors. */
bool rbv_motion_is_indistinct(RbvMotion *motion);

/* lockup.c: what ends a motion, said; the name of the body that moves fastest in text. */
RbvStatus rbv_motion_locked(RbvMotion *motion);
RbvStatus rbv_motion_not_finite(RbvMotion *motion, double t);
void rbv_motion_fastest_body(const RbvMotion *motion, char *text, size_t size);

/* exchange.c: other rows for those chosen, at the placed state with its factors. */
/* How nearly the chosen rows are dependent where all rows are not: about the largest |t| of D_D = T D_I (and of C,
 * where it is not D) with rows of unit length, over the root of the number of those in D_D; 0 when no row is
 * redundant. Spoils motion->x. */
double rbv_motion_dependence(RbvMotion *motion);
/* Exchange rows until it is about one, with new factors. OK; NO_MEMORY; LOCKED: singular. *changed: rows are others
 * now, and the determinant's sign may be. */
RbvStatus rbv_motion_exchange(RbvMotion *motion, bool *changed);

/* pace.c: between two samples. */
/* So many steps are tried before what lies ahead is estimated from them: a burst is no pace. */
#define RBV_SURE_STEPS 10000
typedef struct RbvPace {
    double from, to; /* the samples [s] */
    int32_t steps;   /* tried so far */
} RbvPace;
/* Before each step that is tried. OK; INTERRUPTED; LOCKED (said): more steps are ahead than anybody waits for. */
RbvStatus rbv_motion_pace(RbvMotion *motion, RbvPace *pace);
/* Does a drive that holds turn so often between the samples that no step can follow it? Then it is said. */
bool rbv_outruns(RbvState *state, const RbvPace *pace, RbvDiagnostics *diagnostics);

/* rolling.c. */
/* Integrate q' = v(q, t) from the accepted state at t0 to t1. False: it does not settle over so long a step. */
bool rbv_motion_roll(RbvMotion *motion, double t0, double t1);
#define RBV_ROLL_COLUMNS 10
#define RBV_ROLL_TABLE (RBV_ROLL_COLUMNS + 4)

#endif
