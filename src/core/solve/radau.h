/* One step of a stiff y' = f(t, y) by the implicit Runge-Kutta method of Radau, three stages, order 5 (Hairer and
 * Wanner, Solving Ordinary Differential Equations II, IV.8).
 *
 *   Z = h (A x I) F(y + Z),   y1 = y + Z_3
 * with the increments Z of the three stages, the method's matrix A (x: Kronecker product) and the right-hand sides F at
 * the stages, by a simplified Newton iteration: A^-1 has one real eigenvalue g and a pair a +- ib, so that the system
 * of three stages falls into one of size n and one of size 2n. The Jacobian is made by differences of all columns, or
 * by the caller's solver, and kept until the iteration slows down. The error is compared with an embedded method of
 * order 3, through the real system, so that stiff parts do not count. The integrator keeps only the Jacobian from one
 * step to the next, which changes the course of the iteration but not its result beyond the tolerance.
 */
#ifndef RBV_CORE_SOLVE_RADAU_H
#define RBV_CORE_SOLVE_RADAU_H

#include "core/solve/dormand_prince.h"

/* The error is proportional to this power of the step. */
#define RBV_RADAU_ORDER 4
/* Largest number of unknowns of a dense system. */
#define RBV_RADAU_MOST 800

/* The caller's solver for matrices g I - J, J = df/dy, of large systems. */
typedef struct RbvRadauSolver {
    void *context;
    /* Evaluate J at y[n], where needed by differences with step[n], nonzero for every component. Statuses of the
     * right-hand side. */
    RbvStatus (*differentiate)(void *context, double t, const double *y, const double *step);
    /* Factor for g = real, and g = a - ib. False: singular or not finite, or *no_memory is set. */
    bool (*factor)(void *context, double real, double a, double b, bool *no_memory);
    /* x[n] := (real I - J)^-1 x, and x[2 n], real parts first, then imaginary ones, := ((a - ib) I - J)^-1 x. */
    void (*solve)(void *context, double *x);
    void (*solve_complex)(void *context, double *x);
    /* Discard data that would make the next factors depend on earlier ones. */
    void (*forget)(void *context);
} RbvRadauSolver;

typedef struct RbvRadau {
    int32_t n;
    double tolerance;
    RbvRate rate;
    void *context;
    double T[9], inverse[9];      /* transformation to the eigenvectors of A^-1 and its inverse, row-major */
    double real, a, b;            /* eigenvalues of A^-1: real, a +- ib */
    double *J, *E1, *E2;          /* [n n], [n n], [4 n n] row-major; E1, E2 factored for the step `h` */
    int32_t *pivot1, *pivot2;     /* [n], [2n] */
    double h;                     /* step length of the factors; 0: none */
    bool fresh;                   /* J belongs to the state at the beginning of the step */
    bool known;                   /* a Jacobian exists */
    const RbvRadauSolver *solver; /* NULL: dense */
    double *z, *w, *f, *next;     /* [3][n] */
    double *f0, *right;           /* [n] right-hand side at the start; [2n] of the complex system */
    int64_t jacobians, factors;
} RbvRadau;

/* `tolerance`: the allowed error of a component as a share of its size, so that 1/(weight tolerance) is that size.
 * `solver` stays the caller's; an inexact J slows the iteration down and changes no result; NULL: dense, J by
 * differences. False: no memory, or no eigenvectors; to be destroyed in both cases. */
bool rbv_radau_create(RbvRadau *radau, int32_t n, double tolerance, RbvRate rate, void *context,
                      const RbvRadauSolver *solver);
void rbv_radau_destroy(RbvRadau *radau);
/* A step of length h from y[n] at t, where the right-hand side is f0[n], to y1[n]. *error in units of `weight`[n], by
 * which components are multiplied (0: a component does not count): 1 is just allowed; infinite: the iteration does not
 * converge over this step. Statuses of the right-hand side, NO_MEMORY. */
RbvStatus rbv_radau_step(RbvRadau *radau, double t, const double *y, const double *f0, double h, const double *weight,
                         double *y1, double *error);
/* Discard the Jacobian: the system has changed. */
void rbv_radau_forget(RbvRadau *radau);

#endif
