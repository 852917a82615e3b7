/* Event loop of a motion: finds the instants of transitions and makes the transitions. Transitions come from contacts
 * (stops, unilateral joints) that close and open, friction contacts that stick and slide, drives and actuators that
 * reach their limits, conditions that engage and release, events, and laws that leave their pieces. Between two
 * transitions the motion is smooth (stepper.h).
 *
 * Each has an indicator, a number. A step over which an indicator changes is examined through its interpolant, and cut
 * at the first instant at which one has changed. The indicators stand in one array, in this order:
 *
 *   contacts              -1: an open contact is violated and closes, or a pressed contact pulls; else 1
 *   conditions            0: false, 1: true; a change of the value calls for a transition
 *   events                the value of the expression, or -1/2, 1/2 for a truth value; its change of sign does
 *   friction contacts     -1: a sliding one stops or turns back, or a sticking one exceeds its limit; else 1
 *   drives with limits    -1: a slipping one has reached its motion, a following one exceeds its limit; else 1
 *   actuators with limits -1: the effort has reached or left a limit; else 1
 *   laws                  one for all; -1: a law leaves its piece, or the place between two pieces; else 1
 *
 * An open contact has an inactive row. A contact is closed if its gap is zero to a tolerance, and pressed if its row is
 * active and can push; one that is closed at rest without being pressed touches.
 *
 * The caller alternates rbv_event_loop_step and, where that leaves `pending`, rbv_event_loop_make_transition
 * (analysis/analyses/simulate.c). */
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
    /* name: of the item in the model. kind: impact, land, release of contacts; engage, disengage of conditions; stick,
     * slip of friction contacts; slip, engage of drives with limits; limit, release of actuators; event. */
    const char *name, *kind;
    double impulse; /* of an impact [N s or N m s]; NaN: no impulse */
} RbvTransition;

/* The last three evaluations, within one step, of the margins that can pass zero and return unseen (crossing.c). */
typedef struct RbvDips {
    int32_t count, looks; /* number of such margins; number of evaluations so far in this step */
    double t[3], *value;  /* [s] instants, oldest first; [3][count] margins there */
} RbvDips;

typedef struct RbvEventLoop {
    RbvArena arena;      /* owns the arrays */
    RbvFlow *flow;       /* the caller's; its state is the one that indicators and transitions read and change */
    RbvStepper *stepper; /* the caller's */
    RbvImpact impact;    /* the impulses of the last jump of velocities */
    RbvShares shares;    /* friction contacts that stick and drives with limits that give way */
    RbvKnots knots;      /* instants at which expressions of time change their form */
    RbvPieces pieces;    /* pieces on which piecewise laws are held */
    RbvDips dips;
    int32_t margin_count;  /* number of margins (crossing.c) */
    double *margins;       /* [3 margin_count] margins at both ends of a bracket and at the last instant examined */
    double laws_from;      /* [s] instant of the first of the changes of laws counted in law_flips */
    int32_t law_flips;     /* number of these changes */
    bool *active, *acting; /* [rows], [loads] that are active now */
    RbvContacts contacts;
    bool *closed, *pressed;    /* [contacts] gap was closed at the last jump of velocities; contact is pressed */
    bool engages, takes_along; /* a condition has become true since the last jump of velocities; it had done so before
                                  the jump that is being made */
    double *gaps;              /* [2][contacts][2] gap and gap rate: at the previous evaluation, then at the last */
    bool *touching; /* [contacts] at rest since the last jump, but not pressed; behind them, in the same block, [rows]
                       active rows together with those of such contacts, which flow->sharing points to */
    bool *truth;    /* [conditions] truth values */
    bool *switched; /* [conditions] switched at this instant, since the last jump of velocities or states */
    double *were;   /* [n] velocities before the pass of the transition that is being made */
    bool *opened;   /* [friction contacts] belongs to a contact that was not pressed before the impulses */
    bool *rests;    /* [friction contacts] comes to rest in this transition */
    int32_t count;  /* number of indicators, that of laws included */
    int32_t laws;   /* index of the indicator of laws, the last one */
    int32_t limits; /* number of actuators whose limits have indicators */
    double *met;    /* [events] |value| at the beginning of the step in which the event was reported last */
    double *before, *now;    /* [count] indicators at the beginning of the step, where an event that is zero keeps the
                                value of the side it came from; at the last state evaluated */
    double *found;           /* [count] indicators that the transition acts on */
    double *set;             /* [states] values that the events of one instant set */
    double *value;           /* scratch for expressions */
    bool has_indicators;     /* there are indicators besides that of laws */
    bool pending;            /* a transition is to be made at stepper->t; `now` has its indicators */
    bool changed;            /* velocities have jumped, or active rows or loads changed; the caller clears it */
    bool ended;              /* an event ended the run */
    RbvReactions *reactions; /* impulses of the last impact */
    RbvImpulses impulses;    /* sums of the impulses since the start of the run, those of the start itself left out */
    RbvImpactAudit audit;    /* audit of each impact */
    const char *cause;       /* name of what caused the last transition; "": none yet */
    double flips_from;       /* [s] instant of the first of the passes of transitions counted in flips */
    int32_t flips;
    double often_from; /* [s] instant of the first of the passes counted in often: those not caused by contacts */
    int32_t often;
    RbvTransition *transitions; /* in order of time */
    int32_t transition_count, transition_capacity;
} RbvEventLoop;

/* Creates the event loop at the stepper's state: sets active rows and loads, closed contacts and sticking friction
 * contacts of the beginning, and velocities that fit them. BAD_INPUT (reported): a stop is violated there; NO_MEMORY,
 * NOT_FINITE; statuses of rbv_event_loop_make_transition. To be destroyed all the same. */
RbvStatus rbv_event_loop_create(RbvEventLoop *loop, RbvFlow *flow, RbvStepper *stepper, RbvFrame frame);
void rbv_event_loop_destroy(RbvEventLoop *loop);
/* Makes one step, not beyond `end` [s] (the end of the run) and at most to the next transition. No transition may be
 * pending before; loop->pending afterwards: one is due at stepper->t. No step is made where forces that jump at a
 * knot of time (knots.h) call for a transition at once. Statuses of
 * rbv_stepper_step. */
RbvStatus rbv_event_loop_step(RbvEventLoop *loop, double end);
/* Gives the user's states the values own[states] at the present instant, between two steps. Forces and indicators are
 * evaluated anew; loop->pending: a transition is due. */
RbvStatus rbv_event_loop_set_states(RbvEventLoop *loop, const double *own);
/* Sets flow->sharing: contacts that touch without being pressed can share the load. Where there are some, it is the
 * active rows and theirs; else NULL. */
void rbv_event_loop_find_sharing(RbvEventLoop *loop);
/* Makes the pending transition at stepper->t: the state is the one after it. Before the call the flow's state must be
 * that of stepper->t (rbv_stepper_visit). INCONSISTENT (reported): an engaged row is violated. LOCKED (reported):
 * transitions follow each other without end, or no impulses are found. AUDIT_FAILED, NOT_FINITE (reported), NO_MEMORY.
 */
RbvStatus rbv_event_loop_make_transition(RbvEventLoop *loop);

#endif
