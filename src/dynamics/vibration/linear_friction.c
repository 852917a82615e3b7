/* Sliding friction in the linearised motion: f = s u/|u| on its friction contacts, s = -mu N; see linearisation.h.
 *
 * The magnitudes s are unknowns beside the multipliers. With g_i the generalized force of a unit force on friction
 * contact i along its slip direction, and h_i = s_i + mu_i N_i(lambda, s):
 *
 *   r = M a + C^T lambda - Q - sum_i s_i g_i,   M da + C^T dl = sum_i ds_i g_i - r_q xi - r_v dv
 *   ds_i + mu_i dN_i(dl, ds) = -h_q xi - h_v dv
 *
 * Reactions depend on positions, so K is not symmetric: what is stable without friction may flutter. Along one
 * direction the sign of u stays; of several directions u/|u| turns with u, which damps motion across. */
#include "dynamics/vibration/linearisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rbv_linear_unit_friction(const RbvLinear *l, int32_t i, double *force) {
    const RbvSystem *system = l->state->system;
    const RbvFrictionContact *friction = rbv_sliding_contact(l->sliding, i);
    memset(l->wrenches, 0, (size_t)system->bodies.count * sizeof *l->wrenches);
    for (int c = 0; c < friction->count; c++)
        rbv_friction_push(l->state, friction, c, l->sliding->slip[i][c] * friction->slip[c].lever, l->wrenches);
    rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(l->state), l->wrenches, force);
}

bool rbv_linear_load(RbvLinear *l) {
    RbvSliding *s = l->sliding;
    const RbvSystem *system = l->state->system;
    if (!rbv_state_load(l->state))
        return false;
    if (!s)
        return true;
    rbv_reactions_place(s->reactions, l->state);
    for (int32_t i = 0; i < s->count; i++)
        if (s->slides[i])
            rbv_sliding_find_direction(s, i);
    rbv_sliding_take_efforts(s, l->lambda);
    memset(l->wrenches, 0, (size_t)system->bodies.count * sizeof *l->wrenches);
    rbv_sliding_push(s, l->wrenches);
    rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(l->state), l->wrenches, s->Q);
    for (int32_t j = 0; j < l->n; j++)
        l->state->Q[j] += s->Q[j];
    return true;
}

double rbv_linear_slowest_slip(const RbvLinear *l) {
    const RbvSliding *s = l->sliding;
    double least = INFINITY;
    for (int32_t i = 0; s && i < s->count; i++) {
        RbvSlipVector u;
        if (s->slides[i] && rbv_sliding_contact(s, i)->count > 1)
            least = fmin(least, rbv_friction_slide(l->state, rbv_sliding_contact(s, i), u));
    }
    return least;
}

/* s->base: multipliers without friction; s->answer: their changes per unit force of friction, as differences. */
static bool find_answers(RbvLinear *l, RbvLinearAnswer *answer, const double *Q, double *unit, double *work) {
    RbvSliding *s = l->sliding;
    size_t rows = (size_t)l->state->system->row_count;
    double size = 1;
    bool good = answer(l, work);
    for (int32_t j = 0; j < l->n; j++)
        size = fmax(size, fabs(Q[j]));
    if (good)
        memcpy(s->base, l->lambda, rows * sizeof *s->base);
    for (int32_t i = 0; good && i < s->count; i++) {
        if (!s->slides[i])
            continue;
        rbv_linear_unit_friction(l, i, unit);
        for (int32_t j = 0; j < l->n; j++)
            l->state->Q[j] = Q[j] + size * unit[j];
        good = answer(l, work);
        for (size_t k = 0; good && k < rows; k++)
            s->answer[(size_t)i * rows + k] = (l->lambda[k] - s->base[k]) / size;
    }
    return good;
}

bool rbv_linear_friction(RbvLinear *l, RbvLinearAnswer *answer, double *work) {
    RbvSliding *s = l->sliding;
    size_t n = (size_t)l->n;
    double *Q = malloc((2 * n + 1) * sizeof *Q), *unit = Q + n;
    if (!Q)
        return false;
    memcpy(Q, l->state->Q, n * sizeof *Q);
    bool good = find_answers(l, answer, Q, unit, work);
    if (good && !rbv_sliding_settle(s, l->lambda)) {
        l->refusal = "friction of what slides has no solution in this state, the mechanism jams";
        good = false;
    }
    memcpy(l->state->Q, Q, n * sizeof *Q);
    for (int32_t i = 0; good && i < s->count; i++) {
        if (!s->slides[i])
            continue;
        rbv_linear_unit_friction(l, i, unit);
        for (size_t j = 0; j < n; j++)
            l->state->Q[j] += s->force[i] * unit[j];
    }
    good = good && answer(l, work);
    free(Q);
    return good;
}
