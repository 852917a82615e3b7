/* Multipliers of all rows from the imbalance of bodies; see bearing.h. */
#include "dynamics/bearing.h"

#include "assembly/twin.h"

#include <stdlib.h>
#include <string.h>

bool rbv_bearing_create(RbvBearing *bearing, const RbvState *state) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->bodies.size + 1;
    *bearing = (RbvBearing){0};
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

bool rbv_bearing_place(RbvBearing *bearing, const RbvState *state, const bool *carrying, bool redundant) {
    RbvState *twin = bearing->twin;
    if (!twin)
        return true;
    rbv_twin_follow(state, twin);
    if (!rbv_state_place(twin))
        return false;
    rbv_state_jacobian(twin);
    rbv_saddle_set_active(bearing->saddle, carrying);
    rbv_saddle_set_redundant(bearing->saddle, redundant);
    return rbv_state_rates(twin) && rbv_state_move(twin) && rbv_state_masses(twin) && rbv_saddle_factor(bearing->saddle);
}

bool rbv_bearing_solve(RbvBearing *bearing, const RbvWrench *wrenches, const RbvTwist *accelerations, double *lambda) {
    const RbvBodyColumns *bodies = &bearing->twin->system->bodies;
    memset(bearing->f, 0, (size_t)bodies->size * sizeof *bearing->f);
    if (accelerations)
        rbv_state_body_inertia(bearing->twin, accelerations, bearing->f);
    for (int32_t b = 1; b < bodies->count; b++) {
        rbv_bodies_put(bodies, b, (RbvTwist){wrenches[b].force, wrenches[b].torque}, bearing->x);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            bearing->f[j] = bearing->x[j] - bearing->f[j];
    }
    return rbv_saddle_solve(bearing->saddle, bearing->f, NULL, bearing->x, lambda);
}

/* Rows that are kept, and hold. */
static void take_kept(RbvBearing *bearing, const RbvState *state) {
    for (int32_t k = 0; k < state->system->row_count; k++)
        bearing->kept[k] = rbv_system_keeps(state->system, k) && rbv_state_holds(state, k);
}

/* f = -(m, J) (change of twists) - D^T impulse of the other rows. */
static void find_impulse_lacking(RbvBearing *bearing, const RbvState *state, const double *v, const double *impulse) {
    const RbvRowPattern *D = &bearing->twin->system->D;
    RbvTwist *change = bearing->twin->accelerations;
    rbv_coordinates_push(&state->system->coordinates, rbv_state_at(state), v, change);
    for (int32_t b = 0; b < state->system->bodies.count; b++)
        change[b] = (RbvTwist){rbv_sub(change[b].v, bearing->twin->twists[b].v), rbv_sub(change[b].w, bearing->twin->twists[b].w)};
    memset(bearing->f, 0, (size_t)bearing->twin->system->bodies.size * sizeof *bearing->f);
    rbv_state_body_inertia(bearing->twin, change, bearing->f);
    for (int32_t k = 0; k < state->system->row_count; k++)
        for (int32_t e = D->start[k]; !bearing->kept[k] && e < D->start[k + 1]; e++)
            bearing->f[D->column[e]] -= bearing->twin->D[e] * impulse[k];
}

bool rbv_bearing_complete(RbvBearing *bearing, const RbvState *state, const double *v, double *impulse) {
    if (!bearing->twin)
        return true;
    take_kept(bearing, state);
    rbv_coordinates_push(&state->system->coordinates, rbv_state_at(state), state->v, state->twists);
    if (!rbv_bearing_place(bearing, state, bearing->kept, true))
        return false;
    find_impulse_lacking(bearing, state, v, impulse);
    bool good = rbv_saddle_solve(bearing->saddle, bearing->f, NULL, bearing->x, bearing->lambda);
    for (int32_t k = 0; k < state->system->row_count; k++)
        impulse[k] = bearing->kept[k] ? bearing->lambda[k] : impulse[k];
    return good;
}

bool rbv_bearing_left(RbvBearing *bearing, double *lambda) {
    return rbv_state_load(bearing->twin) && rbv_saddle_left(bearing->saddle, bearing->twin->Q, bearing->twin->gamma, bearing->x, lambda);
}
