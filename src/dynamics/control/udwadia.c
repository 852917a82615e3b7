/* Motion of a system under constraints by the null space of A; see udwadia.h.
 *
 * P[n - r][n]: rows that span null(A), with P M P^T = 1. They exist if, and only if, v^T M v > 0 for all v != 0 of
 * null(A). M itself may be singular.
 *
 *   v'_i = u + P^T P (Q - M u)     with A u = b: the ideal acceleration, of least Gauss function
 *   v'   = v'_i + P^T P C          so that M^-1 Q_ni = P^T P C = M^-1/2 (1 - B^+ B) M^-1/2 C
 *
 * Forces follow by M. B and B^+ are not needed: formulas with them check the result (udwadia_vectors.c). */
#include "dynamics/control/udwadia_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values of A below RANK times size times rounding unit, relative to the largest, are zero: equations that
 * follow from others result from some tens of operations. */
#define RANK 64
/* Eigenvalues of M below SINGULAR times size times rounding unit, relative to the largest, are zero. */
#define SINGULAR 16
/* Largest difference of M_ij and M_ji relative to sqrt(M_ii M_jj): rounding of a product in another order. */
#define SYMMETRIC 1e-10
/* Dependent equations may contradict others by this part of their terms: far above rounding, far below an intended
 * value. */
#define INCONSISTENT 1e-9
/* Largest number of coordinates or equations: LAPACK counts in 32 bits. */
#define MOST 16384
/* Corrections with the same factors: the second is rounding. */
#define PASSES 3

RbvUdwadiaProblem rbv_udwadia_problem_default(void) {
    return (RbvUdwadiaProblem){.root = RBV_ROOT_SYMMETRIC};
}

static bool reserve(RbvArena *arena, double **array, int32_t rows, int32_t columns) {
    *array = rbv_arena_array(arena, (size_t)rows * (size_t)columns + 1, sizeof **array);
    return *array != NULL;
}

static bool reserve_solution(RbvArena *arena, RbvUdwadiaSolution *s, int32_t n, int32_t m) {
    double **of_n[] = {&s->acceleration,     &s->ideal_acceleration, &s->ideal, &s->nonideal,
                       &s->constraint_force, &s->free_acceleration,  &s->c};
    double **of_m[] = {&s->multipliers, &s->residual, &s->error_signal};
    bool good = true;
    for (size_t k = 0; k < sizeof of_n / sizeof of_n[0]; k++)
        good = good && reserve(arena, of_n[k], n, 1);
    for (size_t k = 0; k < sizeof of_m / sizeof of_m[0]; k++)
        good = good && reserve(arena, of_m[k], m, 1);
    return good && reserve(arena, &s->virtual_basis, n, n) && reserve(arena, &s->root, n, n) &&
           reserve(arena, &s->B, m, n) && reserve(arena, &s->B_plus, n, m) && reserve(arena, &s->gain, n, m);
}

static bool reserve_scratch(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m, most = n > m ? n : m;
    RbvArena *arena = &u->arena;
    double **squares[] = {&u->V, &u->mass, &u->L, &u->W, &u->TW, &u->TK, &u->turn},
           **columns[] = {&u->sigma, &u->x, &u->y, &u->z};
    bool good = reserve(arena, &u->D, n, 1) && reserve(arena, &u->R, m, 1) && reserve(arena, &u->U, m, n) &&
                reserve(arena, &u->values, n, 1) && reserve(arena, &u->K, n, m) &&
                reserve(arena, &u->by_formula, n, 1) && reserve(arena, &u->square, most, most);
    for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
        good = good && reserve(arena, squares[k], n, n);
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
        good = good && reserve(arena, columns[k], most, 1);
    return good && rbv_lapack_work_create(&u->lapack, n, most);
}

RbvStatus rbv_udwadia_create(int32_t n, int32_t m, RbvUdwadia **udwadia) {
    if (!udwadia)
        return RBV_BAD_ARGUMENT;
    *udwadia = NULL;
    if (n < 1 || m < 0)
        return RBV_BAD_ARGUMENT;
    RbvUdwadia *u = n <= MOST && m <= MOST ? calloc(1, sizeof *u) : NULL;
    if (!u)
        return RBV_NO_MEMORY;
    u->n = u->solution.n = n;
    u->m = u->solution.m = m;
    if (!reserve_solution(&u->arena, &u->solution, n, m) || !reserve_scratch(u)) {
        rbv_udwadia_destroy(u);
        return RBV_NO_MEMORY;
    }
    *udwadia = u;
    return RBV_OK;
}

void rbv_udwadia_destroy(RbvUdwadia *u) {
    if (!u)
        return;
    rbv_lapack_work_destroy(&u->lapack);
    rbv_arena_clear(&u->arena);
    free(u);
}

const RbvUdwadiaSolution *rbv_udwadia_solution(const RbvUdwadia *u) {
    return u ? &u->solution : NULL;
}

static bool are_finite(size_t count, const double *x) {
    double sum = 0;
    for (size_t k = 0; x && k < count; k++)
        sum += x[k] - x[k];
    return sum == 0;
}

static bool is_finite(const RbvUdwadia *u, const RbvUdwadiaProblem *p) {
    size_t n = (size_t)u->n, m = (size_t)u->m;
    return are_finite(n * n, p->M) && are_finite(n, p->Q) && are_finite(m * n, p->A) && are_finite(m, p->b) &&
           are_finite(n, p->C) && isfinite(p->rank) && isfinite(p->inconsistency) && isfinite(p->noise);
}

/* Finds D; a coordinate without mass is weighted by its column of A, with rows weighted alike. */
static void weigh_columns(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m;
    for (int32_t j = 0; j < n; j++)
        u->D[j] = sqrt(fmax(u->problem->M[rbv_udwadia_at(j, n) + (size_t)j], 0));
    for (int32_t j = 0; j < n; j++) {
        if (u->D[j] > 0)
            continue;
        double sum = 0;
        for (int32_t i = 0; i < m; i++) {
            const double *row = u->problem->A + rbv_udwadia_at(i, n);
            double length = rbv_udwadia_dot(n, row, row);
            sum += length > 0 ? row[j] * row[j] / length : 0;
        }
        u->D[j] = sum > 0 ? sqrt(sum) : 1;
    }
}

/* Finds D^-1 M D^-1 and its eigenvalues. */
static RbvStatus take_mass(RbvUdwadia *u) {
    int32_t n = u->n;
    const double *M = u->problem->M;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            size_t at = rbv_udwadia_at(i, n) + (size_t)j, mirror = rbv_udwadia_at(j, n) + (size_t)i;
            double weight = u->D[i] * u->D[j];
            if (fabs(M[at] - M[mirror]) > SYMMETRIC * weight)
                return RBV_BAD_INPUT;
            u->mass[at] = 0.5 * (M[at] + M[mirror]) / weight;
        }
    memcpy(u->square, u->mass, (size_t)n * (size_t)n * sizeof *u->mass);
    RbvStatus status = rbv_lapack_eigen_symmetric_in(&u->lapack, n, u->square, u->values);
    if (status != RBV_OK)
        return status;
    double zero = SINGULAR * n * DBL_EPSILON * fmax(u->values[n - 1], 0);
    u->solution.regular = u->values[0] > zero;
    return u->values[0] >= -zero ? RBV_OK : RBV_BAD_INPUT;
}

/* Finds R and the factors U, sigma, V; a row that is rounding compared with the others is taken as zero. */
static RbvStatus take_equations(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m, most = n > m ? n : m, k = n < m ? n : m, ldvt = m >= n ? k : m;
    double share = u->problem->rank > 0 ? u->problem->rank : RANK * most * DBL_EPSILON, longest = 0;
    double *scaled = u->square, *left = u->turn; /* left: columns of U, with ldvt rows, transposed */
    for (int32_t i = 0; i < m; i++) {
        double *row = scaled + rbv_udwadia_at(i, n);
        for (int32_t j = 0; j < n; j++)
            row[j] = u->problem->A[rbv_udwadia_at(i, n) + (size_t)j] / u->D[j];
        u->R[i] = sqrt(rbv_udwadia_dot(n, row, row));
        longest = fmax(longest, u->R[i]);
    }
    for (int32_t i = 0; i < m; i++) {
        bool counts = u->R[i] > share * longest;
        u->R[i] = counts ? u->R[i] : longest > 0 ? longest : 1;
        for (int32_t j = 0; j < n; j++)
            scaled[rbv_udwadia_at(i, n) + (size_t)j] *= counts ? 1 / u->R[i] : 0;
    }
    if (m >= n)
        left = u->U;
    memset(u->V, 0, (size_t)n * (size_t)n * sizeof *u->V);
    for (int32_t j = 0; m == 0 && j < n; j++)
        u->V[rbv_udwadia_at(j, n) + (size_t)j] = 1;
    /* Row-major A is column-major A^T = V Sigma U^T. */
    RbvStatus status = rbv_lapack_svd_in(&u->lapack, m >= n ? 'S' : 'A', n, m, scaled, u->sigma, u->V, left);
    if (status != RBV_OK)
        return status;
    u->solution.rank = 0;
    while (u->solution.rank < k && u->sigma[u->solution.rank] > share * u->sigma[0])
        u->solution.rank++;
    if (m < n) /* U[m][n] as for m >= n: one row for each equation */
        for (int32_t i = 0; i < m; i++)
            memcpy(u->U + rbv_udwadia_at(i, n), left + rbv_udwadia_at(i, ldvt), (size_t)m * sizeof *left);
    u->solution.freedoms = n - u->solution.rank;
    return RBV_OK;
}

/* P = G^-1/2 V_0^T D^-1 with G = V_0^T D^-1 M D^-1 V_0. */
static RbvStatus span_virtual_displacements(RbvUdwadia *u) {
    int32_t n = u->n, f = u->solution.freedoms;
    const double *V0 = u->V + rbv_udwadia_at(u->solution.rank, n);
    double *G = u->square, *values = u->z;
    for (int32_t k = 0; k < f; k++) {
        rbv_udwadia_times(n, n, u->mass, V0 + rbv_udwadia_at(k, n), u->x);
        rbv_udwadia_times(f, n, V0, u->x, G + rbv_udwadia_at(k, f));
    }
    RbvStatus status = rbv_lapack_eigen_symmetric_in(&u->lapack, f, G, values);
    if (status != RBV_OK)
        return status;
    if (f > 0 && !(values[0] > SINGULAR * n * DBL_EPSILON * u->values[n - 1]))
        return RBV_LOCKED;
    for (int32_t k = 0; k < f; k++) {
        double *p = u->solution.virtual_basis + rbv_udwadia_at(k, n);
        rbv_udwadia_transposed_times(f, n, V0, G + rbv_udwadia_at(k, f), p);
        for (int32_t j = 0; j < n; j++)
            p[j] /= u->D[j] * sqrt(values[k]);
    }
    return RBV_OK;
}

/* u += A^+ (b - residual - A u) in the weights. */
static void meet_equations(RbvUdwadia *u, double *acceleration) {
    int32_t n = u->n, m = u->m;
    double *gap = u->x, *part = u->y;
    rbv_udwadia_times(m, n, u->problem->A, acceleration, gap);
    for (int32_t i = 0; i < m; i++)
        gap[i] = (u->problem->b[i] - u->solution.residual[i] - gap[i]) / u->R[i];
    rbv_udwadia_transposed_times(m, n, u->U, gap, part);
    for (int32_t k = 0; k < u->solution.rank; k++)
        for (int32_t j = 0; j < n; j++)
            acceleration[j] += part[k] / u->sigma[k] * u->V[rbv_udwadia_at(k, n) + (size_t)j] / u->D[j];
}

/* acceleration += P^T P force. */
static void give_way(RbvUdwadia *u, const double *force, double *acceleration) {
    for (int32_t k = 0; k < u->solution.freedoms; k++) {
        const double *p = u->solution.virtual_basis + rbv_udwadia_at(k, u->n);
        double part = rbv_udwadia_dot(u->n, p, force);
        for (int32_t j = 0; j < u->n; j++)
            acceleration[j] += part * p[j];
    }
}

static void accelerate(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    const RbvUdwadiaProblem *p = u->problem;
    int32_t n = u->n;
    double *v = s->ideal_acceleration;
    memset(v, 0, (size_t)n * sizeof *v);
    for (int pass = 0; pass < PASSES; pass++) {
        meet_equations(u, v);
        rbv_udwadia_times(n, n, p->M, v, u->x);
        for (int32_t j = 0; j < n; j++)
            u->z[j] = p->Q[j] - u->x[j];
        give_way(u, u->z, v);
    }
    rbv_udwadia_times(n, n, p->M, v, s->ideal);
    for (int32_t j = 0; j < n; j++)
        s->ideal[j] = u->m > 0 ? s->ideal[j] - p->Q[j] : 0;
    memset(u->z, 0, (size_t)n * sizeof *u->z);
    if (p->C && u->m > 0)
        give_way(u, p->C, u->z);
    rbv_udwadia_times(n, n, p->M, u->z, s->nonideal);
    for (int32_t j = 0; j < n; j++) {
        s->acceleration[j] = v[j] + u->z[j];
        s->constraint_force[j] = s->ideal[j] + s->nonideal[j];
    }
}

/* K: the rows of Sigma U^T R, orthonormalised, span the possible A v'. residual = (1 - K^T K) b. */
static void find_residual(RbvUdwadia *u) {
    int32_t m = u->m, r = u->solution.rank;
    for (int32_t k = 0; k < r; k++)
        for (int32_t i = 0; i < m; i++)
            u->K[rbv_udwadia_at(k, m) + (size_t)i] = u->sigma[k] * u->R[i] * u->U[rbv_udwadia_at(i, u->n) + (size_t)k];
    rbv_udwadia_orthonormalise(r, m, u->K, u->TK);
    rbv_udwadia_times(r, m, u->K, u->problem->b, u->y);
    rbv_udwadia_transposed_times(r, m, u->K, u->y, u->x);
    for (int32_t i = 0; i < m; i++)
        u->solution.residual[i] = u->problem->b[i] - u->x[i];
}

/* Largest entry of b - A v', less the noise, with rows weighted alike, relative to the largest of |b| + |A| |v'| + |A|
 * |a|. */
static double contradiction(RbvUdwadia *u) {
    const RbvUdwadiaProblem *p = u->problem;
    double most = 0, terms = 0;
    for (int32_t i = 0; i < u->m; i++) {
        double gap = p->b[i], size = fabs(p->b[i]);
        for (int32_t j = 0; j < u->n; j++) {
            double a = p->A[rbv_udwadia_at(i, u->n) + (size_t)j];
            gap -= a * u->solution.ideal_acceleration[j];
            size += fabs(a) * (fabs(u->solution.ideal_acceleration[j]) +
                               (u->solution.regular ? fabs(u->solution.free_acceleration[j]) : 0));
        }
        most = fmax(most, (fabs(gap) - p->noise) / u->R[i]);
        terms = fmax(terms, size / u->R[i]);
    }
    return most > 0 ? most / terms : 0;
}

/* lambda = -(A^T)^+ Q_i: A^T = D V (Sigma U^T R) = D V TK K. */
static void find_multipliers(RbvUdwadia *u) {
    int32_t n = u->n, r = u->solution.rank;
    for (int32_t j = 0; j < n; j++)
        u->x[j] = -u->solution.ideal[j] / u->D[j];
    rbv_udwadia_times(r, n, u->V, u->x, u->y);
    rbv_udwadia_forward(r, u->TK, u->y);
    rbv_udwadia_transposed_times(r, u->m, u->K, u->y, u->solution.multipliers);
}

/* a = M^-1 Q and c = M^-1 C by D L L^T D. NaN if M is singular. */
static void accelerate_freely(RbvUdwadia *u, const double *force, double *acceleration) {
    int32_t n = u->n;
    for (int32_t j = 0; j < n; j++)
        acceleration[j] = !u->solution.regular ? NAN : force ? force[j] / u->D[j] : 0;
    if (!u->solution.regular)
        return;
    rbv_udwadia_forward(n, u->L, acceleration);
    rbv_udwadia_backward(n, u->L, acceleration);
    for (int32_t j = 0; j < n; j++)
        acceleration[j] /= u->D[j];
}

/* D^-1 M D^-1 = L L^T. */
static void factor_mass(RbvUdwadia *u) {
    int32_t n = u->n;
    memset(u->L, 0, (size_t)n * (size_t)n * sizeof *u->L);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double *li = u->L + rbv_udwadia_at(i, n), *lj = u->L + rbv_udwadia_at(j, n);
            double rest = u->mass[rbv_udwadia_at(i, n) + (size_t)j] - rbv_udwadia_dot(j, li, lj);
            if (i == j && !(rest > 0))
                u->solution.regular = false;
            li[j] = i == j ? sqrt(rest) : rest / lj[j];
        }
}

RbvStatus rbv_udwadia_solve(RbvUdwadia *u, const RbvUdwadiaProblem *p) {
    if (!u || !p || !p->M || !p->Q || (u->m > 0 && (!p->A || !p->b)) ||
        (p->root != RBV_ROOT_SYMMETRIC && p->root != RBV_ROOT_CHOLESKY))
        return RBV_BAD_ARGUMENT;
    if (!is_finite(u, p))
        return RBV_NOT_FINITE;
    RbvUdwadiaSolution *s = &u->solution;
    u->problem = p;
    weigh_columns(u);
    RbvStatus status = take_mass(u);
    if (status == RBV_OK)
        status = take_equations(u);
    if (status == RBV_OK)
        status = span_virtual_displacements(u);
    if (status != RBV_OK)
        return status;
    if (s->regular)
        factor_mass(u);
    accelerate_freely(u, p->Q, s->free_acceleration);
    accelerate_freely(u, p->C, s->c);
    memset(s->residual, 0, (size_t)u->m * sizeof *s->residual);
    accelerate(u);
    s->inconsistency = contradiction(u);
    find_residual(u);
    bool consistent = s->inconsistency <= (p->inconsistency > 0 ? p->inconsistency : INCONSISTENT);
    if (!consistent)
        accelerate(u);
    find_multipliers(u);
    status = rbv_udwadia_vectors(u);
    rbv_udwadia_check(u);
    u->problem = NULL;
    if (!are_finite((size_t)u->n, s->acceleration) || !are_finite((size_t)u->n, s->constraint_force))
        status = RBV_NOT_FINITE;
    return status != RBV_OK ? status : consistent ? RBV_OK : RBV_INCONSISTENT;
}
