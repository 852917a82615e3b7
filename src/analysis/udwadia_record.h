/* Udwadia's equation of a system at its start, with everything in it, into a result. */
#ifndef RBV_ANALYSIS_UDWADIA_RECORD_H
#define RBV_ANALYSIS_UDWADIA_RECORD_H

#include <roberval/analysis.h>

#include "result/result.h"

/* At the state at `from`. BAD_INPUT: too large; LOCKED: accelerations are not unique; NOT_FINITE: said. Equations that
 * contradict each other are noted. */
RbvStatus rbv_record_udwadia(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvResult *result);

#endif
