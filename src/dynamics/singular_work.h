/* The rows that hold at a place, taken apart: columns scaled by arms, rows to unit length,
 *
 *   C_s = R D S = U diag(sigma) V^T
 *
 * Singular values above RBV_SINGULAR_WEAK hold; N = R U of the rest are the self-stresses, S V of the rest the motions.
 */
#ifndef RBV_SINGULAR_WORK_H
#define RBV_SINGULAR_WORK_H

#include "dynamics/singular_parts.h"

/* Of the largest: a row that holds by less is met worse by accelerations, 1e-16/sigma^2, than by third order, sigma. */
#define RBV_SINGULAR_WEAK 2e-5

typedef struct RbvSingularWork {
    int32_t m, n, held, p, d; /* rows, columns of bodies, singular values that hold; m - held, wide - held */
    RbvPartKind kind;         /* of the parts looked at */
    int32_t wide, most;       /* columns of the parts looked at; singular values */
    int32_t *row;             /* [m] */
    int32_t *column;          /* [wide] */
    double *memory;
    double *scale, *norm;        /* [n], [m] S and R */
    double *U, *V, *sigma;       /* [m][m], [wide][n] V^T, zero in other columns; [most] */
    double *y, *f, *x, *x2;      /* [n] accelerations, forces, scratch, all scaled */
    double *E;                   /* [p][n] N^T dD[u] S */
    double *c, *R;               /* [p] what second and third order are off by */
    double *F, *W, *f_sigma, *G; /* [p][d] E Z; its left singular vectors; G [r][d] */
    double *K;                   /* [d + p][d + p] */
    int32_t *pivot;
    int32_t r;          /* self-stresses that the motion loses */
    double speed, rate; /* [1/s] of the fastest body that self-stresses act on; with accelerations */
    double size;        /* [m/s^2] of accelerations and what goes with speed */
} RbvSingularWork;

/* The rows that hold in parts of that kind, and room. False: no memory. */
bool rbv_singular_work_create(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts,
                              RbvPartKind kind);
void rbv_singular_work_destroy(RbvSingularWork *w);
/* C_s at the place, and its singular values. NOT_FINITE; NO_MEMORY. */
RbvStatus rbv_singular_work_decompose(RbvSingularWork *w, const RbvState *at);
/* Row i of D, of unit length, times x[n]. */
double rbv_singular_work_times(const RbvSingularWork *w, const RbvState *at, int32_t i, const double *x);
/* out[p] = N^T (D a - gamma) of a state. */
void rbv_singular_work_off(const RbvSingularWork *w, const RbvState *at, const double *a, double *out);

/* Entries (i, k) of U and (j, k) of V. */
static inline double rbv_singular_work_u(const RbvSingularWork *w, int32_t i, int32_t k) {
    return w->U[(size_t)k * (size_t)w->m + (size_t)i];
}

static inline double rbv_singular_work_v(const RbvSingularWork *w, int32_t j, int32_t k) {
    return w->V[(size_t)k * (size_t)w->n + (size_t)j];
}

#endif
