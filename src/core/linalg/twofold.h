/* Sums in twice the precision, for small differences of large terms. */
#ifndef RBV_CORE_LINALG_TWOFOLD_H
#define RBV_CORE_LINALG_TWOFOLD_H

#include <math.h>

typedef struct RbvTwofold {
    double high, low;
} RbvTwofold;

/* Add x by Knuth's two-sum: the rounding error goes to `low`. */
static inline void rbv_twofold_add(RbvTwofold *sum, double x) {
    double high = sum->high + x, part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (x - part);
    sum->high = high;
}
static inline void rbv_twofold_add_product(RbvTwofold *sum, double a, double x) {
    double product = a * x;
    rbv_twofold_add(sum, product);
    sum->low += fma(a, x, -product);
}
static inline double rbv_twofold(RbvTwofold sum) {
    return sum.high + sum.low;
}

#endif
