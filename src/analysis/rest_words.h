/* What statics says of its equilibrium, into the result. */
#ifndef RBV_ANALYSIS_REST_WORDS_H
#define RBV_ANALYSIS_REST_WORDS_H

#include "analysis/record.h"
#include "analysis/rest.h"
#include "analysis/stability.h"

/* Energy, stability, the coordinate it falls by, coordinates of joints and poses of bodies into *to, in the result's memory. `motion` [n]: the motion whose largest coordinate is
 * named instead of the one it falls by; or NULL. False: no memory. */
bool rbv_rest_words(RbvRecord *record, const RbvRest *rest, const RbvStability *stability, const double *motion, const char *method, RbvEquilibrium *to);

#endif
