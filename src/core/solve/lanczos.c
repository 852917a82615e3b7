/* Lanczos' method; see lanczos.h. With V the B-orthonormal basis and T = V^T B OP V tridiagonal, an eigenpair (theta,
 * s) of T of j steps has the residual beta_j |s_j|. */
#include "core/solve/lanczos.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LANCZOS_STEPS 60
#define LOOK_EVERY 4 /* steps between eigenvalue problems of T, which cost its cube */

typedef struct Basis {
    const RbvLanczos *problem;
    double *v;      /* [MOST_LANCZOS_STEPS + 1][n] */
    double *w, *Bw; /* [n] */
    double alpha[MOST_LANCZOS_STEPS], beta[MOST_LANCZOS_STEPS];
    double diagonal[MOST_LANCZOS_STEPS], off[MOST_LANCZOS_STEPS], vectors[MOST_LANCZOS_STEPS * MOST_LANCZOS_STEPS];
} Basis;

static double dot_product(int32_t n, const double *a, const double *b) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void add_scaled(int32_t n, double factor, const double *a, double *b) {
    for (int32_t k = 0; k < n; k++)
        b[k] += factor * a[k];
}

/* Append w, scaled to B-length 1, as vector j. False: its B-length is not above `least`. */
static bool append(Basis *basis, int32_t j, double least) {
    int32_t n = basis->problem->n;
    basis->problem->weigh(basis->problem->context, basis->w, basis->Bw);
    double square = dot_product(n, basis->w, basis->Bw), length = sqrt(fmax(square, 0));
    if (!(length > least) || !isfinite(length))
        return false;
    for (int32_t k = 0; k < n; k++)
        basis->v[(size_t)j * (size_t)n + (size_t)k] = basis->w[k] / length;
    if (j > 0)
        basis->beta[j - 1] = length;
    return true;
}

/* Eigenpair of largest magnitude of T of `steps` steps: index of its column in vectors; -1: LAPACK failed. */
static int32_t ritz(Basis *basis, int32_t steps) {
    memcpy(basis->diagonal, basis->alpha, (size_t)steps * sizeof(double));
    memcpy(basis->off, basis->beta, (size_t)steps * sizeof(double));
    if (rbv_lapack_eigen_tridiagonal(steps, basis->diagonal, basis->off, basis->vectors) != RBV_OK)
        return -1;
    return fabs(basis->diagonal[0]) > fabs(basis->diagonal[steps - 1]) ? 0 : steps - 1;
}

/* Lanczos from vector 0: *value and x. */
static RbvLanczosEnd sweep(Basis *basis, double tolerance, double *value, double *x) {
    const RbvLanczos *problem = basis->problem;
    size_t n = (size_t)problem->n;
    RbvLanczosEnd end = RBV_LANCZOS_NOT_CONVERGED;
    int32_t steps = 0, best = -1;
    double largest = 0;
    while (end == RBV_LANCZOS_NOT_CONVERGED && steps < MOST_LANCZOS_STEPS) {
        if (!problem->apply(problem->context, basis->v + (size_t)steps * n, basis->w))
            return RBV_LANCZOS_FAILED;
        for (int pass = 0; pass < 2; pass++) { /* twice is enough for orthogonality */
            problem->weigh(problem->context, basis->w, basis->Bw);
            for (int32_t i = 0; i <= steps; i++) {
                double part = dot_product(problem->n, basis->v + (size_t)i * n, basis->Bw);
                add_scaled(problem->n, -part, basis->v + (size_t)i * n, basis->w);
                if (i == steps)
                    basis->alpha[steps] = pass == 0 ? part : basis->alpha[steps] + part;
            }
        }
        largest = fmax(largest, fabs(basis->alpha[steps]));
        /* Length, as a part of the largest so far, below which a new vector is rounding. */
        bool more = append(basis, steps + 1, RBV_CANCELLED * largest);
        steps++;
        if (more && steps % LOOK_EVERY != 0 && steps < MOST_LANCZOS_STEPS)
            continue;
        if ((best = ritz(basis, steps)) < 0)
            return RBV_LANCZOS_FAILED;
        double residual =
            more ? basis->beta[steps - 1] * fabs(basis->vectors[(size_t)best * (size_t)steps + (size_t)steps - 1]) : 0;
        if (residual <= tolerance * fabs(basis->diagonal[best]))
            end = RBV_LANCZOS_FOUND;
    }
    *value = basis->diagonal[best];
    memset(x, 0, n * sizeof *x);
    for (int32_t i = 0; i < steps; i++)
        add_scaled(problem->n, basis->vectors[(size_t)best * (size_t)steps + (size_t)i], basis->v + (size_t)i * n, x);
    return end;
}

RbvLanczosEnd rbv_lanczos(const RbvLanczos *problem, double tolerance, int32_t restarts, double *value, double *x) {
    size_t n = (size_t)problem->n;
    Basis *basis = calloc(1, sizeof *basis);
    RbvLanczosEnd end = RBV_LANCZOS_NO_MEMORY;
    *value = 0;
    if (basis) {
        *basis = (Basis){.problem = problem,
                         .v = malloc(((MOST_LANCZOS_STEPS + 1) * n + 1) * sizeof(double)),
                         .w = malloc((n + 1) * sizeof(double)),
                         .Bw = malloc((n + 1) * sizeof(double))};
        if (basis->v && basis->w && basis->Bw)
            end = RBV_LANCZOS_NOT_CONVERGED;
    }
    for (int32_t k = 0; end == RBV_LANCZOS_NOT_CONVERGED && k <= restarts; k++) {
        /* one application removes the part in the null space of B */
        if (!problem->apply(problem->context, x, basis->w))
            end = RBV_LANCZOS_FAILED;
        else if (!append(basis, 0, 0))
            end = RBV_LANCZOS_NONE;
        else
            end = sweep(basis, tolerance, value, x);
    }
    if (basis) {
        free(basis->v);
        free(basis->w);
        free(basis->Bw);
    }
    free(basis);
    return end;
}
