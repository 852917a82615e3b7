/* What the indices of all equilibria add up to, where that is known: a check of a list that is independent of how it
 * was found. */
#ifndef RBV_STATICS_INDEX_SUM_H
#define RBV_STATICS_INDEX_SUM_H

#include "system/system.h"

/* *sum: of (-1)^index over all equilibria of the model, if none of them is degenerate. False: it is not known. */
bool rbv_index_sum(const RbvState *state, int32_t *sum);

#endif
