/* Stability of an equilibrium with one-sided supports. */
#ifndef RBV_STATICS_SUPPORTED_H
#define RBV_STATICS_SUPPORTED_H

#include "statics/equilibrium.h"
#include "statics/stability.h"

/* As rbv_stability_find, on the motions that the supports with force allow and that do not enter supports which touch
 * without force. The latter are open afterwards if the equilibrium is unstable by leaving them, and closed otherwise.
 * Without supports: rbv_stability_find. */
RbvStatus rbv_supported_stability(RbvEquilibriumSearch *search, bool has_energy, RbvStability *stability);

#endif
