/* What statics says of its equilibrium, into the result. */
#ifndef RBV_ANALYSIS_REST_WORDS_H
#define RBV_ANALYSIS_REST_WORDS_H

#include "analysis/record.h"
#include "analysis/rest.h"
#include "analysis/stability.h"

/* Energy, stability, the coordinate it falls by, coordinates of joints and where the bodies' poses stand. After the sample was recorded. False: no memory. */
bool rbv_rest_words(RbvRecord *record, const RbvRest *rest, const RbvStability *stability);

#endif
