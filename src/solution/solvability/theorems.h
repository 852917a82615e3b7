/* Whether the rows on rates are integrable together with the rows of positions, numerically by Frobenius' theorem; and
 * whether multipliers exist that balance the loads at rest. */
#ifndef RBV_SOLUTION_SOLVABILITY_THEOREMS_H
#define RBV_SOLUTION_SOLVABILITY_THEOREMS_H

#include "mechanics/system/system.h"
#include "model/result/result.h"

/* Test at the positions of `at` (unchanged), with zero velocities. NO_MEMORY; else OK. */
RbvStatus rbv_multiplier_theorem(const RbvState *at, RbvMultiplierTheorem *to);

/* Tests the rows of joints and constraints, without those on rates that prescribe a rate or depend on time, at the
 * positions of `start` (unchanged) and at others that the rows admit. OK; NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_frobenius(const RbvState *start, RbvIntegrability *to);

#endif
