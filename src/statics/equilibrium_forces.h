/* Reactions at an equilibrium, from the balance's multipliers. */
#ifndef RBV_STATICS_EQUILIBRIUM_FORCES_H
#define RBV_STATICS_EQUILIBRIUM_FORCES_H

#include "reaction/choice.h"
#include "statics/balance.h"

/* Multipliers with what tooth forces and preloads push, the choice among equally right ones, printed values and
 * verdicts. Statuses as of rbv_choice_apply; LOCKED: pushes do not settle. */
RbvStatus rbv_equilibrium_forces(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions, RbvDiagnostics *diagnostics);

#endif
