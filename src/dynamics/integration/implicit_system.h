/* Linear systems of the implicit method (RbvRadauSolver of core/solve/radau.h) for y = (q, v) of a large motion:
 * sparse, with the multipliers as unknowns.
 *
 * With r_q, r_v the right-hand sides and F = Q - M a - C^T lambda, G = gamma - C a, both at fixed a and lambda, the
 * system (g I - J) (x_q, x_v) = (r_q, r_v) is, for p = g^2 x_q and u = g x_v,
 *
 *   [ I - (dq'/dq) / g    - dq'/dv               ] [ p  ]   [ g r_q ]
 *   [ - (dF/dq) / g^2     M - (dF/dv) / g    C^T ] [ u  ] = [ M r_v ]
 *   [ - (dG/dq) / g^2     C - (dG/dv) / g   -eps ] [ mu ]   [ C r_v ]
 *
 * since M a' + C^T mu = dF, C a' = dG for the change a' = g x_v - r_v of the accelerations. All derivatives are sparse:
 * F of a body and G of a row depend on nearby bodies only. They are made of differences of q', F and G, for groups of
 * bodies at a time; none of these evaluations solves a system. Rows are weighted as in saddle.h, with its eps, which
 * slows the iteration down and changes no result. */
#ifndef RBV_DYNAMICS_INTEGRATION_IMPLICIT_SYSTEM_H
#define RBV_DYNAMICS_INTEGRATION_IMPLICIT_SYSTEM_H

#include "core/solve/radau.h"
#include "dynamics/integration/flow.h"

typedef struct RbvImplicitSystem RbvImplicitSystem;

/* Creates the systems. *system NULL: the equations of motion are not sparse, or have parts whose dependences are not
 * known (implicit_system.c). False: out of memory. */
bool rbv_implicit_system_create(RbvFlow *flow, RbvImplicitSystem **system);
void rbv_implicit_system_destroy(RbvImplicitSystem *system);
/* Solver for rbv_radau_create; valid as long as the system exists. */
const RbvRadauSolver *rbv_implicit_system_solver(const RbvImplicitSystem *system);

#endif
