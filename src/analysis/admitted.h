/* What motion from forces cannot do yet in coordinates that keep joints by themselves. */
#ifndef RBV_ANALYSIS_ADMITTED_H
#define RBV_ANALYSIS_ADMITTED_H

#include <roberval/analysis.h>

/* BAD_INPUT (said): the first thing that is not admitted. */
RbvStatus rbv_admit_coordinates(const RbvSystem *system, RbvDiagnostics *diagnostics);

#endif
