/* Second derivatives of the rows at a state: Hessians over the body twists, the derivative of D along a motion, and the
 * stiffness K = sum_k lambda_k H_k - dQ/dq. */
#include "mechanics/system/system.h"

#include <string.h>

/* The derivative of rows of D along body twists v: dD_k[v] = sum_t c_t H_t v + sum_tu f_tu (J_u v) J_t, for the forces
 * v^T K(n) w of geometric stiffness. */

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

/* K = sum_k lambda_k H_k - dQ/dq at rest, from rows and loads, streamed by pairs of bodies
 * (mechanics/element/configuration.h). */

/* sum_uw f_uw g_u g_w^T of an equation. */
static void equation(const RbvStiffness *K, const RbvState *state, const RbvRow *row, double lambda) {
    const RbvTerm *terms = &state->system->terms[row->first];
    RbvJet f = rbv_state_equation_jet(state, row);
    for (int32_t u = 0; u < f.count; u++)
        for (int32_t w = 0; w < f.count; w++)
            if (row->variables->term[u] >= 0 && row->variables->term[w] >= 0)
                rbv_stiffness_outer(K, terms[row->variables->term[u]].measure, terms[row->variables->term[w]].measure,
                                    lambda * f.hessian[u * f.count + w]);
    rbv_stiffness_end(K);
}

static void rows(const RbvStiffness *K, const RbvState *state, const double *lambda) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->on_rates)
            continue;
        for (int32_t n = row->first; n < row->first + row->count; n++)
            rbv_stiffness_hessian(K, system->terms[n].measure, lambda[k] * state->coefficient[n]);
        if (row->equation)
            equation(K, state, row, lambda[k]);
    }
}

/* The derivative of a generalized force by the coordinates that it reads. */
static void generalized(const RbvStiffness *K) {
    const RbvModel *model = K->at->model;
    for (int32_t k = 0; k < model->generalized.count; k++) {
        const RbvExpr *force = model->generalized.items[k].force;
        RbvJet f = rbv_configuration_jet(K->at, force, NULL);
        for (int32_t v = 0; v < f.count; v++) {
            RbvVariable variable = rbv_variable_of(model, force, v);
            if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0)
                rbv_stiffness_wrench_outer(K, model->generalized.items[k].body, (RbvWrench){{1, 0, 0}, {0, 0, 0}},
                                           variable.index, -f.gradient[v]);
        }
        rbv_stiffness_end(K);
    }
}

void rbv_state_load_stiffness(RbvState *state, const RbvStiffnessSink *sink) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    const RbvStiffness K = {&at, sink};
    generalized(&K);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoadFormulas *formulas = rbv_load_formulas(model->loads.items[k].kind);
        if (formulas->stiffness && rbv_state_acts(state, k))
            formulas->stiffness(&K, &model->loads.items[k]);
    }
}

void rbv_state_stiffness(RbvState *state, const double *lambda, const RbvStiffnessSink *sink) {
    const RbvConfiguration at = rbv_state_configuration(state);
    rows(&(RbvStiffness){&at, sink}, state, lambda);
    rbv_state_load_stiffness(state, sink);
}

/* H[start of bi + r][start of bj + c] += k block, for the columns that the bodies have. */
static void add_block(const RbvBodyColumns *bodies, int32_t bi, int32_t bj, double k, const double *block, int width,
                      double *H) {
    for (int32_t r = 0; bi && r < rbv_bodies_columns(bodies, bi); r++)
        for (int32_t c = 0; bj && c < rbv_bodies_columns(bodies, bj); c++)
            H[(bodies->start[bi] + r) * bodies->size + bodies->start[bj] + c] +=
                k * block[rbv_bodies_direction(bodies, r) * width + rbv_bodies_direction(bodies, c)];
}

static void add_measure(const RbvState *state, int32_t n, double *H) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    int32_t m = system->terms[n].measure;
    const RbvMeasure *measure = &model->measures.items[m];
    double local[12][12], third[12][6];
    int32_t carrier = rbv_measure_carrier(measure, model);
    rbv_measure_hessian(measure, model, state->markers, &state->measures[m], local);
    if (carrier >= 0)
        rbv_measure_carrier_hessian(measure, model, state->markers, third);
    for (int i = 0; i < 2; i++) {
        int32_t bi = state->markers[measure->marker[i]].body;
        for (int j = 0; j < 2; j++)
            add_block(&system->bodies, bi, state->markers[measure->marker[j]].body, state->coefficient[n],
                      &local[6 * i][6 * j], 12, H);
        if (carrier >= 0)
            add_block(&system->bodies, bi, state->markers[carrier].body, state->coefficient[n], &third[6 * i][0], 6, H);
    }
}

static void add_equation(const RbvState *state, const RbvRow *row, double *H) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RbvJet f = rbv_state_equation_jet(state, row);
    for (int32_t u = 0; u < f.count; u++)
        for (int32_t w = 0; w < f.count; w++) {
            int32_t tu = row->variables->term[u], tw = row->variables->term[w];
            if (tu < 0 || tw < 0 || (row->on_rates && (!row->variables->rate[u] || row->variables->rate[w])))
                continue;
            int32_t ma = system->terms[row->first + tu].measure, mb = system->terms[row->first + tw].measure;
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) {
                    const RbvWrench *a = &state->measures[ma].gradient[i], *b = &state->measures[mb].gradient[j];
                    const double x[6] = {a->force.x, a->force.y, a->force.z, a->torque.x, a->torque.y, a->torque.z};
                    const double y[6] = {b->force.x, b->force.y, b->force.z, b->torque.x, b->torque.y, b->torque.z};
                    double block[6][6];
                    for (int r = 0; r < 6; r++)
                        for (int c = 0; c < 6; c++)
                            block[r][c] = x[r] * y[c];
                    add_block(&system->bodies, state->markers[model->measures.items[ma].marker[i]].body,
                              state->markers[model->measures.items[mb].marker[j]].body, f.hessian[u * f.count + w],
                              &block[0][0], 6, H);
                }
        }
}

void rbv_state_row_hessian(const RbvState *state, int32_t k, double *H) {
    const RbvRow *row = &state->system->rows[k];
    size_t size = (size_t)state->system->bodies.size;
    memset(H, 0, size * size * sizeof *H);
    for (int32_t n = row->first; n < row->first + row->count; n++)
        add_measure(state, n, H);
    if (row->equation)
        add_equation(state, row, H);
}
