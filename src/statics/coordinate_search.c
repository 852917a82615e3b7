/* From bodies to other coordinates, by a method there, and back; see coordinate_search.h. */
#include "statics/coordinate_search.h"

#include "assembly/absolute_state.h"

#include <stdlib.h>
#include <string.h>

/* Of the size: what bodies may still move by when the balance of bodies looks at the place. More is no rounding. */
#define SAME_PLACE 1e-6
/* The same of a method that lets rows yield, whose multipliers end where its stiffness does: beyond this errors of
 * forces know of it. Next to a singular position little is much. */
#define SAME_RIGID_PLACE 5e-11

/* Coordinates of a deep tree whose stiffness is full. */
#define MOST_OF_A_TREE 1000

/* What the balance of bodies still moves is rounding. The place of a penalty is as it is. */
static RbvStatus hand_over(RbvEquilibriumSearch *search, bool yields) {
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
    bool rests =
        rbv_balance_left(b, b->lambda) <= rbv_equilibrium_tolerance(search) && b->error <= RBV_EQUILIBRIUM_ROWS;
    RbvStatus status = rbv_equilibrium_polish(search);
    search->steps = steps;
    rbv_coordinates_difference(&b->system->coordinates, place, b->state->q, search->y);
    for (int32_t j = 0; j < b->n; j++)
        search->y[j] /= b->scale[j];
    search->handed = rbv_balance_extent(b, search->y);
    if (rests && !(status == RBV_OK &&
                   search->handed <= SAME_PLACE)) { /* along a motion that no force resists there is no nearest place */
        memcpy(b->state->q, place, positions);
        search->handed = 0;
        status = rbv_balance_place(b) && rbv_balance_multipliers(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    }
    free(place);
    b->apart = yields && search->handed > SAME_RIGID_PLACE ? search->handed * b->reach : 0;
    if (status == RBV_OK && !(search->handed <= SAME_PLACE))
        return rbv_equilibrium_fail(search, "the place that other coordinates come to is not one where bodies rest%s",
                                    "");
    return status;
}

/* What is pressed there is pressed here. */
static void take_pressed(const RbvSupports *from, RbvSupports *to) {
    for (int32_t k = 0; k < to->contacts.count; k++)
        if (to->held[k] != from->held[k])
            rbv_supports_take(to, k, from->held[k]);
    to->changes = from->changes;
    rbv_balance_weigh(to->balance);
}

/* The place, what is pressed, and the multipliers of rows that are in both: of those that the bodies may have, the
 * nearest to these will be taken. */
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
    to->off = from->off;
}

RbvStatus rbv_coordinate_search_open(RbvCoordinateSearch *to, const RbvSystem *system, RbvEquilibriumSearch *search) {
    RbvState *bodies = search->balance->state;
    *to = (RbvCoordinateSearch){0};
    if (rbv_along_joints_fits(system) && system->coordinates.size > MOST_OF_A_TREE)
        return rbv_equilibrium_fail(search,
                                    "this has a full matrix in joint coordinates of so deep a tree, of 1000 "
                                    "coordinates at most; --coordinates absolute has a sparse one%s",
                                    "");
    *to = (RbvCoordinateSearch){.state = rbv_state_create(system)};
    if (!to->state)
        return RBV_NO_MEMORY;
    to->state->active = bodies->active;
    to->state->acting = bodies->acting;
    to->state->guides = bodies->guides;
    to->state->lenient = bodies->lenient;
    to->state->progress = bodies->progress;
    rbv_absolute_state_read(to->state, bodies);
    if (search->supports && !rbv_supports_like(&to->supports, to->state, search->supports, NULL))
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
    return rbv_balance_place(to->balance)
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

/* Methods that let rows yield have to know which rows the coordinates keep, and virtual power is dense in any case; the
 * others may step over bodies, along the joints of a deep tree. */
static bool goes_along(const RbvSystem *system, RbvEquilibriumMethod *method) {
    bool dense = method == rbv_equilibrium_by_virtual_power && system->coordinates.size <= MOST_OF_A_TREE;
    return !lets_yield(method) && !dense && rbv_along_joints_fits(system);
}

static RbvStatus go_along(const RbvSystem *system, RbvEquilibriumMethod *method, RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    if (!b->along && !(b->along = rbv_along_joints_create(system)))
        return RBV_NO_MEMORY;
    RbvStatus status = RBV_OK;
    for (bool again = true; status == RBV_OK && again;) {
        status = method(search);
        again = false;
        if (status == RBV_OK)
            status = rbv_equilibrium_settle(search, &again);
    }
    return status;
}

RbvStatus rbv_equilibrium_in_coordinates(const RbvSystem *system, RbvEquilibriumMethod *method,
                                         RbvEquilibriumSearch *search) {
    if (goes_along(system, method))
        return go_along(system, method, search);
    RbvCoordinateSearch other;
    RbvStatus status = rbv_coordinate_search_open(&other, system, search);
    for (bool again = true; status == RBV_OK && again;) { /* by energy nothing is left to settle */
        status = method(&other.search);
        again = false;
        if (status == RBV_OK)
            status = rbv_equilibrium_settle(&other.search, &again);
    }
    search->steps = other.balance ? other.search.steps : search->steps;
    if (status == RBV_OK)
        carry(&other.search, search);
    if (other.state && other.state->no_memory)
        status = RBV_NO_MEMORY;
    rbv_coordinate_search_close(&other);
    return status == RBV_OK ? hand_over(search, lets_yield(method)) : status;
}
