/* Estimates the errors of printed forces: how far rounding may have moved each value. */
#ifndef RBV_SOLUTION_REACTION_ERROR_H
#define RBV_SOLUTION_REACTION_ERROR_H

#include "solution/reaction/forces.h"

typedef struct RbvErrors RbvErrors;

/* All three stay the caller's and outlive the result. NULL: no memory. */
RbvErrors *rbv_errors_create(RbvMotion *motion, RbvForces *forces, RbvReactions *reactions);
void rbv_errors_destroy(RbvErrors *errors);
/* Errors of reactions, efforts and constraint forces at the motion's accepted state, whose forces are solved. The
 * state and its forces are restored. Statuses as of rbv_forces_solve. */
RbvStatus rbv_errors_estimate(RbvErrors *errors);
/* Values kept for comparison, for analyses without a motion, which use the functions below one by one. */
typedef struct RbvForceValues {
    double *component;                  /* [components of all joints] [N, N m]; start of the memory of all */
    double *effort, *multiplier, *stop; /* [drives], [constraints], [stops] */
} RbvForceValues;
/* Allocates the values. False: no memory; to be destroyed all the same. */
bool rbv_error_values_create(const RbvReactions *reactions, RbvForceValues *values);
void rbv_error_values_destroy(RbvForceValues *values);
/* Largest force [N] and torque [N m] of each part, at a state with loads and forces, into reactions->size. */
void rbv_error_sizes(RbvReactions *reactions, const RbvState *state);
/* Raises the largest force of each part to at least `force` [N]. */
void rbv_error_least_force(RbvReactions *reactions, double force);
/* Sets all errors to `part` of those sizes. */
void rbv_error_floor(RbvReactions *reactions, double part);
/* The errors of this sample have been recorded: samples whose errors are no larger need none. */
void rbv_error_recorded(const RbvReactions *reactions);
/* Copies the values of `reactions` to `to`. */
void rbv_error_keep(const RbvReactions *reactions, RbvForceValues *to);
/* Enlarges errors to twice the difference of the values in `reactions` from `values`. */
void rbv_error_compare(RbvReactions *reactions, const RbvForceValues *values);
/* Makes verdicts UNSURE, unless NOT_UNIQUE, of values whose error is above a thousandth of the largest value of
 * their unit in their connected part. True: there is one. */
bool rbv_reactions_doubt(RbvReactions *reactions);

#endif
