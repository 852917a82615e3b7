/* The tangent space at a state, with multipliers and accelerations there; see linearisation.h.
 *
 *   C_s = R C S, columns scaled to lengths (S), rows to length 1 (R); N its null space, P that of its rows on
 *         positions alone
 *   C_s^+ c = (C_s^T C_s + N N^T)^-1 C_s^T c,   least lambda with C^T lambda = f: R C_s (C_s^T C_s + N N^T)^-1 S f
 */
#include "dynamics/vibration/linearisation.h"

#include "core/solve/lapack.h"
#include "core/solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of coordinates above which the null space is computed by pivoted QR: singular values cost ten times as
 * much. */
#define QR_FROM 150
/* Part of the mechanism's length, per second: a mechanism with lower velocities is at rest. */
#define REST 1e-12
/* Forces left over in equilibrium: LEFT_OVER of the largest force, plus PLACE of the largest stiffness times the
 * mechanism's length (positions are known to rounding only). */
#define LEFT_OVER 1e-7
#define PLACE 1e-10
/* Part of the largest mass below which a direction of motion has no mass. */
#define MASSLESS 1e-12

const double rbv_difference_weight[RBV_DIFFERENCE_POINTS] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

bool rbv_linear_good(RbvLinear *l, RbvStatus status) {
    l->not_finite = l->not_finite || status == RBV_NOT_FINITE;
    return status == RBV_OK;
}

void rbv_dense_product(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C) {
    memset(C, 0, (size_t)a * (size_t)c * sizeof *C);
    for (int32_t i = 0; i < a; i++)
        for (int32_t k = 0; k < b; k++)
            for (int32_t j = 0; j < c && A[(size_t)i * (size_t)b + (size_t)k] != 0; j++)
                C[(size_t)i * (size_t)c + (size_t)j] +=
                    A[(size_t)i * (size_t)b + (size_t)k] * B[(size_t)k * (size_t)c + (size_t)j];
}

void rbv_dense_product_transposed(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C) {
    memset(C, 0, (size_t)a * (size_t)c * sizeof *C);
    for (int32_t k = 0; k < b; k++)
        for (int32_t i = 0; i < a; i++)
            for (int32_t j = 0; j < c && A[(size_t)k * (size_t)a + (size_t)i] != 0; j++)
                C[(size_t)i * (size_t)c + (size_t)j] +=
                    A[(size_t)k * (size_t)a + (size_t)i] * B[(size_t)k * (size_t)c + (size_t)j];
}

static double *room(size_t rows, size_t columns) {
    return calloc(rows * columns + 1, sizeof(double));
}

/* Number in the system's C of row k: the coordinates' own rows follow those of assembly. */
static int32_t row_of(const RbvLinear *l, int32_t k) {
    const RbvSystem *system = l->state->system;
    return k < system->held_count ? k : k - system->held_count + system->all_count;
}

/* Is row k zero in C: released, or kept by the coordinates? */
static bool is_left_out(const RbvLinear *l, int32_t k) {
    return k < l->state->system->held_count &&
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
    double *Ct = room(n, (size_t)l->rows), *null = room(n, n), *basis = NULL;
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
    bool good = Ct && null &&
                (m == 0 ||
                 rbv_linear_good(l, (l->n > QR_FROM ? rbv_rank_qr : rbv_rank_svd)(l->n, (int32_t)m, Ct, &rank, null)));
    int32_t columns = l->n - (m > 0 ? rank.certain : 0), f = l->n - (m > 0 ? rank.rank : 0);
    l->unsafe = l->unsafe || (m > 0 && !rank.safe);
    if (good)
        basis = room(n, (size_t)f);
    for (int32_t i = 0; basis && i < l->n; i++)
        for (int32_t k = 0; k < f; k++)
            basis[(size_t)i * (size_t)f + (size_t)k] = m > 0 ? null[i * columns + columns - f + k] : i == k;
    free(Ct);
    free(null);
    *free_count = f;
    return basis;
}

static bool factor(RbvLinear *l) {
    size_t n = (size_t)l->n;
    rbv_dense_product_transposed(l->n, l->rows, l->n, l->C, l->C, l->W);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (int32_t k = 0; k < l->m; k++)
                l->W[i * n + j] += l->N[i * (size_t)l->m + (size_t)k] * l->N[j * (size_t)l->m + (size_t)k];
    return rbv_linear_good(l, rbv_lapack_lu(l->n, l->W, l->pivot));
}

void rbv_linear_multipliers(const RbvLinear *l, const double *f, double *work, double *out) {
    for (int32_t j = 0; j < l->n; j++)
        work[j] = l->scale[j] * f[j];
    rbv_lapack_lu_solve(l->n, l->W, l->pivot, work);
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
    double *x = work, *Mx = work + n, *M = room((size_t)m, (size_t)m), *MN = room((size_t)n, (size_t)m),
           *z = room((size_t)m, 1), *masses = room((size_t)m, 1);
    int32_t *pivot = malloc(((size_t)m + 1) * sizeof *pivot);
    bool good = M && MN && z && masses && pivot;
    for (int32_t j = 0; j < n; j++)
        l->a[j] = 0;
    for (int32_t k = 0; k < l->rows; k++)
        for (int32_t j = 0; j < n; j++)
            l->a[j] += l->C[(size_t)k * (size_t)n + (size_t)j] * l->row_scale[k] *
                       (k < state->system->row_count ? state->gamma[k] : 0);
    rbv_lapack_lu_solve(n, l->W, l->pivot, l->a);
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
        if (good && m > 0 && !(masses[0] > MASSLESS * masses[m - 1]))
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
    free(M);
    free(MN);
    free(z);
    free(masses);
    free(pivot);
    return good;
}

typedef struct Largest {
    const RbvBodyColumns *bodies;
    const double *scale;
    double value;
} Largest;

static void see_block(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Largest *l = context;
    for (int32_t r = 0; r < rbv_bodies_columns(l->bodies, i); r++)
        for (int32_t c = 0; c < rbv_bodies_columns(l->bodies, j); c++)
            l->value = fmax(
                l->value,
                fabs(factor * block[rbv_bodies_direction(l->bodies, r) * width + rbv_bodies_direction(l->bodies, c)] *
                     l->scale[l->bodies->start[i] + r] * l->scale[l->bodies->start[j] + c]));
}

/* Do forces on free motions balance, as far as positions known to rounding allow? */
static bool balances(RbvLinear *l) {
    RbvState *state = l->state;
    const RbvModel *model = state->system->model;
    Largest stiffest = {.bodies = &state->system->bodies, .scale = l->scale};
    RbvStiffnessSink sink = {&stiffest, see_block, NULL};
    rbv_state_stiffness(state, l->lambda, &sink);
    double left = 0, size = 0, g = sqrt(rbv_dot(model->gravity, model->gravity));
    for (int32_t k = 0; k < l->m; k++) {
        double sum = 0;
        for (int32_t j = 0; j < l->n; j++)
            sum += l->N[(size_t)j * (size_t)l->m + (size_t)k] * l->scale[j] * state->Q[j];
        left = fmax(left, fabs(sum));
    }
    for (int32_t b = 1; b < model->bodies.count; b++)
        size = fmax(size, model->bodies.items[b].mass * g);
    for (int32_t j = 0; j < l->n; j++)
        size = fmax(size, l->m < l->n ? fabs(l->scale[j] * state->Q[j]) : 0);
    return left <= LEFT_OVER * size + PLACE * stiffest.value * l->length;
}

bool rbv_linear_take_bases(RbvLinear *l) {
    const RbvSystem *system = l->state->system;
    size_t n = (size_t)l->n;
    take_rows(l);
    l->N = null_space(l, false, &l->m);
    l->P = !l->N ? NULL : system->rate_count > 0 ? null_space(l, true, &l->p) : room(n, (size_t)l->m);
    if (l->P && system->rate_count == 0) {
        l->p = l->m;
        memcpy(l->P, l->N, n * (size_t)l->m * sizeof *l->P);
    }
    return l->P && factor(l);
}

bool rbv_linear_release(RbvLinear *l, const bool *released) {
    free(l->N);
    free(l->P);
    l->N = l->P = NULL;
    l->released = released;
    memset(l->C, 0, (size_t)l->rows * (size_t)l->n * sizeof *l->C);
    return rbv_linear_take_bases(l);
}

bool rbv_linear_has_masses(RbvLinear *l, bool *good) {
    size_t n = (size_t)l->n, m = (size_t)l->m;
    double *x = room(n, 2), *MN = room(n, m), *M = room(m, m), *masses = room(m, 1);
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
    bool heavy = *good && (m == 0 || masses[0] > MASSLESS * masses[m - 1]);
    free(x);
    free(MN);
    free(M);
    free(masses);
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
            size += fabs(rate.gradient[v]) * fmax(fabs(rate.x[v]), l->length);
        if (!(fabs(rate.value) <= LEFT_OVER * size))
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

/* Evaluates the slip directions of sliding friction contacts, and the unit wrenches of rows. */
static void find_directions(RbvLinear *l) {
    rbv_reactions_place(l->sliding->reactions, l->state);
    for (int32_t i = 0; i < l->sliding->count; i++)
        if (l->sliding->slides[i])
            rbv_sliding_find_direction(l->sliding, i);
}

bool rbv_linear_create(RbvLinear *l, RbvState *state, RbvSliding *sliding, bool held) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->held_count;
    *l = (RbvLinear){.state = state,
                     .sliding = sliding,
                     .n = (int32_t)n,
                     .rows = system->held_count,
                     .own = system->model->states.count};
    l->scale = rbv_state_column_scales(state);
    l->row_scale = room(rows, 1);
    l->C = room(rows, n);
    l->W = room(n, n);
    l->pivot = malloc((n + 1) * sizeof *l->pivot);
    l->lambda = room(rows, 1);
    l->a = room(n, 1);
    l->wrenches = calloc((size_t)system->bodies.count + 1, sizeof *l->wrenches);
    double *work = room(n, 2);
    bool good = l->scale && l->row_scale && l->C && l->W && l->pivot && l->lambda && l->a && l->wrenches && work;
    for (int32_t b = 1; good && b < system->bodies.count; b++)
        l->length = fmax(l->length, state->size[b]);
    l->length = l->length > 0 ? l->length : 1;
    if (good && held)
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
        speed = fmax(speed, fabs(state->v[j] / l->scale[j]));
    for (int32_t k = 0; good && k < system->row_count; k++)
        gain = fmax(gain, fabs(state->gamma[k] * l->row_scale[k]));
    if (good) {
        l->rest = held || speed <= REST * l->length;
        rbv_linear_multipliers(l, state->Q, work, l->lambda);
        l->equilibrium = l->rest && !sliding && (held || gain <= REST * l->length) && balances(l);
        if (sliding)
            find_directions(l);
        good = l->equilibrium || (sliding ? rbv_linear_friction(l, answer, work) : answer(l, work)) || l->refusal;
        l->changes = find_changing(l);
    }
    free(work);
    return good;
}

void rbv_linear_destroy(RbvLinear *l) {
    double *const parts[] = {l->scale,  l->T, l->row_scale, l->C,     l->N,      l->P,      l->W,
                             l->lambda, l->a, l->A,         l->shape, l->square, l->neutral};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
    free(l->pivot);
    free(l->wrenches);
    *l = (RbvLinear){0};
}

void rbv_linear_space_destroy(RbvLinearSpace *space) {
    double *const arrays[] = {space->rate,     space->gain,          space->multiplier,
                              space->B,        space->input_gain,    space->input_multiplier,
                              space->friction, space->input_friction};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    free(space->place);
    *space = (RbvLinearSpace){0};
}
