/* The derivative of values along a number of which neither size nor unit is known, as the user's own states are. */
#ifndef RBV_DYNAMICS_SWEEP_H
#define RBV_DYNAMICS_SWEEP_H

#include <roberval/base.h>

#include <stdint.h>

/* value[width] where the number is h more than it is. A failure ends nothing: such a step is too long. NO_MEMORY does.
 */
typedef RbvStatus RbvBeside(void *context, double h, double *value);

/* out[width] = d value / dh at 0, for a number that is `at`. NOT_FINITE: at no step all values were finite; NO_MEMORY.
 */
RbvStatus rbv_sweep(RbvBeside *beside, void *context, double at, int32_t width, double *out);

#endif
