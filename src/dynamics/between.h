/* Laws between two pieces that push towards each other, by Filippov's rule: the law is (1 - s) f_a + s f_b with the
 * share s at which the motion stays where both meet, d/dt u = 0 of the margin u of the switch. Shares of several such
 * places are found together; accelerations are linear in them but for friction.
 */
#ifndef RBV_DYNAMICS_BETWEEN_H
#define RBV_DYNAMICS_BETWEEN_H

#include "dynamics/flow.h"

/* d/dt of the margin of a switch, number `at` of those of the flow's pieces, at the state that was evaluated last. */
double rbv_between_rate(RbvFlow *flow, int32_t at);
/* Accelerations of the placed state, with the shares at which they leave all these margins as they are. */
RbvStatus rbv_between_accelerate(RbvFlow *flow, RbvStatus (*accelerate)(RbvFlow *));

#endif
