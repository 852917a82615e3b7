/* Are the rows on rates integrable together with the rows of positions? Frobenius' theorem, numerically. */
#ifndef RBV_SOLVABILITY_FROBENIUS_H
#define RBV_SOLVABILITY_FROBENIUS_H

#include "result/result.h"
#include "system/system.h"

/* Of the rows of joints and constraints, without those on rates that prescribe one or depend on time, at the place of
 * `start` (unchanged) and at others that the rows admit. OK; NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_frobenius(const RbvState *start, RbvIntegrability *to);

#endif
