/* Decides whether multipliers exist that balance the loads at rest. */
#ifndef RBV_SOLUTION_SOLVABILITY_MULTIPLIER_THEOREM_H
#define RBV_SOLUTION_SOLVABILITY_MULTIPLIER_THEOREM_H

#include "mechanics/system/system.h"
#include "model/result/result.h"

/* Test at the positions of `at` (unchanged), with zero velocities. NO_MEMORY; else OK. */
RbvStatus rbv_multiplier_theorem(const RbvState *at, RbvMultiplierTheorem *to);

#endif
