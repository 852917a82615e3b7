/* Error bounds of the reactions of an equilibrium, from rounding and from residuals. */
#ifndef RBV_STATICS_EQUILIBRIUM_ERROR_H
#define RBV_STATICS_EQUILIBRIUM_ERROR_H

#include "solution/reaction/choice.h"
#include "statics/equilibrium.h"

/* Computes the errors of the reactions, efforts and constraint forces that rbv_equilibrium_forces has found at the
 * balance's state, then revises the verdicts of values whose error is too large. State, multipliers and reactions are
 * restored. Statuses as of rbv_equilibrium_forces. */
RbvStatus rbv_equilibrium_errors(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions);
/* Errors of an equilibrium found by the penalty method: differences from the equilibrium that Newton's method with
 * multipliers reaches from there. search->off and search->force_off get the largest errors of position [m] and of force
 * [N]. Statuses as of rbv_equilibrium_forces. */
RbvStatus rbv_penalty_errors(RbvEquilibriumSearch *search, RbvSolvability *solvability, RbvChoice *choice,
                             RbvReactions *reactions);

#endif
