/* Udwadia's equation on plain arrays: the motion of any system M v' = Q under constraints A v' = b, dependent or not,
 * that may do work.
 *
 *   M v' = Q + Q_i + Q_ni       Q_i  = M^1/2 B^+ (b - A a)              ideal: no work in virtual displacements v, A v
 *                               = 0
 *                               Q_ni = M^1/2 (1 - B^+ B) M^-1/2 C       non-ideal: v^T Q_ni = v^T C
 *   a = M^-1 Q,  B = A M^-1/2,  B^+ the Moore-Penrose inverse           (F. E. Udwadia, R. E. Kalaba: On the
 *                foundations of analytical dynamics, 2002)
 *
 * Exact control along a required motion is the same: A v' = b says the motion, Q_i is the control force, e = b - A a
 * the error signal and `gain` its gain. Matrices are row-major. Units are the caller's: none is changed, and neither
 * the rank nor the motion depends on the units of coordinates or equations.
 */
#ifndef ROBERVAL_UDWADIA_H
#define ROBERVAL_UDWADIA_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The root S of the mass matrix, M = S S^T. v', Q_i, Q_ni, a, c, e and the gain do not depend on it. */
typedef enum RbvMassRoot {
    RBV_ROOT_SYMMETRIC, /* S = M^1/2, B = A M^-1/2 */
    RBV_ROOT_CHOLESKY   /* S = L, lower triangular, B = A L^-T */
} RbvMassRoot;

/* Of n coordinates and m equations. The arrays stay the caller's and are read while solving only. */
typedef struct RbvUdwadiaProblem {
    const double *M; /* [n][n] symmetric, positive semidefinite */
    const double *Q; /* [n] given forces */
    const double *A; /* [m][n] of any rank; NULL where m = 0 */
    const double *b; /* [m] */
    const double *
        C; /* [n] v^T C is the work that the constraints do in the virtual displacement v; NULL: none, they are ideal */
    RbvMassRoot root;
    double rank; /* singular values of A, its rows and columns weighed alike, below this part of the largest are zero;
                    0: 64 max(m, n) epsilon */
    double inconsistency; /* dependent equations may contradict each other by this part of their terms; 0: 1e-9 */
    double noise;         /* and by this, in the unit of b: what b itself may be off by */
} RbvUdwadiaProblem;

/* The symmetric root; all else NULL and 0. */
RBV_API RbvUdwadiaProblem rbv_udwadia_problem_default(void);

/* What solving found. "NaN if M is singular": there is no M^-1 then; all else is there. Each figure of a check is a
 * share of the terms whose sum should vanish: rounding, if all is well. */
typedef struct RbvUdwadiaSolution {
    int32_t n, m;
    int32_t rank;               /* r of A */
    int32_t freedoms;           /* n - r */
    bool regular;               /* M is positive definite */
    double *acceleration;       /* v'[n] */
    double *ideal_acceleration; /* [n] with C = 0 */
    double *ideal;              /* Q_i[n] */
    double *nonideal;           /* Q_ni[n]; zero where m = 0: what is free has no constraint that could do work */
    double *constraint_force;   /* Q^c[n] = Q_i + Q_ni */
    double *multipliers;        /* lambda[m] with A^T lambda = -Q_i, those of least norm */
    double *virtual_basis; /* [n - r][n]: its rows span the virtual displacements, A v = 0, v_j^T M v_k = 1 if j = k,
                              else 0 */
    double *residual;      /* [m] (1 - A A^+) b = (1 - B B^+) e: what no motion can meet */
    double inconsistency;  /* the largest of it, its equations weighed alike, as a part of their terms */
    double *free_acceleration; /* a[n] = M^-1 Q; NaN if M is singular, as all that follows here */
    double *c;                 /* [n] M^-1 C */
    double *error_signal;      /* e[m] = b - A a */
    double *root;              /* S[n][n] */
    double *B;                 /* [m][n] */
    double *B_plus;            /* [n][m] */
    double *gain;              /* [n][m] S B^+ */
    double gauss;              /* Gauss' function (v' - a)^T M (v' - a) at its minimum, the ideal acceleration */
    /* Checks: */
    double equations_error;     /* A v' = b, where it can be met */
    double orthogonality_error; /* Q_i^T M^-1 Q_ni = 0 */
    double ideal_work_error;    /* v^T Q_i = 0 for the basis of virtual displacements: Gauss' function is stationary */
    double work_error;          /* v^T (Q^c - C) = 0 likewise */
    double penrose_error[4];    /* B B^+ B = B, B^+ B B^+ = B^+, (B B^+)^T = B B^+, (B^+ B)^T = B^+ B; NaN if M is
                                   singular, as what follows */
    double formula_error; /* Q_i and Q_ni, which come from A's null space without M^-1, against the formulas above */
    double gauss_error;   /* Gauss' function at v' - a against |B^+ e|^2 */
} RbvUdwadiaSolution;

/* Solves any number of problems of one size, and allocates nothing meanwhile. One thread at a time. */
typedef struct RbvUdwadia RbvUdwadia;

/* For n >= 1 coordinates and m >= 0 equations, at most 16384 of each (NO_MEMORY beyond: matrices are full). On RBV_OK
 * *udwadia is new, to be destroyed by the caller; else NULL. */
RBV_API RbvStatus rbv_udwadia_create(int32_t n, int32_t m, RbvUdwadia **udwadia);
RBV_API void rbv_udwadia_destroy(RbvUdwadia *udwadia);

/* Solve. BAD_INPUT: M is not symmetric or not positive semidefinite. LOCKED: accelerations are not unique, as a
 * virtual displacement moves no mass: v^T M v > 0 is needed for all v with A v = 0. NOT_FINITE: a number given is not
 * finite, or one overflows. INCONSISTENT: the equations contradict each other: `residual` and `inconsistency` say by
 * how much, and the solution is that of b - residual. OK and INCONSISTENT: the solution is there; else it is not. */
RBV_API RbvStatus rbv_udwadia_solve(RbvUdwadia *udwadia, const RbvUdwadiaProblem *problem);

/* The solution of the last problem, overwritten by the next; it belongs to `udwadia`. */
RBV_API const RbvUdwadiaSolution *rbv_udwadia_solution(const RbvUdwadia *udwadia);

#ifdef __cplusplus
}
#endif
#endif
