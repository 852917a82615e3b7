/* A place where two points are near each other: beside the tips of the energy, where springs have no length,
 * equilibria stand that few other starts lead to. */
#ifndef RBV_STATICS_SHORT_LENGTH_H
#define RBV_STATICS_SHORT_LENGTH_H

#include "statics/balance.h"

/* The distances of the model that forces may hang on, in an order that its file has no part in: which[*count], to be
 * freed. NULL: no memory. */
int32_t *rbv_find_lengths(const RbvModel *model, int32_t *count);
/* From the placed state along the rows to where the distance, a measure, is `length` [m], or as near to it as some
 * steps lead. False: no memory, or the rows are lost. */
bool rbv_make_short(RbvBalance *balance, int32_t measure, double length);

#endif
