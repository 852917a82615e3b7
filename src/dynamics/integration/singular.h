/* Accelerations and forces at a singular position, where constraint rows depend on each other for a moment: links in
 * line, a flat parallelogram.
 *
 * There C a = gamma leaves more open than the motion does. Along the motion N^T (D a - gamma) = 0 holds at all times
 * for the self-stresses N of the position, D^T N = 0. Differentiated once more:
 *
 *   N^T gamma = 0                                  condition on velocities; otherwise no motion has them
 *   N^T (dD[u] a + D' a - gamma') = 0              condition on accelerations: third order, linear in a
 *   M a + D^T lambda + (N^T dD[u])^T mu = Q        reactions N mu / t grow without bound towards the position; lever
 *                                                  arms vanish with t; their finite effect is (N^T dD[u])^T mu
 *
 * u, a: velocities and accelerations of bodies. Self-stresses that persist along the motion (rows that repeat others at
 * all positions) have N^T dD[u] = 0 on all free motions. Near such a position the same equations replace the rows that
 * act only through their small singular values. Everything is found by singular values of the full matrix, for models
 * of limited size. */
#ifndef RBV_DYNAMICS_INTEGRATION_SINGULAR_H
#define RBV_DYNAMICS_INTEGRATION_SINGULAR_H

#include "dynamics/integration/flow.h"
#include "dynamics/integration/singular_parts.h"

typedef enum RbvSingularKind {
    RBV_SINGULAR_NOT,        /* not singular: the accelerations already found are right */
    RBV_SINGULAR_FOLLOWED,   /* replaced by the accelerations of the motion through the position */
    RBV_SINGULAR_OPEN,       /* motions branch, and neither velocities nor accelerations select one */
    RBV_SINGULAR_LOADED,     /* forces depend on reactions, which grow without bound: see parts.cause */
    RBV_SINGULAR_CONTRADICTS /* no accelerations satisfy all rows */
} RbvSingularKind;

typedef struct RbvSingular {
    RbvArena arena; /* owns the arrays */
    RbvFlow *flow;
    RbvState *nearby; /* scratch state in absolute coordinates, for positions nearby; NULL: not needed so far */
    RbvSingularParts parts;
    int32_t lasting[3]; /* by RbvPartKind: number of rows known so far to repeat others at all positions */
    bool followed;      /* true: accelerations of some parts were replaced; then the following members are set: */
    double *lambda;     /* [rows] multipliers of the sample in the parts of kind FOLLOWED */
    double *growth;     /* [rows] N mu: multiplier times the time from the position, close to it */
    RbvWrench *missing; /* [bodies] about centroids: effect of the growing reactions at the position; zero where there
                           is none */
    bool grows;
    char names[400]; /* names of rows that contradict each other, or whose reactions grow */
    double residual; /* [m/s^2 or rad/s^2] residual of contradicting rows */
    bool angular, moves;
} RbvSingular;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_singular_create(RbvSingular *singular, RbvFlow *flow);
void rbv_singular_destroy(RbvSingular *singular);
/* Writes the multipliers found into lambda[rows], at rows of the parts of kind FOLLOWED. */
void rbv_singular_put(const RbvSingular *singular, double *lambda);
/* To be called when other rows become active. */
void rbv_singular_forget(RbvSingular *singular);
/* Returns the number of rows that repeat others at all positions, as far as the samples examined show. */
int32_t rbv_singular_lasting(const RbvSingular *singular, const RbvSolvability *solvability);
/* Examines the sample that the flow has evaluated and whose ranks are decided. Velocities may differ from those of the
 * motion by `tolerance` and are corrected onto them. Status NO_MEMORY if out of memory. */
RbvStatus rbv_singular_look(RbvSingular *singular, RbvSolvability *solvability, double tolerance,
                            RbvSingularKind *kind);

#endif
