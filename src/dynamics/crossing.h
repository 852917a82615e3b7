/* Where in a step something happens for the first time: between an instant at which no indicator has changed and one at
 * which some have.
 *
 * Indicators say whether; many have a margin, a number that passes zero with them: gaps and pushes of contacts,
 * friction and efforts below their limits, rates of what slides, values of events, margins of laws. Where one changes
 * its sign between both instants the next look is at its secant's root, or as far beyond it as the last root was off,
 * so that both ends come near; else, and where that does not shorten the bracket, in its middle.
 */
#ifndef RBV_DYNAMICS_CROSSING_H
#define RBV_DYNAMICS_CROSSING_H

#include "dynamics/event_loop.h"

/* Room for margins, kept in the event loop. False: no memory. */
bool rbv_crossing_create(RbvEventLoop *loop);
/* Indicators at t between, in loop->now, at a state that rows hold (with `forces`) or at the interpolated one.
 * NOT_FINITE: one is (said). Elsewhere *seen false: the state there is not found. */
RbvStatus rbv_crossing_look(RbvEventLoop *loop, double t, bool forces, bool *seen);
/* Between low, where nothing has changed, and *high, where something has: *high is the first double at which it has. */
RbvStatus rbv_crossing_find(RbvEventLoop *loop, double low, double *high, bool forces);
/* Rows move the interpolated state by a little, and with it the instant *t that was found there: an event must have
 * happened at the state that is kept. */
RbvStatus rbv_crossing_find_held(RbvEventLoop *loop, double *t);

#endif
