/* The parts of a model at singular positions, and the singular values of their rows (singular_parts.c).
 *
 * Finds the parts of a model that are at or next to a singular position, and those of them in which the equations of
 * singular.h hold: forces there must depend neither on reactions nor on what rows leave open.
 *
 * Singular value decomposition of the active rows at a position, columns scaled by arms, rows scaled to unit length:
 *
 *   C_s = R D S = U diag(sigma) V^T
 *
 * Singular values above RBV_SINGULAR_WEAK count as locked; for the others the columns N = R U are the self-stresses and
 * the columns S V the free motions. */
#ifndef RBV_DYNAMICS_INTEGRATION_SINGULAR_PARTS_H
#define RBV_DYNAMICS_INTEGRATION_SINGULAR_PARTS_H

#include "dynamics/integration/flow.h"
#include "solution/solvability/solvability.h"

typedef enum RbvPartKind {
    RBV_PART_REGULAR,
    RBV_PART_FOLLOWED, /* the motion through the singular position can be found */
    RBV_PART_LOADED    /* the motion cannot be found: forces depend on reactions */
} RbvPartKind;

typedef struct RbvSingularParts {
    const RbvFlow *flow;
    unsigned char *kind;  /* [parts] RbvPartKind */
    const char *cause;    /* reason, in words, why a part is of kind LOADED; NULL: no part is */
    int32_t redundant[3]; /* by RbvPartKind: number of redundant rows */
    double smallest[3];   /* by RbvPartKind: smallest singular value, relative to the largest */
    int32_t columns[3];   /* by RbvPartKind: number of columns of bodies */
} RbvSingularParts;

/* Returns false if out of memory. */
bool rbv_singular_parts_create(RbvSingularParts *parts, const RbvFlow *flow);
void rbv_singular_parts_destroy(RbvSingularParts *parts);
/* Sets the kinds from decided ranks: singular are parts whose rows repeat others or have a singular value of at most
 * `near`. */
void rbv_singular_parts_find(RbvSingularParts *parts, const RbvSolvability *solvability, double near);
/* Kind of the part of a block of rows; kind of the part of a body. */
RbvPartKind rbv_singular_parts_of_block(const RbvSingularParts *parts, const RbvSolvability *solvability,
                                        int32_t block);
RbvPartKind rbv_singular_parts_of_body(const RbvSingularParts *parts, int32_t body);

/* Relative to the largest singular value. Below sigma = 2e-5 accelerations satisfy a row with error 1e-16/sigma^2,
 * worse than the third order does with error sigma. */
#define RBV_SINGULAR_WEAK 2e-5

typedef struct RbvSingularWork {
    RbvArena arena;             /* owns all arrays */
    int32_t m, n, locked, p, d; /* rows; columns of bodies; locked singular values; p = m - locked; d = wide - locked */
    RbvPartKind kind;           /* kind of the parts examined */
    int32_t wide, most;         /* columns of the parts examined; number of singular values */
    int32_t *row;               /* [m] row index in the system */
    int32_t *column;            /* [wide] column index */
    double *scale, *norm;       /* [n], [m] S and R */
    double *U, *V, *sigma;      /* [m][m], [wide][n] V^T, zero in other columns; [most] */
    double *y, *f, *x, *x2;     /* [n] accelerations, forces, workspace, all scaled */
    double *E;                  /* [p][n] N^T dD[u] S */
    double *c, *R;              /* [p] residuals of second and third order */
    double *F, *W, *f_sigma,
        *G;    /* [p][d] F = E Z; [p][p] its left singular vectors; [min(p, d)] its singular values; [r][d] G */
    double *K; /* [d + p][d + p] matrix of the linear system */
    int32_t *pivot;
    int32_t r;          /* number of self-stresses that the motion loses */
    double speed, rate; /* [1/s] speed over size of the fastest body that self-stresses act on; the same including
                           accelerations */
    double size;        /* [m/s^2] scale of accelerations, from accelerations and speeds */
} RbvSingularWork;

/* Selects the active rows in parts of that kind and allocates workspace. False: out of memory. */
bool rbv_singular_work_create(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts,
                              RbvPartKind kind);
void rbv_singular_work_destroy(RbvSingularWork *w);
/* Finds C_s at the state and its singular values. NOT_FINITE: not finite; NO_MEMORY. */
RbvStatus rbv_singular_work_decompose(RbvSingularWork *w, const RbvState *at);
/* Returns (row i of D, scaled to unit length) . x[n]. */
double rbv_singular_work_times(const RbvSingularWork *w, const RbvState *at, int32_t i, const double *x);
/* out[p] = N^T (D a - gamma) at a state. */
void rbv_singular_work_residual(const RbvSingularWork *w, const RbvState *at, const double *a, double *out);

/* Entries (i, k) of U and (j, k) of V. */
static inline double rbv_singular_work_u(const RbvSingularWork *w, int32_t i, int32_t k) {
    return w->U[(size_t)k * (size_t)w->m + (size_t)i];
}

static inline double rbv_singular_work_v(const RbvSingularWork *w, int32_t j, int32_t k) {
    return w->V[(size_t)k * (size_t)w->n + (size_t)j];
}

#endif
