/* Positions where two points are near each other. Near the tips of the energy, where a spring has length zero, there
 * are equilibria that few other starts lead to. */
#ifndef RBV_STATICS_SHORT_LENGTH_H
#define RBV_STATICS_SHORT_LENGTH_H

#include "statics/balance.h"

/* Distances of the model that forces may depend on, in an order independent of the file: which[*count], freed by the
 * caller. NULL if out of memory. */
int32_t *rbv_find_lengths(const RbvModel *model, int32_t *count);
/* Moves from the evaluated state along the rows to where the distance, a measure, is `length` [m], or as near to it as
 * a few steps lead. False: out of memory, or the rows are lost. */
bool rbv_make_short(RbvBalance *balance, int32_t measure, double length);

#endif
