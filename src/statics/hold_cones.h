/* The programs of hold.c with cones themselves (core/solve/cone_program.h), used where half planes do not converge
 * because many friction directions share one load. */
#ifndef RBV_STATICS_HOLD_CONES_H
#define RBV_STATICS_HOLD_CONES_H

#include "statics/hold.h"

/* Most sides of a contact: one row each of numbers 1 and its sides. A pin with a collar has eighteen of these
 * directions, the largest number. */
#define RBV_MOST_SIDES 24

/* Sides of friction contact i into out[RBV_MOST_SIDES][vary + 1], each as mu times an affine function of y: all sides,
 * or those that meet at y. Returns their number, at least one. */
int32_t rbv_hold_sides(const RbvHoldProblem *hold, int32_t i, const double *y, double *out);

/* Direction s in which the reaction of row k may push along the row's value: 1 up, -1 down (ropes, upper limits of
 * stops), 0 both. The multiplier of a one-sided row obeys s lambda <= 0. */
double rbv_hold_one_way(const RbvSystem *system, int32_t k);
/* Starting from h->y, with the present tangents: finds a feasible point; x of h->program gets it, its last number is
 * the violation. at: required value of p, or NULL. */
RbvProgramEnd rbv_hold_reach_cones(RbvHoldProblem *hold, const double *at);
/* Starting from h->y, which is feasible: maximizes sign p. */
RbvProgramEnd rbv_hold_push_cones(RbvHoldProblem *hold, double sign);

#endif
