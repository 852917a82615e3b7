/* Rank in exact arithmetic modulo primes, for matrices whose entries are small fractions up to rounding. */
#ifndef RBV_CORE_SOLVE_EXACT_H
#define RBV_CORE_SOLVE_EXACT_H

#include <roberval/base.h>

#include <stdint.h>

/* C[m][n] row-major. Each entry must lie within RBV_EXACT_NEAR of a fraction with a denominator of at most
 * RBV_EXACT_DENOMINATOR; columns may be scaled by `unit[n]` before (lengths to numbers of order one). Magnitudes stay
 * below 1e9. Returns the rank of the matrix of those fractions, certain but for a chance below 1e-17 (two primes near
 * 2^61), or -1 when an entry is no such fraction, or -2 when there is no memory. */
int32_t rbv_exact_rank(int32_t m, int32_t n, const double *C, const double *unit);

/* Tolerance of a fraction: rounding of a few operations on the user's numbers. A random number lies that near to such a
 * fraction by chance with probability 1e-5. */
#define RBV_EXACT_NEAR 1e-11
#define RBV_EXACT_DENOMINATOR 1000

#endif
