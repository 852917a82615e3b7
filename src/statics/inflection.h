/* Checks whether the lowest curvature changes its sign within the uncertainty of an equilibrium's position. If so, the
 * energy has an inflection or a fold there, and neither sign is certain. */
#ifndef RBV_STATICS_INFLECTION_H
#define RBV_STATICS_INFLECTION_H

#include "statics/equilibrium.h"
#include "statics/stability.h"

/* For the equilibrium in `search`, with an energy and with its stability found. Sets kind NEUTRAL with curvature 0 in
 * two cases: the curvature changes its sign within the position's uncertainty (returns true); or it lies within ten
 * times the threshold of neutral and changes by more than half of its value there (returns false, nothing is to be
 * reported). State, multipliers and loads are restored. */
bool rbv_stability_inflects(RbvEquilibriumSearch *search, RbvStability *stability);

#endif
