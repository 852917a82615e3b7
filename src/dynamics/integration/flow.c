/* The differential equation y' = f(t, y) of the motion, and the projection onto its constraints; see flow.h. */
#include "dynamics/integration/flow.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "dynamics/accelerations/saddle_parts.h"
#include "mechanics/system/contacts.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <string.h>

/* Most steps of a projection onto the constraints. */
#define MOST_PROJECTIONS 10

bool rbv_flow_create(RbvFlow *flow, RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    *flow = (RbvFlow){.system = system,
                      .diagnostics = diagnostics,
                      .state = state,
                      .positions = system->coordinates.position_size,
                      .n = system->coordinates.size,
                      .own = system->model->states.count};
    flow->value = rbv_arena_array(&flow->arena, (size_t)system->work_size + 64, sizeof *flow->value);
    flow->lambda = rbv_arena_array(&flow->arena, (size_t)system->row_count + 1, sizeof *flow->lambda);
    flow->g = rbv_arena_array(&flow->arena, (size_t)system->C.count + 1, sizeof *flow->g);
    flow->share = rbv_arena_array(&flow->arena, (size_t)flow->n + 1, sizeof *flow->share);
    flow->mu = rbv_arena_array(&flow->arena, (size_t)system->row_count + 1, sizeof *flow->mu);
    flow->dq = rbv_arena_array(&flow->arena, (size_t)flow->n + 1, sizeof *flow->dq);
    flow->saddle = rbv_saddle_create(state, false);
    bool power = rbv_power_create(&flow->power, system),
         kept_reactions = flow->saddle && rbv_kept_reactions_create(&flow->kept_reactions, state, flow->saddle);
    bool sliding = rbv_sliding_create(&flow->sliding, state, &flow->kept_reactions);
    flow->loses = kept_reactions && sliding && flow->kept_reactions.absolute && flow->sliding.count > 0;
    flow->size = flow->positions + flow->n + flow->own + flow->loses + 1;
    flow->y = rbv_arena_array(&flow->arena, (size_t)flow->size + 1, sizeof *flow->y);
    bool nonideal = rbv_nonideal_create(&flow->nonideal, system),
         slipping = rbv_slipping_create(&flow->slipping, state);
    if (flow->share && system->coordinates.own_rows > 0)
        rbv_coordinates_scale(&system->coordinates, state->size, state->arm, NULL, flow->share);
    return power && slipping && nonideal && sliding && kept_reactions && flow->share && flow->value && flow->lambda &&
           flow->g && flow->mu && flow->dq && flow->y && flow->saddle;
}

void rbv_flow_destroy(RbvFlow *flow) {
    rbv_power_destroy(&flow->power);
    rbv_sliding_destroy(&flow->sliding);
    rbv_slipping_destroy(&flow->slipping);
    rbv_nonideal_destroy(&flow->nonideal);
    rbv_repeats_destroy(&flow->repeats);
    rbv_saddle_destroy(flow->saddle);
    rbv_kept_reactions_destroy(&flow->kept_reactions);
    rbv_arena_clear(&flow->arena);
    *flow = (RbvFlow){0};
}

/* Drives with limits and non-ideal forces read multipliers that may not be unique, and need those of all rows; friction
 * reads unique ones only. */
bool rbv_flow_expect_repeats(RbvFlow *flow, int32_t count) {
    bool read = flow->slipping.count > 0 || flow->system->model->nonideals.count > 0;
    rbv_saddle_set_redundant(flow->saddle, count > 0);
    return rbv_repeats_expect(&flow->repeats, flow->saddle, flow->system, read ? 0 : count);
}

const bool *rbv_flow_rows(const RbvFlow *flow) {
    return flow->tracking && flow->tracking->actuators > 0 ? flow->tracking->mechanism : flow->state->active;
}

void rbv_flow_gather(const RbvFlow *flow, double work, double *y) {
    memcpy(y, flow->state->q, (size_t)flow->positions * sizeof *y);
    memcpy(y + flow->positions, flow->state->v, (size_t)flow->n * sizeof *y);
    memcpy(y + flow->positions + flow->n, flow->state->own, (size_t)flow->own * sizeof *y);
    if (flow->loses)
        y[flow->size - 2] = 0;
    y[flow->size - 1] = work;
}

static void scatter(RbvFlow *flow, double t, const double *y) {
    RbvState *state = flow->state;
    state->t = t;
    memcpy(state->q, y, (size_t)flow->positions * sizeof *y);
    memcpy(state->v, y + flow->positions, (size_t)flow->n * sizeof *y);
    memcpy(state->own, y + flow->positions + flow->n, (size_t)flow->own * sizeof *y);
    rbv_coordinates_renew(&flow->system->coordinates, state->q);
}

bool rbv_flow_place(RbvFlow *flow, double t, const double *y) {
    scatter(flow, t, y);
    if (!rbv_state_place(flow->state))
        return false;
    rbv_state_jacobian(flow->state);
    return rbv_state_rates(flow->state) && rbv_state_move(flow->state) && rbv_state_load(flow->state);
}

static RbvStatus failed(const RbvFlow *flow, RbvStatus status) {
    return flow->state->no_memory ? RBV_NO_MEMORY : status;
}

/* a and lambda for the state's Q, with friction. */
static bool solve_flow(RbvFlow *flow) {
    RbvState *state = flow->state;
    return flow->sliding.count > 0 ? rbv_sliding_solve(&flow->sliding, state->a, flow->lambda)
                                   : rbv_saddle_solve(flow->saddle, state->Q, state->gamma, state->a, flow->lambda);
}

/* Saddle point system of the projection of positions and velocities. */
static RbvSaddle *holder(const RbvFlow *flow) {
    return flow->tracking ? rbv_tracking_holder(flow->tracking) : flow->saddle;
}

static bool is_projected(const RbvFlow *flow, int32_t k) {
    return !flow->tracking || k >= flow->system->row_count || rbv_tracking_holds(flow->tracking, k);
}

/* a and lambda at a state whose positions and Jacobian are evaluated, with the factors of the saddle point system. */
static RbvStatus accelerate(RbvFlow *flow) {
    RbvState *state = flow->state;
    flow->evaluations++;
    if (!rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return failed(flow, RBV_NOT_FINITE);
    rbv_saddle_mass_load(state);
    if (!rbv_slipping_push(&flow->slipping))
        return failed(flow, RBV_NOT_FINITE);
    if (flow->tracking)
        rbv_tracking_require(flow->tracking);
    if (flow->tracking && flow->tracking->actuators > 0) {
        RbvStatus status = rbv_tracking_control(flow->tracking, state->a, flow->lambda);
        rbv_state_accelerate(state);
        return status == RBV_OK ? RBV_OK : failed(flow, status);
    }
    if (flow->sliding.count > 0 &&
        !rbv_kept_reactions_prepare(&flow->kept_reactions, rbv_flow_rows(flow))) /* friction reads reactions */
        return failed(flow, RBV_LOCKED);
    bool works = flow->system->model->nonideals.count > 0, solved = solve_flow(flow);
    if (solved && works) {
        if (!rbv_nonideal_push(&flow->nonideal, state, flow->lambda))
            return failed(flow, RBV_NOT_FINITE);
        solved = solve_flow(flow);
    }
    if (!solved)
        return failed(flow, RBV_LOCKED);
    rbv_slipping_take(&flow->slipping, flow->lambda);
    rbv_state_accelerate(state);
    return RBV_OK;
}

/* ---- laws between two pieces: Filippov's rule ----
 *
 * Sliding modes of piecewise laws by Filippov's rule. Where the two pieces a and b of a law f push the motion back
 * towards each other, the motion stays at the switch between them and the law acts as
 *
 *   f = (1 - s) f_a + s f_b,   s such that du/dt = 0 for the margin u of the switch
 *
 * The shares s of several such switches are found together; accelerations are linear in the shares, except for
 * friction.
 * Linear systems converge at once. */
#define MOST_SHARE_PASSES 5
/* Change of a share by which its effect is found. */
#define TRIAL_SHARE 0.5

/* Value and rate of a variable of a law that acts at body b. */
static void find_variable(const RbvFlow *flow, const RbvLaw *law, int32_t b, RbvVariable variable, double *value,
                          double *rate) {
    const RbvState *state = flow->state;
    const RbvModel *model = flow->system->model;
    *value = *rate = NAN;
    if (variable.kind == RBV_VARIABLE_TIME) {
        *value = state->t;
        *rate = 1;
    } else if (variable.kind == RBV_VARIABLE_STATE) {
        *value = state->own[variable.index];
        *rate = rbv_state_expression(state, model->states.items[variable.index].rate, NULL, flow->value);
    } else if (variable.kind == RBV_VARIABLE_PLACE) {
        const RbvVec3 r = state->bodies[b].r, v = state->twists[b].v;
        const double place[3] = {r.x, r.y, r.z}, speed[3] = {v.x, v.y, v.z};
        *value = place[variable.part];
        *rate = speed[variable.part];
    } else if (variable.kind == RBV_VARIABLE_COORDINATE || variable.kind == RBV_VARIABLE_LENGTH) {
        int32_t m = variable.kind == RBV_VARIABLE_LENGTH ? model->loads.items[law->index].measure[0] : variable.index;
        const RbvMeasureState *measured = &state->measures[m];
        *value = variable.part == 0 ? measured->value : measured->rate;
        *rate = variable.part == 0 ? measured->rate
                                   : rbv_measure_second_rate(&model->measures.items[m], state->markers,
                                                             state->accelerations, measured);
    }
}

double rbv_between_rate(RbvFlow *flow, int32_t at) {
    RbvPieces *p = flow->state->pieces;
    const RbvLaw *law = rbv_pieces_law(p, at);
    int32_t n = rbv_expr_variable_count(law->expr), place = (at - law->first) / law->count;
    double *x = p->room, *rate = x + n, *gradient = rate + n, *hessian = gradient + n, *margin = hessian + n * n,
           *work = margin + 1 + n, sum = 0;
    for (int32_t v = 0; v < n; v++)
        find_variable(flow, law, place / 2, rbv_variable_of(flow->system->model, law->expr, v), &x[v], &rate[v]);
    memset(margin, 0, (size_t)(n + 1) * sizeof *margin);
    const RbvExprPieces on = {.held = p->held + law->first + place * law->count,
                              .requested = (at - law->first) % law->count + 1,
                              .margin = margin};
    rbv_expr_jet_on(law->expr, x, work, gradient, hessian, &on);
    for (int32_t v = 0; v < n; v++)
        sum += margin[1 + v] != 0 ? margin[1 + v] * rate[v] : 0;
    return sum;
}

static void find_margin_rates(RbvFlow *flow, double *rate) {
    const RbvPieces *p = flow->state->pieces;
    for (int32_t k = 0; k < p->between_count; k++)
        rate[k] = rbv_between_rate(flow, p->between[k].at);
}

/* b := A^-1 b by elimination with pivoting; an unknown without pivot is zero. */
static void solve_shares(int32_t n, double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], double *b) {
    for (int32_t k = 0; k < n; k++) {
        int32_t pivot = k;
        for (int32_t i = k; i < n; i++)
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        for (int32_t j = 0; j < n; j++) {
            double other = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = other;
        }
        double other = b[k];
        b[k] = b[pivot];
        b[pivot] = other;
        for (int32_t i = k + 1; i < n && A[k][k] != 0; i++) {
            double factor = A[i][k] / A[k][k];
            for (int32_t j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t j = k + 1; j < n; j++)
            b[k] -= A[k][j] * b[j];
        b[k] = A[k][k] != 0 ? b[k] / A[k][k] : 0;
    }
}

/* A: change of the rate of each margin per unit of each share; rate: the present rates. */
static RbvStatus find_slopes(RbvFlow *flow, const double *rate, double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN]) {
    RbvPieces *p = flow->state->pieces;
    double moved[RBV_MOST_BETWEEN];
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && k < p->between_count; k++) {
        p->between[k].share += TRIAL_SHARE;
        status = accelerate(flow);
        find_margin_rates(flow, moved);
        p->between[k].share -= TRIAL_SHARE;
        for (int32_t i = 0; i < p->between_count; i++)
            A[i][k] = (moved[i] - rate[i]) / TRIAL_SHARE;
    }
    return status;
}

static bool has_settled(int32_t n, double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], const double *rate) {
    for (int32_t i = 0; i < n; i++) {
        double size = 0;
        for (int32_t k = 0; k < n; k++)
            size += fabs(A[i][k]);
        /* Part of what the shares add to the rate of a margin. */
        if (!(fabs(rate[i]) <= RBV_CANCELLED * size))
            return false;
    }
    return true;
}

/* Accelerations at the flow's state, whose positions are evaluated; where switches are between two pieces, with the
 * shares for which the rates of all their margins vanish. Statuses of accelerate. */
static RbvStatus accelerate_between(RbvFlow *flow) {
    RbvPieces *p = flow->state->pieces;
    int32_t n = p ? p->between_count : 0;
    double rate[RBV_MOST_BETWEEN], A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], B[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN];
    RbvStatus status = accelerate(flow);
    if (n == 0 || status != RBV_OK)
        return status;
    find_margin_rates(flow, rate);
    status = find_slopes(flow, rate, A);
    for (int pass = 0; status == RBV_OK && pass < MOST_SHARE_PASSES; pass++) {
        memcpy(B, A, sizeof B);
        solve_shares(n, B, rate);
        for (int32_t k = 0; k < n; k++)
            p->between[k].share -= rate[k];
        status = accelerate(flow);
        find_margin_rates(flow, rate);
        if (has_settled(n, A, rate))
            break;
    }
    return status;
}

/* ---- rates, and the projection onto the constraints ---- */

static void take_rate(RbvFlow *flow, double *f) {
    RbvState *state = flow->state;
    rbv_coordinates_rate(&flow->system->coordinates, state->q, state->v, f);
    memcpy(f + flow->positions, state->a, (size_t)flow->n * sizeof *f);
    for (int32_t k = 0; k < flow->own; k++)
        f[flow->positions + flow->n + k] =
            rbv_state_expression(state, flow->system->model->states.items[k].rate, NULL, flow->value);
    if (flow->loses)
        f[flow->size - 2] = rbv_sliding_power(&flow->sliding);
    f[flow->size - 1] = rbv_power_in(&flow->power, state, flow->lambda) + rbv_sliding_power(&flow->sliding) +
                        (flow->tracking ? rbv_tracking_power(flow->tracking, flow->lambda) : 0) +
                        rbv_state_generalized_gain(flow->state, flow->value);
}

/* f at y, not projected. */
static RbvStatus rate(RbvFlow *flow, double t, const double *y, double *f) {
    scatter(flow, t, y);
    if (!rbv_state_place(flow->state))
        return failed(flow, RBV_NOT_FINITE);
    rbv_state_jacobian(flow->state);
    if (!rbv_state_masses(flow->state))
        return failed(flow, RBV_NOT_FINITE);
    if (flow->tracking)
        rbv_tracking_mask(flow->tracking);
    rbv_repeats_leave_out(&flow->repeats);
    if (!rbv_saddle_factor(flow->saddle))
        return failed(flow, RBV_LOCKED);
    RbvStatus status = accelerate_between(flow);
    if (status != RBV_OK)
        return status;
    take_rate(flow, f);
    for (int32_t k = 0; k < flow->own; k++)
        if (!isfinite(f[flow->positions + flow->n + k]))
            return RBV_NOT_FINITE;
    return RBV_OK;
}

/* Rows without entries in C, which the motion does not see, carry forces too; without friction, which depends on these,
 * accelerations do not need them, and they are skipped (brief). */
RbvStatus rbv_flow_rate(void *context, double t, const double *y, double *f) {
    RbvFlow *flow = context;
    if (flow->projects) {
        memcpy(flow->y, y, (size_t)flow->size * sizeof *y);
        return rbv_flow_hold(flow, t, flow->y, f);
    }
    flow->state->brief = flow->system->unseen && flow->sliding.count == 0 && !flow->tracking;
    RbvStatus status = rate(flow, t, y, f);
    flow->state->brief = false;
    return status;
}

/* Error of row k of the coordinates' own, as a movement of points over the size of their part: over the length of its
 * gradient. */
static double own_row_error(const RbvFlow *flow, int32_t k) {
    const RbvState *state = flow->state;
    const RbvRowPattern *C = &flow->system->C;
    double sum = 0;
    for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
        double one = state->C[e] / flow->share[C->column[e]];
        sum += one * one;
    }
    return sum > 0 ? fabs(state->phi[k]) / sqrt(sum) : 0;
}

/* The largest error of a row over the size of its part; in its own unit [m or rad] in constraint_error. */
static double rows_error(RbvFlow *flow) {
    const RbvState *state = flow->state;
    double most = 0;
    flow->constraint_error = 0;
    for (int32_t k = 0; k < flow->system->row_count; k++) {
        double error = is_projected(flow, k) ? fabs(state->phi[k]) : 0,
               share = error > 0 ? error / rbv_state_row_scale(state, k) : 0;
        flow->constraint_error = rbv_max(flow->constraint_error, error);
        most = rbv_system_keeps(flow->system, k) ? most : rbv_max(most, share);
        flow->g[k] = -state->phi[k];
    }
    for (int32_t k = flow->system->all_count; k < flow->system->C.count; k++) {
        double share = own_row_error(flow, k);
        flow->constraint_error = rbv_max(flow->constraint_error, share);
        most = rbv_max(most, share);
        flow->g[k] = -state->phi[k];
    }
    return most;
}

/* q <- q + dq: [M C^T; C 0] (dq, mu) = (0, -Phi), with the present factors, until errors no longer fall. *moved: q has
 * changed. */
static RbvStatus project_position(RbvFlow *flow, bool *moved) {
    RbvState *state = flow->state;
    double before = INFINITY;
    *moved = false;
    for (int step = 0;; step++) {
        double error = rows_error(flow);
        /* Errors of rows over the size of their part: those of a few operations fulfil a row; when the steps end,
         * RBV_SAME. */
        if (error <= RBV_EXACT || (step > 1 && error > 0.5 * before && error <= RBV_SAME))
            return RBV_OK;
        if (!isfinite(error) || step == MOST_PROJECTIONS)
            return error <= RBV_SAME ? RBV_OK : RBV_INCONSISTENT;
        if (step > 0 && error > 0.1 * before) { /* the factors are too old */
            rbv_state_jacobian(state);
            if (!rbv_saddle_factor(holder(flow)))
                return failed(flow, RBV_LOCKED);
        }
        before = error;
        if (!rbv_saddle_correct(holder(flow), flow->g, flow->dq, flow->mu))
            return failed(flow, RBV_LOCKED);
        *moved = true;
        rbv_coordinates_step(&flow->system->coordinates, state->q, flow->dq);
        if (!rbv_state_place(state))
            return failed(flow, RBV_NOT_FINITE);
    }
}

/* v <- v + dv: [M C^T; C 0] (dv, mu) = (0, nu - C v); equations on velocities are linearised about each v. */
static RbvStatus project_rates(RbvFlow *flow) {
    RbvState *state = flow->state;
    const RbvRowPattern *C = &flow->system->C;
    double before = INFINITY;
    for (int step = 0; step < MOST_PROJECTIONS; step++) {
        double error = 0, size = 0;
        if (!rbv_state_rates(state))
            return failed(flow, RBV_NOT_FINITE);
        for (int32_t k = rbv_system_next_row(flow->system, -1); k < C->count;
             k = rbv_system_next_row(flow->system, k)) {
            double rate = state->nu[k], parts = fabs(rate);
            for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
                rate -= state->C[e] * state->v[C->column[e]];
                parts += fabs(state->C[e] * state->v[C->column[e]]);
            }
            flow->g[k] = rate;
            if (!is_projected(flow, k) || rbv_system_keeps(flow->system, k))
                continue;
            error = rbv_max(error, fabs(rate));
            size = rbv_max(size, parts);
        }
        /* Error of a row of velocities, as a part of the largest sum of the terms of a row. */
        if (error <= RBV_EXACT * size || error > 0.5 * before)
            return RBV_OK;
        before = error;
        if (!rbv_saddle_correct(holder(flow), flow->g, flow->dq, flow->mu))
            return failed(flow, RBV_LOCKED);
        for (int32_t j = 0; j < flow->n; j++)
            state->v[j] += flow->dq[j];
        if (!flow->system->rate_equations)
            continue;
        if (!rbv_state_place(state))
            return failed(flow, RBV_NOT_FINITE);
        rbv_state_jacobian(state);
        if (!rbv_saddle_fill(holder(flow)))
            return failed(flow, RBV_LOCKED);
    }
    return RBV_OK;
}

/* Projects the state at y onto the constraints and evaluates a and lambda. */
static RbvStatus hold(RbvFlow *flow, double t, const double *y) {
    RbvState *state = flow->state;
    scatter(flow, t, y);
    if (!rbv_state_place(state))
        return failed(flow, RBV_NOT_FINITE);
    rbv_state_jacobian(state);
    if (!rbv_state_masses(state))
        return failed(flow, RBV_NOT_FINITE);
    if (flow->tracking)
        rbv_tracking_mask(flow->tracking);
    if (!rbv_saddle_factor(holder(flow)))
        return failed(flow, RBV_LOCKED);
    bool moved;
    RbvStatus status = project_position(flow, &moved);
    if (status == RBV_OK && moved) {
        rbv_state_jacobian(state);
        status = rbv_saddle_fill(holder(flow)) ? RBV_OK : failed(flow, RBV_LOCKED);
    }
    if (status == RBV_OK)
        status = project_rates(flow);
    if (status == RBV_OK && flow->system->model->generalized.count > 0) { /* M at the projected state */
        status = rbv_state_masses(state) && rbv_saddle_fill(holder(flow)) ? RBV_OK : failed(flow, RBV_NOT_FINITE);
    }
    if (status == RBV_OK && holder(flow) != flow->saddle && !rbv_saddle_factor(flow->saddle))
        status = failed(flow, RBV_LOCKED);
    if (status == RBV_OK)
        status = accelerate_between(flow);
    if (status == RBV_OK && flow->sliding.count > 0 && rbv_sliding_align(&flow->sliding))
        status = accelerate_between(flow);
    return status;
}

/* Near a singular position redundant rows are left out, which would otherwise make all rows give way there (saddle.h);
 * if the remaining rows cannot be fulfilled, all rows are used. */
RbvStatus rbv_flow_hold(RbvFlow *flow, double t, double *y, double *f) {
    bool known = rbv_repeats_known(&flow->repeats), sharp = flow->projects && known;
    rbv_saddle_leave_out(flow->saddle, sharp ? flow->repeats.left_out : NULL);
    RbvStatus status = hold(flow, t, y);
    if (status == RBV_OK && known && !sharp && rbv_saddle_retract(flow->saddle)) {
        sharp = true;
        rbv_repeats_leave_out(&flow->repeats);
        status = hold(flow, t, y);
    }
    if (sharp && status != RBV_OK && status != RBV_NO_MEMORY) {
        rbv_saddle_leave_out(flow->saddle, NULL);
        status = hold(flow, t, y);
    }
    if (status != RBV_OK)
        return status;
    rbv_flow_gather(flow, y[flow->size - 1], y);
    if (f)
        take_rate(flow, f);
    return RBV_OK;
}

void rbv_flow_explain(const RbvFlow *flow, char *message, size_t size) {
    rbv_state_explain(flow->state, message, size);
    if (message[0] == '\0')
        rbv_state_explain_masses(flow->state, message, size);
    if (message[0] == '\0')
        rbv_nonideal_explain(&flow->nonideal, flow->state, message, size);
    if (message[0] == '\0')
        rbv_slipping_explain(&flow->slipping, message, size);
}
