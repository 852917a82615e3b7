/* Where a path changes what is pressed of stops and one-sided joints.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0 along the path
 * What a free one lacks is its gap, what a pressed one lacks is its push. Where one of them falls to zero the place is
 * in equilibrium with it held and without; from there the path goes on with the set of those that touch, and to the
 * side, for which neither gaps nor pushes become negative. Its tangent has a kink, and the parameter may turn.
 */
#ifndef RBV_STATICS_SWITCHING_H
#define RBV_STATICS_SWITCHING_H

#include "statics/path.h"

/* The support with the least gap, where it is free, or push, where it is pressed; of those that fall below -1 at
 * `behind` (NULL: of all). -1: there are none. */
int32_t rbv_path_tightest(RbvPath *path, const RbvPlace *place, const RbvPlace *behind);
/* That gap or push, in tolerances: below -1 something is passed, or pulls. Infinite: there are none. */
double rbv_path_slack(RbvPath *path, const RbvPlace *place, const RbvPlace *behind);
/* How the path goes on from a place where something lands or lets go: the same place with the set that is pressed
 * from there on, its tangent to that side. `first`: from the start, to growing u, where nothing need change.
 * opens[contacts]: it touches and leaves from there on, whether it was needed or not. NO_EQUILIBRIUM: no set does;
 * INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_switch(RbvPath *path, const RbvPlace *at, bool first, bool *opens, RbvPlace *to);
/* Has support k come to touch between two places? */
bool rbv_path_closes(RbvPath *path, const RbvPlace *from, const RbvPlace *to, int32_t k);

#endif
