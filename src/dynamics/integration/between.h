/* Sliding modes of piecewise laws by Filippov's rule. Where the two pieces a and b of a law f push the motion back
 * towards each other, the motion stays at the switch between them and the law acts as
 *
 *   f = (1 - s) f_a + s f_b,   s such that du/dt = 0 for the margin u of the switch
 *
 * The shares s of several such switches are found together; accelerations are linear in the shares, except for
 * friction. */
#ifndef RBV_DYNAMICS_INTEGRATION_BETWEEN_H
#define RBV_DYNAMICS_INTEGRATION_BETWEEN_H

#include "dynamics/integration/flow.h"

/* du/dt of the margin u of switch `at` (index among all switches of the flow's pieces), at the state evaluated last,
 * whose accelerations are known. */
double rbv_between_rate(RbvFlow *flow, int32_t at);
/* Accelerations by accelerate(flow) at the flow's state, whose positions are evaluated; where switches are between two
 * pieces, with the shares for which the rates of all their margins vanish. Statuses of accelerate. */
RbvStatus rbv_between_accelerate(RbvFlow *flow, RbvStatus (*accelerate)(RbvFlow *));

#endif
