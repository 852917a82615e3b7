/* Zero-phase low-pass: a second-order Butterworth filter forward and backward.
 *
 * One pass has |H|^2 = 1/(1 + r^4), r = tan(pi f/fs)/g (bilinear), so the two together have the gain 1/(1 + r^4) and no
 * phase. It is 1/sqrt(2) at f = cutoff when g = tan(pi cutoff/fs)/(sqrt(2) - 1)^(1/4).
 *
 * The pass is the trapezoidal rule on a two-integrator loop, s1' = g (u - s2 - sqrt(2) s1), s2' = g s1, in the form
 * that keeps the integrators' states (Zavalishin, The Art of VA Filter Design, ch. 4). Its rest state under constant
 * input is (0, u) without rounding, which the usual difference equation loses for low cut-offs.
 *
 * Periodic data: the pass starts in the state that it returns to after one period, s = (I - A^m)^-1 s_m(from rest).
 * Otherwise the data goes on by odd reflection, 2 y_end - y, as far as the filter remembers or the data reaches.
 */
#include "core/expr/spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define SQRT2 1.41421356237309504880
#define LEAST_COUNT 8
/* Steps that differ by more than this part of the mean step are not equidistant. */
#define EQUIDISTANT 1e-6
/* Decay of the filter's response below which earlier samples are ignored. */
#define MEMORY 1e-9

typedef struct Filter {
    double g, gain; /* gain = 1/(1 + g (g + sqrt 2)) */
} Filter;

typedef struct State {
    double s1, s2;
} State;

static Filter filter_for(double cutoff, double rate) {
    double g = tan(PI * cutoff / rate) / sqrt(sqrt(SQRT2 - 1.0));
    return (Filter){.g = g, .gain = 1.0 / (1.0 + g * (g + SQRT2))};
}

static double advance(const Filter *filter, State *state, double input) {
    double band = filter->gain * (state->s1 + filter->g * (input - state->s2));
    double low = state->s2 + filter->g * band;
    state->s1 = 2.0 * band - state->s1;
    state->s2 = 2.0 * low - state->s2;
    return low;
}

/* The filter's pass over y, forward (step 1) or backward (step -1), in place. */
static void pass(const Filter *filter, State state, double *y, int32_t count, bool backward) {
    for (int32_t k = 0; k < count; k++) {
        double *sample = backward ? &y[count - 1 - k] : &y[k];
        *sample = advance(filter, &state, *sample);
    }
}

/* Filter state that recurs after m samples of periodic data. */
static State periodic_state(const Filter *filter, const double *y, int32_t m, bool backward) {
    State forced = {0, 0}, a = {1, 0}, b = {0, 1};
    for (int32_t k = 0; k < m; k++) {
        advance(filter, &forced, backward ? y[m - 1 - k] : y[k]);
        advance(filter, &a, 0.0);
        advance(filter, &b, 0.0);
    }
    double m11 = 1.0 - a.s1, m12 = -b.s1, m21 = -a.s2, m22 = 1.0 - b.s2, det = m11 * m22 - m12 * m21;
    if (!(det < 0.0 || det > 0.0))
        return (State){0, 0}; /* slower than rounding: only the mean passes */
    return (State){(m22 * forced.s1 - m12 * forced.s2) / det, (m11 * forced.s2 - m21 * forced.s1) / det};
}

/* Filter periodic y[count], with y[count-1] equal to y[0]. The mean passes unchanged; the rest is filtered. */
static void filter_periodic(const Filter *filter, double *y, int32_t count) {
    int32_t m = count - 1;
    double mean = 0.0;
    for (int32_t k = 0; k < m; k++)
        mean += (y[k] - y[0]) / m;
    mean += y[0];
    for (int32_t k = 0; k < m; k++)
        y[k] -= mean;
    pass(filter, periodic_state(filter, y, m, false), y, m, false);
    pass(filter, periodic_state(filter, y, m, true), y, m, true);
    for (int32_t k = 0; k < m; k++)
        y[k] += mean;
    y[m] = y[0];
}

/* Number of samples until the slowest mode has decayed to MEMORY. Analogue poles g (-1 +- i)/sqrt 2; z = (1 + p)/(1 -
 * p). */
static int32_t memory_of(const Filter *filter, int32_t most) {
    double p = filter->g / SQRT2, radius = sqrt(((1.0 - p) * (1.0 - p) + p * p) / ((1.0 + p) * (1.0 + p) + p * p));
    double samples = radius < 1.0 ? ceil(log(MEMORY) / log(radius)) : INFINITY;
    return samples < most ? (int32_t)samples + 1 : most;
}

static RbvStatus filter_reflected(const Filter *filter, double *y, int32_t count) {
    int32_t margin = memory_of(filter, count - 1), total = count + 2 * margin;
    double *z = malloc((size_t)total * sizeof *z);
    if (z == NULL)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < margin; k++) {
        z[k] = 2.0 * y[0] - y[margin - k];
        z[margin + count + k] = 2.0 * y[count - 1] - y[count - 2 - k];
    }
    memcpy(z + margin, y, (size_t)count * sizeof *z);
    pass(filter, (State){0.0, z[0]}, z, total, false);
    pass(filter, (State){0.0, z[total - 1]}, z, total, true);
    memcpy(y, z + margin, (size_t)count * sizeof *z);
    free(z);
    return RBV_OK;
}

static RbvStatus filter_equidistant(const Filter *filter, double *y, int32_t count, bool periodic) {
    if (!periodic)
        return filter_reflected(filter, y, count);
    filter_periodic(filter, y, count);
    return RBV_OK;
}

/* to[k] = spline through (x, y) at at[k]. The end points agree exactly, so no at[k] lies outside. */
static RbvStatus resample(int32_t count, const double *x, const double *y, bool periodic, const double *at,
                          double *to) {
    RbvStatus status;
    RbvSpline *spline = rbv_spline_create("", count, x, y, periodic, RBV_OUTSIDE_HOLD, &status);
    if (spline == NULL)
        return status;
    for (int32_t k = 0; k < count; k++) {
        double d[4];
        rbv_spline_eval(spline, at[k], 0, d);
        to[k] = d[0];
    }
    if (periodic)
        to[count - 1] = to[0];
    rbv_spline_destroy(spline);
    return RBV_OK;
}

static RbvStatus filter_resampled(const Filter *filter, int32_t count, const double *x, double *y, bool periodic) {
    size_t n = (size_t)count;
    double *even = malloc(2 * n * sizeof *even);
    if (even == NULL)
        return RBV_NO_MEMORY;
    double *z = even + n, span = x[count - 1] - x[0];
    for (int32_t k = 0; k < count; k++)
        even[k] = x[0] + span * ((double)k / (count - 1));
    even[count - 1] = x[count - 1];
    RbvStatus status = resample(count, x, y, periodic, even, z);
    if (status == RBV_OK)
        status = filter_equidistant(filter, z, count, periodic);
    if (status == RBV_OK)
        status = resample(count, even, z, periodic, x, y);
    free(even);
    return status;
}

static bool is_equidistant(int32_t count, const double *x) {
    double step = (x[count - 1] - x[0]) / (count - 1);
    for (int32_t k = 1; k < count; k++) {
        if (fabs(x[k] - x[k - 1] - step) > EQUIDISTANT * step)
            return false;
    }
    return true;
}

RbvStatus rbv_smooth_zero_phase(int32_t count, const double *x, double *y, bool periodic, double cutoff) {
    if (count < LEAST_COUNT || x == NULL || y == NULL)
        return RBV_BAD_INPUT;
    for (int32_t k = 0; k < count; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k]) || (k > 0 && !(x[k] > x[k - 1])))
            return RBV_BAD_INPUT;
    }
    double rate = (count - 1) / (x[count - 1] - x[0]);
    if (!(cutoff > 0.0 && cutoff < 0.5 * rate) || count > INT32_MAX / 4)
        return RBV_BAD_INPUT;
    Filter filter = filter_for(cutoff, rate);
    if (!(filter.g > 0.0) || !isfinite(filter.g))
        return RBV_BAD_INPUT;
    double first = y[0], last = y[count - 1];
    if (periodic)
        y[0] = y[count - 1] = 0.5 * first + 0.5 * last;
    RbvStatus status = is_equidistant(count, x) ? filter_equidistant(&filter, y, count, periodic)
                                                : filter_resampled(&filter, count, x, y, periodic);
    if (status != RBV_OK) {
        y[0] = first;
        y[count - 1] = last;
    }
    return status;
}
