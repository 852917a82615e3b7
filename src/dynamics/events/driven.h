/* A driven motion with its conditions (active:), which switch rows and loads, and the user's states x' = rate(t, q(t),
 * q'(t), x).
 *
 * Positions follow the drives (motion.h). The states are integrated along the motion by the method of order 8 of
 * Dormand and Prince, whose stages evaluate the motion at their times. Where a condition changes between two samples
 * the instant is found by bisection; from there the motion continues from the positions reached with other active rows.
 * A model without conditions and states needs rbv_motion_go only. */
#ifndef RBV_DYNAMICS_EVENTS_DRIVEN_H
#define RBV_DYNAMICS_EVENTS_DRIVEN_H

#include "core/solve/dormand_prince.h"
#include "dynamics/integration/knots.h"
#include "solution/assembly/activity.h"
#include "solution/motion/motion.h"

typedef struct RbvDriven {
    RbvArena arena; /* owns the arrays */
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvMotion *motion;    /* owned by the caller after rbv_driven_create */
    RbvActivity activity; /* rows and loads that are active now */
    RbvKnots knots;       /* instants that no step may cross */
    bool *before;         /* [conditions] truth values at the state evaluated last; activity.truth: those in effect */
    bool stepwise;        /* the model has conditions or states; else only the motion is used */
    int32_t switches;     /* number of times that conditions switched rows or loads so far */
    int32_t own;          /* number of the user's states */
    double tolerance;     /* relative, of the states */
    double t, h;          /* [s] time reached; length of the next step */
    /* [states] y: at t; during bisection, in the middle of the bracket. high: at the end of the step tried; low, high:
     * during bisection, at both ends. */
    double *y, *low, *high;
    double *weight, *size; /* [states] weights of errors: 1 / allowed error, 0 for a state that is zero; largest
                              magnitudes so far */
    RbvDormandPrince method;
    double *work; /* scratch for expressions */
} RbvDriven;

/* Creates the driven motion at time `from` [s]: assembled with the rows active there, or in the position of `start`
 * (may be NULL). targets[drives]: applied there and from then on; NULL: drives follow their own motions, or
 * those of `start`. step [s]: between samples. tolerance: relative, of the states; NaN: that of simulate. *motion is
 * new and the caller's; it uses the active rows and loads of the driven motion, which is to be destroyed after it, in
 * any case. Statuses as of rbv_motion_create, errors reported. */
RbvStatus rbv_driven_create(RbvDriven *driven, const RbvSystem *system, double from, double step, RbvState *start,
                            const RbvDriveTarget *targets, double tolerance, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion);
/* A driven motion, without conditions and states, that goes on from the accepted state of another motion
 * (rbv_motion_continue). */
RbvStatus rbv_driven_continue(RbvDriven *driven, const RbvMotion *from, RbvProgress *progress,
                              RbvDiagnostics *diagnostics, RbvMotion **motion);
void rbv_driven_destroy(RbvDriven *driven);
/* Moves to time t [s], not before the time reached: the motion is evaluated there with the rows active there, and d->y
 * has the states. Statuses as of rbv_motion_go; INCONSISTENT (reported): a condition engages a row that is violated, or
 * the motion is no longer determined, or overdriven. */
RbvStatus rbv_driven_go(RbvDriven *driven, double t);

/* ---- stops that a prescribed motion violates ----
 *
 * Checked at each sample, for a warning with the first time and the largest violation. */

typedef struct RbvStopViolation {
    /* [s] time of first violation; [s] time and coordinate, in the unit of the stop, of largest violation */
    double first, at, value;
    bool passed; /* the limit has been violated; else the numbers have no meaning */
} RbvStopViolation;

typedef struct RbvStopViolations {
    const RbvSystem *system;
    RbvStopViolation *limits; /* [stops][2] lower, upper limit of each stop */
} RbvStopViolations;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_stop_violations_create(RbvStopViolations *violations, const RbvSystem *system);
void rbv_stop_violations_destroy(RbvStopViolations *violations);
/* Checks a state whose positions and measures are evaluated (rbv_state_load). truth[conditions]: which conditions are
 * true; NULL: there are no conditions. */
void rbv_stop_violations_look(RbvStopViolations *violations, const RbvState *state, const bool *truth);
/* Takes over the violations of later samples of the same run. */
void rbv_stop_violations_join(RbvStopViolations *violations, const RbvStopViolations *later);
/* Reports a warning for each violated limit. */
void rbv_stop_violations_note(const RbvStopViolations *violations, RbvDiagnostics *diagnostics);

#endif
