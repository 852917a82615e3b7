/* Rates v of the rows: Newton's method, and the choice among several solutions.
 *
 * At v an equation is the row Psi = d psi/dm' J with nu = Psi v - psi, so that C v = nu is a Newton step for it. Each
 * step is the least-norm one of all rows together, refined because the ridge biases it, and is halved until the sum of
 * the weighted squares of the residuals has decreased. */
#include "solution/assembly/rate_solver.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SWEEPS 200
#define MOST_NEWTON 60
#define MOST_HALVINGS 40
#define LEAST_RATE_RIDGE 1e-13 /* relative to scaled rows: below it the ridge only adds rounding */
/* Relative to the prescribed rates: residuals that rows may leave; and residuals small enough to stop where sweeps no
 * longer reduce them. */
#define NOTHING 1e-16

static bool allocate(RbvRateSolver *s, int32_t entries) {
    size_t rows = (size_t)s->rows + 1, size = (size_t)s->n + 1;
    s->row = rbv_arena_alloc(&s->arena, rows * sizeof *s->row);
    s->nonlinear = rbv_arena_array(&s->arena, rows, sizeof *s->nonlinear);
    s->left_out = rbv_arena_array(&s->arena, rows, sizeof *s->left_out);
    s->start = rbv_arena_alloc(&s->arena, rows * sizeof *s->start);
    s->column = rbv_arena_alloc(&s->arena, ((size_t)entries + 1) * sizeof *s->column);
    s->C = rbv_arena_alloc(&s->arena, ((size_t)entries + 1) * sizeof *s->C);
    s->residual = rbv_arena_array(&s->arena, rows, sizeof *s->residual);
    s->weight = rbv_arena_alloc(&s->arena, rows * sizeof *s->weight);
    s->x = rbv_arena_alloc(&s->arena, size * sizeof *s->x);
    s->from = rbv_arena_alloc(&s->arena, size * sizeof *s->from);
    s->to = rbv_arena_alloc(&s->arena, size * sizeof *s->to);
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
        /* Relative to a gradient: change by rounding of the gradient of a linear equation. */
        for (int32_t n = 0; row->on_rates && row->equation && n < row->count; n++, at++)
            for (int k = 1; k < 3; k++)
                if (!(fabs(at[(size_t)k * terms] - at[0]) <= RBV_CANCELLED * fabs(at[0])))
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
    rbv_arena_clear(&s->arena);
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
        s->size = rbv_max(s->size, size);
        s->worst = rbv_max(s->worst, fabs(sum));
    }
}

/* Solves the linear system by refinement: two steps for a well conditioned mechanism, more for a long chain. */
static void solve_linearized(RbvRateSolver *s, bool linear_only) {
    double before = INFINITY;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        find_residual(s, linear_only);
        bool stays = s->worst > 0.5 * before && (sweep > 3 || s->worst <= RBV_ROUNDING * s->size);
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
        most = rbv_max(most, fabs(v[k] / s->scale[k]));
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
        /* Relative change of v below which full Newton steps are taken: the residual is rounding. */
        bool near = change <= RBV_BALANCED * largest;
        if (near && !rbv_rates_residual(s))
            return false;
        if (!near && !search_line(s, before)) {
            memcpy(s->state->v, s->from, size);
            return rbv_rates_residual(s);
        }
        /* Change relative to v: rounding. */
        if (change <= RBV_SUM_EXACT * largest || (near && change > 0.5 * last))
            break;
        last = change;
    }
    return isfinite(s->worst);
}

/* Solution of rows on rates with several solutions: equations psi(m, m', t) = 0 that are not linear in the rates. */

#define MOST_DIRECTIONS 4
#define MOST_STARTS 240
#define LEAST_STARTS 13
#define START_WORK 100000 /* limit of rows times starts: large mechanisms get fewer starts */

typedef struct Branches {
    RbvArena arena;
    RbvRateSolver *s;
    RbvRidge *ridge; /* of the linear rows, for projections onto their null space */
    double *C;
    double *v0, *d;       /* v0 [n]; directions d [MOST_DIRECTIONS][n], scaled and orthonormal */
    int32_t count;        /* number of directions */
    double *best, *least; /* [n] chosen solution; rates with the least residuals */
    bool found, even;     /* even: an equation has no gradient at rest */
    double distance, side, least_left;
    double speed;
} Branches;

static void destroy_branches(Branches *b) {
    rbv_ridge_destroy(b->ridge);
    rbv_arena_clear(&b->arena);
}

/* True if an equation on rates has no gradient at rest. */
static bool is_even(const RbvRateSolver *s) {
    const RbvSystem *system = s->state->system;
    memset(s->state->v, 0, (size_t)s->n * sizeof(double));
    rbv_state_place(s->state);
    for (int32_t k = 0; k < s->rows; k++) {
        const RbvRow *row = &system->rows[s->row[k]];
        double sum = 0;
        for (int32_t n = row->first; s->nonlinear[k] && n < row->first + row->count; n++)
            sum += fabs(s->state->coefficient[n]);
        if (s->nonlinear[k] && !(sum > 0 && isfinite(sum)))
            return true;
    }
    return false;
}

/* Factors the linear rows as unit vectors, for projections; after the solver has evaluated them. */
static bool factor_linear(Branches *b) {
    RbvRateSolver *s = b->s;
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = 0;
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
            sum += s->C[e] * s->C[e];
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
            b->C[e] = sum > 0 ? s->C[e] / sqrt(sum) : 0;
    }
    return rbv_ridge_factor_null(b->ridge, b->C, &s->state->no_memory);
}

static double direction_length(const double *g, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += g[k] * g[k];
    return sqrt(sum);
}

/* Adds the part of g (scaled) in the null space and normal to the present directions. */
static void take_direction(Branches *b, double *g) {
    int32_t n = b->s->n;
    double before = direction_length(g, n);
    rbv_ridge_project(b->ridge, g);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t c = 0; c < b->count; c++) {
            const double *d = b->d + (size_t)c * (size_t)n;
            double dot = 0;
            for (int32_t k = 0; k < n; k++)
                dot += g[k] * d[k];
            for (int32_t k = 0; k < n; k++)
                g[k] -= dot * d[k];
        }
    double size = direction_length(g, n);
    /* Relative to a direction's length: a smaller part is rounding of the projection. */
    if (!(size > RBV_FITS * before))
        return;
    double *d = b->d + (size_t)b->count++ * (size_t)n;
    for (int32_t k = 0; k < n; k++)
        d[k] = g[k] / size;
}

/* The sum over all bodies of their motion along, or turning about, their own axis, as coefficients of v; where v is the
 * body twists the vector is also such a motion. */
static void forwards(const Branches *b, int axis, double *out) {
    RbvState *state = b->s->state;
    for (int32_t body = 0; body < state->system->bodies.count; body++) {
        RbvVec3 along = state->bodies[body].A.column[axis % 3], none = {0, 0, 0};
        state->wrenches[body] = axis < 3 ? (RbvWrench){along, none} : (RbvWrench){none, along};
    }
    rbv_coordinates_generalized_forces(&state->system->coordinates, rbv_state_at(state), state->wrenches, out);
}

static void find_directions(Branches *b) {
    int32_t n = b->s->n;
    double *g = b->s->x;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    for (int try = 0; try < 6 + MOST_DIRECTIONS && b->count < MOST_DIRECTIONS; try++) {
        if (try < 6) {
            forwards(b, try, g);
            for (int32_t k = 0; k < n; k++) /* rates in the scaled columns: rotations times their arms */
                g[k] /= b->s->scale[k];
        } else
            for (int32_t k = 0; k < n; k++) {
                seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
                g[k] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
            }
        take_direction(b, g);
    }
}

static double scaled_distance(const Branches *b, const double *v, const double *from) {
    double sum = 0;
    for (int32_t k = 0; k < b->s->n; k++) {
        double part = (v[k] - from[k]) / b->s->scale[k];
        sum += part * part;
    }
    return sqrt(sum);
}

/* +1 if v goes forward relative to v0, -1 if backward, 0 if undecided. */
static double side_of(const Branches *b, const double *v) {
    double *g = b->s->x;
    for (int axis = 0; axis < 6; axis++) {
        double sum = 0, size = 0;
        forwards(b, axis, g);
        for (int32_t k = 0; k < b->s->n; k++) {
            sum += g[k] * (v[k] - b->v0[k]);
            size += fabs(g[k]) * rbv_max(fabs(v[k]), fabs(b->v0[k]));
        }
        /* Relative to the rates: distances and sums that differ by less are equal. */
        if (fabs(sum) > RBV_FITS * size)
            return sum > 0 ? 1 : -1;
    }
    return 0;
}

/* True if a solution at this distance and side is preferred to the present choice. */
static bool comes_first(const Branches *b, double distance, double side) {
    bool same = fabs(distance - b->distance) <= RBV_FITS * (distance + b->distance);
    if (!b->found)
        return true;
    if (b->even && side != b->side)
        return side > b->side;
    return same ? side > b->side : distance < b->distance;
}

static void keep_solution(Branches *b, double fit, RbvRateBranches *out) {
    RbvRateSolver *s = b->s;
    const double *v = s->state->v;
    size_t size = (size_t)s->n * sizeof *v;
    double left = s->worst / rbv_max(s->size, 1e-300);
    if (!b->found && left < b->least_left) {
        b->least_left = left;
        memcpy(b->least, v, size);
    }
    if (!(s->worst <= fit * s->size))
        return;
    double distance = scaled_distance(b, v, b->v0), side = side_of(b, v);
    bool known = b->found && scaled_distance(b, v, b->best) <= RBV_FITS * (distance + b->distance);
    if (known)
        return;
    bool first = comes_first(b, distance, side);
    if (b->found && out->other) {
        memcpy(out->other, first ? b->best : v, size);
        out->has_other = true;
    }
    if (!first)
        return;
    b->found = true;
    b->distance = distance;
    b->side = side;
    memcpy(b->best, v, size);
}

/* Start v0 + s (c_1 d_1 + c_2 d_2 ...), the c = -1, 0, 1 being the digits of `digits`, not all 0. */
static void start_at(Branches *b, int32_t digits, double s) {
    RbvState *state = b->s->state;
    int32_t n = b->s->n;
    memcpy(state->v, b->v0, (size_t)n * sizeof(double));
    for (int32_t c = 0; c < b->count; c++, digits /= 3) {
        double sign = (double)(digits % 3 == 2 ? -1 : digits % 3);
        for (int32_t k = 0; k < n; k++)
            state->v[k] += sign * s * b->s->scale[k] * b->d[(size_t)c * (size_t)n + (size_t)k];
    }
}

static RbvStatus search_solutions(Branches *b, double fit, RbvRateBranches *out) {
    static const double part[3] = {1, 0.01, 100};
    int32_t combinations = 1, most = START_WORK / (b->s->rows + 1);
    if (most < LEAST_STARTS)
        most = LEAST_STARTS;
    else if (most > MOST_STARTS)
        most = MOST_STARTS;
    for (int32_t c = 0; c < b->count; c++)
        combinations *= 3;
    for (int scale = 0; scale < 3; scale++)
        for (int32_t digits = scale == 0 ? 0 : 1; digits < combinations && out->starts < most; digits++) {
            start_at(b, digits, part[scale] * b->speed);
            out->starts++;
            if (rbv_progress_stopped(b->s->state->progress))
                return RBV_INTERRUPTED;
            if (rbv_rates_newton(b->s))
                keep_solution(b, fit, out);
        }
    return RBV_OK;
}

static bool create_branches(Branches *b, RbvRateSolver *s) {
    size_t n = (size_t)s->n + 1;
    *b = (Branches){.s = s, .least_left = INFINITY};
    b->ridge = rbv_ridge_create(s->rows, s->n, s->start, s->column);
    b->C = rbv_arena_alloc(&b->arena, ((size_t)s->start[s->rows] + 1) * sizeof *b->C);
    b->v0 = rbv_arena_alloc(&b->arena, n * sizeof *b->v0);
    b->d = rbv_arena_alloc(&b->arena, MOST_DIRECTIONS * n * sizeof *b->d);
    b->best = rbv_arena_alloc(&b->arena, n * sizeof *b->best);
    b->least = rbv_arena_alloc(&b->arena, n * sizeof *b->least);
    return b->ridge && b->C && b->v0 && b->d && b->best && b->least;
}

/* Finds v0, the directions and the solutions. */
static RbvStatus solve_branches(Branches *b, double fit, RbvRateBranches *out) {
    RbvRateSolver *s = b->s;
    size_t size = (size_t)s->n * sizeof(double);
    b->even = is_even(s);
    if (!rbv_rates_linear(s))
        return RBV_NOT_FINITE;
    memcpy(b->v0, s->state->v, size);
    memcpy(b->least, s->state->v, size);
    b->speed = 0;
    for (int32_t body = 1; body < s->state->system->bodies.count; body++)
        b->speed = rbv_max(b->speed, rbv_state_body_size(s->state, body));
    for (int32_t k = 0; k < s->n; k++)
        b->speed = rbv_max(b->speed, fabs(b->v0[k] / s->scale[k]));
    if (factor_linear(b))
        find_directions(b);
    if (search_solutions(b, fit, out) != RBV_OK)
        return RBV_INTERRUPTED;
    memcpy(s->state->v, b->found ? b->best : b->least, size);
    if (b->found)
        return RBV_OK;
    return isfinite(b->least_left) ? RBV_INCONSISTENT : RBV_NOT_FINITE;
}

RbvStatus rbv_rates_branch(RbvRateSolver *s, double fit, RbvRateBranches *out) {
    Branches b;
    out->starts = 0;
    out->has_other = false;
    RbvStatus status = create_branches(&b, s) ? solve_branches(&b, fit, out) : RBV_NO_MEMORY;
    destroy_branches(&b);
    return status;
}
