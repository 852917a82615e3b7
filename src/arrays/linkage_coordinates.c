/* Coordinates of closings and their rows: turns, screws, distances, driven coordinates.
 *
 *   x y z      e . d               e: axis of the first frame, d: from the first origin to the second
 *   turn       atan2(s, c)         s = y1.x2 - x1.y2,  c = x1.x2 + y1.y2: for any angle between the z axes
 *                                  twice the angle of the part about z of the quaternion of A1^T A2
 *   screw      z - pitch (turn + 2 pi n) = 0       n: whole turns of the translation z
 *   equal      turn = 0
 *   distance   |d|, and |d| - L = 0
 *   driven     coordinate - prescribed value = 0, for turns up to whole ones */
#include "arrays/linkage.h"
#include "arrays/vectors.h"

#include <math.h>
#include <string.h>

enum { TWIST = 12 };

/* s and c as sums u . w, with axes u of A1 and w of A2, and their signs. */
static const struct Product {
    int u, w;
    double sign;
} sine[2] = {{1, 0, 1}, {0, 1, -1}}, cosine[2] = {{0, 0, 1}, {1, 1, 1}};

/* Sum of products; by[3]: the rate is by . (w2 - w1), as d(u . w)/dt = (w2 - w1) . (w x u). */
static double products(const RbvLinkageFrames *f, const struct Product *p, double by[3]) {
    double sum = 0, t[3];
    memset(by, 0, 3 * sizeof *by);
    for (int k = 0; k < 2; k++) {
        const double *u = f->A1 + 3 * p[k].u, *w = f->A2 + 3 * p[k].w;
        sum += p[k].sign * dot(u, w);
        cross(w, u, t);
        for (int e = 0; e < 3; e++)
            by[e] += p[k].sign * t[e];
    }
    return sum;
}

/* The turn, and the torque T with turn' = T . (w2 - w1). */
static double turn_of(const RbvLinkageFrames *f, double T[3]) {
    double S[3], C[3], s = products(f, sine, S), c = products(f, cosine, C), square = s * s + c * c;
    for (int e = 0; e < 3; e++)
        T[e] = (c * S[e] - s * C[e]) / square; /* not finite for opposite z axes, where the turn is undefined */
    return atan2(s, c);
}

static double whole_turns(const RbvLinkageClosing *c, const RbvLinkageFrames *f, double turn) {
    const double all = dot(f->A1 + 6, f->d) / c->pitch;
    return RBV_TWO_PI * round((all - turn) / RBV_TWO_PI);
}

double rbv_linkage_coordinate(const RbvLinkageClosing *c, const RbvLinkageFrames *f, int which, double W[6]) {
    if (which < RBV_CLOSING_TURN) {
        const double *e = f->A1 + 3 * which;
        cross(f->r, e, W);
        memcpy(W + 3, e, 3 * sizeof *W);
        return dot(e, f->d);
    }
    if (which == RBV_CLOSING_DISTANCE) {
        const double l = sqrt(dot(f->d, f->d));
        for (int e = 0; e < 3; e++)
            W[3 + e] = f->d[e] / l;
        cross(f->r, W + 3, W);
        return l;
    }
    double turn = turn_of(f, W);
    W[3] = W[4] = W[5] = 0;
    return c->holds & RBV_HOLD_SCREW ? turn + whole_turns(c, f, turn) : turn;
}

/* Value, rate and acceleration of a sum of products. */
static void product_rates(const RbvLinkageFrames *f, const RbvLinkageMotion *one, const RbvLinkageMotion *two,
                          const struct Product *p, double out[3]) {
    double du[3], ddu[3], dw[3], ddw[3];
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 2; k++) {
        const double *u = f->A1 + 3 * p[k].u, *w = f->A2 + 3 * p[k].w;
        axis_rates(one, u, du, ddu);
        axis_rates(two, w, dw, ddw);
        out[0] += p[k].sign * dot(u, w);
        out[1] += p[k].sign * (dot(du, w) + dot(u, dw));
        out[2] += p[k].sign * (dot(ddu, w) + 2 * dot(du, dw) + dot(u, ddw));
    }
}

double rbv_linkage_coordinate_bias(const RbvLinkageFrames *f, const RbvLinkageMotion *one, const RbvLinkageMotion *two,
                                   int which) {
    double dv[3], da[3], du[3], ddu[3], s[3], c[3];
    if (which < RBV_CLOSING_TURN) {
        for (int e = 0; e < 3; e++)
            dv[e] = two->v[e] - one->v[e], da[e] = two->a[e] - one->a[e];
        axis_rates(one, f->A1 + 3 * which, du, ddu);
        return dot(f->A1 + 3 * which, da) + 2 * dot(du, dv) + dot(ddu, f->d);
    }
    if (which == RBV_CLOSING_DISTANCE) {
        const double l = sqrt(dot(f->d, f->d));
        for (int e = 0; e < 3; e++)
            dv[e] = two->v[e] - one->v[e], da[e] = two->a[e] - one->a[e];
        const double along = dot(f->d, dv) / l;
        return (dot(f->d, da) + dot(dv, dv) - along * along) / l;
    }
    product_rates(f, one, two, sine, s);
    product_rates(f, one, two, cosine, c);
    const double square = s[0] * s[0] + c[0] * c[0];
    return (c[0] * s[2] - s[0] * c[2]) / square -
           2 * (c[0] * s[1] - s[0] * c[1]) * (s[0] * s[1] + c[0] * c[1]) / (square * square);
}

/* z - pitch turn, up to whole turns. */
static double screw_row(const RbvLinkageClosing *c, const RbvLinkageFrames *f, double W[6]) {
    double T[6], z = rbv_linkage_coordinate(c, f, RBV_CLOSING_Z, W),
                 turn = rbv_linkage_coordinate(c, f, RBV_CLOSING_TURN, T);
    for (int e = 0; e < 3; e++)
        W[e] -= c->pitch * T[e];
    return z - c->pitch * turn;
}
double rbv_linkage_more_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c,
                             const RbvLinkageFrames *f, int32_t row, double reach) {
    double worst = 0;
    if (c->holds & RBV_HOLD_EQUAL) {
        w->c[row] = rbv_linkage_coordinate(c, f, RBV_CLOSING_TURN, w->wrench + 6 * (ptrdiff_t)row);
        worst = fmax(worst, fabs(w->c[row++]));
    }
    if (c->holds & RBV_HOLD_SCREW) {
        w->c[row] = screw_row(c, f, w->wrench + 6 * (ptrdiff_t)row);
        worst = fmax(worst, fabs(w->c[row++]) / reach);
    }
    if (c->holds & RBV_HOLD_DISTANCE) {
        w->c[row] = rbv_linkage_coordinate(c, f, RBV_CLOSING_DISTANCE, w->wrench + 6 * (ptrdiff_t)row) - c->distance;
        worst = fmax(worst, fabs(w->c[row++]) / reach);
    }
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++) {
        if (!(c->drives & rbv_linkage_bit(k)))
            continue;
        const double off =
            rbv_linkage_coordinate(c, f, k, w->wrench + 6 * (ptrdiff_t)row) - w->set[linkage->row_driven[row]];
        w->c[row] = k == RBV_CLOSING_TURN && !(c->holds & RBV_HOLD_SCREW) ? remainder(off, RBV_TWO_PI) : off;
        worst = fmax(worst, fabs(w->c[row++]) / (k == RBV_CLOSING_TURN ? 1 : reach));
    }
    return worst;
}

void rbv_linkage_more_bias(const RbvLinkageClosing *c, const RbvLinkageFrames *f, const RbvLinkageMotion *one,
                           const RbvLinkageMotion *two, double *bias) {
    if (c->holds & RBV_HOLD_EQUAL)
        *bias++ = rbv_linkage_coordinate_bias(f, one, two, RBV_CLOSING_TURN);
    if (c->holds & RBV_HOLD_SCREW)
        *bias++ = rbv_linkage_coordinate_bias(f, one, two, RBV_CLOSING_Z) -
                  c->pitch * rbv_linkage_coordinate_bias(f, one, two, RBV_CLOSING_TURN);
    if (c->holds & RBV_HOLD_DISTANCE)
        *bias++ = rbv_linkage_coordinate_bias(f, one, two, RBV_CLOSING_DISTANCE);
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
        if (c->drives & rbv_linkage_bit(k))
            *bias++ = rbv_linkage_coordinate_bias(f, one, two, k);
}

void rbv_linkage_measure(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double W[6];
    for (int32_t n = 0; n < linkage->count; n++) {
        const RbvLinkageClosing *c = linkage->closing + n;
        for (int k = 0, row = c->row + c->held; c->drives && k < RBV_CLOSING_COORDINATES; k++)
            if (c->drives & rbv_linkage_bit(k)) {
                const int32_t driven = linkage->row_driven[row++];
                w->held[driven] = w->set[driven] = rbv_linkage_coordinate(c, w->frames + n, k, W);
            }
    }
}

/* W . (motion of the second body - motion of the first). */
static double rate_along(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, const double W[6]) {
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        const double *k = c->link[side] < 0 ? NULL : w->tree->scratch->twist + TWIST * (ptrdiff_t)c->link[side];
        for (int e = 0; k && e < 6; e++)
            rate += (side ? 1 : -1) * W[e] * k[e];
    }
    return rate;
}

void rbv_linkage_damp(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memset(w->sum, 0, 6 * (size_t)w->count * sizeof *w->sum);
    for (int32_t n = 0; n < linkage->count; n++) {
        const RbvLinkageClosing *c = linkage->closing + n;
        for (int k = 0; c->damped && k < RBV_CLOSING_COORDINATES; k++) {
            double W[6];
            if (c->damping[k] == 0)
                continue;
            rbv_linkage_coordinate(c, w->frames + n, k, W);
            const double force = -c->damping[k] * rate_along(w, c, W);
            for (int e = 0; e < 6; e++)
                w->sum[6 * (ptrdiff_t)n + e] += force * W[e];
        }
    }
}
