/* Prediction of the free coordinates y along the path of the last two samples.
 *
 * The path parameter s is the driven coordinate if there is only one (the loops make y a function of it, independent of
 * time), else time, whose step follows from the driven coordinates and their velocities. At a sample y, y' = dy/ds and
 * y'' are known from velocities and accelerations. With s = 0 at the last sample, s = -d at the one before and r = s/d,
 * the polynomial of fifth degree through all six values is
 *
 *   y + y' s + y'' s^2/2 - r^3 [(10 + 15 r + 6 r^2) e0 + (4 + 7 r + 3 r^2) e1 + (1 + 2 r + r^2)/2 e2]
 *   e0 = y_before - (y - y' d + y'' d^2/2)      e1 = d (y'_before - (y' - y'' d))      e2 = d^2 (y''_before - y'')
 *
 * Its error is s^3 (s + d)^3/720 times the sixth derivative. Without second derivatives the polynomial has third
 * degree; after a start it is the tangent. Rotations of quaternions follow their velocities and accelerations. */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

/* Largest s/d for the polynomial: at 2.5 the rounding of the samples is amplified a thousand times. */
#define FARTHEST 2.5

/* Most cancellation in y'' s^2 = (a_y - y' a_x) (s/v_x)^2: at this ratio of the terms to the required size, rounding
 * reaches 1e-13. */
#define MOST_CURVATURE 1e3

/* Largest relative difference between the differences of driven coordinates and those from their velocities, for which
 * the samples count as a motion in time. */
#define TIMELY 0.1

void rbv_linkage_move(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
    if (linkage->simple) {
        for (int32_t k = 0; k < w->free_count; k++)
            w->now[linkage->free_q[k]] += part * w->x[k];
        return;
    }
    memset(w->step, 0, (size_t)w->nv * sizeof *w->step);
    for (int32_t k = 0; k < w->free_count; k++)
        w->step[linkage->free[k]] = part * w->x[k];
    rbv_tree_move(linkage->tree, w->tree, NULL, w->now, w->step, w->trial);
    memcpy(w->now, w->trial, (size_t)w->nq * sizeof *w->now);
}

void rbv_linkage_drive(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *step) {
    for (const RbvLinkageDrive *d = linkage->drive, *end = d + linkage->drive_count; d < end; d++) {
        const double *C = w->C + d->values, x = step[d->driven];
        double *right = w->right + d->row;
        for (int32_t row = 0; row < d->rows; row++)
            right[row] -= C[row] * x;
    }
    for (int32_t k = 0; k < linkage->coordinate_count; k++)
        w->right[linkage->coordinate[k].row] += step[linkage->coordinate[k].driven];
}

void rbv_linkage_guess(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
    memset(w->right, 0, (size_t)w->rows * sizeof *w->right);
    for (int32_t k = 0; k < w->driven_count; k++)
        w->part[k] = part * (w->target[k] - rbv_linkage_driven_at(linkage, w, k));
    rbv_linkage_drive(linkage, w, w->part);
    rbv_linkage_solve(linkage, w);
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    rbv_linkage_move(linkage, w, 1);
    for (int32_t k = 0; k < w->driven_count; k++) {
        *rbv_linkage_driven_now(linkage, w, k) =
            part == 1 ? w->target[k] : rbv_linkage_driven_at(linkage, w, k) + w->part[k];
    }
}

/* Step h of the path parameter from the last sample to the targets. For several driven coordinates x: the time h, by
 * least squares, with
 *
 *   x - x_before = h (v + v_before)/2 - h^2/12 (a - a_before)
 *
 * whose error is h^5/720. False: no such time. */
static bool stride(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, const double *rate,
                   const double *acceleration, double *h) {
    if (w->driven_count == 1) {
        *h = w->target[0] - w->knot[0].x[0];
        return true;
    }
    double top = 0, bottom = 0, all = 0, bend = 0;
    for (int32_t k = 0; k < w->driven_count; k++) {
        double weight = linkage->weight[linkage->driven[k]], v = 0.5 * weight * (w->knot[0].v[k] + rate[k]),
               step = weight * (w->target[k] - w->knot[0].x[k]);
        top += v * step, bottom += v * v, all += step * step, bend += v * weight * (acceleration[k] - w->knot[0].a[k]);
    }
    *h = bottom > 0 ? top / bottom : 0;
    if (!(all - *h * top <= TIMELY * TIMELY * all)) /* |step - h v|^2 */
        return false;
    for (int k = 0; k < 2 && bottom > 0; k++)
        *h = (top + *h * *h / 12 * bend) / bottom;
    return true;
}

static void tangent_and_curvature(double s, const RbvLinkageWorkspace *w) {
    const RbvLinkageKnot *n = w->knot;
    for (int32_t k = 0; k < w->free_count; k++)
        w->x[k] = s * (n->dy[k] + (n->order > 1 ? 0.5 * s * n->ddy[k] : 0));
}

/* The polynomial of the driven coordinates misses their targets, as the time between samples is not known exactly:
 * shift the evaluation in time so that, with the velocities at that point, the squared distance to the targets is
 * least. */
static void meet_targets(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double s, const double by[3]) {
    const RbvLinkageKnot *n = w->knot, *b = w->knot + 1;
    double d = w->stride, top = 0, bottom = 0;
    for (int32_t k = 0; k < w->driven_count; k++) {
        double weight = linkage->weight[linkage->driven[k]], v = n->v[k], a = n->a[k];
        double x = n->x[k] + s * (v + 0.5 * s * a) - by[0] * (b->x[k] - (n->x[k] - d * (v - 0.5 * d * a))) -
                   by[1] * (b->v[k] - (v - d * a)) - by[2] * (b->a[k] - a);
        top += weight * weight * v * (w->target[k] - x), bottom += weight * weight * v * v;
    }
    for (int32_t k = 0; bottom > 0 && k < w->free_count; k++)
        w->x[k] += top / bottom * n->dy[k];
}

/* Polynomials through two samples. */
static void fifth_degree(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double s) {
    const RbvLinkageKnot *n = w->knot, *b = w->knot + 1;
    double d = w->stride, r = s / d, r3 = r * r * r;
    double w0 = r3 * (10 + r * (15 + 6 * r)), w1 = d * r3 * (4 + r * (7 + 3 * r)),
           w2 = d * d * r3 * (0.5 + r * (1 + 0.5 * r));
    for (int32_t k = 0; k < w->free_count; k++) {
        double dy = n->dy[k], ddy = n->ddy[k], x = s * (dy + 0.5 * s * ddy);
        if (linkage->free_q[k] >= 0)
            x -= w0 * (b->y[k] - (n->y[k] - d * (dy - 0.5 * d * ddy))) + w1 * (b->dy[k] - (dy - d * ddy)) +
                 w2 * (b->ddy[k] - ddy);
        w->x[k] = x;
    }
    if (w->driven_count > 1)
        meet_targets(linkage, w, s, (const double[]){w0, w1, w2});
}
static void third_degree(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double s) {
    const RbvLinkageKnot *n = w->knot, *b = w->knot + 1;
    double d = w->stride, r = s / d, w0 = r * r * (3 + 2 * r), w1 = d * r * r * (1 + r);
    for (int32_t k = 0; k < w->free_count; k++) {
        w->x[k] = s * n->dy[k];
        if (linkage->free_q[k] >= 0)
            w->x[k] += w0 * (b->y[k] - (n->y[k] - d * n->dy[k])) + w1 * (b->dy[k] - n->dy[k]);
    }
}

bool rbv_linkage_predict(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *rate,
                         const double *acceleration) {
    double s;
    if (w->knot[0].order < 1 || !stride(linkage, w, rate, acceleration, &s))
        return false;
    bool near = w->stride != 0 && fabs(s) <= FARTHEST * fabs(w->stride);
    int32_t order = w->knot[1].order < w->knot[0].order ? w->knot[1].order : w->knot[0].order;
    if (near && order == 2)
        fifth_degree(linkage, w, s);
    else if (near && order == 1)
        third_degree(linkage, w, s);
    else
        tangent_and_curvature(s, w);
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    rbv_linkage_move(linkage, w, 1);
    for (int32_t k = 0; k < w->driven_count; k++)
        *rbv_linkage_driven_now(linkage, w, k) = w->target[k];
    return true;
}

/* dy/dx and d2y/dx2 for a single driven coordinate x. */
static void derivatives(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double v, double a, double s,
                        RbvLinkageKnot *n) {
    double most = 0, by = 1 / v;
    for (int32_t k = 0; v != 0 && k < w->free_count; k++) {
        double dy = by * w->v[linkage->free[k]], terms[2] = {w->a[linkage->free[k]], dy * a};
        n->dy[k] = dy, n->ddy[k] = by * by * (terms[0] - terms[1]);
        double size = fabs(terms[0]) + fabs(terms[1]);
        most = size > most ? size : most;
    }
    n->order = 2;
    if (v != 0 && most * s * s <= MOST_CURVATURE * v * v)
        return;
    n->order = 1;
    memset(w->right, 0, (size_t)w->rows * sizeof *w->right);
    rbv_linkage_drive(linkage, w, &(double){1});
    rbv_linkage_solve(linkage, w);
    memcpy(n->dy, w->x, (size_t)w->free_count * sizeof *n->dy);
}

void rbv_linkage_remember(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *rate,
                          const double *acceleration) {
    double s = 0;
    bool follows = w->knot[0].order >= 0 && stride(linkage, w, rate, acceleration, &s);
    if (follows && s != 0) {
        RbvLinkageKnot before = w->knot[1];
        w->knot[1] = w->knot[0], w->knot[0] = before;
        w->stride = s;
    } else if (!follows) {
        w->knot[1].order = -1;
        w->stride = 0;
    }
    RbvLinkageKnot *n = w->knot;
    for (int32_t k = 0; k < w->free_count; k++)
        n->y[k] = linkage->free_q[k] >= 0 ? w->q[linkage->free_q[k]] : 0;
    if (w->driven_count == 1) {
        derivatives(linkage, w, rate[0], acceleration[0], s, n);
    } else {
        for (int32_t k = 0; k < w->free_count; k++)
            n->dy[k] = w->v[linkage->free[k]], n->ddy[k] = w->a[linkage->free[k]];
        n->order = 2;
    }
    for (int32_t k = 0; k < w->driven_count; k++)
        w->knot[0].x[k] = w->target[k], w->knot[0].v[k] = rate[k], w->knot[0].a[k] = acceleration[k];
}

void rbv_linkage_forget(RbvLinkageWorkspace *w) {
    w->knot[0].order = w->knot[1].order = -1;
    w->stride = 0;
}
