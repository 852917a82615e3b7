/* Common zeros of quadratic forms; see quadrics.h.
 *
 * F_j = w^T T_j w has the Jacobian J = 2 [T_j w], restricted to steps orthogonal to w: J - (J w) w^T. The step is the
 * shortest that solves F + J u = 0 with a ridge, u = -J^T (J J^T + mu I)^-1 F; mu rises when F does not fall.
 */
#include "core/solve/quadrics.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NEWTON_STEPS 80
/* |F| for forms of norm 1 at unit vectors: a regular zero is found to rounding, a double one to the root of it. */
#define LEAST_RIDGE 1e-14
#define MOST_RIDGE 1e4

static double dot_quadric(int32_t n, const double *a, const double *b) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void scale(int32_t n, double factor, double *a) {
    for (int32_t k = 0; k < n; k++)
        a[k] *= factor;
}

static void add_quadric(int32_t n, double factor, const double *a, double *to) {
    for (int32_t k = 0; k < n; k++)
        to[k] += factor * a[k];
}

int32_t rbv_span(int32_t m, int32_t n, double *A, double least) {
    int32_t found = 0;
    for (; found < m; found++) {
        int32_t best = -1;
        double size = least;
        for (int32_t i = found; i < m; i++) {
            double length = sqrt(dot_quadric(n, A + (size_t)i * (size_t)n, A + (size_t)i * (size_t)n));
            if (length > size)
                size = length, best = i;
        }
        if (best < 0)
            break;
        double *here = A + (size_t)found * (size_t)n, *from = A + (size_t)best * (size_t)n;
        for (int32_t k = 0; best != found && k < n; k++) {
            double swap = here[k];
            here[k] = from[k];
            from[k] = swap;
        }
        scale(n, 1 / size, here);
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = found + 1; i < m; i++) {
                double *row = A + (size_t)i * (size_t)n;
                add_quadric(n, -dot_quadric(n, here, row), here, row);
            }
    }
    return found;
}

bool rbv_quadrics_create(RbvQuadrics *q, int32_t p, int32_t d, double *T, double least) {
    for (int32_t j = 0; j < p; j++)
        for (int32_t a = 0; a < d; a++)
            for (int32_t b = 0; b < a; b++) {
                double *ab = &T[((size_t)j * (size_t)d + (size_t)a) * (size_t)d + (size_t)b],
                       *ba = &T[((size_t)j * (size_t)d + (size_t)b) * (size_t)d + (size_t)a];
                *ab = *ba = 0.5 * (*ab + *ba);
            }
    *q = (RbvQuadrics){.p = rbv_span(p, d * d, T, least), .d = d, .T = T};
    size_t forms = (size_t)q->p + 1;
    q->work = malloc((forms * forms + forms * (size_t)d + 2 * forms + 3 * (size_t)d) * sizeof *q->work);
    return q->work != NULL;
}

void rbv_quadrics_destroy(RbvQuadrics *q) {
    free(q->T);
    free(q->work);
}

/* F[p] and J[p][d] orthogonal to w; returns |F|. */
static double evaluate(const RbvQuadrics *q, const double *w, double *F, double *J) {
    size_t d = (size_t)q->d;
    for (size_t j = 0; j < (size_t)q->p; j++) {
        double *row = J + j * d;
        for (size_t a = 0; a < d; a++)
            row[a] = dot_quadric(q->d, q->T + (j * d + a) * d, w);
        F[j] = dot_quadric(q->d, row, w);
        add_quadric(q->d, -F[j], w, row);
        scale(q->d, 2, row);
    }
    return sqrt(dot_quadric(q->p, F, F));
}

/* (J J^T + mu I) y = F by Cholesky, in place. */
static void solve(int32_t p, int32_t d, const double *J, double mu, double *A, double *y) {
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = 0; j <= i; j++) {
            double sum = dot_quadric(d, J + (size_t)i * (size_t)d, J + (size_t)j * (size_t)d) + (i == j ? mu : 0);
            sum -= dot_quadric(j, A + (size_t)i * (size_t)p, A + (size_t)j * (size_t)p);
            A[(size_t)i * (size_t)p + (size_t)j] =
                i == j ? sqrt(fmax(sum, mu)) : sum / A[(size_t)j * (size_t)p + (size_t)j];
        }
    for (int32_t i = 0; i < p; i++)
        y[i] = (y[i] - dot_quadric(i, A + (size_t)i * (size_t)p, y)) / A[(size_t)i * (size_t)p + (size_t)i];
    for (int32_t i = p - 1; i >= 0; i--) {
        y[i] /= A[(size_t)i * (size_t)p + (size_t)i];
        add_quadric(i, -y[i], A + (size_t)i * (size_t)p, y);
    }
}

bool rbv_quadrics_descend(const RbvQuadrics *q, double *w) {
    int32_t p = q->p, d = q->d;
    double *A = q->work, *J = A + (size_t)p * (size_t)p, *F = J + (size_t)p * (size_t)d, *y = F + p, *next = y + p,
           mu = 1e-3;
    double length = sqrt(dot_quadric(d, w, w)), error;
    if (!(length > 0))
        return false;
    scale(d, 1 / length, w);
    error = evaluate(q, w, F, J);
    for (int step = 0; step < MOST_NEWTON_STEPS && error > RBV_SOLVED && mu < MOST_RIDGE; step++) {
        memcpy(y, F, (size_t)p * sizeof *y);
        solve(p, d, J, mu, A, y);
        memcpy(next, w, (size_t)d * sizeof *next);
        for (int32_t j = 0; j < p; j++)
            add_quadric(d, -y[j], J + (size_t)j * (size_t)d, next);
        scale(d, 1 / sqrt(dot_quadric(d, next, next)), next);
        double now = evaluate(q, next, F, J);
        if (now < error) {
            memcpy(w, next, (size_t)d * sizeof *w);
            error = now;
            mu = fmax(0.1 * mu, LEAST_RIDGE);
        } else {
            mu = fmax(10 * mu, 1e-10);
            evaluate(q, w, F, J);
        }
    }
    return error <= sqrt(RBV_SOLVED);
}
