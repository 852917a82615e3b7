/* What wheels do to each other besides their rows: teeth push them apart and belts pull them together as their forces
 * ask, and what answers to that changes these forces.
 *
 *   lambda = bare + answer(L(lambda)),   L: wrenches along lines of centres (reactions.h)
 */
#ifndef RBV_DYNAMICS_TOOTH_PUSHES_H
#define RBV_DYNAMICS_TOOTH_PUSHES_H

#include "dynamics/kept_reactions.h"
#include "reaction/reactions.h"

/* From bare[rows], forces or impulses, to reactions->lambda. Q[size of v] and mu[rows] are scratch. False: they do not
 * settle. */
bool rbv_tooth_pushes(RbvReactions *reactions, RbvKeptReactions *kept_reactions, const double *bare, double *Q,
                      double *mu);

#endif
