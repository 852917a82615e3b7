/* What statics says of its equilibrium, into the result. */
#ifndef RBV_ANALYSIS_REST_WORDS_H
#define RBV_ANALYSIS_REST_WORDS_H

#include "analysis/record.h"
#include "analysis/rest.h"
#include "analysis/stability.h"

/* Energy, stability, the coordinate it falls by, coordinates of joints and poses of bodies into *to, in the result's memory. False: no memory. */
bool rbv_rest_words(RbvRecord *record, const RbvRest *rest, const RbvStability *stability, const char *method, RbvEquilibrium *to);

#endif
