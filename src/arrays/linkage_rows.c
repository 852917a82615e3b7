/* Rows of closings: values, unit wrenches, columns and accelerations. Frames P1, A1 and P2, A2, d = P2 - P1:
 *
 *   offset along an axis e of A1          c = e . d      wrench: force e at P2
 *   axes u of A1 and s of A2              c = u . s      wrench: torque s x u
 *     as d(u . s)/dt = (w2 - w1) . (s x u) */
#include "arrays/linkage.h"
#include "arrays/vectors.h"

#include <math.h>
#include <string.h>

enum { POSE = 12, COLUMN = 24, TWIST = 12 };

static const RbvTreeScratch *scratch_of(const RbvLinkageWorkspace *w) {
    return w->tree->scratch;
}

/* Axes of a closing's frame as columns: axes[3 k ..] is axis k. */
static void frame_axes(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int side, double axes[9]) {
    const double *F = c->axes[side];
    if (c->link[side] < 0) {
        for (int k = 0; k < 3; k++)
            axes[3 * k] = F[k], axes[3 * k + 1] = F[3 + k], axes[3 * k + 2] = F[6 + k];
        return;
    }
    const double *R = scratch_of(w)->pose + POSE * (ptrdiff_t)c->link[side];
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 3; k++)
            axes[3 * k + e] = R[3 * e] * F[k] + R[3 * e + 1] * F[3 + k] + R[3 * e + 2] * F[6 + k];
}
static void frame_place(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int side, double place[3]) {
    const double *f = c->place[side];
    if (c->link[side] < 0) {
        memcpy(place, f, 3 * sizeof *place);
        return;
    }
    const double *R = scratch_of(w)->pose + POSE * (ptrdiff_t)c->link[side];
    for (int e = 0; e < 3; e++)
        place[e] = R[9 + e] + dot(R + 3 * e, f);
}

void rbv_linkage_frames(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, RbvLinkageFrames *f) {
    const double *O = scratch_of(w)->pose + 9;
    frame_axes(w, c, 0, f->A1);
    if (c->turns)
        frame_axes(w, c, 1, f->A2);
    frame_place(w, c, 0, f->P1);
    frame_place(w, c, 1, f->P2);
    for (int e = 0; e < 3; e++)
        f->d[e] = f->P2[e] - f->P1[e], f->r[e] = f->P2[e] - O[e];
}

/* Pairs of perpendicular axes of the first and the second frame, by RBV_HOLD_... . */
static const struct Square {
    uint32_t hold;
    int first, second;
} squares[] = {{RBV_HOLD_AXES, 2, 0}, {RBV_HOLD_AXES, 2, 1}, {RBV_HOLD_TURN, 0, 1}, {RBV_HOLD_CROSS, 2, 2}};

static double closing_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c,
                           RbvLinkageFrames *f) {
    rbv_linkage_frames(w, c, f);
    if (c->slope)
        return rbv_linkage_teeth_row(w, linkage, c);
    int32_t row = c->row;
    /* rounding of positions grows with the path from the ground */
    double reach = c->reach + 0.01 * (linkage->length + fabs(f->r[0]) + fabs(f->r[1]) + fabs(f->r[2])), most = 0,
           worst = 0;
    for (int k = 0; k < 3; k++) {
        if (!(c->holds & (uint32_t)RBV_HOLD_X << k))
            continue;
        double *W = w->wrench + 6 * (ptrdiff_t)row, *e = f->A1 + 3 * k;
        double gap = w->c[row++] = dot(e, f->d);
        cross(f->r, e, W);
        W[3] = e[0], W[4] = e[1], W[5] = e[2];
        most = fabs(gap) > most ? fabs(gap) : most;
    }
    worst = most / reach;
    for (int k = 0; k < 4; k++) {
        if (!(c->holds & squares[k].hold))
            continue;
        double *W = w->wrench + 6 * (ptrdiff_t)row, *u = f->A1 + 3 * squares[k].first,
               *s = f->A2 + 3 * squares[k].second;
        double cosine = w->c[row++] = dot(u, s);
        cross(s, u, W);
        W[3] = W[4] = W[5] = 0;
        worst = fabs(cosine) > worst ? fabs(cosine) : worst;
    }
    if (row < c->row + c->rows) {
        const double more = rbv_linkage_more_rows(linkage, w, c, f, row, reach);
        worst = more > worst ? more : worst;
    }
    return isfinite(f->d[0] + f->d[1] + f->d[2]) ? worst : INFINITY;
}

/* C of a block, from the wrenches of its rows. */
static void block_columns(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageBlock *b) {
    double *C = w->C + b->values;
    memset(C, 0, (size_t)b->rows * (size_t)b->entries * sizeof *C);
    for (int32_t k = b->step; k < b->step + b->steps; k++) {
        const RbvLinkageStep *step = linkage->step + k;
        const double *s = scratch_of(w)->column + COLUMN * (ptrdiff_t)step->column,
                     *W = w->wrench + 6 * (ptrdiff_t)b->row;
        double *to = C + (ptrdiff_t)b->rows * step->entry;
        for (int32_t row = 0; row < b->rows; row++, W += 6)
            to[row] += step->ratio * (dot(W, s) + dot(W + 3, s + 3));
    }
}

double rbv_linkage_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    rbv_linkage_run(linkage, w, RBV_KERNEL_PLACES);
    double worst = 0;
    for (int32_t k = 0; k < linkage->count; k++) {
        double gap = closing_rows(linkage, w, linkage->closing + k, w->frames + k);
        worst = gap > worst ? gap : worst;
    }
    rbv_linkage_spin_rows(linkage, w);
    for (int32_t k = 0; k < linkage->block_count; k++)
        block_columns(linkage, w, linkage->block + k);
    return worst;
}

RbvLinkageMotion rbv_linkage_motion(const RbvLinkageWorkspace *w, int32_t link, const double *P) {
    RbvLinkageMotion m = {{0}, {0}, {0}, {0}};
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
    cross(m.w, m.v, u); /* acceleration of the point now at P: a_O + dw x r + w x v */
    for (int e = 0; e < 3; e++)
        m.a[e] += k[9 + e] + u[e];
    return m;
}

static void closing_bias(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, const RbvLinkageFrames *f,
                         double *bias) {
    if (c->slope) {
        bias[c->row] = 0; /* the coefficients are constant */
        return;
    }
    double dv[3], da[3], du[3], ddu[3], ds[3], dds[3];
    RbvLinkageMotion one = rbv_linkage_motion(w, c->link[0], f->P1), two = rbv_linkage_motion(w, c->link[1], f->P2);
    for (int e = 0; e < 3; e++)
        dv[e] = two.v[e] - one.v[e], da[e] = two.a[e] - one.a[e];
    int32_t row = c->row;
    for (int k = 0; k < 3; k++) {
        if (!(c->holds & (uint32_t)RBV_HOLD_X << k))
            continue;
        const double *u = f->A1 + 3 * k;
        axis_rates(&one, u, du, ddu);
        bias[row++] = dot(u, da) + 2 * dot(du, dv) + dot(ddu, f->d);
    }
    for (int k = 0; k < 4; k++) {
        if (!(c->holds & squares[k].hold))
            continue;
        const double *u = f->A1 + 3 * squares[k].first, *s = f->A2 + 3 * squares[k].second;
        axis_rates(&one, u, du, ddu);
        axis_rates(&two, s, ds, dds);
        bias[row++] = dot(ddu, s) + 2 * dot(du, ds) + dot(u, dds);
    }
    if (row < c->row + c->rows)
        rbv_linkage_more_bias(c, f, &one, &two, bias + row);
}

void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memset(w->call.gravity, 0, sizeof w->call.gravity);
    w->flow.in[2] = w->tree->scratch->zeros, w->flow.in_step[2] = 0;
    rbv_linkage_run(linkage, w, RBV_KERNEL_MOTIONS);
    for (int32_t k = 0; k < linkage->count; k++)
        closing_bias(w, linkage->closing + k, w->frames + k, w->bias);
    rbv_linkage_spin_bias(linkage, w);
}
