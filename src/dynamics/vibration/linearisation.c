/* The tangent space at a state, with multipliers, accelerations and sliding friction there, and derivatives by
 * differences; see linearisation.h.
 *
 *   C_s = R C S, columns scaled to lengths (S), rows to length 1 (R); N its null space, P that of its rows on
 *         positions alone
 *   C_s^+ c = (C_s^T C_s + N N^T)^-1 C_s^T c,   least lambda with C^T lambda = f: R C_s (C_s^T C_s + N N^T)^-1 S f
 */
#include "dynamics/vibration/linearisation.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/gram.h"
#include "core/solve/lapack.h"
#include "core/solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of coordinates above which the null space is computed by pivoted QR: singular values cost ten times as
 * much. */
#define QR_FROM 150
/* Number of coordinates above which QR without pivoting is tried first; most mechanisms have no redundant rows. */
#define FULL_FROM 300
/* Numbers of coordinates and rows together above which C^T C is factored sparsely, with a shift and repeated
 * corrections, as long as they shrink, at most MOST_CORRECTIONS. */
#define SPARSE_FROM 600
#define MOST_CORRECTIONS 12

const double rbv_difference_weight[RBV_DIFFERENCE_POINTS] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

bool rbv_linear_good(RbvLinear *l, RbvStatus status) {
    l->not_finite = l->not_finite || status == RBV_NOT_FINITE;
    return status == RBV_OK;
}

/* Are so few numbers of x not zero that a product which passes over zeros is the faster one? */
static bool is_sparse(const double *x, size_t count) {
    size_t filled = 0;
    for (size_t k = 0; k < count; k++)
        filled += x[k] != 0;
    return filled < count / 16;
}

void rbv_dense_product(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C) {
    if (!is_sparse(A, (size_t)a * (size_t)b)) {
        rbv_lapack_product(false, a, b, c, A, b, B, c, C, c);
        return;
    }
    memset(C, 0, (size_t)a * (size_t)c * sizeof *C);
    for (int32_t i = 0; i < a; i++)
        for (int32_t k = 0; k < b; k++)
            for (int32_t j = 0; j < c && A[(size_t)i * (size_t)b + (size_t)k] != 0; j++)
                C[(size_t)i * (size_t)c + (size_t)j] +=
                    A[(size_t)i * (size_t)b + (size_t)k] * B[(size_t)k * (size_t)c + (size_t)j];
}

void rbv_dense_product_transposed(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C) {
    if (!is_sparse(A, (size_t)a * (size_t)b)) {
        rbv_lapack_product(true, a, b, c, A, a, B, c, C, c);
        return;
    }
    memset(C, 0, (size_t)a * (size_t)c * sizeof *C);
    for (int32_t k = 0; k < b; k++)
        for (int32_t i = 0; i < a; i++)
            for (int32_t j = 0; j < c && A[(size_t)k * (size_t)a + (size_t)i] != 0; j++)
                C[(size_t)i * (size_t)c + (size_t)j] +=
                    A[(size_t)k * (size_t)a + (size_t)i] * B[(size_t)k * (size_t)c + (size_t)j];
}

/* Zeroed [rows][columns] numbers in an arena; NULL: out of memory. */
static double *matrix_in(RbvArena *arena, size_t rows, size_t columns) {
    return rbv_arena_array(arena, rows * columns + 1, sizeof(double));
}

/* Number in the system's C of row k: the coordinates' own rows follow those of assembly. */
static int32_t row_of(const RbvLinear *l, int32_t k) {
    const RbvSystem *system = l->state->system;
    return k < system->satisfied_count ? k : k - system->satisfied_count + system->all_count;
}

/* Is row k zero in C: released, or kept by the coordinates? */
static bool is_left_out(const RbvLinear *l, int32_t k) {
    return k < l->state->system->satisfied_count &&
           ((l->released && l->released[k]) || rbv_system_keeps(l->state->system, k));
}

/* l->C: the Jacobian with scaled columns and rows. */
static void take_rows(RbvLinear *l) {
    const RbvRowPattern *C = &l->state->system->C;
    for (int32_t k = 0; k < l->rows; k++) {
        double *row = l->C + (size_t)k * (size_t)l->n, sum = 0;
        int32_t from = row_of(l, k);
        for (int32_t e = C->start[from]; e < C->start[from + 1] && !is_left_out(l, k); e++)
            row[C->column[e]] += l->state->C[e] * l->scale[C->column[e]];
        for (int32_t j = 0; j < l->n; j++)
            sum += row[j] * row[j];
        l->row_scale[k] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (int32_t j = 0; j < l->n; j++)
            row[j] *= l->row_scale[k];
    }
}

/* Does row k restrict positions? Rows on velocities do not, except those of sticking friction. */
static bool holds_place(const RbvLinear *l, int32_t k) {
    const RbvRow *rows = l->state->system->rows;
    return k >= l->state->system->row_count || !rows[k].on_rates || rows[k].owner == RBV_OWNER_STICK;
}

/* Null space of C, or of its rows on positions: new basis[n][*free_count]. NULL: out of memory, or not finite. */
static double *null_space(RbvLinear *l, bool positions, int32_t *free_count) {
    size_t n = (size_t)l->n, m = 0;
    RbvArena arena = {0};
    double *Ct = matrix_in(&arena, n, (size_t)l->rows), *null = matrix_in(&arena, n, n), *basis = NULL;
    RbvRank rank = {.safe = true};
    for (int32_t k = 0; k < l->rows; k++)
        m += !positions || holds_place(l, k);
    size_t column = 0;
    for (int32_t k = 0; Ct && k < l->rows; k++) {
        if (positions && !holds_place(l, k))
            continue;
        for (size_t j = 0; j < n; j++)
            Ct[j * m + column] = l->C[(size_t)k * n + j];
        column++;
    }
    bool full = false;
    bool good = Ct && null &&
                (m == 0 || l->n <= FULL_FROM || rbv_linear_good(l, rbv_rank_full(l->n, (int32_t)m, Ct, &full, null)));
    if (full)
        rank.rank = rank.certain = (int32_t)m;
    else
        good = good && (m == 0 || rbv_linear_good(l, (l->n > QR_FROM ? rbv_rank_qr : rbv_rank_svd)(l->n, (int32_t)m, Ct,
                                                                                                   &rank, null)));
    int32_t columns = l->n - (m > 0 ? rank.certain : 0);
    int32_t f = l->n - (m > 0 ? rank.rank : 0);
    l->unsafe = l->unsafe || (m > 0 && !rank.safe);
    if (good)
        basis = matrix_in(&l->bases, n, (size_t)f);
    for (int32_t i = 0; basis && i < l->n; i++)
        for (int32_t k = 0; k < f; k++)
            basis[(size_t)i * (size_t)f + (size_t)k] = m > 0 ? null[i * columns + columns - f + k] : i == k;
    rbv_arena_clear(&arena);
    *free_count = f;
    return basis;
}

/* l->gram: factors of C^T C + RBV_DATA I from the sparse C. */
static bool factor_sparse(RbvLinear *l) {
    size_t n = (size_t)l->n, rows = (size_t)l->rows, filled = 0, e = 0;
    for (size_t k = 0; k < rows * n; k++)
        filled += l->C[k] != 0;
    l->start = rbv_arena_array(&l->bases, rows + 1, sizeof *l->start);
    l->column = rbv_arena_array(&l->bases, filled + 1, sizeof *l->column);
    l->node = rbv_arena_array(&l->bases, n + 1, sizeof *l->node);
    l->entries = rbv_arena_array(&l->bases, filled + 1, sizeof *l->entries);
    if (!l->start || !l->column || !l->node || !l->entries)
        return false;
    for (size_t k = 0; k < rows; k++) {
        for (size_t j = 0; j < n; j++)
            if (l->C[k * n + j] != 0) {
                l->column[e] = (int32_t)j;
                l->entries[e++] = l->C[k * n + j];
            }
        l->start[k + 1] = (int32_t)e;
    }
    for (size_t j = 0; j < n; j++)
        l->node[j] = (int32_t)j;
    rbv_gram_destroy(l->gram);
    l->gram = rbv_gram_create(l->rows, l->n, l->start, l->column, l->node);
    return l->gram && rbv_linear_good(l, rbv_gram_factor(l->gram, l->entries, RBV_DATA) ? RBV_OK : RBV_NOT_FINITE);
}

static bool factor(RbvLinear *l) {
    size_t n = (size_t)l->n, m = (size_t)l->m;
    if (n + (size_t)l->rows > SPARSE_FROM)
        return factor_sparse(l);
    rbv_dense_product_transposed(l->n, l->rows, l->n, l->C, l->C, l->W);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < m; k++)
                l->W[i * n + j] += l->N[i * m + k] * l->N[j * m + k];
    return rbv_linear_good(l, rbv_lapack_lu(l->n, l->W, l->pivot));
}

/* b[n] := b - C^T C x, for x[n]. */
static void subtract_square(const RbvLinear *l, const double *x, double *b) {
    for (int32_t k = 0; k < l->rows; k++) {
        double sum = 0;
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++)
            sum += l->entries[e] * x[l->column[e]];
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++)
            b[l->column[e]] -= l->entries[e] * sum;
    }
}

/* out[m] := N^T x[n]; x[n] += factor N out. */
static void take_free_part(const RbvLinear *l, double factor, double *x, double *out) {
    rbv_lapack_product(true, l->m, l->n, 1, l->N, l->m, x, 1, out, 1);
    for (int32_t j = 0; j < l->n; j++)
        for (int32_t k = 0; k < l->m; k++)
            x[j] += factor * l->N[(size_t)j * (size_t)l->m + (size_t)k] * out[k];
}

/* x = (C^T C)^+ f_C + f_N, with f = f_C + f_N, f_N = N N^T f: (C^T C + RBV_DATA I)^-1 applied to what is left, again
 * and again. What rounding over the shift leaves along N is removed. */
void rbv_linear_solve(const RbvLinear *l, double *x) {
    size_t n = (size_t)l->n;
    if (!l->gram) {
        rbv_lapack_lu_solve(l->n, l->W, l->pivot, x);
        return;
    }
    double *left = l->solve, *step = left + n, *sum = step + n, *along = sum + n, *unused = along + l->m,
           last = INFINITY;
    memcpy(left, x, n * sizeof *left);
    take_free_part(l, -1, left, along);
    memset(sum, 0, n * sizeof *sum);
    for (int pass = 0; pass < MOST_CORRECTIONS; pass++) {
        double size = 0;
        rbv_gram_solve(l->gram, left, step);
        take_free_part(l, -1, step, unused);
        for (size_t j = 0; j < n; j++)
            size = rbv_max(size, fabs(step[j]));
        if (!(size < 0.5 * last))
            break;
        last = size;
        for (size_t j = 0; j < n; j++)
            sum[j] += step[j];
        subtract_square(l, step, left);
    }
    memcpy(x, sum, n * sizeof *x);
    for (size_t j = 0; j < n; j++)
        for (int32_t k = 0; k < l->m; k++)
            x[j] += l->N[j * (size_t)l->m + (size_t)k] * along[k];
}

void rbv_linear_multipliers(const RbvLinear *l, const double *f, double *work, double *out) {
    for (int32_t j = 0; j < l->n; j++)
        work[j] = l->scale[j] * f[j];
    rbv_linear_solve(l, work);
    for (int32_t k = 0; k < l->rows; k++) {
        double sum = 0;
        for (int32_t j = 0; j < l->n; j++)
            sum += l->C[(size_t)k * (size_t)l->n + (size_t)j] * work[j];
        out[k] = sum * l->row_scale[k];
    }
}

/* l->a: a = C^+ gamma + N z with N^T M N z = N^T (Q - M C^+ gamma). False: a free motion has no mass (refusal), a
 * number is not finite, or out of memory. */
static bool accelerations(RbvLinear *l, double *work) {
    RbvState *state = l->state;
    int32_t n = l->n, m = l->m;
    RbvArena arena = {0};
    double *x = work, *Mx = work + n, *M = matrix_in(&arena, (size_t)m, (size_t)m),
           *MN = matrix_in(&arena, (size_t)n, (size_t)m), *z = matrix_in(&arena, (size_t)m, 1),
           *masses = matrix_in(&arena, (size_t)m, 1);
    int32_t *pivot = rbv_arena_array(&arena, (size_t)m + 1, sizeof *pivot);
    bool good = M && MN && z && masses && pivot;
    for (int32_t j = 0; j < n; j++)
        l->a[j] = 0;
    for (int32_t k = 0; k < l->rows; k++)
        for (int32_t j = 0; j < n; j++)
            l->a[j] += l->C[(size_t)k * (size_t)n + (size_t)j] * l->row_scale[k] *
                       (k < state->system->row_count ? state->gamma[k] : 0);
    rbv_linear_solve(l, l->a);
    for (int32_t k = 0; good && k < m; k++) {
        for (int32_t j = 0; j < n; j++)
            x[j] = l->scale[j] * l->N[(size_t)j * (size_t)m + (size_t)k];
        rbv_state_inertia(state, x, Mx);
        for (int32_t j = 0; j < n; j++)
            MN[(size_t)j * (size_t)m + (size_t)k] = l->scale[j] * Mx[j];
    }
    for (int32_t j = 0; j < n; j++)
        x[j] = l->scale[j] * l->a[j];
    rbv_state_inertia(state, x, Mx);
    if (good) {
        rbv_dense_product_transposed(m, n, m, l->N, MN, M);
        for (int32_t k = 0; k < m; k++)
            for (int32_t j = 0; j < n; j++)
                z[k] += l->N[(size_t)j * (size_t)m + (size_t)k] * l->scale[j] * (state->Q[j] - Mx[j]);
        memcpy(MN, M, (size_t)m * (size_t)m * sizeof *M);
        good = rbv_linear_good(l, rbv_lapack_eigen_symmetric(m, MN, masses));
        /* Part of the largest mass below which a direction of motion has no mass. */
        if (good && m > 0 && !(masses[0] > RBV_CANCELLED * masses[m - 1]))
            l->refusal = "a motion that the joints leave free has no mass, and the state is no equilibrium: the "
                         "equations of motion are singular there";
        good = good && !l->refusal && rbv_linear_good(l, rbv_lapack_lu(m, M, pivot));
    }
    if (good)
        rbv_lapack_lu_solve(m, M, pivot, z);
    for (int32_t j = 0; j < n; j++) {
        for (int32_t k = 0; good && k < m; k++)
            l->a[j] += l->N[(size_t)j * (size_t)m + (size_t)k] * z[k];
        l->a[j] *= l->scale[j];
    }
    rbv_arena_clear(&arena);
    return good;
}

typedef struct Largest {
    const RbvBodyColumns *bodies;
    const double *scale;
    double value;
} Largest;

static void find_stiffest(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Largest *l = context;
    for (int32_t r = 0; r < rbv_bodies_columns(l->bodies, i); r++)
        for (int32_t c = 0; c < rbv_bodies_columns(l->bodies, j); c++)
            l->value = rbv_max(
                l->value,
                fabs(factor * block[rbv_bodies_direction(l->bodies, r) * width + rbv_bodies_direction(l->bodies, c)] *
                     l->scale[l->bodies->start[i] + r] * l->scale[l->bodies->start[j] + c]));
}

/* Do forces on free motions balance, as far as positions known to rounding allow? */
static bool balances(RbvLinear *l) {
    RbvState *state = l->state;
    const RbvModel *model = state->system->model;
    Largest stiffest = {.bodies = &state->system->bodies, .scale = l->scale};
    RbvStiffnessSink sink = {&stiffest, find_stiffest, NULL};
    rbv_state_stiffness(state, l->lambda, &sink);
    double left = 0, size = 0, g = sqrt(rbv_dot(model->gravity, model->gravity));
    for (int32_t k = 0; k < l->m; k++) {
        double sum = 0;
        for (int32_t j = 0; j < l->n; j++)
            sum += l->N[(size_t)j * (size_t)l->m + (size_t)k] * l->scale[j] * state->Q[j];
        left = rbv_max(left, fabs(sum));
    }
    for (int32_t b = 1; b < model->bodies.count; b++)
        size = rbv_max(size, model->bodies.items[b].mass * g);
    for (int32_t j = 0; j < l->n; j++)
        size = rbv_max(size, l->m < l->n ? fabs(l->scale[j] * state->Q[j]) : 0);
    /* Forces left over in equilibrium: RBV_BALANCED of the largest force, plus RBV_DATA of the largest stiffness times
     * the mechanism's length (positions are known to rounding only). */
    return left <= RBV_BALANCED * size + RBV_DATA * stiffest.value * l->length;
}

bool rbv_linear_take_bases(RbvLinear *l) {
    const RbvSystem *system = l->state->system;
    size_t n = (size_t)l->n;
    take_rows(l);
    l->N = null_space(l, false, &l->m);
    if (l->N && system->rate_count > 0)
        l->P = null_space(l, true, &l->p);
    else if (l->N)
        l->P = matrix_in(&l->bases, n, (size_t)l->m);
    if (l->P && system->rate_count == 0) {
        l->p = l->m;
        memcpy(l->P, l->N, n * (size_t)l->m * sizeof *l->P);
    }
    bool sparse = l->n + l->rows > SPARSE_FROM;
    l->W = matrix_in(&l->bases, sparse ? 0 : n, n);
    l->pivot = rbv_arena_array(&l->bases, n + 1, sizeof *l->pivot);
    l->solve = matrix_in(&l->bases, 3 * n + 2 * (size_t)l->m, 1);
    return l->P && l->W && l->pivot && l->solve && factor(l);
}

bool rbv_linear_release(RbvLinear *l, const bool *released) {
    rbv_arena_clear(&l->bases);
    rbv_gram_destroy(l->gram);
    l->gram = NULL;
    l->N = l->P = NULL;
    l->released = released;
    memset(l->C, 0, (size_t)l->rows * (size_t)l->n * sizeof *l->C);
    return rbv_linear_take_bases(l);
}

bool rbv_linear_has_masses(RbvLinear *l, bool *good) {
    size_t n = (size_t)l->n, m = (size_t)l->m;
    RbvArena arena = {0};
    double *x = matrix_in(&arena, n, 2), *MN = matrix_in(&arena, n, m), *M = matrix_in(&arena, m, m),
           *masses = matrix_in(&arena, m, 1);
    *good = x && MN && M && masses;
    for (size_t k = 0; *good && k < m; k++) {
        for (size_t j = 0; j < n; j++)
            x[j] = l->scale[j] * l->N[j * m + k];
        rbv_state_inertia(l->state, x, x + n);
        for (size_t j = 0; j < n; j++)
            MN[j * m + k] = l->scale[j] * x[n + j];
    }
    if (*good)
        rbv_dense_product_transposed(l->m, l->n, l->m, l->N, MN, M);
    *good = *good && rbv_linear_good(l, rbv_lapack_eigen_symmetric(l->m, M, masses));
    bool heavy = *good && (m == 0 || masses[0] > RBV_CANCELLED * masses[m - 1]);
    rbv_arena_clear(&arena);
    return heavy;
}

/* Name of a user's state whose rate is more than rounding of what it is summed from; NULL: none. */
static const char *find_changing(const RbvLinear *l) {
    const RbvModel *model = l->state->system->model;
    const RbvConfiguration at = rbv_state_configuration(l->state);
    for (int32_t k = 0; k < model->states.count; k++) {
        RbvJet rate = rbv_configuration_jet(&at, model->states.items[k].rate, NULL);
        double size = 0;
        for (int32_t v = 0; v < rate.count; v++)
            size += fabs(rate.gradient[v]) * rbv_max(fabs(rate.x[v]), l->length);
        if (!(fabs(rate.value) <= RBV_BALANCED * size))
            return model->states.items[k].name;
    }
    return NULL;
}

/* l->a and l->lambda for the state's Q. */
static bool answer(RbvLinear *l, double *work) {
    if (!accelerations(l, work) || l->refusal)
        return false;
    rbv_state_inertia(l->state, l->a, work);
    for (int32_t j = 0; j < l->n; j++)
        work[j] = l->state->Q[j] - work[j];
    rbv_linear_multipliers(l, work, work + l->n, l->lambda);
    return true;
}

/* ---- sliding friction ----
 *
 * Sliding friction in the linearised motion: f = s u/|u| on its friction contacts, s = -mu N.
 *
 * The magnitudes s are unknowns beside the multipliers. With g_i the generalized force of a unit force on friction
 * contact i along its slip direction, and h_i = s_i + mu_i N_i(lambda, s):
 *
 *   r = M a + C^T lambda - Q - sum_i s_i g_i,   M da + C^T dl = sum_i ds_i g_i - r_q xi - r_v dv
 *   ds_i + mu_i dN_i(dl, ds) = -h_q xi - h_v dv
 *
 * Reactions depend on positions, so K is not symmetric: what is stable without friction may flutter. Along one
 * direction the sign of u stays; of several directions u/|u| turns with u, which damps motion across. */

void rbv_linear_unit_friction(const RbvLinear *l, int32_t i, double *force) {
    const RbvSystem *system = l->state->system;
    const RbvFrictionContact *friction = rbv_sliding_contact(l->sliding, i);
    memset(l->wrenches, 0, (size_t)system->bodies.count * sizeof *l->wrenches);
    for (int c = 0; c < friction->count; c++)
        rbv_friction_push(l->state, friction, c, l->sliding->slip[i][c] * friction->slip[c].lever, l->wrenches);
    rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(l->state), l->wrenches, force);
}

bool rbv_linear_load(RbvLinear *l) {
    RbvSliding *s = l->sliding;
    const RbvSystem *system = l->state->system;
    if (!rbv_state_load(l->state))
        return false;
    if (!s)
        return true;
    rbv_reactions_place(s->reactions, l->state);
    for (int32_t i = 0; i < s->count; i++)
        if (s->slides[i])
            rbv_sliding_find_direction(s, i);
    rbv_sliding_take_efforts(s, l->lambda);
    memset(l->wrenches, 0, (size_t)system->bodies.count * sizeof *l->wrenches);
    rbv_sliding_push(s, l->wrenches);
    rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(l->state), l->wrenches, s->Q);
    for (int32_t j = 0; j < l->n; j++)
        l->state->Q[j] += s->Q[j];
    return true;
}

double rbv_linear_slowest_slip(const RbvLinear *l) {
    const RbvSliding *s = l->sliding;
    double least = INFINITY;
    for (int32_t i = 0; s && i < s->count; i++) {
        RbvSlipVector u;
        if (s->slides[i] && rbv_sliding_contact(s, i)->count > 1)
            least = rbv_min(least, rbv_friction_slide(l->state, rbv_sliding_contact(s, i), u));
    }
    return least;
}

/* s->base: multipliers without friction; s->answer: their changes per unit force of friction, as differences. */
static bool find_answers(RbvLinear *l, const double *Q, double *unit, double *work) {
    RbvSliding *s = l->sliding;
    size_t rows = (size_t)l->state->system->row_count;
    double size = 1;
    bool good = answer(l, work);
    for (int32_t j = 0; j < l->n; j++)
        size = rbv_max(size, fabs(Q[j]));
    if (good)
        memcpy(s->base, l->lambda, rows * sizeof *s->base);
    for (int32_t i = 0; good && i < s->count; i++) {
        if (!s->slides[i])
            continue;
        rbv_linear_unit_friction(l, i, unit);
        for (int32_t j = 0; j < l->n; j++)
            l->state->Q[j] = Q[j] + size * unit[j];
        good = answer(l, work);
        for (size_t k = 0; good && k < rows; k++)
            s->answer[(size_t)i * rows + k] = (l->lambda[k] - s->base[k]) / size;
    }
    return good;
}

/* Computes the forces of sliding friction, Q with them, a and lambda; work: scratch of answer(). False: out of memory,
 * not_finite, or refusal tells that friction jams. */
static bool answer_with_friction(RbvLinear *l, double *work) {
    RbvSliding *s = l->sliding;
    size_t n = (size_t)l->n;
    double *Q = malloc((2 * n + 1) * sizeof *Q), *unit = Q + n;
    if (!Q)
        return false;
    memcpy(Q, l->state->Q, n * sizeof *Q);
    bool good = find_answers(l, Q, unit, work);
    if (good && !rbv_sliding_settle(s, l->lambda)) {
        l->refusal = "friction of what slides has no solution in this state, the mechanism jams";
        good = false;
    }
    memcpy(l->state->Q, Q, n * sizeof *Q);
    for (int32_t i = 0; good && i < s->count; i++) {
        if (!s->slides[i])
            continue;
        rbv_linear_unit_friction(l, i, unit);
        for (size_t j = 0; j < n; j++)
            l->state->Q[j] += s->force[i] * unit[j];
    }
    good = good && answer(l, work);
    free(Q);
    return good;
}

/* ---- the linearisation of a state ---- */

/* Evaluates the slip directions of sliding friction contacts, and the unit wrenches of rows. */
static void find_directions(RbvLinear *l) {
    rbv_reactions_place(l->sliding->reactions, l->state);
    for (int32_t i = 0; i < l->sliding->count; i++)
        if (l->sliding->slides[i])
            rbv_sliding_find_direction(l->sliding, i);
}

bool rbv_linear_create(RbvLinear *l, RbvState *state, RbvSliding *sliding, bool locked) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->satisfied_count;
    *l = (RbvLinear){.state = state,
                     .sliding = sliding,
                     .n = (int32_t)n,
                     .rows = system->satisfied_count,
                     .own = system->model->states.count};
    l->scale = rbv_state_column_scales(state);
    l->row_scale = matrix_in(&l->arena, rows, 1);
    l->C = matrix_in(&l->arena, rows, n);
    l->lambda = matrix_in(&l->arena, rows, 1);
    l->a = matrix_in(&l->arena, n, 1);
    l->wrenches = rbv_arena_array(&l->arena, (size_t)system->bodies.count + 1, sizeof *l->wrenches);
    double *work = matrix_in(&l->arena, n, 2);
    bool good = l->scale && l->row_scale && l->C && l->lambda && l->a && l->wrenches && work;
    for (int32_t b = 1; good && b < system->bodies.count; b++)
        l->length = rbv_max(l->length, state->size[b]);
    l->length = l->length > 0 ? l->length : 1;
    if (good && locked)
        memset(state->v, 0, n * sizeof *state->v);
    memset(state->a, 0, n * sizeof *state->a);
    good = good && rbv_linear_good(l, rbv_state_place(state) ? RBV_OK : RBV_NOT_FINITE);
    if (good)
        rbv_state_jacobian(state);
    good = good && rbv_linear_good(l, rbv_state_masses(state) && rbv_state_rates(state) && rbv_state_move(state) &&
                                              rbv_state_load(state)
                                          ? RBV_OK
                                          : RBV_NOT_FINITE);
    good = good && rbv_linear_take_bases(l);
    double speed = 0, gain = 0;
    for (size_t j = 0; good && j < n; j++)
        speed = rbv_max(speed, fabs(state->v[j] / l->scale[j]));
    for (int32_t k = 0; good && k < system->row_count; k++)
        gain = rbv_max(gain, fabs(state->gamma[k] * l->row_scale[k]));
    if (good) {
        /* Part of the mechanism's length, per second: a mechanism with lower velocities is at rest. */
        l->rest = locked || speed <= RBV_CANCELLED * l->length;
        rbv_linear_multipliers(l, state->Q, work, l->lambda);
        l->equilibrium = l->rest && !sliding && (locked || gain <= RBV_CANCELLED * l->length) && balances(l);
        if (sliding)
            find_directions(l);
        good = l->equilibrium || (sliding ? answer_with_friction(l, work) : answer(l, work)) || l->refusal;
        l->changes = find_changing(l);
    }
    return good;
}

void rbv_linear_destroy(RbvLinear *l) {
    free(l->scale);
    rbv_gram_destroy(l->gram);
    rbv_arena_clear(&l->arena);
    rbv_arena_clear(&l->bases);
    rbv_arena_clear(&l->results);
    *l = (RbvLinear){0};
}

void rbv_linear_space_destroy(RbvLinearSpace *space) {
    rbv_arena_clear(&space->arena);
    *space = (RbvLinearSpace){0};
}

/* ---- derivatives by differences of order 8, with steps from long to short ----
 *
 *   D(h) = sum_k w_k (f(kh) - f(-kh)) / h
 *
 * is exact for any h where f is linear; otherwise its error is of order h^8, plus rounding over h. For each value the
 * first step is taken at which a step 32 times as short gives the same derivative; if there is none, the step with the
 * least difference. */

/* The longest step, relative to the number or to 1; ratio of successive steps; number of steps. */
#define LONGEST 1e6
#define SHORTER 32
#define STEPS 11

/* D(h) into out[width]; NaN where values are not finite. value[2][width]: workspace for values on both sides. */
static RbvStatus quotient(RbvShifted *shifted, void *context, double h, int32_t width, double *value, double *out) {
    RbvStatus status = RBV_OK;
    double *below = value, *above = value + width;
    for (int32_t i = 0; i < width; i++)
        out[i] = 0;
    for (int point = 1; point <= RBV_DIFFERENCE_POINTS && status != RBV_NO_MEMORY; point++) {
        RbvStatus under = shifted(context, -point * h, below),
                  over = under == RBV_NO_MEMORY ? under : shifted(context, point * h, above);
        status = over == RBV_OK ? under : over;
        for (int32_t i = 0; i < width; i++) {
            double differ = above[i] - below[i];
            /* Relative to the sum: values that differ by so little are equal, and the number has no effect. A column of
             * rounding for a state would be scaled up to the size of the others (oscillations.c). */
            bool none = fabs(differ) <= RBV_EXACT * (fabs(above[i]) + fabs(below[i]));
            double part = none ? 0 : rbv_difference_weight[point - 1] / h * differ;
            out[i] += status != RBV_OK ? (double)NAN : part;
        }
    }
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

RbvStatus rbv_sweep(RbvShifted *shifted, void *context, double at, int32_t width, double *out) {
    double *work = calloc(5 * (size_t)width + 1, sizeof *work), *value = work, *longer = value + 2 * (size_t)width,
           *shorter = longer + width, *least = shorter + width;
    RbvStatus status = work ? RBV_OK : RBV_NO_MEMORY;
    double h = LONGEST * rbv_max(1, fabs(at));
    bool open = true;
    for (int32_t i = 0; work && i < width; i++)
        least[i] = INFINITY;
    for (int step = 0; status == RBV_OK && open && step < STEPS; step++, h /= SHORTER) {
        double *swap = longer;
        longer = shorter;
        shorter = swap;
        status = quotient(shifted, context, h, width, value, shorter);
        open = step == 0;
        for (int32_t i = 0; status == RBV_OK && step > 0 && i < width; i++) {
            double larger = rbv_max(fabs(longer[i]), fabs(shorter[i])),
                   differ = larger > 0 ? fabs(longer[i] - shorter[i]) / larger : 0;
            /* Relative to the larger: derivatives that differ by less are equal. */
            if (least[i] > RBV_DATA && isfinite(longer[i]) && isfinite(shorter[i]) && differ < least[i]) {
                least[i] = differ;
                out[i] = longer[i];
            }
            open = open || least[i] > RBV_DATA;
        }
    }
    for (int32_t i = 0; status == RBV_OK && i < width; i++)
        status = isinf(least[i]) ? RBV_NOT_FINITE : status;
    free(work);
    return status;
}
