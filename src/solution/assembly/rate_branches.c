/* Many starts for equations that are not linear in the rates, and the choice among the solutions; see rate_branches.h.
 *
 * v0, the solution of the linear rows of least scaled norm, is as near to rest as these allow. The nonlinear equations
 * are solved in the null space of the linear rows. Newton starts from v0 and from v0 + s (d_1 +- d_2 ...) for
 * orthonormal directions d of that null space, with both signs and several s. The directions are the projections of all
 * bodies moving along (or turning about) their own x, y, z axes, then directions in general position. The solution
 * nearest to v0 is chosen; of equally near ones the one that goes forward: the sum over the bodies of v along their own
 * x is larger, or if that does not decide along their y, and so on. If an equation has no gradient at rest, as x'^2 +
 * y'^2 = u^2, it is even in some rates: then going forward decides before the distance. */
#include "solution/assembly/rate_branches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIRECTIONS 4
#define MOST_STARTS 240
#define LEAST_STARTS 13
#define START_WORK 100000   /* limit of rows times starts: large mechanisms get fewer starts */
#define FREE_DIRECTION 1e-6 /* relative to a direction's length: a smaller part is rounding of the projection */
#define SAME 1e-6           /* relative to the rates: distances and sums that differ by less are equal */

typedef struct Branches {
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
    free(b->C);
    free(b->v0);
    free(b->d);
    free(b->best);
    free(b->least);
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
    if (!(size > FREE_DIRECTION * before))
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
            size += fabs(g[k]) * fmax(fabs(v[k]), fabs(b->v0[k]));
        }
        if (fabs(sum) > SAME * size)
            return sum > 0 ? 1 : -1;
    }
    return 0;
}

/* True if a solution at this distance and side is preferred to the present choice. */
static bool comes_first(const Branches *b, double distance, double side) {
    bool same = fabs(distance - b->distance) <= SAME * (distance + b->distance);
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
    double left = s->worst / fmax(s->size, 1e-300);
    if (!b->found && left < b->least_left) {
        b->least_left = left;
        memcpy(b->least, v, size);
    }
    if (!(s->worst <= fit * s->size))
        return;
    double distance = scaled_distance(b, v, b->v0), side = side_of(b, v);
    bool known = b->found && scaled_distance(b, v, b->best) <= SAME * (distance + b->distance);
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
    most = most < LEAST_STARTS ? LEAST_STARTS : most > MOST_STARTS ? MOST_STARTS : most;
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
    b->C = malloc(((size_t)s->start[s->rows] + 1) * sizeof *b->C);
    b->v0 = malloc(n * sizeof *b->v0);
    b->d = malloc(MOST_DIRECTIONS * n * sizeof *b->d);
    b->best = malloc(n * sizeof *b->best);
    b->least = malloc(n * sizeof *b->least);
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
        b->speed = fmax(b->speed, rbv_state_body_size(s->state, body));
    for (int32_t k = 0; k < s->n; k++)
        b->speed = fmax(b->speed, fabs(b->v0[k] / s->scale[k]));
    if (factor_linear(b))
        find_directions(b);
    if (search_solutions(b, fit, out) != RBV_OK)
        return RBV_INTERRUPTED;
    memcpy(s->state->v, b->found ? b->best : b->least, size);
    return b->found ? RBV_OK : isfinite(b->least_left) ? RBV_INCONSISTENT : RBV_NOT_FINITE;
}

RbvStatus rbv_rates_branch(RbvRateSolver *s, double fit, RbvRateBranches *out) {
    Branches b;
    out->starts = 0;
    out->has_other = false;
    RbvStatus status = create_branches(&b, s) ? solve_branches(&b, fit, out) : RBV_NO_MEMORY;
    destroy_branches(&b);
    return status;
}
