/* Inverse dynamics of a motion that is given for all bodies, sample by sample. */
#ifndef RBV_ANALYSIS_ANALYSES_PRESCRIBED_H
#define RBV_ANALYSIS_ANALYSES_PRESCRIBED_H

#include <roberval/analysis.h>

/* rbv_inverse with options->inverse.prescribed. */
RbvStatus rbv_inverse_prescribed(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                 RbvResult **result);

#endif
