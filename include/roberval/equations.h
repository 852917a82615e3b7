/* Equations of motion of a system as plain arrays, at one state, with C if constraints do work:
 *
 *   M v' + A^T lambda = Q
 *   A v' = b
 *
 * rbv_udwadia_solve (udwadia.h) computes from them accelerations, ideal and non-ideal constraint forces, and virtual
 * displacements; other methods may use them, too.
 *
 *     RbvEquations *equations;
 *     if (rbv_equations_create(system, NULL, diagnostics, &equations) == RBV_OK)
 *         for (int32_t k = 0; k < equations->n; k++)
 *             printf("%s %g\n", equations->coordinates[k], equations->Q[k]);
 *     rbv_equations_destroy(equations); */
#ifndef ROBERVAL_EQUATIONS_H
#define ROBERVAL_EQUATIONS_H

#include <roberval/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SI units, in absolute coordinates, whatever coordinates the system has. v: velocity of each body's centroid, then its
 * angular velocity, along ground's axes, body after body; in the plane (vx, vy, w), for a particle without w. Q: forces
 * and torques about centroids, in the order of v. Matrices are row-major. Rows: those of joints, constraints and drives
 * that are active at the state (active:), dependent rows included. Friction of joints is not included. */
typedef struct RbvEquations {
    double t;        /* [s] */
    int32_t n, m;    /* numbers of components of v, and of rows */
    const double *M; /* [n][n] */
    const double *Q; /* [n] weights, applied loads, gyroscopic torques */
    const double *A; /* [m][n] */
    const double *b; /* [m] */
    const double *C; /* [n] forces of nonideal:, evaluated with the ideal efforts; NULL: no constraint does work */
    const double *v; /* [n] */
    const char *const *coordinates; /* [n] "rod x", "rod turn about z" */
    const char *const *rows;        /* [m] "joint 'A' (x)", "drive 'motor'" */
} RbvEquations;

/* Equations at the state at `from` (options; NaN: from the model, else 0) with its initial conditions, as rbv_simulate
 * starts. On RBV_OK *equations is new, to be destroyed by the caller; else NULL. Statuses as rbv_assembly; NOT_FINITE:
 * a load is not finite at the state. */
RBV_API RbvStatus rbv_equations_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                       RbvEquations **equations);
RBV_API void rbv_equations_destroy(RbvEquations *equations);

#ifdef __cplusplus
}
#endif
#endif
