/* Efforts that a driven motion asks of drives, against their max:. */
#ifndef RBV_ANALYSIS_DRIVE_LIMITS_H
#define RBV_ANALYSIS_DRIVE_LIMITS_H

#include "reaction/reactions.h"

/* Of one drive: when it first needed more than its limit, and where it did so most. */
typedef struct RbvDriveLimit {
    bool exceeded;
    double first, at;     /* [s] */
    double effort, limit; /* there */
} RbvDriveLimit;

/* limits[drives] know the sample, with its efforts. False: a limit is not finite. work: scratch of expressions. */
bool rbv_drive_limits_see(RbvDriveLimit *limits, const RbvState *state, const RbvReactions *reactions, double *work);
/* A warning of each drive that needed more than it has. */
void rbv_drive_limits_note(const RbvDriveLimit *limits, const RbvModel *model, RbvDiagnostics *diagnostics);

#endif
