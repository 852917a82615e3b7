/* Derivative of values with respect to a number of unknown size and unit, such as the user's own states. */
#ifndef RBV_DYNAMICS_VIBRATION_SWEEP_H
#define RBV_DYNAMICS_VIBRATION_SWEEP_H

#include <roberval/base.h>

#include <stdint.h>

/* Computes value[width] with the number increased by h. Failures other than NO_MEMORY do not end the search: that step
 * is too long. */
typedef RbvStatus RbvBeside(void *context, double h, double *value);

/* out[width] = d value / dh at h = 0; `at`: present value of the number. NOT_FINITE: with no step were all values
 * finite; NO_MEMORY. */
RbvStatus rbv_sweep(RbvBeside *beside, void *context, double at, int32_t width, double *out);

#endif
