/* Points of a path where closed stops and one-sided joints change.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0 along the path
 * The slack of an open support is its gap, that of a closed one its push. Where one slack falls to zero, the point is
 * in equilibrium with that support closed and open. From there the path continues with the set of touching supports,
 * and to the side, for which neither gaps nor pushes become negative. The tangent has a kink, and the parameter may
 * turn. */
#ifndef RBV_STATICS_SWITCHING_H
#define RBV_STATICS_SWITCHING_H

#include "statics/path.h"

/* Support with the least slack: gap if open, push if closed; among those whose slack is below -1 at `behind` (NULL:
 * all). -1: none. */
int32_t rbv_path_tightest(RbvPath *path, const RbvPlace *place, const RbvPlace *behind);
/* Slack of that support, in tolerances: below -1 a support is violated or pulls. Infinite: there are none. */
double rbv_path_slack(RbvPath *path, const RbvPlace *place, const RbvPlace *behind);
/* Continuation of the path at a point where a support closes or opens: the same point with the set that is closed from
 * there on, and its tangent to that side. `first`: at the start, to growing u, where nothing has to change.
 * opens[contacts]: touches and opens from there on, whether it carried force or not. NO_EQUILIBRIUM: no set continues
 * the path; INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_switch(RbvPath *path, const RbvPlace *at, bool first, bool *opens, RbvPlace *to);
/* True if support k comes to touch between two points. */
bool rbv_path_closes(RbvPath *path, const RbvPlace *from, const RbvPlace *to, int32_t k);

#endif
