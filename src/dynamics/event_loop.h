/* What happens on the way: contacts (stops, unilateral joints) that are met and left, conditions that engage and
 * release, events. Between two of them the motion is smooth (stepper.h).
 *
 * Each has an indicator: the gap of a contact, the force of one that is pressed, the truth of a condition, the value of
 * an event. A step over which one changes is looked at through its interpolant, and cut where the first one changes.
 */
#ifndef RBV_DYNAMICS_EVENT_LOOP_H
#define RBV_DYNAMICS_EVENT_LOOP_H

#include "audit/impact.h"
#include "dynamics/impact.h"
#include "dynamics/knots.h"
#include "dynamics/shares.h"
#include "dynamics/stepper.h"
#include "reaction/reactions.h"

typedef struct RbvTransition {
    double t;
    const char *name, *kind; /* the model's; impact, land, release, engage, disengage, stick, slip, limit, event */
    double impulse;          /* impact: [N s or N m s]; NaN: none */
} RbvTransition;

/* The last three looks at a step (dynamics/dips.h). */
typedef struct RbvDips {
    int32_t count, looks;
    double t[3], *value; /* [s], [3 count] */
} RbvDips;

typedef struct RbvEventLoop {
    RbvFlow *flow;
    RbvStepper *stepper;
    RbvImpact impact;
    RbvShares shares; /* what gives way of friction that sticks and of drives with limits */
    RbvKnots knots;   /* of time, where forces change their form */
    RbvPieces pieces; /* that laws are held on */
    RbvDips dips;
    int32_t margin_count; /* dynamics/crossing.h */
    double *margins;      /* [3 margin_count] at both ends of a bracket, and where it was looked at last */
    double laws_from;     /* [s] of the first of the last changes of laws that were counted */
    int32_t law_flips;
    bool *active, *acting; /* [rows], [loads] that hold and act now */
    RbvContacts contacts;
    bool *closed, *held;       /* [contacts] */
    bool engages, takes_along; /* a condition engages at this instant; in this jump */
    double *gaps;              /* [4 contacts] gaps and their rates at the last look, then at this one */
    bool *touching; /* [contacts] at rest since the last jump, but not pressed; then [rows] what holds, with theirs */
    bool *truth;    /* [conditions] */
    bool *switched; /* [conditions] at this instant, since rates or states have jumped last */
    double *were;   /* [n] rates before what happens */
    bool *opened;   /* [friction contacts] of contacts that did not press before the impulses */
    bool *rests;    /* [friction contacts] came to rest where something happens */
    int32_t count;  /* of indicators */
    int32_t laws;   /* the indicator of laws, behind all others */
    int32_t limits; /* of actuators whose limits are watched */
    double *met;    /* [events] their values at the beginning of the step in which they were told last */
    double *before, *now;    /* [count] at the step's beginning; where it was looked at last */
    double *found;           /* [count] what happens */
    double *set;             /* [states] what events set */
    double *value;           /* expression scratch */
    bool watches;            /* there is something to look for besides laws */
    bool pending;            /* the state is where something happens */
    bool changed;            /* other rows hold, or loads act, than at the last question */
    bool ended;              /* an event ended the run */
    RbvReactions *reactions; /* of the last impact */
    RbvImpulses impulses;    /* since the beginning */
    RbvImpactAudit audit;    /* of each impact */
    const char *cause;       /* name of what happened last */
    double flips_from;       /* [s] of the first of the last events that were counted */
    int32_t flips;
    double often_from; /* [s] likewise of changes that no contact brings about */
    int32_t often;
    RbvTransition *transitions; /* in the order of time */
    int32_t transition_count, transition_capacity;
} RbvEventLoop;

/* Stops and conditions at the stepper's state are those of the beginning. BAD_INPUT: a stop is passed already (said).
 * To be destroyed all the same. */
RbvStatus rbv_event_loop_create(RbvEventLoop *loop, RbvFlow *flow, RbvStepper *stepper, RbvFrame frame);
void rbv_event_loop_destroy(RbvEventLoop *loop);
/* One step, to where something happens (pending) at the longest. Statuses as of rbv_stepper_step. */
RbvStatus rbv_event_loop_step(RbvEventLoop *loop, double end);
/* Contacts that touch without being pressed could share the load: where there are some, flow->sharing is the rows that
 * hold and theirs. */
void rbv_event_loop_find_sharing(RbvEventLoop *loop);
/* Let it happen: the state is the one after it. INCONSISTENT: what engages does not fit (said); LOCKED: it happens
 * without end (said). */
RbvStatus rbv_event_loop_make_transition(RbvEventLoop *loop);

#endif
