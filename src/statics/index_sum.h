/* Sum of the indices of all equilibria, where it is known: a check of a list of equilibria that does not depend on how
 * they were found. */
#ifndef RBV_STATICS_INDEX_SUM_H
#define RBV_STATICS_INDEX_SUM_H

#include "mechanics/system/system.h"

/* *sum: sum of (-1)^index over all equilibria of the model, if none of them is degenerate. False: the sum is not
 * known. */
bool rbv_index_sum(const RbvState *state, int32_t *sum);

#endif
