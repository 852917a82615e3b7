/* Equilibrium of a system in other coordinates than those of bodies: found in these coordinates by the same methods,
 * and transferred to the bodies, where it is verified. */
#ifndef RBV_STATICS_COORDINATE_SEARCH_H
#define RBV_STATICS_COORDINATE_SEARCH_H

#include <roberval/analysis.h>

#include "statics/equilibrium.h"

/* Finds the equilibrium by `method` in the coordinates of `system`, from the state of `search`, which is of the
 * absolute system of `system`. The equilibrium is settled with its supports (rbv_equilibrium_settle). On return
 * `search` is as the method leaves it on bodies, with the stops and one-sided joints that are closed. Statuses as of
 * RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_in_coordinates(const RbvSystem *system, RbvEquilibriumMethod *method,
                                         RbvEquilibriumSearch *search);

/* A state with its closed supports in the coordinates of a system: state, balance and search. */
typedef struct RbvCoordinateSearch {
    RbvState *state;
    RbvSupports supports;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
} RbvCoordinateSearch;

/* Transfers the state and the search of bodies, at rest or not, at a state whose positions are evaluated. Close it in
 * all cases. NO_MEMORY; NO_EQUILIBRIUM: the loads are not finite there, or a full matrix would be too large
 * (reported). */
RbvStatus rbv_coordinate_search_open(RbvCoordinateSearch *other, const RbvSystem *system, RbvEquilibriumSearch *search);
void rbv_coordinate_search_close(RbvCoordinateSearch *other);

#endif
