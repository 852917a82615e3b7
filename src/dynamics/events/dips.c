/* Margins that return within three evaluations; see dips.h. */
#include "dynamics/events/dips.h"

#include "dynamics/events/transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of both ends below which the minimum of a parabola must be for an evaluation there. */
#define DEEP 0.5
/* MOST_LOOKS: most evaluations for one minimum; FOUND: part of the interval within which the minimum is found. */
#define MOST_LOOKS 12
#define FOUND 1e-6

typedef struct Three {
    double t[3], y[3]; /* [s] instants; margins, positive before the change */
} Three;

bool rbv_dips_create(RbvDips *d, const RbvFlow *flow, const RbvPieces *pieces) {
    *d = (RbvDips){.count =
                       flow->sliding.count + flow->slipping.count + flow->system->model->events.count + pieces->total};
    d->value = calloc(3 * (size_t)d->count + 1, sizeof *d->value);
    return d->value != NULL;
}

void rbv_dips_destroy(RbvDips *d) {
    free(d->value);
    *d = (RbvDips){0};
}

double rbv_dips_value(const RbvEventLoop *h, int32_t k) {
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
        d->value[2 * d->count + k] = rbv_dips_value(h, k);
}

/* *t: minimum of the parabola through three margins. False: it is outside the interval, or not deep. */
static bool find_lowest(const Three *p, double *t) {
    double rise = (p->y[1] - p->y[0]) / (p->t[1] - p->t[0]), next = (p->y[2] - p->y[1]) / (p->t[2] - p->t[1]),
           bend = (next - rise) / (p->t[2] - p->t[0]);
    if (!(bend > 0) || !(p->y[0] > 0 && p->y[1] > 0 && p->y[2] > 0))
        return false;
    *t = 0.5 * (p->t[0] + p->t[1]) - rise / (2 * bend);
    double low = p->y[0] + (*t - p->t[0]) * (rise + bend * (*t - p->t[1]));
    return *t > p->t[0] && *t < p->t[2] && low < DEEP * fmin(p->y[0], p->y[2]);
}

/* Replaces one end of three by the margin y at t, so that the lowest is within. */
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

RbvStatus rbv_dips_search(RbvEventLoop *h, RbvLook look, double *low, double *high, bool *changed) {
    const RbvDips *d = &h->dips;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; d->looks >= 3 && status == RBV_OK && k < d->count; k++) {
        const double *v = d->value + k;
        double side = v[d->count] < 0 ? -1 : 1, t, last = NAN;
        Three p = {{d->t[0], d->t[1], d->t[2]}, {side * v[0], side * v[d->count], side * v[2 * d->count]}};
        for (int i = 0; status == RBV_OK && i < MOST_LOOKS && find_lowest(&p, &t) &&
                        !(fabs(t - last) <= FOUND * (d->t[2] - d->t[0]));
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
            narrow(&p, t, side * rbv_dips_value(h, k));
            last = t;
        }
    }
    return status;
}
