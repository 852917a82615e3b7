/* The equations of motion of a system as plain arrays, at one state: M v' + A^T lambda = Q, A v' = b, and C where
 * constraints do work.
 *
 * For rbv_udwadia_solve (udwadia.h), which makes of them accelerations, ideal and non-ideal constraint forces, virtual
 * displacements; and for methods of your own.
 */
#ifndef ROBERVAL_EQUATIONS_H
#define ROBERVAL_EQUATIONS_H

#include <roberval/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SI units, in absolute coordinates whatever those of the system are. v: velocity of each body's centroid and its
 * angular velocity, along ground's axes, body after body; in the plane (vx, vy, w), of a particle without w. Q has
 * forces and torques about centroids likewise. Matrices are row-major. Rows are those of joints, constraints and
 * drives that hold there (active:), dependent ones too; friction of joints is no part of it. */
typedef struct RbvEquations {
    double t;                       /* [s] */
    int32_t n, m;                   /* coordinates, rows */
    const double *M;                /* [n][n] */
    const double *Q;                /* [n] weights, loads, gyroscopic torques */
    const double *A;                /* [m][n] */
    const double *b;                /* [m] */
    const double *C;                /* [n] of nonideal:, by the ideal efforts; NULL: no constraint does work */
    const double *v;                /* [n] */
    const char *const *coordinates; /* [n] "rod x", "rod turn about z" */
    const char *const *rows;        /* [m] "joint 'A' (x)", "drive 'motor'" */
} RbvEquations;

/* At the state at `from` (options; NaN: of the model, else 0) with its initial conditions, as rbv_simulate starts. On
 * RBV_OK *equations is new, to be destroyed by the caller; else NULL. Statuses as of rbv_assembly; NOT_FINITE: a load
 * is not finite there. */
RBV_API RbvStatus rbv_equations_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                       RbvEquations **equations);
RBV_API void rbv_equations_destroy(RbvEquations *equations);

#ifdef __cplusplus
}
#endif
#endif
