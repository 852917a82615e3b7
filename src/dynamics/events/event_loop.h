/* Event loop of a motion: finds the instants of transitions and makes the transitions. Transitions come from contacts
 * (stops, unilateral joints) that close and open, friction contacts that stick and slide, drives and actuators that
 * reach their limits, conditions that engage and release, events, and laws that leave their pieces. Between two
 * transitions the motion is smooth (stepper.h).
 *
 * Each has an indicator: the gap of an open contact, the push of a pressed contact, the truth of a condition, the value
 * of an event. A step over which an indicator changes is examined through its interpolant, and cut at the first instant
 * at which one has changed. */
#ifndef RBV_DYNAMICS_EVENTS_EVENT_LOOP_H
#define RBV_DYNAMICS_EVENTS_EVENT_LOOP_H

#include "dynamics/contact/impact.h"
#include "dynamics/contact/shares.h"
#include "dynamics/integration/knots.h"
#include "dynamics/integration/stepper.h"
#include "solution/audit/impact.h"
#include "solution/reaction/reactions.h"

typedef struct RbvTransition {
    double t;
    const char *name, *kind; /* the model's; impact, land, release, engage, disengage, stick, slip, limit, event */
    double impulse;          /* of an impact [N s or N m s]; NaN: no impulse */
} RbvTransition;

/* Margins of the last three evaluations within a step (crossing.c). */
typedef struct RbvDips {
    int32_t count, looks;
    double t[3], *value; /* [s] instants; [3 count] margins */
} RbvDips;

typedef struct RbvEventLoop {
    RbvArena arena; /* owns the arrays */
    RbvFlow *flow;
    RbvStepper *stepper;
    RbvImpact impact;
    RbvShares shares; /* friction contacts that stick and drives with limits that give way */
    RbvKnots knots;   /* instants at which expressions of time change their form */
    RbvPieces pieces; /* pieces on which piecewise laws are held */
    RbvDips dips;
    int32_t margin_count; /* number of margins (crossing.c) */
    double *margins;      /* [3 margin_count] margins at both ends of a bracket and at the last instant examined */
    double laws_from;     /* [s] instant of the first of the changes of laws counted in law_flips */
    int32_t law_flips;
    bool *active, *acting; /* [rows], [loads] that are active now */
    RbvContacts contacts;
    bool *closed, *pressed;    /* [contacts] gap is closed; contact is pressed */
    bool engages, takes_along; /* a condition engages at this instant; in this jump of velocities */
    double *gaps; /* [4 contacts] gaps and their rates, two per contact: at the previous evaluation, then at the last */
    bool *touching; /* [contacts] at rest since the last jump, but not pressed; then [rows] active rows together with
                       those of such contacts */
    bool *truth;    /* [conditions] truth values */
    bool *switched; /* [conditions] switched at this instant, since the last jump of velocities or states */
    double *were;   /* [n] velocities before the transition */
    bool *opened;   /* [friction contacts] belongs to a contact that was not pressed before the impulses */
    bool *rests;    /* [friction contacts] comes to rest in this transition */
    int32_t count;  /* number of indicators */
    int32_t laws;   /* number of the indicator of laws, the last one */
    int32_t limits; /* number of actuators whose limits have indicators */
    double *met;    /* [events] |value| at the beginning of the step in which the event was reported last */
    double *before, *now;    /* [count] indicators at the beginning of the step; at the last state evaluated */
    double *found;           /* [count] indicators that the transition acts on */
    double *set;             /* [states] values set by events */
    double *value;           /* scratch for expressions */
    bool has_indicators;     /* there are indicators besides that of laws */
    bool pending;            /* a transition is to be made at the present state */
    bool changed;            /* the active rows or loads have changed; the caller clears it */
    bool ended;              /* an event ended the run */
    RbvReactions *reactions; /* impulses of the last impact */
    RbvImpulses impulses;    /* impulses since the beginning of the run */
    RbvImpactAudit audit;    /* audit of each impact */
    const char *cause;       /* name of what caused the last transition */
    double flips_from;       /* [s] instant of the first of the transitions counted in flips */
    int32_t flips;
    double often_from; /* [s] instant of the first of the transitions counted in often: those not caused by contacts */
    int32_t often;
    RbvTransition *transitions; /* in order of time */
    int32_t transition_count, transition_capacity;
} RbvEventLoop;

/* Creates the event loop at the stepper's state: sets active rows and loads, closed contacts and sticking friction
 * contacts of the beginning. BAD_INPUT (reported): a stop is violated there. To be destroyed all the same. */
RbvStatus rbv_event_loop_create(RbvEventLoop *loop, RbvFlow *flow, RbvStepper *stepper, RbvFrame frame);
void rbv_event_loop_destroy(RbvEventLoop *loop);
/* One step, at most to the next transition (loop->pending). Statuses of rbv_stepper_step. */
RbvStatus rbv_event_loop_step(RbvEventLoop *loop, double end);
/* Sets flow->sharing: contacts that touch without being pressed can share the load. Where there are some, it is the
 * active rows and theirs; else NULL. */
void rbv_event_loop_find_sharing(RbvEventLoop *loop);
/* Makes the pending transition: the state is the one after it. INCONSISTENT (reported): an engaged row is violated.
 * LOCKED (reported): transitions follow each other without end. */
RbvStatus rbv_event_loop_make_transition(RbvEventLoop *loop);

#endif
