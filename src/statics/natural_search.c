/* From bodies to points and vectors, by a method there, and back; see natural_search.h. */
#include "statics/natural_search.h"

#include "assembly/twin.h"
#include "base/diagnostics.h"
#include "statics/natural_methods.h"

#include <stdlib.h>
#include <string.h>

/* Of the size: what bodies may still move by when the balance of bodies looks at the place. More is no rounding. */
#define SAME_PLACE 1e-6

static RbvRestMethod *const methods[] = {
    [RBV_STATICS_DEFAULT] = rbv_rest_by_newton,
    [RBV_STATICS_ENERGY] = rbv_rest_by_energy,       [RBV_STATICS_LAGRANGE] = rbv_rest_by_lagrange,           [RBV_STATICS_PENALTY] = rbv_rest_by_penalty,
    [RBV_STATICS_AUGMENTED] = rbv_rest_by_augmented, [RBV_STATICS_VIRTUAL_POWER] = rbv_rest_by_virtual_power, [RBV_STATICS_RELAXATION] = rbv_rest_by_relaxation,
};

RbvStatus rbv_natural_admits(const RbvSystem *system, bool one_sided, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    const char *why = system->coordinates.size > RBV_REST_MOST ? "its matrices are dense, and the mechanism has more than 600 of them"
                      : one_sided                              ? "stops and one-sided joints are held and let go in absolute coordinates only"
                      : options->locked && system->rate_count > 0 ? "rows on rates, which --locked holds, are held in absolute coordinates only"
                                                                  : NULL;
    if (!why)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0}, "statics with --coordinates natural does not take this: %s", why);
    return RBV_BAD_INPUT;
}

/* What the balance of bodies still moves is rounding. The place of a penalty is as it is. */
static RbvStatus hand_over(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    size_t positions = (size_t)b->system->coordinates.position_size * sizeof(double);
    if (!rbv_balance_place(b) || !rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(search, "no multipliers at the equilibrium%s", "");
    if (search->coefficient > 0)
        return RBV_OK;
    double *place = malloc(positions + 1);
    int32_t steps = search->steps;
    if (!place)
        return RBV_NO_MEMORY;
    memcpy(place, b->state->q, positions);
    RbvStatus status = rbv_equilibrium_polish(search);
    search->steps = steps;
    rbv_coordinates_difference(&b->system->coordinates, place, b->state->q, search->y);
    for (int32_t j = 0; j < b->n; j++)
        search->y[j] /= b->scale[j];
    free(place);
    search->handed = rbv_balance_extent(b, search->y);
    if (status == RBV_OK && !(search->handed <= SAME_PLACE))
        return rbv_equilibrium_fail(search, "the place that natural coordinates come to is not one where bodies rest%s", "");
    return status;
}

static RbvStatus go(RbvRest *rest, RbvState *state, RbvStaticsMethod method, RbvEquilibriumSearch *search) {
    if (!rbv_rest_create(rest, state, search))
        return RBV_NO_MEMORY;
    if (!rbv_rest_place(rest))
        return rbv_rest_fail(rest, "the loads are not finite in natural coordinates");
    return methods[method](rest);
}

RbvStatus rbv_equilibrium_natural(const RbvSystem *system, RbvStaticsMethod method, RbvEquilibriumSearch *search) {
    RbvState *bodies = search->balance->state, *state = rbv_state_create(system);
    RbvRest rest = {0};
    if (!state)
        return RBV_NO_MEMORY;
    state->active = bodies->active;
    state->acting = bodies->acting;
    state->guides = bodies->guides;
    state->lenient = bodies->lenient;
    state->watch = bodies->watch;
    rbv_twin_read(state, bodies);
    RbvStatus status = go(&rest, state, method, search);
    if (status == RBV_OK) {
        rbv_rest_place(&rest);
        rbv_twin_write(state, bodies);
    }
    bool no_memory = state->no_memory;
    rbv_rest_destroy(&rest);
    rbv_state_destroy(state);
    return no_memory ? RBV_NO_MEMORY : status == RBV_OK ? hand_over(search) : status;
}
