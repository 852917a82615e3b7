/* Second derivatives of rows over the body twists: sum_n c_n H_n + sum_uw f_uw g_u g_w^T for an equation f of measures
 * with gradients g. */
#include "mechanics/system/system.h"

#include <string.h>

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
