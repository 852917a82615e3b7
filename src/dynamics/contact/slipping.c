/* Drives that slip at their limits; see slipping.h. */
#include "dynamics/contact/slipping.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "mechanics/system/contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool rbv_slipping_create(RbvSlipping *s, RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    size_t count = (size_t)model->drives.count + 1;
    *s = (RbvSlipping){.state = state};
    s->drive = rbv_arena_array(&s->arena, count, sizeof *s->drive);
    s->sign = rbv_arena_array(&s->arena, count, sizeof *s->sign);
    s->before = rbv_arena_array(&s->arena, count, sizeof *s->before);
    s->freed = rbv_arena_array(&s->arena, count, sizeof *s->freed);
    s->off = rbv_arena_array(&s->arena, count, sizeof *s->off);
    s->effort = rbv_arena_array(&s->arena, count, sizeof *s->effort);
    s->wrenches = rbv_arena_array(&s->arena, (size_t)system->bodies.count + 1, sizeof *s->wrenches);
    s->Q = rbv_arena_array(&s->arena, (size_t)system->coordinates.size + 1, sizeof *s->Q);
    s->work = rbv_arena_array(&s->arena, (size_t)system->work_size + 64, sizeof *s->work);
    for (int32_t k = 0; s->drive && k < model->drives.count; k++)
        if (model->drives.items[k].most)
            s->drive[s->count++] = k;
    return s->drive && s->sign && s->before && s->freed && s->off && s->effort && s->wrenches && s->Q && s->work;
}

void rbv_slipping_destroy(RbvSlipping *s) {
    rbv_arena_clear(&s->arena);
    *s = (RbvSlipping){0};
}

static const RbvDrive *drive_of(const RbvSlipping *s, int32_t i) {
    return &s->state->system->model->drives.items[s->drive[i]];
}

static int32_t row_of(const RbvSlipping *s, int32_t i) {
    return s->state->system->drive_row[s->drive[i]];
}

double rbv_slipping_limit(const RbvSlipping *s, int32_t i) {
    double most = rbv_state_expression(s->state, drive_of(s, i)->most, NULL, s->work);
    return isfinite(most) ? rbv_max(0, most) : NAN;
}

double rbv_slipping_surface(const RbvSlipping *s, int32_t i, double *lag) {
    RbvState *state = s->state;
    const RbvRow *row = &state->system->rows[row_of(s, i)];
    double(*lags)[2] = state->lag, motion[3], value, rate;
    rbv_state_coordinate(state, &drive_of(s, i)->of, &value, &rate);
    state->lag = NULL; /* target without lags */
    rbv_state_target_jet(state, row, motion);
    state->lag = lags;
    *lag = value - row->constant - state->row_turn[row_of(s, i)] - motion[0];
    /* s, in the unit of c' */
    double off = motion[1] - rate - drive_of(s, i)->catch_up * *lag;
    if (!row->equation)
        return off;
    double scale = rbv_state_equation_scale(
        state, row_of(s, i)); /* 0 where the expression is stationary: then `off` is zero, too */
    return scale > 0 ? off * rbv_state_row_size(state, row_of(s, i)) / scale : off;
}

bool rbv_slipping_push(RbvSlipping *s) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    bool any = false, finite = true;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->sign[i] == 0)
            continue;
        if (!any)
            memset(s->wrenches, 0, (size_t)system->bodies.count * sizeof *s->wrenches);
        any = true;
        s->effort[i] = s->sign[i] * rbv_slipping_limit(s, i);
        finite = finite && isfinite(s->effort[i]);
        rbv_state_push_coordinate(state, &drive_of(s, i)->of, s->effort[i], s->wrenches);
    }
    if (!any || !finite)
        return finite;
    rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(state), s->wrenches, s->Q);
    for (int32_t b = 0; b < system->model->bodies.count; b++)
        rbv_push_body(state->wrenches, b, s->wrenches[b]);
    for (int32_t j = 0; j < system->coordinates.size; j++)
        state->Q[j] += s->Q[j];
    return true;
}

void rbv_slipping_take(RbvSlipping *s, const double *lambda) {
    for (int32_t i = 0; i < s->count; i++)
        if (s->sign[i] == 0)
            s->effort[i] = -lambda[row_of(s, i)];
}

void rbv_slipping_explain(const RbvSlipping *s, char *message, size_t size) {
    message[0] = '\0';
    for (int32_t i = 0; i < s->count; i++)
        if (isnan(rbv_slipping_limit(s, i))) {
            snprintf(message, size, "drive '%s' has a max: that is not finite", drive_of(s, i)->name);
            return;
        }
}

/* Lag e_0 of drive i, which decays from now on. */
static void set_lag(RbvSlipping *s, int32_t i, double lag) {
    s->state->lag[s->drive[i]][0] = lag;
    s->state->lag[s->drive[i]][1] = s->state->t;
}

void rbv_slipping_engage(RbvSlipping *s, int32_t i, bool *active) {
    double lag;
    rbv_slipping_surface(s, i, &lag);
    set_lag(s, i, lag);
    s->sign[i] = 0;
    active[row_of(s, i)] = true;
}

int32_t rbv_slipping_find(const RbvSlipping *s, int32_t drive) {
    for (int32_t i = 0; i < s->count; i++)
        if (s->drive[i] == drive)
            return i;
    return -1;
}

void rbv_slipping_switch(RbvSlipping *s, int32_t i, bool on, bool *active) {
    s->off[i] = !on;
    rbv_slipping_engage(s, i, active);
    active[row_of(s, i)] = on;
    s->effort[i] = on ? s->effort[i] : 0;
}

void rbv_slipping_slip(RbvSlipping *s, int32_t i, int sign, bool *active) {
    s->sign[i] = sign;
    active[row_of(s, i)] = false;
}

void rbv_slipping_free(RbvSlipping *s, int32_t i, bool freed, bool *active) {
    s->freed[i] = freed;
    active[row_of(s, i)] = !freed;
}

double rbv_slipping_margin(const RbvSlipping *s, int32_t i) {
    /* Relative to the limit: rounding. */
    return s->sign[i] == 0 && !s->off[i] ? rbv_slipping_limit(s, i) * (1 + RBV_DATA) - fabs(s->effort[i]) : NAN;
}

bool rbv_slipping_needs_more(const RbvSlipping *s, int32_t i) {
    return rbv_slipping_margin(s, i) < 0;
}
