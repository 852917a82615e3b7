/* What the methods of statics share, and Lagrange's, the plainest; see equilibrium.h. */
#include "statics/equilibrium.h"

#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200
/* The error of rows that falls by less than this in a step stays. Near a lock-up it falls slowly, but it falls. */
#define STAYS 0.9
/* Errors that may be rounding of multipliers over their compliance; these go up and down. */
#define NOISE 1e-12
#define NOISY 0.5
#define NEWTON_TURN 0.5 /* [rad] of one step; beyond it the linear model of a hinge is worthless */
#define NEWTON_MOVE 0.5 /* of the size */
/* Of the stiffness at the start: what a stiffness that is believed may grow by. */
#define MOST_GROWTH 1e4
/* Nothing that holds together goes this many times its size away from the start, or turns so many turns. */
#define FAR_AWAY 5000.0
#define FAR_TURNS 900.0

RbvStatus rbv_equilibrium_create(RbvEquilibriumSearch *rest, RbvBalance *balance, RbvDiagnostics *diagnostics) {
    size_t n = (size_t)balance->n + 1, rows = (size_t)balance->rows + 1, positions = (size_t)balance->system->coordinates.position_size + 1;
    *rest = (RbvEquilibriumSearch){.balance = balance, .diagnostics = diagnostics, .damping = NAN, .start_force = balance->force_size, .start_kappa = balance->kappa};
    rest->y = malloc(n * sizeof(double));
    rest->l = malloc(rows * sizeof(double));
    rest->next = malloc(rows * sizeof(double));
    rest->start = malloc(positions * sizeof(double));
    if (!rest->y || !rest->l || !rest->next || !rest->start)
        return RBV_NO_MEMORY;
    memcpy(rest->start, balance->state->q, (positions - 1) * sizeof(double));
    return RBV_OK;
}

void rbv_equilibrium_destroy(RbvEquilibriumSearch *rest) {
    free(rest->y);
    free(rest->l);
    free(rest->next);
    free(rest->start);
}

RbvStatus rbv_equilibrium_fail(RbvEquilibriumSearch *rest, const char *format, const char *detail) {
    char text[400];
    if (rest->balance->state->no_memory)
        return RBV_NO_MEMORY;
    snprintf(text, sizeof text, format, detail);
    rbv_diagnose(rest->diagnostics, RBV_ERROR, rest->balance->system->model->file, (RbvPosition){0, 0}, "no equilibrium found: %s", text);
    return RBV_NO_EQUILIBRIUM;
}

/* A force left over along a motion that meets no stiffness. */
#define NO_STIFFNESS 1e-9
/* Times its size: what is further from its start than this when a method gives up is the reason. */
#define GONE 20.0

RbvStatus rbv_equilibrium_lost(RbvEquilibriumSearch *rest, const char *format, const char *detail) {
    RbvBalance *b = rest->balance;
    const RbvBodyColumns *bodies = &b->system->bodies;
    double stiffness = 0, size = 0, most = 0;
    int32_t which = 0;
    rbv_balance_back(b);
    if (!rbv_balance_place(b) || !rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(rest, format, detail);
    double left = rbv_balance_left(b, b->lambda);
    memcpy(rest->y, b->K_y, (size_t)b->n * sizeof *rest->y);
    rbv_balance_factor(b, 0, 0, 1);
    rbv_balance_stiffness(b, rest->y, b->K_y);
    for (int32_t j = 0; j < b->n; j++) {
        stiffness = fmax(stiffness, fabs(b->K_y[j]));
        size = fmax(size, fabs(rest->y[j]));
    }
    for (int32_t i = 1; i < bodies->count; i++)
        for (int32_t j = bodies->start[i]; j < bodies->start[i + 1]; j++)
            if (fabs(rest->y[j]) > most)
                most = fabs(rest->y[j]), which = i;
    if (which > 0 && left > rbv_equilibrium_tolerance(rest) && stiffness <= NO_STIFFNESS * b->kappa * size)
        return rbv_equilibrium_fail(rest, "nothing holds body '%s', it goes on and on under the loads", b->system->model->bodies.items[which].name);
    double far = 0;
    rbv_coordinates_difference(&b->system->coordinates, rest->start, b->state->q, rest->y);
    for (int32_t i = 1; i < bodies->count; i++) {
        double way = rbv_norm(rbv_bodies_twist(bodies, i, rest->y).v) / rbv_state_body_size(b->state, i);
        if (way > far)
            far = way, which = i;
    }
    if (far > GONE)
        return rbv_equilibrium_fail(rest, "nothing seems to hold body '%s', it has gone far from its start and does not rest", b->system->model->bodies.items[which].name);
    return rbv_equilibrium_fail(rest, format, detail);
}

bool rbv_equilibrium_interrupted(RbvEquilibriumSearch *rest) {
    rest->steps++;
    return rbv_watch_stops(rest->watch);
}

/* Forces are known to rounding of what is added up: the loads, the multipliers, and stiffness times rounding of places. */
double rbv_equilibrium_tolerance(RbvEquilibriumSearch *rest) {
    const RbvBalance *b = rest->balance;
    rest->largest = fmax(b->force_size, rbv_balance_largest(b));
    return RBV_EQUILIBRIUM_LEFT * rest->largest + rbv_equilibrium_rounding(rest, b->kappa, b->reach);
}

/* Places are known to 1e-13 of the size, and so forces to that times stiffness. A stiffness that has grown out of all proportion, at a pole of the energy, excuses
 * nothing; the penalty's springs do. */
double rbv_equilibrium_rounding(const RbvEquilibriumSearch *rest, double stiffness, double size) {
    double counts = fmin(stiffness, MOST_GROWTH * rest->start_kappa);
    return (1e-13 * counts + 1e-15 * rest->coefficient) * size + 1e-15 * rest->start_force;
}

/* As small as rounding lets it. */
static bool vanishes(RbvEquilibriumSearch *rest, double left) {
    double last_bit = 1e-3 * rbv_equilibrium_rounding(rest, rest->balance->kappa, rest->balance->reach); /* of a place, as a force */
    return left <= fmax(1e-13 * rest->largest, last_bit);
}

bool rbv_equilibrium_settled(RbvEquilibriumSearch *rest, double left, double before) {
    return left <= rbv_equilibrium_tolerance(rest) && (vanishes(rest, left) || left > 0.5 * before);
}

bool rbv_equilibrium_settled_twice(RbvEquilibriumSearch *rest, double left, double before) {
    bool settled = rbv_equilibrium_settled(rest, left, before), vanished = settled && vanishes(rest, left);
    rest->lags += settled && !vanished;
    return vanished || (settled && rest->lags >= 2);
}

bool rbv_equilibrium_rows_stay(RbvEquilibriumSearch *rest, double before) {
    const RbvBalance *b = rest->balance;
    bool noise = b->error <= NOISE;
    rest->stays = b->error > (noise ? NOISY : STAYS) * before ? rest->stays + 1 : noise ? rest->stays : 0;
    return rest->stays >= 2 && b->error <= RBV_EQUILIBRIUM_LEFT;
}

RbvStatus rbv_equilibrium_check_far(RbvEquilibriumSearch *rest) {
    const RbvBalance *b = rest->balance;
    const RbvBodyColumns *bodies = &b->system->bodies;
    rbv_coordinates_difference(&b->system->coordinates, rest->start, b->state->q, rest->y);
    double far = 0, turns = 0;
    int32_t goes = 0, spins = 0;
    for (int32_t i = 1; i < bodies->count; i++) {
        RbvTwist way = rbv_bodies_twist(bodies, i, rest->y);
        double turned = bodies->spatial ? 0 : fabs(way.w.z) / 6.283185307179586;
        double moved = rbv_norm(way.v) / rbv_state_body_size(b->state, i);
        if (moved > far)
            far = moved, goes = i;
        if (turned > turns)
            turns = turned, spins = i;
    }
    if (far > FAR_AWAY)
        return rbv_equilibrium_fail(rest, "nothing holds body '%s', it goes on and on under the loads", b->system->model->bodies.items[goes].name);
    if (turns > FAR_TURNS)
        return rbv_equilibrium_fail(rest, "nothing stops body '%s', it turns on and on under the loads", b->system->model->bodies.items[spins].name);
    return RBV_OK;
}

/* One step of Newton on position and multipliers, shortened; `held`: the rows hold as well as they can. False: singular. */
static bool newton_step(RbvEquilibriumSearch *rest, double mu, bool held) {
    RbvBalance *b = rest->balance;
    double factor;
    if (!rbv_balance_factor(b, mu, 0, RBV_PROXIMAL / b->kappa) && !rbv_balance_factor(b, 1e-9, 0, RBV_PROXIMAL / b->kappa))
        return false;
    rbv_balance_newton(b, held, rest->y, rest->l);
    factor = rbv_balance_limit(b, rest->y, NEWTON_TURN, NEWTON_MOVE);
    rbv_balance_keep(b);
    rbv_balance_move(b, rest->y, factor);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] += factor * (rest->l[k] - b->lambda[k]);
    if (!isfinite(factor) || !rbv_balance_place(b))
        return false;
    rbv_state_accept(b->state);
    return true;
}

/* A ridge that neutral directions need, too small to slow Newton where anything holds. */
#define NEUTRAL 1e-11

static RbvStatus newton(RbvEquilibriumSearch *rest, const char *method) {
    RbvBalance *b = rest->balance;
    double before = INFINITY, error = INFINITY;
    rest->stays = rest->lags = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
        double left = rbv_balance_left(b, b->lambda);
        bool held = rbv_equilibrium_rows_stay(rest, error);
        if ((held || b->error <= RBV_EQUILIBRIUM_ROWS) && rbv_equilibrium_settled_twice(rest, left, before)) /* nothing moves any more: near a lock-up the least way back would spoil the forces */
            return rbv_balance_return(b) ? RBV_OK : rbv_equilibrium_fail(rest, "the constraints are lost at the equilibrium%s", "");
        before = left;
        error = b->error;
        if (rbv_equilibrium_interrupted(rest))
            return RBV_INTERRUPTED;
        if (!newton_step(rest, NEUTRAL, held))
            return rbv_equilibrium_lost(rest, "the equations of %s become singular or not finite", method);
        RbvStatus status = rbv_equilibrium_check_far(rest);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(rest, "Newton's method (%s) does not converge from this start; start nearer to it, or try another --method", method);
}

RbvStatus rbv_equilibrium_polish(RbvEquilibriumSearch *rest) {
    return newton(rest, "the end phase");
}

RbvStatus rbv_equilibrium_by_lagrange(RbvEquilibriumSearch *rest) {
    if (!rbv_balance_multipliers(rest->balance))
        return rbv_equilibrium_fail(rest, "no multipliers at the start%s", "");
    return newton(rest, "lagrange");
}
