/* Barrier method for cones; see cone_program.h. */
#include "core/solve/cone_program.h"

#include "core/linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weight k of the objective: first value, growth factor, last value. */
#define FIRST_WEIGHT 1.0
#define GROWTH 8.0
#define LAST_WEIGHT 1e13
/* Most Newton steps at one weight; most halvings of a step. */
#define MOST_NEWTONS 60
#define HALVINGS 50
/* Half of the square of Newton's decrement below which the iteration has converged. */
#define SETTLED 1e-9
/* Added to the diagonal, as a part of the largest entry of the matrix, for directions without limits. */
#define REGULAR 1e-15

bool rbv_cone_program_create(RbvConeProgram *p, int32_t n, int32_t cones, int32_t rows) {
    size_t wide = (size_t)n + 1, m = (size_t)cones + 1;
    *p = (RbvConeProgram){.n = n, .cones = cones, .rows = rows};
    p->limit = calloc(m * wide, sizeof *p->limit);
    p->force = calloc(RBV_CONE_DIRECTIONS * m * wide, sizeof *p->force);
    p->A = calloc(((size_t)rows + 1) * wide, sizeof *p->A);
    p->b = calloc((size_t)rows + 1, sizeof *p->b);
    p->c = calloc(wide, sizeof *p->c);
    p->work = calloc((wide + 1) * (wide + 2) + 4 * wide, sizeof *p->work);
    return p->limit && p->force && p->A && p->b && p->c && p->work;
}

void rbv_cone_program_destroy(RbvConeProgram *p) {
    free(p->limit);
    free(p->force);
    free(p->A);
    free(p->b);
    free(p->c);
    free(p->work);
    *p = (RbvConeProgram){0};
}

static double affine(const double *of, const double *x, int32_t n) {
    double sum = of[0];
    for (int32_t k = 0; k < n; k++)
        sum += of[k + 1] * x[k];
    return sum;
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* t and f of cone i at x; returns |f|. */
static double cone_at(const RbvConeProgram *p, int32_t i, const double *x, double *t, double f[RBV_CONE_DIRECTIONS]) {
    double sum = 0;
    *t = affine(p->limit + i * (p->n + 1), x, p->n);
    for (int c = 0; c < RBV_CONE_DIRECTIONS; c++) {
        f[c] = affine(p->force + (RBV_CONE_DIRECTIONS * i + c) * (p->n + 1), x, p->n);
        sum += f[c] * f[c];
    }
    return sqrt(sum);
}

double rbv_cone_program_lack(const RbvConeProgram *p, const double *x) {
    double most = -INFINITY, t, f[RBV_CONE_DIRECTIONS];
    for (int32_t i = 0; i < p->cones; i++) {
        double size = cone_at(p, i, x, &t, f);
        most = fmax(most, size - t);
    }
    for (int32_t r = 0; r < p->rows; r++)
        most = fmax(most, dot(p->A + r * p->n, x, p->n) - p->b[r]);
    return most;
}

/* The sum of logarithms at x; -infinity outside a limit. */
static double barrier(const RbvConeProgram *p, const double *x) {
    double sum = 0, t, f[RBV_CONE_DIRECTIONS], room = p->radius * p->radius - dot(x, x, p->n);
    if (!(room > 0))
        return -INFINITY;
    for (int32_t i = 0; i < p->cones; i++) {
        double size = cone_at(p, i, x, &t, f);
        if (!(t > size))
            return -INFINITY;
        sum += log(t - size) + log(t + size);
    }
    for (int32_t r = 0; r < p->rows; r++) {
        double slack = p->b[r] - dot(p->A + r * p->n, x, p->n);
        if (!(slack > 0))
            return -INFINITY;
        sum += log(slack);
    }
    return sum + log(room);
}

/* Add the gradient and the Hessian of -log q, q = t^2 - |f|^2, of cone i to g and H; slope: scratch. */
static void add_cone(const RbvConeProgram *p, int32_t i, const double *x, double *g, double *H, double *slope) {
    int32_t n = p->n;
    const double *a = p->limit + i * (n + 1) + 1;
    double t, f[RBV_CONE_DIRECTIONS], size = cone_at(p, i, x, &t, f), q = (t - size) * (t + size);
    for (int32_t k = 0; k < n; k++) {
        slope[k] = t * a[k];
        for (int c = 0; c < RBV_CONE_DIRECTIONS; c++)
            slope[k] -= f[c] * p->force[(RBV_CONE_DIRECTIONS * i + c) * (n + 1) + 1 + k];
        g[k] -= 2 * slope[k] / q;
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++) {
            double curved = -a[k] * a[l];
            for (int c = 0; c < RBV_CONE_DIRECTIONS; c++) {
                const double *F = p->force + (RBV_CONE_DIRECTIONS * i + c) * (n + 1) + 1;
                curved += F[k] * F[l];
            }
            H[k * n + l] += 2 * curved / q + 4 * slope[k] / q * (slope[l] / q);
        }
}

/* Gradient g and Hessian H of -k c.x - barrier. */
static void place(const RbvConeProgram *p, const double *x, double weight, double *g, double *H, double *slope) {
    int32_t n = p->n;
    double room = p->radius * p->radius - dot(x, x, n);
    memset(H, 0, (size_t)n * (size_t)n * sizeof *H);
    for (int32_t k = 0; k < n; k++)
        g[k] = 2 * x[k] / room - weight * p->c[k];
    for (int32_t i = 0; i < p->cones; i++)
        add_cone(p, i, x, g, H, slope);
    for (int32_t r = 0; r < p->rows; r++) {
        const double *row = p->A + r * n;
        double slack = p->b[r] - dot(row, x, n);
        for (int32_t k = 0; k < n; k++) {
            g[k] += row[k] / slack;
            for (int32_t l = 0; l < n; l++)
                H[k * n + l] += row[k] / slack * (row[l] / slack);
        }
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++)
            H[k * n + l] += (k == l) * 2 / room + 4 * x[k] / room * (x[l] / room);
}

/* Newton's step: H step = -g with e.step = 0. Returns -g.step; NaN: no step. */
static double newton_step(const RbvConeProgram *p, const double *g, const double *H, double *S, double *step) {
    int32_t n = p->n, size = n + (p->e != NULL), wide = size + 1;
    double most = 0;
    for (int32_t k = 0; k < n; k++)
        most = fmax(most, H[k * n + k]);
    for (int32_t k = 0; k < size; k++)
        for (int32_t l = 0; l < wide; l++)
            S[k * wide + l] = l == size        ? (k < n ? -g[k] : 0)
                              : k < n && l < n ? H[k * n + l] + (k == l) * REGULAR * most
                              : k < n          ? p->e[k]
                              : l < n          ? p->e[l]
                                               : 0;
    if (!rbv_small_solve(S, size, 0))
        return (double)NAN;
    for (int32_t k = 0; k < n; k++)
        step[k] = S[k * wide + size];
    return -dot(g, step, n);
}

/* Maximise at one weight by Newton's method. False: no step is found, or no memory. */
static bool center(RbvConeProgram *p, double *x, double weight, double enough) {
    int32_t n = p->n;
    double *g = p->work, *slope = g + n + 1, *step = slope + n + 1, *to = step + n + 1, *S = to + n + 1;
    double *H = malloc(((size_t)n * (size_t)n + 1) * sizeof *H);
    bool good = H != NULL, more = good;
    for (int pass = 0; more && pass < MOST_NEWTONS; pass++) {
        place(p, x, weight, g, H, slope);
        double gain = newton_step(p, g, H, S, step), now = weight * dot(p->c, x, n) + barrier(p, x), part = 1;
        good = isfinite(gain);
        more = good && gain > 2 * SETTLED;
        for (int halving = 0; more && halving <= HALVINGS; halving++, part *= 0.5) {
            for (int32_t k = 0; k < n; k++)
                to[k] = x[k] + part * step[k];
            if (weight * dot(p->c, to, n) + barrier(p, to) > now) {
                memcpy(x, to, (size_t)n * sizeof *x);
                break;
            }
            more = halving < HALVINGS; /* no further increase: rounding */
        }
        more = more && !(dot(p->c, x, n) > enough);
    }
    free(H);
    return good;
}

bool rbv_cone_program_solve(RbvConeProgram *p, double *x, double enough) {
    if (!isfinite(barrier(p, x)))
        return false;
    for (double weight = FIRST_WEIGHT; weight <= LAST_WEIGHT && !(dot(p->c, x, p->n) > enough); weight *= GROWTH)
        if (!center(p, x, weight, enough))
            return false;
    return true;
}
