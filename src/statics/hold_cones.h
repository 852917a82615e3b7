/* The programs of hold.c with cones themselves (core/solve/cone_program.h), used where half planes do not converge
 * because many friction directions share one load. */
#ifndef RBV_STATICS_HOLD_CONES_H
#define RBV_STATICS_HOLD_CONES_H

#include "statics/hold.h"

/* Direction s in which the reaction of row k may push along the row's value: 1 up, -1 down (ropes, upper limits of
 * stops), 0 both. The multiplier of a one-sided row obeys s lambda <= 0. */
double rbv_hold_one_way(const RbvSystem *system, int32_t k);
/* Starting from h->y, with the present tangents: finds a feasible point; x of h->program gets it, its last number is
 * the violation. at: required value of p, or NULL. */
RbvProgramEnd rbv_hold_reach_cones(RbvHoldProblem *hold, const double *at);
/* Starting from h->y, which is feasible: maximizes sign p. */
RbvProgramEnd rbv_hold_push_cones(RbvHoldProblem *hold, double sign);

#endif
