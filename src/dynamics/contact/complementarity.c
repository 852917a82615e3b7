/* Linear complementarity by Murty's principal pivoting; see complementarity.h. */
#include "dynamics/contact/complementarity.h"

#include <math.h>
#include <stddef.h>

/* REGULAR: part of the weights added to the diagonal, so that of several solutions, where contacts depend on each
 * other, the one of least norm is found. The error of this is removed by REFINEMENTS refinements. */
#define REGULAR 1e-9
#define REFINEMENTS 2
/* Part of the largest number below which a negative sign is rounding. */
#define ROUNDING 1e-12
#define MOST_PIVOTS 1000

/* z: G_BB z_B = -b_B for the basic unknowns B, by elimination with pivoting; the others zero. work[n][n + 1]. False:
 * singular. */
static bool solve_basic(int32_t n, const double *G, const double *weight, const double *b, const bool *basic, double *z,
                        double *work) {
    int32_t m = 0, width = n + 1;
    for (int32_t i = 0; i < n; i++) {
        int32_t c = 0;
        z[i] = 0;
        if (!basic[i])
            continue;
        const double regular = REGULAR * (weight ? weight[i] : G[i * n + i]);
        for (int32_t j = 0; j < n; j++)
            if (basic[j])
                work[m * width + c++] = G[i * n + j] + (i == j ? regular : 0);
        work[m++ * width + n] = -b[i];
    }
    for (int32_t k = 0; k < m; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < m; i++)
            best = fabs(work[i * width + k]) > fabs(work[best * width + k]) ? i : best;
        if (!(fabs(work[best * width + k]) > 0))
            return false;
        for (int32_t j = 0; j <= n && best != k; j++) {
            double keep = work[k * width + j];
            work[k * width + j] = work[best * width + j];
            work[best * width + j] = keep;
        }
        for (int32_t i = k + 1; i < m; i++) {
            double factor = work[i * width + k] / work[k * width + k];
            for (int32_t j = k; j < m; j++)
                work[i * width + j] -= factor * work[k * width + j];
            work[i * width + n] -= factor * work[k * width + n];
        }
    }
    int32_t k = m;
    for (int32_t i = n - 1; i >= 0; i--) {
        if (!basic[i])
            continue;
        k--;
        double sum = work[k * width + n];
        int32_t c = m;
        for (int32_t j = n - 1; j > i; j--)
            if (basic[j])
                sum -= work[k * width + --c] * z[j];
        z[i] = sum / work[k * width + k];
    }
    return true;
}

/* Refines z by solving for the residual G z + b of the basic unknowns: the determined part of z becomes exact. work as
 * in rbv_complementarity. */
static bool refine(int32_t n, const double *G, const double *weight, const double *b, const bool *basic, double *z,
                   double *work) {
    double *rest = work + (size_t)n * (size_t)(n + 1), *more = rest + n;
    for (int32_t i = 0; i < n; i++) {
        rest[i] = b[i];
        for (int32_t j = 0; j < n; j++)
            rest[i] += G[i * n + j] * z[j];
    }
    if (!solve_basic(n, G, weight, rest, basic, more, work))
        return false;
    for (int32_t i = 0; i < n; i++)
        z[i] += more[i];
    return true;
}

bool rbv_complementarity(int32_t n, const double *G, const double *weight, const double *b, double *z, double *work,
                         bool *basic) {
    double size_b = 0;
    for (int32_t i = 0; i < n; i++) {
        basic[i] = false;
        size_b = fmax(size_b, fabs(b[i]));
    }
    for (int pivot = 0; pivot < MOST_PIVOTS; pivot++) {
        int32_t wrong = -1;
        double size_z = 0;
        if (!solve_basic(n, G, weight, b, basic, z, work))
            return false;
        for (int32_t i = 0; i < n; i++)
            size_z = fmax(size_z, fabs(z[i]));
        for (int32_t i = 0; i < n && wrong < 0; i++) {
            double w = b[i];
            for (int32_t j = 0; j < n; j++)
                w += G[i * n + j] * z[j];
            if (basic[i] ? z[i] < -ROUNDING * size_z : w < -ROUNDING * size_b)
                wrong = i;
        }
        if (wrong < 0) {
            bool refined = true;
            for (int k = 0; refined && k < REFINEMENTS; k++)
                refined = refine(n, G, weight, b, basic, z, work);
            for (int32_t i = 0; i < n; i++)
                z[i] = fmax(z[i], 0);
            return refined;
        }
        basic[wrong] = !basic[wrong];
    }
    return false;
}
