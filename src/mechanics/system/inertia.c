/* The product M x, with m I and J = A J' A^T for each body (in the plane the moment about z alone), and with
 * generalized coordinates and rotors. */
#include "mechanics/system/system.h"

#include <string.h>

void rbv_state_tensor(const RbvState *state, int32_t body, double J[3][3]) {
    const double *I = state->system->model->bodies.items[body].inertia;
    const RbvMat3 *A = &state->bodies[body].A;
    const double own[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    const double a[3][3] = {{A->column[0].x, A->column[1].x, A->column[2].x},
                            {A->column[0].y, A->column[1].y, A->column[2].y},
                            {A->column[0].z, A->column[1].z, A->column[2].z}};
    double half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[i][j] = a[i][0] * own[0][j] + a[i][1] * own[1][j] + a[i][2] * own[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[i][j] = half[i][0] * a[j][0] + half[i][1] * a[j][1] + half[i][2] * a[j][2];
}

/* Adds the inertia of generalized coordinates and rotors, over columns of bodies. */
static void add_others(const RbvState *state, const double *x, double *out) {
    int32_t n = state->system->model->generalized.count;
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++)
            out[rbv_generalized_column(state->system, k)] +=
                state->mass[k * n + l] * x[rbv_generalized_column(state->system, l)];
    rbv_state_add_rotors(state, x, 1, out);
}

void rbv_state_body_inertia(const RbvState *state, const RbvTwist *accelerations, double *out) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    bool others = system->model->generalized.count > 0 || system->model->rotor_count > 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &system->model->bodies.items[b];
        RbvWrench inertia = {rbv_scale(body->mass, accelerations[b].v),
                             rbv_body_momentum(body, &state->bodies[b].A, accelerations[b].w)};
        rbv_bodies_put(bodies, b, (RbvTwist){inertia.force, inertia.torque}, out);
        if (others)
            rbv_bodies_put(bodies, b, accelerations[b], state->columns);
    }
    if (others)
        add_others(state, state->columns, out);
}

/* out[size of v] += k P^T of the inertia forces of generalized coordinates and rotors, for accelerations of bodies. */
static void add_pulled(const RbvState *state, const RbvTwist *accelerations, double k, double *out) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    double *moved = state->columns, *force = moved + bodies->size;
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, accelerations[b], moved);
    for (int32_t j = 0; j < bodies->size; j++)
        force[j] = 0;
    add_others(state, moved, force);
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvTwist wrench = rbv_bodies_twist(bodies, b, force);
        rbv_coordinates_add_to(&state->system->coordinates, rbv_state_at(state), b,
                               (RbvWrench){rbv_scale(k, wrench.v), rbv_scale(k, wrench.w)}, state->row_work, out);
    }
}

void rbv_state_inertia(const RbvState *state, const double *x, double *out) {
    const RbvSystem *system = state->system;
    rbv_coordinates_mass(&system->coordinates, rbv_state_at(state), x, out);
    if (system->model->generalized.count == 0 && system->model->rotor_count == 0)
        return;
    if (system->coordinates.of_bodies) {
        add_others(state, x, out);
        return;
    }
    rbv_coordinates_velocities(&system->coordinates, rbv_state_at(state), x, state->pushed);
    add_pulled(state, state->pushed, 1, out);
}

const RbvTwist *rbv_state_bias(RbvState *state) {
    size_t size = (size_t)state->system->coordinates.size * sizeof *state->v;
    if (!state->biased || memcmp(state->bias_v, state->v, size) != 0) {
        rbv_coordinates_bias(&state->system->coordinates, rbv_state_at(state), state->v, state->bias);
        memcpy(state->bias_v, state->v, size);
        state->biased = true;
    }
    return state->bias;
}

void rbv_state_force(RbvState *state, const RbvWrench *wrenches, double *Q) {
    const RbvCoordinates *coordinates = &state->system->coordinates;
    const RbvTwist *bias = coordinates->kind->bias ? rbv_state_bias(state) : NULL;
    rbv_coordinates_force(coordinates, rbv_state_at(state), state->v, wrenches, bias, state->pushed, state->less, Q);
    if (bias && state->system->model->rotor_count > 0)
        add_pulled(state, bias, -1, Q);
}
