/* Inverse dynamics of a motion that is given: which reactions belong to it, and what forces have too much of along the
 * freedoms that are left. */
#ifndef RBV_ANALYSIS_INVERSE_GIVEN_H
#define RBV_ANALYSIS_INVERSE_GIVEN_H

#include <roberval/analysis.h>

/* Of options->given; as rbv_inverse. */
RbvStatus rbv_inverse_given(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);

#endif
