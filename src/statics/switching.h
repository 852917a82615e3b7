/* Where a path changes what is pressed of stops and one-sided joints.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0 along the path
 * What a free one lacks is its gap, what a pressed one lacks is its push. Where one of them falls to zero the place is in equilibrium with it held and without; from there the path goes on with the set of
 * those that touch, and to the side, for which neither gaps nor pushes become negative. Its tangent has a kink, and the parameter may turn.
 */
#ifndef RBV_STATICS_SWITCHING_H
#define RBV_STATICS_SWITCHING_H

#include "statics/path.h"

/* The least of gaps of what is free and pushes of what is pressed, in tolerances: below -1 something is passed, or pulls. Infinite: there are none. */
double rbv_path_slack(RbvPath *path, const RbvPlace *place);
/* How the path goes on from a place where something lands or lets go: the same place with the set that is pressed from there on, its tangent to that side. `first`: from the start, to growing u, where
 * nothing need change. NO_EQUILIBRIUM: no set does; INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_switch(RbvPath *path, const RbvPlace *at, bool first, RbvPlace *to);

#endif
