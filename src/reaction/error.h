/* Errors of forces: what rounding may have moved every printed value by; see error.c for how it is estimated. */
#ifndef RBV_REACTION_ERROR_H
#define RBV_REACTION_ERROR_H

#include "reaction/forces.h"

typedef struct RbvErrors RbvErrors;

/* All three stay the caller's and outlive it. NULL: no memory. */
RbvErrors *rbv_errors_create(RbvMotion *motion, RbvForces *forces, RbvReactions *reactions);
void rbv_errors_destroy(RbvErrors *errors);
/* The errors of reactions, efforts and constraint forces at the motion's accepted state, whose forces are solved; the
 * state and its forces come back as they were. Statuses as of rbv_forces_solve. */
RbvStatus rbv_errors_estimate(RbvErrors *errors);
/* The parts, for analyses that have no motion. Sizes of what takes part at a loaded state with its forces, into
 * reactions->size; errors of at least so much of them; values kept; what other values in the reactions differ by from
 * those kept. */
typedef struct RbvForceValues {
    double *component;                  /* [components of all joints] */
    double *effort, *multiplier, *stop; /* [drives], [constraints], [stops] */
} RbvForceValues;
bool rbv_error_values_create(const RbvReactions *reactions, RbvForceValues *values);
void rbv_error_values_destroy(RbvForceValues *values);
void rbv_error_sizes(RbvReactions *reactions, const RbvState *state);
/* No size of a force is below `force` [N]. */
void rbv_error_least_force(RbvReactions *reactions, double force);
void rbv_error_floor(RbvReactions *reactions, double part);
void rbv_error_keep(const RbvReactions *reactions, RbvForceValues *to);
void rbv_error_compare(RbvReactions *reactions, const RbvForceValues *values);
/* Verdicts of values whose error is above a thousandth of the largest of their unit in their connected part: UNSURE,
 * unless they are NOT_UNIQUE. True: there are such. */
bool rbv_reactions_doubt(RbvReactions *reactions);

#endif
