/* Margins that pass zero and return between two evaluations of a step: slip velocities of friction contacts and drives,
 * events, margins of laws. A parabola through three evaluations gives the candidate for the minimum, and an evaluation
 * there decides. Contacts, whose gap rates are known, use a cubic (event_loop.c). */
#ifndef RBV_DYNAMICS_EVENTS_DIPS_H
#define RBV_DYNAMICS_EVENTS_DIPS_H

#include "dynamics/events/event_loop.h"

/* Evaluates the indicators at time t within the last step into loop->now; *seen: the state at t is found. */
typedef RbvStatus (*RbvLook)(RbvEventLoop *loop, double t, bool *seen);

/* Allocates the margins. False: out of memory; to be destroyed all the same. */
bool rbv_dips_create(RbvDips *dips, const RbvFlow *flow, const RbvPieces *pieces);
void rbv_dips_destroy(RbvDips *dips);
/* Margin k (0 ... count - 1) at the state of loop->now: a number that changes its sign where its indicator changes;
 * NaN: no transition is possible there, or the indicator has no margin. */
double rbv_dips_value(const RbvEventLoop *loop, int32_t k);
/* Appends the margins at the state of loop->now, at time t, to the last three evaluations; begins: t is the beginning
 * of a step, and earlier evaluations no longer count. */
void rbv_dips_note(RbvEventLoop *loop, double t, bool begins);
/* Searches for a change between the last three evaluations. *changed: an indicator has changed at *high and not yet at
 * *low before it. */
RbvStatus rbv_dips_search(RbvEventLoop *loop, RbvLook look, double *low, double *high, bool *changed);

#endif
