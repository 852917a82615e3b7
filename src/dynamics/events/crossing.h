/* Instant of the first transition within a step: between an instant at which no indicator has changed and one at which
 * some have.
 *
 * Indicators are yes or no; many have a margin, a number that passes zero when the indicator changes: gaps and pushes
 * of contacts, distances of friction and efforts from their limits, slip velocities, values of events, margins of laws.
 * Where a margin changes its sign over the bracket, the next instant examined is the root of its secant, moved beyond
 * the root by a multiple of the difference between the last two roots, so that both ends of the bracket come near;
 * without such a margin, or where this does not shorten the bracket, the next instant is the middle of the bracket. */
#ifndef RBV_DYNAMICS_EVENTS_CROSSING_H
#define RBV_DYNAMICS_EVENTS_CROSSING_H

#include "dynamics/events/event_loop.h"

/* Allocates the margins, which the event loop owns. False: out of memory. */
bool rbv_crossing_create(RbvEventLoop *loop);
/* Evaluates the indicators into loop->now at time t within the last step: with `forces` at the state projected onto the
 * constraints, else at the interpolated state without forces. *seen false: the state at t cannot be found. NOT_FINITE:
 * an indicator is not finite (reported). */
RbvStatus rbv_crossing_look(RbvEventLoop *loop, double t, bool forces, bool *seen);
/* Finds the first double *high at which an indicator has changed, between `low`, where none has, and *high, where some
 * have. */
RbvStatus rbv_crossing_find(RbvEventLoop *loop, double low, double *high, bool forces);
/* Corrects the instant *t found with interpolated states: the projection onto the constraints moves the state a little,
 * and at the projected state an indicator must have changed. */
RbvStatus rbv_crossing_find_held(RbvEventLoop *loop, double *t);

#endif
