/* Piecewise laws (mechanics/element/pieces.h) that reach the end of their piece: abs(x) at 0, if(l > 2, ...) at 2. The
 * step ends there, and the motion continues on the next piece.
 *
 * Where the next piece pushes back the motion stays between both pieces (dynamics/integration/between.h) until one of
 * them no longer does: x' = 0 under -5 sign(x'), as long as less than 5 N push.
 *
 * The passage from one piece to the next is not a reported event: forces jump or kink, velocities do not. */
#ifndef RBV_DYNAMICS_EVENTS_LAWS_H
#define RBV_DYNAMICS_EVENTS_LAWS_H

#include "dynamics/events/event_loop.h"

/* Would a law leave its piece at the last state whose positions were evaluated? Expressions that positions do not need
 * are evaluated too: rates of states, masses, potentials at rest. With `forces` known: or would a law between two
 * pieces leave for one of them? */
bool rbv_laws_leave(RbvEventLoop *loop, bool forces);
/* Puts laws on the pieces of the stepper's state, which rbv_stepper_visit has evaluated. LOCKED (reported): the laws
 * never settle, or change too often. */
RbvStatus rbv_laws_go_on(RbvEventLoop *loop);
/* rbv_laws_follow: from now on laws follow the state as it moves (rates_jump: those between two pieces too).
 * rbv_laws_hold: from now on laws are held again, on the pieces of the state. To be called around changes that make
 * velocities jump. */
void rbv_laws_follow(RbvEventLoop *loop, bool rates_jump);
void rbv_laws_hold(RbvEventLoop *loop);

#endif
