/* The equilibrium of a system in natural coordinates: looked for in points and vectors by kernels of their own, and handed over to its bodies, where it is judged. */
#ifndef RBV_STATICS_NATURAL_SEARCH_H
#define RBV_STATICS_NATURAL_SEARCH_H

#include <roberval/analysis.h>

#include "statics/equilibrium.h"

/* From the state of the search, of the twin of `system`, to its equilibrium by the method of that name, DEFAULT being Newton's plain steps; the search is left as that method of bodies leaves it. Statuses as of RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_natural(const RbvSystem *system, RbvStaticsMethod method, RbvEquilibriumSearch *search);
/* What of it can be looked for at all. BAD_INPUT: said. */
RbvStatus rbv_natural_admits(const RbvSystem *system, bool one_sided, const RbvOptions *options, RbvDiagnostics *diagnostics);

#endif
