/* Control by required motions; see tracking.h. */
#include "dynamics/control/tracking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_required(const RbvSystem *system, int32_t k) {
    return system->rows[k].owner == RBV_OWNER_CONSTRAINT &&
           system->model->constraints.items[system->rows[k].index].required;
}

/* carries: forces come from required rows; projects: projection satisfies required rows. */
static bool carries(const RbvTracking *t) {
    return t->actuators == 0;
}

static bool projects(const RbvTracking *t) {
    return t->rate == 0;
}

bool rbv_tracking_create(RbvTracking *t, RbvState *state, RbvSaddle *saddle) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count,
           required = (size_t)model->requirement_count, actuators = (size_t)model->actuators.count;
    *t = (RbvTracking){.state = state,
                       .saddle = saddle,
                       .actuators = model->actuators.count,
                       .rate = isnan(model->track_rate) ? 0 : model->track_rate,
                       .failed = -1};
    t->row = calloc(required + 1, sizeof *t->row);
    for (int32_t k = 0; t->row && k < system->row_count; k++)
        if (is_required(system, k))
            t->row[t->count++] = k;
    t->mechanism = calloc(rows + 1, sizeof *t->mechanism);
    t->error = calloc(required + 1, sizeof *t->error);
    t->off = calloc(required + 1, sizeof *t->off);
    t->effort = calloc(actuators + 1, sizeof *t->effort);
    t->limited = calloc(actuators + 1, sizeof *t->limited);
    t->phase = calloc(actuators + 1, sizeof *t->phase);
    t->a = calloc(actuators * n + 1, sizeof *t->a);
    t->B = calloc(actuators * n + 1, sizeof *t->B);
    t->lambda = calloc(actuators * rows + 1, sizeof *t->lambda);
    bool split = rbv_effort_split_create(&t->split, t->count, t->actuators);
    if (carries(t) != projects(t) && !(t->other = rbv_saddle_create(state)))
        return false;
    if (!t->row || !t->mechanism || !t->error || !t->off || !t->effort || !t->limited || !t->phase || !t->a || !t->B ||
        !t->lambda || !split)
        return false;
    for (int32_t i = 0; i < t->actuators; i++) {
        t->split.weight[i] = model->actuators.items[i].weight;
        t->split.most[i] = model->actuators.items[i].most;
        t->has_limits = t->has_limits || isfinite(t->split.most[i]);
    }
    rbv_tracking_mask(t);
    return true;
}

void rbv_tracking_destroy(RbvTracking *t) {
    rbv_saddle_destroy(t->other);
    rbv_effort_split_destroy(&t->split);
    free(t->row);
    free(t->mechanism);
    free(t->error);
    free(t->off);
    free(t->effort);
    free(t->limited);
    free(t->phase);
    free(t->a);
    free(t->B);
    free(t->lambda);
    *t = (RbvTracking){0};
}

void rbv_tracking_mask(RbvTracking *t) {
    const RbvSystem *system = t->state->system;
    for (int32_t k = 0; k < system->row_count; k++)
        t->mechanism[k] = rbv_state_holds(t->state, k) && !is_required(system, k);
    rbv_saddle_set_active(t->saddle, carries(t) ? t->state->active : t->mechanism);
    if (t->other)
        rbv_saddle_set_active(t->other, projects(t) ? t->state->active : t->mechanism);
}

RbvSaddle *rbv_tracking_holder(const RbvTracking *t) {
    return t->other ? t->other : t->saddle;
}

bool rbv_tracking_holds(const RbvTracking *t, int32_t k) {
    return projects(t) || t->mechanism[k];
}

void rbv_tracking_require(RbvTracking *t) {
    const RbvState *state = t->state;
    double size, r = t->rate;
    for (int32_t i = 0; i < t->count; i++) {
        int32_t k = t->row[i];
        t->off[i] = rbv_state_row_times(state, k, state->v, &size) - state->nu[k];
        if (state->system->rows[k].on_rates) {
            t->error[i] = t->off[i];
            state->gamma[k] -= r * t->off[i];
        } else {
            t->error[i] = state->phi[k];
            state->gamma[k] -= 2 * r * t->off[i] + r * r * t->error[i];
        }
    }
}

/* Finds the answers to a unit effort of each actuator. */
static bool find_answers(RbvTracking *t) {
    const RbvState *state = t->state;
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    for (int32_t i = 0; i < t->actuators; i++) {
        rbv_state_push_coordinate(state, &system->model->actuators.items[i].of, 1, rbv_saddle_wrenches(t->saddle));
        if (!rbv_saddle_answer(t->saddle, t->B + (size_t)i * n, t->a + (size_t)i * n, t->lambda + (size_t)i * rows))
            return false;
    }
    return true;
}

RbvStatus rbv_tracking_control(RbvTracking *t, double *a, double *lambda) {
    RbvState *state = t->state;
    const RbvSystem *system = state->system;
    RbvEffortSplit *s = &t->split;
    int32_t n = system->coordinates.size, rows = system->row_count;
    t->failed = -1;
    if (!rbv_saddle_solve(t->saddle, state->Q, state->gamma, a, lambda) || !find_answers(t))
        return RBV_LOCKED;
    for (int32_t r = 0; r < t->count; r++) {
        int32_t k = t->row[r];
        s->d[r] = state->gamma[k] - rbv_state_row_times(state, k, a, &s->d_size[r]);
        s->d_size[r] += fabs(state->gamma[k]);
        for (int32_t i = 0; i < t->actuators; i++)
            s->E[r * t->actuators + i] =
                rbv_state_row_times(state, k, t->a + (size_t)i * (size_t)n, &s->E_size[r * t->actuators + i]);
    }
    t->failed = rbv_effort_split_solve(s, &t->by_limits);
    if (t->failed >= 0)
        return RBV_INCONSISTENT;
    for (int32_t i = 0; i < t->actuators; i++) {
        double u = t->effort[i] = s->effort[i];
        t->limited[i] = s->limited[i];
        for (int32_t j = 0; j < n; j++) {
            a[j] += u * t->a[(size_t)i * (size_t)n + (size_t)j];
            state->Q[j] += u * t->B[(size_t)i * (size_t)n + (size_t)j];
        }
        for (int32_t k = 0; k < rows; k++)
            lambda[k] += u * t->lambda[(size_t)i * (size_t)rows + (size_t)k];
        rbv_state_push_coordinate(state, &system->model->actuators.items[i].of, u, state->wrenches);
    }
    return RBV_OK;
}

double rbv_tracking_power(const RbvTracking *t, const double *lambda) {
    double sum = 0;
    for (int32_t i = 0; i < t->count; i++)
        sum -= lambda[t->row[i]] * t->off[i];
    return sum;
}

void rbv_tracking_explain(const RbvTracking *t, char *text, size_t size) {
    const RbvModel *model = t->state->system->model;
    text[0] = '\0';
    if (t->failed < 0)
        return;
    const char *name = model->constraints.items[t->state->system->rows[t->row[t->failed]].index].name;
    int length = snprintf(text, size,
                          t->by_limits ? "requirement '%s' cannot be met any more within the limits of the actuators"
                                       : "requirement '%s' cannot be met: no effort of the actuators makes it so",
                          name);
    const char *link = ": at its limit is";
    for (int32_t i = 0; t->by_limits && i < t->actuators && length > 0 && (size_t)length < size; i++) {
        if (t->split.limited[i] == 0)
            continue;
        const RbvActuator *actuator = &model->actuators.items[i];
        length += snprintf(text + length, size - (size_t)length, "%s '%s' (%.9g %s)", link, actuator->name,
                           actuator->most, actuator->unit);
        link = ",";
    }
}
