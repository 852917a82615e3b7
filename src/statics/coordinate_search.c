/* Transfers a state from bodies to other coordinates, searches there, and transfers the equilibrium back. */
#include "statics/equilibrium.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"

#include <stdlib.h>
#include <string.h>

/* As RBV_FITS, for methods with yielding rows, whose multipliers are as exact as the penalty's stiffness allows:
 * beyond this displacement the error bounds of forces account for it. Near a singular position a small displacement has
 * a large effect. */
#define SAME_RIGID_PLACE 5e-11

/* Most coordinates of a deep tree for a full stiffness matrix. */
#define MOST_OF_A_TREE 1000

/* Balances the transferred equilibrium over bodies, where only rounding should move it. The equilibrium of a penalty
 * stays as it is. */
static RbvStatus hand_over(RbvEquilibriumSearch *search, bool yields) {
    RbvBalance *b = search->balance;
    size_t positions = (size_t)b->system->coordinates.position_size * sizeof(double);
    if (!rbv_balance_evaluate(b) || !rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(search, "no multipliers at the equilibrium%s", "");
    if (search->coefficient > 0)
        return RBV_OK;
    double *place = malloc(positions + 1);
    int32_t steps = search->steps;
    if (!place)
        return RBV_NO_MEMORY;
    memcpy(place, b->state->q, positions);
    /* Rows are as exact as the projections of all methods leave them: balancing removes that error, but may move the
     * bodies along a motion without stiffness by any amount. */
    bool rests = rbv_balance_residual(b, b->lambda) <= rbv_equilibrium_tolerance(search) && b->error <= RBV_ROUNDING;
    RbvStatus status = rbv_equilibrium_polish(search);
    search->steps = steps;
    rbv_coordinates_difference(&b->system->coordinates, place, b->state->q, search->y);
    for (int32_t j = 0; j < b->n; j++)
        search->y[j] /= b->scale[j];
    search->transfer_move = rbv_balance_extent(b, search->y);
    /* Largest displacement, as a part of the size, when the transferred equilibrium is balanced over bodies. A larger
     * one is no rounding. */
    if (rests && !(status == RBV_OK &&
                   search->transfer_move <= RBV_FITS)) { /* no nearest equilibrium: a motion without stiffness */
        memcpy(b->state->q, place, positions);
        search->transfer_move = 0;
        status = rbv_balance_evaluate(b) && rbv_balance_multipliers(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    }
    free(place);
    b->allowed_error = yields && search->transfer_move > SAME_RIGID_PLACE ? search->transfer_move * b->reach : 0;
    if (status == RBV_OK && !(search->transfer_move <= RBV_FITS))
        return rbv_equilibrium_fail(search, "the place that other coordinates come to is not one where bodies rest%s",
                                    "");
    return status;
}

/* Closes the supports that are closed in `from`, and opens all others. */
static void take_pressed(const RbvSupports *from, RbvSupports *to) {
    for (int32_t k = 0; k < to->contacts.count; k++)
        if (to->closed[k] != from->closed[k])
            rbv_supports_set(to, k, from->closed[k]);
    to->changes = from->changes;
    rbv_balance_weigh(to->balance);
}

/* Transfers positions, closed supports, and the multipliers of rows that both systems have. Among the multipliers that
 * balance the bodies those nearest to these are taken later. */
static void carry(const RbvEquilibriumSearch *from, RbvEquilibriumSearch *to) {
    const RbvBalance *a = from->balance;
    RbvBalance *b = to->balance;
    rbv_state_place(a->state);
    rbv_absolute_state_write(a->state, b->state);
    if (to->supports)
        take_pressed(from->supports, to->supports);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] = b->weight[k] > 0 ? a->lambda[k] * a->weight[k] / b->weight[k] : 0;
    to->steps = from->steps;
    to->rounds = from->rounds;
    to->coefficient = from->coefficient;
    to->position_error = from->position_error;
}

RbvStatus rbv_coordinate_search_open(RbvCoordinateSearch *to, const RbvSystem *system, RbvEquilibriumSearch *search) {
    RbvState *bodies = search->balance->state;
    *to = (RbvCoordinateSearch){0};
    if (rbv_along_joints_fits(system) && system->coordinates.size > MOST_OF_A_TREE)
        return rbv_equilibrium_fail(search,
                                    "this has a full matrix in joint coordinates of so deep a tree, of 1000 "
                                    "coordinates at most; " RBV_OPTION_COORDINATES " absolute has a sparse one%s",
                                    "");
    *to = (RbvCoordinateSearch){.state = rbv_state_create(system)};
    if (!to->state)
        return RBV_NO_MEMORY;
    to->state->active = bodies->active;
    to->state->acting = bodies->acting;
    to->state->targets = bodies->targets;
    to->state->lenient = bodies->lenient;
    to->state->progress = bodies->progress;
    rbv_absolute_state_read(to->state, bodies);
    if (search->supports && !rbv_supports_copy(&to->supports, to->state, search->supports, NULL))
        return RBV_NO_MEMORY;
    to->balance = rbv_balance_create(to->state, search->balance->locked);
    if (!to->balance || rbv_equilibrium_create(&to->search, to->balance, search->diagnostics) != RBV_OK)
        return RBV_NO_MEMORY;
    to->search.damping = search->damping;
    to->search.penalty = search->penalty;
    to->search.progress = search->progress;
    to->search.steps = search->steps;
    to->search.bodies = search->balance;
    to->search.supports = search->supports ? &to->supports : NULL;
    to->supports.balance = to->balance;
    to->supports.changes = search->supports ? search->supports->changes : 0;
    return rbv_balance_evaluate(to->balance)
               ? RBV_OK
               : rbv_equilibrium_fail(&to->search, "the loads are not finite in %s coordinates",
                                      system->coordinates.kind->name);
}

void rbv_coordinate_search_close(RbvCoordinateSearch *to) {
    rbv_equilibrium_destroy(&to->search);
    rbv_balance_destroy(to->balance);
    rbv_state_destroy(to->state);
    rbv_supports_destroy(&to->supports);
}

static bool lets_yield(RbvEquilibriumMethod *method) {
    return method == rbv_equilibrium_by_penalty || method == rbv_equilibrium_by_augmented;
}

/* True if the method works over bodies with steps along the joints of a deep tree. Methods with yielding rows have to
 * know which rows the coordinates keep, and virtual power is dense in any case. */
static bool goes_along(const RbvSystem *system, RbvEquilibriumMethod *method) {
    bool dense = method == rbv_equilibrium_by_virtual_power && system->coordinates.size <= MOST_OF_A_TREE;
    return !lets_yield(method) && !dense && rbv_along_joints_fits(system);
}

static RbvStatus go_along(const RbvSystem *system, RbvEquilibriumMethod *method, RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    if (!b->along && !(b->along = rbv_along_joints_create(system)))
        return RBV_NO_MEMORY;
    return rbv_equilibrium_run(method, search);
}

RbvStatus rbv_equilibrium_in_coordinates(const RbvSystem *system, RbvEquilibriumMethod *method,
                                         RbvEquilibriumSearch *search) {
    if (goes_along(system, method))
        return go_along(system, method, search);
    RbvCoordinateSearch other;
    RbvStatus status = rbv_coordinate_search_open(&other, system, search);
    if (status == RBV_OK) /* the method by energy has settled the supports itself */
        status = rbv_equilibrium_run(method, &other.search);
    search->steps = other.balance ? other.search.steps : search->steps;
    if (status == RBV_OK)
        carry(&other.search, search);
    if (other.state && other.state->no_memory)
        status = RBV_NO_MEMORY;
    rbv_coordinate_search_close(&other);
    return status == RBV_OK ? hand_over(search, lets_yield(method)) : status;
}
