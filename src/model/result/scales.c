/* Scales of the values of a result, and the times of extremes, which depend on them.
 *
 * A value is a sum of terms up to the largest value of its unit, each rounded to 1e-16 of itself: a value below
 * RBV_ROUNDING of the scale is only rounding. Forces and torques contribute to each other by the size of the
 * mechanism; a composed unit has the scale of its factors, energy that of force times size, power that of energy
 * times the fastest rate. Angles are rounded relative to 1 rad, positions relative to the size. An output is no more
 * accurate than the values it reads (RbvMix).
 */
#include "model/result/scales.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "model/result/result.h"

#include <math.h>
#include <string.h>

static double *scale_of(RbvScales *scales, const char *si) {
    for (int32_t k = 0; k < scales->count; k++)
        if (strcmp(scales->of[k].unit, si) == 0)
            return &scales->of[k].largest;
    if (scales->count == RBV_SCALES)
        return NULL;
    scales->of[scales->count] = (RbvScale){si, 0};
    return &scales->of[scales->count++].largest;
}

static double largest_of(RbvScales *scales, const char *si) {
    const double *largest = scale_of(scales, si);
    return largest ? *largest : 0;
}

static void raise(RbvScales *scales, const char *si, double value) {
    double *largest = scale_of(scales, si);
    if (largest && isfinite(value))
        *largest = rbv_max(*largest, value);
}

/* A bare name is a generalized coordinate, with the unit it is written in; "hinge.angle" and "ball.rx" are angles. */
const char *rbv_coordinate_unit(const char *coordinate) {
    const char *dot = strrchr(coordinate, '.');
    if (!dot)
        return "";
    return strcmp(dot, ".angle") == 0 || dot[1] == 'r' ? "rad" : "m";
}

static void raise_coordinates(RbvScales *scales, const RbvMode *coordinates) {
    for (int32_t c = 0; c < coordinates->count; c++) {
        const char *si = rbv_coordinate_unit(coordinates->shares[c].name);
        if (*si)
            raise(scales, si, fabs(coordinates->shares[c].share));
    }
}

static void measure(RbvScales *scales, const RbvResult *result) {
    double size = result->machine.size > 0 ? result->machine.size : 1;
    raise(scales, "rad", 1);
    raise(scales, "m", size);
    for (int32_t c = 1; c < result->column_count + result->hidden_count; c++)
        if (*result->columns[c].unit)
            raise(scales, result->columns[c].unit, rbv_result_sums(result, c).peak);
    double force = largest_of(scales, "N"), torque = largest_of(scales, "N.m");
    raise(scales, "N", torque / size);
    raise(scales, "N.m", force * size);
    raise(scales, "J", rbv_max(force * size, torque));
    /* [rad/s] Smallest scale of rates: at rest there is none. */
    double turning = largest_of(scales, "rad/s"), moving = largest_of(scales, "m/s"),
           slow = rbv_max(RBV_LEAST_SCALE, rbv_max(turning, moving / size));
    raise(scales, "rad/s", slow);
    raise(scales, "m/s", slow * size);
    double alpha = rbv_max(slow * slow, rbv_max(largest_of(scales, "rad/s^2"), largest_of(scales, "m/s^2") / size));
    raise(scales, "rad/s^2", alpha);
    raise(scales, "m/s^2", alpha * size);
    raise(scales, "s",
          result->sample_count > 0 && !result->followed.parameter
              ? fabs(rbv_result_value(result, result->sample_count - 1, 0))
              : 0);
    for (int32_t k = 0; k < result->equilibrium_count; k++) {
        raise_coordinates(scales, &result->equilibria[k].coordinates);
        raise(scales, "J", fabs(result->equilibria[k].energy));
    }
}

RbvScales rbv_scales(const RbvResult *result) {
    RbvScales scales = {.count = 0};
    measure(&scales, result);
    return scales;
}

static double seen(const RbvScales *scales, const char *si) {
    for (int32_t k = 0; k < scales->count; k++)
        if (strcmp(scales->of[k].unit, si) == 0)
            return scales->of[k].largest;
    return 0;
}

/* Scale of a composed unit: mass l^a m^b t^c = force^b length^(a-b) time^(c+2b), 1/time the fastest rate, 1/time^2
 * the largest acceleration. 0: unknown. */
static double composed(const RbvScales *scales, const char *si) {
    RbvUnit unit;
    if (!rbv_unit_parse(si, strlen(si), &unit, NULL))
        return 0;
    const int16_t *half = unit.exponents.half;
    double b = 0.5 * half[RBV_OF_MASS], length = 0.5 * half[RBV_OF_LENGTH] - b, time = 0.5 * half[RBV_OF_TIME] + 2 * b;
    if (b < 0 || time > 0 || half[RBV_OF_CYCLE])
        return 0;
    double rate = seen(scales, "rad/s"),
           rates = time > -2 ? pow(rate, -time) : seen(scales, "rad/s^2") * pow(rate, -2 - time);
    return (b > 0 ? pow(seen(scales, "N"), b) : 1) * pow(seen(scales, "m"), length) * rates;
}

static double scale(const RbvScales *scales, const char *si) {
    return rbv_max(seen(scales, si), composed(scales, si));
}

double rbv_scales_rounding(const RbvScales *scales, const char *si) {
    return *si ? RBV_ROUNDING * scale(scales, si) : 0;
}

double rbv_scales_rounding_of(const RbvScales *scales, const RbvColumn *column) {
    double most = *column->unit || column->mix ? rbv_scales_rounding(scales, column->unit) : RBV_ROUNDING;
    for (int k = 0; column->mix && column->mix->known && k < RBV_MIX_COUNT; k++) {
        double sum = RBV_ROUNDING * column->mix->part[k], value = fabs(column->mix->value[k]);
        for (int d = 1; d < RBV_DIM_COUNT; d++)
            sum += column->mix->gain[k][d] > 0
                       ? column->mix->gain[k][d] * rbv_scales_rounding(scales, rbv_dimension_si((RbvDimension)d))
                       : 0;
        most = value <= sum ? rbv_max(most, value) : most;
    }
    return most;
}

/* --- times of extremes ---
 *
 * Times of a column's minimum and maximum: the first time at which the value is within rounding of the extreme.
 *
 * A recurring extreme recurs with different last digits, so the time of the outermost sample would depend on rounding
 * (decision 0042). Two values of a column count as equal if they differ by no more than 1e-9 of its largest value
 * (the agreement of results), by the rounding error of either, or by the rounding level of their unit.
 * These are known only at the end: the samples are read a second time, in order, for all columns together.
 */

/* Difference below which two values of a column count as equal. */
static double same_of(const RbvScales *scales, const RbvColumn *column, const RbvSummary *s) {
    double error = column->has_error && isfinite(column->error) ? column->error : 0,
           rounding = rbv_scales_rounding_of(scales, column);
    for (int k = 0; column->mix && column->mix->known && k < RBV_MIX_COUNT; k++)
        rounding = rbv_max(rounding, RBV_ROUNDING * column->mix->part[k]);
    /* Relative difference of agreeing results, part of the largest value (docs/results.md). */
    return rbv_max(RBV_SAME * s->peak, 2 * rbv_max(error, rounding));
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
    if (result->sample_count == 1) /* its time is that of all extremes that there are */
        s.at_min = s.at_max = isnan(s.min) ? s.min : rbv_result_row(result, 0)[0];
    if (result->sample_count <= 1)
        return s;
    if (times->samples != result->sample_count)
        find_times(result, times);
    s.at_min = times->of[column].at[0];
    s.at_max = times->of[column].at[1];
    return s;
}
