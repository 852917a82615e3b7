/* Newton's method on rates; see rate_solver.h.
 *
 * At v an equation is the row Psi = d psi/dm' J with nu = Psi v - psi, so that C v = nu is a Newton step for it. Each
 * step is the least-norm one of all rows together, refined because the ridge biases it, and is halved until the sum of
 * the weighted squares of the residuals has decreased. */
#include "solution/assembly/rate_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SWEEPS 200
#define MOST_NEWTON 60
#define MOST_HALVINGS 40
#define LEAST_RATE_RIDGE 1e-13 /* relative to scaled rows: below it the ridge only adds rounding */
#define EXACT_RATES 1e-14      /* change relative to v: rounding */
/* Relative to the prescribed rates: residuals that rows may leave; and residuals small enough to stop where sweeps no
 * longer reduce them. */
#define NOTHING 1e-16
#define SMALL 1e-13
#define NEAR_RATES 1e-7     /* relative change of v below which full Newton steps are taken: the residual is rounding */
#define SAME_GRADIENT 1e-12 /* relative to a gradient: change by rounding of the gradient of a linear equation */

static bool allocate(RbvRateSolver *s, int32_t entries) {
    size_t rows = (size_t)s->rows + 1, size = (size_t)s->n + 1;
    s->row = malloc(rows * sizeof *s->row);
    s->nonlinear = calloc(rows, sizeof *s->nonlinear);
    s->left_out = calloc(rows, sizeof *s->left_out);
    s->start = malloc(rows * sizeof *s->start);
    s->column = malloc(((size_t)entries + 1) * sizeof *s->column);
    s->C = malloc(((size_t)entries + 1) * sizeof *s->C);
    s->residual = calloc(rows, sizeof *s->residual);
    s->weight = malloc(rows * sizeof *s->weight);
    s->x = malloc(size * sizeof *s->x);
    s->from = malloc(size * sizeof *s->from);
    s->to = malloc(size * sizeof *s->to);
    return s->row && s->nonlinear && s->left_out && s->start && s->column && s->C && s->residual && s->weight && s->x &&
           s->from && s->to;
}

/* The gradients of the equations at v = k g, in the order of their terms, into out. */
static void gradients_at(RbvRateSolver *s, const double *g, double k, double *out) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    for (int32_t c = 0; c < s->n; c++)
        state->v[c] = k * g[c];
    rbv_state_place(state);
    for (int32_t r = 0; r < s->rows; r++) {
        const RbvRow *row = &system->rows[s->row[r]];
        for (int32_t n = row->first; row->on_rates && row->equation && n < row->first + row->count; n++)
            *out++ = state->coefficient[n];
    }
}

/* Finds the nonlinear equations: their gradients differ at three rates in general position. False if out of memory. */
static bool find_nonlinear(RbvRateSolver *s) {
    static const double multiple[3] = {1, -1, 1.7};
    const RbvSystem *system = s->state->system;
    size_t terms = (size_t)system->term_count;
    double *gradient = malloc((3 * terms + 1) * sizeof *gradient), *at = gradient;
    if (!gradient)
        return false;
    uint64_t seed = 88172645463325252u;
    for (int32_t c = 0; c < s->n; c++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        s->from[c] = ((double)(seed >> 11) / 9007199254740992.0 - 0.5) * s->scale[c];
    }
    for (int k = 0; k < 3; k++)
        gradients_at(s, s->from, multiple[k], gradient + (size_t)k * terms);
    for (int32_t r = 0; r < s->rows; r++) {
        const RbvRow *row = &system->rows[s->row[r]];
        for (int32_t n = 0; row->on_rates && row->equation && n < row->count; n++, at++)
            for (int k = 1; k < 3; k++)
                if (!(fabs(at[(size_t)k * terms] - at[0]) <= SAME_GRADIENT * fabs(at[0])))
                    s->nonlinear[r] = true;
        s->nonlinear_count += s->nonlinear[r];
    }
    free(gradient);
    memset(s->state->v, 0, (size_t)s->n * sizeof(double));
    rbv_state_place(s->state);
    return true;
}

bool rbv_rates_create(RbvRateSolver *s, RbvState *state, const double *scale) {
    const RbvSystem *system = state->system;
    int32_t main_rows = system->row_count, at = 0;
    *s = (RbvRateSolver){.state = state,
                         .scale = scale,
                         .n = system->coordinates.size,
                         .rows = main_rows + system->all_count - system->position_count};
    if (!allocate(s, system->C.start[system->all_count]))
        return false;
    for (int32_t k = 0; k < s->rows; k++) {
        s->row[k] = k < main_rows ? k : system->position_count + k - main_rows;
        s->start[k] = at;
        for (int32_t e = system->C.start[s->row[k]]; e < system->C.start[s->row[k] + 1]; e++)
            s->column[at++] = system->C.column[e];
    }
    s->start[s->rows] = at;
    s->ridge = rbv_ridge_create(s->rows, s->n, s->start, s->column);
    return s->ridge && (!system->rate_equations || find_nonlinear(s));
}

void rbv_rates_destroy(RbvRateSolver *s) {
    rbv_ridge_destroy(s->ridge);
    free(s->row);
    free(s->nonlinear);
    free(s->left_out);
    free(s->start);
    free(s->column);
    free(s->C);
    free(s->residual);
    free(s->weight);
    free(s->x);
    free(s->from);
    free(s->to);
}

/* Scaled C and nu at the state's v; rows left out are zero. False: not finite. */
static bool place_rates(RbvRateSolver *s, bool linear_only) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    if (!rbv_state_place(state) || (!rbv_state_rates(state) && !linear_only))
        return false;
    rbv_state_jacobian(state);
    for (int32_t k = 0; k < s->rows; k++) {
        bool out = s->left_out[k] || (linear_only && s->nonlinear[k]);
        for (int32_t e = s->start[k], from = system->C.start[s->row[k]]; e < s->start[k + 1]; e++, from++)
            s->C[e] = out ? 0 : state->C[from] * s->scale[s->column[e]];
    }
    return true;
}

static bool is_out(const RbvRateSolver *s, int32_t k, bool linear_only) {
    return s->left_out[k] || (linear_only && s->nonlinear[k]);
}

static void find_residual(RbvRateSolver *s, bool linear_only) {
    const RbvState *state = s->state;
    s->worst = s->size = 0;
    for (int32_t k = 0; k < s->rows; k++) {
        s->residual[k] = 0;
        if (is_out(s, k, linear_only))
            continue;
        double sum = -state->nu[s->row[k]], size = fabs(sum);
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++) {
            double part = s->C[e] / s->scale[s->column[e]] * state->v[s->column[e]];
            sum += part;
            size += fabs(part);
        }
        s->residual[k] = sum;
        if (!isfinite(sum)) { /* the comparisons below would not detect it */
            s->worst = INFINITY;
            return;
        }
        s->size = fmax(s->size, size);
        s->worst = fmax(s->worst, fabs(sum));
    }
}

/* Solves the linear system by refinement: two steps for a well conditioned mechanism, more for a long chain. */
static void solve_linearized(RbvRateSolver *s, bool linear_only) {
    double before = INFINITY;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        find_residual(s, linear_only);
        bool stays = s->worst > 0.5 * before && (sweep > 3 || s->worst <= SMALL * s->size);
        if (s->worst <= NOTHING * s->size || stays || !isfinite(s->worst))
            return;
        before = s->worst;
        rbv_ridge_step(s->ridge, s->residual, s->x);
        for (int32_t k = 0; k < s->n; k++)
            s->state->v[k] += s->scale[k] * s->x[k];
    }
}

bool rbv_rates_linear(RbvRateSolver *s) {
    memset(s->state->v, 0, (size_t)s->n * sizeof(double));
    if (!place_rates(s, true) || !rbv_ridge_factor(s->ridge, s->C, LEAST_RATE_RIDGE, &s->state->no_memory))
        return false;
    solve_linearized(s, true);
    find_residual(s, true);
    return isfinite(s->worst);
}

bool rbv_rates_residual(RbvRateSolver *s) {
    if (!place_rates(s, false))
        return false;
    find_residual(s, false);
    return isfinite(s->worst);
}

/* Weight of each row: one over the length of its scaled gradient at the start of Newton. */
static void set_weights(RbvRateSolver *s) {
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = 0;
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
            sum += s->C[e] * s->C[e];
        s->weight[k] = sum > 0 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

static double merit(const RbvRateSolver *s) {
    double sum = 0;
    for (int32_t k = 0; k < s->rows; k++)
        sum += s->weight[k] * s->residual[k] * s->weight[k] * s->residual[k];
    return isfinite(s->worst) ? sum : INFINITY;
}

static double largest_scaled(const RbvRateSolver *s, const double *v) {
    double most = 0;
    for (int32_t k = 0; k < s->n; k++)
        most = fmax(most, fabs(v[k] / s->scale[k]));
    return most;
}

/* Moves v from `from` towards `to` so far that the residuals decrease. False: they do not decrease. */
static bool search_line(RbvRateSolver *s, double before) {
    double part = 1;
    for (int half = 0; half < MOST_HALVINGS; half++, part *= 0.5) {
        for (int32_t k = 0; k < s->n; k++)
            s->state->v[k] = s->from[k] + part * (s->to[k] - s->from[k]);
        if (!place_rates(s, false))
            continue;
        find_residual(s, false);
        if (merit(s) <= (1 - 1e-4 * part) * before)
            return true;
    }
    return false;
}

bool rbv_rates_newton(RbvRateSolver *s) {
    size_t size = (size_t)s->n * sizeof(double);
    double last = INFINITY;
    if (!rbv_rates_residual(s))
        return false;
    set_weights(s);
    for (int pass = 0; pass < MOST_NEWTON && isfinite(s->worst); pass++) {
        double before = merit(s);
        memcpy(s->from, s->state->v, size);
        if (!rbv_ridge_factor(s->ridge, s->C, LEAST_RATE_RIDGE, &s->state->no_memory))
            return false;
        solve_linearized(s, false);
        memcpy(s->to, s->state->v, size);
        for (int32_t k = 0; k < s->n; k++)
            s->x[k] = s->to[k] - s->from[k];
        double change = largest_scaled(s, s->x), largest = largest_scaled(s, s->to);
        if (!isfinite(change))
            return false;
        bool near = change <= NEAR_RATES * largest;
        if (near && !rbv_rates_residual(s))
            return false;
        if (!near && !search_line(s, before)) {
            memcpy(s->state->v, s->from, size);
            return rbv_rates_residual(s);
        }
        if (change <= EXACT_RATES * largest || (near && change > 0.5 * last))
            break;
        last = change;
    }
    return isfinite(s->worst);
}
