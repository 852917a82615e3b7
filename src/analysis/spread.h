/* Loads that follow a reaction: where the reaction is open, so is all that the load reaches. */
#ifndef RBV_ANALYSIS_SPREAD_H
#define RBV_ANALYSIS_SPREAD_H

#include "analysis/solvability.h"
#include "analysis/reactions.h"

/* A gear's Fr = |Ft| tan(alpha)/cos(beta) pushes its wheels apart: where Ft is not unique, reactions that answer to the push are not either, and are
 * `touched` (no linear combination of multipliers says what they are). After the verdicts of all reactions. False: no memory. */
bool rbv_spread_pushes(RbvReactions *reactions, const RbvState *state);

#endif
