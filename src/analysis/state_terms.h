/* What belongs to a state and is asked for by itself: the null space of its constraints, and each load. In the
 * coordinates of `system`, whichever these are. */
#ifndef RBV_ANALYSIS_STATE_TERMS_H
#define RBV_ANALYSIS_STATE_TERMS_H

#include "record/record.h"

/* Of the assembled, moved state in absolute coordinates, as the options ask, into the result; the state is the same
 * afterwards. NO_MEMORY; NOT_FINITE: a load, said. */
RbvStatus rbv_record_state_terms(const RbvSystem *system, RbvState *bodies, const RbvOptions *options,
                                 RbvDiagnostics *diagnostics, RbvResult *result);

#endif
