/* Decides whether the rows on rates are integrable together with the rows of positions, numerically by Frobenius'
 * theorem. */
#ifndef RBV_SOLUTION_SOLVABILITY_FROBENIUS_H
#define RBV_SOLUTION_SOLVABILITY_FROBENIUS_H

#include "mechanics/system/system.h"
#include "model/result/result.h"

/* Tests the rows of joints and constraints, without those on rates that prescribe a rate or depend on time, at the
 * positions of `start` (unchanged) and at others that the rows admit. OK; NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_frobenius(const RbvState *start, RbvIntegrability *to);

#endif
