/* The interpolating cubic spline.
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

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest difference of the end values of periodic data, relative to the range: rounding of numbers in a file. */
#define SEAM_TOLERANCE 1e-9

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
    return !is_periodic || fabs(y[count - 1] - y[0]) <= SEAM_TOLERANCE * (most - least);
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
    int32_t k = guess >= last ? last : guess > 0.0 ? (int32_t)guess : 0;
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
