/* Reactions at an equilibrium, C^T lambda = Q + lines(lambda), from the multipliers of the balance, and their error
 * bounds from rounding and from residuals. */
#include "statics/verify.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINE_PASSES 100
#define NO_FORCE 1e-16 /* part of stiffness times size below which a change counts as no force */

typedef struct ForceSolution {
    RbvBalance *balance;
    const RbvSolvability *solvability;
    RbvChoice *choice;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics;
    RbvWrench *wrenches; /* [bodies] loads with the pushes along lines */
    double *lambda;      /* [rows] multipliers of the equilibrium itself, scaled */
} ForceSolution;

/* Reactions for the scaled multipliers: in their own units, changed to the chosen ones. */
static RbvStatus choose_multipliers(const ForceSolution *p, const double *lambda) {
    for (int32_t k = 0; k < p->balance->rows; k++)
        p->reactions->lambda[k] = lambda[k] * p->balance->weight[k];
    return rbv_choice_apply(p->choice, p->balance->state, p->solvability, p->reactions, p->diagnostics);
}

/* Iterates the pushes of tooth forces and preloads along lines of centres; they cause no motion, but load bearings. */
static RbvStatus solve_lines(const ForceSolution *p) {
    RbvBalance *b = p->balance;
    const RbvSystem *system = b->system;
    RbvStatus status = choose_multipliers(p, p->lambda);
    double *old = b->b;
    for (int pass = 0; status == RBV_OK && p->reactions->has_line; pass++) {
        double change = 0, largest = 0;
        memcpy(p->wrenches, b->state->wrenches, (size_t)system->bodies.count * sizeof *p->wrenches);
        if (!rbv_reactions_lines(p->reactions, b->state, p->wrenches))
            return RBV_OK;
        rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(b->state), p->wrenches, b->K_y);
        for (int32_t j = 0; j < b->n; j++)
            b->gradient[j] = -b->K_y[j] * b->scale[j];
        if (!rbv_balance_multipliers(b))
            return RBV_LOCKED;
        memcpy(old, p->reactions->lambda, (size_t)b->rows * sizeof *old);
        status = choose_multipliers(p, b->lambda);
        for (int32_t k = 0; k < b->rows; k++) {
            change = fmax(change, fabs(p->reactions->lambda[k] - old[k]));
            largest = fmax(largest, fabs(p->reactions->lambda[k]));
        }
        /* Change of the multipliers in the last pass, as a part of the largest multiplier or load: rounding of sums. */
        if (change <= RBV_ROUNDING * fmax(largest, b->force_size) + NO_FORCE * b->kappa * b->reach)
            return status;
        if (pass == MOST_LINE_PASSES) {
            rbv_diagnose(p->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                         "tooth forces and the pushes that follow them do not settle");
            return RBV_LOCKED;
        }
    }
    return status;
}

static RbvStatus solve_and_print(void *context) {
    const ForceSolution *p = context;
    RbvStatus status = solve_lines(p);
    if (status != RBV_OK)
        return status;
    rbv_reactions_print(p->reactions, p->balance->state);
    rbv_choice_finish(p->choice, p->reactions);
    return RBV_OK;
}

RbvStatus rbv_equilibrium_forces(RbvBalance *b, RbvSolvability *solvability, RbvChoice *choice, RbvReactions *reactions,
                                 RbvDiagnostics *diagnostics) {
    RbvStatus status = rbv_choice_fits(b->system, solvability, diagnostics);
    if (status != RBV_OK)
        return status;
    ForceSolution pass = {
        .balance = b, .solvability = solvability, .choice = choice, .reactions = reactions, .diagnostics = diagnostics};
    pass.wrenches = malloc((size_t)b->system->bodies.count * sizeof *pass.wrenches);
    pass.lambda = malloc(((size_t)b->rows + 1) * sizeof *pass.lambda);
    if (pass.wrenches && pass.lambda) {
        memcpy(pass.lambda, b->lambda, (size_t)b->rows * sizeof *pass.lambda);
        rbv_reactions_place(reactions, b->state);
        status = rbv_choice_over_ranges(choice, reactions, solve_and_print, &pass);
        memcpy(b->lambda, pass.lambda,
               (size_t)b->rows * sizeof *pass.lambda); /* stiffness is that of the equilibrium, without the pushes */
        rbv_balance_evaluate(b);
    } else {
        status = RBV_NO_MEMORY;
    }
    free(pass.wrenches);
    free(pass.lambda);
    if (status != RBV_OK)
        return status;
    rbv_reactions_decide(reactions, b->state, solvability);
    rbv_choice_decide(choice, b->state, solvability, reactions);
    return rbv_decide_dependent_loads(reactions, b->state, NULL) ? RBV_OK : RBV_NO_MEMORY;
}

/* Errors of the forces of an equilibrium: the forces of a second equilibrium beside it are computed, as far away as
 * rounding and residuals allow, and the difference is the error (solution/reaction/error.h).
 *
 *   [ K + mu kappa  C^T ] [ y ]   [ f ]      f: residual force, rounding of the loads,
 *   [ C             -c  ] [ l ] = [ h ]      h: rounding and error of the rows; both with alternating signs
 * mu keeps neutral motions bounded, for which every error of the forces is too large. */

/* Part of stiffness times size that counts as a force where loads balance among themselves. */
#define STIFF_FORCE 1e-4
#define NEUTRAL_MU 1e-8
/* Largest step to the state beside [rad, or parts of the size]: at a fold positions are known to the root of
 * rounding. */
#define LARGEST_STEP_BESIDE 1e-7

/* Pseudo-random sign of index k, without a pattern that rows or coordinates could share. */
static double sign_of(int32_t k) {
    uint32_t x = (uint32_t)k * 2654435761u;
    return x >> 15 & 1 ? 1 : -1;
}

/* force[parts]: residual force in each part, from rounding of its loads and from the search. */
static void residual_of_parts_and_loads(RbvBalance *b, const RbvReactions *reactions, double *force) {
    const RbvSystem *system = b->system;
    const RbvBodyColumns *bodies = &system->bodies;
    for (int32_t p = 0; p < system->part_count; p++)
        force[p] = 0;
    rbv_balance_residual(b, b->lambda); /* leaves g + C^T lambda in K_y */
    for (int32_t body = 1; body < bodies->count; body++)
        for (int32_t j = bodies->start[body]; j < bodies->start[body + 1]; j++)
            force[system->part[body]] = fmax(force[system->part[body]], fabs(b->K_y[j]));
    /* Rounding of loads, as a part of the forces of a part of the mechanism, and of rows, as a part of the reach. */
    for (int32_t p = 0; p < system->part_count; p++)
        force[p] += RBV_EXACT * reactions->size[p].most[0];
}

static bool step_beside(RbvBalance *b, const double *force, double *f, double *h, double *y) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    if (!rbv_balance_factor(b, NEUTRAL_MU, 0, RBV_PROXIMAL / b->kappa))
        return false;
    for (int32_t body = 1; body < bodies->count; body++)
        for (int32_t j = bodies->start[body]; j < bodies->start[body + 1]; j++)
            f[j] = force[b->system->part[body]] * sign_of(j);
    for (int32_t k = 0; k < b->rows; k++)
        h[k] =
            b->weight[k] != 0 ? (RBV_EXACT * b->reach + b->allowed_error + 2 * fabs(b->phi[k])) * sign_of(k + b->n) : 0;
    rbv_balance_solve(b, f, h, y, NULL);
    if (b->locked_bodies)
        rbv_locked_bodies_step(b->locked_bodies, h, y);
    rbv_balance_store(b);
    rbv_balance_move(b, y, rbv_balance_limit(b, y, LARGEST_STEP_BESIDE, LARGEST_STEP_BESIDE));
    return rbv_balance_evaluate(b) && rbv_balance_multipliers(b);
}

RbvStatus rbv_equilibrium_errors(RbvBalance *b, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions) {
    size_t n = (size_t)b->n, rows = (size_t)b->rows, parts = (size_t)b->system->part_count;
    RbvForceValues values;
    bool good = rbv_error_values_create(reactions, &values);
    double *f = malloc((2 * n + 2 * rows + parts + 1) * sizeof *f), *h = f + n, *y = h + rows, *lambda = y + n,
           *force = lambda + rows;
    RbvStatus status = good && f ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        memcpy(lambda, b->lambda, rows * sizeof *lambda);
        rbv_error_sizes(reactions, b->state);
        rbv_error_least_force(reactions, STIFF_FORCE * b->kappa * b->reach);
        /* Least relative error of forces at a well-conditioned state: rounding of some operations in sequence. */
        rbv_error_floor(reactions, RBV_SUM_EXACT);
        reactions->floor = 1;
        rbv_error_keep(reactions, &values);
        residual_of_parts_and_loads(b, reactions, force);
        if (step_beside(b, force, f, h, y)) {
            status = rbv_equilibrium_forces(b, solvability, choice, reactions, NULL);
            rbv_error_compare(reactions, &values);
        } else {
            rbv_error_floor(reactions, 1);
        }
        rbv_balance_restore(b);
        rbv_balance_evaluate(b);
        memcpy(b->lambda, lambda, rows * sizeof *lambda);
        if (status != RBV_NO_MEMORY)
            status = rbv_equilibrium_forces(b, solvability, choice, reactions, NULL);
    }
    rbv_error_values_destroy(&values);
    free(f);
    if (status == RBV_OK)
        rbv_reactions_doubt(reactions);
    return status;
}

/* Largest error of a force [N] among the components of joints, drives and constraints. */
static double largest_error(const RbvReactions *r) {
    const RbvModel *model = r->system->model;
    double most = 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            if (rbv_component_in(r->possible[k], c) && (c < RBV_TX || c > RBV_TZ))
                most = fmax(most, r->error[k][c]);
    for (int32_t k = 0; k < model->drives.count; k++)
        if (!r->system->rows[r->system->drive_row[k]].angular)
            most = fmax(most, r->effort_error[k]);
    return most;
}

/* Moves from the penalty's state to the exact equilibrium and sets search->off. False: it is not reached. */
static bool step_to_equilibrium(RbvEquilibriumSearch *search, const double *place) {
    RbvBalance *b = search->balance;
    RbvDiagnostics *diagnostics = search->diagnostics;
    double alpha = search->coefficient;
    int32_t steps = search->steps;
    search->diagnostics = NULL;
    search->coefficient = 0;
    bool reached = rbv_equilibrium_polish(search) == RBV_OK;
    search->diagnostics = diagnostics;
    search->coefficient = alpha;
    search->steps = steps;
    search->position_error = reached ? 0 : NAN;
    rbv_coordinates_difference(&b->system->coordinates, place, b->state->q, search->y);
    for (int32_t j = 0; reached && j < b->n; j++)
        search->position_error = fmax(search->position_error, fabs(search->y[j] / b->scale[j]));
    return reached;
}

RbvStatus rbv_penalty_errors(RbvEquilibriumSearch *search, RbvSolvability *solvability, RbvChoice *choice,
                             RbvReactions *reactions) {
    RbvBalance *b = search->balance;
    size_t rows = (size_t)b->rows, positions = (size_t)b->system->coordinates.position_size;
    RbvForceValues values;
    bool good = rbv_error_values_create(reactions, &values);
    double *lambda = malloc((rows + positions + 1) * sizeof *lambda), *place = lambda ? lambda + rows : NULL;
    RbvStatus status = good && lambda ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        memcpy(lambda, b->lambda, rows * sizeof *lambda);
        memcpy(place, b->state->q, positions * sizeof *place);
        rbv_error_sizes(reactions, b->state);
        rbv_error_least_force(reactions, STIFF_FORCE * b->kappa * b->reach);
        rbv_error_floor(reactions, RBV_SUM_EXACT);
        reactions->floor = 1;
        bool reached = step_to_equilibrium(search, place);
        if (reached) { /* self-stresses are those of the exact equilibrium, for both states */
            rbv_state_jacobian(b->state);
            status = rbv_solvability_decide(solvability, b->state);
        }
        if (reached && status == RBV_OK)
            status = rbv_equilibrium_forces(b, solvability, choice, reactions, NULL);
        rbv_error_keep(reactions, &values);
        memcpy(b->state->q, place, positions * sizeof *place);
        memcpy(b->lambda, lambda, rows * sizeof *lambda);
        rbv_balance_evaluate(b);
        if (status == RBV_OK)
            status = rbv_equilibrium_forces(b, solvability, choice, reactions, NULL);
        if (reached)
            rbv_error_compare(reactions, &values);
        else
            rbv_error_floor(reactions, 1);
        search->force_error = largest_error(reactions);
    }
    rbv_error_values_destroy(&values);
    free(lambda);
    if (status == RBV_OK)
        rbv_reactions_doubt(reactions);
    return status;
}
