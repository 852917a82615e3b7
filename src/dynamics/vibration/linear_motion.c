/* The motion linearised about any state, z' = A z, frozen there.
 *
 * z = (x, y, s): x positions of p coordinates, of joints first, then of bodies (rotations in space along ground's axes,
 * relative to a body that continues its motion); y velocities of m of them; s the user's states, whose derivatives are
 * left out below (they enter like those along positions). C is the rows' Jacobian, J that of the coordinates;
 * derivatives are differences along positions (index q) and velocities (index v) at fixed multipliers and
 * accelerations.
 *
 *   r = M a + C^T lambda - Q,   g = C v - nu,   c = C a - gamma,   s = J v,   b = J a + bias,   h: of friction
 *                               (linearisation.c),   o: rates of the user's states
 *   xi = P (J P)^-1 x;   C dv + g_q xi = 0, J_y dv + s_q xi = y;   x' = J dv + s_q xi
 *   M da + C^T dl = -r_q xi - r_v dv,   C da = -c_q xi - c_v dv;   y' = J_y da + b_q xi + b_v dv
 *
 * In coordinates of joints a machine that turns steadily has constant matrices; along ground's axes it has not. */
#include "core/base/extremes.h"
#include "dynamics/vibration/choose_rows.h"
#include "dynamics/vibration/linearisation.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "mechanics/element/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the differences (order 8), as parts of the mechanism's length, of it per second, or of the largest speed:
 * the truncation error is below rounding unless parts are a hundred times smaller. */
#define STEP 2e-3
#define SPEED_STEP 1e-3
#define SPEED_PART 1e-2
/* A step changes a slip velocity of several directions by no more than this part of it. */
#define SLIP_PART 1e-2

typedef struct Coordinate {
    RbvMeasure measure; /* coordinate of a joint, if column is -1 */
    RbvMeasureMemory memory;
    int32_t column;           /* number of v; -1: coordinate of a joint */
    int32_t joint, direction; /* joint and direction of its coordinate; joint -1: none */
} Coordinate;

typedef struct Motion {
    RbvArena arena; /* owns all arrays */
    RbvLinear *l;
    int32_t n, rows, p, m;
    Coordinate *list; /* [count] coordinates of joints, then numbers of v */
    int32_t count, joints;
    int32_t *place, *speed, *pivot;               /* [p] x, numbers in list; [m] y, numbers in place; [m] */
    int32_t own, frictions;                       /* number of user's states; number of friction contacts */
    int32_t width;                                /* n + 2 rows + 2 count + frictions + own: r, g, c, s, b, h, o */
    double *q, *v, *value, *of_places, *of_rates; /* [width], [width][p], [width][n] */
    double *s, *of_own, *ds; /* [own] user's states; [width][own] derivatives along them; [own] a change of them */
    int32_t along;           /* the user's state that is varied; -1: none */
    double *J, *X, *Y;       /* [count][n] scaled; [p][p] (J P)^-1; [m][m] (J_y N)^-1 */
    double *M;               /* [m][m] factors of N^T M N */
    bool jams;               /* friction has no solution */
    double *xi, *dv, *da, *force, *row, *work; /* [n], ..., [rows], [n] */
    double *whole;                        /* [n] force that belongs to da, before the part for the rows is subtracted */
    double *friction_force, *friction_da; /* [friction contacts][n] unit forces; da for them */
    double *violation, *friction; /* [friction contacts] change of h; change of friction force that balances it */
    double *multiplier;           /* [rows] scratch */
    double *u, *y;                /* [p], [m] positions and velocities of a column */
} Motion;

/* Lists the named coordinates of joints, then the numbers of v. */
static void list_coordinates(Motion *t) {
    const RbvModel *model = t->l->state->system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int direction = 5; direction >= 0; direction--) {
            const RbvJoint *joint = &model->joints.items[k];
            if (!(joint->coordinates >> direction & 1))
                continue;
            Coordinate *c = &t->list[t->joints++];
            c->measure = rbv_joint_coordinate(joint, direction);
            c->column = -1;
            c->joint = k;
            c->direction = direction;
            int32_t known = rbv_model_find_measure(model, c->measure.kind, c->measure.marker[0], c->measure.marker[1],
                                                   c->measure.axis);
            c->memory = known >= 0 ? t->l->state->memory[known] : rbv_measure_no_memory(c->measure.kind);
        }
    t->count = t->joints + t->n;
    for (int32_t j = 0; j < t->n; j++)
        t->list[t->joints + j] = (Coordinate){.column = j, .joint = -1};
}

/* Evaluates the state moved by `at` xi, with velocities changed by `at` dv (scaled; NULL: zero). False: not finite. */
static bool place_shifted(Motion *t, const double *xi, const double *dv, double at) {
    RbvLinear *l = t->l;
    RbvState *state = l->state;
    const RbvSystem *system = state->system;
    memcpy(state->q, t->q, (size_t)system->coordinates.position_size * sizeof *state->q);
    memcpy(state->v, t->v, (size_t)t->n * sizeof *state->v);
    for (int32_t j = 0; j < t->n; j++) {
        t->work[j] = xi ? at * l->scale[j] * xi[j] : 0;
        state->v[j] += dv ? at * l->scale[j] * dv[j] : 0;
    }
    for (int32_t k = 0; k < t->own; k++)
        state->own[k] = t->s[k] + (k == t->along ? at : 0);
    if (xi)
        rbv_coordinates_step(&system->coordinates, state->q, t->work);
    memcpy(state->a, l->a, (size_t)t->n * sizeof *state->a);
    if (!rbv_linear_good(l, rbv_state_place(state) ? RBV_OK : RBV_NOT_FINITE))
        return false;
    rbv_state_jacobian(state);
    if (!rbv_linear_good(l, rbv_state_masses(state) && rbv_state_rates(state) && rbv_state_move(state) &&
                                    rbv_linear_load(l)
                                ? RBV_OK
                                : RBV_NOT_FINITE))
        return false;
    return true;
}

/* Velocities s[count] of the coordinates and their second derivatives b[count] at the accelerations of the state. */
static void coordinates_there(Motion *t, double *s, double *b) {
    const RbvState *state = t->l->state;
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < t->count; k++) {
        Coordinate *coordinate = &t->list[k];
        RbvMeasureState m;
        memset(&m, 0, sizeof m);
        s[k] = coordinate->column >= 0 ? state->v[coordinate->column] : 0;
        b[k] = coordinate->column >= 0 ? t->l->a[coordinate->column] : 0;
        if (coordinate->column >= 0)
            continue;
        rbv_measure_place(&coordinate->measure, model, state->markers, &coordinate->memory, &m);
        rbv_measure_move(&coordinate->measure, model, state->markers, state->twists, &m);
        s[k] = m.rate;
        b[k] = rbv_measure_second_rate(&coordinate->measure, state->markers, state->accelerations, &m);
    }
}

/* r, g, c, s, b, h, o at the state moved by `at` xi and `at` dv (scaled; NULL: zero), or with a user's state
 * changed. */
static bool evaluate(Motion *t, const double *xi, const double *dv, double at, double *out) {
    RbvLinear *l = t->l;
    RbvState *state = l->state;
    const RbvSystem *system = state->system;
    const RbvRowPattern *C = &system->C;
    double *r = out, *g = r + t->n, *c = g + t->rows, *s = c + t->rows, *b = s + t->count, *h = b + t->count,
           *o = h + t->frictions;
    if (!place_shifted(t, xi, dv, at))
        return false;
    if (t->frictions > 0)
        rbv_sliding_violations(l->sliding, l->lambda, h);
    rbv_state_inertia(state, l->a, r);
    for (int32_t j = 0; j < t->n; j++)
        r[j] -= state->Q[j];
    for (int32_t k = 0; k < t->rows; k++) {
        g[k] = -state->nu[k], c[k] = -state->gamma[k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            int32_t j = C->column[e];
            r[j] += state->C[e] * l->lambda[k];
            g[k] += state->C[e] * state->v[j];
            c[k] += state->C[e] * l->a[j];
        }
    }
    coordinates_there(t, s, b);
    bool good = true;
    for (int32_t k = 0; k < t->own; k++) {
        o[k] = rbv_state_expression(state, system->model->states.items[k].rate, NULL, state->work);
        good = good && isfinite(o[k]);
    }
    return rbv_linear_good(l, good ? RBV_OK : RBV_NOT_FINITE);
}

/* evaluate with user's state t->along changed by h (a function for rbv_sweep). */
static RbvStatus evaluate_own(void *context, double h, double *value) {
    Motion *t = context;
    bool before = t->l->not_finite, good = evaluate(t, NULL, NULL, h, value);
    t->l->not_finite = before; /* not_finite came from a step that was too long */
    if (good)
        return RBV_OK;
    return t->l->state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
}

/* of_own: derivatives along the user's states. */
static bool differentiate_own(Motion *t) {
    double *column = calloc((size_t)t->width + 1, sizeof *column);
    bool good = column != NULL;
    for (int32_t k = 0; good && k < t->own; k++) {
        t->along = k;
        good = rbv_linear_good(t->l, rbv_sweep(evaluate_own, t, t->s[k], t->width, column));
        for (int32_t i = 0; good && i < t->width; i++)
            t->of_own[(size_t)i * (size_t)t->own + (size_t)k] = column[i];
    }
    t->along = -1;
    free(column);
    return good;
}

/* Column k of out[.][count]: the derivative along xi and dv, with step h. */
static bool differentiate(Motion *t, const double *xi, const double *dv, double h, double *out, int32_t count,
                          int32_t k) {
    for (int32_t i = 0; i < t->width; i++)
        out[(size_t)i * (size_t)count + (size_t)k] = 0;
    for (int point = 1; point <= RBV_DIFFERENCE_POINTS; point++)
        for (int sign = -1; sign <= 1; sign += 2) {
            if (!evaluate(t, xi, dv, sign * point * h, t->value))
                return false;
            for (int32_t i = 0; i < t->width; i++)
                out[(size_t)i * (size_t)count + (size_t)k] += sign * rbv_difference_weight[point - 1] / h * t->value[i];
        }
    return true;
}

static bool derivatives(Motion *t) {
    RbvLinear *l = t->l;
    double speed = 0, slip = rbv_linear_slowest_slip(l);
    bool good = true;
    for (int32_t j = 0; j < t->n; j++)
        speed = rbv_max(speed, fabs(t->v[j] / l->scale[j]));
    double place_step = l->length * rbv_min(STEP, SLIP_PART * slip / rbv_max(speed, 1e-300)),
           speed_step = rbv_min(rbv_max(SPEED_STEP * l->length, SPEED_PART * speed), SLIP_PART * slip);
    for (int32_t k = 0; good && k < t->p; k++) {
        for (int32_t j = 0; j < t->n; j++)
            t->xi[j] = l->P[(size_t)j * (size_t)t->p + (size_t)k];
        good = differentiate(t, t->xi, NULL, place_step, t->of_places, t->p, k);
    }
    for (int32_t k = 0; good && k < t->n; k++) {
        for (int32_t j = 0; j < t->n; j++)
            t->dv[j] = j == k;
        good = differentiate(t, NULL, t->dv, speed_step, t->of_rates, t->n, k);
    }
    good = good && differentiate_own(t);
    return evaluate(t, NULL, NULL, 0, t->value) && good; /* the state is restored */
}

/* Inverts A[order][order] in place. */
static bool invert(RbvLinear *l, int32_t order, double *A) {
    size_t size = (size_t)order * (size_t)order;
    double *inverse = calloc(size + 1, sizeof *inverse);
    int32_t *pivot = calloc((size_t)order + 1, sizeof *pivot);
    bool good = inverse && pivot;
    for (int32_t k = 0; good && k < order; k++)
        inverse[(size_t)k * (size_t)order + (size_t)k] = 1;
    good = good && rbv_linear_good(l, rbv_lapack_solve(order, order, A, pivot, inverse));
    if (good)
        memcpy(A, inverse, size * sizeof *A);
    free(inverse);
    free(pivot);
    return good;
}

/* J: gradients of the coordinates' velocities, each divided by its length: all coordinates are lengths then. */
static void take_gradients(Motion *t) {
    size_t n = (size_t)t->n;
    for (size_t k = 0; k < (size_t)t->count; k++) {
        const double *rate = t->of_rates + (n + 2 * (size_t)t->rows + k) * n;
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += rate[j] * rate[j];
        for (size_t j = 0; j < n; j++)
            t->J[k * n + j] = sum > 0 ? rate[j] / sqrt(sum) : 0;
    }
}

/* Chooses the coordinates x and those whose velocities are y, and inverts J P and J_y N. */
static bool choose_coordinates(Motion *t) {
    RbvLinear *l = t->l;
    size_t p = (size_t)t->p, m = (size_t)t->m, count = (size_t)t->count;
    RbvArena arena = {0};
    double *seen = rbv_arena_array(&arena, count * p + 1, sizeof *seen),
           *JP = rbv_arena_array(&arena, count * p + 1, sizeof *JP),
           *JN = rbv_arena_array(&arena, count * m + 1, sizeof *JN);
    bool good = seen && JP && JN;
    take_gradients(t);
    if (good) {
        rbv_dense_product(t->count, t->n, t->p, t->J, l->P, JP);
        rbv_dense_product(t->count, t->n, t->m, t->J, l->N, JN);
        memcpy(seen, JP, count * p * sizeof *seen);
        /* Joint coordinates that those chosen before nearly know give way to numbers of bodies; these, and velocities,
         * have none to give way to: in long chains the last are known to a part in a thousand. */
        int32_t done = rbv_choose_rows(seen, RBV_NOTICEABLE, t->count, t->p, 0, t->joints, t->p, 0, t->place);
        good = rbv_linear_good(
            l, rbv_choose_rows(seen, RBV_ROOT_EPS, t->count, t->p, t->joints, t->count, t->p, done, t->place) == t->p
                   ? RBV_OK
                   : RBV_NOT_FINITE);
    }
    for (size_t k = 0; good && k < p; k++) {
        memcpy(t->X + k * p, JP + (size_t)t->place[k] * p, p * sizeof(double));
        memcpy(seen + k * m, JN + (size_t)t->place[k] * m, m * sizeof(double));
    }
    good =
        good && rbv_linear_good(l, rbv_choose_rows(seen, RBV_ROOT_EPS, t->p, t->m, 0, t->p, t->m, 0, t->speed) == t->m
                                       ? RBV_OK
                                       : RBV_NOT_FINITE);
    for (size_t k = 0; good && k < m; k++)
        memcpy(t->Y + k * m, JN + (size_t)t->place[t->speed[k]] * m, m * sizeof(double));
    rbv_arena_clear(&arena);
    return good && invert(l, t->p, t->X) && invert(l, t->m, t->Y);
}

static bool factor_mass(Motion *t) {
    RbvLinear *l = t->l;
    size_t n = (size_t)t->n, m = (size_t)t->m;
    double *MN = calloc(n * m + 1, sizeof *MN);
    for (size_t k = 0; MN && k < m; k++) {
        for (size_t j = 0; j < n; j++)
            t->xi[j] = l->scale[j] * l->N[j * m + k];
        rbv_state_inertia(l->state, t->xi, t->work);
        for (size_t j = 0; j < n; j++)
            MN[j * m + k] = l->scale[j] * t->work[j];
    }
    if (MN)
        rbv_dense_product_transposed(t->m, t->n, t->m, l->N, MN, t->M);
    bool good = MN && rbv_linear_good(l, rbv_lapack_lu(t->m, t->M, t->pivot));
    free(MN);
    return good;
}

/* out[n] += C^+ row[rows]. */
static void add_least(Motion *t, const double *row, double *out) {
    RbvLinear *l = t->l;
    memset(t->work, 0, (size_t)t->n * sizeof *t->work);
    for (int32_t k = 0; k < t->rows; k++)
        for (int32_t j = 0; j < t->n; j++)
            t->work[j] += l->C[(size_t)k * (size_t)t->n + (size_t)j] * l->row_scale[k] * row[k];
    rbv_linear_solve(l, t->work);
    for (int32_t j = 0; j < t->n; j++)
        out[j] += t->work[j];
}

/* out[count] += factor (derivatives number `first` on, times positions P u, velocities dv (NULL: 0) and states ds). */
static void add_change(const Motion *t, int32_t first, int32_t count, double factor, const double *u, const double *dv,
                       double *out) {
    for (int32_t i = 0; i < count; i++) {
        const double *places = t->of_places + (size_t)(first + i) * (size_t)t->p,
                     *rates = t->of_rates + (size_t)(first + i) * (size_t)t->n;
        double sum = out[i];
        for (int32_t k = 0; k < t->p; k++)
            sum += factor * places[k] * u[k];
        for (int32_t j = 0; dv && j < t->n; j++)
            sum += factor * rates[j] * dv[j];
        for (int32_t k = 0; k < t->own; k++)
            sum += factor * t->of_own[(size_t)(first + i) * (size_t)t->own + (size_t)k] * t->ds[k];
        out[i] = sum;
    }
}

/* dv for positions P u and velocities y of the chosen coordinates (NULL: zero). */
static void rates_for(Motion *t, const double *u, const double *y) {
    RbvLinear *l = t->l;
    int32_t s = t->n + 2 * t->rows;
    memset(t->dv, 0, (size_t)t->n * sizeof *t->dv);
    memset(t->row, 0, (size_t)t->rows * sizeof *t->row);
    add_change(t, t->n, t->rows, -1, u, NULL, t->row);
    add_least(t, t->row, t->dv);
    double *left = t->force;
    for (int32_t k = 0; k < t->m; k++) {
        int32_t c = t->place[t->speed[k]];
        left[k] = 0;
        add_change(t, s + c, 1, -1, u, t->dv, &left[k]);
        left[k] += y ? y[k] : 0;
        /* Y was inverted for gradients of length 1 */
        double size = 0;
        for (int32_t j = 0; j < t->n; j++)
            size += t->of_rates[(size_t)(s + c) * (size_t)t->n + (size_t)j] *
                    t->of_rates[(size_t)(s + c) * (size_t)t->n + (size_t)j];
        left[k] /= sqrt(size);
    }
    double *z = t->xi; /* Y left */
    for (int32_t a = 0; a < t->m; a++) {
        z[a] = 0;
        for (int32_t b = 0; b < t->m; b++)
            z[a] += t->Y[(size_t)a * (size_t)t->m + (size_t)b] * left[b];
    }
    for (int32_t j = 0; j < t->n; j++)
        for (int32_t a = 0; a < t->m; a++)
            t->dv[j] += l->N[(size_t)j * (size_t)t->m + (size_t)a] * z[a];
}

/* da for t->force and the right-hand side t->row of the rows: M da + C^T dl = force, C da = row. */
static void accelerate(Motion *t) {
    RbvLinear *l = t->l;
    memset(t->da, 0, (size_t)t->n * sizeof *t->da);
    memcpy(t->whole, t->force, (size_t)t->n * sizeof *t->whole);
    add_least(t, t->row, t->da);
    for (int32_t j = 0; j < t->n; j++)
        t->xi[j] = l->scale[j] * t->da[j];
    rbv_state_inertia(l->state, t->xi, t->work);
    for (int32_t j = 0; j < t->n; j++)
        t->force[j] -= t->work[j];
    memset(t->xi, 0, (size_t)t->n * sizeof *t->xi);
    for (int32_t j = 0; j < t->n; j++)
        for (int32_t k = 0; k < t->m; k++)
            t->xi[k] += l->N[(size_t)j * (size_t)t->m + (size_t)k] * l->scale[j] * t->force[j];
    rbv_lapack_lu_solve(t->m, t->M, t->pivot, t->xi);
    for (int32_t j = 0; j < t->n; j++)
        for (int32_t k = 0; k < t->m; k++)
            t->da[j] += l->N[(size_t)j * (size_t)t->m + (size_t)k] * t->xi[k];
}

/* out[rows]: the multipliers dl that belong to da. */
static void multipliers_for(Motion *t, double *out) {
    RbvLinear *l = t->l;
    for (int32_t j = 0; j < t->n; j++)
        t->xi[j] = l->scale[j] * t->da[j];
    rbv_state_inertia(l->state, t->xi, t->work);
    for (int32_t j = 0; j < t->n; j++)
        t->xi[j] = t->whole[j] - t->work[j];
    rbv_linear_multipliers(l, t->xi, t->work, out);
}

/* Accelerations and multipliers caused by unit forces of friction. */
static void find_friction_answers(Motion *t) {
    RbvSliding *s = t->l->sliding;
    size_t n = (size_t)t->n;
    for (int32_t i = 0; i < t->frictions; i++) {
        if (!s->slides[i])
            continue;
        rbv_linear_unit_friction(t->l, i, t->friction_force + (size_t)i * n);
        memset(t->row, 0, (size_t)t->rows * sizeof *t->row);
        memcpy(t->force, t->friction_force + (size_t)i * n, n * sizeof *t->force);
        accelerate(t);
        memcpy(t->friction_da + (size_t)i * n, t->da, n * sizeof *t->da);
        multipliers_for(t, t->multiplier);
        memcpy(s->answer + (size_t)i * (size_t)s->state->system->row_count, t->multiplier,
               (size_t)s->state->system->row_count * sizeof *s->answer);
    }
}

/* Adds the friction forces that balance da and the change of h in `lack` to da. */
static void friction(Motion *t) {
    RbvLinear *l = t->l;
    if (t->frictions == 0)
        return;
    multipliers_for(t, t->multiplier);
    t->jams = !rbv_sliding_answer(l->sliding, l->lambda, t->multiplier, t->violation, t->friction) || t->jams;
    for (int32_t i = 0; i < t->frictions; i++)
        for (int32_t j = 0; l->sliding->slides[i] && j < t->n; j++) {
            size_t at = (size_t)i * (size_t)t->n + (size_t)j;
            t->da[j] += t->friction[i] * t->friction_da[at];
            t->whole[j] += t->friction[i] * t->friction_force[at];
        }
}

static void accelerations_for(Motion *t, const double *u) {
    memset(t->row, 0, (size_t)t->rows * sizeof *t->row);
    memset(t->force, 0, (size_t)t->n * sizeof *t->force);
    add_change(t, t->n + t->rows, t->rows, -1, u, t->dv, t->row);
    add_change(t, 0, t->n, -1, u, t->dv, t->force);
    memset(t->violation, 0, (size_t)t->frictions * sizeof *t->violation);
    add_change(t, t->n + 2 * t->rows + 2 * t->count, t->frictions, 1, u, t->dv, t->violation);
    accelerate(t);
    friction(t);
}

/* Stores the accelerations found (not scaled) and their multipliers. */
static void keep_answer(Motion *t, double *gain, double *multiplier) {
    for (int32_t j = 0; j < t->n; j++)
        gain[j] = t->l->scale[j] * t->da[j];
    multipliers_for(t, multiplier);
}

/* Column k of B: a unit of input k. */
static void fill_input(Motion *t, int32_t k) {
    RbvLinear *l = t->l;
    RbvLinearSpace *space = l->space;
    int32_t s = t->n + 2 * t->rows;
    memset(t->row, 0, (size_t)t->rows * sizeof *t->row);
    memcpy(t->force, space->force + (size_t)k * (size_t)t->n, (size_t)t->n * sizeof *t->force);
    memset(t->violation, 0, (size_t)t->frictions * sizeof *t->violation);
    accelerate(t);
    friction(t);
    keep_answer(t, space->input_gain + (size_t)k * (size_t)t->n, space->input_multiplier + (size_t)k * (size_t)t->rows);
    memcpy(space->input_friction + (size_t)k * (size_t)t->frictions, t->friction,
           (size_t)t->frictions * sizeof *t->friction);
    for (int32_t i = 0; i < t->m; i++) {
        const double *gradient = t->of_rates + (size_t)(s + t->place[t->speed[i]]) * (size_t)t->n;
        double rate = 0;
        for (int32_t j = 0; j < t->n; j++)
            rate += gradient[j] * t->da[j];
        space->B[(size_t)(t->p + i) * (size_t)space->inputs + (size_t)k] = rate;
    }
}

static RbvLinearPlace place_of(const Motion *t, int32_t k) {
    if (k >= t->p + t->m)
        return (RbvLinearPlace){-1, -1, -1, k - t->p - t->m};
    const Coordinate *c = &t->list[k < t->p ? t->place[k] : t->place[t->speed[k - t->p]]];
    return (RbvLinearPlace){c->joint, c->direction, c->column, -1};
}

/* Allocates the space's arrays; fills meanings of z and columns of B. False: out of memory. */
static bool fill_inputs(Motion *t) {
    RbvLinearSpace *space = t->l->space;
    size_t size = (size_t)t->l->size, n = (size_t)t->n, rows = (size_t)t->rows, inputs = (size_t)space->inputs;
    const struct {
        double **to;
        size_t count;
    } arrays[] = {{&space->rate, size * n},
                  {&space->gain, size * n},
                  {&space->multiplier, size * rows},
                  {&space->B, size * inputs},
                  {&space->input_gain, inputs * n},
                  {&space->input_multiplier, inputs * rows},
                  {&space->friction, size * (size_t)t->frictions},
                  {&space->input_friction, inputs * (size_t)t->frictions}};
    bool good = (space->place = rbv_arena_array(&space->arena, size + 1, sizeof *space->place)) != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        good = (*arrays[k].to = rbv_arena_array(&space->arena, arrays[k].count + 1, sizeof(double))) && good;
    for (int32_t k = 0; good && k < t->l->size; k++)
        space->place[k] = place_of(t, k);
    for (int32_t k = 0; good && k < space->inputs; k++)
        fill_input(t, k);
    return good;
}

/* What the rotation of the axes adds to the rate of the rotation along number `column` of v: w x xi of the body. */
static double turning(const Motion *t, int32_t column, const double *xi) {
    const RbvBodyColumns *bodies = &t->l->state->system->bodies;
    for (int32_t b = 1; bodies->spatial && b < bodies->count; b++) {
        int32_t first = bodies->start[b] + 3;
        if (column < first || column >= bodies->start[b + 1])
            continue;
        const double *w = t->v + first, *scale = t->l->scale + first;
        RbvVec3 turn = rbv_vec3(scale[0] * xi[first], scale[1] * xi[first + 1], scale[2] * xi[first + 2]),
                sum = rbv_cross(rbv_vec3(w[0], w[1], w[2]), turn);
        const double sums[3] = {sum.x, sum.y, sum.z};
        return sums[column - first];
    }
    return 0;
}

/* Column k of the rows of user's states: their rates for positions P u, velocities dv and states ds. */
static void fill_own(Motion *t, int32_t k, const double *u) {
    RbvLinear *l = t->l;
    int32_t first = t->width - t->own;
    if (k >= t->p + t->m)
        l->shape[(size_t)(t->n + k - t->p - t->m) * (size_t)l->size + (size_t)k] = 1;
    for (int32_t i = 0; i < t->own; i++) {
        double rate = 0;
        add_change(t, first + i, 1, 1, u, t->dv, &rate);
        l->A[(size_t)(t->p + t->m + i) * (size_t)l->size + (size_t)k] = rate;
    }
}

/* Column k of A: number k of x, y or s is 1. */
static void fill_column(Motion *t, int32_t k, double *u, double *y) {
    RbvLinear *l = t->l;
    int32_t s = t->n + 2 * t->rows, b = s + t->count;
    size_t size = (size_t)l->size;
    memset(u, 0, (size_t)t->p * sizeof *u);
    memset(y, 0, (size_t)t->m * sizeof *y);
    memset(t->ds, 0, (size_t)t->own * sizeof *t->ds);
    if (k >= t->p + t->m) {
        t->ds[k - t->p - t->m] = 1;
    } else if (k < t->p) {
        double norm = 0;
        const double *gradient = t->of_rates + (size_t)(s + t->place[k]) * (size_t)t->n;
        for (int32_t j = 0; j < t->n; j++)
            norm += gradient[j] * gradient[j];
        for (int32_t i = 0; i < t->p; i++)
            u[i] = t->X[(size_t)i * (size_t)t->p + (size_t)k] / sqrt(norm);
    } else {
        y[k - t->p] = 1;
    }
    rates_for(t, u, y);
    accelerations_for(t, u);
    for (int32_t j = 0; l->space && j < t->n; j++)
        l->space->rate[(size_t)k * (size_t)t->n + (size_t)j] = l->scale[j] * t->dv[j];
    if (l->space) {
        keep_answer(t, l->space->gain + (size_t)k * (size_t)t->n, l->space->multiplier + (size_t)k * (size_t)t->rows);
        memcpy(l->space->friction + (size_t)k * (size_t)t->frictions, t->friction,
               (size_t)t->frictions * sizeof *t->friction);
    }
    memset(t->xi, 0, (size_t)t->n * sizeof *t->xi);
    for (int32_t j = 0; j < t->n; j++) {
        for (int32_t i = 0; i < t->p; i++)
            t->xi[j] += l->P[(size_t)j * (size_t)t->p + (size_t)i] * u[i];
        l->shape[(size_t)j * size + (size_t)k] = l->scale[j] * t->xi[j];
    }
    for (int32_t i = 0; i < t->p; i++) {
        double rate = t->list[t->place[i]].column >= 0 ? turning(t, t->list[t->place[i]].column, t->xi) : 0;
        add_change(t, s + t->place[i], 1, 1, u, t->dv, &rate);
        l->A[(size_t)i * size + (size_t)k] = rate;
    }
    for (int32_t i = 0; i < t->m; i++) {
        int32_t c = t->place[t->speed[i]];
        double rate = 0;
        add_change(t, b + c, 1, 1, u, t->dv, &rate);
        for (int32_t j = 0; j < t->n; j++)
            rate += t->of_rates[(size_t)(s + c) * (size_t)t->n + (size_t)j] * t->da[j];
        l->A[(size_t)(t->p + i) * size + (size_t)k] = rate;
    }
    fill_own(t, k, u);
}

/* Allocates the arrays of numbers. */
static bool allocate_motion(Motion *t) {
    const RbvState *state = t->l->state;
    size_t n = (size_t)t->n, p = (size_t)t->p, m = (size_t)t->m, own = (size_t)t->own, rows = (size_t)t->rows,
           frictions = (size_t)t->frictions, width = (size_t)t->width;
    const struct {
        double **to;
        size_t count;
    } arrays[] = {{&t->q, (size_t)state->system->coordinates.position_size},
                  {&t->v, n},
                  {&t->value, width},
                  {&t->of_places, width * p},
                  {&t->of_rates, width * n},
                  {&t->J, (size_t)t->count * n},
                  {&t->X, p * p},
                  {&t->Y, m * m},
                  {&t->M, m * m},
                  {&t->xi, n},
                  {&t->dv, n},
                  {&t->da, n},
                  {&t->force, n + m},
                  {&t->whole, n},
                  {&t->row, rows},
                  {&t->work, n + m},
                  {&t->s, own},
                  {&t->ds, own},
                  {&t->of_own, width * own},
                  {&t->friction_force, frictions * n},
                  {&t->friction_da, frictions * n},
                  {&t->violation, frictions},
                  {&t->friction, frictions},
                  {&t->multiplier, rows},
                  {&t->u, p},
                  {&t->y, m}};
    bool good = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        good = (*arrays[k].to = rbv_arena_array(&t->arena, arrays[k].count + 1, sizeof(double))) && good;
    return good;
}

/* What the columns are made of, at the state of l. False: out of memory, or not finite (l->not_finite). */
static bool prepare(Motion *t) {
    RbvLinear *l = t->l;
    const RbvState *state = l->state;
    memcpy(t->q, state->q, (size_t)state->system->coordinates.position_size * sizeof *t->q);
    memcpy(t->v, state->v, (size_t)t->n * sizeof *t->v);
    memcpy(t->s, state->own, (size_t)t->own * sizeof *t->s);
    if (!derivatives(t) || !choose_coordinates(t) || !factor_mass(t))
        return false;
    find_friction_answers(t);
    return !l->space || fill_inputs(t);
}

bool rbv_linear_in_motion(RbvLinear *l) {
    const RbvState *state = l->state;
    size_t n = (size_t)l->n, p = (size_t)l->p, m = (size_t)l->m,
           most = 6 * (size_t)state->system->model->joints.count + n, own = (size_t)l->own, size = p + m + own;
    Motion t = {.l = l,
                .n = l->n,
                .rows = l->rows,
                .p = l->p,
                .m = l->m,
                .own = l->own,
                .frictions = l->sliding ? l->sliding->count : 0,
                .along = -1};
    l->blur = 1e-10, l->size = (int32_t)size, l->places = l->p;
    l->A = rbv_arena_array(&l->results, size * size + 1, sizeof(double));
    l->shape = rbv_arena_array(&l->results, (n + own) * size + 1, sizeof(double));
    t.list = rbv_arena_array(&t.arena, most + 1, sizeof *t.list);
    t.place = rbv_arena_array(&t.arena, p + 1, sizeof *t.place);
    t.speed = rbv_arena_array(&t.arena, m + 1, sizeof *t.speed);
    t.pivot = rbv_arena_array(&t.arena, m + 1, sizeof *t.pivot);
    bool good = l->A && l->shape && t.list && t.place && t.speed && t.pivot;
    if (good)
        list_coordinates(&t);
    t.width = t.n + 2 * t.rows + 2 * t.count + t.frictions + t.own;
    good = good && allocate_motion(&t) && prepare(&t);
    for (int32_t k = 0; good && k < l->size; k++)
        fill_column(&t, k, t.u, t.y);
    if (good && t.jams)
        l->refusal = "friction of what slides jams beside this state";
    rbv_arena_clear(&t.arena);
    return good;
}
