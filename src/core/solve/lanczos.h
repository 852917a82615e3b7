/* Eigenvalues of largest magnitude of an operator that is self-adjoint in the inner product x.By: Lanczos' method with
 * full reorthogonalisation (Paige 1972; Ericsson and Ruhe 1980 for A^-1 B). Re-entrant, unlike ARPACK, which
 * keeps its state between calls in static memory. */
#ifndef RBV_CORE_SOLVE_LANCZOS_H
#define RBV_CORE_SOLVE_LANCZOS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvLanczos {
    int32_t n;
    /* apply: y[n] = OP x. weigh: y[n] = B x with B symmetric and positive (semi)definite. False: failure of the
     * operator. */
    bool (*apply)(void *context, const double *x, double *y);
    void (*weigh)(void *context, const double *x, double *y);
    void *context;
} RbvLanczos;

typedef enum RbvLanczosEnd {
    RBV_LANCZOS_FOUND,
    RBV_LANCZOS_NONE,
    RBV_LANCZOS_NOT_CONVERGED,
    RBV_LANCZOS_FAILED,
    RBV_LANCZOS_NO_MEMORY
} RbvLanczosEnd;

/* *value and x[n] with x.Bx = 1; on entry x is a start vector, not B-orthogonal to the eigenvector. `tolerance`: as a
 * part of |value|. NONE: OP of the start vector vanishes. FAILED: OP or the small eigenproblem failed. NOT_CONVERGED
 * after 60 steps, and as many from the best vector at each of `restarts`: |*value| is a lower bound. */
RbvLanczosEnd rbv_lanczos(const RbvLanczos *problem, double tolerance, int32_t restarts, double *value, double *x);

/* The eigenvalues of largest magnitude, largest first, with B-orthonormal vectors x[most][n], until there are `most`
 * vectors. On entry the first *found vectors are known, B-orthonormal, and left out of the search; their values are the
 * caller's and stay. One sweep from one start finds a multiple eigenvalue once; so further sweeps, each from a new
 * start and B-orthogonal to all vectors found, look for what is as large, until one finds nothing. Only eigenvalues
 * down to a part of 1e-7 of the largest one found are taken, and only with |OP x - value x| a small part of |value|:
 * what is smaller is lost in the noise of OP, and wants another operator. *found: vectors known afterwards. *left:
 * estimate of the largest magnitude that was not taken; 0: none was seen. FOUND also with fewer than `most`; other ends
 * as of rbv_lanczos. */
RbvLanczosEnd rbv_lanczos_largest(const RbvLanczos *problem, int32_t most, double tolerance, double *values, double *x,
                                  int32_t *found, double *left);

#endif
