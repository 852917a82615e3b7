/* Splines: the interpolating cubic spline; a low-pass filter of its data; and the same spline of points that arrive one
 * after another.
 *
 * With second derivatives M_k at the knots, h_k = x_{k+1} - x_k and slopes s_k = (y_{k+1} - y_k)/h_k, continuity of the
 * first derivative is
 *
 *   h_{k-1} M_{k-1} + 2 (h_{k-1} + h_k) M_k + h_k M_{k+1} = 6 (s_k - s_{k-1}).
 *
 * Not-a-knot: the third derivative does not jump at x_1 and x_{n-2}, so M_0 = M_1 - (h_0/h_1)(M_2 - M_1), which is put
 * into the first row (and alike into the last): a diagonally dominant tridiagonal system. Periodic: the indices are
 * cyclic; the last unknown is kept as a parameter, and the rest solved for two right-hand sides. (De Boor, A Practical
 * Guide to Splines, ch. IV.) Each interval keeps its polynomial y + b u + c u^2 + d u^3, u = x - x_k.
 */
#include "core/expr/spline.h"

#include "core/base/tolerances.h"
#include "core/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct RbvSpline {
    int32_t count;
    bool periodic;
    RbvSplineOutside outside;
    double *x;        /* [count] */
    double (*p)[4];   /* [count - 1] coefficients by powers of x - x[k] */
    double end_value; /* y[count-1] */
    double per_step;  /* (count - 1)/(last - first) */
    char *name;
};

/* lower[k] m[k-1] + diagonal[k] m[k] + upper[k] m[k+1] = m[k] (right-hand side in, solution out); diagonally dominant.
 */
static void solve_tridiagonal(int32_t n, const double *lower, double *diagonal, const double *upper, double *m,
                              double *m2) {
    for (int32_t k = 1; k < n; k++) {
        double f = lower[k] / diagonal[k - 1];
        diagonal[k] -= f * upper[k - 1];
        m[k] -= f * m[k - 1];
        if (m2 != NULL)
            m2[k] -= f * m2[k - 1];
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        m[k] = (m[k] - (k + 1 < n ? upper[k] * m[k + 1] : 0.0)) / diagonal[k];
        if (m2 != NULL)
            m2[k] = (m2[k] - (k + 1 < n ? upper[k] * m2[k + 1] : 0.0)) / diagonal[k];
    }
}

static double slope(const double *x, const double *y, int32_t k) {
    return (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

/* Second derivatives with not-a-knot ends; work[3 n]. */
static void not_a_knot(int32_t n, const double *x, const double *y, double *m, double *work) {
    if (n == 2) {
        m[0] = m[1] = 0.0;
        return;
    }
    if (n == 3) {
        m[0] = m[1] = m[2] = 2.0 * (slope(x, y, 1) - slope(x, y, 0)) / (x[2] - x[0]);
        return;
    }
    double *lower = work, *diagonal = work + n, *upper = work + 2 * n;
    for (int32_t k = 1; k < n - 1; k++) {
        double left = x[k] - x[k - 1], right = x[k + 1] - x[k];
        lower[k] = left;
        diagonal[k] = 2.0 * (left + right);
        upper[k] = right;
        m[k] = 6.0 * (slope(x, y, k) - slope(x, y, k - 1));
    }
    double h0 = x[1] - x[0], h1 = x[2] - x[1], g0 = x[n - 1] - x[n - 2], g1 = x[n - 2] - x[n - 3];
    diagonal[1] = (h0 + h1) * (h0 / h1 + 2.0);
    upper[1] = (h0 + h1) * (1.0 - h0 / h1);
    diagonal[n - 2] = (g0 + g1) * (g0 / g1 + 2.0);
    lower[n - 2] = (g0 + g1) * (1.0 - g0 / g1);
    solve_tridiagonal(n - 2, lower + 1, diagonal + 1, upper + 1, m + 1, NULL);
    m[0] = m[1] - h0 / h1 * (m[2] - m[1]);
    m[n - 1] = m[n - 2] + g0 / g1 * (m[n - 2] - m[n - 3]);
}

/* Second derivatives of the periodic spline, m[n-1] = m[0]; work[4 n]. Unknowns 0 .. q, q = n - 2, and m_q last. */
static void periodic(int32_t n, const double *x, const double *y, double *m, double *work) {
    int32_t q = n - 2;
    double *lower = work, *diagonal = work + n, *upper = work + 2 * n, *v = work + 3 * n;
    for (int32_t k = 0; k <= q; k++) {
        int32_t before = k == 0 ? n - 2 : k - 1;
        double left = x[before + 1] - x[before], right = x[k + 1] - x[k];
        lower[k] = left;
        diagonal[k] = 2.0 * (left + right);
        upper[k] = right;
        m[k] = 6.0 * (slope(x, y, k) - slope(x, y, before));
        v[k] = 0.0;
    }
    double last_diagonal = diagonal[q], last = m[q];
    v[0] = -lower[0];
    v[q - 1] -= upper[q - 1];
    solve_tridiagonal(q, lower, diagonal, upper, m, v); /* m_k = m[k] + v[k] m_q */
    m[q] = (last - lower[q] * m[q - 1] - upper[q] * m[0]) / (last_diagonal + lower[q] * v[q - 1] + upper[q] * v[0]);
    for (int32_t k = 0; k < q; k++)
        m[k] += v[k] * m[q];
    m[n - 1] = m[0];
}

static bool is_good_data(int32_t count, const double *x, const double *y, bool is_periodic) {
    if (count < (is_periodic ? 4 : 2) || x == NULL || y == NULL)
        return false;
    double least = y[0], most = y[0];
    for (int32_t k = 0; k < count; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k]) || (k > 0 && !(x[k] > x[k - 1])))
            return false;
        least = fmin(least, y[k]);
        most = fmax(most, y[k]);
    }
    if (!isfinite(x[count - 1] - x[0]))
        return false;
    /* Largest difference of the end values of periodic data, relative to the range: rounding of numbers in a file. */
    return !is_periodic || fabs(y[count - 1] - y[0]) <= RBV_SAME * (most - least);
}

static RbvSpline *allocate(const char *name, int32_t count) {
    size_t n = (size_t)count, name_size = strlen(name) + 1;
    RbvSpline *spline = calloc(1, sizeof *spline);
    if (spline == NULL)
        return NULL;
    spline->x = malloc(n * sizeof *spline->x);
    spline->p = malloc((n - 1) * sizeof *spline->p);
    spline->name = malloc(name_size);
    if (spline->x == NULL || spline->p == NULL || spline->name == NULL) {
        rbv_spline_destroy(spline);
        return NULL;
    }
    memcpy(spline->name, name, name_size);
    return spline;
}

/* Set the polynomials from values and second derivatives; false if they overflow. */
static bool set_polynomials(RbvSpline *spline, const double *y, const double *m) {
    bool finite = true;
    for (int32_t k = 0; k + 1 < spline->count; k++) {
        double h = spline->x[k + 1] - spline->x[k], *p = spline->p[k];
        p[0] = y[k];
        p[1] = (y[k + 1] - y[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0;
        p[2] = 0.5 * m[k];
        p[3] = (m[k + 1] - m[k]) / (6.0 * h);
        finite = finite && isfinite(p[1]) && isfinite(p[2]) && isfinite(p[3]);
    }
    return finite;
}

RbvSpline *rbv_spline_create(const char *name, int32_t count, const double *x, const double *y, bool is_periodic,
                             RbvSplineOutside outside, RbvStatus *status) {
    RbvStatus ignored;
    if (status == NULL)
        status = &ignored;
    *status = RBV_BAD_INPUT;
    if (!is_good_data(count, x, y, is_periodic))
        return NULL;
    *status = RBV_NO_MEMORY;
    size_t n = (size_t)count;
    RbvSpline *spline = allocate(name != NULL ? name : "", count);
    double *work = malloc(6 * n * sizeof *work);
    if (spline == NULL || work == NULL) {
        free(work);
        rbv_spline_destroy(spline);
        return NULL;
    }
    double *m = work + 4 * n, *values = work + 5 * n;
    memcpy(spline->x, x, n * sizeof *x);
    memcpy(values, y, n * sizeof *y);
    if (is_periodic)
        values[n - 1] = values[0];
    spline->count = count;
    spline->periodic = is_periodic;
    spline->outside = outside;
    spline->end_value = values[n - 1];
    spline->per_step = (double)(count - 1) / (x[count - 1] - x[0]);
    if (is_periodic)
        periodic(count, x, values, m, work);
    else
        not_a_knot(count, x, values, m, work);
    bool finite = set_polynomials(spline, values, m);
    free(work);
    *status = finite ? RBV_OK : RBV_BAD_INPUT;
    if (finite)
        return spline;
    rbv_spline_destroy(spline);
    return NULL;
}

void rbv_spline_destroy(RbvSpline *spline) {
    if (spline == NULL)
        return;
    free(spline->x);
    free(spline->p);
    free(spline->name);
    free(spline);
}

const char *rbv_spline_name(const RbvSpline *spline) {
    return spline->name;
}

void rbv_spline_range(const RbvSpline *spline, double *first, double *last) {
    *first = spline->x[0];
    *last = spline->x[spline->count - 1];
}

bool rbv_spline_is_periodic(const RbvSpline *spline) {
    return spline->periodic;
}

bool rbv_spline_is_held(const RbvSpline *spline) {
    return !spline->periodic && spline->outside == RBV_OUTSIDE_HOLD;
}

/* k with x[k] <= x < x[k+1], the last interval being closed; x lies in the range. */
static int32_t interval(const RbvSpline *spline, double x) {
    const double *knots = spline->x;
    int32_t last = spline->count - 2, low = 0, high = last;
    double guess = (x - knots[0]) * spline->per_step;
    int32_t k = guess > 0.0 && guess < last ? (int32_t)guess : 0;
    if (guess >= last)
        k = last;
    if (x >= knots[k] && (k == last || x < knots[k + 1]))
        return k;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (x >= knots[middle])
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool hold(double value, int order, double d[4]) {
    for (int k = 0; k <= order; k++)
        d[k] = k == 0 ? value : 0.0;
    return true;
}

double rbv_spline_next_knot(const RbvSpline *spline, double x) {
    double first = spline->x[0], last = spline->x[spline->count - 1], turned = 0;
    if (!isfinite(x))
        return INFINITY;
    if (spline->periodic) {
        turned = floor((x - first) / (last - first)) * (last - first);
        x = fmin(fmax(x - turned, first), last);
    }
    if (x < first)
        return first;
    if (x >= last)
        return spline->periodic ? turned + (last - first) + spline->x[1] : INFINITY;
    return turned + spline->x[interval(spline, x) + 1];
}

bool rbv_spline_eval(const RbvSpline *spline, double x, int order, double d[4]) {
    double first = spline->x[0], last = spline->x[spline->count - 1];
    bool inside = isfinite(x);
    if (inside && spline->periodic && !(x >= first && x < last)) {
        double period = last - first, turns = floor((x - first) / period);
        x -= turns * period;
        x = fmin(fmax(x, first), last);
    } else if (inside && (x < first || x > last)) {
        if (spline->outside == RBV_OUTSIDE_HOLD)
            return hold(x < first ? spline->p[0][0] : spline->end_value, order, d);
        inside = false;
    }
    if (!inside) {
        for (int k = 0; k <= order; k++)
            d[k] = NAN;
        return false;
    }
    int32_t k = interval(spline, x);
    const double *p = spline->p[k];
    double u = x - spline->x[k];
    d[0] = x >= last ? spline->end_value : p[0] + u * (p[1] + u * (p[2] + u * p[3]));
    if (order >= 1)
        d[1] = p[1] + u * (2.0 * p[2] + 3.0 * u * p[3]);
    if (order >= 2)
        d[2] = 2.0 * p[2] + 6.0 * u * p[3];
    if (order >= 3)
        d[3] = 6.0 * p[3];
    return true;
}

/* --- smoothing --- */

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

#define SQRT2 1.41421356237309504880
#define LEAST_COUNT 8

typedef struct Filter {
    double g, gain; /* gain = 1/(1 + g (g + sqrt 2)) */
} Filter;

typedef struct State {
    double s1, s2;
} State;

static Filter filter_for(double cutoff, double rate) {
    double g = tan(RBV_PI * cutoff / rate) / sqrt(sqrt(SQRT2 - 1.0));
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

/* Number of samples until the slowest mode has decayed to RBV_SAME. Analogue poles g (-1 +- i)/sqrt 2; z = (1 + p)/(1 -
 * p). */
static int32_t memory_of(const Filter *filter, int32_t most) {
    double p = filter->g / SQRT2, radius = sqrt(((1.0 - p) * (1.0 - p) + p * p) / ((1.0 + p) * (1.0 + p) + p * p));
    /* Decay of the filter's response below which earlier samples are ignored. */
    double samples = radius < 1.0 ? ceil(log(RBV_SAME) / log(radius)) : INFINITY;
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
        /* Steps that differ by more than this part of the mean step are not equidistant. */
        if (fabs(x[k] - x[k - 1] - step) > RBV_FITS * step)
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

/* Cubic spline through points that arrive one after another, with only a window of points kept: for
 * records of any length.
 *
 * The influence of a point on the spline falls by at least a half for each point between: beyond RBV_SPLINE_AHEAD
 * points it is below rounding. So the derivatives at a point equal those of the one spline through all points, with
 * its not-a-knot ends, as soon as RBV_SPLINE_AHEAD later points, or the last point, have been added. The equations for
 * the second derivatives M_k at the points are those above,
 *
 *   lower M_{k-1} + diagonal M_k + upper M_{k+1} = right.
 *
 * Elimination goes forward as points arrive and needs the previous row only:
 *
 *   D_k = diagonal_k - lower_k rho_{k-1},  rho_k = upper_k/D_k,  z_k = (right_k - lower_k z_{k-1})/D_k,
 *   M_k = z_k - rho_k M_{k+1}
 *
 * |rho_k| <= 1/2 after the first row, by induction: D_k >= 2 (h_{k-1} + h_k) - h_{k-1}/2. So back substitution may
 * begin RBV_SPLINE_AHEAD rows ahead of the requested M with any M of the right magnitude: here z. A row is eliminated
 * when it is known not to be the last one, which has other coefficients.
 */

/* Points in the window: RBV_SPLINE_AHEAD whose derivatives are computed at a time, RBV_SPLINE_AHEAD ahead of them,
 * and those that wait to be eliminated. */
#define KEPT (2 * RBV_SPLINE_AHEAD + 3)

struct RbvRunningSpline {
    int32_t functions;
    int32_t count;      /* points in the window */
    int32_t front;      /* index of the first point not taken */
    int32_t known;      /* M is known for points of the window before this index */
    int32_t eliminated; /* rows of the window before this index are eliminated */
    bool whole;         /* the window begins with the very first point */
    bool closed;
    double x[KEPT], rho[KEPT];
    double *y, *z, *M; /* [functions][KEPT] */
};

RbvRunningSpline *rbv_running_spline_create(int32_t functions) {
    RbvRunningSpline *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (RbvRunningSpline){.functions = functions, .whole = true, .eliminated = 1};
    size_t size = (size_t)functions * KEPT;
    s->y = calloc(3 * size + 1, sizeof *s->y);
    if (!s->y) {
        free(s);
        return NULL;
    }
    s->z = s->y + size;
    s->M = s->z + size;
    return s;
}

void rbv_running_spline_destroy(RbvRunningSpline *s) {
    if (!s)
        return;
    free(s->y);
    free(s);
}

/* h_k, and the slope of a function in the interval after point k. */
static double interval_width(const RbvRunningSpline *s, int32_t k) {
    return s->x[k + 1] - s->x[k];
}

static double running_slope(const RbvRunningSpline *s, const double *y, int32_t k) {
    return (y[k + 1] - y[k]) / interval_width(s, k);
}

/* Eliminate row k, whose neighbours are known; `last`: the next point is the last one. */
static void eliminate(RbvRunningSpline *s, int32_t k, bool last) {
    double h = interval_width(s, k - 1), H = interval_width(s, k), lower = h, diagonal = 2 * (h + H), upper = H;
    bool first = s->whole && k == 1;
    if (first) {
        diagonal = (h + H) * (h / H + 2);
        upper = (h + H) * (1 - h / H);
    }
    if (last) {
        diagonal = first ? 3 * (h + H)
                         : (h + H) * (H / h + 2); /* three points in all: the parabola; both end conditions coincide */
        lower = (h + H) * (1 - H / h);
        upper = 0;
    }
    double D = diagonal - (first ? 0 : lower * s->rho[k - 1]);
    s->rho[k] = upper / D;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *y = s->y + (size_t)f * KEPT;
        double *z = s->z + (size_t)f * KEPT;
        double right = 6 * (running_slope(s, y, k) - running_slope(s, y, k - 1));
        z[k] = (first ? right : right - lower * z[k - 1]) / D;
    }
    s->eliminated = k + 1;
}

/* Back substitution of M from the last eliminated row. */
static void substitute(RbvRunningSpline *s) {
    int32_t end = s->eliminated - 1, begin = s->front > 1 || !s->whole ? s->front : 1;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *z = s->z + (size_t)f * KEPT;
        double *M = s->M + (size_t)f * KEPT;
        M[end] = z[end];
        for (int32_t k = end - 1; k >= begin; k--)
            M[k] = z[k] - s->rho[k] * M[k + 1];
        bool three = s->closed && s->whole && s->count == 3;
        if (s->whole && s->front == 0)
            M[0] = three ? M[1] : M[1] - interval_width(s, 0) / interval_width(s, 1) * (M[2] - M[1]);
        if (s->closed)
            M[s->count - 1] =
                three ? M[1] : M[end] + interval_width(s, end) / interval_width(s, end - 1) * (M[end] - M[end - 1]);
    }
    s->known = s->closed ? s->count : s->eliminated - RBV_SPLINE_AHEAD;
}

/* Remove taken points from the window. */
static void move_up(RbvRunningSpline *s) {
    size_t left = (size_t)(s->count - s->front);
    if (s->front == 0)
        return;
    memmove(s->x, s->x + s->front, left * sizeof *s->x);
    memmove(s->rho, s->rho + s->front, left * sizeof *s->rho);
    for (int32_t f = 0; f < s->functions; f++) {
        double *y = s->y + (size_t)f * KEPT, *z = s->z + (size_t)f * KEPT;
        memmove(y, y + s->front, left * sizeof *y);
        memmove(z, z + s->front, left * sizeof *z);
    }
    s->count -= s->front;
    s->eliminated -= s->front;
    s->whole = false;
    s->front = s->known = 0;
}

int32_t rbv_running_spline_room(const RbvRunningSpline *s) {
    return s->front < s->known ? 0 : KEPT - (s->count - s->front);
}

void rbv_running_spline_add(RbvRunningSpline *s, double x, const double *y) {
    move_up(s);
    s->x[s->count] = x;
    for (int32_t f = 0; f < s->functions; f++)
        s->y[(size_t)f * KEPT + (size_t)s->count] = y[f];
    s->count++;
    while (s->eliminated < s->count - 2)
        eliminate(s, s->eliminated, false);
}

void rbv_running_spline_close(RbvRunningSpline *s) {
    s->closed = true;
    s->known = s->front; /* the last row gets the coefficients of an end */
    if (s->count >= 3)
        eliminate(s, s->count - 2, true);
}

bool rbv_running_spline_is_known(RbvRunningSpline *s) {
    if (s->front < s->known)
        return true;
    if (s->closed && s->count < 3 && s->whole) /* two points: a line; one: no derivatives */
        return s->front < s->count;
    if (s->front < s->count && (s->closed || s->count == KEPT))
        substitute(s);
    return s->front < s->known;
}

void rbv_running_spline_take(RbvRunningSpline *s, double (*d)[2]) {
    int32_t k = s->front++, left = k + 1 < s->count ? k : k - 1;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *y = s->y + (size_t)f * KEPT, *M = s->M + (size_t)f * KEPT;
        double second = M[k];
        if (left < 0) {
            d[f][0] = d[f][1] = NAN;
            continue;
        }
        double h = interval_width(s, left), along = running_slope(s, y, left);
        d[f][0] = left == k ? along - h * (2 * M[k] + M[k + 1]) / 6 : along + h * (M[left] + 2 * M[k]) / 6;
        d[f][1] = second;
    }
}
