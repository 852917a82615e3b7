/* Rows of closings: their values, unit wrenches, columns and accelerations.
 *
 * With frames P1, A1 and P2, A2, d = P2 - P1:   along an axis e of A1   c = e . d       wrench: force e at P2
 *                                               axes u of A1, s of A2   c = u . s       wrench: torque s x u, as d(u . s)/dt = (w2 - w1) . (s x u)
 */
#include "tree/linkage.h"

#include <math.h>
#include <string.h>

enum { POSE = 12, COLUMN = 24, TWIST = 12 };

static const RbvTreeScratch *scratch_of(const RbvLinkageWorkspace *w) {
    return w->tree->scratch;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(const double *a, const double *b, double *o) {
    o[0] = a[1] * b[2] - a[2] * b[1], o[1] = a[2] * b[0] - a[0] * b[2], o[2] = a[0] * b[1] - a[1] * b[0];
}

/* Axes as columns: axes[3 k ..] is axis k. */
void rbv_linkage_frame(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int side, double axes[9], double place[3]) {
    const double *F = c->axes[side], *f = c->place[side];
    if (c->link[side] < 0) {
        for (int k = 0; k < 3; k++)
            axes[3 * k] = F[k], axes[3 * k + 1] = F[3 + k], axes[3 * k + 2] = F[6 + k], place[k] = f[k];
        return;
    }
    const double *R = scratch_of(w)->pose + POSE * (ptrdiff_t)c->link[side];
    for (int e = 0; e < 3; e++) {
        place[e] = R[9 + e] + dot(R + 3 * e, f);
        for (int k = 0; k < 3; k++)
            axes[3 * k + e] = R[3 * e] * F[k] + R[3 * e + 1] * F[3 + k] + R[3 * e + 2] * F[6 + k];
    }
}

/* Which axes are square to each other: of the first frame and of the second. */
static const struct Square {
    uint32_t hold;
    int first, second;
} squares[] = {{RBV_HOLD_AXES, 2, 0}, {RBV_HOLD_AXES, 2, 1}, {RBV_HOLD_TURN, 0, 1}, {RBV_HOLD_CROSS, 2, 2}};

static double closing_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c) {
    double A1[9], A2[9], P1[3], P2[3], d[3], r[3], worst = 0;
    const double *O = scratch_of(w)->pose + 9;
    rbv_linkage_frame(w, c, 0, A1, P1);
    rbv_linkage_frame(w, c, 1, A2, P2);
    for (int e = 0; e < 3; e++)
        d[e] = P2[e] - P1[e], r[e] = P2[e] - O[e];
    int32_t row = c->row;
    double reach = linkage->length + fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
    for (int k = 0; k < 3; k++) {
        if (!(c->holds & (uint32_t)RBV_HOLD_X << k))
            continue;
        double *W = w->wrench + 6 * (ptrdiff_t)row, *e = A1 + 3 * k;
        w->c[row++] = dot(e, d);
        cross(r, e, W);
        memcpy(W + 3, e, 3 * sizeof *W);
        worst = fmax(worst, fabs(dot(e, d)) / reach);
    }
    for (int k = 0; k < 4; k++) {
        if (!(c->holds & squares[k].hold))
            continue;
        double *W = w->wrench + 6 * (ptrdiff_t)row, *u = A1 + 3 * squares[k].first, *s = A2 + 3 * squares[k].second;
        w->c[row++] = dot(u, s);
        cross(s, u, W);
        W[3] = W[4] = W[5] = 0;
        worst = fmax(worst, fabs(dot(u, s)));
    }
    return isfinite(d[0] + d[1] + d[2]) ? worst : INFINITY;
}

static void closing_columns(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c) {
    for (int32_t k = c->step; k < c->step + c->steps; k++) {
        const RbvLinkageStep *step = linkage->step + k;
        const double *s = scratch_of(w)->column + COLUMN * (ptrdiff_t)step->column;
        double *to = w->C + (ptrdiff_t)w->rows * step->v;
        for (int32_t row = c->row; row < c->row + c->rows; row++) {
            const double *W = w->wrench + 6 * (ptrdiff_t)row;
            to[row] += step->ratio * (dot(W, s) + dot(W + 3, s + 3));
        }
    }
}

double rbv_linkage_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    RbvTreeCall call = rbv_tree_call(linkage->tree, RBV_KERNEL_PLACES, false);
    call.in[0] = w->now, call.in_size[0] = w->nq;
    rbv_tree_run(linkage->tree, w->tree, NULL, &call);
    memset(w->C, 0, (size_t)w->rows * (size_t)w->nv * sizeof *w->C);
    double worst = 0;
    for (int32_t k = 0; k < linkage->count; k++) {
        worst = fmax(worst, closing_rows(linkage, w, linkage->closing + k));
        closing_columns(linkage, w, linkage->closing + k);
    }
    return worst;
}

/* Motion of a body of a closing at P: angular velocity and acceleration, velocity and acceleration. */
typedef struct Motion {
    double w[3], dw[3], v[3], a[3];
} Motion;

static Motion motion_at(const RbvLinkageWorkspace *w, int32_t link, const double *P) {
    Motion m = {{0}, {0}, {0}, {0}};
    if (link < 0)
        return m;
    const double *k = scratch_of(w)->twist + TWIST * (ptrdiff_t)link, *O = scratch_of(w)->pose + 9;
    double r[3] = {P[0] - O[0], P[1] - O[1], P[2] - O[2]}, u[3];
    memcpy(m.w, k, sizeof m.w);
    memcpy(m.dw, k + 6, sizeof m.dw);
    cross(m.w, r, m.v);
    cross(m.dw, r, m.a);
    for (int e = 0; e < 3; e++)
        m.v[e] += k[3 + e];
    cross(m.w, m.v, u); /* what is at P now accelerates by a_O + dw x r + w x v */
    for (int e = 0; e < 3; e++)
        m.a[e] += k[9 + e] + u[e];
    return m;
}

/* Rate and acceleration of an axis that is fixed in the body. */
static void axis_rates(const Motion *m, const double *u, double *du, double *ddu) {
    double t[3];
    cross(m->w, u, du);
    cross(m->w, du, t);
    cross(m->dw, u, ddu);
    for (int e = 0; e < 3; e++)
        ddu[e] += t[e];
}

static void closing_bias(RbvLinkageWorkspace *w, const RbvLinkageClosing *c) {
    double A1[9], A2[9], P1[3], P2[3], d[3], dv[3], da[3], du[3], ddu[3], ds[3], dds[3];
    rbv_linkage_frame(w, c, 0, A1, P1);
    rbv_linkage_frame(w, c, 1, A2, P2);
    Motion one = motion_at(w, c->link[0], P1), two = motion_at(w, c->link[1], P2);
    for (int e = 0; e < 3; e++)
        d[e] = P2[e] - P1[e], dv[e] = two.v[e] - one.v[e], da[e] = two.a[e] - one.a[e];
    int32_t row = c->row;
    for (int k = 0; k < 3; k++) {
        if (!(c->holds & (uint32_t)RBV_HOLD_X << k))
            continue;
        axis_rates(&one, A1 + 3 * k, du, ddu);
        w->bias[row++] = dot(A1 + 3 * k, da) + 2 * dot(du, dv) + dot(ddu, d);
    }
    for (int k = 0; k < 4; k++) {
        if (!(c->holds & squares[k].hold))
            continue;
        const double *u = A1 + 3 * squares[k].first, *s = A2 + 3 * squares[k].second;
        axis_rates(&one, u, du, ddu);
        axis_rates(&two, s, ds, dds);
        w->bias[row++] = dot(ddu, s) + 2 * dot(du, ds) + dot(u, dds);
    }
}

void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    RbvTreeCall call = rbv_tree_call(linkage->tree, RBV_KERNEL_MOTIONS, false);
    call.in[0] = w->now, call.in_size[0] = w->nq;
    call.in[1] = w->v, call.in_size[1] = w->nv;
    call.in_size[2] = w->nv; /* zeros */
    rbv_tree_run(linkage->tree, w->tree, NULL, &call);
    for (int32_t k = 0; k < linkage->count; k++)
        closing_bias(w, linkage->closing + k);
}
