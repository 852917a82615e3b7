/* What the methods of statics share, Newton's plain steps among it; see equilibrium.h. */
#include "statics/equilibrium.h"

#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200
/* Of the loads: where more is left over the forces do not balance. Beside a singular position joints press with any
 * force, so that what is left is little beside theirs: equilibria leave less than 1e-8, such places more than 1e-5. */
#define LEFT_OF_LOADS 1e-7
/* The error of rows that falls by less than this in a step stays. Near a lock-up it falls slowly, but it falls. */
#define STAYS 0.9
/* Errors that may be rounding of multipliers over their compliance; these go up and down. */
#define NOISE 1e-12
#define NOISY 0.5
#define NEWTON_TURN 0.5  /* [rad] of one step; beyond it the linear model of a hinge is worthless */
#define NEWTON_MOVE 0.5  /* of the size */
#define MUCH_SHORTER 0.2 /* of the step: what it says of where to go is doubted */
/* Of the stiffness at the start: what a stiffness that is believed may grow by. */
#define MOST_GROWTH 1e4
/* Of a part's forces: rounding of what is added up. */
#define SHARE_LEFT 1e-14
/* Nothing that holds together goes this many times its size away from the start, or turns so many turns. */
#define FAR_AWAY 5000.0
#define FAR_TURNS 900.0

RbvStatus rbv_equilibrium_create(RbvEquilibriumSearch *search, RbvBalance *balance, RbvDiagnostics *diagnostics) {
    size_t n = (size_t)balance->n + 1, rows = (size_t)balance->rows + 1,
           positions = (size_t)balance->system->coordinates.position_size + 1;
    *search = (RbvEquilibriumSearch){.balance = balance,
                                     .diagnostics = diagnostics,
                                     .damping = NAN,
                                     .penalty = NAN,
                                     .start_force = balance->force_size,
                                     .start_kappa = balance->kappa,
                                     .start_hardness = balance->hardness};
    search->y = malloc(n * sizeof(double));
    search->l = malloc(rows * sizeof(double));
    search->next = malloc(rows * sizeof(double));
    search->start = malloc(positions * sizeof(double));
    search->place = malloc(positions * sizeof(double));
    search->base = calloc(rows, sizeof(double));
    search->part_force = malloc((2 * (size_t)balance->system->part_count + 1) * sizeof(double));
    if (!search->part_force || !search->base || !search->y || !search->l || !search->next || !search->start ||
        !search->place)
        return RBV_NO_MEMORY;
    memcpy(search->start, balance->state->q, (positions - 1) * sizeof(double));
    return RBV_OK;
}

void rbv_equilibrium_destroy(RbvEquilibriumSearch *search) {
    free(search->y);
    free(search->l);
    free(search->next);
    free(search->start);
    free(search->place);
    free(search->base);
    free(search->part_force);
}

RbvStatus rbv_equilibrium_fail(RbvEquilibriumSearch *search, const char *format, const char *detail) {
    char text[400];
    if (search->balance->state->no_memory)
        return RBV_NO_MEMORY;
    snprintf(text, sizeof text, format, detail);
    rbv_diagnose(search->diagnostics, RBV_ERROR, search->balance->system->model->file, (RbvPosition){0, 0},
                 "no equilibrium found: %s", text);
    return RBV_NO_EQUILIBRIUM;
}

/* A force left over along a motion that meets no stiffness. */
#define NO_STIFFNESS 1e-9
/* Times its size: what is further from its start than this when a method gives up is the reason. */
#define GONE 20.0
#define GONE_TURNS 100.0

/* How far bodies have gone, in sizes of their parts, and turned, and which of them. */
typedef struct Way {
    double far, turns;
    int32_t goes, spins;
} Way;

static Way way_from_start(const RbvBalance *b, const double *start) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    const RbvTwist *ways = rbv_balance_way(b, start);
    Way way = {0};
    for (int32_t i = 1; i < bodies->count; i++) {
        double turned = bodies->spatial ? 0 : fabs(ways[i].w.z) / 6.283185307179586;
        double moved = rbv_norm(ways[i].v) / rbv_state_body_size(b->state, i);
        if (moved > way.far)
            way.far = moved, way.goes = i;
        if (turned > way.turns)
            way.turns = turned, way.spins = i;
    }
    return way;
}

RbvStatus rbv_equilibrium_lost(RbvEquilibriumSearch *search, const char *format, const char *detail) {
    RbvBalance *b = search->balance;
    double stiffness = 0, size = 0, most = 0;
    int32_t which = 0;
    rbv_balance_back(b);
    if (!rbv_balance_place(b) || !rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(search, format, detail);
    double left = rbv_balance_left(b, b->lambda);
    memcpy(search->y, b->K_y, (size_t)b->n * sizeof *search->y);
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, search->y, b->K_y);
    for (int32_t j = 0; j < b->n; j++) {
        stiffness = fmax(stiffness, fabs(b->K_y[j]));
        size = fmax(size, fabs(search->y[j]));
    }
    for (int32_t j = 0; j < b->n; j++)
        if (fabs(search->y[j]) > most)
            most = fabs(search->y[j]), which = b->owner[j];
    if (which > 0 && left > rbv_equilibrium_tolerance(search) && stiffness <= NO_STIFFNESS * b->kappa * size)
        return rbv_equilibrium_fail(search, "nothing holds body '%s', it goes on and on under the loads",
                                    b->system->model->bodies.items[which].name);
    Way way = way_from_start(b, search->start);
    if (way.far > GONE)
        return rbv_equilibrium_fail(search,
                                    "nothing seems to hold body '%s', it has gone far from its start and does not rest",
                                    b->system->model->bodies.items[way.goes].name);
    if (way.turns > GONE_TURNS)
        return rbv_equilibrium_fail(search,
                                    "nothing seems to stop body '%s', it has turned on and on and does not rest",
                                    b->system->model->bodies.items[way.spins].name);
    return rbv_equilibrium_fail(search, format, detail);
}

bool rbv_equilibrium_interrupted(RbvEquilibriumSearch *search) {
    search->steps++;
    return rbv_progress_stops(search->progress);
}

/* Forces are known to rounding of what is added up: the loads, the multipliers, and stiffness times rounding of places.
 */
double rbv_equilibrium_tolerance(RbvEquilibriumSearch *search) {
    const RbvBalance *b = search->balance;
    search->largest = fmax(b->force_size, rbv_balance_largest(b));
    return RBV_EQUILIBRIUM_LEFT * search->largest +
           rbv_equilibrium_rounding(search, fmax(b->kappa, b->hardness), b->reach);
}

/* Places are known to 1e-13 of the size, and so forces to that times stiffness. A stiffness that has grown out of all
 * proportion, at a pole of the energy, excuses nothing; the penalty's springs do. */
double rbv_equilibrium_rounding(const RbvEquilibriumSearch *search, double stiffness, double size) {
    double counts = fmin(stiffness, MOST_GROWTH * fmax(search->start_kappa, search->start_hardness));
    return (1e-13 * counts + 1e-15 * search->coefficient) * size + 1e-15 * search->start_force;
}

/* As small as rounding lets it. */
static bool vanishes(RbvEquilibriumSearch *search, double left) {
    const RbvBalance *b = search->balance;
    double last_bit =
        1e-3 * rbv_equilibrium_rounding(search, fmax(b->kappa, b->hardness), b->reach); /* of a place, as a force */
    return left <= fmax(1e-13 * search->largest, last_bit);
}

bool rbv_equilibrium_settled(RbvEquilibriumSearch *search, double left, double before) {
    return left <= rbv_equilibrium_tolerance(search) && (vanishes(search, left) || left > 0.5 * before);
}

bool rbv_equilibrium_settled_twice(RbvEquilibriumSearch *search, double left, double before) {
    bool settled = rbv_equilibrium_settled(search, left, before), vanished = settled && vanishes(search, left);
    search->lags += settled && !vanished;
    return vanished || (settled && search->lags >= 2);
}

bool rbv_equilibrium_rows_stay(RbvEquilibriumSearch *search, double before) {
    const RbvBalance *b = search->balance;
    bool noise = b->error <= NOISE;
    search->stays = b->error > (noise ? NOISY : STAYS) * before ? search->stays + 1 : noise ? search->stays : 0;
    return search->stays >= 2 && b->error <= RBV_EQUILIBRIUM_LEFT;
}

RbvStatus rbv_equilibrium_check_far(RbvEquilibriumSearch *search) {
    const RbvModel *model = search->balance->system->model;
    Way way = way_from_start(search->balance, search->start);
    if (way.far > FAR_AWAY)
        return rbv_equilibrium_fail(search, "nothing holds body '%s', it goes on and on under the loads",
                                    model->bodies.items[way.goes].name);
    if (way.turns > FAR_TURNS)
        return rbv_equilibrium_fail(search, "nothing stops body '%s', it turns on and on under the loads",
                                    model->bodies.items[way.spins].name);
    return RBV_OK;
}

/* One step of Newton on position and multipliers, shortened; `held`: the rows hold as well as they can. False:
 * singular. */
static bool newton_step(RbvEquilibriumSearch *search, double mu, bool held) {
    RbvBalance *b = search->balance;
    double factor;
    if (!rbv_balance_factor(b, mu, 0, RBV_PROXIMAL / b->kappa) &&
        !rbv_balance_factor(b, 1e-9, 0, RBV_PROXIMAL / b->kappa))
        return false;
    rbv_balance_newton(b, held, search->y, search->l);
    factor = rbv_balance_limit(b, search->y, NEWTON_TURN, NEWTON_MOVE);
    search->shortened = search->shortened || factor < MUCH_SHORTER;
    rbv_balance_keep(b);
    rbv_balance_move(b, search->y, factor);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] += factor * (search->l[k] - b->lambda[k]);
    if (!isfinite(factor) || !rbv_balance_place(b))
        return false;
    rbv_state_accept(b->state);
    return true;
}

/* The largest share of a part's forces that is left over in it: what a heavy part is off by says nothing of a light one
 * on the same ground. */
static double share_left(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    const RbvSystem *system = b->system;
    double *force = search->part_force, *left = force + system->part_count, most = 0;
    for (int32_t p = 0; p < system->part_count; p++)
        force[p] = left[p] = 0;
    rbv_balance_left(b, b->lambda); /* leaves g + C^T lambda in K_y */
    for (int32_t j = 0; j < b->n; j++) {
        int32_t p = system->part[b->owner[j]];
        force[p] = fmax(force[p], fabs(b->gradient[j]));
        left[p] = fmax(left[p], fabs(b->K_y[j]));
    }
    for (int32_t k = 0; k < b->rows; k++) {
        int32_t p =
            k < system->all_count ? system->row_part[k] : system->part[b->owner[system->C.column[system->C.start[k]]]];
        if (p >= 0)
            force[p] = fmax(force[p], fabs(b->lambda[k]));
    }
    for (int32_t p = 0; p < system->part_count; p++)
        most = fmax(most, force[p] > 0 ? left[p] / force[p] : 0);
    return most;
}

/* Settled as a whole; of several parts each goes on while that still helps it. */
static bool parts_settled(RbvEquilibriumSearch *search, double *share) {
    if (search->balance->system->part_count < 2)
        return true;
    double before = *share;
    *share = share_left(search);
    return *share <= SHARE_LEFT || *share > 0.5 * before;
}

/* A ridge that neutral directions need, too small to slow Newton where anything holds. */
#define NEUTRAL 1e-11

/* Times the least ones that balance, or the loads: larger multipliers are mostly self-stresses. */
#define SELF_STRESSED 2.0

/* Steps from afar leave self-stresses in redundant rows that are none of the loads': where they are the larger part,
 * multipliers of least norm that balance as well are taken. Else those of the steps stay, which are as exact as
 * rounding lets them be. False: no memory. */
static bool relieve(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double most = 0;
    memcpy(search->next, b->lambda, (size_t)b->rows * sizeof *b->lambda);
    memset(b->lambda, 0, (size_t)b->rows * sizeof *b->lambda);
    bool found = rbv_balance_multipliers(b) && rbv_balance_left(b, b->lambda) <= rbv_equilibrium_tolerance(search);
    double least = rbv_balance_largest(b);
    search->strained = !found;
    for (int32_t k = 0; k < b->rows; k++)
        most = fmax(most, fabs(search->next[k]));
    if (!found || most <= SELF_STRESSED * fmax(least, b->force_size))
        memcpy(b->lambda, search->next, (size_t)b->rows * sizeof *b->lambda);
    rbv_equilibrium_tolerance(search); /* the largest of those that are kept */
    return !b->state->no_memory;
}

bool rbv_equilibrium_balances(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double left = rbv_balance_left(b, b->lambda);
    return left <= fmax(LEFT_OF_LOADS * b->force_size, rbv_equilibrium_rounding(search, b->kappa, b->reach));
}

RbvStatus rbv_equilibrium_newton(RbvEquilibriumSearch *search, const char *method) {
    RbvBalance *b = search->balance;
    double before = INFINITY, error = INFINITY, share = INFINITY;
    search->stays = search->lags = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
        double left = rbv_balance_left(b, b->lambda);
        bool held = rbv_equilibrium_rows_stay(search, error);
        bool settled =
            (held || b->error <= RBV_EQUILIBRIUM_ROWS) && rbv_equilibrium_settled_twice(search, left, before);
        if (settled && parts_settled(search, &share)) /* nothing moves any more: near a lock-up the projection onto the
                                                         constraints would spoil the forces */
            return rbv_balance_project(b) && relieve(search)
                       ? RBV_OK
                       : rbv_equilibrium_fail(search, "the constraints are lost at the equilibrium%s", "");
        before = left;
        error = b->error;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (!newton_step(search, NEUTRAL, held))
            return rbv_equilibrium_lost(search, "the equations of %s become singular or not finite", method);
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(
        search, "Newton's method (%s) does not converge from this start; start nearer to it, or try another --method",
        method);
}

RbvStatus rbv_equilibrium_polish(RbvEquilibriumSearch *search) {
    return rbv_equilibrium_newton(search, "the end phase");
}

/* Times what may be left over: a support that pulls less touches only. */
#define PULLS 10.0
/* Supports are held and let go so often for each that there is. */
#define MOST_CHANGES 30

RbvStatus rbv_equilibrium_settle(RbvEquilibriumSearch *search, bool *changed) {
    RbvSupports *s = search->supports;
    *changed = false;
    if (!s)
        return RBV_OK;
    if (!rbv_supports_settle(s, PULLS * rbv_equilibrium_tolerance(search), changed))
        return rbv_equilibrium_fail(
            search, "no place is found where all that rests on stops and one-sided joints touches them%s", "");
    if (*changed && s->changes > MOST_CHANGES * (s->contacts.count + 1))
        return rbv_equilibrium_fail(search, "it is not decided which stops and one-sided joints are pressed%s", "");
    return RBV_OK;
}
