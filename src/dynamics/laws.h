/* Laws that come to the end of the pieces they are held on (element/pieces.h): abs(x) at 0, if(l > 2, ...) at 2. The
 * step ends there, and the motion goes on with the next pieces.
 *
 * Where the next piece pushes back the motion stays between both (dynamics/between.h), until one of them no longer
 * does: x' = 0 under -5 sign(x'), as long as less than 5 N push.
 *
 * That a law passes from one piece to the next is no event: forces jump or kink, rates do not.
 */
#ifndef RBV_DYNAMICS_LAWS_H
#define RBV_DYNAMICS_LAWS_H

#include "dynamics/event_loop.h"

/* Of the state that was placed last: would a law leave its piece? What places alone do not ask for is looked at, too:
 * rates of states, masses, potentials at rest. */
/* With `forces` known, what is between two pieces, too, and would leave for one of them. */
bool rbv_laws_leave(RbvEventLoop *loop, bool forces);
/* At the stepper's state, which was visited, laws go on on the pieces it is on. LOCKED: they never settle, or do so too
 * often (said). */
RbvStatus rbv_laws_go_on(RbvEventLoop *loop);
/* From here on laws follow the state as it moves (`rates_jump`: those between two pieces, too), and from there on they
 * are held again on the pieces that it is on: around what makes rates jump. */
void rbv_laws_follow(RbvEventLoop *loop, bool rates_jump);
void rbv_laws_hold(RbvEventLoop *loop);

#endif
