/* States within the last step: interpolated, projected onto the constraints, accepted at events; and the continuation
 * of the motion from there. See stepper.h. */
#include "core/base/extremes.h"
#include "dynamics/integration/stepper.h"

#include <math.h>
#include <string.h>

/* The interpolant is of order 7. Errors relative to those of a step: a sample may have OFF_BETWEEN times, of which the
 * audit forgives a thousand; otherwise a step of its own leads there. The state at an event, from which the motion
 * continues, may have OFF_AT_EVENT times; otherwise the step is repeated, with its end a little beyond the event
 * (BEYOND), but at most SHORTER times as long. */
#define OFF_BETWEEN 100
#define OFF_AT_EVENT 1
#define BEYOND 1.05
#define SHORTER 0.7
/* A step in which a law was evaluated beyond its piece where it has no value ends a little beyond that point, so that
 * hardly any stage is there. */
#define BARELY_BEYOND (1 + 1e-6)

/* Makes the interpolant of the last step when it is first needed. */
static RbvStatus interpolate(RbvStepper *s) {
    if (s->interpolates || s->implicit)
        return RBV_OK;
    RbvStatus status = rbv_dormand_prince_interpolate(&s->method, s->before, s->y_before, s->t - s->before, s->y);
    s->interpolates = status == RBV_OK;
    s->away = true;
    return status;
}

/* Finds y_next at t by a separate step. */
static RbvStatus step_between(RbvStepper *s, double t) {
    double error = 0;
    RbvStatus status = rbv_stepper_try(s, s->before, s->y_before, t - s->before, s->y_next, &error);
    return status == RBV_OK && !isfinite(error) ? RBV_LOCKED : status;
}

/* Finds y_next at t by the interpolant, or by a separate implicit step. */
static RbvStatus between(RbvStepper *s, double t) {
    t = rbv_max(t, s->before);
    s->away = true;
    if (s->t == s->before) { /* no step was made from there */
        memcpy(s->y_next, s->y, (size_t)s->flow->size * sizeof *s->y_next);
        return RBV_OK;
    }
    if (!s->implicit) {
        rbv_dormand_prince_at(&s->method, (t - s->method.t) / s->method.h, s->y_next);
        return RBV_OK;
    }
    if (t == s->before) {
        memcpy(s->y_next, s->y_before, (size_t)s->flow->size * sizeof *s->y_next);
        return RBV_OK;
    }
    return step_between(s, t);
}

RbvStatus rbv_stepper_look(RbvStepper *s, double t) {
    if (t == s->t) {
        memcpy(s->y_next, s->y, (size_t)s->flow->size * sizeof *s->y);
        RbvStatus status = s->away ? rbv_flow_hold(s->flow, t, s->y_next, NULL) : RBV_OK;
        s->away = false;
        return status;
    }
    RbvStatus status = interpolate(s);
    if (status != RBV_OK)
        return status;
    status = between(s, t);
    return status == RBV_OK ? rbv_flow_hold(s->flow, t, s->y_next, NULL) : status;
}

/* Returns whether the energy balance of the state at t, found by the interpolant, has an error above `most` times that
 * allowed for a step. */
static bool is_coarse(const RbvStepper *s, double t, double most) {
    const RbvFlow *flow = s->flow;
    return !s->implicit && t > s->before && t < s->t &&
           rbv_energy_balance_is_coarse(&s->balance, &s->flow->power, s->flow->state, s->share, most * s->tolerance,
                                        s->y_next[flow->size - 1]);
}

bool rbv_stepper_shortens(RbvStepper *s, double t) {
    const RbvPieces *pieces = s->flow->state->pieces;
    bool lacking = pieces && pieces->out_of_piece && BARELY_BEYOND * (t - s->before) < SHORTER * (s->t - s->before),
         coarse = is_coarse(s, t, OFF_AT_EVENT);
    if (!coarse && !lacking)
        return false;
    s->h = lacking ? BARELY_BEYOND * (t - s->before) : rbv_min(BEYOND * (t - s->before), SHORTER * (s->t - s->before));
    memcpy(s->y, s->y_before, (size_t)s->flow->size * sizeof *s->y);
    memcpy(rbv_dormand_prince_last(&s->method), rbv_dormand_prince_first(&s->method),
           (size_t)s->flow->size * sizeof *s->y);
    s->t = s->before;
    s->balance.kept = s->balance.before;
    s->turns = s->turned_before;
    s->steps--;
    s->rejected++;
    s->interpolates = false;
    s->away = true;
    return true;
}

/* Finds y_next at t by the cubic through both ends of the last step and their rates. */
static void interpolate_roughly(RbvStepper *s, double t) {
    const double *f0 = rbv_dormand_prince_first(&s->method), *f1 = rbv_dormand_prince_last(&s->method);
    double h = s->t - s->before, x = rbv_max(0, (t - s->before) / h), z = 1 - x;
    for (int32_t i = 0; i < s->flow->size; i++)
        s->y_next[i] =
            z * z * ((1 + 2 * x) * s->y_before[i] + x * h * f0[i]) + x * x * ((1 + 2 * z) * s->y[i] - z * h * f1[i]);
    s->away = true;
}

bool rbv_stepper_peek(RbvStepper *s, double t) {
    RbvStatus status = interpolate(s);
    if (status == RBV_OK && s->implicit && s->rough && s->t > s->before)
        interpolate_roughly(s, t);
    else if (status == RBV_OK)
        status = between(s, t);
    return status == RBV_OK && rbv_flow_place(s->flow, t, s->y_next);
}

RbvStatus rbv_stepper_visit(RbvStepper *s, double t) {
    RbvStatus status = rbv_stepper_look(s, t);
    if (status == RBV_OK && is_coarse(s, t, OFF_BETWEEN)) {
        status = step_between(s, t);
        status = status == RBV_OK ? rbv_flow_hold(s->flow, t, s->y_next, NULL) : status;
    }
    return status == RBV_OK ? RBV_OK : rbv_stepper_report_failure(s, status);
}

/* Makes the state at t the accepted one. */
static RbvStatus cut(RbvStepper *s, double t) {
    if (t == s->t)
        return rbv_stepper_look(s, t);
    RbvStatus status = interpolate(s);
    if (status != RBV_OK)
        return status;
    status = between(s, t);
    if (status == RBV_OK)
        status = rbv_flow_hold(s->flow, t, s->y_next, rbv_dormand_prince_last(&s->method));
    if (status != RBV_OK)
        return status;
    memcpy(s->y, s->y_next, (size_t)s->flow->size * sizeof *s->y);
    s->t = t;
    s->away = false;
    s->by_turns = rbv_step_by_turns(s);
    rbv_energy_balance_keep(&s->balance, &s->flow->power, s->flow->state, s->y[s->flow->size - 1]);
    rbv_state_accept(s->flow->state);
    return RBV_OK;
}

RbvStatus rbv_stepper_cut(RbvStepper *s, double t) {
    RbvStatus status = cut(s, t);
    if (status == RBV_OK && s->variation.h > 0) { /* before other rows become active */
        rbv_stepper_carry(s);
        s->away = true;
        status = rbv_stepper_look(s, t);
    }
    return status == RBV_OK ? RBV_OK : rbv_stepper_report_failure(s, status);
}

/* Continues from the state y_next at s->t, projected onto the constraints. */
static RbvStatus go_on_from(RbvStepper *s) {
    double *f = rbv_dormand_prince_last(&s->method);
    rbv_repeats_forget(&s->flow->repeats);
    RbvStatus status = rbv_flow_hold(s->flow, s->t, s->y_next, f);
    if (status != RBV_OK)
        return rbv_stepper_report_failure(s, status);
    memcpy(s->y, s->y_next, (size_t)s->flow->size * sizeof *s->y);
    memcpy(s->y_before, s->y, (size_t)s->flow->size * sizeof *s->y);
    s->before = s->t;
    s->interpolates = s->away = false;
    if (s->implicit)
        rbv_radau_forget(&s->radau);
    s->by_turns = rbv_step_by_turns(s);
    rbv_energy_balance_keep(&s->balance, &s->flow->power, s->flow->state, s->y[s->flow->size - 1]);
    rbv_state_accept(s->flow->state);
    return RBV_OK;
}

RbvStatus rbv_stepper_restart(RbvStepper *s) {
    rbv_flow_gather(s->flow, s->y[s->flow->size - 1], s->y_next);
    RbvStatus status = go_on_from(s);
    if (status != RBV_OK)
        return status;
    s->stiff = s->suspected = 0;
    s->h = rbv_min(s->h, rbv_step_first(s, rbv_dormand_prince_last(&s->method)));
    if (!s->variation.begun || s->variation.lost)
        return RBV_OK;
    rbv_variation_project(&s->variation, s->flow, s->t, s->y);
    s->away = true;
    status = rbv_stepper_look(s, s->t);
    return status == RBV_OK ? RBV_OK : rbv_stepper_report_failure(s, status);
}

RbvStatus rbv_stepper_turn(RbvStepper *s) {
    memcpy(s->y_next, s->y, (size_t)s->flow->size * sizeof *s->y);
    s->turns = true;
    return go_on_from(s);
}

void rbv_stepper_give(RbvStepper *s, double work) {
    s->y[s->flow->size - 1] += work;
    rbv_energy_balance_keep(&s->balance, &s->flow->power, s->flow->state, s->y[s->flow->size - 1]);
}

RbvStatus rbv_stepper_pass(RbvStepper *s, double t) {
    RbvStatus status = rbv_stepper_visit(s, s->t);
    s->t = t;
    return status == RBV_OK ? rbv_stepper_restart(s) : status;
}

/* ---- the first step from a singular position ----
 *
 * The motion through the position is smooth, and its accelerations there are known; but stages of a step next to it are
 * where rows resist motions by small singular values only. So the first step has usual length: its stages are well
 * beyond the position, and each is projected onto the constraints, like those of a step across such a position
 * (step_lengths.c). Redundant rows must be left out from the first stage on: which rows are redundant everywhere shows
 * a little further along the motion, where self-stresses of the position alone are gone.
 *
 * [rad] FIRST_TURN: approximate rotation of the fastest body in the first step that is tried; LOOK_TURN: rotation after
 * which redundant rows are searched. The prediction is of second order; its error of third order is removed by
 * projection. */
#define FIRST_TURN 0.1
#define LOOK_TURN 3e-2

/* Time [s] in which the fastest body turns by `angle` [rad]. */
static double time_of_turn(const RbvFlow *flow, double angle) {
    const RbvState *state = flow->state;
    double h = INFINITY;
    for (int32_t b = 1; b < flow->system->bodies.count; b++) {
        double rate = rbv_norm(state->twists[b].w) + rbv_norm(state->twists[b].v) / rbv_state_body_size(state, b);
        double gain =
            rbv_norm(state->accelerations[b].w) + rbv_norm(state->accelerations[b].v) / rbv_state_body_size(state, b);
        double by_rate = rate > 0 ? angle / rate : INFINITY, by_gain = INFINITY;
        if (gain > 0)
            by_gain = sqrt(angle / gain);
        h = rbv_min(h, rbv_min(by_rate, by_gain));
    }
    return h;
}

/* Evaluates the state after time h of the motion with rates f at y, predicted by second order and projected; twice, so
 * that the factors are made at that state. */
static RbvStatus hold_after(RbvFlow *flow, double t, const double *y, const double *f, double h, double *to) {
    const double *v = y + flow->positions, *a = f + flow->positions;
    memcpy(to, y, (size_t)flow->size * sizeof *to);
    for (int32_t j = 0; j < flow->n; j++)
        flow->dq[j] = v[j] + 0.5 * h * a[j];
    rbv_coordinates_rate(&flow->system->coordinates, y, flow->dq, to);
    for (int32_t i = 0; i < flow->positions; i++)
        to[i] = y[i] + h * to[i];
    for (int32_t j = 0; j < flow->n; j++)
        to[flow->positions + j] = v[j] + h * a[j];
    RbvStatus status = rbv_flow_hold(flow, t + h, to, NULL);
    return status == RBV_OK ? rbv_flow_hold(flow, t + h, to, NULL) : status;
}

/* Finds the rows that are redundant at two positions ahead, and so everywhere. */
static RbvStatus find_repeats(RbvStepper *s, const double *f, double h) {
    RbvFlow *flow = s->flow;
    RbvStatus status = RBV_OK;
    for (int part = 1; status == RBV_OK && part <= 2; part++) {
        flow->repeats.wait = 0;
        status = hold_after(flow, s->t, s->y, f, h / part, s->y_next);
        if (status == RBV_OK)
            rbv_repeats_find(&flow->repeats, LOOK_TURN);
    }
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

RbvStatus rbv_stepper_leave_singular(RbvStepper *s) {
    RbvFlow *flow = s->flow;
    double *f = rbv_dormand_prince_last(&s->method), look = time_of_turn(flow, LOOK_TURN);
    memcpy(s->y + flow->positions, flow->state->v, (size_t)flow->n * sizeof *f);
    rbv_coordinates_rate(&flow->system->coordinates, s->y, flow->state->v, f);
    memcpy(f + flow->positions, flow->state->a, (size_t)flow->n * sizeof *f);
    s->by_turns = rbv_step_by_turns(s);
    s->h = rbv_min(s->longest, time_of_turn(flow, FIRST_TURN));
    s->singular_at = s->t;
    if (!flow->repeats.saddle || !isfinite(look))
        return RBV_OK;
    RbvStatus status = find_repeats(s, f, rbv_min(look, s->longest));
    s->away = true;
    return status == RBV_OK ? rbv_stepper_visit(s, s->t) : status;
}
