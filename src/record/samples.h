/* The samples of a motion: from + i step, and `to`. */
#ifndef RBV_RECORD_SAMPLES_H
#define RBV_RECORD_SAMPLES_H

#include <roberval/analysis.h>

#include "base/watch.h"
#include "model/model.h"

typedef struct RbvSamples {
    double from, to, step; /* [s] */
    int32_t count;
    RbvWatch watch;        /* the caller's progress function */
} RbvSamples;

/* [s] --from, else the beginning of motion:, else 0. */
double rbv_first_instant(const RbvModel *model, const RbvOptions *options);
/* BAD_INPUT (said) without a motion or with too many samples. */
RbvStatus rbv_samples_create(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvSamples *samples);
double rbv_samples_time(const RbvSamples *samples, int32_t k);
/* Tell the caller's progress function about sample k; false: it wants to stop. */
bool rbv_samples_go_on(RbvSamples *samples, int32_t k);

#endif
