/* M and the forces at a state: generalized coordinates, rotors of drives, the product M x, and the wrenches and energy
 * of weights and loads. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/element/measure.h"
#include "mechanics/system/system.h"

#include <stdio.h>
#include <string.h>

/* Generalized coordinates at a state: M(q, q', t), the right-hand side, and the energy.
 *
 *   M q'' = force + forces of constraints,   E = 1/2 q'^T M q',   E' = q'.(M q'') + 1/2 q'^T M' q'
 *   M' = M_t + sum_m (M_m m' + M_m' m'') */

int32_t rbv_generalized_column(const RbvSystem *system, int32_t k) {
    return system->bodies.start[system->model->generalized.items[k].body];
}

/* Evaluates value and rate of the measures that an entry of M reads: those that no row uses are not evaluated yet. */
static void place_variables(RbvState *state, const RbvExpr *entry) {
    const RbvModel *model = state->system->model;
    for (int32_t v = 0; v < rbv_expr_variable_count(entry); v++) {
        RbvVariable variable = rbv_variable_of(model, entry, v);
        if (variable.kind != RBV_VARIABLE_COORDINATE)
            continue;
        const RbvMeasure *measure = &model->measures.items[variable.index];
        RbvMeasureState *measured = &state->measures[variable.index];
        rbv_measure_place(measure, model, state->markers, &state->memory[variable.index], measured);
        rbv_measure_move(measure, model, state->markers, state->twists, measured);
    }
}

/* The largest magnitude in M; NaN if an entry is not finite. */
static double largest_of(const RbvState *state) {
    int32_t n = state->system->model->generalized.count;
    double most = 0;
    for (int32_t e = 0; e < n * n; e++) {
        if (!isfinite(state->mass[e]))
            return NAN;
        most = rbv_max(most, fabs(state->mass[e]));
    }
    return most;
}

static bool find_asymmetry(const RbvState *state, double most, int32_t *row, int32_t *column) {
    int32_t n = state->system->model->generalized.count;
    /* Relative to the largest entry of M: what rounding leaves of a symmetric, and of a positive semidefinite, matrix.
     */
    for (*row = 0; *row < n; ++*row)
        for (*column = 0; *column < *row; ++*column)
            if (!(fabs(state->mass[*row * n + *column] - state->mass[*column * n + *row]) <= RBV_CANCELLED * most))
                return true;
    return false;
}

/* True if x^T M x < 0 for some x, found by the pivots of M + RBV_DATA most I: these are positive where M is not
 * negative. */
static bool is_negative(const RbvState *state, double most) {
    int32_t n = state->system->model->generalized.count;
    double *A = state->mass + n * n;
    for (int32_t e = 0; e < n * n; e++)
        A[e] = state->mass[e];
    for (int32_t k = 0; k < n; k++)
        A[k * n + k] += RBV_DATA * most;
    for (int32_t k = 0; k < n; k++) {
        if (!(A[k * n + k] > 0))
            return most > 0;
        for (int32_t i = k + 1; i < n; i++)
            for (int32_t j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j] / A[k * n + k];
    }
    return false;
}

bool rbv_state_masses(RbvState *state) {
    const RbvModel *model = state->system->model;
    int32_t n = model->generalized.count, row, column;
    if (n == 0)
        return true;
    rbv_coordinates_velocities(&state->system->coordinates, rbv_state_at(state), state->v, state->twists);
    for (int32_t e = 0; e < n * n; e++) {
        place_variables(state, model->masses.items[e]);
        state->mass[e] = rbv_state_expression(state, model->masses.items[e], NULL, state->work);
    }
    double most = largest_of(state);
    return !isnan(most) && !find_asymmetry(state, most, &row, &column) && !is_negative(state, most);
}

void rbv_state_explain_masses(const RbvState *state, char *message, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t n = model->generalized.count, row, column;
    double most = largest_of(state);
    for (int32_t e = 0; e < n * n; e++)
        if (!isfinite(state->mass[e])) {
            snprintf(message, size, "entry %d of row %d of the generalized mass is not finite", (int)(e % n) + 1,
                     (int)(e / n) + 1);
            return;
        }
    if (n > 0 && find_asymmetry(state, most, &row, &column))
        snprintf(message, size, "the generalized mass is not symmetric: row %d, column %d has %.9g, off by %.3g",
                 (int)row + 1, (int)column + 1, state->mass[row * n + column],
                 state->mass[row * n + column] - state->mass[column * n + row]);
    else if (n > 0 && is_negative(state, most))
        snprintf(message, size, "the generalized mass is negative: some motion would have negative energy");
    for (int32_t k = 0; k < n && !message[0]; k++)
        if (!isfinite(rbv_state_expression(state, model->generalized.items[k].force, NULL, state->work)))
            snprintf(message, size, "the generalized force on '%s' is not finite", model->generalized.items[k].name);
}

void rbv_state_push_generalized(const RbvState *state, RbvWrench *wrenches) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->generalized.count; k++)
        wrenches[model->generalized.items[k].body].force.x +=
            rbv_state_expression(state, model->generalized.items[k].force, NULL, state->work);
}

double rbv_state_generalized_inertia(const RbvState *state, int32_t k) {
    int32_t n = state->system->model->generalized.count;
    double sum = 0;
    for (int32_t l = 0; l < n; l++)
        sum += state->mass[k * n + l] * state->accelerations[state->system->model->generalized.items[l].body].v.x;
    return sum;
}

/* q' of generalized coordinate k: velocity of its body along x. */
static double generalized_speed(const RbvState *state, int32_t k) {
    return state->twists[state->system->model->generalized.items[k].body].v.x;
}

double rbv_state_generalized_energy(const RbvState *state) {
    int32_t n = state->system->model->generalized.count;
    double sum = 0;
    for (int32_t e = 0; e < n * n; e++)
        sum += 0.5 * state->mass[e] * generalized_speed(state, e / n) * generalized_speed(state, e % n);
    return sum;
}

/* Time derivative of a variable of an entry of M. */
static double rate_of_variable(const RbvState *state, RbvVariable variable, double *work) {
    const RbvModel *model = state->system->model;
    if (variable.kind == RBV_VARIABLE_TIME)
        return 1;
    if (variable.kind == RBV_VARIABLE_STATE)
        return rbv_state_expression(state, model->states.items[variable.index].rate, NULL, work);
    const RbvMeasureState *measured = &state->measures[variable.index];
    if (variable.part == 0)
        return measured->rate;
    double second = measured->bias;
    for (int side = 0; side < 2; side++)
        second += rbv_power(
            measured->gradient[side],
            state->accelerations[model->markers.items[model->measures.items[variable.index].marker[side]].body]);
    return second;
}

double rbv_state_generalized_gain(const RbvState *state, double *work) {
    const RbvModel *model = state->system->model;
    int32_t n = model->generalized.count;
    double sum = 0;
    for (int32_t e = 0; e < n * n; e++) {
        const RbvExpr *entry = model->masses.items[e];
        int32_t count = rbv_expr_variable_count(entry);
        double *x = work, *rate = x + count, *gradient = rate + count, *hessian = gradient + count, change = 0;
        for (int32_t v = 0; v < count; v++)
            rate[v] = rate_of_variable(state, rbv_variable_of(model, entry, v), gradient);
        rbv_state_expression(state, entry, NULL, hessian);
        for (int32_t v = 0; v < count; v++)
            x[v] = hessian[v];
        if (count > 0)
            rbv_pieces_jet(state->pieces, entry, 0, x, hessian + count * count, gradient, hessian);
        for (int32_t v = 0; v < count; v++)
            change += gradient[v] * rate[v];
        sum += 0.5 * change * generalized_speed(state, e / n) * generalized_speed(state, e % n);
    }
    return sum;
}

/* Rotors of drives: wheels that turn `ratio` times as fast as the drive's coordinate c, with the kinetic energy 1/2 m
 * c'^2, m = inertia ratio^2.
 *
 *   M <- M + m J^T J,   Q <- Q - m J^T b   with c' = J v, c'' = J v' + b
 * The axes of the rotors stand in for those of a gear: gyroscopic couples of the spin across these axes are left out.
 */

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

/* Forces and energy at a state: weights, gyroscopic torques, and all loads by the formulas of their kinds
 * (element/load_*.c). */

/* Wrench m g, and -w x J w of a spatial body. */
static RbvWrench weight(const RbvState *state, int32_t b) {
    const RbvModel *model = state->system->model;
    const RbvBody *body = &model->bodies.items[b];
    RbvWrench wrench = {rbv_scale(body->mass, model->gravity), {0, 0, 0}};
    if (state->system->bodies.spatial && b > 0) {
        RbvVec3 w = state->twists[b].w;
        wrench.torque = rbv_cross(rbv_body_momentum(body, &state->bodies[b].A, w), w);
    }
    return wrench;
}

bool rbv_state_load_wrenches(RbvState *state) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    for (int32_t b = 0; b < model->bodies.count; b++)
        state->wrenches[b] = weight(state, b);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        if (rbv_state_acts(state, k)) {
            rbv_load_formulas(load->kind)->force(&at, load, state->wrenches, state->load_value[k]);
            continue;
        }
        for (int part = 0; part < 6; part++)
            state->load_value[k][part] = 0;
    }
    rbv_state_push_generalized(state, state->wrenches);
    rbv_state_push_rotors(state, state->wrenches);
    double sum = 0;
    for (int32_t b = 0; b < model->bodies.count; b++)
        sum += rbv_norm(state->wrenches[b].force) + rbv_norm(state->wrenches[b].torque);
    return isfinite(sum);
}

void rbv_state_load_moments(const RbvState *state, RbvMat3 *moments) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    const RbvVec3 zero = {0, 0, 0};
    for (int32_t b = 0; b < model->bodies.count; b++)
        moments[b] = (RbvMat3){{zero, zero, zero}};
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
        if (formulas->spread && rbv_state_acts(state, k) && rbv_state_on_number(state, k) < 0)
            formulas->spread(&at, load, state->load_value[k], moments);
    }
}

bool rbv_load_has_energy(const RbvModel *model, const RbvLoad *load) {
    const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
    return !formulas->has_energy || formulas->has_energy(model, load);
}

double rbv_state_energy(RbvState *state, double *size) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    double V = 0;
    *size = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double part = -model->bodies.items[b].mass * rbv_dot(model->gravity, state->bodies[b].r);
        V += part;
        *size += fabs(part);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
        if (!rbv_state_acts(state, k))
            continue;
        if (!rbv_load_has_energy(model, load))
            return NAN;
        double part = formulas->energy ? formulas->energy(&at, load) : 0;
        V += part;
        *size += fabs(part);
    }
    return V;
}
