/* C^T lambda = Q + lines(lambda) at rest; see rest_forces.h. */
#include "analysis/rest_forces.h"

#include "analysis/spread.h"
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PASSES 100
#define SETTLED 1e-13

typedef struct Pass {
    RbvBalance *balance;
    const RbvSolvability *solvability;
    RbvChoice *choice;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics;
    RbvWrench *wrenches; /* [bodies] */
    double *lambda;      /* [rows] of the rest itself */
} Pass;

/* Multipliers in their own units for the balance's gradient, moved to those chosen. */
static RbvStatus choose(const Pass *p, const double *lambda) {
    memcpy(p->reactions->lambda, lambda, (size_t)p->balance->rows * sizeof *lambda);
    return rbv_choice_apply(p->choice, p->balance->state, p->solvability, p->reactions, p->diagnostics);
}

/* Tooth forces and preloads push along lines of centres, which moves nothing but loads bearings. */
static RbvStatus solve_lines(const Pass *p) {
    RbvBalance *b = p->balance;
    const RbvSystem *system = b->system;
    RbvStatus status = choose(p, p->lambda);
    double *old = b->b;
    for (int pass = 0; status == RBV_OK && p->reactions->has_line; pass++) {
        double change = 0, largest = 0;
        memcpy(p->wrenches, b->state->wrenches, (size_t)system->absolute.body_count * sizeof *p->wrenches);
        if (!rbv_reactions_lines(p->reactions, b->state, p->wrenches))
            return RBV_OK;
        rbv_absolute_pull(&system->absolute, p->wrenches, b->K_y);
        for (int32_t j = 0; j < b->n; j++)
            b->gradient[j] = -b->K_y[j] * b->scale[j];
        if (!rbv_balance_multipliers(b))
            return RBV_LOCKED;
        memcpy(old, p->reactions->lambda, (size_t)b->rows * sizeof *old);
        for (int32_t k = 0; k < b->rows; k++)
            p->reactions->lambda[k] = b->lambda[k] * b->weight[k];
        status = rbv_choice_apply(p->choice, b->state, p->solvability, p->reactions, p->diagnostics);
        for (int32_t k = 0; k < b->rows; k++) {
            change = fmax(change, fabs(p->reactions->lambda[k] - old[k]));
            largest = fmax(largest, fabs(p->reactions->lambda[k]));
        }
        if (change <= SETTLED * largest)
            return status;
        if (pass == MOST_PASSES) {
            rbv_diagnose(p->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0}, "tooth forces and the pushes that follow them do not settle");
            return RBV_LOCKED;
        }
    }
    return status;
}

static RbvStatus solve_and_print(const Pass *p) {
    RbvStatus status = solve_lines(p);
    if (status != RBV_OK)
        return status;
    rbv_reactions_print(p->reactions, p->balance->state);
    rbv_choice_finish(p->choice, p->reactions);
    return RBV_OK;
}

/* Over the corners of compliances, then the middle; as for every sample of inverse. */
static RbvStatus solve_all(const Pass *p) {
    RbvStatus status = RBV_OK;
    for (int32_t corner = 0; status == RBV_OK && corner < rbv_choice_corners(p->choice); corner++) {
        rbv_choice_use(p->choice, corner);
        status = solve_and_print(p);
        if (status == RBV_OK)
            rbv_choice_widen(p->choice, p->reactions);
    }
    rbv_choice_use(p->choice, -1);
    status = status == RBV_OK ? solve_and_print(p) : status;
    if (status == RBV_OK && rbv_choice_corners(p->choice) > 0)
        rbv_choice_widen(p->choice, p->reactions);
    return status;
}

static RbvStatus refuse_large(const RbvBalance *b, const RbvSolvability *s, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < s->blocks.block_count; k++)
        if (s->ranks[k].redundant > 0 && !rbv_has_null(&s->ranks[k])) {
            rbv_diagnose(diagnostics, RBV_ERROR, b->system->model->file, (RbvPosition){0, 0},
                         "a part of the mechanism has %d constraint rows, %d of them redundant: too many to choose among its equally right reactions; "
                         "roberval check gives their verdicts", (int)s->blocks.blocks[k].row_count, (int)s->ranks[k].redundant);
            return RBV_BAD_INPUT;
        }
    return RBV_OK;
}

RbvStatus rbv_rest_forces(RbvBalance *b, RbvSolvability *solvability, RbvChoice *choice, RbvReactions *reactions, RbvDiagnostics *diagnostics) {
    RbvStatus status = refuse_large(b, solvability, diagnostics);
    if (status != RBV_OK)
        return status;
    Pass pass = {.balance = b, .solvability = solvability, .choice = choice, .reactions = reactions, .diagnostics = diagnostics};
    pass.wrenches = malloc((size_t)b->system->absolute.body_count * sizeof *pass.wrenches);
    pass.lambda = malloc(((size_t)b->rows + 1) * sizeof *pass.lambda);
    if (pass.wrenches && pass.lambda) {
        for (int32_t k = 0; k < b->rows; k++)
            pass.lambda[k] = b->lambda[k] * b->weight[k];
        rbv_reactions_place(reactions, b->state);
        status = solve_all(&pass);
    } else {
        status = RBV_NO_MEMORY;
    }
    free(pass.wrenches);
    free(pass.lambda);
    if (status != RBV_OK)
        return status;
    rbv_reactions_judge(reactions, b->state, solvability);
    rbv_choice_judge(choice, b->state, solvability, reactions);
    return rbv_spread_loads(reactions, b->state, NULL) ? RBV_OK : RBV_NO_MEMORY;
}
