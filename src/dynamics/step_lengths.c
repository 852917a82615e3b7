/* How long a step may be; see step_lengths.h. */
#include "dynamics/step_lengths.h"

#include <math.h>

/* No body turns further in one step [rad]: turns are counted from step to step. */
#define LARGEST_TURN 1.0
/* The first step moves and speeds up bodies by this part of their sizes. */
#define FIRST_MOVE 1e-3
/* The part of it over which its end is looked at. */
#define FIRST_LOOK 1e-2
/* Of the time in which accelerations that grow evenly would move that far. */
#define FIRST_GROWS 0.1

/* The longest step in which no body turns too far. */
double rbv_step_by_turns(const RbvStepper *s) {
    const RbvState *state = s->flow->state;
    double w = 0, alpha = 0;
    for (int32_t b = 1; b < s->flow->system->bodies.count; b++) {
        w = fmax(w, rbv_norm(state->twists[b].w));
        alpha = fmax(alpha, rbv_norm(state->accelerations[b].w));
    }
    double rate = fmax(w, sqrt(alpha));
    return rate > 0 ? fmin(s->longest, LARGEST_TURN / rate) : s->longest;
}

/* Of the rates at the start: a step that moves little. */
double rbv_step_first(const RbvStepper *s, const double *f) {
    const RbvFlow *flow = s->flow;
    double speed = 0, gain = 0;
    for (int32_t j = 0; j < flow->n; j++) {
        speed = fmax(speed, fabs(f[flow->positions + j]) * s->share[j]);
        gain = fmax(gain, fabs(s->y[flow->positions + j]) * s->share[j]);
    }
    double h = s->longest;
    h = gain > 0 ? fmin(h, FIRST_MOVE / gain) : h;
    return speed > 0 ? fmin(h, sqrt(FIRST_MOVE / speed)) : h;
}

/* What decays fast from the first instant on is not to be stepped over: h is no longer than 1 / |df/dy| along f, by a
 * difference over a hundredth of it (Hairer, Norsett and Wanner, II.4); nor needs it be shorter than what grows from
 * nothing takes to move something. */
double rbv_step_bound_first(RbvStepper *s, double t, const double *f, double h) {
    RbvFlow *flow = s->flow;
    double *y = s->y_next, *other = s->y_before, change = 0, size = 0, part = FIRST_LOOK * h;
    for (int32_t i = 0; i < flow->size; i++)
        y[i] = s->y[i] + part * f[i];
    if (rbv_flow_rate(flow, t + part, y, other) != RBV_OK)
        return h;
    for (int32_t j = 0; j < flow->n; j++) {
        change = fmax(change, fabs(other[flow->positions + j] - f[flow->positions + j]) * s->share[j]);
        size = fmax(size, fabs(f[flow->positions + j]) * s->share[j]);
    }
    return isfinite(change) && change > 0
               ? fmin(h, fmax(part * size / change, FIRST_GROWS * cbrt(part * FIRST_MOVE / change)))
               : h;
}
