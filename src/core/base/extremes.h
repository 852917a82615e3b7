/* The larger and the smaller of two numbers without a call: what fmax and fmin of the C library give, but for the sign
 * of zero. A number that is no number (NaN) gives way to the other. */
#ifndef RBV_CORE_BASE_EXTREMES_H
#define RBV_CORE_BASE_EXTREMES_H

#include <math.h>

static inline double rbv_max(double a, double b) {
    return a > b || isnan(b) ? a : b;
}

static inline double rbv_min(double a, double b) {
    return a < b || isnan(b) ? a : b;
}

#endif
