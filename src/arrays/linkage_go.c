/* Positions of a linkage: from one sample to the next along the branch.
 *
 * A polynomial through the last samples gives the prediction (linkage_guess.c); Newton's method closes the loops. The
 * result is accepted only if
 *
 *   its first step is at most a quarter of the largest displacement from the last sample
 *     (angles; distances relative to the linkage's length),
 *   each step is at most half the step before, as near an isolated solution,
 *   and the determinants of the closings keep their signs (linkage_branch.c).
 *
 * Otherwise half of the step is made first, along the tangent, and so on: for short steps all three conditions hold
 * unless the loops lock. */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

#define CLOSED                                                                                                         \
    1e-12 /* closed loops, relative to lengths and for cosines: about a hundred times the rounding of their sums */
#define MOST_ITERATIONS 12
#define MOST_START 200
#define NEAR 0.25 /* permitted error of the prediction, as a part of the displacement */
#define SHRINKS 0.5
#define LITTLE 1e-9 /* [rad, relative lengths] no other branch is as near */
#define SHORT 1e-9  /* [rad] its square is below rounding */
#define LEAST_PART (1.0 / (1 << 20))

static void minus_rows(RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < w->rows; k++)
        w->right[k] = -w->c[k];
}

/* Largest component of x[free], distances relative to the linkage's length. */
static double length_of(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    double most = 0;
    for (int32_t k = 0; k < w->free_count; k++) {
        double size = fabs(w->x[k]) * linkage->weight[linkage->free[k]];
        most = size > most ? size : most;
    }
    return most;
}

/* Displacement: largest component of the prediction x, and of `part` of the driven coordinates' step. */
static double way_of(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double part) {
    double most = length_of(linkage, w);
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
    rbv_linkage_move(linkage, w, 1);
    *step = length_of(linkage, w);
    return true;
}

/* Correct sines and cosines of the tree's angles, which belong to the position before the last step x, to first order
 * in x. For a longer step, when the loops are nearly free, evaluate rows and factors again. */
static void follow(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double step) {
    const RbvTree *tree = linkage->tree;
    if (step > SHORT) {
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
    double most = NEAR * way + LITTLE;
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
            return rbv_linkage_same_branch(linkage, w);
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
    rbv_linkage_keep_branch(linkage, w);
    rbv_linkage_forget(w);
    w->started = true;
}

static void accept(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
    memcpy(w->held, w->set, (size_t)w->driven_count * sizeof *w->held);
    rbv_linkage_keep_branch(linkage, w);
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
        rbv_linkage_guess(linkage, w, step);
        if (newton(linkage, w, way_of(linkage, w, step), &singular)) {
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
    if (rbv_linkage_predict(linkage, w, rate, acceleration)) {
        if (newton(linkage, w, way_of(linkage, w, 1), &singular)) {
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
            rbv_linkage_move(linkage, w, part);
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
    rbv_linkage_keep_branch(linkage, w);
    rbv_linkage_forget(w);
    w->started = w->fresh = true;
    return RBV_OK;
}
