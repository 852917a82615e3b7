/* Stability of an equilibrium with one-sided supports: of what rests on them. */
#ifndef RBV_STATICS_SUPPORTED_H
#define RBV_STATICS_SUPPORTED_H

#include "statics/equilibrium.h"
#include "statics/stability.h"

/* As rbv_stability_find, on the motions that pressed supports allow and that do not go into those that only touch;
 * these hold nothing afterwards where the equilibrium is unstable by leaving them, and are held else. Without
 * supports the same. */
RbvStatus rbv_supported_stability(RbvEquilibriumSearch *search, bool has_energy, RbvStability *stability);

#endif
