/* Udwadia's equation on plain arrays: motion of any system M v' = Q under constraints A v' = b, which may be dependent
 * and may do work (F. E. Udwadia, R. E. Kalaba: On the foundations of analytical dynamics, 2002).
 *
 *   M v' = Q + Q_i + Q_ni
 *   Q_i  = M^1/2 B^+ (b - A a)             ideal: no work in virtual displacements v, A v = 0
 *   Q_ni = M^1/2 (1 - B^+ B) M^-1/2 C      non-ideal: v^T Q_ni = v^T C
 *   a = M^-1 Q,  B = A M^-1/2,  B^+ the Moore-Penrose inverse
 *
 * Exact control along a required motion has the same form: A v' = b is the required motion, Q_i the control force, e =
 * b - A a the error signal and `gain` its gain. Matrices are row-major. Units are the caller's: none is changed, and
 * neither the rank nor the motion depends on the units of coordinates or equations.
 *
 *     RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
 *     problem.M = M, problem.Q = Q, problem.A = A, problem.b = b;
 *     rbv_udwadia_create(n, m, &udwadia);
 *     if (rbv_udwadia_solve(udwadia, &problem) == RBV_OK)
 *         printf("%g\n", rbv_udwadia_solution(udwadia)->acceleration[0]); */
#ifndef ROBERVAL_UDWADIA_H
#define ROBERVAL_UDWADIA_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Root S of the mass matrix, M = S S^T. v', Q_i, Q_ni, a, c, e and the gain do not depend on it. */
typedef enum RbvMassRoot {
    RBV_ROOT_SYMMETRIC, /* S = M^1/2, B = A M^-1/2 */
    RBV_ROOT_CHOLESKY   /* S = L, lower triangular, B = A L^-T */
} RbvMassRoot;

/* A problem of n coordinates and m equations. The arrays stay the caller's and are read only while solving. */
typedef struct RbvUdwadiaProblem {
    const double *M; /* [n][n] symmetric, positive semidefinite */
    const double *Q; /* [n] given forces */
    const double *A; /* [m][n] of any rank; NULL where m = 0 */
    const double *b; /* [m] */
    const double
        *C; /* [n] v^T C is the work of the constraints in the virtual displacement v; NULL: ideal constraints */
    RbvMassRoot root;
    double rank; /* singular values of the row- and column-scaled A below this part of the largest count as zero; 0: 64
                    max(m, n) epsilon */
    double inconsistency; /* permitted contradiction of dependent equations, relative to their terms; 0: 1e-9 */
    double noise;         /* permitted contradiction in the unit of b, added to it: the error of b itself */
} RbvUdwadiaProblem;

/* Symmetric root; all other members NULL and 0. */
RBV_API extern const RbvUdwadiaProblem rbv_udwadia_problem_default;

/* Solution of a problem. "NaN if M is singular": there is no M^-1 then; all other members are valid. Each error of a
 * check is relative to the terms whose sum should vanish: of the size of rounding for a correct solution. */
typedef struct RbvUdwadiaSolution {
    int32_t n, m;
    int32_t rank;               /* rank r of A */
    int32_t freedoms;           /* n - r */
    bool regular;               /* M is positive definite */
    double *acceleration;       /* v'[n] */
    double *ideal_acceleration; /* [n] acceleration with C = 0 */
    double *ideal;              /* Q_i[n] */
    double *nonideal;           /* Q_ni[n]; zero if m = 0: without constraints there is nothing that does work */
    double *constraint_force;   /* Q^c[n] = Q_i + Q_ni */
    double *multipliers;        /* lambda[m] with A^T lambda = -Q_i, those of least norm */
    double *virtual_basis; /* [n - r][n]: its rows span the virtual displacements, A v = 0, v_j^T M v_k = 1 if j = k,
                              else 0 */
    double *residual;      /* [m] (1 - A A^+) b = (1 - B B^+) e: the part of b that no motion satisfies */
    double inconsistency;  /* largest residual, with equally scaled equations, relative to their terms */
    double *free_acceleration; /* a[n] = M^-1 Q; NaN if M is singular, as are all members down to `gauss` */
    double *c;                 /* [n] M^-1 C */
    double *error_signal;      /* e[m] = b - A a */
    double *root;              /* S[n][n] */
    double *B;                 /* [m][n] */
    double *B_plus;            /* [n][m] */
    double *gain;              /* [n][m] S B^+ */
    double gauss;              /* Gauss' function (v' - a)^T M (v' - a) at its minimum, the ideal acceleration */
    /* Checks: */
    double equations_error;     /* A v' = b, where it can be satisfied */
    double orthogonality_error; /* Q_i^T M^-1 Q_ni = 0 */
    double ideal_work_error;    /* v^T Q_i = 0 for the basis of virtual displacements: Gauss' function is stationary */
    double work_error;          /* v^T (Q^c - C) = 0 for the basis of virtual displacements */
    double penrose_error[4];    /* B B^+ B = B, B^+ B B^+ = B^+, (B B^+)^T = B B^+, (B^+ B)^T = B^+ B; NaN if M is
                                   singular, as are the members below */
    double formula_error;       /* Q_i and Q_ni computed from A's null space without M^-1, against the formulas above */
    double gauss_error;         /* Gauss' function at v' - a against |B^+ e|^2 */
} RbvUdwadiaSolution;

/* Solver for any number of problems of one size; solving allocates no memory. One thread at a time. */
typedef struct RbvUdwadia RbvUdwadia;

/* For n >= 1 coordinates and m >= 0 equations, at most 16384 of each (NO_MEMORY beyond: matrices are full). On RBV_OK
 * *udwadia is new, to be destroyed by the caller; else NULL. */
RBV_API RbvStatus rbv_udwadia_create(int32_t n, int32_t m, RbvUdwadia **udwadia);
RBV_API void rbv_udwadia_destroy(RbvUdwadia *udwadia);

/* Solve a problem. BAD_INPUT: M is not symmetric or not positive semidefinite. LOCKED: accelerations are not unique, as
 * a virtual displacement moves no mass: v^T M v > 0 is needed for all v with A v = 0. NOT_FINITE: an input number is
 * not finite, or a number overflows. INCONSISTENT: the equations contradict each other by `residual` and
 * `inconsistency`; the solution is that of b - residual. The solution is valid after OK and INCONSISTENT only. */
RBV_API RbvStatus rbv_udwadia_solve(RbvUdwadia *udwadia, const RbvUdwadiaProblem *problem);

/* Solution of the last problem, overwritten by the next; it belongs to `udwadia`. */
RBV_API const RbvUdwadiaSolution *rbv_udwadia_solution(const RbvUdwadia *udwadia);

#ifdef __cplusplus
}
#endif
#endif
