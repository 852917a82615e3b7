/* Functions that the methods of statics share: tolerances, failures, supports, and Newton's full steps for positions
 * and multipliers, [K C^T; C -c] (y, l) = (-g, -Phi - c lambda). */
#include "statics/equilibrium.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NEWTON_STEPS 200
/* An error of rows that falls by a smaller part than this in a step counts as constant: near a lock-up it falls slowly,
 * but it falls. */
#define CONSTANT_ERROR 0.9
/* CONSTANT_NOISE: reduction factor that counts as constant for such errors. */
#define CONSTANT_NOISE 0.5
#define NEWTON_TURN 0.5  /* [rad] per step; beyond it the linear model of a hinge is useless */
#define NEWTON_MOVE 0.5  /* part of the size, per step */
#define MUCH_SHORTER 0.2 /* part of the step: a step that is shortened more gives a doubtful direction */
/* Largest growth, over the stiffness at the start, of the stiffness that counts in tolerances. */
#define MOST_GROWTH 1e4
/* A body that moves this many times its size, or turns so many turns, has no support. */
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
    search->y = rbv_arena_alloc(&search->arena, n * sizeof(double));
    search->l = rbv_arena_alloc(&search->arena, rows * sizeof(double));
    search->next = rbv_arena_alloc(&search->arena, rows * sizeof(double));
    search->start = rbv_arena_alloc(&search->arena, positions * sizeof(double));
    search->place = rbv_arena_alloc(&search->arena, positions * sizeof(double));
    search->base = rbv_arena_array(&search->arena, rows, sizeof(double));
    search->part_force =
        rbv_arena_alloc(&search->arena, (2 * (size_t)balance->system->part_count + 1) * sizeof(double));
    if (!search->part_force || !search->base || !search->y || !search->l || !search->next || !search->start ||
        !search->place)
        return RBV_NO_MEMORY;
    memcpy(search->start, balance->state->q, (positions - 1) * sizeof(double));
    return RBV_OK;
}

void rbv_equilibrium_destroy(RbvEquilibriumSearch *search) {
    rbv_arena_clear(&search->arena);
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

/* Sizes, and turns: a body that is further from its start when a method fails is named as the cause. */
#define GONE 20.0
#define GONE_TURNS 100.0

/* Largest displacement of bodies, in sizes of their parts, largest rotation in turns, and the bodies concerned. */
typedef struct Displacement {
    double far, turns;
    int32_t goes, spins;
} Displacement;

static Displacement displacement_from_start(const RbvBalance *b, const double *start) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    const RbvTwist *twists = rbv_balance_displacements(b, start);
    Displacement moved_by = {0};
    for (int32_t i = 1; i < bodies->count; i++) {
        double turned = bodies->spatial ? 0 : fabs(twists[i].w.z) / 6.283185307179586;
        double moved = rbv_norm(twists[i].v) / rbv_state_body_size(b->state, i);
        if (moved > moved_by.far)
            moved_by.far = moved, moved_by.goes = i;
        if (turned > moved_by.turns)
            moved_by.turns = turned, moved_by.spins = i;
    }
    return moved_by;
}

RbvStatus rbv_equilibrium_lost(RbvEquilibriumSearch *search, const char *format, const char *detail) {
    RbvBalance *b = search->balance;
    double stiffness = 0, size = 0, most = 0;
    int32_t which = 0;
    rbv_balance_restore(b);
    if (!rbv_balance_evaluate(b) || !rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(search, format, detail);
    double left = rbv_balance_residual(b, b->lambda);
    memcpy(search->y, b->K_y, (size_t)b->n * sizeof *search->y);
    rbv_balance_fill_stiffness(b);
    rbv_balance_stiffness(b, search->y, b->K_y);
    for (int32_t j = 0; j < b->n; j++) {
        stiffness = fmax(stiffness, fabs(b->K_y[j]));
        size = fmax(size, fabs(search->y[j]));
    }
    for (int32_t j = 0; j < b->n; j++)
        if (fabs(search->y[j]) > most)
            most = fabs(search->y[j]), which = b->owner[j];
    /* Part of kappa: a residual force along a motion with less stiffness meets no stiffness. */
    if (which > 0 && left > rbv_equilibrium_tolerance(search) && stiffness <= RBV_SAME * b->kappa * size)
        return rbv_equilibrium_fail(search, "nothing holds body '%s', it goes on and on under the loads",
                                    b->system->model->bodies.items[which].name);
    Displacement moved_by = displacement_from_start(b, search->start);
    if (moved_by.far > GONE)
        return rbv_equilibrium_fail(search,
                                    "nothing seems to hold body '%s', it has gone far from its start and does not rest",
                                    b->system->model->bodies.items[moved_by.goes].name);
    if (moved_by.turns > GONE_TURNS)
        return rbv_equilibrium_fail(search,
                                    "nothing seems to stop body '%s', it has turned on and on and does not rest",
                                    b->system->model->bodies.items[moved_by.spins].name);
    return rbv_equilibrium_fail(search, format, detail);
}

bool rbv_equilibrium_interrupted(RbvEquilibriumSearch *search) {
    search->steps++;
    return rbv_progress_stops(search->progress);
}

/* Tolerance of residual forces: rounding of the summed loads and multipliers, and stiffness times rounding of
 * positions. */
double rbv_equilibrium_tolerance(RbvEquilibriumSearch *search) {
    const RbvBalance *b = search->balance;
    search->largest = fmax(b->force_size, rbv_balance_largest(b));
    return RBV_EQUILIBRIUM_LEFT * search->largest +
           rbv_equilibrium_rounding(search, fmax(b->kappa, b->hardness), b->reach);
}

/* Positions are known to 1e-13 of the size, therefore forces to that times the stiffness. A stiffness that has grown
 * out of proportion, at a pole of the energy, does not count in full; the springs of a penalty do. */
double rbv_equilibrium_rounding(const RbvEquilibriumSearch *search, double stiffness, double size) {
    double counts = fmin(stiffness, MOST_GROWTH * fmax(search->start_kappa, search->start_hardness));
    return (1e-13 * counts + 1e-15 * search->coefficient) * size + 1e-15 * search->start_force;
}

/* True if the residual force is as small as rounding allows. */
static bool is_rounding(RbvEquilibriumSearch *search, double left) {
    const RbvBalance *b = search->balance;
    double last_bit = 1e-3 * rbv_equilibrium_rounding(search, fmax(b->kappa, b->hardness),
                                                      b->reach); /* last bit of a position, as a force */
    return left <= fmax(1e-13 * search->largest, last_bit);
}

bool rbv_equilibrium_settled(RbvEquilibriumSearch *search, double left, double before) {
    return left <= rbv_equilibrium_tolerance(search) && (is_rounding(search, left) || left > 0.5 * before);
}

bool rbv_equilibrium_settled_twice(RbvEquilibriumSearch *search, double left, double before) {
    bool settled = rbv_equilibrium_settled(search, left, before), vanished = settled && is_rounding(search, left);
    search->lags += settled && !vanished;
    return vanished || (settled && search->lags >= 2);
}

bool rbv_equilibrium_rows_stay(RbvEquilibriumSearch *search, double before) {
    const RbvBalance *b = search->balance;
    /* Errors of rows below it may be rounding of the multipliers times their compliance, and go up and down. */
    bool noise = b->error <= RBV_CANCELLED;
    if (b->error > (noise ? CONSTANT_NOISE : CONSTANT_ERROR) * before)
        search->stays++;
    else if (!noise)
        search->stays = 0;
    return search->stays >= 2 && b->error <= RBV_EQUILIBRIUM_LEFT;
}

RbvStatus rbv_equilibrium_check_far(RbvEquilibriumSearch *search) {
    const RbvModel *model = search->balance->system->model;
    Displacement moved_by = displacement_from_start(search->balance, search->start);
    if (moved_by.far > FAR_AWAY)
        return rbv_equilibrium_fail(search, "nothing holds body '%s', it goes on and on under the loads",
                                    model->bodies.items[moved_by.goes].name);
    if (moved_by.turns > FAR_TURNS)
        return rbv_equilibrium_fail(search, "nothing stops body '%s', it turns on and on under the loads",
                                    model->bodies.items[moved_by.spins].name);
    return RBV_OK;
}

/* One shortened Newton step for positions and multipliers; `rows_stay`: the rows are satisfied as well as possible.
 * False: singular or not finite. */
static bool newton_step(RbvEquilibriumSearch *search, double mu, bool rows_stay) {
    RbvBalance *b = search->balance;
    double factor;
    if (!rbv_balance_factor(b, mu, 0, RBV_PROXIMAL / b->kappa) &&
        !rbv_balance_factor(b, 1e-9, 0, RBV_PROXIMAL / b->kappa))
        return false;
    rbv_balance_newton(b, rows_stay, search->y, search->l);
    factor = rbv_balance_limit(b, search->y, NEWTON_TURN, NEWTON_MOVE);
    search->shortened = search->shortened || factor < MUCH_SHORTER;
    rbv_balance_store(b);
    rbv_balance_move(b, search->y, factor);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] += factor * (search->l[k] - b->lambda[k]);
    if (!isfinite(factor) || !rbv_balance_evaluate(b))
        return false;
    rbv_state_accept(b->state);
    return true;
}

/* Largest residual of a part of the mechanism over its forces: the residual of a heavy part says nothing about a light
 * one on the same ground. */
static double residual_of_parts(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    const RbvSystem *system = b->system;
    double *force = search->part_force, *left = force + system->part_count, most = 0;
    for (int32_t p = 0; p < system->part_count; p++)
        force[p] = left[p] = 0;
    rbv_balance_residual(b, b->lambda); /* leaves g + C^T lambda in K_y */
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

/* True unless one of several parts still gains from another step. */
static bool parts_settled(RbvEquilibriumSearch *search, double *share) {
    if (search->balance->system->part_count < 2)
        return true;
    double before = *share;
    *share = residual_of_parts(search);
    /* Residual of a part over its forces: rounding of sums. */
    return *share <= RBV_SUM_EXACT || *share > 0.5 * before;
}

/* Ridge mu for neutral directions; too small to slow Newton's method where there is stiffness. */
#define NEWTON_RIDGE 1e-11

/* Multiple of the least multipliers that balance, or of the loads: larger multipliers are mostly self-stress. */
#define SELF_STRESSED 2.0

/* Removes self-stress of redundant rows that Newton's steps from far away leave and that does not come from the loads:
 * where it is the larger part, multipliers of least norm that balance as well replace those of the steps. Otherwise
 * those of the steps stay, which are exact to rounding. False if out of memory. */
static bool remove_self_stress(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double most = 0;
    memcpy(search->next, b->lambda, (size_t)b->rows * sizeof *b->lambda);
    memset(b->lambda, 0, (size_t)b->rows * sizeof *b->lambda);
    bool found = rbv_balance_multipliers(b) && rbv_balance_residual(b, b->lambda) <= rbv_equilibrium_tolerance(search);
    double least = rbv_balance_largest(b);
    search->strained = !found;
    for (int32_t k = 0; k < b->rows; k++)
        most = fmax(most, fabs(search->next[k]));
    if (!found || most <= SELF_STRESSED * fmax(least, b->force_size))
        memcpy(b->lambda, search->next, (size_t)b->rows * sizeof *b->lambda);
    rbv_equilibrium_tolerance(search); /* updates search->largest for the multipliers that are kept */
    return !b->state->no_memory;
}

bool rbv_equilibrium_balances(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double left = rbv_balance_residual(b, b->lambda);
    /* Largest residual force, as a part of the loads, of a balanced state. Near a singular position joints may carry
     * arbitrarily large forces, so that a residual is small against theirs: equilibria leave less than 1e-8, such
     * positions more than 1e-5. */
    return left <= fmax(RBV_BALANCED * b->force_size, rbv_equilibrium_rounding(search, b->kappa, b->reach));
}

RbvStatus rbv_equilibrium_newton(RbvEquilibriumSearch *search, const char *method) {
    RbvBalance *b = search->balance;
    double before = INFINITY, error = INFINITY, share = INFINITY;
    search->stays = search->lags = 0;
    for (int step = 0; step < MOST_NEWTON_STEPS; step++) {
        double left = rbv_balance_residual(b, b->lambda);
        bool rows_stay = rbv_equilibrium_rows_stay(search, error);
        bool settled =
            (rows_stay || b->error <= RBV_EQUILIBRIUM_ROWS) && rbv_equilibrium_settled_twice(search, left, before);
        if (settled &&
            parts_settled(search, &share)) /* converged; a projection earlier would spoil the forces near a lock-up */
            return rbv_balance_project(b) && remove_self_stress(search)
                       ? RBV_OK
                       : rbv_equilibrium_fail(search, "the constraints are lost at the equilibrium%s", "");
        before = left;
        error = b->error;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (!newton_step(search, NEWTON_RIDGE, rows_stay))
            return rbv_equilibrium_lost(search, "the equations of %s become singular or not finite", method);
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(search,
                                "Newton's method (%s) does not converge from this start; start nearer to it, or try "
                                "another " RBV_OPTION_STATICS_METHOD,
                                method);
}

RbvStatus rbv_equilibrium_polish(RbvEquilibriumSearch *search) {
    return rbv_equilibrium_newton(search, "the end phase");
}

/* Multiple of the tolerance of forces: a support that pulls less only touches. */
#define PULLING_SUPPORT 10.0
/* Most changes of the closed supports, for each support. */
#define MOST_CHANGES 30

RbvStatus rbv_equilibrium_settle(RbvEquilibriumSearch *search, bool *changed) {
    RbvSupports *s = search->supports;
    *changed = false;
    if (!s)
        return RBV_OK;
    if (!rbv_supports_settle(s, PULLING_SUPPORT * rbv_equilibrium_tolerance(search), changed))
        return rbv_equilibrium_fail(
            search, "no place is found where all that rests on stops and one-sided joints touches them%s", "");
    if (*changed && s->changes > MOST_CHANGES * (s->contacts.count + 1))
        return rbv_equilibrium_fail(search, "it is not decided which stops and one-sided joints are pressed%s", "");
    return RBV_OK;
}

RbvStatus rbv_equilibrium_run(RbvEquilibriumMethod *method, RbvEquilibriumSearch *search) {
    RbvStatus status = RBV_OK;
    for (bool again = true; status == RBV_OK && again;) {
        status = method(search);
        again = false;
        if (status == RBV_OK)
            status = rbv_equilibrium_settle(search, &again);
    }
    return status;
}
