/* Lengths of steps: bounds before the error of a step is known, the effect of rounding, and steps near singular
 * positions; see stepper.h. */
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
        w = fmax(w, rbv_norm(state->twists[b].w));
        alpha = fmax(alpha, rbv_norm(state->accelerations[b].w));
    }
    double rate = fmax(w, sqrt(alpha));
    return rate > 0 ? fmin(s->longest, LARGEST_TURN / rate) : s->longest;
}

/* A step of small movement, from the rates at the start. */
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
        change = fmax(change, fabs(other[flow->positions + j] - f[flow->positions + j]) * s->share[j]);
        size = fmax(size, fabs(f[flow->positions + j]) * s->share[j]);
    }
    return isfinite(change) && change > 0
               ? fmin(h, fmax(part * size / change, FIRST_GROWS * cbrt(part * FIRST_MOVE / change)))
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
        double rounding = DBL_EPSILON * fmax(fabs(y[i]), scale[i] > 0 ? 1 / scale[i] : 0);
        moved[i] += (uint32_t)i * 2654435761u >> 31 ? rounding : -rounding; /* signs of neighbours in no order */
    }
    if (rbv_flow_rate(flow, t, moved, rate) != RBV_OK)
        return;
    for (int32_t j = 0; j < flow->n; j++)
        noise[j] = ROUNDING_ERROR * fabs(rate[flow->positions + j] - f[flow->positions + j]);
}

/* ---- steps across singular positions: a trial step refused near a singular position is repeated ---- */

/* 1 / sigma^2 for singular values below a hundredth, or at least on the way there (where forces jump, as at the knots
 * of a cam, it is 1); largest ratio of errors for which projecting the stages has helped; number of trials; ratio of
 * their lengths: each differs by more than the range where sigma is rounding, some 1e-4 of a radian. */
#define NEAR_CROSSING 1e4
#define TOWARDS_SINGULAR 30
#define HELPED 0.1
#define MOST_CROSSINGS 12
#define CROSSING 0.93
/* Rows are satisfied to this part of the size; the resulting error of accelerations grows with 1 / sigma^2. */
#define CROSSING_ROUNDING 1e-15
/* Relative to the longest step: shorter steps do not lead across. */
#define LEAST_CROSSING 1e-5

/* After the last trial: no other length is better than the best trial if its remaining error is rounding over sigma^2.
 * Shorter steps have more stages near the position, and more of that error; where errors fall with the length, as those
 * of a step bounded by stability do, shorter steps make progress. Returns true, with the length in s->h, if the best
 * trial is to be repeated. */
static bool settle_crossing(RbvStepper *s, RbvSingularCrossing *trials) {
    if (trials->length == 0 || trials->best < HELPED * trials->longest)
        return false;
    trials->settles = true;
    s->h = trials->length;
    s->rejected++;
    return true;
}

/* Near a singular position accelerations satisfy rows along a motion that the rows resist by sigma only: states off the
 * constraints by delta have an error delta / sigma along it. The stages of a step are off by some power of its length,
 * so they cause errors for which no step is short enough, and the shorter the step is the more of its stages are near.
 * The motion itself is smooth there. Hence a trial step that is refused there, or whose error is far from that of
 * earlier steps, is repeated with each stage projected onto the rows, each time a little shorter, so that no stage lies
 * where sigma is rounding, as long as that helps. Not with friction, which jams near such positions. Not in a first
 * step: it may be too long for anything, and singular positions among its stages may be far from the motion. */
bool rbv_singular_crossing_retries(RbvStepper *s, RbvSingularCrossing *trials, double h, double error) {
    if (s->implicit || s->flow->sliding.count > 0 || s->steps == 0)
        return false;
    if (trials->settles) { /* and was refused */
        trials->settles = false;
        trials->tried = MOST_CROSSINGS + 1;
        return false;
    }
    if (s->flow->projects && error > 0 && error < RBV_CROSSING_FAR_OFF &&
        error * s->tolerance <= CROSSING_ROUNDING * s->nearness && (trials->length == 0 || error < trials->best)) {
        trials->longest = trials->length == 0 ? error : trials->longest;
        trials->best = error;
        trials->length = h;
    }
    if (trials->tried >= MOST_CROSSINGS)
        return trials->tried == MOST_CROSSINGS && settle_crossing(s, trials);
    bool first = trials->tried == 0, near = s->nearness > NEAR_CROSSING,
         helps = first ? error > RBV_CROSSING_FAR_OFF : error > 1 && error < HELPED * trials->worst;
    if (!(near || (helps && s->nearness > TOWARDS_SINGULAR)) || h < LEAST_CROSSING * s->longest ||
        s->flow->system->row_count == 0)
        return false;
    trials->whole = first ? h : trials->whole;
    trials->worst = first ? error : trials->worst;
    trials->tried++;
    s->h = trials->whole * pow(CROSSING, trials->tried);
    s->flow->projects = true;
    s->rejected++;
    return true;
}

/* ---- jamming of friction near flat positions and dead centres ----
 *
 * Reactions grow without bound towards these. Where coordinates keep joints, the rows of loops give way in no
 * acceleration, so that the error of a step does not show growing reactions: a long step could lead past a position
 * where friction has no solution. The least singular value sigma falls in proportion to the remaining distance, so that
 * steps that turn bodies by less than sigma come near the position and meet the jamming.
 *
 * TOWARDS_JAM: 1 / sigma^2 above which steps are limited to a turn of PART_OF_SIGMA times sigma, with sigma no less
 * than LEAST_SIGMA. */
#define TOWARDS_JAM 1e2
#define PART_OF_SIGMA 0.5
#define LEAST_SIGMA 1e-3
/* Least factor by which a step is shortened at once. */
#define LEAST_CUT 0.25

bool rbv_stepper_leads_past_jam(RbvStepper *s, double h) {
    const RbvFlow *flow = s->flow;
    if (flow->system->coordinates.of_bodies || flow->sliding.count == 0 || !(s->nearness > TOWARDS_JAM))
        return false;
    double rate = 0, turn = PART_OF_SIGMA * fmax(1 / sqrt(s->nearness), LEAST_SIGMA);
    for (int32_t b = 1; b < flow->system->bodies.count; b++)
        rate = fmax(rate, rbv_norm(flow->state->twists[b].w));
    if (rate * h <= turn)
        return false;
    s->h = fmax(turn / rate, LEAST_CUT * h);
    s->rejected++;
    return true;
}
