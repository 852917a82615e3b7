/* Steps of the motion in time: adaptive, each held to the constraints, with the states between them. */
#ifndef RBV_DYNAMICS_STEPPER_H
#define RBV_DYNAMICS_STEPPER_H

#include "dynamics/energy_balance.h"
#include "dynamics/implicit_system.h"
#include "dynamics/variation.h"

#include <roberval/analysis.h>

typedef struct RbvStepper {
    RbvFlow *flow;
    RbvDormandPrince method;
    RbvRadau radau;            /* where the motion is stiff; not made before */
    RbvImplicitSystem *sparse; /* its systems where these are large; NULL: dense */
    RbvMotionMethod requested;
    bool implicit;           /* Radau's method goes on from here */
    double switched;         /* [s] since when; NaN: from the beginning, or not at all */
    int stiff, smooth;       /* steps in a row that were bounded by stability, and not */
    int suspected, patience; /* steps in a row that may have been, about; so many that an implicit one is tried */
    int by_knots;            /* so many steps more end at knots of tables, where one across a knot was refused */
    double tolerance;        /* of the size of each quantity */
    double longest;          /* [s] of a step */
    double run;     /* [s] in which the balance of energy may be off by RBV_ENERGY_OF_A_RUN tolerances; 0: not known */
    double started; /* [s] */
    double t, h;    /* of the state that is kept; the step to try next */
    double before;  /* [s] of the one before it */
    double singular_at;             /* [s] the motion starts there, at a singular position (leaving.h); NaN: at none */
    double by_turns;                /* [s] the longest step in which no body turns too far */
    double *y, *y_before, *y_next;  /* [size]: kept, before it, tried */
    double *weight;                 /* [size] */
    double *share;                  /* [n] what one of each number of v is worth as a share of the size of its part */
    double *scale;                  /* [positions] likewise of q */
    double *noise;                  /* [n] accelerations that are rounding */
    int32_t *part;                  /* [n] the part each number of v moves */
    double *own_size;               /* [states] the largest so far */
    double *part_speed, *part_gain; /* [parts] so far, and in the step that is tried */
    double *part_begun, *own_begun; /* [parts], [states] what the step has brought to those that were at rest */
    RbvEnergyBalance balance;
    RbvVariation variation; /* what a small difference of the start has become */
    bool interpolates;      /* the interpolant belongs to the last step */
    bool turns,
        turned_before; /* laws are on other pieces from the state that is kept on; they were from the one before it */
    bool rough;        /* the caller's: looks between implicit steps may be rough, no contact is looked for */
    bool away;         /* the state is one between, in y_next, not the one kept */
    int64_t steps, rejected;
    double crossed;               /* where the last jump of forces was crossed [s]; -infinity: none yet */
    bool yields;                  /* in the step that was tried rows gave way near a singular position */
    double nearness;              /* and how near it came (dynamics/saddle.h) */
    int64_t yielding;             /* steps near singular positions, where rows give way */
    double yielded, yielded_from; /* [J] what the balance of energy was changed by in them; [s] where the first began */
    int crawls;                   /* steps since crawls_from [s] and crawls_rejected */
    double crawls_from;
    int64_t crawls_rejected;
    int creeps;              /* shortest steps next to a singular position, in a row */
    double constraint_error; /* the largest of all states kept [m or rad] */
} RbvStepper;

/* From the flow's state at t. Statuses of rbv_flow_hold; to be destroyed all the same. */
RbvStatus rbv_stepper_create(RbvStepper *stepper, RbvFlow *flow, double t, double tolerance, double longest,
                             RbvMotionMethod method);
/* Radau's method, dense or sparse. *fits: it is either. */
RbvStatus rbv_stepper_create_implicit(RbvStepper *stepper, bool *fits);
void rbv_stepper_destroy(RbvStepper *stepper);
/* The motion goes on no further: how many times as large small differences of its start have become; NaN: not known.
 * The flow's state is another one afterwards. */
double rbv_stepper_magnification(RbvStepper *stepper);
/* One step, not beyond `end`: the state is that at stepper->t afterwards, accepted. LOCKED, NOT_FINITE, INCONSISTENT:
 * no step however short goes on, said; NO_MEMORY. */
RbvStatus rbv_stepper_step(RbvStepper *stepper, double end);
/* A trial of length h from y at t: y1[size], and its error in tolerances; by the method of now. */
RbvStatus rbv_stepper_try(RbvStepper *stepper, double t, const double *y, double h, double *y1, double *error);
/* Small differences of the start (variation.h) up to the state that is kept. */
void rbv_stepper_carry(RbvStepper *stepper);
/* stepper_between.c, down to rbv_stepper_cut. At t between, whose state was looked at last, something happens. Is it
 * known too coarsely? Then the last step is taken back: the state is that before it, and the next step is shorter. */
bool rbv_stepper_shortens(RbvStepper *stepper, double t);
/* The last step ends at t already, where something happens: the state is that at t, held; look() serves the time before
 * it as before. A failure is said. */
RbvStatus rbv_stepper_cut(RbvStepper *stepper, double t);
/* stepper_words.c. Says why no step goes on, of statuses of the flow; OK stands for a tolerance that no step is short
 * enough for. Returns the status of the run. */
RbvStatus rbv_stepper_report_failure(const RbvStepper *stepper, RbvStatus status);
/* The shortest steps next to a singular position lead nowhere. */
RbvStatus rbv_stepper_report_creeps(const RbvStepper *stepper);
/* What to advise where a load jumps back and forth. */
#define RBV_SMOOTHER_LOAD "friction: of a joint can hold it at rest; a steep slope such as tanh(v/v0) does not jump"
/* jams.c. Where friction lets nothing go on: is a singular position the reason? What to say of it, or NULL. */
#define RBV_JAMS "the motion cannot go on: friction of what slides has no solution, the mechanism jams: "
const char *rbv_stepper_jams(const RbvStepper *stepper);
/* May the step h that was tried lead past such a position? Then stepper->h is shorter. */
bool rbv_stepper_leads_past_jam(RbvStepper *stepper, double h);
/* The largest speed of a part (-1: ground) so far, of its size [1/s]. */
double rbv_stepper_speed(const RbvStepper *stepper, int32_t part);
/* The motion goes on from t, a rounding later, where forces have changed their form. */
RbvStatus rbv_stepper_pass(RbvStepper *stepper, double t);
/* What happens at stepper->t did so much work at once [J]; the state is that after it. */
void rbv_stepper_give(RbvStepper *stepper, double work);
/* The state was changed at stepper->t (rates jump, other rows hold): go on from there. */
RbvStatus rbv_stepper_restart(RbvStepper *stepper);
/* The same state, from which forces of another form lead on: with steps as before. */
RbvStatus rbv_stepper_turn(RbvStepper *stepper);
/* q and v at t between, placed and moved, neither held nor accelerated, of an implicit step where they may be rough by
 * a cubic: for looking for events, whose instant states that are held decide. False: not finite. */
bool rbv_stepper_peek(RbvStepper *stepper, double t);
/* The state at t from stepper->before to stepper->t, held to the constraints, and y_next. */
RbvStatus rbv_stepper_look(RbvStepper *stepper, double t);
/* The same, where it has to be there: a failure is said. */
RbvStatus rbv_stepper_visit(RbvStepper *stepper, double t);

#endif
