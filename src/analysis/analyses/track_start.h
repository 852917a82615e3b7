/* Requirements of tracking on a model and on its start. */
#ifndef RBV_ANALYSIS_ANALYSES_TRACK_START_H
#define RBV_ANALYSIS_ANALYSES_TRACK_START_H

#include "mechanics/system/system.h"

/* Does the model require a motion, and does it have only what tracking can follow? BAD_INPUT, reported. */
RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics);
/* The required rows are active from now on, at the assembled state: active[rows] is the caller's and must live as long
 * as the state. Where errors are not corrected the start must satisfy the required rows. INCONSISTENT (the row is
 * reported), NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_track_begin(RbvState *state, bool *active, RbvDiagnostics *diagnostics);

#endif
