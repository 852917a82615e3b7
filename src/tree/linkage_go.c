/* Positions of a linkage: from one sample to the next along the branch.
 *
 * The last factors give the first guess: where the loops go at the rate of the driven joints. Newton's method closes them; where it does not converge at once, or goes far, half the way is gone first.
 */
#include "tree/linkage.h"

#include <math.h>
#include <string.h>

#define CLOSED 1e-12        /* of lengths and of cosines: some hundred times rounding of sums of them */
#define MOST_ITERATIONS 12
#define MOST_START 200
#define FAR 0.5             /* [rad, lengths of the linkage] that the guess may be wrong by: beyond it another branch may be near */
#define LEAST_PART (1.0 / (1 << 20))

/* now -> now + part x along the free numbers. */
static void move(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
    if (linkage->simple) {
        for (int32_t k = 0; k < w->free_count; k++)
            w->now[linkage->free_q[k]] += part * w->x[k];
        return;
    }
    memset(w->v, 0, (size_t)w->nv * sizeof *w->v);
    for (int32_t k = 0; k < w->free_count; k++)
        w->v[linkage->free[k]] = part * w->x[k];
    rbv_tree_move(linkage->tree, w->tree, NULL, w->now, w->v, w->trial);
    memcpy(w->now, w->trial, (size_t)w->nq * sizeof *w->now);
}

static void minus_rows(RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < w->rows; k++)
        w->right[k] = -w->c[k];
}
static double length_of(const RbvLinkageWorkspace *w) {
    double most = 0;
    for (int32_t k = 0; k < w->free_count; k++)
        most = fmax(most, fabs(w->x[k]));
    return most;
}

/* The guess: driven numbers to q + part (target - q), the others by the factors at q. */
static void guess(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double part) {
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    memset(w->right, 0, (size_t)w->rows * sizeof *w->right);
    for (int32_t k = 0; k < w->driven_count; k++) {
        double step = part * (w->target[k] - w->q[linkage->driven_q[k]]);
        const double *C = w->C + (ptrdiff_t)w->rows * linkage->driven[k];
        for (int32_t row = 0; row < w->rows; row++)
            w->right[row] -= C[row] * step;
    }
    rbv_linkage_solve(linkage, w);
    move(linkage, w, 1);
    for (int32_t k = 0; k < w->driven_count; k++) {
        double from = w->q[linkage->driven_q[k]];
        w->now[linkage->driven_q[k]] = part == 1 ? w->target[k] : from + part * (w->target[k] - from);
    }
}

/* Newton's method from `now`; each step shorter than the last. True: closed, with factors. */
static bool newton(const RbvLinkage *linkage, RbvLinkageWorkspace *w, bool *singular) {
    double before = FAR * fmax(1, linkage->length);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double worst = rbv_linkage_rows(linkage, w);
        *singular = false;
        if (!isfinite(worst))
            return false;
        if (!rbv_linkage_factor(linkage, w)) {
            *singular = true;
            return false;
        }
        minus_rows(w);
        rbv_linkage_solve(linkage, w);
        w->iterations++;
        double step = length_of(w);
        if (worst <= CLOSED) { /* one more step costs nothing */
            move(linkage, w, 1);
            return true;
        }
        if (!(step < before))
            return false;
        before = 0.7 * step;
        move(linkage, w, 1);
    }
    return false;
}

/* Rows and factors of the last good q again. */
static bool restore(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
    rbv_linkage_rows(linkage, w);
    return rbv_linkage_factor(linkage, w);
}

RbvStatus rbv_linkage_go(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    bool singular = false;
    double part = 1, left = 1;
    for (int32_t k = 0; k < w->driven_count; k++)
        if (!isfinite(w->target[k]))
            return RBV_NOT_FINITE;
    while (left > 0) {
        double step = fmin(part / left, 1);
        guess(linkage, w, step);
        if (newton(linkage, w, &singular)) {
            memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
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

/* Close the loops from far: the step is halved until the rows are less wrong. */
static bool close_from(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double *worst) {
    *worst = rbv_linkage_rows(linkage, w);
    for (int k = 0; k < MOST_START && *worst > CLOSED; k++) {
        if (!isfinite(*worst) || !rbv_linkage_factor(linkage, w))
            return false;
        minus_rows(w);
        rbv_linkage_solve(linkage, w);
        memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
        double part = 1, next;
        for (;; part /= 2) {
            memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->now);
            move(linkage, w, part);
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

/* Parallel axes look the same way: the rows hold turned round, too. */
static bool faces(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double A1[9], A2[9], P[3];
        rbv_linkage_frame(w, c, 0, A1, P);
        rbv_linkage_frame(w, c, 1, A2, P);
        double z = A1[6] * A2[6] + A1[7] * A2[7] + A1[8] * A2[8], x = A1[0] * A2[0] + A1[1] * A2[1] + A1[2] * A2[2];
        if (((c->holds & RBV_HOLD_AXES) && z < 0) || ((c->holds & RBV_HOLD_TURN) && x < 0))
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
    double worst;
    if (!close_from(linkage, w, &worst) || !faces(linkage, w))
        return RBV_NOT_ASSEMBLED;
    if (!rbv_linkage_factor(linkage, w))
        return RBV_LOCKED;
    memcpy(w->q, w->now, (size_t)w->nq * sizeof *w->q);
    memcpy(q, w->now, (size_t)w->nq * sizeof *q);
    w->started = true;
    return RBV_OK;
}
