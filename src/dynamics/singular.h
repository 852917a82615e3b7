/* Accelerations and forces at a singular position, where rows of constraints depend on each other for a moment:
 * links in line, a parallelogram that is flat.
 *
 * There C a = gamma leaves more open than the motion does. Along the motion N^T (D a - gamma) = 0 for the self-
 * stresses N of the place, D^T N = 0, at all times; differentiated once more
 *
 *   N^T gamma = 0                                  the rates: else no motion has them
 *   N^T (dD[u] a + D' a - gamma') = 0              the accelerations: third order of the constraints, linear in a
 *   M a + D^T lambda + (N^T dD[u])^T mu = Q        reactions N mu / t grow without bound towards the place; arms vanish
 *                                                  with t, (N^T dD[u])^T mu is what is left of them
 *
 * u, a being velocities and accelerations of bodies. Self-stresses that the motion does not lose (rows that repeat
 * others wherever it goes) have N^T dD[u] = 0 on all motions that are free. Near
 * such a place the same equations replace the rows that hold it by their small singular values alone. All by singular
 * values of the full matrix, of machines that are not large.
 */
#ifndef RBV_DYNAMICS_SINGULAR_H
#define RBV_DYNAMICS_SINGULAR_H

#include "dynamics/flow.h"
#include "dynamics/singular_parts.h"

typedef enum RbvSingularKind {
    RBV_SINGULAR_NOT,        /* the accelerations that there are are right */
    RBV_SINGULAR_FOLLOWED,   /* those of the motion through the place have been put in */
    RBV_SINGULAR_OPEN,       /* motions branch, and neither rates nor accelerations choose */
    RBV_SINGULAR_LOADED,     /* forces that follow reactions, which grow without bound there: parts.cause */
    RBV_SINGULAR_CONTRADICTS /* no accelerations keep all rows */
} RbvSingularKind;

typedef struct RbvSingular {
    RbvFlow *flow;
    RbvState *beside; /* bodies, to look beside the place; NULL: not needed before */
    RbvSingularParts parts;
    int32_t lasting[3]; /* by kinds of parts: rows that repeat others wherever the motion goes, as far as is known */
    bool followed;      /* in some parts it has been: */
    double *lambda;     /* [rows] the multipliers of the sample, in parts that are followed */
    double *growth;     /* [rows] N mu: what they are times the time from the place, next to it */
    RbvWrench *missing; /* [bodies] about centroids, what these exert at the place; zero where there is none */
    bool grows;
    char names[400]; /* of rows that contradict each other, or grow */
    double off;      /* [m/s^2 or rad/s^2] what they contradict each other by */
    bool angular, moves;
} RbvSingular;

/* False: no memory; to be destroyed all the same. */
bool rbv_singular_create(RbvSingular *singular, RbvFlow *flow);
void rbv_singular_destroy(RbvSingular *singular);
/* What was found, at the rows of those parts, into lambda[rows]. */
void rbv_singular_put(const RbvSingular *singular, double *lambda);
/* Other rows hold from now on. */
void rbv_singular_forget(RbvSingular *singular);
/* How many rows repeat others wherever the motion goes, as far as the samples that were looked at tell. */
int32_t rbv_singular_lasting(const RbvSingular *singular, const RbvSolvability *solvability);
/* Look at the sample that the flow has evaluated, whose ranks have been decided; rates may be off those of the
 * motion by `tolerance`, and are put onto them. NO_MEMORY. */
RbvStatus rbv_singular_look(RbvSingular *singular, RbvSolvability *solvability, double tolerance,
                            RbvSingularKind *kind);

#endif
