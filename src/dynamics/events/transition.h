/* Indicators of events (indicators.c), used by event_loop.c to find their instants, and transitions: what events bring
 * about (transition*.c). */
#ifndef RBV_DYNAMICS_EVENTS_TRANSITION_H
#define RBV_DYNAMICS_EVENTS_TRANSITION_H

#include "dynamics/events/laws.h"
#include "mechanics/system/contacts.h"

/* indicators.c */
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
/* Returns `part` times the size of the row's part [m or rad]. */
double rbv_event_loop_part_of_size(const RbvEventLoop *loop, int32_t row, double part);
/* Joint velocities below this count as rest: rounding of the largest velocity. */
double rbv_event_loop_rest_rate(const RbvEventLoop *loop);
/* Returns whether the event was logged at this instant. */
bool rbv_event_loop_is_told(const RbvEventLoop *loop, const RbvEventDefinition *event);
/* Returns whether indicator k, of an event logged at this instant, has returned to its earlier side by rounding. */
bool rbv_event_loop_is_rounded(const RbvEventLoop *loop, int32_t k, double now);
/* [m/s or rad/s] Gap velocity of a contact up to which it is rounding. */
double rbv_event_loop_least_rate(const RbvEventLoop *loop, int32_t contact);
/* Largest generalized force of the evaluated state: scale for contact forces. */
double rbv_event_loop_largest_force(const RbvEventLoop *loop);
/* Margin of contact k. If open: its gap, negative if passed. If closed: the force that presses it, negative if it pulls
 * by more than rounding of `most`, the largest force (NaN: forces are not known). NaN: no margin. */
double rbv_event_loop_contact_margin(const RbvEventLoop *loop, int32_t k, double most);
/* Returns whether the surfaces of friction contact i touch: not so in a joint that has lifted off. */
bool rbv_event_loop_touches(const RbvEventLoop *loop, int32_t i);
/* Returns whether friction contact i with several slip directions comes to rest at once: its slip would stop within a
 * small part of the longest step. (Slip in several directions never becomes exactly zero by itself.) */
bool rbv_event_loop_at_rest(const RbvEventLoop *loop, int32_t i);
/* Returns the name of the item that indicator k belongs to. */
const char *rbv_event_loop_name_of(const RbvEventLoop *loop, int32_t k);

/* Relative to the longest step: bounces shorter than this count as rest. */
#define RBV_EVENT_LOOP_REST 1e-7

/* transition_log.c */
/* Appends a transition at the stepper's time to the log; impulse [N s or N m s], NaN: none. False: out of memory. */
bool rbv_event_loop_tell(RbvEventLoop *loop, const char *name, const char *kind, double impulse);
/* Reports "at t = ... 'name' text"; returns `status`. */
RbvStatus rbv_event_loop_fail(const RbvEventLoop *loop, RbvStatus status, const char *name, const char *text);
/* Returns whether the failure has a known cause (failure_cause.h), such as drives that push into closed contacts or a
 * lock-up; then that cause is reported. */
bool rbv_event_loop_report_failure(RbvEventLoop *loop);
/* Reports why numbers are not finite; returns NOT_FINITE, or NO_MEMORY if that was the reason. */
RbvStatus rbv_event_loop_report_not_finite(const RbvEventLoop *loop);
/* Reports that a transition does not settle: because of a known cause (rbv_event_loop_report_failure), or with the text
 * `what` about the item `name` (or NULL). Returns LOCKED. */
RbvStatus rbv_event_loop_report_unsettled(RbvEventLoop *loop, const char *name, const char *what);

/* transition_conditions.c */
/* Applies conditions that have changed. INCONSISTENT: what engages does not fit its position or velocity (reported). */
RbvStatus rbv_event_loop_switch_conditions(RbvEventLoop *loop, const double *now, bool tells);
/* To be called after rbv_event_loop_switch_conditions; found[k] are the indicators of the state as it then is. A
 * condition that has switched and switches back, while neither velocities (compared with loop->were) nor states (sets)
 * have jumped, does so by rounding: active rows are placed anew and may be on the other side of the switching point.
 * The condition is kept as switched. */
void rbv_event_loop_keep_switched(RbvEventLoop *loop, bool sets, double *found);

/* transition_impulses.c */
/* Finds the impulses of active rows and closed contacts, and which contacts are pressed afterwards; *again: rolling
 * rows of a contact become active or inactive, so another pass is needed. LOCKED: there are no such impulses
 * (reported). */
RbvStatus rbv_event_loop_exchange_impulses(RbvEventLoop *loop, const double *found, bool tells, bool *again);

/* transition_sticking.c */
/* Finds the friction contacts that come to rest: those of the event `found`, and others at rest with them. */
void rbv_event_loop_find_resting(RbvEventLoop *loop, const double *found);
/* Adds the friction contacts that impulses have stopped to those that come to rest (loop->rests). */
void rbv_event_loop_find_stopped(RbvEventLoop *loop);
/* Contacts sliding in a plane come to rest with a remaining velocity, which friction takes by an impulse. False: out of
 * memory. */
bool rbv_event_loop_stop_slow(RbvEventLoop *loop, bool tells);
/* Reverses the slip direction in joints that an impact turned back. True: some do. */
bool rbv_event_loop_turn_back(RbvEventLoop *loop);
/* Lets joints that come to rest stick. */
void rbv_event_loop_try_sticking(RbvEventLoop *loop);
/* Restarts the motion at the state, with sticking friction within its limits. Before: was[friction contacts]: which
 * slid; before[friction contacts]: their slip directions; drives[limited drives]: their signs. */
RbvStatus rbv_event_loop_begin_sticking(RbvEventLoop *loop, const bool *was, const RbvSlipVector *before,
                                        const int *drives, bool tells);
/* Returns whether friction that has given way from rest presses together a contact that touched without load, or
 * separates one that was pressed. */
bool rbv_event_loop_contacts_change(const RbvEventLoop *loop);

/* transition_audit.c */
/* Verifies velocity jumps against the impulses in loop->reactions; loop->audit must have begun before. AUDIT_FAILED:
 * reported. */
RbvStatus rbv_event_loop_audit_jump(RbvEventLoop *loop);
/* Verifies the restart of the motion, with kinetic energy `kinetic` [J] before: the restart may change it by no more
 * than the error of positions explains. AUDIT_FAILED: reported. */
RbvStatus rbv_event_loop_audit_restart(RbvEventLoop *loop, double kinetic);

/* transition_drives.c */
/* Frees the rows of drives with limits that follow where an impact comes. */
void rbv_event_loop_free_drives(RbvEventLoop *loop);
/* After the impulses: decides which drives with limits follow, which slip, and their signs. `found`: the indicators of
 * the event, or NULL. True: a row became active. */
bool rbv_event_loop_decide_drives(RbvEventLoop *loop, const double *found);

/* transition_friction.c */
/* Friction contact i sticks from now on, at the present position. */
void rbv_event_loop_stick(RbvEventLoop *loop, int32_t i);
/* Before impulses: friction contacts of open contacts slide. */
void rbv_event_loop_open_friction(RbvEventLoop *loop);
/* Switches the rolling friction of a joint on, sticking as far as it can, or off. */
void rbv_event_loop_switch_friction(RbvEventLoop *loop, int32_t joint, bool on);
/* Returns the contact of friction contact i; -1: it cannot lift off. */
int32_t rbv_event_loop_contact_of(const RbvEventLoop *loop, int32_t i);
/* Friction contact i slides from now on, in its slip direction. */
void rbv_event_loop_slide(RbvEventLoop *loop, int32_t i);
/* Returns whether contact i of the impact is struck. */
bool rbv_event_loop_is_struck(const RbvEventLoop *loop, int32_t i);
/* Finds the answer to a unit force along slip direction c: generalized force Q[n] (Q.v is the slip velocity), x[n],
 * multipliers mu[rows]. False: a number is not finite. */
bool rbv_event_loop_answer_slip(RbvEventLoop *loop, const RbvFrictionContact *friction, int c, double *Q, double *x,
                                double *mu);
/* Slip velocity that counts as zero after impulses: rounding of the velocities before, or the rest velocity. */
double rbv_event_loop_stopped_rate(const RbvEventLoop *loop);
/* After impulses: friction of contacts that have closed sticks where it no longer slides. */
void rbv_event_loop_close_friction(RbvEventLoop *loop);

/* transition_together.c */
/* Returns whether this impact involves several contacts with friction, or friction contacts that stick or slide besides
 * the struck one. */
bool rbv_event_loop_slides_together(RbvEventLoop *loop);
/* Finds all impulses anew, together with those of friction (friction_impact.h). Statuses as of rbv_event_loop_strike.
 */
RbvStatus rbv_event_loop_slide_together(RbvEventLoop *loop, bool tells);

/* transition_strike.c */
/* To be called after the impulses without friction: adds friction of a contact struck alone (friction_impact.h), or of all
 * friction contacts together. LOCKED or INCONSISTENT (reported), NO_MEMORY. */
RbvStatus rbv_event_loop_strike(RbvEventLoop *loop, bool tells);

/* transition.c */
/* Makes the transitions that loop->found shows and those that follow at the same instant; `begins`: start of the run,
 * no event has occurred. */
RbvStatus rbv_event_loop_settle(RbvEventLoop *loop, bool begins);

/* effort_limits.c: control by actuators, without velocity jumps. */
/* Start of the run: no event has occurred; reports a note for efforts at their limits. */
RbvStatus rbv_event_loop_begin_control(RbvEventLoop *loop);
/* Continues with efforts that reach or leave a limit. */
RbvStatus rbv_event_loop_take_limits(RbvEventLoop *loop);

#endif
