/* Errors of forces: what rounding may have moved every printed value by; see error.c for how it is estimated. */
#ifndef RBV_REACTION_ERROR_H
#define RBV_REACTION_ERROR_H

#include "reaction/forces.h"

typedef struct RbvErrors RbvErrors;

/* All three stay the caller's and outlive it. NULL: no memory. */
RbvErrors *rbv_errors_create(RbvMotion *motion, RbvForces *forces, RbvReactions *reactions);
void rbv_errors_destroy(RbvErrors *errors);
/* The errors of reactions, efforts and constraint forces at the motion's accepted state, whose forces are solved; the state and its forces come back as they were. Statuses as of
 * rbv_forces_solve. */
RbvStatus rbv_errors_estimate(RbvErrors *errors);
/* Verdicts of values whose error is above a thousandth of the largest of their unit: UNSURE, unless they are NOT_UNIQUE. True: there are such. */
bool rbv_reactions_doubt(RbvReactions *reactions);

#endif
