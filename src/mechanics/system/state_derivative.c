/* The derivative of rows of D along body twists v: dD_k[v] = sum_t c_t H_t v + sum_tu f_tu (J_u v) J_t, for the forces
 * v^T K(n) w of geometric stiffness. */
#include "mechanics/system/system.h"

#include <string.h>

/* J_m v of a measure. */
static double rate_along(const RbvState *state, int32_t m, const double *v) {
    const RbvSystem *system = state->system;
    const RbvMeasure *measure = &system->model->measures.items[m];
    double sum = 0;
    for (int side = 0; side < 2; side++)
        sum += rbv_power(state->measures[m].gradient[side],
                         rbv_bodies_twist(&system->bodies, state->markers[measure->marker[side]].body, v));
    return sum;
}

/* Derivative of a term's coefficient along v: second derivatives of the row's equation. */
static double coefficient_rate(RbvState *state, const RbvRow *row, int32_t t, const double *v) {
    RbvJet f = rbv_state_equation_jet(state, row);
    double sum = 0;
    for (int32_t a = 0; a < f.count; a++)
        for (int32_t b = 0; b < f.count; b++)
            if (row->variables->term[a] == t && row->variables->term[b] >= 0 &&
                row->variables->rate[a] == row->on_rates && !row->variables->rate[b])
                sum += f.hessian[a * f.count + b] *
                       rate_along(state, state->system->terms[row->first + row->variables->term[b]].measure, v);
    return sum;
}

/* The twist of a body in v as six numbers. */
static void motion_of(const RbvState *state, int32_t body, const double *v, double x[6]) {
    RbvTwist t = rbv_bodies_twist(&state->system->bodies, body, v);
    x[0] = t.v.x, x[1] = t.v.y, x[2] = t.v.z;
    x[3] = t.w.x, x[4] = t.w.y, x[5] = t.w.z;
}

/* H v of a measure, for both of its bodies. */
static void gradient_rate(const RbvState *state, int32_t m, const double *v, double rate[12]) {
    const RbvModel *model = state->system->model;
    const RbvMeasure *measure = &model->measures.items[m];
    double H[12][12], x[12];
    rbv_measure_hessian(measure, model, state->markers, &state->measures[m], H);
    for (int side = 0; side < 2; side++)
        motion_of(state, state->markers[measure->marker[side]].body, v, x + 6 * side);
    for (int r = 0; r < 12; r++) {
        rate[r] = 0;
        for (int c = 0; c < 12; c++)
            rate[r] += H[r][c] * x[c];
    }
    int32_t carrier = rbv_measure_carrier(measure, model);
    if (carrier < 0 || state->markers[carrier].body == 0)
        return;
    double third[12][6];
    rbv_measure_carrier_hessian(measure, model, state->markers, third);
    motion_of(state, state->markers[carrier].body, v, x);
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 6; c++)
            rate[r] += third[r][c] * x[c];
}

void rbv_state_row_derivative(RbvState *state, int32_t k, const double *v, double *out) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    const RbvBodyColumns *bodies = &system->bodies;
    const RbvRow *row = &system->rows[k];
    int32_t begin = system->D.start[k];
    memset(out, 0, (size_t)(system->D.start[k + 1] - begin) * sizeof *out);
    for (int32_t t = 0; t < row->count; t++) {
        const RbvTerm *term = &system->terms[row->first + t];
        const RbvMeasure *measure = &model->measures.items[term->measure];
        double rate[12], gain = row->equation ? coefficient_rate(state, row, t, v) : 0;
        gradient_rate(state, term->measure, v, rate);
        for (int side = 0; side < 2; side++) {
            int32_t body = state->markers[measure->marker[side]].body;
            const double *x = rate + 6 * side;
            RbvWrench sum = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
            if (body == 0)
                continue;
            sum = rbv_wrench_add_scaled((RbvWrench){{0, 0, 0}, {0, 0, 0}}, state->coefficient[row->first + t], sum);
            sum = rbv_wrench_add_scaled(sum, gain, state->measures[term->measure].gradient[side]);
            rbv_bodies_add(bodies, body, 1, &sum, out + (term->slot[side] - begin));
        }
    }
}
