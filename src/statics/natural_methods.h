/* Methods of statics in natural coordinates: each from an assembled, placed state to q where it rests. */
#ifndef RBV_STATICS_NATURAL_METHODS_H
#define RBV_STATICS_NATURAL_METHODS_H

#include "statics/natural_rest.h"

/* OK; NO_EQUILIBRIUM, NOT_FINITE, NO_MEMORY, INTERRUPTED: said. */
typedef RbvStatus RbvRestMethod(RbvRest *rest);
/* Downhill on the rows' manifold by |R^T K R|, off saddles. */
RbvRestMethod rbv_rest_by_energy;
/* Newton on coordinates and multipliers: plain steps. */
RbvRestMethod rbv_rest_by_newton;
/* The same, from beside the start where it has to be. */
RbvRestMethod rbv_rest_by_lagrange;
/* Newton on V + 1/2 sum alpha Phi^2, as many equations as coordinates. */
RbvRestMethod rbv_rest_by_penalty;
/* The same with multipliers that are corrected by alpha Phi until Phi vanishes. */
RbvRestMethod rbv_rest_by_augmented;
/* R^T Q = 0, with dR/dz by accelerations. */
RbvRestMethod rbv_rest_by_virtual_power;
/* Damped motion until nothing moves. */
RbvRestMethod rbv_rest_by_relaxation;

/* Newton's steps from the placed state and its multipliers until nothing is left over; `method`: for words. */
RbvStatus rbv_rest_newton(RbvRest *rest, const char *method);
/* Words of the search about the place that the coordinates have come to. */
RbvStatus rbv_rest_lost(RbvRest *rest, const char *format, const char *detail);
RbvStatus rbv_rest_fail(RbvRest *rest, const char *text);
RbvStatus rbv_rest_check_far(RbvRest *rest);

#endif
