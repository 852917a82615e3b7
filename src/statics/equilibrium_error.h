/* What rounding may have moved the reactions of an equilibrium by. */
#ifndef RBV_STATICS_EQUILIBRIUM_ERROR_H
#define RBV_STATICS_EQUILIBRIUM_ERROR_H

#include "reaction/choice.h"
#include "statics/equilibrium.h"

/* Errors of the reactions, efforts and constraint forces that rbv_equilibrium_forces has found at the balance's
 * place; everything comes back as it was. Then verdicts of values that are spoilt. Statuses as of
 * rbv_equilibrium_forces. */
RbvStatus rbv_equilibrium_errors(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions);
/* The same for a place that the penalty found: against the equilibrium that Newton with multipliers reaches from there.
 * What places and forces are off by goes to the search. */
RbvStatus rbv_penalty_errors(RbvEquilibriumSearch *search, RbvSolvability *solvability, RbvChoice *choice,
                             RbvReactions *reactions);

#endif
