/* Udwadia's equation of a system at its start, with all its terms, into a result. */
#ifndef RBV_ANALYSIS_ANALYSES_UDWADIA_RECORD_H
#define RBV_ANALYSIS_ANALYSES_UDWADIA_RECORD_H

#include <roberval/analysis.h>

#include "model/result/result.h"

/* At the state at time `from`. BAD_INPUT: too large; LOCKED: accelerations are not unique; NOT_FINITE: each reported.
 * Equations that contradict each other are noted. */
RbvStatus rbv_record_udwadia(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvResult *result);

#endif
