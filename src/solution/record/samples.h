/* The samples of a motion: from + i step, and `to`; or the rows of a recorded motion. */
#ifndef RBV_SOLUTION_RECORD_SAMPLES_H
#define RBV_SOLUTION_RECORD_SAMPLES_H

#include <roberval/options.h>

#include "core/base/progress.h"
#include "model/model/model.h"
#include "solution/motion/recorded.h"

/* Fewest floating point numbers of t between two samples, and in a whole motion: with fewer, steps cannot be
 * resolved. */
#define RBV_LEAST_INSTANTS 32

typedef struct RbvSamples {
    double from, to, step;   /* [s] */
    int32_t count;           /* number of samples; of a recorded motion: initial capacity */
    RbvProgress progress;    /* the caller's progress function */
    RbvRecorded *recorded;   /* NULL: samples are equidistant */
    RbvDriveTarget *targets; /* [drives] of a recorded motion: they prescribe it from sample to sample; else NULL: the
                                drives themselves do */
} RbvSamples;

/* [s] --from, else the beginning of motion:, else 0. */
double rbv_first_instant(const RbvModel *model, const RbvOptions *options);
/* Samples of a motion that is not recorded. BAD_INPUT, reported: no motion, an empty one, too many samples, or too
 * few digits of time. */
RbvStatus rbv_samples_create(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvSamples *samples);
/* Is each choice a valid value, and has each list its names? */
bool rbv_options_valid(const RbvOptions *options);

/* Samples of a motion that may be recorded (options->recording): then `from` is the time of its first row, where its
 * targets are, and `step` the time to the next row. *samples must not move, since the recorded motion keeps a pointer
 * to its `progress`. To be closed in any case. Statuses of rbv_recorded_next, too. */
RbvStatus rbv_samples_open(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvSamples *samples);
void rbv_samples_close(RbvSamples *samples);
/* Goes to sample k, one after the other; *t: its time [s]. *more false: there is no such sample. INTERRUPTED: the
 * caller's progress function, which gets the share done, wants to stop. */
RbvStatus rbv_samples_next(RbvSamples *samples, int32_t k, double *t, bool *more);
/* Passes the last sample to the caller's keeper, if there is one. Statuses of the keeper. */
RbvStatus rbv_samples_keep(const RbvOptions *options, const RbvResult *result, RbvDiagnostics *diagnostics);
/* [s] Time of sample k of equidistant samples. */
double rbv_samples_time(const RbvSamples *samples, int32_t k);
/* Reports sample k to the caller's progress function; false: it wants to stop. */
bool rbv_samples_go_on(RbvSamples *samples, int32_t k);

#endif
