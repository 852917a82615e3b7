/* The derivative of rows of C along a motion: dC_k[v] = sum_t c_t H_t v + sum_tu f_tu (J_u v) J_t (SPEC-001-004, N15). Forces v^T K(n) w of geometric stiffness. */
#include "system/system.h"

#include <string.h>

static const int planar[3] = {0, 1, 5};

/* J_m v of a measure. */
static double rate_of(const RbvState *state, int32_t m, const double *v) {
    const RbvSystem *system = state->system;
    const RbvMeasure *measure = &system->model->measures.items[m];
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int32_t b = state->markers[measure->marker[side]].body;
        if (b == 0)
            continue;
        const double *x = v + system->absolute.start[b];
        const RbvWrench *g = &state->measures[m].gradient[side];
        sum += g->force.x * x[0] + g->force.y * x[1];
        if (rbv_absolute_columns(&system->absolute, b) == 3)
            sum += g->torque.z * x[2];
    }
    return sum;
}

/* What the term's coefficient gains along v: second derivatives of the row's equation. */
static double coefficient_rate(RbvState *state, const RbvRow *row, int32_t t, const double *v) {
    RbvJet f = rbv_state_equation_jet(state, row);
    double sum = 0;
    for (int32_t a = 0; a < f.count; a++)
        for (int32_t b = 0; b < f.count; b++)
            if (row->variable_term[a] == t && row->variable_term[b] >= 0 && row->variable_rate[a] == row->on_rates && !row->variable_rate[b])
                sum += f.hessian[a * f.count + b] * rate_of(state, state->system->terms[row->first + row->variable_term[b]].measure, v);
    return sum;
}

void rbv_state_row_derivative(RbvState *state, int32_t k, const double *v, double *out) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    const RbvAbsolute *absolute = &system->absolute;
    const RbvRow *row = &system->rows[k];
    int32_t begin = system->start[k];
    memset(out, 0, (size_t)(system->start[k + 1] - begin) * sizeof *out);
    for (int32_t t = 0; t < row->count; t++) {
        const RbvTerm *term = &system->terms[row->first + t];
        const RbvMeasure *measure = &model->measures.items[term->measure];
        double H[12][12], gain = row->equation ? coefficient_rate(state, row, t, v) : 0;
        rbv_measure_hessian(measure, model, state->markers, &state->measures[term->measure], H);
        for (int i = 0; i < 2; i++) {
            int32_t bi = state->markers[measure->marker[i]].body;
            const RbvWrench *g = &state->measures[term->measure].gradient[i];
            const double own[3] = {g->force.x, g->force.y, g->torque.z};
            for (int32_t r = 0; bi && r < rbv_absolute_columns(absolute, bi); r++) {
                double sum = gain * own[r];
                for (int j = 0; j < 2; j++) {
                    int32_t bj = state->markers[measure->marker[j]].body;
                    for (int32_t c = 0; bj && c < rbv_absolute_columns(absolute, bj); c++)
                        sum += state->coefficient[row->first + t] * H[6 * i + planar[r]][6 * j + planar[c]] * v[absolute->start[bj] + c];
                }
                out[term->slot[i] - begin + r] += sum;
            }
        }
    }
}
