/* Control by required motions, and the distribution of its efforts over actuators; see tracking.h. */
#include "dynamics/control/tracking.h"

#include "core/base/tolerances.h"
#include "dynamics/contact/complementarity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Distribution of required accelerations over actuators: efforts u of least weighted square sum within limits,
 *
 *   min sum_i w_i u_i^2   with   E u = d,   |u_i| <= most_i
 *
 * In z_i = sqrt(w_i) u_i: z0 is the solution of least norm, from orthogonalised rows; then the limits are applied. With
 * P the projection on the null space of E W^(-1/2) and p >= 0 the multipliers of the limits
 *
 *   z = z0 - P (p+ - p-),   0 <= p+ _|_ m - z >= 0,   0 <= p- _|_ m + z >= 0,   m = sqrt(w) most
 *
 * which is a linear complementarity problem. What a limit takes from one effort the others supply, as far as they
 * can.
 *
 * RBV_SAME: part of the magnitudes that a row was computed from; less is rounding, and the row depends on those before
 * it. */
/* NO_ACCELERATION [m/s^2 or rad/s^2]: the squares of smaller accelerations underflow; such a requirement asks for
 * nothing. */
#define NO_ACCELERATION 1e-140

/* Allocates all arrays. False: out of memory; to be destroyed all the same. */
static bool effort_split_create(RbvEffortSplit *s, int32_t rows, int32_t count) {
    size_t r = (size_t)rows + 1, n = (size_t)count + 1, two = 2 * n;
    *s = (RbvEffortSplit){.rows = rows, .count = count};
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&s->E, r * n},  {&s->E_size, r * n}, {&s->d, r},
                   {&s->d_size, r}, {&s->weight, n},     {&s->most, n},
                   {&s->effort, n}, {&s->basis, r * n},  {&s->left, n},
                   {&s->z, n},      {&s->m, n},          {&s->G, two * two},
                   {&s->b, two},    {&s->p, two},        {&s->work, RBV_COMPLEMENTARITY_WORK(two) + two}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&s->arena, numbers[k].count, sizeof(double))) && memory;
    s->limited = rbv_arena_array(&s->arena, n, sizeof *s->limited);
    s->done = rbv_arena_array(&s->arena, r, sizeof *s->done);
    s->bounded = rbv_arena_array(&s->arena, n, sizeof *s->bounded);
    s->cone = rbv_arena_array(&s->arena, two, sizeof *s->cone);
    return memory && s->limited && s->done && s->bounded && s->cone;
}

/* Allocates all arrays. False: out of memory; to be destroyed all the same. */
static void effort_split_destroy(RbvEffortSplit *s) {
    rbv_arena_clear(&s->arena);
    *s = (RbvEffortSplit){0};
}

static double dot(int32_t n, const double *x, const double *y) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Entry (r, i) of E W^(-1/2), zero for efforts at a limit. */
static double entry(const RbvEffortSplit *s, int32_t r, int32_t i) {
    return s->limited[i] != 0 ? 0 : s->E[r * s->count + i] / sqrt(s->weight[i]);
}

/* s->left: row r of E W^(-1/2) without its part along the basis. Returns its norm over that of the magnitudes it was
 * computed from. */
static double take_left(RbvEffortSplit *s, int32_t r, int32_t rank) {
    double size = 0;
    int32_t n = s->count;
    for (int32_t i = 0; i < n; i++) {
        s->left[i] = entry(s, r, i);
        size += s->limited[i] != 0 ? 0 : s->E_size[r * n + i] * s->E_size[r * n + i] / s->weight[i];
    }
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int32_t k = 0; k < rank; k++) {
            double along = dot(n, s->left, s->basis + k * n);
            for (int32_t i = 0; i < n; i++)
                s->left[i] -= along * s->basis[k * n + i];
        }
    return size > 0 ? sqrt(dot(n, s->left, s->left) / size) : 0;
}

/* z of least norm with the efforts at limits fixed, and an orthonormal basis of the rows, the most independent row
 * first. Returns the rank. */
static int32_t find_least(RbvEffortSplit *s) {
    int32_t n = s->count, rank = 0;
    for (int32_t i = 0; i < n; i++)
        s->z[i] = s->limited[i] * (s->limited[i] != 0 ? s->m[i] : 0);
    for (int32_t r = 0; r < s->rows; r++)
        s->done[r] = false;
    for (;;) {
        int32_t best = -1;
        double most = RBV_SAME;
        for (int32_t r = 0; r < s->rows; r++) {
            double share = s->done[r] ? 0 : take_left(s, r, rank);
            if (share > most) {
                most = share;
                best = r;
            }
        }
        if (best < 0)
            return rank;
        take_left(s, best, rank);
        double norm = sqrt(dot(n, s->left, s->left)), along = 0, has = 0;
        for (int32_t i = 0; i < n; i++) {
            s->basis[rank * n + i] = s->left[i] / norm;
            along += entry(s, best, i) * s->basis[rank * n + i];
            has += s->E[best * n + i] / sqrt(s->weight[i]) * s->z[i];
        }
        for (int32_t i = 0; i < n; i++)
            s->z[i] += (s->d[best] - has) / along * s->basis[rank * n + i];
        s->done[best] = true;
        rank++;
    }
}

/* Number of the requirement with the largest residual, or -1 if all are met. */
static int32_t find_unmet(const RbvEffortSplit *s) {
    int32_t worst = -1;
    /* Part of the accelerations in a requirement up to which its residual counts as rounding. */
    double most = RBV_ROOT_EPS;
    for (int32_t r = 0; r < s->rows; r++) {
        double error = -s->d[r], size = s->d_size[r];
        for (int32_t i = 0; i < s->count; i++) {
            double u = s->z[i] / sqrt(s->weight[i]);
            error += s->E[r * s->count + i] * u;
            size += s->E_size[r * s->count + i] * fabs(u);
        }
        if (fabs(error) > most * size + NO_ACCELERATION) {
            most = fabs(error) / size;
            worst = r;
        }
    }
    return worst;
}

/* (I - Q^T Q)_ij of the basis Q. */
static double projection(const RbvEffortSplit *s, int32_t rank, int32_t i, int32_t j) {
    double sum = i == j;
    for (int32_t k = 0; k < rank; k++)
        sum -= s->basis[k * s->count + i] * s->basis[k * s->count + j];
    return sum;
}

/* Finds the efforts at their limits, as far as there is freedom; z is then the least with these fixed. */
static void bound(RbvEffortSplit *s, int32_t rank) {
    int32_t c = 0;
    /* Diagonal entry of the projection below which the other efforts leave an effort no freedom. */
    for (int32_t i = 0; i < s->count; i++)
        if (isfinite(s->m[i]) && projection(s, rank, i, i) > RBV_CANCELLED)
            s->bounded[c++] = i;
    for (int32_t i = 0; i < c; i++) {
        for (int32_t j = 0; j < c; j++) {
            double P = projection(s, rank, s->bounded[i], s->bounded[j]);
            s->G[i * 2 * c + j] = s->G[(c + i) * 2 * c + c + j] = P;
            s->G[i * 2 * c + c + j] = s->G[(c + i) * 2 * c + j] = -P;
        }
        s->b[i] = s->m[s->bounded[i]] - s->z[s->bounded[i]];
        s->b[c + i] = s->m[s->bounded[i]] + s->z[s->bounded[i]];
    }
    if (c > 0 && rbv_complementarity_contacts(2 * c, s->G, NULL, s->b, s->p, s->cone, s->work))
        for (int32_t j = 0; j < c; j++)
            s->limited[s->bounded[j]] = (s->p[j] > s->p[c + j]) - (s->p[j] < s->p[c + j]);
    find_least(s);
    for (int32_t i = 0; i < s->count; i++)
        if (fabs(s->z[i]) > s->m[i]) {
            int side = s->z[i] > 0 ? 1 : -1;
            /* Part of the limit within which an effort is at the limit, by rounding. */
            s->limited[i] = fabs(s->z[i]) > s->m[i] * (1 + RBV_CANCELLED) ? side : 0;
            s->z[i] = copysign(s->m[i], s->z[i]);
        }
}

/* Finds the efforts for E, E_size, d, d_size, weight and most. Returns -1, or the number of the requirement that is
 * furthest from being met; *limits: it could be met without the limits. */
static int32_t effort_split_solve(RbvEffortSplit *s, bool *limits) {
    bool beyond = false;
    for (int32_t i = 0; i < s->count; i++) {
        s->m[i] = sqrt(s->weight[i]) * s->most[i];
        s->limited[i] = 0;
    }
    int32_t rank = find_least(s), unmet = find_unmet(s);
    *limits = unmet < 0;
    for (int32_t i = 0; i < s->count; i++)
        beyond = beyond || fabs(s->z[i]) > s->m[i];
    if (unmet < 0 && beyond) {
        bound(s, rank);
        unmet = find_unmet(s);
    }
    for (int32_t i = 0; i < s->count; i++)
        s->effort[i] = s->z[i] / sqrt(s->weight[i]);
    return unmet;
}

/* ---- required motions ---- */

static bool is_required(const RbvSystem *system, int32_t k) {
    return system->rows[k].owner == RBV_OWNER_CONSTRAINT &&
           system->model->constraints.items[system->rows[k].index].required;
}

/* carries: forces come from required rows; projects: projection satisfies required rows. */
static bool carries(const RbvTracking *t) {
    return t->actuators == 0;
}

static bool projects(const RbvTracking *t) {
    return t->rate == 0;
}

bool rbv_tracking_create(RbvTracking *t, RbvState *state, RbvSaddle *saddle) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count,
           required = (size_t)model->requirement_count, actuators = (size_t)model->actuators.count;
    *t = (RbvTracking){.state = state,
                       .saddle = saddle,
                       .actuators = model->actuators.count,
                       .rate = isnan(model->track_rate) ? 0 : model->track_rate,
                       .failed = -1};
    t->row = rbv_arena_array(&t->arena, required + 1, sizeof *t->row);
    for (int32_t k = 0; t->row && k < system->row_count; k++)
        if (is_required(system, k))
            t->row[t->count++] = k;
    t->mechanism = rbv_arena_array(&t->arena, rows + 1, sizeof *t->mechanism);
    t->error = rbv_arena_array(&t->arena, required + 1, sizeof *t->error);
    t->rate_error = rbv_arena_array(&t->arena, required + 1, sizeof *t->rate_error);
    t->effort = rbv_arena_array(&t->arena, actuators + 1, sizeof *t->effort);
    t->limited = rbv_arena_array(&t->arena, actuators + 1, sizeof *t->limited);
    t->phase = rbv_arena_array(&t->arena, actuators + 1, sizeof *t->phase);
    t->a = rbv_arena_array(&t->arena, actuators * n + 1, sizeof *t->a);
    t->B = rbv_arena_array(&t->arena, actuators * n + 1, sizeof *t->B);
    t->lambda = rbv_arena_array(&t->arena, actuators * rows + 1, sizeof *t->lambda);
    bool split = effort_split_create(&t->split, t->count, t->actuators);
    if (carries(t) != projects(t) && !(t->other = rbv_saddle_create(state, false)))
        return false;
    if (!t->row || !t->mechanism || !t->error || !t->rate_error || !t->effort || !t->limited || !t->phase || !t->a ||
        !t->B || !t->lambda || !split)
        return false;
    for (int32_t i = 0; i < t->actuators; i++) {
        t->split.weight[i] = model->actuators.items[i].weight;
        t->split.most[i] = model->actuators.items[i].most;
        t->has_limits = t->has_limits || isfinite(t->split.most[i]);
    }
    rbv_tracking_mask(t);
    return true;
}

void rbv_tracking_destroy(RbvTracking *t) {
    rbv_saddle_destroy(t->other);
    effort_split_destroy(&t->split);
    rbv_arena_clear(&t->arena);
    *t = (RbvTracking){0};
}

void rbv_tracking_mask(RbvTracking *t) {
    const RbvSystem *system = t->state->system;
    for (int32_t k = 0; k < system->row_count; k++)
        t->mechanism[k] = rbv_state_holds(t->state, k) && !is_required(system, k);
    rbv_saddle_set_active(t->saddle, carries(t) ? t->state->active : t->mechanism);
    if (t->other)
        rbv_saddle_set_active(t->other, projects(t) ? t->state->active : t->mechanism);
}

RbvSaddle *rbv_tracking_holder(const RbvTracking *t) {
    return t->other ? t->other : t->saddle;
}

bool rbv_tracking_holds(const RbvTracking *t, int32_t k) {
    return projects(t) || t->mechanism[k];
}

void rbv_tracking_require(RbvTracking *t) {
    const RbvState *state = t->state;
    double size, r = t->rate;
    for (int32_t i = 0; i < t->count; i++) {
        int32_t k = t->row[i];
        t->rate_error[i] = rbv_state_row_times(state, k, state->v, &size) - state->nu[k];
        if (state->system->rows[k].on_rates) {
            t->error[i] = t->rate_error[i];
            state->gamma[k] -= r * t->rate_error[i];
        } else {
            t->error[i] = state->phi[k];
            state->gamma[k] -= 2 * r * t->rate_error[i] + r * r * t->error[i];
        }
    }
}

/* Finds the answers to a unit effort of each actuator. */
static bool find_answers(RbvTracking *t) {
    const RbvState *state = t->state;
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    for (int32_t i = 0; i < t->actuators; i++) {
        rbv_state_push_coordinate(state, &system->model->actuators.items[i].of, 1, rbv_saddle_wrenches(t->saddle));
        if (!rbv_saddle_answer(t->saddle, t->B + (size_t)i * n, t->a + (size_t)i * n, t->lambda + (size_t)i * rows))
            return false;
    }
    return true;
}

RbvStatus rbv_tracking_control(RbvTracking *t, double *a, double *lambda) {
    RbvState *state = t->state;
    const RbvSystem *system = state->system;
    RbvEffortSplit *s = &t->split;
    int32_t n = system->coordinates.size, rows = system->row_count;
    t->failed = -1;
    if (!rbv_saddle_solve(t->saddle, state->Q, state->gamma, a, lambda) || !find_answers(t))
        return RBV_LOCKED;
    for (int32_t r = 0; r < t->count; r++) {
        int32_t k = t->row[r];
        s->d[r] = state->gamma[k] - rbv_state_row_times(state, k, a, &s->d_size[r]);
        s->d_size[r] += fabs(state->gamma[k]);
        for (int32_t i = 0; i < t->actuators; i++)
            s->E[r * t->actuators + i] =
                rbv_state_row_times(state, k, t->a + (size_t)i * (size_t)n, &s->E_size[r * t->actuators + i]);
    }
    t->failed = effort_split_solve(s, &t->by_limits);
    if (t->failed >= 0)
        return RBV_INCONSISTENT;
    for (int32_t i = 0; i < t->actuators; i++) {
        double u = t->effort[i] = s->effort[i];
        t->limited[i] = s->limited[i];
        for (int32_t j = 0; j < n; j++) {
            a[j] += u * t->a[(size_t)i * (size_t)n + (size_t)j];
            state->Q[j] += u * t->B[(size_t)i * (size_t)n + (size_t)j];
        }
        for (int32_t k = 0; k < rows; k++)
            lambda[k] += u * t->lambda[(size_t)i * (size_t)rows + (size_t)k];
        rbv_state_push_coordinate(state, &system->model->actuators.items[i].of, u, state->wrenches);
    }
    return RBV_OK;
}

double rbv_tracking_power(const RbvTracking *t, const double *lambda) {
    double sum = 0;
    for (int32_t i = 0; i < t->count; i++)
        sum -= lambda[t->row[i]] * t->rate_error[i];
    return sum;
}

void rbv_tracking_explain(const RbvTracking *t, char *text, size_t size) {
    const RbvModel *model = t->state->system->model;
    text[0] = '\0';
    if (t->failed < 0)
        return;
    const char *name = model->constraints.items[t->state->system->rows[t->row[t->failed]].index].name;
    int length = snprintf(text, size,
                          t->by_limits ? "requirement '%s' cannot be met any more within the limits of the actuators"
                                       : "requirement '%s' cannot be met: no effort of the actuators makes it so",
                          name);
    const char *link = ": at its limit is";
    for (int32_t i = 0; t->by_limits && i < t->actuators && length > 0 && (size_t)length < size; i++) {
        if (t->split.limited[i] == 0)
            continue;
        const RbvActuator *actuator = &model->actuators.items[i];
        length += snprintf(text + length, size - (size_t)length, "%s '%s' (%.9g %s)", link, actuator->name,
                           actuator->most, actuator->unit);
        link = ",";
    }
}
