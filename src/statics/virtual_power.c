/* Principle of virtual power in independent coordinates z: Psi(z) = R^T Q = 0 with [J; B] R = [0; I]; B selects
 * coordinates by pivoting.
 *
 *   dPsi_j/dz_k = D_jk.Q - R_j^T K R_k,   K = -dQ/dq of the loads alone,   D_jk = d^2 q / dz_j dz_k
 * D_kk is the acceleration of the constraints at unit velocity of z_k with z'' = 0; [J; B] D = [gamma; 0]; D_jk follows
 * from the velocity along both. Its power is D.Q = w.gamma with [J; B]^T w = Q. With an energy the step is |T|^-1 Psi
 * with T = -dPsi/dz, which is symmetric then, by its eigenvalues, so that V decreases; without an energy it is Newton's
 * step. After a step q is projected to Phi = 0 with B q fixed. The method is dense: for mechanisms of some hundreds of
 * coordinates. Where there are no rows, as in joint coordinates of open trees, R = 1 and there is no D. */
#include "core/base/tolerances.h"
#include "core/solve/elimination.h"
#include "core/solve/lapack.h"
#include "core/solve/rank.h"
#include "statics/equilibrium.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Step of the method of virtual power along which the energy decreases: dz = |T|^-1 Psi, with T = -dPsi/dz, which is
 * symmetric where the loads have an energy. */

/* dz[f] for psi[f]. T[f][f] is overwritten; value[f] gets its eigenvalues, ascending. Eigenvalues smaller than `least`
 * times the largest count as that bound; the largest is taken no less than `least` kappa [N/m]. False: the eigenvalues
 * were not found. */
static bool descending_step(int32_t f, double *T, const double *psi, double least, double kappa, double *value,
                            double *dz) {
    for (int32_t i = 0; i < f; i++)
        for (int32_t j = 0; j < i; j++)
            T[i * f + j] = T[j * f + i] = 0.5 * (T[i * f + j] + T[j * f + i]);
    if (rbv_lapack_eigen_symmetric(f, T, value) != RBV_OK)
        return false;
    double largest = fmax(fmax(fabs(value[0]), fabs(value[f - 1])), least * kappa);
    memset(dz, 0, (size_t)f * sizeof *dz);
    for (int32_t k = 0; k < f; k++) {
        double part = 0, stiffness = fmax(fabs(value[k]), least * largest);
        for (int32_t i = 0; i < f; i++)
            part += T[i * f + k] * psi[i];
        for (int32_t i = 0; i < f; i++)
            dz[i] += T[i * f + k] * part / stiffness;
    }
    return true;
}

/* dz[f] with T dz = psi; singular values of T below `least` times the largest count as that bound. T is overwritten.
 * False: the singular values were not found. */
static bool regular_step(int32_t f, double *T, const double *psi, double least, double *dz) {
    size_t n = (size_t)f;
    double *u = malloc((2 * n * n + n + 1) * sizeof *u), *vt = u + n * n, *sigma = vt + n * n;
    bool good = u && rbv_lapack_svd('A', f, f, T, sigma, u, vt) == RBV_OK;
    memset(dz, 0, n * sizeof *dz);
    for (size_t k = 0; good && k < n && sigma[0] > 0; k++) {
        double part = 0;
        for (size_t i = 0; i < n; i++)
            part += vt[i * n + k] * psi[i]; /* column-major storage: T^T = U S V^T */
        for (size_t i = 0; i < n; i++)
            dz[i] += u[k * n + i] * part / fmax(sigma[k], least * sigma[0]);
    }
    free(u);
    return good;
}

#define MOST_POWER_STEPS 300
/* Longest step of a body: [rad], and parts of the size. */
#define POWER_TURN 0.4
#define POWER_MOVE 0.4
#define MOST_SIZE 1500
#define MOST_PIVOTED                                                                                                   \
    240 /* above it by QR: full pivoting searches the whole remaining matrix for each pivot, without blocks */
/* Part of the largest entry: rows with a smaller remainder are redundant. */
#define MOST_FREEDOMS 240 /* accelerations of rows are computed for all pairs of freedoms */
#define MOST_FREE 600     /* where there are no rows */
#define MOST_HALVINGS 40
#define MOST_POWER_RETURNS 30
/* Part of the largest eigenvalue of T: smaller ones count as this bound, so that neutral directions stay bounded. */
#define LEAST_EIGENVALUE 1e-10

typedef struct Power {
    RbvArena arena; /* of all arrays */
    RbvEquilibriumSearch *search;
    int32_t n, m, f, r;           /* coordinates, rows, freedoms, independent rows */
    double *J;                    /* [m][n] scaled rows */
    int32_t *rows;                /* [m] order, independent ones first */
    int32_t *columns;             /* [n] order, dependent ones first */
    double *W;                    /* [n] of the factors */
    int32_t *pivot;               /* [f][n] motions with unit velocity of one z */
    double *R;                    /* [f][n] */
    double *w;                    /* [n] -Q = [J; B]^T w */
    double still;                 /* [f], [f][f], [f] of T, [f] step of z */
    double *psi, *T, *value, *dz; /* [n + m] workspace */
    double *work;                 /* [n + m] */
    double *lambda;               /* [rows] stored multipliers */
} Power;

static bool create_power(Power *p, RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    *p = (Power){.search = search, .n = b->n, .m = b->rows};
    size_t n = (size_t)b->n, m = (size_t)b->rows;
    p->J = rbv_arena_alloc(&p->arena, (m * n + 1) * sizeof(double));
    p->rows = rbv_arena_alloc(&p->arena, (m + 1) * sizeof(int32_t));
    p->columns = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(int32_t));
    p->W = rbv_arena_alloc(&p->arena, (n * n + 1) * sizeof(double));
    p->pivot = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(int32_t));
    p->R = rbv_arena_alloc(&p->arena, (n * n + 1) * sizeof(double));
    p->w = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(double));
    p->psi = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(double));
    p->T = rbv_arena_alloc(&p->arena, (n * n + 1) * sizeof(double));
    p->value = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(double));
    p->dz = rbv_arena_alloc(&p->arena, (n + 1) * sizeof(double));
    p->work = rbv_arena_alloc(&p->arena, (n + m + 1) * sizeof(double));
    p->lambda = rbv_arena_array(&p->arena, m + 1, sizeof(double));
    return p->J && p->rows && p->columns && p->W && p->pivot && p->R && p->w && p->psi && p->T && p->value && p->dz &&
           p->work && p->lambda;
}

static void destroy_power(Power *p) {
    rbv_arena_clear(&p->arena);
}

static void dense_rows(Power *p) {
    const RbvBalance *b = p->search->balance;
    memset(p->J, 0, (size_t)p->m * (size_t)p->n * sizeof *p->J);
    for (int32_t k = 0; k < p->m; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            p->J[k * p->n + b->system->C.column[e]] = b->C[e];
}

/* Chooses rows and coordinates in other coordinates than those of bodies, by Gauss-Jordan elimination with full
 * pivoting (SPEC-000 A5), in which points and vectors count equally. */
static bool choose_by_full_pivoting(Power *p) {
    double *work = malloc(((size_t)p->m * (size_t)p->n + 1) * sizeof *work), smallest;
    if (!work)
        return false;
    memcpy(work, p->J, (size_t)p->m * (size_t)p->n * sizeof *work);
    p->r = rbv_gauss_jordan(p->m, p->n, work, p->rows, p->columns, RBV_SAME, &smallest);
    p->f = p->n - p->r;
    free(work);
    return true;
}

/* Chooses the independent rows and the dependent coordinates: by column pivoting of J^T and then of the independent
 * rows. */
static bool choose_coordinates(Power *p) {
    if (p->search->balance->blocks && p->n <= MOST_PIVOTED)
        return choose_by_full_pivoting(p);
    RbvRank rank = {0};
    if (p->m > 0 &&
        (rbv_rank_qr(p->m, p->n, p->J, &rank, NULL) != RBV_OK || rbv_rank_rows(p->m, p->n, p->J, p->rows) != RBV_OK))
        return false;
    p->r = rank.rank;
    p->f = p->n - p->r;
    for (int32_t i = 0; i < p->n;
         i++) /* the chosen rows, transposed: their independent rows are the dependent coordinates */
        for (int32_t k = 0; k < p->r; k++)
            p->W[i * p->r + k] = p->J[p->rows[k] * p->n + i];
    if (p->r > 0)
        return rbv_rank_rows(p->n, p->r, p->W, p->columns) == RBV_OK;
    for (int32_t i = 0; i < p->n; i++)
        p->columns[i] = i;
    return true;
}

/* Factors of [J; B] at the evaluated state, and R. */
static bool factor_coordinates(Power *p) {
    int32_t n = p->n;
    memset(p->W, 0, (size_t)n * (size_t)n * sizeof *p->W);
    for (int32_t k = 0; k < p->r; k++)
        memcpy(p->W + k * n, p->J + p->rows[k] * n, (size_t)n * sizeof *p->W);
    for (int32_t k = 0; k < p->f; k++)
        p->W[(p->r + k) * n + p->columns[p->r + k]] = 1;
    if (rbv_lapack_lu(n, p->W, p->pivot) != RBV_OK)
        return false;
    for (int32_t k = 0; k < p->f; k++) {
        double *r = p->R + (size_t)k * (size_t)n;
        memset(r, 0, (size_t)n * sizeof *r);
        r[p->r + k] = 1;
        rbv_lapack_lu_solve(n, p->W, p->pivot, r);
    }
    return true;
}

/* w.gamma of the rows for the velocity y times a sign. */
static double power_at(Power *p, const double *y, double sign) {
    RbvBalance *b = p->search->balance;
    double sum = 0;
    for (int32_t j = 0; j < p->n; j++)
        b->state->v[j] = sign * b->scale[j] * y[j];
    rbv_state_move(b->state);
    for (int32_t k = 0; k < p->r; k++)
        sum += p->w[k] * b->weight[p->rows[k]] * b->state->gamma[p->rows[k]];
    return sum;
}

/* -D.Q for the velocity y: the part of w.gamma that is even in y; the parts that depend on time alone or are linear in
 * y are removed. */
static double power_of_accelerations(Power *p, const double *y) {
    return 0.5 * (power_at(p, y, 1) + power_at(p, y, -1)) - p->still;
}

/* T -= D_jk.Q for all pairs. */
static void add_accelerations(Power *p) {
    const RbvBalance *b = p->search->balance;
    int32_t n = p->n, f = p->f;
    memcpy(p->w, b->gradient, (size_t)n * sizeof *p->w);
    rbv_lapack_lu_solve_transposed(n, p->W, p->pivot, p->w);
    p->still = power_at(p, p->R, 0);
    for (int32_t k = 0; k < f; k++)
        p->dz[k] = power_of_accelerations(p, p->R + (size_t)k * (size_t)n);
    for (int32_t k = 0; k < f; k++) {
        p->T[k * f + k] += p->dz[k];
        for (int32_t j = 0; j < k; j++) {
            const double *Rj = p->R + (size_t)j * (size_t)n, *Rk = p->R + (size_t)k * (size_t)n;
            for (int32_t i = 0; i < n; i++)
                p->work[i] = Rj[i] + Rk[i];
            double mixed = 0.5 * (power_of_accelerations(p, p->work) - p->dz[j] - p->dz[k]);
            p->T[j * f + k] += mixed;
            p->T[k * f + j] += mixed;
        }
    }
}

/* Psi, and T = -dPsi/dz. */
static void find_power_and_slope(Power *p) {
    RbvBalance *b = p->search->balance;
    int32_t n = p->n, f = p->f;
    memcpy(p->lambda, b->lambda, (size_t)p->m * sizeof *p->lambda);
    memset(b->lambda, 0, (size_t)p->m * sizeof *b->lambda);
    rbv_balance_fill_stiffness(b); /* of the loads alone */
    memcpy(b->lambda, p->lambda, (size_t)p->m * sizeof *p->lambda);
    for (int32_t k = 0; k < f; k++) {
        const double *Rk = p->R + (size_t)k * (size_t)n;
        p->psi[k] = -rbv_balance_dot(b, Rk, b->gradient);
        rbv_balance_stiffness(b, Rk, b->K_y);
        for (int32_t j = 0; j < f; j++)
            p->T[j * f + k] = rbv_balance_dot(b, p->R + (size_t)j * (size_t)n, b->K_y);
    }
    if (p->r > 0)
        add_accelerations(p);
}

/* dz = |T|^-1 Psi, or T^-1 Psi where T is not symmetric. */
static bool find_power_step(Power *p, bool has_energy) {
    int32_t f = p->f;
    /* Part of the largest singular value, for the same purpose where T is not symmetric. */
    if (!has_energy)
        return regular_step(f, p->T, p->psi, RBV_SAME, p->dz);
    return descending_step(f, p->T, p->psi, LEAST_EIGENVALUE, p->search->balance->kappa, p->value, p->dz);
}

/* work = R dz */
static void step_of_coordinates(Power *p) {
    for (int32_t i = 0; i < p->n; i++) {
        p->work[i] = 0;
        for (int32_t k = 0; k < p->f; k++)
            p->work[i] += p->R[(size_t)k * (size_t)p->n + (size_t)i] * p->dz[k];
    }
}

/* q = stored q + factor R dz, then the projection onto Phi = 0 with B q fixed; the factors of [J; B] at the old state
 * are accurate enough. */
static bool move_coordinates(Power *p, double factor) {
    RbvBalance *b = p->search->balance;
    double last = INFINITY;
    step_of_coordinates(p);
    rbv_balance_move(b, p->work, factor);
    for (int count = 0; count < MOST_POWER_RETURNS; count++) {
        if (!rbv_balance_evaluate(b))
            return false;
        if (b->error <= 1e-13 || (b->error <= 1e-11 && b->error > 0.5 * last))
            return true;
        if (b->error > last && count > 2)
            return false;
        last = b->error;
        memset(p->work, 0, (size_t)p->n * sizeof *p->work);
        for (int32_t k = 0; k < p->r; k++)
            p->work[k] = -b->phi[p->rows[k]];
        rbv_lapack_lu_solve(p->n, p->W, p->pivot, p->work);
        for (int32_t i = 0; i < p->n; i++)
            p->work[i] *= b->scale[i];
        rbv_coordinates_step(&b->system->coordinates, b->state->q, p->work);
    }
    return false;
}

/* Makes the longest step, halved until the projection onto the constraints succeeds and V does not increase. */
static bool take_power_step(Power *p, bool has_energy) {
    RbvBalance *b = p->search->balance;
    double V = b->V, rounding = 1e-13 * b->V_size, factor;
    step_of_coordinates(p);
    factor = rbv_balance_limit(b, p->work, POWER_TURN, POWER_MOVE);
    rbv_balance_store(b);
    for (int halving = 0; halving < MOST_HALVINGS; halving++, factor *= 0.5)
        if (move_coordinates(p, factor) && (!has_energy || b->V <= V + rounding)) {
            rbv_state_accept(b->state);
            return true;
        }
    rbv_balance_restore(b);
    rbv_balance_evaluate(b);
    return false;
}

static double largest_power(const Power *p) {
    double most = 0;
    for (int32_t k = 0; k < p->f; k++)
        most = fmax(most, fabs(p->psi[k]));
    return most;
}

static RbvStatus find_by_power(Power *p) {
    RbvEquilibriumSearch *search = p->search;
    RbvBalance *b = search->balance;
    bool has_energy = !isnan(b->V);
    double before = INFINITY;
    for (int count = 0; count < MOST_POWER_STEPS; count++) {
        dense_rows(p);
        if (!choose_coordinates(p) || !factor_coordinates(p))
            return rbv_equilibrium_fail(search, "no independent coordinates are found%s", "");
        if (p->f == 0)
            return RBV_OK;
        if (p->f > (p->r > 0 ? MOST_FREEDOMS : MOST_FREE))
            return rbv_equilibrium_fail(search,
                                        "virtual power is dense, and the mechanism has too many freedoms for it; the "
                                        "other methods are sparse%s",
                                        "");
        find_power_and_slope(p);
        double left = largest_power(p);
        if (!rbv_balance_evaluate(b)) /* at rest again */
            return rbv_equilibrium_fail(search, "the loads are not finite%s", "");
        if (rbv_equilibrium_settled(search, left, before))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (!find_power_step(p, has_energy))
            return rbv_equilibrium_lost(search,
                                        "the equations of virtual power are singular: some direction is neutral%s", "");
        if (!take_power_step(p, has_energy))
            return left <= rbv_equilibrium_tolerance(search)
                       ? RBV_OK
                       : rbv_equilibrium_lost(search, "virtual power finds no step on from here%s", "");
        before = left;
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(search, "virtual power does not converge%s", "");
}

RbvStatus rbv_equilibrium_by_virtual_power(RbvEquilibriumSearch *search) {
    Power power;
    if (search->balance->n > MOST_SIZE)
        return rbv_equilibrium_fail(
            search,
            "virtual power is dense, and the mechanism has too many coordinates for it; the other methods are sparse%s",
            "");
    RbvStatus status = create_power(&power, search) ? find_by_power(&power) : RBV_NO_MEMORY;
    destroy_power(&power);
    if (status == RBV_OK && !rbv_balance_multipliers(search->balance))
        return rbv_equilibrium_fail(search, "no multipliers at the equilibrium%s", "");
    return status;
}
