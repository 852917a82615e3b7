/* Reactions at rest, C^T lambda = Q + lines(lambda); see equilibrium_forces.h. */
#include "statics/equilibrium_forces.h"

#include "core/base/diagnostics.h"
#include "solution/reaction/dependent_loads.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LINE_PASSES 100
/* Change of the multipliers in the last pass, as a part of the largest multiplier or load: rounding of sums. */
#define SETTLED_LINES 1e-13
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
        if (change <= SETTLED_LINES * fmax(largest, b->force_size) + NO_FORCE * b->kappa * b->reach)
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
        rbv_balance_place(b);
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
