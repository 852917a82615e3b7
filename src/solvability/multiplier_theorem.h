/* Decides whether multipliers exist that balance the loads at rest. */
#ifndef RBV_SOLVABILITY_MULTIPLIER_THEOREM_H
#define RBV_SOLVABILITY_MULTIPLIER_THEOREM_H

#include "result/result.h"
#include "system/system.h"

/* Test at the positions of `at` (unchanged), with zero velocities. NO_MEMORY; else OK. */
RbvStatus rbv_multiplier_theorem(const RbvState *at, RbvMultiplierTheorem *to);

#endif
