/* max, min, mean, rms, first, last, argmax, range, integral, at, percentile, count over samples. Integrals are of the
 * piecewise cubic through the samples (core/linalg/quadrature.h), and `at` is that cubic. */
#include "study/run/samples.h"

#include "core/base/tolerances.h"
#include "core/linalg/quadrature.h"

#include <math.h>
#include <stdlib.h>

bool rbv_aggregate_sorts(RbvAggregateKind kind) {
    return kind == RBV_AGGREGATE_PERCENTILE;
}

bool rbv_aggregate_integrates(RbvAggregateKind kind) {
    return kind == RBV_AGGREGATE_MEAN || kind == RBV_AGGREGATE_RMS || kind == RBV_AGGREGATE_INTEGRAL;
}

static double x_of(const RbvSamples *s, int32_t k) {
    return s->x[(size_t)k * (size_t)s->x_stride];
}

static double t_of(const RbvSamples *s, int32_t k) {
    return s->t[(size_t)k * (size_t)s->t_stride];
}

/* Index of the largest value of sign * x; -1: a sample is no number. */
static int32_t index_of_most(const RbvSamples *s, double sign) {
    int32_t best = 0;
    for (int32_t k = 0; k < s->count; k++) {
        if (isnan(x_of(s, k)))
            return -1;
        if (sign * x_of(s, k) > sign * x_of(s, best))
            best = k;
    }
    return best;
}

static double most(const RbvSamples *s, double sign) {
    int32_t k = index_of_most(s, sign);
    return k < 0 ? NAN : x_of(s, k);
}

static double integral(const RbvSamples *s, int power) {
    double sum = 0;
    if (s->count < 2)
        return 0;
    for (int32_t k = 0; k < s->count; k++)
        s->times[k] = t_of(s, k);
    rbv_quadrature_weights(s->times, s->count, s->scratch);
    for (int32_t k = 0; k < s->count; k++)
        sum += s->scratch[k] * pow(x_of(s, k), power);
    return sum;
}

/* Integral over the length of the run; of one sample its value. */
static double mean(const RbvSamples *s, int power) {
    double time = t_of(s, s->count - 1) - t_of(s, 0);
    return time > 0 ? integral(s, power) / time : pow(x_of(s, 0), power);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const RbvSamples *s, double percent) {
    for (int32_t k = 0; k < s->count; k++) {
        s->scratch[k] = x_of(s, k);
        if (isnan(s->scratch[k]))
            return NAN;
    }
    qsort(s->scratch, (size_t)s->count, sizeof *s->scratch, compare);
    double at = percent / 100 * (s->count - 1), below = floor(at);
    int32_t k = (int32_t)below;
    double last = k + 1 < s->count ? s->scratch[k + 1] : s->scratch[k];
    return s->scratch[k] + (at - below) * (last - s->scratch[k]);
}

/* Lagrange's polynomial through samples first ... first + n - 1 at t. */
static double interpolate(const RbvSamples *s, int32_t first, int32_t n, double t) {
    double sum = 0;
    for (int32_t i = first; i < first + n; i++) {
        double product = x_of(s, i);
        for (int32_t j = first; j < first + n; j++)
            if (j != i)
                product *= (t - t_of(s, j)) / (t_of(s, i) - t_of(s, j));
        sum += product;
    }
    return sum;
}

/* Samples first ... *end - 1 of the piece without an event that holds the interval from sample k to k + 1. */
static int32_t piece_around(const RbvSamples *s, int32_t k, int32_t *end) {
    int32_t first = k, last = k + 1;
    while (first > 0 && k - first < 1 && t_of(s, first - 1) < t_of(s, first))
        first--;
    while (last + 1 < s->count && last - k < 2 && t_of(s, last) < t_of(s, last + 1))
        last++;
    *end = last + 1;
    return first;
}

static double value_at(const RbvSamples *s, double t) {
    double from = t_of(s, 0), to = t_of(s, s->count - 1), near = RBV_DATA * fmax(fabs(from), fabs(to));
    if (!(t >= from - near && t <= to + near))
        return NAN;
    int32_t low = 0, high = s->count - 1;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (t_of(s, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    if (fabs(t - t_of(s, high)) <= near)
        return x_of(s, high);
    if (fabs(t - t_of(s, low)) <= near)
        return x_of(s, low);
    int32_t end, first = piece_around(s, low, &end);
    return interpolate(s, first, end - first, t);
}

static double count_true(const RbvSamples *s) {
    double count = 0;
    for (int32_t k = 0; k < s->count; k++)
        count += isnan(x_of(s, k)) ? NAN : x_of(s, k) != 0;
    return count;
}

double rbv_aggregate(RbvAggregateKind kind, double argument, const RbvSamples *s) {
    int32_t at;
    switch (kind) {
    case RBV_AGGREGATE_MAX: return most(s, 1);
    case RBV_AGGREGATE_MIN: return most(s, -1);
    case RBV_AGGREGATE_MEAN: return mean(s, 1);
    case RBV_AGGREGATE_RMS: return sqrt(fmax(0, mean(s, 2)));
    case RBV_AGGREGATE_FIRST: return x_of(s, 0);
    case RBV_AGGREGATE_LAST: return x_of(s, s->count - 1);
    case RBV_AGGREGATE_ARGMAX: at = index_of_most(s, 1); return at < 0 ? NAN : t_of(s, at);
    case RBV_AGGREGATE_RANGE: return most(s, 1) - most(s, -1);
    case RBV_AGGREGATE_INTEGRAL: return integral(s, 1);
    case RBV_AGGREGATE_AT: return value_at(s, argument);
    case RBV_AGGREGATE_PERCENTILE: return percentile(s, argument);
    case RBV_AGGREGATE_COUNT: return count_true(s);
    case RBV_AGGREGATE_PATH: break;
    }
    return NAN;
}
