/* One step of a stiff y' = f(t, y) by the implicit Runge-Kutta method of Radau, three stages, order 5 (Hairer and
 * Wanner, Solving Ordinary Differential Equations II, IV.8).
 *
 *   Z = h (A x I) F(y + Z),   y1 = y + Z_3
 * by a simplified Newton iteration: A^-1 has one real eigenvalue g and a pair a +- ib, so that the system of three
 * stages falls into one of size n and one of size 2n. The Jacobian is made of differences of all columns, or is the
 * business of the caller's solver, and kept until the iteration slows down. The error is compared with an embedded
 * method of order 3, through the real system, so that stiff parts do not count. It keeps nothing from one step to the
 * next but the Jacobian, which changes the way but not the end of the iteration beyond its tolerance.
 */
#ifndef RBV_SOLVE_RADAU_H
#define RBV_SOLVE_RADAU_H

#include "solve/dormand_prince.h"

/* The error falls with this power of the step. */
#define RBV_RADAU_ORDER 4
/* Dense systems: no more unknowns. */
#define RBV_RADAU_MOST 800

/* A caller's own way to solve with g I - J, J = df/dy, for large systems. */
typedef struct RbvRadauSolver {
    void *context;
    /* Take over J at y[n], by differences of step[n] where it needs some; weight 0: none. Statuses of the rate. */
    RbvStatus (*differentiate)(void *context, double t, const double *y, const double *step);
    /* For g = real, and g = a - ib. False: singular, or not finite; or no memory: *no_memory is then set. */
    bool (*factor)(void *context, double real, double a, double b, bool *no_memory);
    /* x[n] := (real I - J)^-1 x, and x[2 n], real parts first, then imaginary ones, := ((a - ib) I - J)^-1 x. */
    void (*solve)(void *context, double *x);
    void (*solve_complex)(void *context, double *x);
    /* The next factors do not depend on those before. */
    void (*forget)(void *context);
} RbvRadauSolver;

typedef struct RbvRadau {
    int32_t n;
    double tolerance;
    RbvRate rate;
    void *context;
    double T[9], inverse[9];      /* of the transformation to the eigenvectors of A^-1, row-major */
    double real, a, b;            /* its eigenvalues */
    double *J, *E1, *E2;          /* [n n], [n n], [4 n n] row-major; E1, E2 factored for the step `h` */
    int32_t *pivot1, *pivot2;     /* [n], [2n] */
    double h;                     /* of the factors; 0: none */
    bool fresh;                   /* J is of the state that the step begins at */
    bool known;                   /* there is a Jacobian */
    const RbvRadauSolver *solver; /* NULL: dense */
    double *z, *w, *f, *next;     /* [3][n] */
    double *f0, *right;           /* [n] rate at the beginning; [2n] */
    int64_t jacobians, factors;
} RbvRadau;

/* `tolerance`: the share of its size that a component may be off by, so that 1/(weight tolerance) is that size.
 * `solver` stays the caller's; what its J lacks slows the iteration down and changes no result; NULL: dense, J by
 * differences. False: no memory, or no eigenvectors; to be destroyed all the same. */
bool rbv_radau_create(RbvRadau *radau, int32_t n, double tolerance, RbvRate rate, void *context,
                      const RbvRadauSolver *solver);
void rbv_radau_destroy(RbvRadau *radau);
/* A step of h from y[n] at t, where the rate is f0[n], to y1[n]; *error in units of `weight`[n], by which components
 * are multiplied (0: no part in it): 1 is just allowed; infinite: the iteration does not converge over so long a
 * step. Statuses of the rate, NO_MEMORY. */
RbvStatus rbv_radau_step(RbvRadau *radau, double t, const double *y, const double *f0, double h, const double *weight,
                         double *y1, double *error);
/* The Jacobian is of another system from now on. */
void rbv_radau_forget(RbvRadau *radau);

#endif
