/* Constraints that do work: F. E. Udwadia's non-ideal constraint force.
 *
 *   M a + C^T (lambda + mu) = Q + F      lambda: ideal, as if F were not there; F = sum of value(lambda)
 *     grad(coordinate) over all `nonideal:`
 *   M Delta + C^T mu = F,  C Delta = 0   Delta = M^-1 Q_ni is what F adds to the acceleration; mu takes off what of F
 *                          lies along the rows, in M^-1
 * lambda does not depend on F, so that F may read it without a loop: the motion is solved for Q, then for Q + F. With
 * friction in joints both are solutions with their friction.
 */
#ifndef RBV_DYNAMICS_NONIDEAL_H
#define RBV_DYNAMICS_NONIDEAL_H

#include "dynamics/saddle.h"

typedef struct RbvNonidealForces {
    const RbvSystem *system;
    double *ideal;       /* [constraints] efforts, -lambda */
    double *mu;          /* [rows] of one constraint */
    RbvWrench *wrenches; /* [bodies] of F */
    double *F, *Delta;   /* [n] */
    double *power;       /* [constraints] [W] of each one's share of Q_ni */
    double *work;        /* scratch of expressions */
} RbvNonidealForces;

/* False: no memory; to be destroyed all the same. */
bool rbv_nonideal_create(RbvNonidealForces *forces, const RbvSystem *system);
void rbv_nonideal_destroy(RbvNonidealForces *forces);
/* F of the ideal lambda goes to the loaded state's wrenches and Q. False: a force is not finite. */
bool rbv_nonideal_push(RbvNonidealForces *forces, RbvState *state, const double *lambda);
/* The powers v^T F_k - mu_k^T nu, at the same state. LOCKED. */
RbvStatus rbv_nonideal_find_power(RbvNonidealForces *forces, const RbvState *state, RbvSaddle *saddle);
/* "constraint 'rough': ..." of the first force that is not finite, or "". */
void rbv_nonideal_explain(const RbvNonidealForces *forces, const RbvState *state, char *message, size_t size);

#endif
