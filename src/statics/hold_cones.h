/* The programs of hold.c where half planes do not come to an end, as many directions of friction leave free what they
 * share: with cones themselves (solve/cone_program.h). */
#ifndef RBV_STATICS_HOLD_CONES_H
#define RBV_STATICS_HOLD_CONES_H

#include "statics/hold.h"

/* Which way row k may push along its value: 1 up, -1 down, as ropes and upper limits of stops do; 0 both. */
double rbv_hold_one_way(const RbvSystem *system, int32_t k);
/* From h->y, with the tangents as they are: what holds, into the x of h->program, whose last number is what is lacking.
 * at: p is to have this value, or NULL. */
RbvProgramEnd rbv_hold_reach_cones(RbvHoldProblem *hold, const double *at);
/* From h->y, which holds: the largest sign p. */
RbvProgramEnd rbv_hold_push_cones(RbvHoldProblem *hold, double sign);

#endif
