/* Residual wrenches of bodies with the multipliers that leave least residual, and their generalized forces in any
 * coordinates. */
#ifndef RBV_STATICS_RESIDUAL_H
#define RBV_STATICS_RESIDUAL_H

#include "statics/balance.h"

/* At a state whose positions and loads are evaluated: W[bodies] = -(g + C^T lambda) of the bodies, G[n] = P^T W,
 * scaled, and the multipliers of the balance with which g + C^T lambda + G vanishes. Overwrites the factors.
 * NO_EQUILIBRIUM: no multipliers; NO_MEMORY. */
RbvStatus rbv_residual_find(RbvBalance *balance, RbvWrench *W, double *G);

#endif
