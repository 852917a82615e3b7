/* Generalized coordinates at a state: M(q, q', t), the right-hand side, and the energy.
 *
 *   M q'' = force + forces of constraints,   E = 1/2 q'^T M q',   E' = q'.(M q'') + 1/2 q'^T M' q'
 *   M' = M_t + sum_m (M_m m' + M_m' m'') */
#include "mechanics/element/measure.h"
#include "mechanics/system/system.h"

#include <stdio.h>

/* Relative to the largest entry of M: what rounding leaves of a symmetric, and of a positive semidefinite, matrix. */
#define NOT_SYMMETRIC 1e-12
#define NEGATIVE 1e-10

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
        most = fmax(most, fabs(state->mass[e]));
    }
    return most;
}

static bool find_asymmetry(const RbvState *state, double most, int32_t *row, int32_t *column) {
    int32_t n = state->system->model->generalized.count;
    for (*row = 0; *row < n; ++*row)
        for (*column = 0; *column < *row; ++*column)
            if (!(fabs(state->mass[*row * n + *column] - state->mass[*column * n + *row]) <= NOT_SYMMETRIC * most))
                return true;
    return false;
}

/* True if x^T M x < 0 for some x, found by the pivots of M + NEGATIVE most I: these are positive where M is not
 * negative. */
static bool is_negative(const RbvState *state, double most) {
    int32_t n = state->system->model->generalized.count;
    double *A = state->mass + n * n;
    for (int32_t e = 0; e < n * n; e++)
        A[e] = state->mass[e];
    for (int32_t k = 0; k < n; k++)
        A[k * n + k] += NEGATIVE * most;
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
