/* The inner interface of events: indicators, which show that a transition is due; the search for its instant
 * (crossing.c); and transitions, what events bring about (laws.c, transition*.c). */
#ifndef RBV_DYNAMICS_EVENTS_TRANSITION_H
#define RBV_DYNAMICS_EVENTS_TRANSITION_H

#include "dynamics/events/event_loop.h"
#include "mechanics/system/contacts.h"

/* Words of this room. Indicators are those of event_loop.h. `found`: the indicators of the instant at which the step
 * was cut, NULL at the start of the run; `logs`: false at the start of the run, whose transitions are neither logged
 * nor summed up as impulses. `forces`: the state is projected onto the constraints, with accelerations and multipliers;
 * without them indicators that need forces stay at 1. A friction contact is numbered as in flow->sliding, a drive with
 * a limit as in flow->slipping. It slides in a plane if it has several slip directions, and in a line if it has one. A
 * friction contact of a joint that can lift off belongs to that joint's contact. */

/* Part of the time below which two instants are one. */
#define RBV_EVENT_LOOP_INSTANT 2e-16

/* ---- laws.c: piecewise laws that reach the end of their piece ---- */

/* Would a law leave its piece at the last state whose positions were evaluated? Expressions that positions do not need
 * are evaluated too: rates of states, masses, potentials at rest. With `forces` known: or would a law between two
 * pieces leave for one of them? */
bool rbv_laws_leave(RbvEventLoop *loop, bool forces);
/* Puts laws on the pieces of the stepper's state, which rbv_stepper_visit has evaluated. LOCKED (reported): the laws
 * never settle, or change too often. */
RbvStatus rbv_laws_go_on(RbvEventLoop *loop);
/* rbv_laws_follow: from now on laws follow the state as it moves (rates_jump: those between two pieces too).
 * rbv_laws_hold: from now on laws are held again, on the pieces of the state. To be called around changes that make
 * velocities or forces jump. */
void rbv_laws_follow(RbvEventLoop *loop, bool rates_jump);
void rbv_laws_hold(RbvEventLoop *loop);

/* ---- indicators.c: what shows that a transition is due ---- */

/* Evaluates the indicators value[] at the flow's state; with `forces` also those of loads on contacts and of sticking
 * friction. NOT_FINITE: a condition or an event is not finite (reported). */
RbvStatus rbv_event_loop_indicate(RbvEventLoop *loop, bool forces, double *value);
/* At the end of the run: returns whether an open contact closes there, or a rounding later; its indicator in `now` is
 * then set accordingly. */
bool rbv_event_loop_meets(RbvEventLoop *loop);
/* Return whether indicator k, or any indicator, has changed so that a transition is due. */
bool rbv_event_loop_changes(const RbvEventLoop *loop, int32_t k, const double *now);
bool rbv_event_loop_any_changes(const RbvEventLoop *loop, const double *now);
/* Takes over `now` as the indicators of the present state. */
void rbv_event_loop_remember(RbvEventLoop *loop, const double *now);
/* Returns whether the contact exists now (active:). */
bool rbv_event_loop_is_there(const RbvEventLoop *loop, int32_t contact);
/* Returns `part` times the scale of what the row measures (rbv_state_row_scale) [m, rad or the row's unit]. */
double rbv_event_loop_part_of_size(const RbvEventLoop *loop, int32_t row, double part);
/* Slip velocities [m/s or rad/s] up to this count as rest: rounding of the largest number in v, whatever its unit. */
double rbv_event_loop_rest_rate(const RbvEventLoop *loop);
/* Returns whether the event was logged at stepper->t. */
bool rbv_event_loop_is_logged(const RbvEventLoop *loop, const RbvEventDefinition *event);
/* Returns whether indicator k, of an event logged at this instant, has returned to its earlier side by rounding. */
bool rbv_event_loop_is_rounded(const RbvEventLoop *loop, int32_t k, double now);
/* [m/s or rad/s] Gap velocity of a contact up to which it is rounding. */
double rbv_event_loop_least_rate(const RbvEventLoop *loop, int32_t contact);
/* Largest |Q_j| of the evaluated state, whatever its unit [N, N m]: scale for contact forces. */
double rbv_event_loop_largest_force(const RbvEventLoop *loop);
/* Margin of contact k. If open: its gap [m, rad or the row's unit], negative if passed. If pressed: the force that
 * presses it [N, N m], negative if it pulls by more than rounding of `most`, the largest force (NaN: forces are not
 * known). NaN: no margin. */
double rbv_event_loop_contact_margin(const RbvEventLoop *loop, int32_t k, double most);
/* Returns whether the surfaces of friction contact i touch: not so in a joint that has lifted off, or whose condition
 * (active:) is false. */
bool rbv_event_loop_touches(const RbvEventLoop *loop, int32_t i);
/* Returns the name of the item that indicator k belongs to. */
const char *rbv_event_loop_name_of(const RbvEventLoop *loop, int32_t k);

/* ---- crossing.c: instant of the first transition within a step ---- */

/* Allocates the margins in the arena of the loop, whose contacts and pieces exist. False: out of memory. */
bool rbv_crossing_create(RbvEventLoop *loop);
/* Type of functions that evaluate the indicators at time t [s] within the last step into loop->now; *seen: the state at
 * t is found. */
typedef RbvStatus (*RbvLook)(RbvEventLoop *loop, double t, bool *seen);

/* Appends to loop->dips the margins at the state of loop->now, at time t [s]; begins: t is the beginning of a step, and
 * earlier evaluations no longer count. */
void rbv_dips_note(RbvEventLoop *loop, double t, bool begins);
/* Searches for a change between the three evaluations in loop->dips. *changed becomes true: an indicator has changed at
 * *high and not yet at *low before it [s]; else all three stay as they are. */
RbvStatus rbv_dips_search(RbvEventLoop *loop, RbvLook look, double *low, double *high, bool *changed);

/* Evaluates the indicators into loop->now at time t within the last step: with `forces` at the state projected onto the
 * constraints, else at the interpolated state without forces. *seen false: the state at t cannot be found. NOT_FINITE:
 * an indicator is not finite (reported). */
RbvStatus rbv_crossing_look(RbvEventLoop *loop, double t, bool forces, bool *seen);
/* Narrows the bracket from `low`, where no indicator has changed, to *high, where some have [s], until it is one
 * rounding of the time long: *high is then the instant of a change, the first one if there is one change in the
 * bracket. loop->now has the indicators of the instant evaluated last. */
RbvStatus rbv_crossing_find(RbvEventLoop *loop, double low, double *high, bool forces);
/* Corrects the instant *t [s] found with interpolated states without forces: the projection onto the constraints moves
 * the state a little, and at the projected state an indicator must have changed. */
RbvStatus rbv_crossing_find_projected(RbvEventLoop *loop, double *t);

/* ---- transition_log.c: log, messages and audit ---- */

/* Appends a transition at the stepper's time to the log; impulse [N s or N m s], NaN: none. False: out of memory. */
bool rbv_event_loop_log(RbvEventLoop *loop, const char *name, const char *kind, double impulse);
/* Reports "at t = ... 'name' text"; returns `status`. */
RbvStatus rbv_event_loop_fail(const RbvEventLoop *loop, RbvStatus status, const char *name, const char *text);
/* Reports why numbers are not finite; returns NOT_FINITE, or NO_MEMORY if that was the reason. */
RbvStatus rbv_event_loop_report_not_finite(const RbvEventLoop *loop);
/* Reports that a transition does not settle: because of a known cause (rbv_event_loop_report_failure), or with the text
 * `what` about the item `name` (or NULL). Returns LOCKED. */
RbvStatus rbv_event_loop_report_unsettled(RbvEventLoop *loop, const char *name, const char *what);
/* Verifies the jump of velocities since rbv_impact_audit_begin against the impulses in loop->reactions. AUDIT_FAILED:
 * reported. LOCKED (reported): a known cause lets no impulses be right. */
RbvStatus rbv_event_loop_audit_jump(RbvEventLoop *loop);
/* Verifies the restart of the motion after the impulses, with kinetic energy `kinetic` [J] before it: the restart may
 * change it by no more than the error of positions explains. AUDIT_FAILED, LOCKED: reported. */
RbvStatus rbv_event_loop_audit_restart(RbvEventLoop *loop, double kinetic);

/* ---- transition_friction.c: what slides, sticks and comes to rest ---- */

/* Finds the friction contacts that come to rest (loop->rests): those whose indicators in `found` tell so, and others at
 * rest with them. */
void rbv_event_loop_find_resting(RbvEventLoop *loop, const double *found);
/* Adds the friction contacts that impulses have stopped to those that come to rest (loop->rests). */
void rbv_event_loop_find_stopped(RbvEventLoop *loop);
/* Lets contacts that slide in a plane and come to rest stick, or turn back where no friction could hold them. What is
 * left of their slip velocity is taken by the impulses of their rows in the exchange that follows. False: out of
 * memory. */
bool rbv_event_loop_stop_slow(RbvEventLoop *loop, bool logs);
/* Sets the slip direction of contacts whose slip velocity is against it, and that do not come to rest, to that of the
 * velocity. True: some have turned. */
bool rbv_event_loop_turn_back(RbvEventLoop *loop);
/* Lets friction contacts that come to rest (loop->rests) stick. */
void rbv_event_loop_try_sticking(RbvEventLoop *loop);
/* Restarts the motion at the state and lets what exceeds its limit give way, until all that sticks or follows is within
 * its limits; logs stick, slip, engage. The phases before: was[friction contacts]: which slid; before[friction
 * contacts]: their slip directions; drives[limited drives]: signs of the efforts (0: followed). */
RbvStatus rbv_event_loop_begin_sticking(RbvEventLoop *loop, const bool *was, const RbvSlipVector *before,
                                        const int *drives, bool logs);
/* Returns whether friction that has given way from rest presses together a contact that touched without load, or
 * separates one that was pressed. */
bool rbv_event_loop_contacts_change(const RbvEventLoop *loop);
/* Friction contact i sticks from now on, at the present position. */
void rbv_event_loop_stick(RbvEventLoop *loop, int32_t i);
/* Before impulses: friction contacts whose contact is not pressed slide, and are noted in loop->opened. */
void rbv_event_loop_open_friction(RbvEventLoop *loop);
/* Switches the friction that the joint's own rows carry (rolling, belts) on, sticking, or off. */
void rbv_event_loop_switch_friction(RbvEventLoop *loop, int32_t joint, bool on);
/* Returns the contact (index in loop->contacts) that friction contact i belongs to; -1: it cannot lift off. */
int32_t rbv_event_loop_contact_of(const RbvEventLoop *loop, int32_t i);
/* Friction contact i slides from now on, in its slip direction. */
void rbv_event_loop_slide(RbvEventLoop *loop, int32_t i);
/* Returns whether contact i of the impact (loop->impact.which[i]) is struck: its impulse is more than rounding. */
bool rbv_event_loop_is_struck(const RbvEventLoop *loop, int32_t i);
/* Finds the answer to a unit force [N], or impulse [N s], along slip direction c: generalized force Q[n], so that Q.v
 * is the slip velocity u_c [m/s]; accelerations, or jumps of velocities, x[n]; multipliers, or impulses, mu[rows].
 * False: a number is not finite. */
bool rbv_event_loop_answer_slip(RbvEventLoop *loop, const RbvFrictionContact *friction, int c, double *Q, double *x,
                                double *mu);
/* After impulses: friction of contacts that are not pressed slides; that of contacts that have closed sticks where its
 * slip velocity is zero, else slides in the direction of that velocity. */
void rbv_event_loop_close_friction(RbvEventLoop *loop);

/* ---- transition_together.c: impacts with several friction contacts ---- */

/* Returns whether friction of this impact must be found for all friction contacts at once: several contacts are struck,
 * or the struck one has sticking friction or is a bar, or other friction contacts take part. To be called after the
 * impulses without friction. */
bool rbv_event_loop_slides_together(RbvEventLoop *loop);
/* Finds all impulses anew, together with those of friction (restitution.h), and the phases of friction after them.
 * INCONSISTENT (reported): friction jams the impact; LOCKED (not reported); NO_MEMORY. */
RbvStatus rbv_event_loop_slide_together(RbvEventLoop *loop, bool logs);

/* ---- transition_impulses.c: impulses of contacts, drives and friction ---- */

/* Finds the impulses of active rows and closed contacts, and which contacts are pressed afterwards; *again: rolling
 * rows of a contact become active or inactive, so another pass is needed. LOCKED: there are no such impulses
 * (reported). INCONSISTENT: friction jams; AUDIT_FAILED; NOT_FINITE (all reported); NO_MEMORY. */
RbvStatus rbv_event_loop_exchange_impulses(RbvEventLoop *loop, const double *found, bool logs, bool *again);
/* Before impulses: notes the signs of the efforts of drives with limits, and frees the rows of those that follow where
 * an impact comes, since a limited effort has no impulse. */
void rbv_event_loop_free_drives(RbvEventLoop *loop);

/* ---- transition.c ---- */

/* Makes the transitions that loop->found shows and those that follow at the same instant, pass by pass; `begins`: start
 * of the run, no event has occurred and nothing is logged. Laws must follow the state (rbv_laws_follow). */
RbvStatus rbv_event_loop_settle(RbvEventLoop *loop, bool begins);
/* Start of a run with control (flow->tracking), instead of rbv_event_loop_settle: efforts at their limits are noted in
 * a report. */
RbvStatus rbv_event_loop_begin_control(RbvEventLoop *loop);

#endif
