/* Mass matrix M of the saddle point system; see saddle_mass.h. */
#include "dynamics/accelerations/saddle_mass.h"

#include <math.h>

/* Largest ratio of masses, and of moments of inertia over arms squared. */
#define ALIKE 1e4

static bool stands_in(const RbvSystem *system, const RbvLineSpin *spin) {
    return spin->stands_in > 0 && !rbv_system_keeps(system, spin->row);
}

bool rbv_saddle_mass_stands_in(const RbvSystem *system) {
    for (int32_t k = 0; k < system->spin_count; k++)
        if (stands_in(system, &system->spins[k]))
            return true;
    return false;
}

static void add_rotors(const RbvState *state, RbvMassMatrix *mass) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        const RbvMeasure *measure = &model->measures.items[drive->of.measure];
        int32_t body[2] = {model->markers.items[measure->marker[0]].body,
                           model->markers.items[measure->marker[1]].body};
        if (drive->has_rotor)
            rbv_mass_matrix_add_rotor(&state->system->coordinates, rbv_state_at(state), body,
                                      state->measures[drive->of.measure].gradient,
                                      drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio, mass);
    }
}

/* Unit vector along the line of the spin, in ground's axes. */
static RbvVec3 line_of(const RbvState *state, const RbvLineSpin *spin) {
    RbvVec3 d = rbv_sub(state->markers[spin->marker[1]].point, state->markers[spin->marker[0]].point);
    return rbv_scale(1 / rbv_norm(d), d);
}

static void add_spins(const RbvState *state, RbvMassMatrix *mass) {
    const RbvSystem *system = state->system;
    const RbvVec3 none = {0, 0, 0};
    for (int32_t k = 0; k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        if (!stands_in(system, spin))
            continue;
        const RbvWrench gradient[2] = {{none, none}, {none, line_of(state, spin)}};
        const int32_t body[2] = {0, spin->body};
        rbv_mass_matrix_add_rotor(&system->coordinates, rbv_state_at(state), body, gradient, spin->stands_in, mass);
    }
}

void rbv_saddle_mass_fill(const RbvState *state, RbvMassMatrix *mass) {
    const RbvCoordinates *coordinates = &state->system->coordinates;
    rbv_mass_matrix_fill(coordinates, rbv_state_at(state), mass);
    rbv_mass_matrix_add(coordinates, state->mass, mass);
    add_rotors(state, mass);
    add_spins(state, mass);
}

void rbv_saddle_mass_load(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvTwist *bias = system->coordinates.kind->bias ? rbv_state_bias(state) : NULL;
    for (int32_t k = 0; bias && k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        if (!stands_in(system, spin))
            continue;
        RbvVec3 u = line_of(state, spin);
        RbvWrench wrench = {{0, 0, 0}, rbv_scale(-spin->stands_in * rbv_dot(u, bias[spin->body].w), u)};
        rbv_coordinates_add_to(&system->coordinates, rbv_state_at(state), spin->body, wrench, state->row_work,
                               state->Q);
    }
}

/* Bounds the principal moments of inertia: none is above the trace T; the smallest is det J over the product of the
 * others, which is at most (T/2)^2. */
static void bound_moments(const RbvBody *body, bool spatial, double *low, double *high) {
    const double *I = body->inertia;
    *low = *high = I[2];
    if (!spatial)
        return;
    *high = I[0] + I[1] + I[2];
    double det =
        I[0] * (I[1] * I[2] - I[5] * I[5]) - I[3] * (I[3] * I[2] - I[5] * I[4]) + I[4] * (I[3] * I[5] - I[1] * I[4]);
    *low = 4 * det / (*high * *high);
}

/* Returns whether masses, and moments of inertia over arms squared, of all bodies are of similar size. Where M^-1 is
 * applied first, a body that is light beside others moves by small differences of large forces. */
bool rbv_saddle_mass_alike(const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    double least = INFINITY, most = 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double arm = state->arm[b], low, high;
        least = fmin(least, body->mass), most = fmax(most, body->mass);
        if (!rbv_bodies_turns(bodies, b))
            continue;
        bound_moments(body, bodies->spatial, &low, &high);
        least = fmin(least, low / (arm * arm)), most = fmax(most, high / (arm * arm));
    }
    return least > 0 && most <= ALIKE * least;
}
