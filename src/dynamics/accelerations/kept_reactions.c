/* Reactions of all rows, and with the forces of gears and belts along lines of centres; see kept_reactions.h. */
#include "dynamics/accelerations/kept_reactions.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"

#include <math.h>
#include <string.h>

bool rbv_kept_reactions_create(RbvKeptReactions *kept_reactions, RbvState *state, RbvSaddle *motion) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->bodies.size + 1;
    *kept_reactions = (RbvKeptReactions){.state = state, .motion = motion};
    if (!system->kept)
        return true;
    kept_reactions->absolute = rbv_absolute_state_create(state);
    kept_reactions->saddle =
        kept_reactions->absolute ? rbv_saddle_create(kept_reactions->absolute, system->friction_count > 0) : NULL;
    kept_reactions->f = rbv_arena_array(&kept_reactions->arena, n, sizeof *kept_reactions->f);
    kept_reactions->x = rbv_arena_array(&kept_reactions->arena, n, sizeof *kept_reactions->x);
    kept_reactions->kept =
        rbv_arena_array(&kept_reactions->arena, (size_t)system->row_count + 1, sizeof *kept_reactions->kept);
    kept_reactions->lambda =
        rbv_arena_array(&kept_reactions->arena, (size_t)system->row_count + 1, sizeof *kept_reactions->lambda);
    return kept_reactions->saddle && kept_reactions->f && kept_reactions->x && kept_reactions->kept &&
           kept_reactions->lambda;
}

void rbv_kept_reactions_destroy(RbvKeptReactions *kept_reactions) {
    rbv_saddle_destroy(kept_reactions->saddle);
    rbv_state_destroy(kept_reactions->absolute);
    rbv_arena_clear(&kept_reactions->arena);
    *kept_reactions = (RbvKeptReactions){0};
}

void rbv_kept_reactions_forget(RbvKeptReactions *kept_reactions) {
    if (kept_reactions->saddle)
        rbv_saddle_forget(kept_reactions->saddle);
}

/* The absolute system at the bodies of the state, with its Jacobian and masses. False: not finite. */
static bool follow(RbvKeptReactions *kept_reactions) {
    RbvState *absolute = kept_reactions->absolute;
    int32_t n = absolute->system->model->generalized.count;
    rbv_absolute_state_follow(kept_reactions->state, absolute);
    memcpy(absolute->mass, kept_reactions->state->mass, (size_t)n * (size_t)n * sizeof *absolute->mass);
    if (!rbv_state_place(absolute))
        return false;
    rbv_state_jacobian(absolute);
    return rbv_state_rates(absolute) && rbv_state_move(absolute);
}

static bool factor_absolute(RbvKeptReactions *kept_reactions) {
    bool good = follow(kept_reactions) && rbv_saddle_factor(kept_reactions->saddle);
    kept_reactions->state->no_memory = kept_reactions->state->no_memory || kept_reactions->absolute->no_memory;
    return good;
}

bool rbv_kept_reactions_place(RbvKeptReactions *kept_reactions, const bool *carrying) {
    if (!kept_reactions->absolute)
        return true;
    rbv_saddle_set_active(kept_reactions->saddle, carrying);
    rbv_saddle_set_known(kept_reactions->saddle);
    return factor_absolute(kept_reactions);
}

bool rbv_kept_reactions_prepare(RbvKeptReactions *kept_reactions, const bool *carrying) {
    const double *weight = rbv_saddle_weights(kept_reactions->motion);
    if (!kept_reactions->absolute)
        return true;
    for (int32_t k = 0; k < kept_reactions->state->system->row_count; k++)
        kept_reactions->kept[k] = (!carrying || carrying[k]) && !(weight[k] > 0);
    rbv_saddle_set_active(kept_reactions->saddle, kept_reactions->kept);
    rbv_saddle_set_redundant(kept_reactions->saddle, false);
    return factor_absolute(kept_reactions);
}

/* f: the wrenches on bodies less their inertia forces (m, J) a, as numbers of body twists (NULL: zero). */
static void find_missing(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches, const RbvTwist *accelerations) {
    const RbvBodyColumns *bodies = &kept_reactions->absolute->system->bodies;
    memset(kept_reactions->f, 0, (size_t)bodies->size * sizeof *kept_reactions->f);
    if (accelerations)
        rbv_state_body_inertia(kept_reactions->absolute, accelerations, kept_reactions->f);
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvWrench on = wrenches ? wrenches[b] : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
        rbv_bodies_put(bodies, b, (RbvTwist){on.force, on.torque}, kept_reactions->x);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            kept_reactions->f[j] = kept_reactions->x[j] - kept_reactions->f[j];
    }
}

bool rbv_kept_reactions_solve(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches,
                              const RbvTwist *accelerations, double *lambda) {
    find_missing(kept_reactions, wrenches, accelerations);
    return rbv_saddle_solve(kept_reactions->saddle, kept_reactions->f, NULL, kept_reactions->x, lambda);
}

/* Multipliers of the kept rows, added to those of the others in lambda, for the wrenches and the absolute system's
 * accelerations. */
static bool complete(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches, double *lambda) {
    const RbvRowPattern *D = &kept_reactions->absolute->system->D;
    int32_t rows = kept_reactions->absolute->system->row_count;
    find_missing(kept_reactions, wrenches, kept_reactions->absolute->accelerations);
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = D->start[k]; !kept_reactions->kept[k] && e < D->start[k + 1]; e++)
            kept_reactions->f[D->column[e]] -= kept_reactions->absolute->D[e] * lambda[k];
    bool good =
        rbv_saddle_solve(kept_reactions->saddle, kept_reactions->f, NULL, kept_reactions->x, kept_reactions->lambda);
    for (int32_t k = 0; k < rows; k++)
        lambda[k] = kept_reactions->kept[k] ? kept_reactions->lambda[k] : lambda[k];
    return good;
}

bool rbv_kept_reactions_accelerate(RbvKeptReactions *kept_reactions, double *a, double *lambda) {
    const RbvState *state = kept_reactions->state;
    if (!rbv_saddle_solve(kept_reactions->motion, state->Q, state->gamma, a, lambda))
        return false;
    if (!kept_reactions->absolute)
        return true;
    rbv_coordinates_accelerate(&state->system->coordinates, rbv_state_at(state), state->v, a,
                               kept_reactions->absolute->accelerations);
    return complete(kept_reactions, state->wrenches, lambda);
}

/* Completes lambda for the accelerations x that the wrenches cause from rest: they have no bias. */
static bool complete_answer(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches, const double *x,
                            double *lambda) {
    const RbvState *state = kept_reactions->state;
    if (!kept_reactions->absolute)
        return true;
    rbv_coordinates_velocities(&state->system->coordinates, rbv_state_at(state), x,
                               kept_reactions->absolute->accelerations);
    return complete(kept_reactions, wrenches, lambda);
}

bool rbv_kept_reactions_answer(RbvKeptReactions *kept_reactions, double *Q, double *x, double *lambda) {
    return rbv_saddle_answer(kept_reactions->motion, Q, x, lambda) &&
           complete_answer(kept_reactions, rbv_saddle_pushed(kept_reactions->motion), x, lambda);
}

bool rbv_kept_reactions_jump(RbvKeptReactions *kept_reactions, const double *g, double *x, double *lambda) {
    return rbv_saddle_solve(kept_reactions->motion, NULL, g, x, lambda) &&
           complete_answer(kept_reactions, NULL, x, lambda);
}

bool rbv_kept_reactions_left(RbvKeptReactions *kept_reactions, double *lambda) {
    rbv_saddle_set_redundant(kept_reactions->saddle, rbv_saddle_is_redundant(kept_reactions->motion));
    find_missing(kept_reactions, kept_reactions->state->wrenches, NULL);
    return rbv_saddle_factor(kept_reactions->saddle) &&
           rbv_saddle_left(kept_reactions->saddle, kept_reactions->f, kept_reactions->absolute->gamma,
                           kept_reactions->x, lambda);
}

/* Forces of gears and belts along lines of centres: teeth push wheels apart and belts pull them together in proportion
 * to their forces, and the answer of the constraints changes these forces.
 *
 *   lambda = bare + answer(L(lambda)),   L: wrenches along lines of centres (reactions.h)
 *
 * RBV_ROUNDING: part of the largest multiplier; they have settled when they change by less. */
#define MOST_LINE_PASSES 100

bool rbv_tooth_pushes(RbvReactions *r, RbvKeptReactions *kept_reactions, const double *bare, double *Q, double *mu) {
    int32_t rows = kept_reactions->state->system->row_count;
    memcpy(r->lambda, bare, (size_t)rows * sizeof *r->lambda);
    for (int pass = 0; r->has_line && pass < MOST_LINE_PASSES; pass++) {
        double change = 0, largest = 0;
        rbv_reactions_lines(r, kept_reactions->state, rbv_saddle_wrenches(kept_reactions->motion));
        if (!rbv_kept_reactions_answer(kept_reactions, Q, Q, mu))
            return false;
        for (int32_t k = 0; k < rows; k++) {
            double next = bare[k] + mu[k];
            change = rbv_max(change, fabs(next - r->lambda[k]));
            largest = rbv_max(largest, fabs(next));
            r->lambda[k] = next;
        }
        if (change <= RBV_ROUNDING * largest)
            return true;
    }
    return !r->has_line;
}
