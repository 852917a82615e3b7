/* Integrals of piecewise cubics through samples; see quadrature.h. */
#include "core/linalg/quadrature.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

#define KEPT RBV_QUADRATURE_KEPT
/* Distances that differ by no more than this part are equal: times of samples are rounded. */
#define EVEN RBV_CANCELLED

bool rbv_quadrature_create(RbvQuadrature *q, int32_t count, RbvArena *arena) {
    *q = (RbvQuadrature){.count = count};
    size_t n = (size_t)count + 1;
    q->g = rbv_arena_array(arena, KEPT * n, sizeof *q->g);
    q->sum = rbv_arena_array(arena, n, sizeof *q->sum);
    q->error = rbv_arena_array(arena, n, sizeof *q->error);
    q->fine = rbv_arena_array(arena, n, sizeof *q->fine);
    q->coarse = rbv_arena_array(arena, n, sizeof *q->coarse);
    q->over = rbv_arena_array(arena, n, sizeof *q->over);
    q->quotient = rbv_arena_array(arena, n, sizeof *q->quotient);
    if (!q->g || !q->sum || !q->error || !q->fine || !q->coarse || !q->over || !q->quotient)
        return false;
    for (int32_t k = 0; k < count; k++) {
        q->sum[k] = q->error[k] = 0;
        q->quotient[k] = 0;
        q->over[k] = -1;
    }
    return true;
}

static double *sample(const RbvQuadrature *q, int64_t k) {
    return q->g + (size_t)(k % KEPT) * (size_t)q->count;
}

static double time_of(const RbvQuadrature *q, int64_t k) {
    return q->t[k % KEPT];
}

/* The same for four samples at equal distances: the weights over the distance, where the interval is the first, the
 * second or the third between them. False: they are not. */
static bool weigh_even(const double *x, double a, double b, double *w) {
    static const double of[3][4] = {{9, 19, -5, 1}, {-1, 13, 13, -1}, {1, -5, 19, 9}};
    double h = b - a;
    int at = a == x[1] ? 1 : 0;
    at = a == x[2] ? 2 : at;
    if (fabs(x[1] - x[0] - h) > EVEN * h || fabs(x[2] - x[1] - h) > EVEN * h || fabs(x[3] - x[2] - h) > EVEN * h)
        return false;
    for (int k = 0; k < 4; k++)
        w[k] = of[at][k] * h / 24;
    return true;
}

/* Weights w[n] of the integral from a to b of the polynomial through x[n], n <= 4: Gauss's rule of two points is exact
 * for cubics. */
static void weigh(const double *x, int32_t n, double a, double b, double *w) {
    if (n == 4 && weigh_even(x, a, b, w))
        return;
    static const double node = 0.57735026918962576451; /* 1/sqrt 3 */
    for (int32_t j = 0; j < n; j++) {
        w[j] = 0;
        for (int side = -1; side <= 1; side += 2) {
            double at = (a + b) / 2 + side * node * (b - a) / 2, L = 1;
            for (int32_t i = 0; i < n; i++)
                L *= i == j ? 1 : (at - x[i]) / (x[j] - x[i]);
            w[j] += L * (b - a) / 2;
        }
    }
}

/* Adds the integral over [t_from, t_from+stride] of the polynomial through the samples first, first + stride, ... up
 * to `last`, four at most and nearest to the interval, to out[count]. */
static void add_interval(const RbvQuadrature *q, int64_t from, int64_t stride, int64_t first, int64_t last,
                         double *out) {
    double x[4] = {0}, w[4], zero = time_of(q, from);
    int64_t begin = from - stride, most = last - 3 * stride;
    begin = begin > most ? most : begin;
    begin = begin < first ? first : begin;
    int32_t n = 0;
    for (int64_t k = begin; n < 4 && k <= last; k += stride)
        x[n++] = time_of(q, k) - zero;
    weigh(x, n, 0, time_of(q, from + stride) - zero, w);
    for (int32_t j = 0; j < n; j++) {
        const double *g = sample(q, begin + j * stride);
        for (int32_t k = 0; k < q->count; k++)
            out[k] += w[j] * g[k];
    }
}

/* Takes over the integrals `fine`, and their differences from `coarse` as errors. The error of a quotient I/K changes
 * by dI - (I/K) dK. */
static void take(RbvQuadrature *q) {
    for (int32_t k = 0; k < q->count; k++)
        q->sum[k] += q->fine[k];
    for (int32_t k = 0; k < q->count; k++) {
        int32_t under = q->over[k];
        double difference = q->fine[k] - q->coarse[k];
        if (under >= 0)
            difference -= q->quotient[k] * (q->fine[under] - q->coarse[under]);
        q->error[k] += fabs(difference);
    }
}

/* The next pair of intervals, with the samples first ... last at hand. */
static void add_pair(RbvQuadrature *q, int64_t first, int64_t last) {
    int64_t from = 2 * q->pairs++, even = last - last % 2, begin = first + first % 2;
    memset(q->fine, 0, (size_t)q->count * sizeof *q->fine);
    memset(q->coarse, 0, (size_t)q->count * sizeof *q->coarse);
    add_interval(q, from, 1, first, last, q->fine);
    add_interval(q, from + 1, 1, first, last, q->fine);
    add_interval(q, from, 2, begin, even, q->coarse);
    take(q);
}

/* An interval that is left alone at the end: compared with the straight line. */
static void add_last(RbvQuadrature *q, int64_t first, int64_t last) {
    double h = time_of(q, last) - time_of(q, last - 1);
    const double *a = sample(q, last - 1), *b = sample(q, last);
    memset(q->fine, 0, (size_t)q->count * sizeof *q->fine);
    add_interval(q, last - 1, 1, first, last, q->fine);
    for (int32_t k = 0; k < q->count; k++)
        q->coarse[k] = h * (a[k] + b[k]) / 2;
    take(q);
    for (int32_t k = 0; k < q->count && last == 1; k++)
        q->error[k] = q->time > 0 ? q->error[k] + h * fabs(a[k] - b[k]) : INFINITY;
}

/* Samples after a pair that its coarse cubic takes. */
#define AHEAD 4

double *rbv_quadrature_next(RbvQuadrature *q, double t) {
    if (q->taken > 0 && !(t > time_of(q, q->taken - 1)))
        rbv_quadrature_end(q);
    int64_t last = q->taken - 1, first = last - KEPT + 1 > 0 ? last - KEPT + 1 : 0;
    /* the coarse cubic of the first pair needs six intervals, later ones have one behind them */
    while (last >= 6 && 2 * q->pairs + AHEAD <= last)
        add_pair(q, first, last);
    if (q->taken == 0)
        q->start = t;
    q->t[q->taken % KEPT] = t;
    return sample(q, q->taken++);
}

void rbv_quadrature_end(RbvQuadrature *q) {
    int64_t last = q->taken - 1, first = last - KEPT + 1 > 0 ? last - KEPT + 1 : 0;
    while (2 * q->pairs + 2 <= last)
        add_pair(q, first, last);
    if (last >= 1 && last % 2 == 1)
        add_last(q, first, last);
    q->time += last >= 1 ? time_of(q, last) - q->start : 0;
    q->taken = q->pairs = 0;
}

/* Weights of the samples first ... last of one piece. */
static void weigh_piece(const double *t, int32_t first, int32_t last, double *w) {
    for (int32_t k = first; k < last; k++) {
        double x[4] = {0}, of[4];
        int32_t begin = k - 1 < last - 3 ? k - 1 : last - 3, n = 0;
        begin = begin < first ? first : begin;
        for (int32_t j = begin; n < 4 && j <= last; j++)
            x[n++] = t[j] - t[k];
        weigh(x, n, 0, t[k + 1] - t[k], of);
        for (int32_t j = 0; j < n; j++)
            w[begin + j] += of[j];
    }
}

void rbv_quadrature_weights(const double *t, int32_t count, double *w) {
    int32_t first = 0;
    for (int32_t k = 0; k < count; k++)
        w[k] = 0;
    for (int32_t k = 1; k <= count; k++)
        if (k == count || !(t[k] > t[k - 1])) {
            weigh_piece(t, first, k - 1, w);
            first = k;
        }
}
