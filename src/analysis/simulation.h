/* The recipe that motions from forces share (simulate.c). */
#ifndef RBV_ANALYSIS_SIMULATION_H
#define RBV_ANALYSIS_SIMULATION_H

#include <roberval/analysis.h>

/* Motion from forces; `tracks`: with control for what is required of it. */
RbvStatus rbv_run_motion(const RbvSystem *system, const RbvOptions *options, bool tracks, RbvDiagnostics *diagnostics, RbvResult **result);

#endif
