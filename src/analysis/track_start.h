/* What tracking asks of a model and of its start. */
#ifndef RBV_ANALYSIS_TRACK_START_H
#define RBV_ANALYSIS_TRACK_START_H

#include "system/system.h"

/* Is something required, and does the model have nothing that tracking does not follow? BAD_INPUT, said. */
RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics);
/* The required rows act from now on, at the assembled state: active[rows] is the caller's and stays. Where errors are
 * not corrected the start must fit: INCONSISTENT, said which does not. */
RbvStatus rbv_track_begin(RbvState *state, bool *active, RbvDiagnostics *diagnostics);

#endif
