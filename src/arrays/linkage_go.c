/* Positions of a linkage: from one sample to the next along the branch.
 *
 * A polynomial through the last samples gives the prediction (linkage_go.c); Newton's method closes the loops. The
 * result is accepted only if
 *
 *   its first step is at most a quarter of the largest displacement from the last sample
 *     (angles; distances relative to the linkage's length),
 *   each step is at most half the step before, as near an isolated solution,
 *   and the determinants of the closings keep their signs (linkage_go.c).
 *
 * Otherwise half of the step is made first, along the tangent, and so on: for short steps all three conditions hold
 * unless the loops lock. */
#include "arrays/linkage.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

/* Decides whether a position is on the branch of the last one. Branches meet where C_free loses rank. The determinant
 * of a square C_free changes its sign from one branch to the other, and so does that of each square front. With
 * redundant rows and up to MOST_DENSE free coordinates the determinant of (C_free before)^T C_free is used. Larger
 * linkages with redundant rows are checked only by the bounds of Newton's steps (linkage_go.c). */

#define MOST_DENSE 12

static bool square(const RbvLinkageFront *f) {
    return f->rows == f->pivots && f->children == 0;
}

/* True if C_free before and now are multiplied with each other. */
static bool is_dense(const RbvLinkage *linkage) {
    return linkage->rows > linkage->free_count && linkage->free_count <= MOST_DENSE;
}

/* Keep the branch of these factors as that of the last good sample. */
static void linkage_keep_branch(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->kept_signs, w->signs, (size_t)linkage->front_count * sizeof *w->signs);
    w->kept_odd = w->odd;
    if (is_dense(linkage))
        memcpy(w->kept_C, w->C, (size_t)linkage->value_count * sizeof *w->C);
}

/* Is the determinant of G[n][n] positive? By elimination with the largest pivot of each column; G is overwritten. */
static bool positive(double G[MOST_DENSE][MOST_DENSE], int32_t n) {
    bool sign = true;
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(G[i][k]) > fabs(G[best][k]))
                best = i;
        for (int32_t j = k; best != k && j < n; j++) {
            double x = G[k][j];
            G[k][j] = G[best][j], G[best][j] = x;
        }
        sign = sign == ((best == k) == (G[k][k] > 0));
        if (G[k][k] == 0)
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double factor = G[i][k] / G[k][k];
            for (int32_t j = k + 1; j < n; j++)
                G[i][j] -= factor * G[k][j];
        }
    }
    return sign;
}

static bool dense_alike(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    double G[MOST_DENSE][MOST_DENSE] = {{0}};
    for (int32_t k = 0; k < linkage->block_count; k++) {
        const RbvLinkageBlock *b = linkage->block + k;
        for (int32_t i = 0; i < b->entries; i++)
            for (int32_t j = 0; j < b->entries; j++) {
                int32_t one = linkage->entry[b->entry + i].free, two = linkage->entry[b->entry + j].free;
                const double *before = w->kept_C + b->values + (ptrdiff_t)b->rows * i,
                             *now = w->C + b->values + (ptrdiff_t)b->rows * j;
                for (int32_t row = 0; one >= 0 && two >= 0 && row < b->rows; row++)
                    G[one][two] += before[row] * now[row];
            }
    }
    return positive(G, linkage->free_count);
}

/* Do the factors show the same branch as at the last good sample? */
static bool linkage_same_branch(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < linkage->front_count; k++)
        if (square(linkage->front + k) && w->signs[k] != w->kept_signs[k])
            return false;
    if (linkage->rows == linkage->free_count)
        return w->odd == w->kept_odd;
    return !is_dense(linkage) || dense_alike(linkage, w);
}

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

/* Largest s/d for the polynomial: at 2.5 the rounding of the samples is amplified a thousand times. */
#define FARTHEST 2.5

/* Most cancellation in y'' s^2 = (a_y - y' a_x) (s/v_x)^2: at this ratio of the terms to the required size, rounding
 * reaches 1e-13. */
#define MOST_CURVATURE 1e3

/* Largest relative difference between the differences of driven coordinates and those from their velocities, for which
 * the samples count as a motion in time. */
#define TIMELY 0.1

/* now -> now + part x along the free coordinates. */
static void linkage_move(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
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

/* First-order prediction: free coordinates when the driven ones move from the last sample by the fraction `part`
 * towards their targets, with the factors at that sample; into x and workspace->now. */
static void linkage_guess(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
    memset(w->right, 0, (size_t)w->rows * sizeof *w->right);
    for (int32_t k = 0; k < w->driven_count; k++)
        w->part[k] = part * (w->target[k] - rbv_linkage_driven_at(linkage, w, k));
    rbv_linkage_drive(linkage, w, w->part);
    rbv_linkage_solve(linkage, w);
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    linkage_move(linkage, w, 1);
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

/* Better prediction of the whole step from the last samples. False: these samples do not suffice. */
static bool linkage_predict(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *rate,
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
    linkage_move(linkage, w, 1);
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

#define CLOSED                                                                                                         \
    1e-12 /* closed loops, relative to lengths and for cosines: about a hundred times the rounding of their sums */
#define MOST_ITERATIONS 12
#define MOST_START 200
#define NEAR 0.25 /* permitted error of the prediction, as a part of the displacement */
#define SHRINKS 0.5
#define LEAST_PART (1.0 / (1 << 20))

static void minus_rows(RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < w->rows; k++)
        w->right[k] = -w->c[k];
}

/* Largest component of x[free], distances relative to the linkage's length. */
static double largest_step(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    double most = 0;
    for (int32_t k = 0; k < w->free_count; k++) {
        double size = fabs(w->x[k]) * linkage->weight[linkage->free[k]];
        most = size > most ? size : most;
    }
    return most;
}

/* Displacement: largest component of the prediction x, and of `part` of the driven coordinates' step. */
static double displacement(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double part) {
    double most = largest_step(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++) {
        double size =
            part * fabs(w->target[k] - rbv_linkage_driven_at(linkage, w, k)) * linkage->weight[linkage->driven[k]];
        most = size > most ? size : most;
    }
    return most;
}

bool rbv_linkage_correct(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double *worst, double *step) {
    *worst = rbv_linkage_rows(linkage, w);
    if (!isfinite(*worst) || !rbv_linkage_factor(linkage, w))
        return false;
    minus_rows(w);
    rbv_linkage_solve(linkage, w);
    linkage_move(linkage, w, 1);
    *step = largest_step(linkage, w);
    return true;
}

/* Correct sines and cosines of the tree's angles, which belong to the position before the last step x, to first order
 * in x. For a longer step, when the loops are nearly free, evaluate rows and factors again. */
static void follow(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double step) {
    const RbvTree *tree = linkage->tree;
    /* [rad] its square is below rounding. */
    if (step > RBV_SAME) {
        rbv_linkage_rows(linkage, w);
        rbv_linkage_factor(linkage, w);
        return;
    }
    for (int32_t k = 0; k < tree->angle_count; k++) {
        const RbvTreeLink *j = tree->link + tree->angle_link[k];
        if (linkage->free_of[j->v] < 0)
            continue;
        double *s = w->tree->scratch->sine + k, *c = w->tree->scratch->cosine + k, sine = *s,
               x = w->x[linkage->free_of[j->v]];
        if (j->own)
            x *= tree->own[tree->angle_link[k]].ratio;
        *s += x * *c, *c -= x * sine;
    }
}

/* Newton's method from the prediction workspace->now with displacement `way`. True: closed on the branch, with factors.
 */
static bool newton(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double way, bool *singular) {
    /* [rad, relative lengths] no other branch is as near. */
    double most = NEAR * way + RBV_SAME;
    *singular = false;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double worst, step;
        if (!rbv_linkage_correct(linkage, w, &worst, &step)) {
            *singular = isfinite(worst);
            return false;
        }
        w->iterations++;
        if (!(step <= most))
            return false;
        if (worst <= CLOSED) { /* closed already before this step */
            w->gap = worst > w->gap ? worst : w->gap;
            follow(linkage, w, step);
            return linkage_same_branch(linkage, w);
        }
        most = SHRINKS * step;
    }
    return false;
}

/* Evaluate rows and factors at the last good q again. */
static bool restore(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    memcpy(w->set, w->held, (size_t)w->driven_count * sizeof *w->set);
    rbv_linkage_rows(linkage, w);
    return rbv_linkage_factor(linkage, w);
}

void rbv_linkage_adopt(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageWorkspace *from) {
    memcpy(w->q, from->q, (size_t)w->nq * sizeof *w->q);
    memcpy(w->knot[0].x, from->knot[0].x, (size_t)w->driven_count * sizeof *w->target);
    memset(w->knot[0].v, 0, (size_t)w->driven_count * sizeof *w->knot[0].v);
    memcpy(w->held, from->held, (size_t)w->driven_count * sizeof *w->held);
    w->fresh = from->fresh;
    restore(linkage, w);
    linkage_keep_branch(linkage, w);
    rbv_linkage_forget(w);
    w->started = true;
}

static void accept(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
    memcpy(w->held, w->set, (size_t)w->driven_count * sizeof *w->held);
    linkage_keep_branch(linkage, w);
}

/* At the start angles of closings are measured within half a turn; the first sample gives their whole turns. Angles of
 * screws are known. */
static void count_turns(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    for (int32_t n = 0; n < linkage->count; n++) {
        const RbvLinkageClosing *c = linkage->closing + n;
        if (!(c->drives & RBV_HOLD_TURN) || (c->holds & RBV_HOLD_SCREW))
            continue;
        int32_t k =
            linkage->row_driven[c->row + c->rows -
                                (c->drives & RBV_HOLD_DISTANCE ? 2 : 1)]; /* only a distance comes after the angle */
        w->held[k] += RBV_TWO_PI * round((w->target[k] - w->held[k]) / RBV_TWO_PI);
        w->set[k] = w->knot[0].x[k] = w->held[k];
    }
    w->fresh = false;
}

/* Move along the tangent, in parts of the step. */
static RbvStatus go_in_parts(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    bool singular = false;
    double part = 1, left = 1;
    while (left > 0) {
        double step = fmin(part / left, 1);
        linkage_guess(linkage, w, step);
        if (newton(linkage, w, displacement(linkage, w, step), &singular)) {
            accept(linkage, w);
            left = step == 1 ? 0 : left - part;
            part *= 2;
            continue;
        }
        if (!restore(linkage, w))
            return RBV_LOCKED;
        part /= 2;
        if (part < LEAST_PART)
            return singular ? RBV_LOCKED : RBV_NOT_ASSEMBLED;
    }
    return RBV_OK;
}

RbvStatus rbv_linkage_go(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *rate,
                         const double *acceleration) {
    bool singular;
    for (int32_t k = 0; k < w->driven_count; k++)
        if (!isfinite(w->target[k]))
            return RBV_NOT_FINITE;
    if (w->fresh)
        count_turns(linkage, w);
    if (linkage_predict(linkage, w, rate, acceleration)) {
        if (newton(linkage, w, displacement(linkage, w, 1), &singular)) {
            accept(linkage, w);
            return RBV_OK;
        }
        if (!restore(linkage, w))
            return RBV_LOCKED;
    }
    return go_in_parts(linkage, w);
}

/* Close the loops from a distant start: each step is halved until the residual of the rows decreases. */
static bool close_from(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double *worst) {
    *worst = rbv_linkage_rows(linkage, w);
    for (int k = 0; k<MOST_START && * worst> CLOSED; k++) {
        if (!isfinite(*worst) || !rbv_linkage_factor(linkage, w))
            return false;
        minus_rows(w);
        rbv_linkage_solve(linkage, w);
        memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
        double part = 1, next;
        for (;; part /= 2) {
            memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
            linkage_move(linkage, w, part);
            next = rbv_linkage_rows(linkage, w);
            if (next < *worst || part < LEAST_PART)
                break;
        }
        if (!(next < *worst))
            break;
        *worst = next;
    }
    return *worst <= CLOSED;
}

/* Check that parallel axes have the same direction: the rows vanish for opposite directions, too. */
static bool faces(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < linkage->count; k++) {
        const double *a = w->frames[k].A1, *b = w->frames[k].A2;
        double z = a[6] * b[6] + a[7] * b[7] + a[8] * b[8], x = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        uint32_t holds = linkage->closing[k].holds;
        if (((holds & RBV_HOLD_AXES) && z < 0) || ((holds & RBV_HOLD_TURN) && x < 0))
            return false;
    }
    return true;
}

RbvStatus rbv_linkage_start(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double *q) {
    if (!rbv_linkage_fits(linkage, w) || !q)
        return RBV_BAD_ARGUMENT;
    w->started = false;
    for (int32_t k = 0; k < w->nq; k++)
        if (!isfinite(q[k]))
            return RBV_NOT_FINITE;
    memcpy(w->now, q, (size_t)w->nq * sizeof *q);
    memset(w->set, 0, (size_t)w->driven_count * sizeof *w->set);
    rbv_linkage_rows(linkage, w);
    rbv_linkage_measure(linkage, w);
    double worst;
    if (!close_from(linkage, w, &worst) || !faces(linkage, w))
        return RBV_NOT_ASSEMBLED;
    if (!rbv_linkage_factor(linkage, w))
        return RBV_LOCKED;
    memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
    memcpy(q, w->now, (size_t)w->nq * sizeof *q);
    for (int32_t k = 0; k < w->driven_count; k++)
        w->knot[0].x[k] = rbv_linkage_driven_at(linkage, w, k), w->knot[0].v[k] = 0;
    linkage_keep_branch(linkage, w);
    rbv_linkage_forget(w);
    w->started = w->fresh = true;
    return RBV_OK;
}
