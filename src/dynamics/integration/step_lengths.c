/* Lengths of steps before the error of a step is known, and the effect of rounding; see stepper.h. */
#include "core/base/extremes.h"
#include "dynamics/integration/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- bounds by rotation, and of the first step ---- */

/* Largest rotation of a body in one step [rad]: rotations are counted from step to step. */
#define LARGEST_TURN 1.0
/* Movement and gain of speed of bodies in the first step, relative to their sizes. */
#define FIRST_MOVE 1e-3
/* Part of the first step over which the change of rates is measured. */
#define FIRST_LOOK 1e-2
/* Factor of the time in which uniformly growing accelerations would cause that movement. */
#define FIRST_GROWS 0.1

/* Longest step in which no body rotates by more than LARGEST_TURN. */
double rbv_step_by_turns(const RbvStepper *s) {
    const RbvState *state = s->flow->state;
    double w = 0, alpha = 0;
    for (int32_t b = 1; b < s->flow->system->bodies.count; b++) {
        w = rbv_max(w, rbv_norm(state->twists[b].w));
        alpha = rbv_max(alpha, rbv_norm(state->accelerations[b].w));
    }
    double rate = rbv_max(w, sqrt(alpha));
    return rate > 0 ? rbv_min(s->longest, LARGEST_TURN / rate) : s->longest;
}

/* A step of small movement, from the rates at the start. */
double rbv_step_first(const RbvStepper *s, const double *f) {
    const RbvFlow *flow = s->flow;
    double speed = 0, gain = 0;
    for (int32_t j = 0; j < flow->n; j++) {
        speed = rbv_max(speed, fabs(f[flow->positions + j]) * s->share[j]);
        gain = rbv_max(gain, fabs(s->y[flow->positions + j]) * s->share[j]);
    }
    double h = s->longest;
    h = gain > 0 ? rbv_min(h, FIRST_MOVE / gain) : h;
    return speed > 0 ? rbv_min(h, sqrt(FIRST_MOVE / speed)) : h;
}

/* Fast decay from the first instant on must not be stepped over: h is no longer than 1 / |df/dy| along f, by a
 * difference over a hundredth of it (Hairer, Norsett and Wanner, II.4); it need not be shorter than the time in which
 * an effect that grows from zero moves something. */
double rbv_step_bound_first(RbvStepper *s, double t, const double *f, double h) {
    RbvFlow *flow = s->flow;
    double *y = s->y_next, *other = s->y_before, change = 0, size = 0, part = FIRST_LOOK * h;
    for (int32_t i = 0; i < flow->size; i++)
        y[i] = s->y[i] + part * f[i];
    if (rbv_flow_rate(flow, t + part, y, other) != RBV_OK)
        return h;
    for (int32_t j = 0; j < flow->n; j++) {
        change = rbv_max(change, fabs(other[flow->positions + j] - f[flow->positions + j]) * s->share[j]);
        size = rbv_max(size, fabs(f[flow->positions + j]) * s->share[j]);
    }
    return isfinite(change) && change > 0
               ? rbv_min(h, rbv_max(part * size / change, FIRST_GROWS * cbrt(part * FIRST_MOVE / change)))
               : h;
}

/* ---- effect of rounding of the positions on accelerations ----
 *
 * For bodies on stiff springs that hardly move yet, accelerations
 * are rounding alone, and no step is short enough to be exact to a fraction of them.
 *
 * ROUNDING_ERROR: error of accelerations, relative to the difference found. */
#define ROUNDING_ERROR 10

void rbv_rounding_find(RbvFlow *flow, double t, const double *y, const double *f, const double *scale, double *moved,
                       double *rate, double *noise) {
    memcpy(moved, y, (size_t)flow->size * sizeof *y);
    for (int32_t i = 0; i < flow->positions; i++) {
        double rounding = DBL_EPSILON * rbv_max(fabs(y[i]), scale[i] > 0 ? 1 / scale[i] : 0);
        moved[i] += (uint32_t)i * 2654435761u >> 31 ? rounding : -rounding; /* signs of neighbours in no order */
    }
    if (rbv_flow_rate(flow, t, moved, rate) != RBV_OK)
        return;
    for (int32_t j = 0; j < flow->n; j++)
        noise[j] = ROUNDING_ERROR * fabs(rate[flow->positions + j] - f[flow->positions + j]);
}
