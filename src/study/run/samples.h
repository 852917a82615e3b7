/* Functions over the samples of one column. */
#ifndef RBV_STUDY_RUN_SAMPLES_H
#define RBV_STUDY_RUN_SAMPLES_H

#include "study/definition/study.h"

typedef struct RbvSamples {
    int32_t count;       /* > 0 */
    const double *x, *t; /* value and time [s] of sample k: x[k * x_stride], t[k * t_stride] */
    int32_t x_stride, t_stride;
    double *scratch, *times; /* [count] for functions that sort or integrate */
} RbvSamples;

bool rbv_aggregate_sorts(RbvAggregateKind kind);
bool rbv_aggregate_integrates(RbvAggregateKind kind);
/* Value of the function; NaN if a sample it reads is, or if `argument` [s] is outside the run. */
double rbv_aggregate(RbvAggregateKind kind, double argument, const RbvSamples *samples);

#endif
