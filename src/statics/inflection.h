/* Does the lowest curvature change its sign within what the place of an equilibrium is known to? Then the energy has an
 * inflection or a fold there, and neither sign is its own. */
#ifndef RBV_STATICS_INFLECTION_H
#define RBV_STATICS_INFLECTION_H

#include "statics/equilibrium.h"
#include "statics/stability.h"

/* At the equilibrium in the search, with an energy and its stability found: NEUTRAL, with curvature 0, where it is so;
 * and, without a word, where it is less than ten times what counts as none and not known, since it changes within what
 * the place is known to. True: it changes its sign. The state, its multipliers and loads are as before. */
bool rbv_stability_inflects(RbvEquilibriumSearch *search, RbvStability *stability);

#endif
