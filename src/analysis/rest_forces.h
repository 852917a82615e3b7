/* Reactions at an equilibrium, from the balance's multipliers. */
#ifndef RBV_ANALYSIS_REST_FORCES_H
#define RBV_ANALYSIS_REST_FORCES_H

#include "analysis/balance.h"
#include "analysis/choice.h"

/* Multipliers with what tooth forces and preloads push, the choice among equally right ones, printed values and verdicts. Statuses as of rbv_choice_apply; LOCKED:
 * pushes do not settle. */
RbvStatus rbv_rest_forces(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice, RbvReactions *reactions, RbvDiagnostics *diagnostics);

#endif
