/* Reactions at an equilibrium, from the multipliers of the balance. */
#ifndef RBV_STATICS_EQUILIBRIUM_FORCES_H
#define RBV_STATICS_EQUILIBRIUM_FORCES_H

#include "solution/reaction/choice.h"
#include "statics/balance.h"

/* Completes the reactions: multipliers with the forces that tooth forces and preloads push along lines of centres, the
 * choice among equally valid multipliers, components in the printed frames, and verdicts. Statuses as of
 * rbv_choice_apply; LOCKED: the pushes do not converge. */
RbvStatus rbv_equilibrium_forces(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions, RbvDiagnostics *diagnostics);

#endif
