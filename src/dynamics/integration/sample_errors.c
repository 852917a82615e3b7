/* Errors of forces from those of the motion; see sample_errors.h.
 *
 * Loads at a changed state differ by Q' - Q = dQ; [M C^T; C 0] (x, mu) = (dQ, 0) gives the answer mu of the rows. */
#include "dynamics/integration/sample_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_sample_errors_create(RbvSampleErrors *e, RbvFlow *flow, const RbvReactions *reactions) {
    const RbvSystem *system = flow->system;
    size_t n = (size_t)flow->n + 1, positions = (size_t)flow->positions + 1;
    *e = (RbvSampleErrors){.flow = flow};
    e->q = calloc(positions, sizeof *e->q);
    e->v = calloc(n, sizeof *e->v);
    e->Q = calloc(n, sizeof *e->Q);
    e->loads = calloc(n, sizeof *e->loads);
    e->wrenches = calloc((size_t)system->bodies.count + 1, sizeof *e->wrenches);
    e->accelerations = calloc((size_t)system->bodies.count + 1, sizeof *e->accelerations);
    e->loaded = calloc((size_t)system->bodies.count + 1, sizeof *e->loaded);
    e->share = calloc(n, sizeof *e->share);
    e->step = calloc(n, sizeof *e->step);
    e->mu = calloc((size_t)system->row_count + 1, sizeof *e->mu);
    e->lambda = calloc((size_t)system->row_count + 1, sizeof *e->lambda);
    bool values = rbv_error_values_create(reactions, &e->values);
    if (!values || !e->q || !e->v || !e->Q || !e->loads || !e->wrenches || !e->loaded || !e->accelerations ||
        !e->share || !e->step || !e->mu || !e->lambda)
        return false;
    rbv_coordinates_scale(&system->coordinates, flow->state->size, flow->state->arm, NULL, e->share);
    return true;
}

void rbv_sample_errors_destroy(RbvSampleErrors *e) {
    if (e->flow)
        rbv_error_values_destroy(&e->values);
    free(e->q);
    free(e->v);
    free(e->Q);
    free(e->loads);
    free(e->wrenches);
    free(e->loaded);
    free(e->accelerations);
    free(e->share);
    free(e->step);
    free(e->mu);
    free(e->lambda);
    *e = (RbvSampleErrors){0};
}

/* Signs without a pattern that coordinates could share. */
static double sign_of(int32_t k) {
    return ((uint32_t)k * 2654435761u) >> 15 & 1 ? 1 : -1;
}

/* Evaluates positions, velocities and loads of the state. */
static bool load(RbvState *state) {
    return rbv_state_place(state) && rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state);
}

/* Finds Q' - Q into e->step, and the difference of wrenches into e->loaded. */
static bool step_beside(RbvSampleErrors *e, double tolerance) {
    RbvState *state = e->flow->state;
    size_t n = (size_t)e->flow->n;
    double speed = 0;
    for (size_t j = 0; j < n; j++)
        speed = fmax(speed, fabs(e->v[j]) * e->share[j]);
    for (size_t j = 0; j < n; j++) {
        double size = e->share[j] > 0 ? tolerance / e->share[j] : 0;
        e->step[j] = sign_of((int32_t)j) * size;
        state->v[j] = e->v[j] + sign_of((int32_t)(j + n)) * size * speed;
    }
    rbv_coordinates_step(&e->flow->system->coordinates, state->q, e->step);
    bool good = load(state);
    for (size_t j = 0; j < n; j++)
        e->step[j] = state->Q[j] - e->loads[j];
    for (int32_t b = 0; b < state->system->bodies.count; b++)
        e->loaded[b] = rbv_wrench_add_scaled(state->wrenches[b], -1, e->loaded[b]);
    return good;
}

/* Returns whether Q contains forces that are no loads: control, constraints that do work, friction, drives at their
 * limits. */
static bool pushes_besides(const RbvFlow *flow) {
    return flow->tracking || flow->sliding.count > 0 || flow->slipping.count > 0 ||
           flow->system->model->nonideals.count > 0;
}

/* Returns whether Q is constant: planar bodies without loads have weights only. */
static bool is_constant(const RbvSampleErrors *e) {
    const RbvSystem *system = e->flow->system;
    bool of_bodies = system->coordinates.of_bodies || e->flow->kept_reactions.absolute;
    return system->model->loads.count == 0 && system->model->generalized.count == 0 && !system->bodies.spatial &&
           of_bodies && !pushes_besides(e->flow);
}

/* Widens the errors by the change of the printed values when e->mu is added to lambda. */
static void compare(RbvSampleErrors *e, RbvReactions *r) {
    const RbvState *state = e->flow->state;
    int32_t rows = e->flow->system->row_count;
    rbv_reactions_print(
        r,
        state); /* values printed besides (ideal efforts of constraints that do work) must not enter the comparison */
    rbv_error_keep(r, &e->values);
    memcpy(e->lambda, r->lambda,
           (size_t)rows * sizeof *e->lambda); /* subtracting mu again would not restore lambda where mu is far larger */
    for (int32_t k = 0; k < rows; k++)
        r->lambda[k] += e->mu[k];
    rbv_reactions_print(r, state);
    rbv_error_compare(r, &e->values);
    memcpy(r->lambda, e->lambda, (size_t)rows * sizeof *e->lambda);
}

bool rbv_sample_errors_settle(RbvSampleErrors *e, RbvReactions *r) {
    RbvFlow *flow = e->flow;
    bool found = e->flow->kept_reactions.absolute
                     ? rbv_kept_reactions_left(&flow->kept_reactions, e->mu)
                     : rbv_saddle_left(flow->saddle, flow->state->Q, flow->state->gamma, e->step, e->mu);
    if (!found)
        return false;
    compare(e, r);
    return true;
}

bool rbv_sample_errors_widen(RbvSampleErrors *e, RbvReactions *r, double tolerance) {
    RbvFlow *flow = e->flow;
    RbvState *state = flow->state;
    if (is_constant(e))
        return true;
    memcpy(e->q, state->q, (size_t)flow->positions * sizeof *e->q);
    memcpy(e->v, state->v, (size_t)flow->n * sizeof *e->v);
    memcpy(e->Q, state->Q, (size_t)flow->n * sizeof *e->Q);
    memcpy(e->wrenches, state->wrenches, (size_t)flow->system->bodies.count * sizeof *e->wrenches);
    memcpy(e->accelerations, state->accelerations, (size_t)flow->system->bodies.count * sizeof *e->accelerations);
    bool good = !pushes_besides(flow) || load(state);
    memcpy(e->loads, state->Q, (size_t)flow->n * sizeof *e->loads);
    memcpy(e->loaded, state->wrenches, (size_t)flow->system->bodies.count * sizeof *e->loaded);
    good = good && step_beside(e, tolerance);
    memcpy(state->q, e->q, (size_t)flow->positions * sizeof *e->q);
    memcpy(state->v, e->v, (size_t)flow->n * sizeof *e->v);
    good = load(state) && good;
    rbv_state_jacobian(state);
    memcpy(state->accelerations, e->accelerations, (size_t)flow->system->bodies.count * sizeof *e->accelerations);
    memcpy(state->Q, e->Q, (size_t)flow->n * sizeof *e->Q);
    memcpy(state->wrenches, e->wrenches, (size_t)flow->system->bodies.count * sizeof *e->wrenches);
    if (good)
        good = e->flow->kept_reactions.absolute
                   ? rbv_kept_reactions_solve(&flow->kept_reactions, e->loaded, NULL, e->mu)
                   : rbv_saddle_solve(flow->saddle, e->step, NULL, e->step, e->mu);
    if (!good)
        return false;
    compare(e, r);
    return true;
}
