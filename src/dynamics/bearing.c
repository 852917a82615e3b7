/* Forces of all rows; see bearing.h. */
#include "dynamics/bearing.h"

#include "assembly/twin.h"

#include <stdlib.h>
#include <string.h>

bool rbv_bearing_create(RbvBearing *bearing, RbvState *state, RbvSaddle *motion) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->bodies.size + 1;
    *bearing = (RbvBearing){.state = state, .motion = motion};
    if (!system->kept)
        return true;
    bearing->twin = rbv_twin_create(state);
    bearing->saddle = bearing->twin ? rbv_saddle_create(bearing->twin) : NULL;
    bearing->f = malloc(n * sizeof *bearing->f);
    bearing->x = malloc(n * sizeof *bearing->x);
    bearing->kept = calloc((size_t)system->row_count + 1, sizeof *bearing->kept);
    bearing->lambda = calloc((size_t)system->row_count + 1, sizeof *bearing->lambda);
    return bearing->saddle && bearing->f && bearing->x && bearing->kept && bearing->lambda;
}

void rbv_bearing_destroy(RbvBearing *bearing) {
    rbv_saddle_destroy(bearing->saddle);
    rbv_state_destroy(bearing->twin);
    free(bearing->f);
    free(bearing->x);
    free(bearing->kept);
    free(bearing->lambda);
    *bearing = (RbvBearing){0};
}

void rbv_bearing_forget(RbvBearing *bearing) {
    if (bearing->saddle)
        rbv_saddle_forget(bearing->saddle);
}

/* The twin at the bodies of the state, with its Jacobian and masses. False: not finite. */
static bool follow(RbvBearing *bearing) {
    RbvState *twin = bearing->twin;
    int32_t n = twin->system->model->generalized.count;
    rbv_twin_follow(bearing->state, twin);
    memcpy(twin->mass, bearing->state->mass, (size_t)n * (size_t)n * sizeof *twin->mass);
    if (!rbv_state_place(twin))
        return false;
    rbv_state_jacobian(twin);
    return rbv_state_rates(twin) && rbv_state_move(twin);
}

static bool factor(RbvBearing *bearing) {
    bool good = follow(bearing) && rbv_saddle_factor(bearing->saddle);
    bearing->state->no_memory = bearing->state->no_memory || bearing->twin->no_memory;
    return good;
}

bool rbv_bearing_place(RbvBearing *bearing, const bool *carrying) {
    if (!bearing->twin)
        return true;
    rbv_saddle_set_active(bearing->saddle, carrying);
    rbv_saddle_set_known(bearing->saddle);
    return factor(bearing);
}

bool rbv_bearing_prepare(RbvBearing *bearing, const bool *carrying) {
    const double *weight = rbv_saddle_weights(bearing->motion);
    if (!bearing->twin)
        return true;
    for (int32_t k = 0; k < bearing->state->system->row_count; k++)
        bearing->kept[k] = (!carrying || carrying[k]) && !(weight[k] > 0);
    rbv_saddle_set_active(bearing->saddle, bearing->kept);
    rbv_saddle_set_redundant(bearing->saddle, false);
    return factor(bearing);
}

/* f: the wrenches over the columns of bodies, less what inertia takes of them. */
static void find_lacking(RbvBearing *bearing, const RbvWrench *wrenches, const RbvTwist *accelerations) {
    const RbvBodyColumns *bodies = &bearing->twin->system->bodies;
    memset(bearing->f, 0, (size_t)bodies->size * sizeof *bearing->f);
    if (accelerations)
        rbv_state_body_inertia(bearing->twin, accelerations, bearing->f);
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvWrench on = wrenches ? wrenches[b] : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
        rbv_bodies_put(bodies, b, (RbvTwist){on.force, on.torque}, bearing->x);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            bearing->f[j] = bearing->x[j] - bearing->f[j];
    }
}

bool rbv_bearing_solve(RbvBearing *bearing, const RbvWrench *wrenches, const RbvTwist *accelerations, double *lambda) {
    find_lacking(bearing, wrenches, accelerations);
    return rbv_saddle_solve(bearing->saddle, bearing->f, NULL, bearing->x, lambda);
}

/* The multipliers of kept rows beside the others in lambda, for wrenches and the twin's accelerations. */
static bool complete(RbvBearing *bearing, const RbvWrench *wrenches, double *lambda) {
    const RbvRowPattern *D = &bearing->twin->system->D;
    int32_t rows = bearing->twin->system->row_count;
    find_lacking(bearing, wrenches, bearing->twin->accelerations);
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = D->start[k]; !bearing->kept[k] && e < D->start[k + 1]; e++)
            bearing->f[D->column[e]] -= bearing->twin->D[e] * lambda[k];
    bool good = rbv_saddle_solve(bearing->saddle, bearing->f, NULL, bearing->x, bearing->lambda);
    for (int32_t k = 0; k < rows; k++)
        lambda[k] = bearing->kept[k] ? bearing->lambda[k] : lambda[k];
    return good;
}

bool rbv_bearing_accelerate(RbvBearing *bearing, double *a, double *lambda) {
    const RbvState *state = bearing->state;
    if (!rbv_saddle_solve(bearing->motion, state->Q, state->gamma, a, lambda))
        return false;
    if (!bearing->twin)
        return true;
    rbv_coordinates_accelerate(&state->system->coordinates, rbv_state_at(state), state->v, a,
                               bearing->twin->accelerations);
    return complete(bearing, state->wrenches, lambda);
}

/* Of what wrenches bring about, nothing moving before: x has no bias. */
static bool complete_answer(RbvBearing *bearing, const RbvWrench *wrenches, const double *x, double *lambda) {
    const RbvState *state = bearing->state;
    if (!bearing->twin)
        return true;
    rbv_coordinates_push(&state->system->coordinates, rbv_state_at(state), x, bearing->twin->accelerations);
    return complete(bearing, wrenches, lambda);
}

bool rbv_bearing_answer(RbvBearing *bearing, double *Q, double *x, double *lambda) {
    return rbv_saddle_answer(bearing->motion, Q, x, lambda) &&
           complete_answer(bearing, rbv_saddle_pushed(bearing->motion), x, lambda);
}

bool rbv_bearing_jump(RbvBearing *bearing, const double *g, double *x, double *lambda) {
    return rbv_saddle_solve(bearing->motion, NULL, g, x, lambda) && complete_answer(bearing, NULL, x, lambda);
}

bool rbv_bearing_left(RbvBearing *bearing, double *lambda) {
    rbv_saddle_set_redundant(bearing->saddle, rbv_saddle_is_redundant(bearing->motion));
    find_lacking(bearing, bearing->state->wrenches, NULL);
    return rbv_saddle_factor(bearing->saddle) &&
           rbv_saddle_left(bearing->saddle, bearing->f, bearing->twin->gamma, bearing->x, lambda);
}
