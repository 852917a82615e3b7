/* Instant of the first transition within a step: between an instant at which no indicator has changed and one at which
 * some have.
 *
 * Indicators tell whether a transition is due; many have a margin, a number that passes zero when the indicator
 * changes: gaps and pushes of contacts, distances of friction and efforts from their limits, slip velocities, values of
 * events, margins of laws. The margins stand in one array, in this order: those of the dips (slip velocities of
 * friction contacts, s of drives, events, switches of laws), contacts, sticking friction, following drives; NaN: none.
 *
 * Where a margin changes its sign over the bracket, the next instant examined is the root of its secant, moved beyond
 * the root by a multiple of the difference between the last two roots, so that both ends of the bracket come near;
 * without such a margin, or where this does not shorten the bracket, the next instant is the middle of the bracket. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

/* ---- margins that pass zero and return between two evaluations of a step ----
 *
 * These are slip velocities of friction contacts and drives,
 * events, margins of laws. A parabola through three evaluations gives the candidate for the minimum, and an evaluation
 * there decides. Contacts, whose gap rates are known, use a cubic (event_loop.c).
 *
 * DEEP: part of both ends below which the minimum of a parabola must be for an evaluation there. */
#define DEEP 0.5
/* MOST_DIP_LOOKS: most evaluations for one minimum. */
#define MOST_DIP_LOOKS 12

typedef struct Three {
    double t[3], y[3]; /* [s] instants; margins, positive before the change */
} Three;

/* Margin k (0 ... dips.count - 1) at the state of loop->now: a number that changes its sign where its indicator
 * changes; NaN: no transition is possible there, or the indicator has no margin. */
static double dips_value(const RbvEventLoop *h, int32_t k) {
    const RbvSliding *sliding = &h->flow->sliding;
    const RbvSlipping *slipping = &h->flow->slipping;
    const RbvModel *model = h->flow->system->model;
    double lag;
    if (k < sliding->count)
        return sliding->slides[k] && rbv_sliding_contact(sliding, k)->count == 1 && !rbv_sliding_is_slow(sliding, k)
                   ? rbv_sliding_forward(sliding, k)
                   : NAN;
    k -= sliding->count;
    if (k < slipping->count)
        return slipping->sign[k] != 0 ? slipping->sign[k] * rbv_slipping_surface(slipping, k, &lag) : NAN;
    k -= slipping->count;
    if (k < model->events.count)
        return model->events.items[k].truth ? NAN : h->now[h->contacts.count + model->conditions.count + k];
    k -= model->events.count;
    return h->pieces.group[k] < 0 ? h->pieces.margins[k] : NAN;
}

void rbv_dips_note(RbvEventLoop *h, double t, bool begins) {
    RbvDips *d = &h->dips;
    d->looks = begins ? 1 : d->looks + 1;
    memmove(d->t, d->t + 1, 2 * sizeof *d->t);
    memmove(d->value, d->value + d->count, 2 * (size_t)d->count * sizeof *d->value);
    d->t[2] = t;
    for (int32_t k = 0; k < d->count; k++)
        d->value[2 * d->count + k] = dips_value(h, k);
}

/* *t: minimum of the parabola through three margins. False: it is outside the interval, or not deep. */
static bool find_lowest(const Three *p, double *t) {
    double rise = (p->y[1] - p->y[0]) / (p->t[1] - p->t[0]), next = (p->y[2] - p->y[1]) / (p->t[2] - p->t[1]),
           bend = (next - rise) / (p->t[2] - p->t[0]);
    if (!(bend > 0) || !(p->y[0] > 0 && p->y[1] > 0 && p->y[2] > 0))
        return false;
    *t = 0.5 * (p->t[0] + p->t[1]) - rise / (2 * bend);
    double low = p->y[0] + (*t - p->t[0]) * (rise + bend * (*t - p->t[1]));
    return *t > p->t[0] && *t < p->t[2] && low < DEEP * rbv_min(p->y[0], p->y[2]);
}

/* Takes in the margin y at t [s] and drops one end of the three, so that the lowest is the middle one. */
static void narrow(Three *p, double t, double y) {
    int at = t < p->t[1] ? 0 : 1;
    bool left = at == 0 ? y < p->y[1] : !(y < p->y[1]); /* the minimum is in the left part */
    Three q = at == 0 ? (Three){{p->t[0], t, p->t[1]}, {p->y[0], y, p->y[1]}}
                      : (Three){{p->t[1], t, p->t[2]}, {p->y[1], y, p->y[2]}};
    if (at == 0 && !left)
        q = (Three){{t, p->t[1], p->t[2]}, {y, p->y[1], p->y[2]}};
    if (at == 1 && left)
        q = (Three){{p->t[0], p->t[1], t}, {p->y[0], p->y[1], y}};
    *p = q;
}

/* side: sign of the margin at the middle evaluation; times it, all three margins are positive. */
RbvStatus rbv_dips_search(RbvEventLoop *h, RbvLook look, double *low, double *high, bool *changed) {
    const RbvDips *d = &h->dips;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; d->looks >= 3 && status == RBV_OK && k < d->count; k++) {
        const double *v = d->value + k;
        double side = v[d->count] < 0 ? -1 : 1, t, last = NAN;
        Three p = {{d->t[0], d->t[1], d->t[2]}, {side * v[0], side * v[d->count], side * v[2 * d->count]}};
        /* Part of the interval within which the minimum is found. */
        for (int i = 0; status == RBV_OK && i < MOST_DIP_LOOKS && find_lowest(&p, &t) &&
                        !(fabs(t - last) <= RBV_FITS * (d->t[2] - d->t[0]));
             i++) {
            bool seen;
            status = look(h, t, &seen);
            if (status != RBV_OK || !seen)
                break;
            if (rbv_event_loop_any_changes(h, h->now)) {
                *low = p.t[0], *high = t;
                *changed = true;
                return RBV_OK;
            }
            narrow(&p, t, side * dips_value(h, k));
            last = t;
        }
    }
    return status;
}

/* ---- first instant of a change of indicators, by secants of margins ---- */

/* Most evaluations for one instant. */
#define MOST_LOOKS 100
/* After PATIENCE evaluations that together leave more than SHORTENED of the bracket, the next one is in its middle. */
#define PATIENCE 3
#define SHORTENED 0.3
/* BEYOND: multiple of the last change of the root by which the next evaluation is beyond it; FARTHER: factor for each
 * time that the other end of the bracket has stayed. */
#define BEYOND 2.0
#define FARTHER 8.0

/* Bracket of an instant: no indicator has changed at low, some have at high. */
typedef struct Bracket {
    double low, high;         /* [s] */
    double *at_low, *at_high; /* [margins] margins at both ends */
    double least;             /* [s] difference below which two instants are one */
    double root;              /* [s] root of the last secant; NaN: none */
    int lows, highs;          /* how often in a row the low end, or the high end, was moved */
} Bracket;

bool rbv_crossing_create(RbvEventLoop *h) {
    const RbvFlow *flow = h->flow;
    int32_t moving = flow->sliding.count + flow->slipping.count;
    h->dips = (RbvDips){.count = moving + flow->system->model->events.count + h->pieces.total};
    h->dips.value = rbv_arena_array(&h->arena, 3 * (size_t)h->dips.count + 1, sizeof *h->dips.value);
    h->margin_count = h->dips.count + h->contacts.count + moving;
    h->margins = rbv_arena_array(&h->arena, 3 * (size_t)h->margin_count + 1, sizeof *h->margins);
    return h->dips.value && h->margins;
}

RbvStatus rbv_crossing_look(RbvEventLoop *h, double t, bool forces, bool *seen) {
    *seen = forces ? rbv_stepper_look(h->stepper, t) == RBV_OK : rbv_stepper_peek(h->stepper, t);
    return *seen ? rbv_event_loop_indicate(h, forces, h->now) : RBV_OK;
}

/* margin[margin_count]: all margins at the state of loop->now; without `forces` those that need forces are NaN. */
static void note_margins(const RbvEventLoop *h, bool forces, double *margin) {
    const RbvSliding *sliding = &h->flow->sliding;
    const RbvSlipping *slipping = &h->flow->slipping;
    double most = forces && h->contacts.count > 0 ? rbv_event_loop_largest_force(h) : NAN;
    for (int32_t k = 0; k < h->dips.count;
         k++) /* slip velocities are margins that are zero at rest in the other direction */
        *margin++ = dips_value(h, k) + (k < sliding->count + slipping->count ? rbv_event_loop_rest_rate(h) : 0);
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
        /* Part of the bracket by which the root of a secant may be outside and still counts: the margin at that end is
         * rounding and may have either sign. */
        if (!(part >= -RBV_FITS && part <= 1 + RBV_FITS))
            continue;
        double t = b->low + (b->high - b->low) * part;
        first = t < first || isnan(first) ? t : first;
    }
    return first;
}

/* Next instant to evaluate [s]: beyond the root of the secants, away from the end that was moved last; middle, or no
 * root: the middle of the bracket. */
static double next_look(const RbvEventLoop *h, Bracket *b, bool middle) {
    double root = middle ? NAN : first_root(h, b), t = root, off = rbv_max(BEYOND * fabs(root - b->root), b->least);
    if (isnan(root))
        return 0.5 * (b->low + b->high);
    if (b->lows > 0)
        t += off * pow(FARTHER, b->lows - 1);
    else if (b->highs > 0)
        t -= off * pow(FARTHER, b->highs - 1);
    b->root = root;
    t = rbv_min(rbv_max(t, b->low + b->least), b->high - b->least);
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
    b.least = RBV_EVENT_LOOP_INSTANT * rbv_max(fabs(*high), h->stepper->t - h->stepper->before);
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

/* From *t forward until an indicator has changed at the projected state; where it has already changed at *t, backward
 * until it has not. */
RbvStatus rbv_crossing_find_projected(RbvEventLoop *h, double *t) {
    const RbvStepper *s = h->stepper;
    /* Part of the step by which the projection onto the constraints moves an instant: the first guess, eight times as
     * much for each further one. */
    double low = *t, high = *t, width = RBV_ROUNDING * (s->t - s->before);
    bool seen = false, changed = false;
    RbvStatus status = RBV_OK;
    for (; status == RBV_OK && !changed && high < s->t; width *= 8) {
        status = rbv_crossing_look(h, high, true, &seen);
        changed = seen && rbv_event_loop_any_changes(h, h->now);
        low = changed ? low : high;
        high = changed ? high : rbv_min(high + width, s->t);
    }
    for (bool back = high == *t; status == RBV_OK && back && low > s->before; width *= 8) {
        low = rbv_max(low - width, s->before);
        status = low > s->before ? rbv_crossing_look(h, low, true, &seen) : RBV_OK;
        back = low > s->before && seen && rbv_event_loop_any_changes(h, h->now);
        high = back ? low : high;
    }
    *t = high;
    return status == RBV_OK ? rbv_crossing_find(h, low, t, true) : status;
}
