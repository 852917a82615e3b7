/* What is left over of the forces on bodies with the multipliers that leave least, and what that is in any coordinates.
 */
#ifndef RBV_STATICS_RESIDUAL_H
#define RBV_STATICS_RESIDUAL_H

#include "statics/balance.h"

/* At a placed state: W[bodies] = -(g + C^T lambda) of the bodies, G[n] = P^T W, scaled, and the multipliers of the
 * balance with which g + C^T lambda + G vanishes. Spoils the factors. NO_EQUILIBRIUM: no multipliers; NO_MEMORY. */
RbvStatus rbv_residual_find(RbvBalance *balance, RbvWrench *W, double *G);

#endif
