/* Terms of a state that can be requested separately: the null space of its constraints, and each load. In the
 * coordinates of `system`, whichever these are.
 */
#ifndef RBV_ANALYSIS_ANALYSES_STATE_TERMS_H
#define RBV_ANALYSIS_ANALYSES_STATE_TERMS_H

#include "solution/record/record.h"

/* The terms that the options request, at the assembled state `bodies` in absolute coordinates with evaluated
 * velocities, into the result; the state is unchanged on return. NO_MEMORY; NOT_FINITE: a load, reported. */
RbvStatus rbv_record_state_terms(const RbvSystem *system, RbvState *bodies, const RbvOptions *options,
                                 RbvDiagnostics *diagnostics, RbvResult *result);

#endif
