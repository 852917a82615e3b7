/* Radau's method of order 5; see radau.h. */
#include "core/solve/radau.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITERATIONS 8
/* The iteration ends when the next change would be below this part of the allowed error of a step. */
#define ITERATION 0.02
/* Convergence slower than this requests a new Jacobian; no convergence, a shorter step. */
#define SLOW 0.3
/* Step of differences, as a part of the size of the component. */
#define DIFFERENCE 1.5e-8

/* The method's matrix A and nodes c, and the weights e of its error. */
static void coefficients(double A[9], double c[3], double e[3]) {
    double s = sqrt(6);
    const double a[9] = {(88 - 7 * s) / 360,     (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,
                         (296 + 169 * s) / 1800, (88 + 7 * s) / 360,     (-2 - 3 * s) / 225,
                         (16 - s) / 36,          (16 + s) / 36,          1.0 / 9};
    memcpy(A, a, sizeof a);
    c[0] = (4 - s) / 10, c[1] = (4 + s) / 10, c[2] = 1;
    e[0] = -(13 + 7 * s) / 3, e[1] = (-13 + 7 * s) / 3, e[2] = -1.0 / 3;
}

/* Eigenvalues of A^-1 and T = [v, Re u, Im u]: T^-1 A^-1 T = diag(real, [a b; -b a]). False: LAPACK failed. */
static bool transform(RbvRadau *r) {
    double A[9], c[3], e[3], vectors[9], re[3], im[3], identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int32_t pivot[3];
    coefficients(A, c, e);
    if (rbv_lapack_solve(3, 3, A, pivot, identity) != RBV_OK ||
        rbv_lapack_eigen(3, identity, re, im, vectors) != RBV_OK)
        return false;
    int single = im[0] == 0 ? 0 : 2, pair = single == 0;
    r->real = re[single];
    r->a = re[pair];
    r->b = im[pair];
    for (int i = 0; i < 3; i++) {
        r->T[3 * i] = vectors[3 * i + single];
        r->T[3 * i + 1] = vectors[3 * i + pair];
        r->T[3 * i + 2] = vectors[3 * i + pair + 1];
    }
    double copy[9], unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(copy, r->T, sizeof copy);
    if (rbv_lapack_solve(3, 3, copy, pivot, unit) != RBV_OK)
        return false;
    memcpy(r->inverse, unit, sizeof unit);
    return true;
}

bool rbv_radau_create(RbvRadau *r, int32_t n, double tolerance, RbvRate rate, void *context,
                      const RbvRadauSolver *solver) {
    size_t size = (size_t)n, dense = solver ? 0 : size;
    *r = (RbvRadau){.n = n, .tolerance = tolerance, .rate = rate, .context = context, .solver = solver};
    r->J = calloc(dense * dense + 1, sizeof *r->J);
    r->E1 = calloc(dense * dense + 1, sizeof *r->E1);
    r->E2 = calloc(4 * dense * dense + 1, sizeof *r->E2);
    r->pivot1 = calloc(dense + 1, sizeof *r->pivot1);
    r->pivot2 = calloc(2 * dense + 1, sizeof *r->pivot2);
    r->z = calloc(3 * size + 1, sizeof *r->z);
    r->w = calloc(3 * size + 1, sizeof *r->w);
    r->f = calloc(3 * size + 1, sizeof *r->f);
    r->next = calloc(size + 1, sizeof *r->next);
    r->f0 = calloc(size + 1, sizeof *r->f0);
    r->right = calloc(2 * size + 1, sizeof *r->right);
    return r->J && r->E1 && r->E2 && r->pivot1 && r->pivot2 && r->z && r->w && r->f && r->next && r->f0 && r->right &&
           transform(r);
}

void rbv_radau_destroy(RbvRadau *r) {
    free(r->J);
    free(r->E1);
    free(r->E2);
    free(r->pivot1);
    free(r->pivot2);
    free(r->z);
    free(r->w);
    free(r->f);
    free(r->next);
    free(r->f0);
    free(r->right);
    *r = (RbvRadau){0};
}

void rbv_radau_forget(RbvRadau *r) {
    r->known = r->fresh = false;
    r->h = 0;
    if (r->solver)
        r->solver->forget(r->solver->context);
}

/* Step of component j for differences. A component of zero has the size 1/(weight tolerance): smaller steps would be
 * rounding. */
static double difference(const RbvRadau *r, const double *y, const double *weight, size_t j) {
    double size = fmax(fabs(y[j]), weight[j] > 0 ? 1 / (weight[j] * r->tolerance) : 0);
    return DIFFERENCE * (size > 0 ? size : 1);
}

/* J by the caller's solver. */
static RbvStatus differentiate_own(RbvRadau *r, double t, const double *y, const double *weight) {
    for (size_t j = 0; j < (size_t)r->n; j++)
        r->right[j] = difference(r, y, weight, j);
    return r->solver->differentiate(r->solver->context, t, y, r->right);
}

/* All columns of a dense J, by differences. */
static RbvStatus differentiate_dense(RbvRadau *r, double t, const double *y, const double *f0, const double *weight) {
    size_t n = (size_t)r->n;
    memcpy(r->next, y, n * sizeof *y);
    for (size_t j = 0; j < n; j++) {
        double step = difference(r, y, weight, j);
        r->next[j] = y[j] + step;
        step = r->next[j] - y[j];
        RbvStatus status = r->rate(r->context, t, r->next, r->right);
        if (status != RBV_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            r->J[i * n + j] = (r->right[i] - f0[i]) / step;
        r->next[j] = y[j];
    }
    return RBV_OK;
}

/* J at y, where the right-hand side is f0, by the caller's solver or by differences. */
static RbvStatus differentiate(RbvRadau *r, double t, const double *y, const double *f0, const double *weight) {
    RbvStatus status = r->solver ? differentiate_own(r, t, y, weight) : differentiate_dense(r, t, y, f0, weight);
    if (status != RBV_OK)
        return status;
    r->jacobians++;
    r->known = r->fresh = true;
    r->h = 0;
    return RBV_OK;
}

static RbvStatus factor_own(const RbvRadau *r, double h) {
    bool no_memory = false, good = r->solver->factor(r->solver->context, r->real / h, r->a / h, r->b / h, &no_memory);
    if (no_memory)
        return RBV_NO_MEMORY;
    return good ? RBV_OK : RBV_NOT_FINITE;
}

/* E1 = real/h I - J, E2 = [a/h I - J, b/h I; -b/h I, a/h I - J]. */
static RbvStatus factor_dense(RbvRadau *r, double h) {
    size_t n = (size_t)r->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double J = -r->J[i * n + j];
            bool diagonal = i == j;
            r->E1[i * n + j] = J + (diagonal ? r->real / h : 0);
            r->E2[i * 2 * n + j] = r->E2[(i + n) * 2 * n + n + j] = J + (diagonal ? r->a / h : 0);
            r->E2[i * 2 * n + n + j] = diagonal ? r->b / h : 0;
            r->E2[(i + n) * 2 * n + j] = diagonal ? -r->b / h : 0;
        }
    RbvStatus status = rbv_lapack_lu(r->n, r->E1, r->pivot1);
    if (status == RBV_OK)
        status = rbv_lapack_lu(2 * r->n, r->E2, r->pivot2);
    return status;
}

static RbvStatus factor(RbvRadau *r, double h) {
    RbvStatus status = r->solver ? factor_own(r, h) : factor_dense(r, h);
    r->h = status == RBV_OK ? h : 0;
    r->factors++;
    return status;
}

/* x := E1^-1 x and E2^-1 x. */
static void solve_single(RbvRadau *r, double *x) {
    if (r->solver)
        r->solver->solve(r->solver->context, x);
    else
        rbv_lapack_lu_solve(r->n, r->E1, r->pivot1, x);
}

static void solve_double(RbvRadau *r, double *x) {
    if (r->solver)
        r->solver->solve_complex(r->solver->context, x);
    else
        rbv_lapack_lu_solve(2 * r->n, r->E2, r->pivot2, x);
}

/* out = M x for three vectors side by side. */
static void mix(const double M[9], const double *x, size_t n, double *out) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < 3; i++)
            out[i * n + j] = M[3 * i] * x[j] + M[3 * i + 1] * x[n + j] + M[3 * i + 2] * x[2 * n + j];
}

/* One Newton step on w; *change of the stages in units of 1/weight. */
static RbvStatus iterate(RbvRadau *r, double t, const double *y, double h, const double *weight, const double c[3],
                         double *change) {
    size_t n = (size_t)r->n;
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < n; j++)
            r->next[j] = y[j] + r->z[i * n + j];
        RbvStatus status = r->rate(r->context, t + c[i] * h, r->next, r->f + i * n);
        if (status != RBV_OK)
            return status;
    }
    for (size_t j = 0; j < n; j++) { /* T^-1 F - Lambda W / h */
        double f[3] = {r->f[j], r->f[n + j], r->f[2 * n + j]}, g[3];
        for (int i = 0; i < 3; i++)
            g[i] = r->inverse[3 * i] * f[0] + r->inverse[3 * i + 1] * f[1] + r->inverse[3 * i + 2] * f[2];
        r->f[j] = g[0] - r->real / h * r->w[j];
        r->right[j] = g[1] - (r->a * r->w[n + j] + r->b * r->w[2 * n + j]) / h;
        r->right[n + j] = g[2] - (-r->b * r->w[n + j] + r->a * r->w[2 * n + j]) / h;
    }
    solve_single(r, r->f);
    solve_double(r, r->right);
    for (size_t j = 0; j < n; j++) {
        r->w[j] += r->f[j];
        r->w[n + j] += r->right[j];
        r->w[2 * n + j] += r->right[n + j];
    }
    double sum = 0;
    int32_t counted = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < 3; i++) {
            double d =
                (r->T[3 * i] * r->f[j] + r->T[3 * i + 1] * r->right[j] + r->T[3 * i + 2] * r->right[n + j]) * weight[j];
            sum += d * d;
            counted += weight[j] > 0;
        }
    mix(r->T, r->w, n, r->z);
    *change = sqrt(sum / (counted > 0 ? counted : 1));
    return RBV_OK;
}

/* The stages, iterated from zero. *converged: they are found; *slow: a new Jacobian should be made. */
static RbvStatus find_stages(RbvRadau *r, double t, const double *y, double h, const double *weight, const double c[3],
                             bool *converged, bool *slow) {
    size_t n = (size_t)r->n;
    double before = 0, change = 0, rate = 1;
    *converged = *slow = false;
    memset(r->z, 0, 3 * n * sizeof *r->z);
    memset(r->w, 0, 3 * n * sizeof *r->w);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        RbvStatus status = iterate(r, t, y, h, weight, c, &change);
        if (status != RBV_OK)
            return status;
        if (!isfinite(change))
            return RBV_OK;
        rate = k > 0 && before > 0 ? change / before : rate;
        if (change == 0 || (k > 0 && rate < 1 && rate / (1 - rate) * change <= ITERATION)) {
            *converged = true;
            *slow = k > 1 && rate > SLOW;
            return RBV_OK;
        }
        if (k > 1 && rate >= 1)
            break;
        before = change;
    }
    /* Changes below this part of the allowed error that no longer shrink are rounding. */
    *converged = change <= RBV_NOTICEABLE;
    return RBV_OK;
}

/* |(real/h I - J)^-1 (f0 + sum e_i Z_i / h)|, weighted. */
static double find_error(RbvRadau *r, double h, const double *f0, const double *weight, const double e[3]) {
    size_t n = (size_t)r->n;
    double sum = 0;
    int32_t counted = 0;
    for (size_t j = 0; j < n; j++)
        r->f[j] = f0[j] + (e[0] * r->z[j] + e[1] * r->z[n + j] + e[2] * r->z[2 * n + j]) / h;
    solve_single(r, r->f);
    for (size_t j = 0; j < n; j++) {
        sum += r->f[j] * r->f[j] * weight[j] * weight[j];
        counted += weight[j] > 0;
    }
    return sqrt(sum / (counted > 0 ? counted : 1));
}

RbvStatus rbv_radau_step(RbvRadau *r, double t, const double *y, const double *f0, double h, const double *weight,
                         double *y1, double *error) {
    size_t n = (size_t)r->n;
    double A[9], c[3], e[3];
    bool converged = false, slow = false;
    coefficients(A, c, e);
    *error = INFINITY;
    memcpy(r->f0, f0, n * sizeof *f0); /* f0 may be the array that the right-hand side writes to */
    for (int pass = 0; pass < 2 && !converged; pass++) {
        RbvStatus status = r->known && pass == 0 ? RBV_OK : differentiate(r, t, y, r->f0, weight);
        if (status == RBV_OK && r->h != h)
            status = factor(r, h);
        if (status == RBV_OK)
            status = find_stages(r, t, y, h, weight, c, &converged, &slow);
        if (status != RBV_OK)
            return status;
        if (r->fresh)
            break;
    }
    r->fresh = false; /* J does not belong to the beginning of the next step */
    if (!converged || slow)
        r->known = false;
    if (!converged)
        return RBV_OK;
    *error = find_error(r, h, r->f0, weight, e);
    for (size_t j = 0; j < n; j++)
        y1[j] = y[j] + r->z[2 * n + j];
    return RBV_OK;
}
