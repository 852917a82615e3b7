/* Times of a column's minimum and maximum: the first time at which the value is within rounding of the extreme.
 *
 * A recurring extreme recurs with different last digits, so the time of the outermost sample would depend on rounding
 * (decision 0042). Two values of a column count as equal if they differ by no more than 1e-9 of its largest value
 * (the agreement of results), by the rounding error of either, or by the rounding level of their unit (scales.h).
 * These are known only at the end: the samples are read a second time, in order, for all columns together.
 */
#include "model/result/rows.h"
#include "model/result/scales.h"

#include <math.h>

/* Relative difference of agreeing results, part of the largest value (docs/results.md). */
#define AGREE 1e-9

/* Difference below which two values of a column count as equal. */
static double same_of(const RbvScales *scales, const RbvColumn *column, const RbvSummary *s) {
    double error = column->has_error && isfinite(column->error) ? column->error : 0,
           rounding = rbv_scales_rounding_of(scales, column);
    for (int k = 0; column->mix && column->mix->known && k < RBV_MIX_COUNT; k++)
        rounding = fmax(rounding, RBV_ROUNDING * column->mix->part[k]);
    return fmax(AGREE * s->peak, 2 * fmax(error, rounding));
}

static void find_times(const RbvResult *result, RbvExtremes *times) {
    RbvScales scales = rbv_scales(result);
    int32_t width = result->column_count + result->hidden_count;
    for (int32_t c = 0; c < width; c++) {
        RbvSummary s = rbv_result_sums(result, c);
        double same = same_of(&scales, &result->columns[c], &s);
        times->of[c].within[0] = s.min + same;
        times->of[c].within[1] = s.max - same;
        times->of[c].at[0] = times->of[c].at[1] = NAN;
    }
    for (int32_t k = 0; k < result->sample_count; k++) {
        const double *row = rbv_result_row(result, k);
        for (int32_t c = 0; c < width; c++) {
            if (row[c] <= times->of[c].within[0] && isnan(times->of[c].at[0]))
                times->of[c].at[0] = row[0];
            if (row[c] >= times->of[c].within[1] && isnan(times->of[c].at[1]))
                times->of[c].at[1] = row[0];
        }
    }
    times->samples = result->sample_count;
}

RbvSummary rbv_result_summary(const RbvResult *result, int32_t column) {
    RbvSummary s = rbv_result_sums(result, column);
    RbvExtremes *times = result->store.times;
    if (result->sample_count == 0)
        return s;
    if (times->samples != result->sample_count)
        find_times(result, times);
    s.at_min = times->of[column].at[0];
    s.at_max = times->of[column].at[1];
    return s;
}
