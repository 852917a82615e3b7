/* First instant of a change of indicators, by secants of margins; see crossing.h. */
#include "dynamics/events/crossing.h"

#include "dynamics/events/dips.h"
#include "dynamics/events/transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOOKS 100
/* Part of the time below which two instants are one. */
#define INSTANT 2e-16
/* Part of the step by which the projection onto the constraints moves an instant, first guess. */
#define NEAR 1e-13
/* After PATIENCE evaluations that leave more than SHORTENED of the bracket, the next one is in its middle. */
#define PATIENCE 3
#define SHORTENED 0.3
/* AT_END: part of the bracket by which a root may be outside and counts as its end, where the margin is rounding. */
#define AT_END 1e-6
/* BEYOND: multiple of the last change of the root by which the next evaluation is beyond it; FARTHER: factor for each
 * time that the other end of the bracket has stayed. */
#define BEYOND 2.0
#define FARTHER 8.0

/* Bracket of an instant: no indicator has changed at low, some have at high. */
typedef struct Bracket {
    double low, high;
    double *at_low, *at_high; /* [margins] margins at both ends */
    double least;             /* [s] difference below which two instants are one */
    double root;              /* [s] root of the last secant; NaN: none */
    int lows, highs;          /* how often in a row the low end, or the high end, was moved */
} Bracket;

bool rbv_crossing_create(RbvEventLoop *h) {
    h->margin_count = h->dips.count + h->contacts.count + h->flow->sliding.count + h->flow->slipping.count;
    h->margins = calloc(3 * (size_t)h->margin_count + 1, sizeof *h->margins);
    return h->margins != NULL;
}

RbvStatus rbv_crossing_look(RbvEventLoop *h, double t, bool forces, bool *seen) {
    *seen = forces ? rbv_stepper_look(h->stepper, t) == RBV_OK : rbv_stepper_peek(h->stepper, t);
    return *seen ? rbv_event_loop_indicate(h, forces, h->now) : RBV_OK;
}

static void note_margins(const RbvEventLoop *h, bool forces, double *margin) {
    const RbvSliding *sliding = &h->flow->sliding;
    const RbvSlipping *slipping = &h->flow->slipping;
    double most = forces && h->contacts.count > 0 ? rbv_event_loop_largest_force(h) : NAN;
    for (int32_t k = 0; k < h->dips.count;
         k++) /* slip velocities are margins that are zero at rest in the other direction */
        *margin++ = rbv_dips_value(h, k) + (k < sliding->count + slipping->count ? rbv_event_loop_rest_rate(h) : 0);
    for (int32_t k = 0; k < h->contacts.count; k++)
        *margin++ = rbv_event_loop_contact_margin(h, k, most);
    for (int32_t i = 0; i < sliding->count; i++)
        *margin++ = forces && !sliding->slides[i] && rbv_event_loop_touches(h, i)
                        ? rbv_shares_friction_margin(&h->shares, i)
                        : NAN;
    for (int32_t i = 0; i < slipping->count; i++)
        *margin++ = forces ? rbv_slipping_margin(slipping, i) : NAN;
}

/* First root [s] of the secants of all margins over the bracket; NaN: no margin changes its sign. */
static double first_root(const RbvEventLoop *h, const Bracket *b) {
    double first = NAN;
    for (int32_t k = 0; k < h->margin_count; k++) {
        double part = b->at_low[k] / (b->at_low[k] - b->at_high[k]); /* of the bracket */
        if (!(part >= -AT_END && part <= 1 + AT_END))
            continue;
        double t = b->low + (b->high - b->low) * part;
        first = t < first || isnan(first) ? t : first;
    }
    return first;
}

/* Next instant to evaluate [s]; middle: the middle of the bracket. */
static double next_look(const RbvEventLoop *h, Bracket *b, bool middle) {
    double root = middle ? NAN : first_root(h, b), t = root, off = fmax(BEYOND * fabs(root - b->root), b->least);
    if (isnan(root))
        return 0.5 * (b->low + b->high);
    if (b->lows > 0)
        t += off * pow(FARTHER, b->lows - 1);
    else if (b->highs > 0)
        t -= off * pow(FARTHER, b->highs - 1);
    b->root = root;
    t = fmin(fmax(t, b->low + b->least), b->high - b->least);
    return t > b->low && t < b->high ? t : 0.5 * (b->low + b->high);
}

/* Moves the end of the bracket on the side of t to t; *margin, the margins at t, is exchanged for the end's array. */
static void move_end(Bracket *b, double t, bool changed, double **margin) {
    double **end = changed ? &b->at_high : &b->at_low, *old = *end;
    *(changed ? &b->high : &b->low) = t;
    *end = *margin;
    *margin = old;
    b->lows = changed ? 0 : b->lows + 1;
    b->highs = changed ? b->highs + 1 : 0;
}

/* Margins at t (NaN where the state is not found); *changed: an indicator has changed there. */
static RbvStatus look_with_margins(RbvEventLoop *h, double t, bool forces, double *margin, bool *changed) {
    bool seen;
    RbvStatus status = rbv_crossing_look(h, t, forces, &seen);
    *changed = status == RBV_OK && seen && rbv_event_loop_any_changes(h, h->now);
    for (int32_t k = 0; k < h->margin_count; k++)
        margin[k] = NAN;
    if (status == RBV_OK && seen)
        note_margins(h, forces, margin);
    return status;
}

RbvStatus rbv_crossing_find(RbvEventLoop *h, double low, double *high, bool forces) {
    double *margin = h->margins + 2 * h->margin_count, width = *high - low;
    Bracket b = {.low = low, .high = *high, .at_low = h->margins, .at_high = h->margins + h->margin_count, .root = NAN};
    bool changed;
    b.least = INSTANT * fmax(fabs(*high), h->stepper->t - h->stepper->before);
    RbvStatus status = look_with_margins(h, low, forces, b.at_low, &changed);
    if (status == RBV_OK)
        status = look_with_margins(h, *high, forces, b.at_high, &changed);
    bool middle = false;
    for (int k = 1; status == RBV_OK && k < MOST_LOOKS && b.high - b.low > b.least; k++) {
        double t = next_look(h, &b, middle);
        if (t <= b.low || t >= b.high)
            break;
        status = look_with_margins(h, t, forces, margin, &changed);
        move_end(&b, t, changed, &margin);
        middle = k % PATIENCE == 0 && b.high - b.low > SHORTENED * width;
        width = k % PATIENCE == 0 ? b.high - b.low : width;
    }
    *high = b.high;
    return status;
}

RbvStatus rbv_crossing_find_held(RbvEventLoop *h, double *t) {
    const RbvStepper *s = h->stepper;
    double low = *t, high = *t, width = NEAR * (s->t - s->before);
    bool seen, changed = false;
    RbvStatus status = RBV_OK;
    for (; status == RBV_OK && !changed && high < s->t; width *= 8) {
        status = rbv_crossing_look(h, high, true, &seen);
        changed = seen && rbv_event_loop_any_changes(h, h->now);
        low = changed ? low : high;
        high = changed ? high : fmin(high + width, s->t);
    }
    for (bool back = high == *t; status == RBV_OK && back && low > s->before; width *= 8) {
        low = fmax(low - width, s->before);
        status = low > s->before ? rbv_crossing_look(h, low, true, &seen) : RBV_OK;
        back = low > s->before && seen && rbv_event_loop_any_changes(h, h->now);
        high = back ? low : high;
    }
    *t = high;
    return status == RBV_OK ? rbv_crossing_find(h, low, t, true) : status;
}
