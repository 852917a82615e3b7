/* Friction that slides; see sliding.h. */
#include "dynamics/sliding.h"

#include "linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 60
/* Newton ends when it would change no effort by more than this part of the largest. */
#define EXACT 1e-13

bool rbv_sliding_create(RbvSliding *s, RbvState *state, RbvSaddle *saddle) {
    const RbvSystem *system = state->system;
    size_t joints = (size_t)system->model->joints.count, n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    *s = (RbvSliding){.state = state, .saddle = saddle};
    s->joint = calloc(joints + 1, sizeof *s->joint);
    for (size_t k = 0; s->joint && k < joints; k++)
        if (system->stick_row[k] >= 0)
            s->joint[s->count++] = (int32_t)k;
    size_t count = (size_t)s->count;
    s->reactions = rbv_reactions_create(system, RBV_FRAME_JOINT);
    s->sign = calloc(count + 1, sizeof *s->sign);
    s->effort = calloc(count + 1, sizeof *s->effort);
    s->load = calloc(count + 1, sizeof *s->load);
    s->base = calloc(rows + 1, sizeof *s->base);
    s->answer = calloc(count * rows + 1, sizeof *s->answer);
    s->a = calloc(count * n + 1, sizeof *s->a);
    s->J = calloc(count * (count + 1) + 1, sizeof *s->J);
    s->Q = calloc(n + 1, sizeof *s->Q);
    s->wrenches = calloc((size_t)system->bodies.count + 1, sizeof *s->wrenches);
    return s->joint && s->reactions && s->sign && s->effort && s->load && s->base && s->answer && s->a && s->J && s->Q && s->wrenches;
}

void rbv_sliding_destroy(RbvSliding *s) {
    rbv_reactions_destroy(s->reactions);
    free(s->joint);
    free(s->sign);
    free(s->effort);
    free(s->load);
    free(s->base);
    free(s->answer);
    free(s->a);
    free(s->J);
    free(s->Q);
    free(s->wrenches);
    *s = (RbvSliding){0};
}

static int32_t measure_of(const RbvSliding *s, int32_t i) {
    return s->state->system->friction_measure[s->joint[i]];
}

double rbv_sliding_rate(const RbvSliding *s, int32_t i) {
    return s->state->measures[measure_of(s, i)].rate;
}

/* k g_i. */
static void push(const RbvSliding *s, int32_t i, double k, RbvWrench *wrenches) {
    const RbvMeasure *measure = &s->state->system->model->measures.items[measure_of(s, i)];
    for (int side = 0; side < 2; side++) {
        RbvWrench *at = &wrenches[s->state->markers[measure->marker[side]].body];
        *at = rbv_wrench_add_scaled(*at, k, s->state->measures[measure_of(s, i)].gradient[side]);
    }
}

void rbv_sliding_push(const RbvSliding *s, RbvWrench *wrenches) {
    for (int32_t i = 0; i < s->count; i++)
        if (s->sign[i] != 0)
            push(s, i, s->effort[i], wrenches);
}

double rbv_sliding_power(const RbvSliding *s) {
    double sum = 0;
    for (int32_t i = 0; i < s->count; i++)
        sum += s->sign[i] != 0 ? s->effort[i] * rbv_sliding_rate(s, i) : 0;
    return sum;
}

/* What a unit effort of each sliding joint does. */
static bool find_answers(RbvSliding *s) {
    const RbvSystem *system = s->state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->sign[i] == 0)
            continue;
        memset(s->wrenches, 0, (size_t)system->bodies.count * sizeof *s->wrenches);
        push(s, i, 1, s->wrenches);
        rbv_coordinates_pull(&system->coordinates, rbv_state_at(s->state), s->wrenches, s->Q);
        if (!rbv_saddle_solve(s->saddle, s->Q, NULL, s->a + (size_t)i * n, s->answer + (size_t)i * rows))
            return false;
    }
    return true;
}

/* Newton on s_j + mu_j N_j sign_j = 0; lambda is that of the efforts at the end. */
static bool settle(RbvSliding *s, double *lambda) {
    const RbvSystem *system = s->state->system;
    int32_t n = s->count, w = n + 1;
    size_t rows = (size_t)system->row_count;
    for (int step = 0; step < MOST_STEPS; step++) {
        double largest = 0, change = 0;
        memcpy(lambda, s->base, rows * sizeof *lambda);
        for (int32_t i = 0; i < n; i++)
            for (size_t k = 0; s->sign[i] != 0 && k < rows; k++)
                lambda[k] += s->effort[i] * s->answer[(size_t)i * rows + k];
        for (int32_t i = 0; i < n; i++) {
            const RbvJoint *joint = &system->model->joints.items[s->joint[i]];
            double reaction[3], slope[3], answer[3], mu = joint->friction * s->sign[i];
            rbv_friction_reaction(s->reactions, s->state, s->joint[i], lambda, false, reaction);
            s->load[i] = rbv_friction_load(joint, reaction, slope);
            for (int32_t j = 0; j < n; j++) {
                s->J[i * w + j] = i == j;
                if (s->sign[i] == 0 || s->sign[j] == 0)
                    continue;
                rbv_friction_reaction(s->reactions, s->state, s->joint[i], s->answer + (size_t)j * rows, false, answer);
                s->J[i * w + j] += mu * (slope[0] * answer[0] + slope[1] * answer[1] + slope[2] * answer[2]);
            }
            s->J[i * w + n] = s->sign[i] == 0 ? 0 : -(s->effort[i] + mu * s->load[i]);
            largest = fmax(largest, fabs(mu * s->load[i]));
        }
        if (!rbv_small_solve(s->J, n, 1e-12))
            return false;
        for (int32_t i = 0; i < n; i++)
            change = fmax(change, fabs(s->J[i * w + n]));
        if (!isfinite(change))
            return false;
        if (change <= EXACT * largest)
            return true;
        for (int32_t i = 0; i < n; i++)
            s->effort[i] += s->sign[i] != 0 ? s->J[i * w + n] : 0;
    }
    return false;
}

bool rbv_sliding_solve(RbvSliding *s, double *a, double *lambda) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size;
    rbv_reactions_place(s->reactions, state);
    if (!rbv_saddle_solve(s->saddle, state->Q, state->gamma, a, s->base) || !find_answers(s))
        return false;
    bool settled = settle(s, lambda);
    for (int32_t i = 0; !settled && i < s->count; i++) /* not from the last friction: from none */
        s->effort[i] = 0;
    if (!settled && !settle(s, lambda))
        return false;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->sign[i] == 0) {
            s->effort[i] = -lambda[system->stick_row[s->joint[i]]];
            continue;
        }
        for (size_t j = 0; j < n; j++)
            a[j] += s->effort[i] * s->a[(size_t)i * n + j];
    }
    return true;
}
