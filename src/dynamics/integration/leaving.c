/* The first step from a singular position; see leaving.h.
 *
 * The motion through the position is smooth, and its accelerations there are known; but stages of a step next to it are
 * where rows resist motions by small singular values only. So the first step has usual length: its stages are well
 * beside the position, and each is projected onto the constraints, like those of a step across such a position
 * (singular_crossing.c). Redundant rows must be left out from the first stage on: which rows are redundant everywhere
 * shows a little further along the motion, where self-stresses of the position alone are gone. */
#include "dynamics/integration/leaving.h"

#include "dynamics/integration/step_lengths.h"

#include <math.h>
#include <string.h>

/* [rad] FIRST_TURN: approximate rotation of the fastest body in the first step that is tried; LOOK_TURN: rotation after
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
        h = fmin(h, fmin(rate > 0 ? angle / rate : INFINITY, gain > 0 ? sqrt(angle / gain) : INFINITY));
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
    s->h = fmin(s->longest, time_of_turn(flow, FIRST_TURN));
    s->singular_at = s->t;
    if (!flow->repeats.saddle || !isfinite(look))
        return RBV_OK;
    RbvStatus status = find_repeats(s, f, fmin(look, s->longest));
    s->away = true;
    return status == RBV_OK ? rbv_stepper_visit(s, s->t) : status;
}
