/* Integrals over the samples of a run, all at once, of the piecewise cubic through the samples.
 *
 * Between two samples the integrand is the cubic through these and their neighbours (fewer samples: of lower degree).
 * Two such integrals are compared with the one through every other sample; the sum of these differences is the
 * estimate of the error. It bounds the change by a halved step for integrands with bends and jumps, too
 * (docs/sizing.md). Of samples at the same time (an event) the last begins a new piece.
 * A piece of two samples shows no bend: its error is its length times the integrand's change, and INFINITY where it
 * is the first. */
#ifndef RBV_CORE_LINALG_QUADRATURE_H
#define RBV_CORE_LINALG_QUADRATURE_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define RBV_QUADRATURE_KEPT 8 /* samples that are kept */

typedef struct RbvQuadrature {
    int32_t count;    /* number of integrands */
    int32_t *over;    /* [count] of an integrand I whose integral is divided by that of another, K: the index of K, and
                         `error` is that of I - quotient K; -1: of none. Set by the caller */
    double *quotient; /* [count] about the value of int I/int K; set by the caller */
    int64_t taken;    /* samples of this piece so far */
    int64_t pairs;    /* pairs of intervals of this piece that are done */
    double start;     /* [s] first sample of this piece */
    double time;      /* [s] length of all pieces that have ended */
    double t[RBV_QUADRATURE_KEPT];
    double *g;             /* [RBV_QUADRATURE_KEPT][count] integrands at the samples that are kept */
    double *sum, *error;   /* [count] integrals, and estimates of their errors */
    double *fine, *coarse; /* [count] scratch */
} RbvQuadrature;

/* Arrays in the arena. False: no memory. */
bool rbv_quadrature_create(RbvQuadrature *quadrature, int32_t count, RbvArena *arena);
/* The integrands[count] of the next sample at t, to be filled in by the caller before the next call. */
double *rbv_quadrature_next(RbvQuadrature *quadrature, double t);
/* Weights w[count] of all samples in the integral over t[count], of these cubics. */
void rbv_quadrature_weights(const double *t, int32_t count, double *w);
/* After the last sample. */
void rbv_quadrature_end(RbvQuadrature *quadrature);

#endif
