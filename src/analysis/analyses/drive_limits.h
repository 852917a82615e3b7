/* Efforts of drives in a driven motion, compared with their limits max:. */
#ifndef RBV_ANALYSIS_ANALYSES_DRIVE_LIMITS_H
#define RBV_ANALYSIS_ANALYSES_DRIVE_LIMITS_H

#include "solution/reaction/reactions.h"

/* One drive: the first instant at which its effort exceeded the limit, and the instant at which it exceeded the limit
 * most. */
typedef struct RbvDriveLimit {
    bool exceeded;
    double first, at;     /* [s] first instant, instant of the largest excess */
    double effort, limit; /* at that instant [N or N m] */
} RbvDriveLimit;

/* Take the sample in the state, with the efforts in `reactions`, into limits[drives]. False: a limit is not finite.
 * work: scratch for expressions. */
bool rbv_drive_limits_see(RbvDriveLimit *limits, const RbvState *state, const RbvReactions *reactions, double *work);
/* One warning for each drive whose effort exceeded its limit. */
void rbv_drive_limits_note(const RbvDriveLimit *limits, const RbvModel *model, RbvDiagnostics *diagnostics);

#endif
