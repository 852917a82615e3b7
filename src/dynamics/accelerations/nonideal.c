/* Non-ideal constraint forces; see nonideal.h. */
#include "dynamics/accelerations/nonideal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool rbv_nonideal_create(RbvNonidealForces *f, const RbvSystem *system) {
    size_t n = (size_t)system->coordinates.size + 1, constraints = (size_t)system->model->constraints.count + 1;
    *f = (RbvNonidealForces){.system = system};
    f->ideal = rbv_arena_array(&f->arena, constraints, sizeof *f->ideal);
    f->power = rbv_arena_array(&f->arena, constraints, sizeof *f->power);
    f->mu = rbv_arena_array(&f->arena, (size_t)system->row_count + 1, sizeof *f->mu);
    f->wrenches = rbv_arena_array(&f->arena, (size_t)system->model->bodies.count + 1, sizeof *f->wrenches);
    f->F = rbv_arena_array(&f->arena, n, sizeof *f->F);
    f->Delta = rbv_arena_array(&f->arena, n, sizeof *f->Delta);
    f->work = rbv_arena_array(&f->arena, (size_t)system->work_size + 64, sizeof *f->work);
    return f->ideal && f->power && f->mu && f->wrenches && f->F && f->Delta && f->work;
}

void rbv_nonideal_destroy(RbvNonidealForces *f) {
    rbv_arena_clear(&f->arena);
    *f = (RbvNonidealForces){0};
}

static double value_of(const RbvNonidealForces *f, const RbvState *state, const RbvNonideal *nonideal) {
    const RbvResultValues values = {.multiplier = f->ideal};
    return rbv_state_expression(state, nonideal->force, &values, f->work);
}

/* Finds F of one constraint, or of all (-1); inactive constraints have none. False: a value is not finite. */
static bool find_force(RbvNonidealForces *f, const RbvState *state, int32_t constraint) {
    const RbvModel *model = f->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    memset(f->wrenches, 0, (size_t)model->bodies.count * sizeof *f->wrenches);
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *nonideal = &model->nonideals.items[k];
        if ((constraint >= 0 && nonideal->constraint != constraint) ||
            !rbv_state_holds(state, f->system->constraint_row[nonideal->constraint]))
            continue;
        double value = value_of(f, state, nonideal);
        if (!isfinite(value))
            return false;
        rbv_push_measure(&at, f->wrenches, nonideal->measure, value);
    }
    rbv_coordinates_generalized_forces(&f->system->coordinates, rbv_state_at(state), f->wrenches, f->F);
    return true;
}

bool rbv_nonideal_push(RbvNonidealForces *f, RbvState *state, const double *lambda) {
    const RbvSystem *system = f->system;
    for (int32_t k = 0; k < system->model->constraints.count; k++)
        f->ideal[k] = -lambda[system->constraint_row[k]];
    if (!find_force(f, state, -1))
        return false;
    for (int32_t b = 0; b < system->model->bodies.count; b++)
        rbv_push_body(state->wrenches, b, f->wrenches[b]);
    for (int32_t j = 0; j < system->coordinates.size; j++)
        state->Q[j] += f->F[j];
    return true;
}

RbvStatus rbv_nonideal_find_power(RbvNonidealForces *f, const RbvState *state, RbvSaddle *saddle) {
    const RbvSystem *system = f->system;
    RbvStatus status = RBV_OK;
    for (int32_t c = 0; status == RBV_OK && c < system->model->constraints.count; c++) {
        f->power[c] = 0;
        if (!system->model->constraints.items[c].nonideal)
            continue;
        bool good = find_force(f, state, c) && rbv_saddle_solve(saddle, f->F, NULL, f->Delta, f->mu);
        status = good ? RBV_OK : RBV_LOCKED;
        for (int32_t j = 0; j < system->coordinates.size; j++)
            f->power[c] += f->F[j] * state->v[j];
        for (int32_t k = 0; k < system->row_count; k++)
            f->power[c] -= f->mu[k] * state->nu[k];
    }
    return status;
}

void rbv_nonideal_explain(const RbvNonidealForces *f, const RbvState *state, char *message, size_t size) {
    const RbvModel *model = f->system->model;
    message[0] = '\0';
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *nonideal = &model->nonideals.items[k];
        char why[160] = "";
        if (isfinite(value_of(f, state, nonideal)))
            continue;
        rbv_expr_explain(nonideal->force, f->work, f->work + rbv_expr_variable_count(nonideal->force), why, sizeof why);
        snprintf(message, size, "constraint '%s', nonideal along %s: %s",
                 model->constraints.items[nonideal->constraint].name, nonideal->coordinate, why);
        return;
    }
}
