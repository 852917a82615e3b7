/* Motion of a system under constraints by the null space of A; see udwadia.h.
 *
 * P[n - r][n]: rows that span null(A), with P M P^T = 1. They exist if, and only if, v^T M v > 0 for all v != 0 of
 * null(A). M itself may be singular.
 *
 *   v'_i = u + P^T P (Q - M u)     with A u = b: the ideal acceleration, of least Gauss function
 *   v'   = v'_i + P^T P C          so that M^-1 Q_ni = P^T P C = M^-1/2 (1 - B^+ B) M^-1/2 C
 *
 * Forces follow by M. B and B^+ are not needed: formulas with them check the result. Rows and columns of A are
 * weighted, so that results do not depend on units:
 *
 *   A = R U Sigma V^T D     D_j = sqrt(M_jj), R_k the length of row k of A D^-1, Sigma[r] the singular values that are
 *                           not zero
 *
 * V_0 are the other right singular vectors: null(A) = D^-1 range(V_0). */
#include "core/base/arena.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <roberval/udwadia.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values of A below RANK times size times rounding unit, relative to the largest, are zero: equations that
 * follow from others result from some tens of operations. */
#define RANK 64
/* Eigenvalues of M below SINGULAR times size times rounding unit, relative to the largest, are zero. */
#define SINGULAR 16
/* Largest number of coordinates or equations: LAPACK counts in 32 bits. */
#define MOST 16384
/* Corrections with the same factors: the second is rounding. */
#define PASSES 3

struct RbvUdwadia {
    RbvArena arena;
    RbvLapackWork lapack;
    RbvUdwadiaSolution solution;
    int32_t n, m;
    const RbvUdwadiaProblem *problem; /* set during a solution only */
    double *D, *R;                    /* [n], [m] weights of columns and rows */
    double *U, *sigma, *V;            /* [m][n], [max(m, n)], [n][n]: U_ik, and v_k in row k */
    double *mass, *values;            /* [n][n] D^-1 M D^-1 and [n] its eigenvalues, ascending */
    double *L;                        /* [n][n] D^-1 M D^-1 = L L^T */
    double *W, *TW;                   /* [n][n], [n][n]: rows of V^T L^-T = TW W, W with orthonormal rows [r][n] */
    double *K, *TK;                   /* [m][m], [n][n]: rows of Sigma U^T R = TK K, K with orthonormal rows [r][m] */
    double *by_formula;               /* [n] Q_i + Q_ni by the formulas with B^+ */
    double *square, *x, *y, *z;       /* workspace: [max(m, n)][max(m, n)], [max(m, n)] each */
    double *turn;                     /* [n][n] workspace */
};

static inline size_t entry_at(int32_t row, int32_t columns) {
    return (size_t)row * (size_t)columns;
}

/* ---- small products of row-major matrices ---- */

/* Returns x . y over count entries. */
static double dot_product(int32_t count, const double *x, const double *y) {
    double sum = 0;
    for (int32_t j = 0; j < count; j++)
        sum += x[j] * y[j];
    return sum;
}

/* y[m] = A x for A[m][n]. */
static void matrix_times(int32_t m, int32_t n, const double *A, const double *x, double *y) {
    for (int32_t i = 0; i < m; i++)
        y[i] = dot_product(n, A + entry_at(i, n), x);
}

/* x[n] = A^T y for A[m][n]. */
static void transposed_times(int32_t m, int32_t n, const double *A, const double *y, double *x) {
    memset(x, 0, (size_t)n * sizeof *x);
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++)
            x[j] += A[entry_at(i, n) + (size_t)j] * y[i];
}

/* X[r][n] = T W: T[r][r] is lower triangular, W replaces X and has orthonormal rows (Gram and Schmidt, twice). */
static void orthonormalise(int32_t r, int32_t n, double *X, double *T) {
    memset(T, 0, (size_t)r * (size_t)r * sizeof *T);
    for (int32_t k = 0; k < r; k++) {
        double *x = X + entry_at(k, n), *t = T + entry_at(k, r);
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = 0; i < k; i++) {
                const double *w = X + entry_at(i, n);
                double part = dot_product(n, w, x);
                t[i] += part;
                for (int32_t j = 0; j < n; j++)
                    x[j] -= part * w[j];
            }
        t[k] = sqrt(dot_product(n, x, x));
        for (int32_t j = 0; j < n; j++)
            x[j] /= t[k];
    }
}

/* x = T^-1 x for T[r][r] lower. */
static void solve_forward(int32_t r, const double *T, double *x) {
    for (int32_t k = 0; k < r; k++)
        x[k] = (x[k] - dot_product(k, T + entry_at(k, r), x)) / T[entry_at(k, r) + (size_t)k];
}

/* x = T^-T x for T[r][r] lower. */
static void solve_backward(int32_t r, const double *T, double *x) {
    for (int32_t k = r - 1; k >= 0; k--) {
        x[k] /= T[entry_at(k, r) + (size_t)k];
        for (int32_t i = 0; i < k; i++)
            x[i] -= T[entry_at(k, r) + (size_t)i] * x[k];
    }
}

const RbvUdwadiaProblem rbv_udwadia_problem_default = {.root = RBV_ROOT_SYMMETRIC};

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

/* ---- factors of M and A, and the motion ---- */

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
        u->D[j] = sqrt(rbv_max(u->problem->M[entry_at(j, n) + (size_t)j], 0));
    for (int32_t j = 0; j < n; j++) {
        if (u->D[j] > 0)
            continue;
        double sum = 0;
        for (int32_t i = 0; i < m; i++) {
            const double *row = u->problem->A + entry_at(i, n);
            double length = dot_product(n, row, row);
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
            size_t at = entry_at(i, n) + (size_t)j, mirror = entry_at(j, n) + (size_t)i;
            double weight = u->D[i] * u->D[j];
            /* Largest difference of M_ij and M_ji relative to sqrt(M_ii M_jj): rounding of a product in another order.
             */
            if (fabs(M[at] - M[mirror]) > RBV_DATA * weight)
                return RBV_BAD_INPUT;
            u->mass[at] = 0.5 * (M[at] + M[mirror]) / weight;
        }
    memcpy(u->square, u->mass, (size_t)n * (size_t)n * sizeof *u->mass);
    RbvStatus status = rbv_lapack_eigen_symmetric_in(&u->lapack, n, u->square, u->values);
    if (status != RBV_OK)
        return status;
    double zero = SINGULAR * n * DBL_EPSILON * rbv_max(u->values[n - 1], 0);
    u->solution.regular = u->values[0] > zero;
    return u->values[0] >= -zero ? RBV_OK : RBV_BAD_INPUT;
}

/* Finds R and the factors U, sigma, V; a row that is rounding compared with the others is taken as zero. */
static RbvStatus take_equations(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m, most = n > m ? n : m;
    int32_t k = n < m ? n : m;
    double share = u->problem->rank > 0 ? u->problem->rank : RANK * most * DBL_EPSILON, longest = 0;
    double *scaled = u->square, *left = u->turn; /* left: columns of U, with m rows, transposed */
    for (int32_t i = 0; i < m; i++) {
        double *row = scaled + entry_at(i, n);
        for (int32_t j = 0; j < n; j++)
            row[j] = u->problem->A[entry_at(i, n) + (size_t)j] / u->D[j];
        u->R[i] = sqrt(dot_product(n, row, row));
        longest = rbv_max(longest, u->R[i]);
    }
    for (int32_t i = 0; i < m; i++) {
        bool counts = u->R[i] > share * longest;
        if (!counts)
            u->R[i] = longest > 0 ? longest : 1;
        for (int32_t j = 0; j < n; j++)
            scaled[entry_at(i, n) + (size_t)j] *= counts ? 1 / u->R[i] : 0;
    }
    if (m >= n)
        left = u->U;
    memset(u->V, 0, (size_t)n * (size_t)n * sizeof *u->V);
    for (int32_t j = 0; m == 0 && j < n; j++)
        u->V[entry_at(j, n) + (size_t)j] = 1;
    /* Row-major A is column-major A^T = V Sigma U^T. */
    RbvStatus status = rbv_lapack_svd_in(&u->lapack, m >= n ? 'S' : 'A', n, m, scaled, u->sigma, u->V, left);
    if (status != RBV_OK)
        return status;
    u->solution.rank = 0;
    while (u->solution.rank < k && u->sigma[u->solution.rank] > share * u->sigma[0])
        u->solution.rank++;
    if (m < n) /* U[m][n] as for m >= n: one row for each equation */
        for (int32_t i = 0; i < m; i++)
            memcpy(u->U + entry_at(i, n), left + entry_at(i, m), (size_t)m * sizeof *left);
    u->solution.freedoms = n - u->solution.rank;
    return RBV_OK;
}

/* P = G^-1/2 V_0^T D^-1 with G = V_0^T D^-1 M D^-1 V_0. */
static RbvStatus span_virtual_displacements(RbvUdwadia *u) {
    int32_t n = u->n, f = u->solution.freedoms;
    const double *V0 = u->V + entry_at(u->solution.rank, n);
    double *G = u->square, *values = u->z;
    for (int32_t k = 0; k < f; k++) {
        matrix_times(n, n, u->mass, V0 + entry_at(k, n), u->x);
        matrix_times(f, n, V0, u->x, G + entry_at(k, f));
    }
    RbvStatus status = rbv_lapack_eigen_symmetric_in(&u->lapack, f, G, values);
    if (status != RBV_OK)
        return status;
    if (f > 0 && !(values[0] > SINGULAR * n * DBL_EPSILON * u->values[n - 1]))
        return RBV_LOCKED;
    for (int32_t k = 0; k < f; k++) {
        double *p = u->solution.virtual_basis + entry_at(k, n);
        transposed_times(f, n, V0, G + entry_at(k, f), p);
        for (int32_t j = 0; j < n; j++)
            p[j] /= u->D[j] * sqrt(values[k]);
    }
    return RBV_OK;
}

/* u += A^+ (b - residual - A u) in the weights. */
static void meet_equations(RbvUdwadia *u, double *acceleration) {
    int32_t n = u->n, m = u->m;
    double *gap = u->x, *part = u->y;
    matrix_times(m, n, u->problem->A, acceleration, gap);
    for (int32_t i = 0; i < m; i++)
        gap[i] = (u->problem->b[i] - u->solution.residual[i] - gap[i]) / u->R[i];
    transposed_times(m, n, u->U, gap, part);
    for (int32_t k = 0; k < u->solution.rank; k++)
        for (int32_t j = 0; j < n; j++)
            acceleration[j] += part[k] / u->sigma[k] * u->V[entry_at(k, n) + (size_t)j] / u->D[j];
}

/* acceleration += P^T P force. */
static void add_response(RbvUdwadia *u, const double *force, double *acceleration) {
    for (int32_t k = 0; k < u->solution.freedoms; k++) {
        const double *p = u->solution.virtual_basis + entry_at(k, u->n);
        double part = dot_product(u->n, p, force);
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
        matrix_times(n, n, p->M, v, u->x);
        for (int32_t j = 0; j < n; j++)
            u->z[j] = p->Q[j] - u->x[j];
        add_response(u, u->z, v);
    }
    matrix_times(n, n, p->M, v, s->ideal);
    for (int32_t j = 0; j < n; j++)
        s->ideal[j] = u->m > 0 ? s->ideal[j] - p->Q[j] : 0;
    memset(u->z, 0, (size_t)n * sizeof *u->z);
    if (p->C && u->m > 0)
        add_response(u, p->C, u->z);
    matrix_times(n, n, p->M, u->z, s->nonideal);
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
            u->K[entry_at(k, m) + (size_t)i] = u->sigma[k] * u->R[i] * u->U[entry_at(i, u->n) + (size_t)k];
    orthonormalise(r, m, u->K, u->TK);
    matrix_times(r, m, u->K, u->problem->b, u->y);
    transposed_times(r, m, u->K, u->y, u->x);
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
            double a = p->A[entry_at(i, u->n) + (size_t)j];
            gap -= a * u->solution.ideal_acceleration[j];
            size += fabs(a) * (fabs(u->solution.ideal_acceleration[j]) +
                               (u->solution.regular ? fabs(u->solution.free_acceleration[j]) : 0));
        }
        most = rbv_max(most, (fabs(gap) - p->noise) / u->R[i]);
        terms = rbv_max(terms, size / u->R[i]);
    }
    return most > 0 ? most / terms : 0;
}

/* lambda = -(A^T)^+ Q_i: A^T = D V (Sigma U^T R) = D V TK K. */
static void find_multipliers(RbvUdwadia *u) {
    int32_t n = u->n, r = u->solution.rank;
    for (int32_t j = 0; j < n; j++)
        u->x[j] = -u->solution.ideal[j] / u->D[j];
    matrix_times(r, n, u->V, u->x, u->y);
    solve_forward(r, u->TK, u->y);
    transposed_times(r, u->m, u->K, u->y, u->solution.multipliers);
}

/* a = M^-1 Q and c = M^-1 C by D L L^T D. NaN if M is singular. */
static void accelerate_freely(RbvUdwadia *u, const double *force, double *acceleration) {
    int32_t n = u->n;
    for (int32_t j = 0; j < n; j++) {
        acceleration[j] = force ? force[j] / u->D[j] : 0;
        acceleration[j] = u->solution.regular ? acceleration[j] : NAN;
    }
    if (!u->solution.regular)
        return;
    solve_forward(n, u->L, acceleration);
    solve_backward(n, u->L, acceleration);
    for (int32_t j = 0; j < n; j++)
        acceleration[j] /= u->D[j];
}

/* D^-1 M D^-1 = L L^T. */
static void factor_mass(RbvUdwadia *u) {
    int32_t n = u->n;
    memset(u->L, 0, (size_t)n * (size_t)n * sizeof *u->L);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double *li = u->L + entry_at(i, n), *lj = u->L + entry_at(j, n);
            double rest = u->mass[entry_at(i, n) + (size_t)j] - dot_product(j, li, lj);
            if (i == j && !(rest > 0))
                u->solution.regular = false;
            li[j] = i == j ? sqrt(rest) : rest / lj[j];
        }
}

/* ---- vectors and matrices of Udwadia's formulas, for regular M ----
 *
 * With M = S S^T, S = D L, and A = (R U Sigma) (V^T D), both factors of full rank and with rows or columns
 * orthonormalised:
 *
 *   B = A S^-T = (R U Sigma) (V^T L^-T) = K^T TK^T TW W      B^+ = W^T TW^-1 TK^-T K
 *
 * so that B^+ needs no rank decision of its own. For the symmetric root:
 *
 *   S^T = O M^1/2 with S^T = X Omega Y^T, O = X Y^T, M^1/2 = Y Omega Y^T
 *
 * B O and O^T B^+ replace B and B^+; S B^+ stays. */

/* Sets all results to NaN where M^-1 does not exist. */
static void report_none(const RbvUdwadia *u) {
    const RbvUdwadiaSolution *s = &u->solution;
    const size_t n = (size_t)u->n, m = (size_t)u->m;
    double *const arrays[] = {s->error_signal, s->root, s->B, s->B_plus, s->gain};
    const size_t counts[] = {m, n * n, m * n, n * m, n * m};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        for (size_t i = 0; i < counts[k]; i++)
            arrays[k][i] = NAN;
}

/* Finds S = D L, and B = A S^-T by rows. */
static void take_root(RbvUdwadia *u) {
    int32_t n = u->n;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            u->solution.root[entry_at(i, n) + (size_t)j] = u->D[i] * u->L[entry_at(i, n) + (size_t)j];
    for (int32_t i = 0; i < u->m; i++) {
        double *row = u->solution.B + entry_at(i, n);
        memcpy(row, u->problem->A + entry_at(i, n), (size_t)n * sizeof *row);
        solve_forward(n, u->solution.root, row);
    }
}

/* Finds B^+ = W^T TW^-1 TK^-T K, column by column, and S B^+. */
static void take_inverse(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m, r = u->solution.rank;
    for (int32_t k = 0; k < r; k++) {
        memcpy(u->W + entry_at(k, n), u->V + entry_at(k, n), (size_t)n * sizeof *u->W);
        solve_forward(n, u->L, u->W + entry_at(k, n));
    }
    orthonormalise(r, n, u->W, u->TW);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t k = 0; k < r; k++)
            u->x[k] = u->K[entry_at(k, m) + (size_t)i];
        solve_backward(r, u->TK, u->x);
        solve_forward(r, u->TW, u->x);
        transposed_times(r, n, u->W, u->x, u->y);
        matrix_times(n, n, u->solution.root, u->y, u->z);
        for (int32_t j = 0; j < n; j++) {
            u->solution.B_plus[entry_at(j, m) + (size_t)i] = u->y[j];
            u->solution.gain[entry_at(j, m) + (size_t)i] = u->z[j];
        }
    }
}

/* Finds S B^+ e + S (1 - B^+ B) S^-1 C. */
static void apply_formulas(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m;
    const RbvUdwadiaSolution *s = &u->solution;
    matrix_times(n, m, s->gain, s->error_signal, u->by_formula);
    if (!u->problem->C || m == 0)
        return;
    memcpy(u->x, u->problem->C, (size_t)n * sizeof *u->x);
    solve_forward(n, s->root, u->x);
    matrix_times(m, n, s->B, u->x, u->y);
    matrix_times(n, m, s->B_plus, u->y, u->z);
    for (int32_t j = 0; j < n; j++)
        u->x[j] -= u->z[j];
    matrix_times(n, n, s->root, u->x, u->z);
    for (int32_t j = 0; j < n; j++)
        u->by_formula[j] += u->z[j];
}

/* Converts from S = D L to S = M^1/2. */
static RbvStatus make_symmetric(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m;
    RbvUdwadiaSolution *s = &u->solution;
    double *X = u->W, *Yt = u->TW, *O = u->turn; /* row-major S is column-major S^T: X and Y^T column-major */
    RbvStatus status = rbv_lapack_svd_in(&u->lapack, 'A', n, n, s->root, u->x, X, Yt);
    if (status != RBV_OK)
        return status;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            double turn = 0, root = 0;
            for (int32_t k = 0; k < n; k++) {
                double y = Yt[entry_at(j, n) + (size_t)k];
                turn += X[entry_at(k, n) + (size_t)i] * y;
                root += Yt[entry_at(i, n) + (size_t)k] * u->x[k] * y;
            }
            O[entry_at(i, n) + (size_t)j] = turn;
            s->root[entry_at(i, n) + (size_t)j] = root;
        }
    for (int32_t i = 0; i < m; i++) {
        double *row = s->B + entry_at(i, n);
        transposed_times(n, n, O, row, u->x);
        memcpy(row, u->x, (size_t)n * sizeof *row);
        for (int32_t j = 0; j < n; j++)
            u->y[j] = s->B_plus[entry_at(j, m) + (size_t)i];
        transposed_times(n, n, O, u->y, u->x);
        for (int32_t j = 0; j < n; j++)
            s->B_plus[entry_at(j, m) + (size_t)i] = u->x[j];
    }
    return RBV_OK;
}

/* Finds the vectors and matrices of the formulas, for regular M, from A's factors. NOT_FINITE: not finite. Never
 * NO_MEMORY. */
static RbvStatus apply_root(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    s->gauss = NAN;
    if (!s->regular) {
        report_none(u);
        return RBV_OK;
    }
    matrix_times(u->m, u->n, u->problem->A, s->free_acceleration, s->error_signal);
    for (int32_t i = 0; i < u->m; i++)
        s->error_signal[i] = u->problem->b[i] - s->error_signal[i];
    take_root(u);
    take_inverse(u);
    apply_formulas(u);
    for (int32_t j = 0; j < u->n; j++)
        u->x[j] = s->ideal_acceleration[j] - s->free_acceleration[j];
    matrix_times(u->n, u->n, u->problem->M, u->x, u->y);
    s->gauss = dot_product(u->n, u->x, u->y);
    return u->problem->root == RBV_ROOT_SYMMETRIC ? make_symmetric(u) : RBV_OK;
}

/* ---- checks: each a sum that should vanish, relative to its terms ---- */

static double relative_error(double error, double terms) {
    return terms > 0 ? fabs(error) / terms : fabs(error);
}

/* |Q_j| + |C_j| + |M| (|v'_i| + |v'|) at coordinate j: the terms of which a force is a difference. */
static double terms_of_force(const RbvUdwadia *u, int32_t j) {
    const RbvUdwadiaProblem *p = u->problem;
    double sum = fabs(p->Q[j]) + (p->C ? fabs(p->C[j]) : 0);
    for (int32_t i = 0; i < u->n; i++)
        sum += fabs(p->M[entry_at(j, u->n) + (size_t)i]) *
               (fabs(u->solution.ideal_acceleration[i]) + fabs(u->solution.acceleration[i]));
    return sum;
}

static void check_equations(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    const RbvUdwadiaProblem *p = u->problem;
    double most = 0, terms = 0;
    for (int32_t i = 0; i < u->m; i++) {
        double gap = p->b[i] - (s->inconsistency > 0 ? s->residual[i] : 0), size = fabs(p->b[i]);
        for (int32_t j = 0; j < u->n; j++) {
            double a = p->A[entry_at(i, u->n) + (size_t)j];
            gap -= a * s->acceleration[j];
            size += fabs(a * s->acceleration[j]) + fabs(a * s->ideal_acceleration[j]);
        }
        most = rbv_max(most, fabs(gap) / u->R[i]);
        terms = rbv_max(terms, size / u->R[i]);
    }
    s->equations_error = relative_error(most, terms);
}

/* v^T Q_i and v^T (Q^c - C) for the basis; Q_i^T (M^-1 Q_ni) with M^-1 Q_ni = v' - v'_i. */
static void check_work(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    const double *C = u->problem->C;
    int32_t n = u->n;
    double product = 0, product_terms = 0;
    s->ideal_work_error = s->work_error = 0;
    for (int32_t j = 0; j < n; j++) {
        u->z[j] = terms_of_force(u, j);
        double along = s->acceleration[j] - s->ideal_acceleration[j];
        product += s->ideal[j] * along;
        product_terms += u->z[j] * (fabs(s->acceleration[j]) + fabs(s->ideal_acceleration[j]));
    }
    s->orthogonality_error = relative_error(product, product_terms);
    for (int32_t k = 0; u->m > 0 && k < s->freedoms; k++) {
        double ideal = 0, all = 0, terms = 0;
        for (int32_t j = 0; j < n; j++) {
            double v = s->virtual_basis[entry_at(k, n) + (size_t)j];
            ideal += v * s->ideal[j];
            all += v * (s->constraint_force[j] - (C ? C[j] : 0));
            terms += fabs(v) * u->z[j];
        }
        s->ideal_work_error = rbv_max(s->ideal_work_error, relative_error(ideal, terms));
        s->work_error = rbv_max(s->work_error, relative_error(all, terms));
    }
}

/* Checks X Y X = X for X[m][n], Y[n][m], and that X Y is symmetric: errors relative to |X| |Y| |X| and |X| |Y|, in the
 * Frobenius norm. */
static void check_inverse(RbvUdwadia *u, int32_t m, int32_t n, const double *X, const double *Y, double *product_error,
                          double *symmetry_error) {
    double *XY = u->square, difference = 0, skew = 0, size = sqrt(dot_product(m * n, X, X)),
           inverse_size = sqrt(dot_product(m * n, Y, Y));
    for (int32_t i = 0; i < m; i++)
        transposed_times(n, m, Y, X + entry_at(i, n), XY + entry_at(i, m));
    for (int32_t i = 0; i < m; i++) {
        transposed_times(m, n, X, XY + entry_at(i, m), u->x);
        for (int32_t j = 0; j < n; j++)
            difference = rbv_max(difference, fabs(u->x[j] - X[entry_at(i, n) + (size_t)j]));
        for (int32_t j = 0; j < i; j++)
            skew = rbv_max(skew, fabs(XY[entry_at(i, m) + (size_t)j] - XY[entry_at(j, m) + (size_t)i]));
    }
    *product_error = relative_error(difference, size * inverse_size * size);
    *symmetry_error = relative_error(skew, size * inverse_size);
}

static void check_formulas(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    int32_t n = u->n, m = u->m;
    double most = 0, terms = 0;
    check_inverse(u, m, n, s->B, s->B_plus, &s->penrose_error[0], &s->penrose_error[2]);
    check_inverse(u, n, m, s->B_plus, s->B, &s->penrose_error[1], &s->penrose_error[3]);
    for (int32_t j = 0; j < n; j++) {
        most = rbv_max(most, fabs(u->by_formula[j] - s->constraint_force[j]) / u->D[j]);
        terms = rbv_max(terms, terms_of_force(u, j) / u->D[j]);
    }
    s->formula_error = relative_error(most, terms);
    matrix_times(n, m, s->B_plus, s->error_signal, u->x);
    double size = 0;
    for (int32_t j = 0; j < n; j++) /* |M| (|v'_i| + |a|)^2 */
        size += terms_of_force(u, j) * (fabs(s->ideal_acceleration[j]) + fabs(s->free_acceleration[j]));
    s->gauss_error = m > 0 ? relative_error(s->gauss - dot_product(n, u->x, u->x), size) : 0;
}

/* Finds the errors of the checks. */
static void check_solution(RbvUdwadia *u) {
    check_equations(u);
    check_work(u);
    if (u->solution.regular) {
        check_formulas(u);
        return;
    }
    u->solution.formula_error = u->solution.gauss_error = NAN;
    for (int k = 0; k < 4; k++)
        u->solution.penrose_error[k] = NAN;
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
    /* Dependent equations may contradict others by this part of their terms: far above rounding, far below an intended
     * value. */
    bool consistent = s->inconsistency <= (p->inconsistency > 0 ? p->inconsistency : RBV_SAME);
    if (!consistent)
        accelerate(u);
    find_multipliers(u);
    status = apply_root(u);
    check_solution(u);
    u->problem = NULL;
    if (!are_finite((size_t)u->n, s->acceleration) || !are_finite((size_t)u->n, s->constraint_force))
        status = RBV_NOT_FINITE;
    return status == RBV_OK && !consistent ? RBV_INCONSISTENT : status;
}
