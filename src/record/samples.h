/* The samples of a motion: from + i step, and `to`; or the rows of a recorded one. */
#ifndef RBV_RECORD_SAMPLES_H
#define RBV_RECORD_SAMPLES_H

#include <roberval/analysis.h>

#include "base/progress.h"
#include "model/model.h"
#include "motion/recorded.h"

typedef struct RbvSamples {
    double from, to, step; /* [s] */
    int32_t count;         /* of a recorded motion: to make room for at first */
    RbvProgress progress;  /* the caller's progress function */
    RbvRecorded *recorded; /* NULL: they are equidistant */
} RbvSamples;

/* [s] --from, else the beginning of motion:, else 0. */
double rbv_first_instant(const RbvModel *model, const RbvOptions *options);
/* BAD_INPUT (said) without a motion or with too many samples. */
RbvStatus rbv_samples_create(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvSamples *samples);
/* Is each choice one there is, and has each list its names? */
bool rbv_options_valid(const RbvOptions *options);

/* Those of a motion that may be recorded (options->recording): then `from` is its first row, where its guides stand,
 * and `step` the time to the next one. In place: the recorded motion looks at `watch`. To be closed in any case.
 * Statuses of rbv_recorded_next, too. */
RbvStatus rbv_samples_open(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvSamples *samples);
void rbv_samples_close(RbvSamples *samples);
/* Go to sample k, one after the other: its time. *more false: there is none. INTERRUPTED: the caller's progress
 * function, which is told how much is done, wants to stop. */
RbvStatus rbv_samples_next(RbvSamples *samples, int32_t k, double *t, bool *more);
/* [drives] that lead the motion from sample to sample; NULL: its drives do. */
const RbvDriveTarget *rbv_samples_guides(const RbvSamples *samples);
/* The sample that was done last goes to the caller's keeper, where there is one. Its statuses. */
RbvStatus rbv_samples_keep(const RbvOptions *options, const RbvResult *result, RbvDiagnostics *diagnostics);
double rbv_samples_time(const RbvSamples *samples, int32_t k);
/* Tell the caller's progress function about sample k; false: it wants to stop. */
bool rbv_samples_go_on(RbvSamples *samples, int32_t k);

#endif
