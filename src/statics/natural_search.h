/* The equilibrium of a system in other coordinates than those of bodies: looked for in these by the same methods, and handed over to its bodies, where it is judged. */
#ifndef RBV_STATICS_NATURAL_SEARCH_H
#define RBV_STATICS_NATURAL_SEARCH_H

#include <roberval/analysis.h>

#include "statics/equilibrium.h"

/* From the state of the search, of the twin of `system`, to its equilibrium by the method in the coordinates of `system`, which is settled (rbv_equilibrium_settle); the search is left as the method leaves it on
 * bodies, with what it holds of stops and one-sided joints. Statuses as of RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_natural(const RbvSystem *system, RbvEquilibriumMethod *method, RbvEquilibriumSearch *search);

#endif
