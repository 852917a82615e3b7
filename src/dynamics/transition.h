/* What shows that something happens (indicators.c), for finding where (event_loop.c), and letting it happen
 * (happen*.c). */
#ifndef RBV_DYNAMICS_TRANSITION_H
#define RBV_DYNAMICS_TRANSITION_H

#include "dynamics/laws.h"
#include "system/conditions.h"

/* indicators.c */
/* Indicators at the flow's state; with `forces` of what is pressed or sticks too. NOT_FINITE: a condition or an event
 * is (said). */
RbvStatus rbv_event_loop_indicate(RbvEventLoop *loop, bool forces, double *value);
/* At the end of the run: is an open contact met there, or a rounding later? Its indicator in `now` says so then. */
bool rbv_event_loop_meets(RbvEventLoop *loop);
/* Has indicator k, or any, changed so that something happens? */
bool rbv_event_loop_changes(const RbvEventLoop *loop, int32_t k, const double *now);
bool rbv_event_loop_any_changes(const RbvEventLoop *loop, const double *now);
/* Indicators are those of the state from now on. */
void rbv_event_loop_remember(RbvEventLoop *loop, const double *now);
/* Is the contact there at all? */
bool rbv_event_loop_is_there(const RbvEventLoop *loop, int32_t contact);
/* [m or rad] What counts as nothing, as a part of the size of the row's part. */
double rbv_event_loop_part_of_size(const RbvEventLoop *loop, int32_t row, double part);
/* Rates of joints slower than this are rest: rounding of the fastest. */
double rbv_event_loop_rest_rate(const RbvEventLoop *loop);
/* Has the event been told at this instant? */
bool rbv_event_loop_is_told(const RbvEventLoop *loop, const RbvEventDefinition *event);
/* Has indicator k, of an event that has been told at this instant, come back to the side it left, by rounding? */
bool rbv_event_loop_is_rounded(const RbvEventLoop *loop, int32_t k, double now);
/* [m/s or rad/s] Up to which the rate of a contact's gap is rounding. */
double rbv_event_loop_least_rate(const RbvEventLoop *loop, int32_t contact);
/* The largest generalized force of the evaluated state: what pushes on contacts are held against. */
double rbv_event_loop_largest_force(const RbvEventLoop *loop);
/* Of contact k: its gap where it is open, below 0 where it is passed; where it is held the force that presses it,
 * below 0 where it pulls by more than rounding of `most`, the largest force (NaN: forces are not known). NaN: it has
 * none. */
double rbv_event_loop_contact_margin(const RbvEventLoop *loop, int32_t k, double most);
/* Do the faces of friction number i touch? Those of a joint that has lifted off do not. */
bool rbv_event_loop_touches(const RbvEventLoop *loop, int32_t i);
/* Do faces that slide in several directions come to rest at once? They never stand still along all of them by
 * themselves. */
bool rbv_event_loop_at_rest(const RbvEventLoop *loop, int32_t i);
/* Whose indicator k is. */
const char *rbv_event_loop_name_of(const RbvEventLoop *loop, int32_t k);

/* Of the longest step: bounces shorter than this count as rest. */
#define RBV_EVENT_LOOP_REST 1e-7

/* transition_log.c */
/* Add what happens at the stepper's time. False: no memory. */
bool rbv_event_loop_tell(RbvEventLoop *loop, const char *name, const char *kind, double impulse);
/* "at t = ... 'name' text" is said; the status. */
RbvStatus rbv_event_loop_fail(const RbvEventLoop *loop, RbvStatus status, const char *name, const char *text);
/* Is what is closed something that drives push into, or is there a lock-up? Then that is said (failure_cause.h). */
bool rbv_event_loop_report_failure(RbvEventLoop *loop);
/* Numbers are not finite, and why is said; or there was no memory. The status. */
RbvStatus rbv_event_loop_report_not_finite(const RbvEventLoop *loop);
/* Nothing settles: because drives push into a stop, or as said, of what is named (or NULL). LOCKED. */
RbvStatus rbv_event_loop_report_unsettled(RbvEventLoop *loop, const char *name, const char *what);

/* transition_conditions.c */
/* Conditions that have changed take effect. INCONSISTENT: what engages does not fit (said). */
RbvStatus rbv_event_loop_switch_conditions(RbvEventLoop *loop, const double *now, bool tells);
/* After it, found[k] are those of the state as it then is. A condition that has switched and is as before, where
 * neither rates (against loop->were) nor states (sets) have jumped since, is so by rounding: what holds is placed
 * anew, and so stands on the other side of where the condition changes. It stays. */
void rbv_event_loop_keep_switched(RbvEventLoop *loop, bool sets, double *found);

/* transition_impulses.c */
/* Impulses of what holds and of contacts that are closed, and which of these are pressed then; *again: what rolls with
 * one begins or ceases to. LOCKED: there are none (said). */
RbvStatus rbv_event_loop_exchange_impulses(RbvEventLoop *loop, const double *found, bool tells, bool *again);

/* transition_sticking.c */
/* Which faces come to rest: those that led here, and what stands still with them. */
void rbv_event_loop_find_resting(RbvEventLoop *loop, const double *found);
/* And those that impulses have stopped. */
void rbv_event_loop_find_stopped(RbvEventLoop *loop);
/* Faces that slide in a plane come to rest with what is left of their rates: friction takes that by an impulse. False:
 * no memory. */
bool rbv_event_loop_stop_slow(RbvEventLoop *loop, bool tells);
/* Joints that an impact turned back slide the other way. True: some do. */
bool rbv_event_loop_turn_back(RbvEventLoop *loop);
/* Joints that come to rest may stick. */
void rbv_event_loop_try_sticking(RbvEventLoop *loop);
/* The motion begins again at the state; friction that sticks does so within its limits. was[friction contacts],
 * before[friction contacts]: what slid, and the ways of it; drives[...]: the signs of drives before. */
RbvStatus rbv_event_loop_begin_sticking(RbvEventLoop *loop, const bool *was, const RbvSlipVector *before,
                                        const int *drives, bool tells);
/* Has friction given way from rest, and drives the faces of a contact together that touched without being pressed while
 * it stuck, or apart, that were pressed? */
bool rbv_event_loop_contacts_change(const RbvEventLoop *loop);

/* transition_audit.c */
/* Rates have jumped, impulses are in loop->reactions, and loop->audit has begun before. AUDIT_FAILED: said. */
RbvStatus rbv_event_loop_audit_jump(RbvEventLoop *loop);
/* The motion has begun again, and holds what holds now, from rates with that kinetic energy [J]: it may have changed
 * them by no more than positions were off. AUDIT_FAILED: said. */
RbvStatus rbv_event_loop_audit_restart(RbvEventLoop *loop, double kinetic);

/* transition_drives.c */
/* Drives with limits that follow give up their rows where an impact comes. */
void rbv_event_loop_free_drives(RbvEventLoop *loop);
/* After the impulses: which of them follow, and which slip, and where to. `found`: the indicators that led here, or
 * NULL. True: a row holds that did not. */
bool rbv_event_loop_decide_drives(RbvEventLoop *loop, const double *found);

/* transition_friction.c */
/* Friction number i sticks from now on, where the joint is. */
void rbv_event_loop_stick(RbvEventLoop *loop, int32_t i);
/* Before impulses: those that are open slide. */
void rbv_event_loop_open_friction(RbvEventLoop *loop);
/* What rolls by its friction, of that joint, is there from now on, and sticks as far as it can, or is not. */
void rbv_event_loop_switch_friction(RbvEventLoop *loop, int32_t joint, bool on);
/* The contact of friction number i; -1: it cannot let go. */
int32_t rbv_event_loop_contact_of(const RbvEventLoop *loop, int32_t i);
/* From now on it slides, the way it does. */
void rbv_event_loop_slide(RbvEventLoop *loop, int32_t i);
/* Is number i of the impact's contacts struck? */
bool rbv_event_loop_is_struck(const RbvEventLoop *loop, int32_t i);
/* What a unit force on way c brings about: its generalized force Q[n], of which Q.v is the slip, x[n] and the
 * multipliers mu[rows]. False: a number is not finite. */
bool rbv_event_loop_answer_slip(RbvEventLoop *loop, const RbvFrictionContact *friction, int c, double *Q, double *x,
                                double *mu);
/* Of the rates before impulses, or of those now: up to it what is left is rounding. */
double rbv_event_loop_stopped_rate(const RbvEventLoop *loop);
/* After all: what has landed sticks where it no longer slides. */
void rbv_event_loop_close_friction(RbvEventLoop *loop);

/* transition_together.c */
/* Do several contacts rub in this impact, or faces that hold or slide beside what is struck? */
bool rbv_event_loop_slides_together(RbvEventLoop *loop);
/* All impulses anew, with those of friction (friction_impact.h). Statuses as of rbv_event_loop_strike. */
RbvStatus rbv_event_loop_slide_together(RbvEventLoop *loop, bool tells);

/* transition_strike.c */
/* After those without friction: that of a contact that is struck alone (strike.h), or of all that rubs. LOCKED (said),
 * NO_MEMORY. */
RbvStatus rbv_event_loop_strike(RbvEventLoop *loop, bool tells);

/* transition.c */
/* Let happen what loop->found shows, and what follows from it at the same instant; begins: the run begins, nothing
 * has happened. */
RbvStatus rbv_event_loop_settle(RbvEventLoop *loop, bool begins);

/* effort_limits.c: control by actuators, where rates do not jump. */
/* Nothing has happened at the beginning; efforts at their limits are noted. */
RbvStatus rbv_event_loop_begin_control(RbvEventLoop *loop);
/* The motion goes on with efforts that reach a limit, or leave it. */
RbvStatus rbv_event_loop_take_limits(RbvEventLoop *loop);

#endif
