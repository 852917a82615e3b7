/* Forces of gears and belts along lines of centres: teeth push wheels apart and belts pull them together in proportion
 * to their forces, and the answer of the constraints changes these forces.
 *
 *   lambda = bare + answer(L(lambda)),   L: wrenches along lines of centres (reactions.h)
 */
#ifndef RBV_DYNAMICS_CONTACT_TOOTH_PUSHES_H
#define RBV_DYNAMICS_CONTACT_TOOTH_PUSHES_H

#include "dynamics/accelerations/kept_reactions.h"
#include "solution/reaction/reactions.h"

/* Finds reactions->lambda from bare[rows], multipliers (forces or impulses) without L. Q[size of v], mu[rows]:
 * workspace. False: the iteration does not settle. */
bool rbv_tooth_pushes(RbvReactions *reactions, RbvKeptReactions *kept_reactions, const double *bare, double *Q,
                      double *mu);

#endif
