/* The equilibrium of a system in other coordinates than those of bodies: looked for in these by the same methods, and
 * handed over to its bodies, where it is judged. */
#ifndef RBV_STATICS_COORDINATE_SEARCH_H
#define RBV_STATICS_COORDINATE_SEARCH_H

#include <roberval/analysis.h>

#include "statics/equilibrium.h"

/* From the state of the search, of the absolute system of `system`, to its equilibrium by the method in the coordinates
 * of `system`, which is settled (rbv_equilibrium_settle); the search is left as the method leaves it on bodies, with
 * what it holds of stops and one-sided joints. Statuses as of RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_in_coordinates(const RbvSystem *system, RbvEquilibriumMethod *method,
                                         RbvEquilibriumSearch *search);

/* The same place and what is pressed there in the coordinates of a system: its state, balance and search. */
typedef struct RbvCoordinateSearch {
    RbvState *state;
    RbvSupports supports;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
} RbvCoordinateSearch;

/* Of the state and search of bodies, at rest or not; placed. To be closed in all cases. NO_MEMORY; NO_EQUILIBRIUM: the
 * loads are not finite there, or a full matrix were too large (said). */
RbvStatus rbv_coordinate_search_open(RbvCoordinateSearch *other, const RbvSystem *system, RbvEquilibriumSearch *search);
void rbv_coordinate_search_close(RbvCoordinateSearch *other);

#endif
