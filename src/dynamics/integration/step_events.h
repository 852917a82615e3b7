/* Step events: what bounds, cuts and forbids a step of the motion, before it is accepted. Each is a row of one table
 * (step_events.c): until when a step may lead, and a verdict on a trial step. The loop is plain: bound, try, verify.
 * What happens within an accepted step are transitions (dynamics/events). */
#ifndef RBV_DYNAMICS_INTEGRATION_STEP_EVENTS_H
#define RBV_DYNAMICS_INTEGRATION_STEP_EVENTS_H

#include "dynamics/integration/stepper.h"

/* 1 / sigma^2 on the way to a singular position (where forces jump, as at the knots of a cam, it is 1). */
#define RBV_TOWARDS_SINGULAR 30
/* An error of so many tolerances cannot come from a smooth motion. */
#define RBV_CROSSING_FAR_OFF 100

/* Trials of one step across a singular position. */
typedef struct RbvSingularCrossing {
    int tried;
    double whole, worst;   /* length [s] and error [tolerances] of the first trial that failed */
    double best, length;   /* least error that rounding explains, and length [s] of its trial; 0: none */
    double first, longest; /* length [s] and error of the longest such trial */
    double most;           /* largest error of the trials from that one on */
    bool suspected;        /* the step is on the way to a singular position */
    bool settles;          /* true: the trial with error `best` is repeated and accepted */
} RbvSingularCrossing;

/* Trial steps from one accepted state, and what is known of the last of them. */
typedef struct RbvStepTrial {
    double goal, knot, apart; /* [s] caller's end, next knot of a table, and time from there to the one after it */
    double shortest;          /* [s] least step */
    double h, t;              /* [s] length of the trial step and its end */
    bool ends;                /* it ends where a step event has to be */
    bool retried;             /* it is not the first */
    bool least;               /* it is a least step, across a jump of forces */
    RbvStatus status;         /* of its evaluations */
    double error, imbalance;  /* error [tolerances]; change of the energy balance over the allowed one */
    bool made;                /* it was evaluated to its end, with an allowed error */
    bool refused;             /* a step event has refused it */
    RbvSingularCrossing singular;
} RbvStepTrial;

typedef enum RbvStepVerdict {
    RBV_STEP_PASSES, /* nothing against the step */
    RBV_STEP_AGAIN,  /* not so: try again with the length stepper->h */
    RBV_STEP_FAILS   /* no step is short enough */
} RbvStepVerdict;

/* The largest and the least factor between the lengths of two steps. */
#define RBV_STEP_MOST_GROWTH 4.0
#define RBV_STEP_LEAST_GROWTH 0.2

/* Factor by which a step with that error [tolerances] should have been longer. */
double rbv_step_growth(const RbvStepper *stepper, double error);
/* Trials of a step from the accepted state, not beyond `end` [s]. */
RbvStepTrial rbv_step_events_begin(const RbvStepper *stepper, double end);
/* Sets h, t and ends of the next trial from stepper->h. */
void rbv_step_events_bound(const RbvStepper *stepper, RbvStepTrial *trial);
/* Verdict on the trial step, whose state is in stepper->y_next and the flow's. */
RbvStepVerdict rbv_step_events_verify(RbvStepper *stepper, RbvStepTrial *trial);
/* Notes that the trial step is accepted. */
void rbv_step_events_accept(RbvStepper *stepper, const RbvStepTrial *trial);

#endif
