/* M of the saddle point system; see saddle_mass.h. */
#include "dynamics/saddle_mass.h"

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
        int32_t body[2] = {model->markers.items[measure->marker[0]].body, model->markers.items[measure->marker[1]].body};
        if (drive->has_rotor)
            rbv_mass_matrix_add_rotor(&state->system->coordinates, rbv_state_at(state), body, state->measures[drive->of.measure].gradient,
                                      drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio, mass);
    }
}

/* Its line in ground's axes, of length 1. */
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
        rbv_coordinates_add_to(&system->coordinates, rbv_state_at(state), spin->body, wrench, state->row_work, state->Q);
    }
}
