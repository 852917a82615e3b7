/* Drives whose effort exceeds its limit; see drive_limits.h. */
#include "analysis/analyses/drive_limits.h"

#include "core/base/diagnostics.h"

#include <math.h>

/* Rounding of an effort, as a part of the limit. */
#define LIMIT 1e-9

bool rbv_drive_limits_see(RbvDriveLimit *limits, const RbvState *state, const RbvReactions *reactions, double *work) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        if (!model->drives.items[k].most)
            continue;
        double limit = rbv_state_expression(state, model->drives.items[k].most, NULL, work),
               effort = reactions->effort[k];
        if (!isfinite(limit))
            return false;
        limit = fmax(0, limit);
        RbvDriveLimit *l = &limits[k];
        if (fabs(effort) <= limit * (1 + LIMIT) || (l->exceeded && fabs(effort) - limit <= fabs(l->effort) - l->limit))
            continue;
        l->first = l->exceeded ? l->first : state->t;
        l->exceeded = true;
        l->at = state->t;
        l->effort = effort;
        l->limit = limit;
    }
    return true;
}

void rbv_drive_limits_note(const RbvDriveLimit *limits, const RbvModel *model, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDriveLimit *l = &limits[k];
        const RbvDrive *drive = &model->drives.items[k];
        if (l->exceeded)
            rbv_diagnose(diagnostics, RBV_WARNING, model->file, drive->where,
                         "drive '%s' cannot follow its motion: from t = %.9g s on it needs more than its max:, most at "
                         "t = %.9g s with %.6g of %.6g %s; simulate shows how it slips",
                         drive->name, l->first, l->at, fabs(l->effort), l->limit, drive->unit);
    }
}
