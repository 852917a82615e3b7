/* The modes of least frequency of large mechanisms: K u = mu M u on the tangent space, at rest in equilibrium and
 * without damping, by shift and invert on the sparse system of statics (statics/stability_sparse.c). They are modes of
 * z'' = -mu z, as dense algebra finds all of them (dynamics/vibration/linear_rest.c); the same steps name and record
 * them.
 */
#include "analysis/analyses/modes.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "statics/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [m] Size of the largest body. */
static double length_of(const RbvState *state) {
    double length = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        length = rbv_max(length, state->size[b]);
    return length > 0 ? length : 1;
}

/* Why these modes are not looked for here, by what the model has; NULL: nothing is in the way. */
static const char *structure_refuses(const RbvState *state, const RbvSliding *sliding) {
    const RbvSystem *system = state->system;
    if (system->model->states.count > 0)
        return "states of the model's own";
    if (sliding)
        return "friction that slides";
    for (int32_t k = 0; k < system->row_count; k++)
        if (system->rows[k].on_rates && rbv_state_holds(state, k))
            return "rows on velocities";
    return NULL;
}

/* Does the state stand still, and would go on to do so? `locked`: drives stand still whatever their motion. */
static bool rests(const RbvState *state, bool locked, double length, const double *scale) {
    double speed = 0, gain = 0;
    for (int32_t j = 0; j < state->system->coordinates.size; j++)
        speed = rbv_max(speed, fabs(state->v[j] / scale[j]));
    for (int32_t k = 0; k < state->system->row_count; k++)
        if (rbv_state_holds(state, k))
            gain = rbv_max(gain, fabs(state->gamma[k]) * (state->system->rows[k].angular ? length : 1));
    return locked || (speed <= RBV_CANCELLED * length && gain <= RBV_CANCELLED * length);
}

/* Evaluates the state with velocities v[n], or at rest with NULL. */
static bool load_at(RbvState *state, const double *v) {
    size_t size = (size_t)state->system->coordinates.size * sizeof *state->v;
    if (v)
        memcpy(state->v, v, size);
    else
        memset(state->v, 0, size);
    return rbv_state_move(state) && rbv_state_load(state);
}

/* Do forces change with the sign of all velocities? Velocities are sums of the motions found, with different weights:
 * what acts in other motions alone is not seen, and does not change these. */
static bool is_damped(RbvState *state, const RbvLowestMotions *found, const double *scale, double length, double *work,
                      bool *good) {
    size_t n = (size_t)state->system->coordinates.size;
    double *v = work, *forward = work + n, largest = 0;
    memset(v, 0, n * sizeof *v);
    for (int32_t k = 0; k < found->count; k++)
        for (size_t j = 0; j < n; j++)
            v[j] += sin(1.7 + k) * found->u[(size_t)k * n + j];
    for (size_t j = 0; j < n; j++)
        largest = rbv_max(largest, fabs(v[j]));
    for (size_t j = 0; j < n && largest > 0; j++)
        v[j] *= RBV_LEAST_SCALE * length * scale[j] / largest;
    *good = load_at(state, v);
    memcpy(forward, state->Q, n * sizeof *forward);
    for (size_t j = 0; j < n; j++)
        v[j] = -v[j];
    *good = *good && load_at(state, v);
    bool damped = *good && memcmp(forward, state->Q, n * sizeof *forward) != 0;
    *good = load_at(state, NULL) && *good;
    return damped;
}

/* Hands the motions over as rbv_linear_at_rest does. */
static bool keep_motions(RbvLinear *l, const RbvLowestMotions *found, const double *scale) {
    size_t n = (size_t)l->n, count = (size_t)found->count;
    l->size = l->places = found->count;
    l->square = rbv_arena_array(&l->results, count + 1, sizeof(double));
    l->neutral = rbv_arena_array(&l->results, count + 1, sizeof(double));
    l->shape = rbv_arena_array(&l->results, n * count + 1, sizeof(double));
    if (!l->square || !l->neutral || !l->shape)
        return false;
    memcpy(l->square, found->mu, count * sizeof(double));
    memcpy(l->neutral, found->neutral, count * sizeof(double));
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < n; j++)
            l->shape[j * count + k] = scale[j] * found->u[k * n + j];
    return true;
}

/* The motions of the balance, whose state is at rest; *refusal: why they are no undamped modes. */
static RbvStatus find_motions(RbvBalance *b, int32_t count, double length, RbvLinear *l, const char **refusal) {
    size_t n = (size_t)b->n;
    RbvArena arena = {0};
    RbvLowestMotions found = {.mu = rbv_arena_array(&arena, (size_t)count + 1, sizeof(double)),
                              .neutral = rbv_arena_array(&arena, (size_t)count + 1, sizeof(double)),
                              .u = rbv_arena_array(&arena, (size_t)count * n + 1, sizeof(double))};
    double *work = rbv_arena_array(&arena, 2 * n + 1, sizeof *work);
    bool memory = found.mu && found.neutral && found.u && work, good = true;
    RbvStatus status = memory ? rbv_lowest_motions(b, count, &found) : RBV_NO_MEMORY;
    if (status == RBV_LOCKED)
        *refusal = "an iteration that does not converge";
    if (status == RBV_OK && found.massless)
        *refusal = "a motion without mass and stiffness, which the joints leave free";
    if (status == RBV_OK && !*refusal && is_damped(b->state, &found, b->scale, length, work, &good))
        *refusal = "damping";
    if (status == RBV_OK && !good)
        status = RBV_NOT_FINITE;
    if (status == RBV_OK && !*refusal && !keep_motions(l, &found, b->scale))
        status = RBV_NO_MEMORY;
    rbv_arena_clear(&arena);
    return status == RBV_LOCKED ? RBV_OK : status;
}

/* Forces left over are a part of the loads, rounding of multipliers, which are far larger than the loads in long
 * chains, or the largest stiffness times the error of positions; as of dense modes. */
static bool is_balanced(RbvBalance *b) {
    double loads = rbv_max(RBV_BALANCED * b->force_size, RBV_EQUILIBRIUM_LEFT * rbv_balance_largest(b));
    return rbv_balance_residual(b, b->lambda) <= loads + RBV_DATA * b->kappa * b->reach;
}

RbvStatus rbv_modes_lowest(RbvState *state, const RbvSliding *sliding, bool locked, int32_t count, RbvLinear *l,
                           const char **refusal) {
    const double length = length_of(state);
    *l = (RbvLinear){.state = state, .n = state->system->coordinates.size, .rest = true, .equilibrium = true};
    *refusal = structure_refuses(state, sliding);
    if (*refusal)
        return RBV_OK;
    double *scale = rbv_state_column_scales(state);
    bool good = scale && rbv_state_place(state);
    if (good)
        rbv_state_jacobian(state);
    good = good && rbv_state_masses(state) && rbv_state_rates(state);
    if (good && !rests(state, locked, length, scale))
        *refusal = "a motion";
    bool memory = scale && !state->no_memory;
    free(scale);
    if (!memory)
        return RBV_NO_MEMORY;
    if (*refusal || !good)
        return good ? RBV_OK : RBV_NOT_FINITE;
    RbvStatus status = RBV_OK;
    if (!load_at(state, NULL))
        return RBV_NOT_FINITE;
    RbvBalance *b = rbv_balance_create(state, false);
    if (!b)
        return RBV_NO_MEMORY;
    if (!rbv_balance_evaluate(b) || !rbv_balance_multipliers(b))
        status = state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
    else if (isnan(b->V))
        *refusal = "loads without an energy";
    else if (!is_balanced(b))
        *refusal = "forces that do not balance";
    else
        status = find_motions(b, count, length, l, refusal);
    rbv_balance_destroy(b);
    return status;
}
