/* Lanes: one number of several samples, taken at once by the processor's vector instructions.
 *
 * A kernel is written once, in terms of V, and compiled for each width: define RBV_LANES (1, 2, 4 or 8) and include it;
 * LANED(name) is name_1, name_2, ... With one lane V is a double. gcc and clang know +, -, *, / and comparisons of
 * vectors; comparisons give lanes of integers, all bits set where true.
 *
 * Included once for each width; the functions of a width know no other.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#undef V
#undef VI
#undef VU
#undef LANED
#undef ALWAYS
#define LANED_PASTE_(name, lanes) name##_##lanes
#define LANED_PASTE(name, lanes) LANED_PASTE_(name, lanes)
#define LANED(name) LANED_PASTE(name, RBV_LANES)
#define V LANED(Lanes)
#define VI LANED(LanesOfBits)
#define VU LANED(LanesAnywhere)
#define ALWAYS static inline __attribute__((always_inline, unused))

#if RBV_LANES == 1
typedef double V;
typedef double VU;
typedef int64_t VI;
#else
typedef double V __attribute__((vector_size(8 * RBV_LANES)));
typedef double VU __attribute__((vector_size(8 * RBV_LANES), aligned(8))); /* V in memory, aligned as a double */
typedef int64_t VI __attribute__((vector_size(8 * RBV_LANES)));
#endif

/* The same number in all lanes. */
ALWAYS V LANED(all)(double x) {
#if RBV_LANES == 1
    return x;
#else
    return x - (V){0};
#endif
}

/* RBV_LANES contiguous numbers, at any address. Not by memcpy: after a copy of bytes the compiler reads all pointers of
 * the tree anew. */
ALWAYS V LANED(load)(const double *from) {
    return *(const VU *)(const void *)from;
}
ALWAYS void LANED(store)(double *to, V x) {
    *(VU *)(void *)to = x;
}
ALWAYS double LANED(lane)(V x, int k) {
#if RBV_LANES == 1
    (void)k;
    return x;
#else
    return x[k];
#endif
}
/* Store one number per lane, `apart` doubles from one to the next. */
ALWAYS void LANED(store_apart)(double *to, ptrdiff_t apart, V x) {
    if (RBV_LANES == 1 || apart == 1) {
        LANED(store)(to, x);
        return;
    }
    for (int k = 0; k < RBV_LANES; k++)
        to[k * apart] = LANED(lane)(x, k);
}

/* 1, 0 or -1: the sign. */
ALWAYS V LANED(sign)(V x) {
#if RBV_LANES == 1
    return (double)((x > 0) - (x < 0));
#else
    return __builtin_convertvector((VI)(x < 0) - (VI)(x > 0), V);
#endif
}
/* a where the lane's condition holds, else b. */
ALWAYS V LANED(choose)(VI condition, V a, V b) {
#if RBV_LANES == 1
    return condition ? a : b;
#else
    return (V)((condition & (VI)a) | (~condition & (VI)b));
#endif
}
ALWAYS bool LANED(any)(VI condition) {
#if RBV_LANES == 1
    return condition != 0;
#else
    int64_t found = 0;
    for (int k = 0; k < RBV_LANES; k++)
        found |= condition[k];
    return found != 0;
#endif
}
ALWAYS V LANED(root)(V x) {
#if RBV_LANES == 1
    return sqrt(x);
#else
    V y = x;
    for (int k = 0; k < RBV_LANES; k++)
        y[k] = __builtin_sqrt(x[k]);
    return y;
#endif
}

#if RBV_LANES > 1
/* Largest |x| for which the reduction below is exact, as k must fit into 20 bits; beyond it libm is called. */
#ifndef RBV_LARGE_ANGLE
#define RBV_LARGE_ANGLE 1.0e6
#endif

/* sin x and cos x for |x| <= RBV_LARGE_ANGLE, without branches:
 *
 *   x = k pi/2 + r,  |r| <= pi/4
 *
 * pi/2 is split into three parts, the first two with 33 bits, so that k times these is exact. r + rest is x - k pi/2 to
 * twice the precision of r. Polynomials of least maximal error follow (coefficients of fdlibm, S. Moshier, W. Cody);
 * the rest enters by the first derivative. */
ALWAYS void LANED(sine_cosine)(V x, V *sine, V *cosine) {
    const double round = 6755399441055744.0; /* 1.5 * 2^52: adding and subtracting it rounds to the nearest integer,
                                                which is in the lowest bits of the sum */
    V shifted = x * 0.63661977236758134308 + round;
    VI k = (VI)shifted;
    V n = shifted - round;
    V r1 = (x - n * 1.57079632673412561417e+00), w1 = n * 6.07710050630396597660e-11, r2 = r1 - w1;
    V w = n * 2.02226624879595063154e-21 - ((r1 - r2) - w1);
    V r = r2 - w, rest = (r2 - r) - w;
    V z = r * r;
    V ps = ((((1.58969099521155010221e-10 * z - 2.50507602534068634195e-08) * z + 2.75573137070700676789e-06) * z -
             1.98412698298579493134e-04) *
                z +
            8.33333333332248946124e-03);
    V pc = (((((-1.13596475577881948265e-11 * z + 2.08757232129817482790e-09) * z - 2.75573143513906633035e-07) * z +
              2.48015872894767294178e-05) *
                 z -
             1.38888888888741095749e-03) *
                z +
            4.16666666666666019037e-02);
    V zr = z * r;
    V s = r - ((z * (0.5 * rest - zr * ps) - rest) - zr * -1.66666666666666324348e-01);
    V half = 0.5 * z, one = 1.0 - half;
    V c = one + (((1.0 - one) - half) + (z * z * pc - r * rest));
    VI sb = (VI)s, cb = (VI)c, swap = (sb ^ cb) & -(k & 1); /* of odd k */
    *sine = (V)(sb ^ swap ^ ((k & 2) << 62));
    *cosine = (V)(cb ^ swap ^ (((k + 1) & 2) << 62));
}

/* Lanes out of range for sine_cosine: not |x| <= RBV_LARGE_ANGLE, including NaN. */
ALWAYS VI LANED(beyond)(V x) {
    V magnitude = (V)((VI)x & INT64_MAX);
    return (VI) ~(magnitude <= RBV_LARGE_ANGLE);
}
#endif
