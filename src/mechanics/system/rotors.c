/* Rotors of drives: wheels that turn `ratio` times as fast as the drive's coordinate c, with the kinetic energy 1/2 m
 * c'^2, m = inertia ratio^2.
 *
 *   M <- M + m J^T J,   Q <- Q - m J^T b   with c' = J v, c'' = J v' + b
 * The axes of the rotors stand in for those of a gear: gyroscopic couples of the spin across these axes are left out.
 */
#include "mechanics/system/system.h"

bool rbv_state_rotor(const RbvState *state, int32_t drive, RbvRotor *rotor) {
    const RbvSystem *system = state->system;
    const RbvDrive *of = &system->model->drives.items[drive];
    *rotor = (RbvRotor){.mass = of->rotor_inertia * of->rotor_ratio * of->rotor_ratio};
    if (!of->has_rotor)
        return false;
    const RbvMeasure *measure = &system->model->measures.items[of->of.measure];
    for (int side = 0; side < 2; side++) {
        int32_t body = state->markers[measure->marker[side]].body;
        int32_t columns = body > 0 ? rbv_bodies_columns(&system->bodies, body) : 0;
        for (int32_t k = 0; k < columns; k++)
            rotor->column[rotor->count + k] = system->bodies.start[body] + k;
        if (columns > 0)
            rbv_bodies_add(&system->bodies, body, 1, &state->measures[of->of.measure].gradient[side],
                           rotor->value + rotor->count);
        rotor->count += columns;
    }
    return true;
}

void rbv_state_add_rotors(const RbvState *state, const double *x, double factor, double *out) {
    const RbvModel *model = state->system->model;
    RbvRotor rotor;
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        if (!rbv_state_rotor(state, k, &rotor))
            continue;
        double rate = 0;
        for (int32_t c = 0; c < rotor.count; c++)
            rate += rotor.value[c] * x[rotor.column[c]];
        for (int32_t c = 0; c < rotor.count; c++)
            out[rotor.column[c]] += factor * rotor.mass * rate * rotor.value[c];
    }
}

void rbv_state_push_rotors(const RbvState *state, RbvWrench *wrenches) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        if (drive->has_rotor)
            rbv_push_measure(&at, wrenches, drive->of.measure,
                             -drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio *
                                 state->measures[drive->of.measure].bias);
    }
}

double rbv_state_rotor_energy(const RbvState *state) {
    const RbvModel *model = state->system->model;
    double sum = 0;
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        double rate = drive->has_rotor ? drive->rotor_ratio * state->measures[drive->of.measure].rate : 0;
        sum += 0.5 * drive->rotor_inertia * rate * rate;
    }
    return sum;
}

double rbv_state_rotor_gain(const RbvState *state) {
    const RbvModel *model = state->system->model;
    double sum = 0;
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        const RbvMeasureState *m = drive->has_rotor ? &state->measures[drive->of.measure] : NULL;
        sum += m ? drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio * m->bias * m->rate : 0;
    }
    return sum;
}
