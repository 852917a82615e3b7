/* Inverse dynamics of a prescribed motion: the reactions that belong to it, and the excess of forces along the
 * remaining freedoms.
 */
#ifndef RBV_ANALYSIS_ANALYSES_INVERSE_GIVEN_H
#define RBV_ANALYSIS_ANALYSES_INVERSE_GIVEN_H

#include <roberval/analysis.h>

/* Inverse dynamics of the motion options->given; statuses of rbv_inverse. */
RbvStatus rbv_inverse_given(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);

#endif
