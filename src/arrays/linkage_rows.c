/* Rows of closings: values, unit wrenches, columns and accelerations. Frames P1, A1 and P2, A2, d = P2 - P1:
 *
 *   offset along an axis e of A1          c = e . d      wrench: force e at P2
 *   axes u of A1 and s of A2              c = u . s      wrench: torque s x u
 *     as d(u . s)/dt = (w2 - w1) . (s x u)
 *
 * Gears, racks and belts; turns, screws, distances and driven coordinates: see their sections. */
#include "arrays/linkage.h"
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Products of 3-vectors in arrays. */
static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *o) {
    o[0] = a[1] * b[2] - a[2] * b[1];
    o[1] = a[2] * b[0] - a[0] * b[2];
    o[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rates of an axis u fixed in a moving body: u' = w x u and u'' = w' x u + w x u'. */
static inline void axis_rates(const RbvLinkageMotion *m, const double *u, double *du, double *ddu) {
    double t[3];
    cross(m->w, u, du);
    cross(m->w, du, t);
    cross(m->dw, u, ddu);
    for (int e = 0; e < 3; e++)
        ddu[e] += t[e];
}

/* --- frames of closings, motions of links --- */

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
    const double *R = scratch_of(w)->pose + RBV_POSE_SIZE * (ptrdiff_t)c->link[side];
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
    const double *R = scratch_of(w)->pose + RBV_POSE_SIZE * (ptrdiff_t)c->link[side];
    for (int e = 0; e < 3; e++)
        place[e] = R[9 + e] + dot(R + 3 * e, f);
}

/* Frames of a closing, from the poses of links. */
static void linkage_frames(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, RbvLinkageFrames *f) {
    const double *O = scratch_of(w)->pose + 9;
    frame_axes(w, c, 0, f->A1);
    if (c->turns)
        frame_axes(w, c, 1, f->A2);
    frame_place(w, c, 0, f->P1);
    frame_place(w, c, 1, f->P2);
    for (int e = 0; e < 3; e++)
        f->d[e] = f->P2[e] - f->P1[e], f->r[e] = f->P2[e] - O[e];
}

/* Motion of a link (-1: ground) at P, from the motions of links. */
static RbvLinkageMotion linkage_motion(const RbvLinkageWorkspace *w, int32_t link, const double *P) {
    RbvLinkageMotion m = {{0}, {0}, {0}, {0}};
    if (link < 0)
        return m;
    const double *k = scratch_of(w)->twist + RBV_TWIST_SIZE * (ptrdiff_t)link, *O = scratch_of(w)->pose + 9;
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

/* Gears, racks and belts between coordinates of the tree.
 *
 * The line of teeth is a unit wrench l fixed in a body, the carrier. Its power is
 *
 *   l . (motion of the second - motion of the first) = sum_k k_k v_k
 *
 * If the wheels turn, and the racks slide, on the carrier, the k_k are constant and the constraint is  sum_k k_k q_k =
 * phase. That the k_k are constant is checked in some positions of the tree. */

#define POSITIONS 4 /* number of positions checked; the first has all coordinates 0 */

void rbv_linkage_teeth_wrench(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int which, double W[6]) {
    const double *l = c->line[which], *pose = w->tree->scratch->pose, *O = pose + 9;
    static const double ground[RBV_POSE_SIZE] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const double *R = c->carrier < 0 ? ground : pose + RBV_POSE_SIZE * (ptrdiff_t)c->carrier;
    const double r[3] = {R[9] - O[0], R[10] - O[1], R[11] - O[2]};
    for (int e = 0; e < 3; e++) {
        W[e] = R[3 * e] * l[0] + R[3 * e + 1] * l[1] + R[3 * e + 2] * l[2];
        W[3 + e] = R[3 * e] * l[3] + R[3 * e + 1] * l[4] + R[3 * e + 2] * l[5];
    }
    W[0] += r[1] * W[5] - r[2] * W[4], W[1] += r[2] * W[3] - r[0] * W[5], W[2] += r[0] * W[4] - r[1] * W[3];
}

/* Value and wrench of the row of teeth; returns |value| relative to its terms. */
static double linkage_teeth_row(RbvLinkageWorkspace *w, const RbvLinkage *linkage, const RbvLinkageClosing *c) {
    const RbvLinkageBlock *b = linkage->block + (c - linkage->closing);
    double sum = -c->phase, size = fabs(c->phase);
    rbv_linkage_teeth_wrench(w, c, 0, w->wrench + 6 * (ptrdiff_t)c->row);
    for (int32_t k = 0; k < b->steps; k++) {
        const RbvLinkageStep *step = linkage->step + b->step + k;
        if (c->slope[k] == 0)
            continue;
        sum += c->slope[k] * w->now[step->q];
        size += fabs(c->slope[k] * w->now[step->q]);
    }
    w->c[c->row] = sum;
    return fabs(sum) / (linkage->length + size);
}

/* Power of a wrench of teeth for a step; *size: size of the line for this step. */
static double power_of_teeth(const RbvLinkage *l, const RbvLinkageWorkspace *w, const RbvLinkageStep *step,
                             const double W[6], double *size) {
    const double *s = w->tree->scratch->column + RBV_COLUMN_SIZE * (ptrdiff_t)step->column;
    double sum = 0;
    *size = 0;
    for (int e = 0; e < 6; e++)
        sum += W[e] * s[e], *size += fabs(W[e] * s[e]);
    *size += l->length * (fabs(W[3]) + fabs(W[4]) + fabs(W[5]));
    /* Relative to the line's size: sums of some ten products with rounding. */
    *size = RBV_SAME * (*size);
    return step->ratio * sum;
}

static bool report_closing(const RbvLinkage *l, int32_t k, const char *why, RbvDiagnostics *diagnostics) {
    if (l->names)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "joint '%s': %s", l->names[k], why);
    else
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "closing %d of the linkage: %s", (int)k, why);
    return false;
}

/* Coefficients of one closing in one position. */
static bool compile_here(RbvLinkage *l, const RbvLinkageWorkspace *w, int32_t index, int position,
                         RbvDiagnostics *diagnostics) {
    RbvLinkageClosing *c = l->closing + index;
    for (int32_t k = 0; k < l->block[index].steps; k++) {
        const RbvLinkageStep *step = l->step + l->block[index].step + k;
        for (int which = 0; which < 4; which++) {
            double W[6], size;
            rbv_linkage_teeth_wrench(w, c, which, W);
            double got = power_of_teeth(l, w, step, W, &size);
            got = fabs(got) <= size ? 0 : got;
            if (which > 0 && got != 0)
                return report_closing(
                    l, index,
                    "what comes with its line, as teeth that press the wheels apart, moves the tree: bearings "
                    "of the wheels have to hold them on its carrier",
                    diagnostics);
            if (which > 0)
                continue;
            if (got != 0 && step->q < 0)
                return report_closing(
                    l, index, "a ball turns one of its wheels: they have to turn about axes that its carrier holds",
                    diagnostics);
            if (position > 0 && fabs(got - c->slope[k]) > size)
                return report_closing(
                    l, index,
                    "its ratio is not constant: wheels have to turn about axes, and racks to slide along lines, "
                    "that its carrier holds",
                    diagnostics);
            if (position == 0)
                c->slope[k] = got;
        }
    }
    return true;
}

/* A pseudo-random position, the same in each run. */
static void somewhere(const RbvLinkage *l, RbvLinkageWorkspace *w, uint32_t *seed) {
    rbv_tree_neutral(l->tree, w->q);
    for (int32_t k = 0; k < w->nv; k++) {
        *seed = *seed * 1664525u + 1013904223u;
        w->v[k] = (double)(*seed >> 8) / (1 << 24) - 0.5;
    }
    rbv_tree_move(l->tree, w->tree, NULL, w->q, w->v, w->now);
}

RbvStatus rbv_linkage_teeth_compile(RbvLinkage *l, RbvDiagnostics *diagnostics) {
    RbvLinkageWorkspace *w = NULL;
    bool any = false, good = true;
    for (int32_t k = 0; k < l->count; k++)
        any = any || l->closing[k].slope;
    if (!any)
        return RBV_OK;
    RbvStatus status = rbv_linkage_workspace_create(l, 1, &w);
    if (status != RBV_OK)
        return status;
    uint32_t seed = 1;
    rbv_tree_neutral(l->tree, w->now);
    for (int position = 0; position < POSITIONS && good; position++) {
        rbv_linkage_run(l, w, RBV_KERNEL_PLACES);
        for (int32_t k = 0; k < l->count; k++)
            good = (!l->closing[k].slope || compile_here(l, w, k, position, diagnostics)) && good;
        somewhere(l, w, &seed);
    }
    rbv_linkage_workspace_destroy(w);
    return good ? RBV_OK : RBV_BAD_INPUT;
}

void rbv_linkage_teeth_mesh(RbvLinkage *l, const double *q) {
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        for (int32_t e = 0; c->slope && e < l->block[k].steps; e++)
            if (c->slope[e] != 0)
                c->phase += c->slope[e] * q[l->step[l->block[k].step + e].q];
    }
}

/* Coordinates of closings and their rows: turns, screws, distances, driven coordinates.
 *
 *   x y z      e . d               e: axis of the first frame, d: from the first origin to the second
 *   turn       atan2(s, c)         s = y1.x2 - x1.y2,  c = x1.x2 + y1.y2: for any angle between the z axes
 *                                  twice the angle of the part about z of the quaternion of A1^T A2
 *   screw      z - pitch (turn + 2 pi n) = 0       n: whole turns of the translation z
 *   equal      turn = 0
 *   distance   |d|, and |d| - L = 0
 *   driven     coordinate - prescribed value = 0, for turns up to whole ones */

/* s and c as sums u . w, with axes u of A1 and w of A2, and their signs. */
static const struct Product {
    int u, w;
    double sign;
} sine_of_turn[2] = {{1, 0, 1}, {0, 1, -1}}, cosine_of_turn[2] = {{0, 0, 1}, {1, 1, 1}};

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
    double S[3], C[3], s = products(f, sine_of_turn, S), c = products(f, cosine_of_turn, C), square = s * s + c * c;
    for (int e = 0; e < 3; e++)
        T[e] = (c * S[e] - s * C[e]) / square; /* not finite for opposite z axes, where the turn is undefined */
    return atan2(s, c);
}

static double whole_turns(const RbvLinkageClosing *c, const RbvLinkageFrames *f, double turn) {
    const double all = dot(f->A1 + 6, f->d) / c->pitch;
    return RBV_TWO_PI * round((all - turn) / RBV_TWO_PI);
}

/* Value of the coordinate X, Y, Z, DISTANCE or TURN of a closing (TURN within half a turn; for a
 * screw with the whole turns of its translation), and the wrench W (torque about O, force) whose power is the
 * coordinate's rate. */
static double linkage_coordinate(const RbvLinkageClosing *c, const RbvLinkageFrames *f, int which, double W[6]) {
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

/* Acceleration of a coordinate of a closing at a = 0. */
static double linkage_coordinate_bias(const RbvLinkageFrames *f, const RbvLinkageMotion *one,
                                      const RbvLinkageMotion *two, int which) {
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
    product_rates(f, one, two, sine_of_turn, s);
    product_rates(f, one, two, cosine_of_turn, c);
    const double square = s[0] * s[0] + c[0] * c[0];
    return (c[0] * s[2] - s[0] * c[2]) / square -
           2 * (c[0] * s[1] - s[0] * c[1]) * (s[0] * s[1] + c[0] * c[1]) / (square * square);
}

/* z - pitch turn, up to whole turns. */
static double screw_row(const RbvLinkageClosing *c, const RbvLinkageFrames *f, double W[6]) {
    double T[6], z = linkage_coordinate(c, f, RBV_CLOSING_Z, W), turn = linkage_coordinate(c, f, RBV_CLOSING_TURN, T);
    for (int e = 0; e < 3; e++)
        W[e] -= c->pitch * T[e];
    return z - c->pitch * turn;
}
/* Values and wrenches of the rows from `row` on for turns, screws, distances and driven coordinates. Returns the
 * largest value, lengths relative to `reach`. */
static double linkage_more_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c,
                                const RbvLinkageFrames *f, int32_t row, double reach) {
    double worst = 0;
    if (c->holds & RBV_HOLD_EQUAL) {
        w->c[row] = linkage_coordinate(c, f, RBV_CLOSING_TURN, w->wrench + 6 * (ptrdiff_t)row);
        worst = fmax(worst, fabs(w->c[row++]));
    }
    if (c->holds & RBV_HOLD_SCREW) {
        w->c[row] = screw_row(c, f, w->wrench + 6 * (ptrdiff_t)row);
        worst = fmax(worst, fabs(w->c[row++]) / reach);
    }
    if (c->holds & RBV_HOLD_DISTANCE) {
        w->c[row] = linkage_coordinate(c, f, RBV_CLOSING_DISTANCE, w->wrench + 6 * (ptrdiff_t)row) - c->distance;
        worst = fmax(worst, fabs(w->c[row++]) / reach);
    }
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++) {
        if (!(c->drives & rbv_linkage_bit(k)))
            continue;
        const double difference =
            linkage_coordinate(c, f, k, w->wrench + 6 * (ptrdiff_t)row) - w->set[linkage->row_driven[row]];
        w->c[row] =
            k == RBV_CLOSING_TURN && !(c->holds & RBV_HOLD_SCREW) ? remainder(difference, RBV_TWO_PI) : difference;
        worst = fmax(worst, fabs(w->c[row++]) / (k == RBV_CLOSING_TURN ? 1 : reach));
    }
    return worst;
}

/* Accelerations at a = 0 of the same rows. */
static void linkage_more_bias(const RbvLinkageClosing *c, const RbvLinkageFrames *f, const RbvLinkageMotion *one,
                              const RbvLinkageMotion *two, double *bias) {
    if (c->holds & RBV_HOLD_EQUAL)
        *bias++ = linkage_coordinate_bias(f, one, two, RBV_CLOSING_TURN);
    if (c->holds & RBV_HOLD_SCREW)
        *bias++ = linkage_coordinate_bias(f, one, two, RBV_CLOSING_Z) -
                  c->pitch * linkage_coordinate_bias(f, one, two, RBV_CLOSING_TURN);
    if (c->holds & RBV_HOLD_DISTANCE)
        *bias++ = linkage_coordinate_bias(f, one, two, RBV_CLOSING_DISTANCE);
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++)
        if (c->drives & rbv_linkage_bit(k))
            *bias++ = linkage_coordinate_bias(f, one, two, k);
}

void rbv_linkage_measure(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double W[6];
    for (int32_t n = 0; n < linkage->count; n++) {
        const RbvLinkageClosing *c = linkage->closing + n;
        for (int k = 0, row = c->row + c->held; c->drives && k < RBV_CLOSING_COORDINATES; k++)
            if (c->drives & rbv_linkage_bit(k)) {
                const int32_t driven = linkage->row_driven[row++];
                w->held[driven] = w->set[driven] = linkage_coordinate(c, w->frames + n, k, W);
            }
    }
}

/* W . (motion of the second body - motion of the first). */
static double rate_along(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, const double W[6]) {
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        const double *k =
            c->link[side] < 0 ? NULL : w->tree->scratch->twist + RBV_TWIST_SIZE * (ptrdiff_t)c->link[side];
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
            linkage_coordinate(c, w->frames + n, k, W);
            const double force = -c->damping[k] * rate_along(w, c, W);
            for (int e = 0; e < 6; e++)
                w->sum[6 * (ptrdiff_t)n + e] += force * W[e];
        }
    }
}

/* Pairs of perpendicular axes of the first and the second frame, by RBV_HOLD_... . */
static const struct Square {
    uint32_t hold;
    int first, second;
} squares[] = {{RBV_HOLD_AXES, 2, 0}, {RBV_HOLD_AXES, 2, 1}, {RBV_HOLD_TURN, 0, 1}, {RBV_HOLD_CROSS, 2, 2}};

static double closing_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageClosing *c,
                           RbvLinkageFrames *f) {
    linkage_frames(w, c, f);
    if (c->slope)
        return linkage_teeth_row(w, linkage, c);
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
        const double more = linkage_more_rows(linkage, w, c, f, row, reach);
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
        const double *s = scratch_of(w)->column + RBV_COLUMN_SIZE * (ptrdiff_t)step->column,
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

static void closing_bias(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, const RbvLinkageFrames *f,
                         double *bias) {
    if (c->slope) {
        bias[c->row] = 0; /* the coefficients are constant */
        return;
    }
    double dv[3], da[3], du[3], ddu[3], ds[3], dds[3];
    RbvLinkageMotion one = linkage_motion(w, c->link[0], f->P1), two = linkage_motion(w, c->link[1], f->P2);
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
        linkage_more_bias(c, f, &one, &two, bias + row);
}

void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memset(w->call.gravity, 0, sizeof w->call.gravity);
    w->flow.in[2] = w->tree->scratch->zeros, w->flow.in_step[2] = 0;
    rbv_linkage_run(linkage, w, RBV_KERNEL_MOTIONS);
    for (int32_t k = 0; k < linkage->count; k++)
        closing_bias(w, linkage->closing + k, w->frames + k, w->bias);
    rbv_linkage_spin_bias(linkage, w);
}
