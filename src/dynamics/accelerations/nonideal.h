/* Constraints that do work: F. E. Udwadia's non-ideal constraint force.
 *
 *   M a + C^T (lambda + mu) = Q + F      lambda: multipliers of the ideal constraints, found with F = 0;
 *                                        F = sum of value(lambda) grad(coordinate) over all `nonideal:`
 *   M Delta + C^T mu = F,  C Delta = 0   Delta = M^-1 Q_ni: acceleration that F adds; mu removes from F the part along
 *                                        the constraint rows, in the metric M^-1
 *
 * lambda does not depend on F, so F may depend on lambda without an algebraic loop: the motion is solved for Q, then
 * for Q + F. With friction in joints both solutions include friction. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_NONIDEAL_H
#define RBV_DYNAMICS_ACCELERATIONS_NONIDEAL_H

#include "dynamics/accelerations/saddle.h"

typedef struct RbvNonidealForces {
    RbvArena arena; /* owns the arrays */
    const RbvSystem *system;
    double *ideal;       /* [constraints] ideal constraint efforts, -lambda */
    double *mu;          /* [rows] mu of a single constraint */
    RbvWrench *wrenches; /* [bodies] wrenches of F */
    double *F, *Delta;   /* [n] generalized force F; acceleration Delta */
    double *power;       /* [constraints] power of each constraint's share of Q_ni [W] */
    double *work;        /* workspace for expressions */
} RbvNonidealForces;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_nonideal_create(RbvNonidealForces *forces, const RbvSystem *system);
void rbv_nonideal_destroy(RbvNonidealForces *forces);
/* Evaluates F for the ideal lambda[rows] and adds F to wrenches and Q of the state, whose loads are evaluated. False: a
 * force is not finite. */
bool rbv_nonideal_push(RbvNonidealForces *forces, RbvState *state, const double *lambda);
/* Finds the powers v^T F_k - mu_k^T nu at the state of rbv_nonideal_push. LOCKED: the system cannot be solved. */
RbvStatus rbv_nonideal_find_power(RbvNonidealForces *forces, const RbvState *state, RbvSaddle *saddle);
/* Writes "constraint 'rough': ..." for the first force that is not finite, or "". */
void rbv_nonideal_explain(const RbvNonidealForces *forces, const RbvState *state, char *message, size_t size);

#endif
