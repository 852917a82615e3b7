/* Time steps of the motion: adaptive, each projected onto the constraints, with interpolated states in between. */
#ifndef RBV_DYNAMICS_INTEGRATION_STEPPER_H
#define RBV_DYNAMICS_INTEGRATION_STEPPER_H

#include "dynamics/accelerations/power.h"
#include "dynamics/integration/flow.h"
#include "dynamics/integration/implicit_system.h"
#include "dynamics/integration/variation.h"

#include <roberval/options.h>

typedef struct RbvStepper {
    RbvArena arena; /* owns the arrays */
    RbvFlow *flow;
    RbvDormandPrince method;
    RbvRadau radau;            /* Radau's method, for stiff motion; created when first needed */
    RbvImplicitSystem *sparse; /* sparse linear systems of Radau's method for large models; NULL: dense */
    RbvMotionMethod requested;
    bool implicit;           /* true: Radau's method is in use */
    double switched;         /* [s] time since when; NaN: from the beginning, or not at all */
    int stiff, smooth;       /* numbers of consecutive steps that stability bounded, and did not bound */
    int suspected, patience; /* number of consecutive steps that stability may have bounded; number after which an
                                implicit step is tried */
    int by_knots;     /* number of further steps that end at knots of tables, after a step across a knot was refused */
    double tolerance; /* relative to the size of each quantity */
    double longest;   /* [s] largest length of a step */
    double run;       /* [s] duration in which the energy balance may have an error of rbv_energy_of_a_run; 0: not
                         known */
    double started;   /* [s] start of the motion */
    double t, h;      /* [s] time of the accepted state; length of the next trial step */
    double before;    /* [s] start of the last step */
    double singular_at;             /* [s] time at which the motion starts at a singular position; NaN: none */
    double by_turns;                /* [s] the longest step in which no body rotates too far */
    double *y, *y_before, *y_next;  /* [size] state accepted, at the start of the last step, of the trial step */
    double *weight;                 /* [size] weights of errors: 1 / allowed error */
    double *share;                  /* [n] factors: share |v| is a speed relative to the size of its part [1/s] */
    double *scale;                  /* [positions] factors: scale |dq| is a movement relative to the size of its part */
    double *noise;                  /* [n] rounding of accelerations (step_lengths.c) */
    int32_t *part;                  /* [n] part that each entry of v moves */
    double *own_size;               /* [states] largest absolute value so far */
    double *part_speed, *part_gain; /* [parts] largest speed so far, and gain of speed in the trial step [1/s] */
    double *part_begun, *own_begun; /* [parts], [states] size that the step gave to what was at rest */
    RbvEnergyBalance balance;
    RbvVariation variation;    /* magnification of a small difference of the start */
    bool interpolates;         /* true: the interpolant belongs to the last step */
    bool turns, turned_before; /* laws change pieces at the accepted state; they did so at the start of the last step */
    bool rough; /* the caller's: positions between implicit steps may be interpolated roughly, since no contact is
                   looked for */
    bool away;  /* true: the flow's state is an interpolated one, in y_next, not the accepted one */
    int64_t steps, rejected;
    double crossed;               /* [s] time at which the last jump of forces was crossed; -infinity: none yet */
    bool yields;                  /* true: in the trial step rows yielded near a singular position */
    int crossing;                 /* number of further steps whose stages are projected, beside a singular position */
    int shrinking;                /* number of consecutive steps that were refused, and shorter than the one before */
    double nearness;              /* 1 / sigma^2 reached in the trial step (dynamics/accelerations/saddle.h) */
    int64_t yielding;             /* number of steps near singular positions in which rows yielded */
    double yielded, yielded_from; /* [J] change of the energy balance in such steps; [s] time where the first began */
    int crawls;                   /* number of steps since crawls_from [s] and crawls_rejected */
    double crawls_from;
    int64_t crawls_rejected;
    int creeps;              /* number of consecutive shortest steps next to a singular position */
    double constraint_error; /* largest constraint error of all accepted states [m or rad] */
} RbvStepper;

/* Starts at the flow's state at t [s]. Statuses of rbv_flow_hold; the object must be destroyed in any case. */
RbvStatus rbv_stepper_create(RbvStepper *stepper, RbvFlow *flow, double t, double tolerance, double longest,
                             RbvMotionMethod method);
/* Creates Radau's method, dense or sparse. *fits: one of them is possible. Status NO_MEMORY if out of memory. */
RbvStatus rbv_stepper_create_implicit(RbvStepper *stepper, bool *fits);
void rbv_stepper_destroy(RbvStepper *stepper);
/* To be called at the end of the motion: factor by which small differences of the start have grown; NaN: not known. The
 * flow's state is changed. */
double rbv_stepper_magnification(RbvStepper *stepper);
/* Makes one step, not beyond `end` [s]: the flow's state is then the accepted one at stepper->t. LOCKED, NOT_FINITE,
 * INCONSISTENT: no step however short succeeds, reported; NO_MEMORY. */
RbvStatus rbv_stepper_step(RbvStepper *stepper, double end);
/* Makes a trial step of length h [s] from y at t by the current method: y1[size], and its error in tolerances. */
RbvStatus rbv_stepper_try(RbvStepper *stepper, double t, const double *y, double h, double *y1, double *error);
/* Carries small differences of the start (variation.h) up to the accepted state. */
void rbv_stepper_carry(RbvStepper *stepper);
/* Returns the largest speed of a part (-1: ground) so far, relative to its size [1/s]. */
double rbv_stepper_speed(const RbvStepper *stepper, int32_t part);

/* ---- stepper_between.c: states within the last step, and the continuation from there ---- */

/* An event is at t, between the ends of the last step, and the state there was evaluated last. If that state is not
 * known well enough the last step is taken back and true returned: the state is then the one before the step, and the
 * next step is shorter. */
bool rbv_stepper_shortens(RbvStepper *stepper, double t);
/* Ends the last step at t, where an event is: the state is that at t, projected onto the constraints;
 * rbv_stepper_look() serves times before t as before. A failure is reported. */
RbvStatus rbv_stepper_cut(RbvStepper *stepper, double t);
/* Continues from t, one rounding later, where forces have changed their form. */
RbvStatus rbv_stepper_pass(RbvStepper *stepper, double t);
/* Adds work [J] done at once by a transition at stepper->t; the state is that after the transition. */
void rbv_stepper_give(RbvStepper *stepper, double work);
/* Continues from a state changed at stepper->t (velocities jump, other rows become active). */
RbvStatus rbv_stepper_restart(RbvStepper *stepper);
/* Continues from the same state with forces of another form; step lengths stay. */
RbvStatus rbv_stepper_turn(RbvStepper *stepper);
/* Finds q and v at t between the ends of the last step, with positions and velocities evaluated, but neither projected
 * nor with accelerations; in an implicit step by a cubic if `rough`. For finding events, whose instant is decided on
 * projected states. False: not finite. */
bool rbv_stepper_peek(RbvStepper *stepper, double t);
/* Evaluates the state at t from stepper->before to stepper->t, projected onto the constraints, and y_next. Status of
 * the flow; failures are not reported. */
RbvStatus rbv_stepper_look(RbvStepper *stepper, double t);
/* As rbv_stepper_look, but a failure is reported, and a state that the interpolant gives too coarsely is found by a
 * step of its own. */
RbvStatus rbv_stepper_visit(RbvStepper *stepper, double t);
/* Prepares the first step: the stepper is at a singular position, and the accelerations in the flow's state are those
 * of the motion through it (singular.h). NO_MEMORY; other errors are reported. */
RbvStatus rbv_stepper_leave_singular(RbvStepper *stepper);

/* ---- step_lengths.c: lengths of steps [s] before their errors are known ---- */

/* Longest step in which no body rotates by more than LARGEST_TURN. */
double rbv_step_by_turns(const RbvStepper *stepper);
/* First step, from the rates f at the start; then bounded by the change of f at t along the motion. */
double rbv_step_first(const RbvStepper *stepper, const double *f);
double rbv_step_bound_first(RbvStepper *stepper, double t, const double *f, double h);
/* Finds noise[n]: a multiple of the change of accelerations when each position changes by one rounding (signs in no
 * pattern), at y[size] with the rate f. noise is left as it is where the changed state has no rate. scale[positions]:
 * factor of each position relative to the size of its part. moved[size], rate[size]: workspace. The flow's state is
 * changed. */
void rbv_rounding_find(RbvFlow *flow, double t, const double *y, const double *f, const double *scale, double *moved,
                       double *rate, double *noise);
/* ---- failure_cause.c: why no step succeeds ---- */

/* Reports why no step succeeds, for a status of the flow; OK stands for a tolerance for which no step is short enough.
 * Returns the status of the run. */
RbvStatus rbv_stepper_report_failure(const RbvStepper *stepper, RbvStatus status);
/* Reports that the shortest steps next to a singular position make no progress. Returns the status of the run. */
RbvStatus rbv_stepper_report_creeps(const RbvStepper *stepper);
/* Advice where a load jumps back and forth. */
#define RBV_SMOOTHER_LOAD "friction: of a joint can hold it at rest; a steep slope such as tanh(v/v0) does not jump"
/* Where friction prevents any motion: returns a message if a singular position is the reason, or NULL. */
#define RBV_JAMS "the motion cannot go on: friction of what slides has no solution, the mechanism jams: "
const char *rbv_stepper_jams(const RbvStepper *stepper);

#endif
