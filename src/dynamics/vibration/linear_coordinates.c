/* The motion linearised about an equilibrium at rest, in coordinates whose v is not the body twists: R^T M R, R^T D R,
 * R^T K R with their own M, rows and null space R.
 *
 * The multipliers are those of bodies, D^T lambda = w, with which the forces on each body balance. Then the
 * coordinates' own rows carry no force, and second derivatives of body positions along the coordinates do not
 * contribute:
 *
 *   K = P^T (sum_k lambda_k H_k - dw/dx) P
 *
 * The eigenvalues are those in absolute coordinates; they are computed from other matrices, so that comparing both is a
 * test. */
#include "dynamics/vibration/linearisation.h"
#include "solution/assembly/absolute_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* l->scale: the scale of each number of v as a length; l->T: body twists of scaled coordinates. */
static bool take_scales(RbvLinear *l) {
    const RbvState *state = l->state;
    const RbvCoordinates *coordinates = &state->system->coordinates;
    const RbvBodyColumns *bodies = &state->system->bodies;
    size_t n = (size_t)l->n, nb = (size_t)bodies->size;
    double *v = calloc(n + 1, sizeof *v), *x = calloc(nb + 1, sizeof *x);
    l->scale = calloc(n + 1, sizeof *l->scale);
    l->T = calloc(nb * n + 1, sizeof *l->T);
    bool good = v && x && l->scale && l->T;
    if (good)
        rbv_coordinates_scale(coordinates, state->size, state->arm, NULL, l->scale);
    for (size_t j = 0; good && j < n; j++) {
        l->scale[j] = l->scale[j] > 0 ? 1 / (l->scale[j] * l->length) : 1;
        v[j] = l->scale[j];
        rbv_coordinates_velocities(coordinates, rbv_state_at(state), v, state->pushed);
        v[j] = 0;
        for (int32_t b = 1; b < bodies->count; b++)
            rbv_bodies_put(bodies, b, state->pushed[b], x);
        for (size_t i = 0; i < nb; i++)
            l->T[i * n + j] = x[i];
    }
    free(v);
    free(x);
    return good;
}

/* Evaluates the state at rest. False: not finite. */
static bool evaluate(RbvLinear *l) {
    RbvState *state = l->state;
    memset(state->v, 0, (size_t)l->n * sizeof *state->v);
    memset(state->a, 0, (size_t)l->n * sizeof *state->a);
    bool good = rbv_linear_good(l, rbv_state_place(state) ? RBV_OK : RBV_NOT_FINITE);
    if (good)
        rbv_state_jacobian(state);
    return good && rbv_linear_good(l, rbv_state_masses(state) && rbv_state_rates(state) && rbv_state_move(state) &&
                                              rbv_state_load(state)
                                          ? RBV_OK
                                          : RBV_NOT_FINITE);
}

/* Allocates arrays, takes the multipliers of the absolute system, and computes the bases. */
static bool prepare(RbvLinear *l, const RbvLinear *bodies) {
    size_t n = (size_t)l->n, rows = (size_t)l->rows;
    l->row_scale = calloc(rows + 1, sizeof(double));
    l->C = calloc(rows * n + 1, sizeof(double));
    l->W = calloc(n * n + 1, sizeof(double));
    l->pivot = malloc((n + 1) * sizeof *l->pivot);
    l->lambda = calloc(rows + 1, sizeof(double));
    if (!l->row_scale || !l->C || !l->W || !l->pivot || !l->lambda)
        return false;
    memcpy(l->lambda, bodies->lambda, (size_t)bodies->rows * sizeof *l->lambda);
    if (!evaluate(l) || !take_scales(l) || !rbv_linear_take_bases(l))
        return false;
    if (l->unsafe || l->m != bodies->m || l->p != bodies->p)
        l->refusal =
            "the rank of the constraints is in doubt in these coordinates: the position is singular, or nearly so";
    return !l->refusal;
}

bool rbv_linear_at_rest_in(RbvLinear *bodies, const RbvSystem *system) {
    RbvState *state = rbv_state_create(system);
    if (!state)
        return false;
    RbvLinear l = {.state = state,
                   .n = system->coordinates.size,
                   .rows = system->held_count + system->coordinates.own_rows,
                   .length = bodies->length,
                   .released = bodies->released};
    state->active = bodies->state->active;
    state->acting = bodies->state->acting;
    rbv_absolute_state_read(state, bodies->state);
    bool good = prepare(&l, bodies) && rbv_linear_at_rest(&l);
    bodies->refusal = l.refusal;
    bodies->not_finite = l.not_finite;
    bodies->size = l.size;
    bodies->places = l.places;
    bodies->blur = l.blur;
    bodies->A = l.A, bodies->shape = l.shape, bodies->square = l.square, bodies->neutral = l.neutral;
    l.A = l.shape = l.square = l.neutral = NULL;
    rbv_linear_destroy(&l);
    rbv_state_destroy(state);
    return good;
}
