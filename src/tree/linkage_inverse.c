/* Inverse dynamics of a linkage: positions, rates, accelerations of all joints; inverse dynamics of the tree; multipliers of the closings; reactions. */
#include "tree/linkage.h"

#include <math.h>
#include <string.h>

#define CONSISTENT 1e-8 /* of the terms of rates that cancel: far above rounding by a matrix whose columns are told apart to 1e-10 of rows closed to 1e-12, at the edge of what is told */
#define UNIQUE 1e-9     /* of a unit vector of multipliers: what it adds to a reaction that does not hang on it is rounding */

enum { POSE = 12 };

/* x of the free numbers where those driven go with given[stride], the rows with `bias` (NULL: 0); both to all[nv]. */
static bool rates(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *given, const double *bias, double *all) {
    double most = 0, size = 1 + linkage->length, speed = 0; /* terms that may have cancelled in C and bias: rates, their squares, times lengths */
    for (int32_t k = 0; bias && k < w->nv; k++)
        speed += fabs(w->v[k]);
    most += size * speed * speed;
    for (int32_t row = 0; row < w->rows; row++) {
        w->right[row] = bias ? -bias[row] : 0;
        most += fabs(w->right[row]);
    }
    for (int32_t k = 0; k < w->driven_count; k++) {
        const double *C = w->C + (ptrdiff_t)w->rows * linkage->driven[k];
        for (int32_t row = 0; row < w->rows; row++) {
            w->right[row] -= C[row] * given[k];
            most += fabs(C[row] * given[k]);
        }
        most += size * fabs(given[k]);
        all[linkage->driven[k]] = given[k];
    }
    double rest = rbv_linkage_solve(linkage, w);
    for (int32_t k = 0; k < w->free_count; k++)
        all[linkage->free[k]] = w->x[k];
    return rest <= CONSISTENT * most || w->rows == w->free_count;
}

/* Wrenches of lambda on the bodies, times `factor`, added to loads[bodies][6] along the body's axes about its origin. */
static void add_loads(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *loads) {
    const RbvTree *tree = linkage->tree;
    const double *pose = w->tree->scratch->pose, *O = pose + 9;
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double sum[6] = {0};
        for (int32_t row = c->row; row < c->row + c->rows; row++)
            for (int e = 0; e < 6; e++)
                sum[e] += w->lambda[row] * w->wrench[6 * (ptrdiff_t)row + e];
        for (int side = 0; side < 2; side++) {
            if (c->link[side] < 0)
                continue;
            const double *R = pose + POSE * (ptrdiff_t)c->link[side], *f = sum + 3, *A = tree->axes[linkage->body[2 * k + side]], sign = side ? 1 : -1;
            double r[3] = {R[9] - O[0], R[10] - O[1], R[11] - O[2]};
            double N[3] = {sum[0] - (r[1] * f[2] - r[2] * f[1]), sum[1] - (r[2] * f[0] - r[0] * f[2]), sum[2] - (r[0] * f[1] - r[1] * f[0])};
            double *to = loads + 6 * (ptrdiff_t)linkage->body[2 * k + side], u[3], t[3];
            for (int e = 0; e < 3; e++)
                u[e] = R[e] * f[0] + R[3 + e] * f[1] + R[6 + e] * f[2], t[e] = R[e] * N[0] + R[3 + e] * N[1] + R[6 + e] * N[2];
            for (int e = 0; e < 3; e++) {
                to[e] += sign * (A[3 * e] * u[0] + A[3 * e + 1] * u[1] + A[3 * e + 2] * u[2]);
                to[3 + e] += sign * (A[3 * e] * t[0] + A[3 * e + 1] * t[1] + A[3 * e + 2] * t[2]);
            }
        }
    }
}

/* What lambda is at the closings: along the first frame's axes, about the second's origin. */
static void closing_reactions(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *out) {
    const double *O = w->tree->scratch->pose + 9;
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double A[9], B[9], P[3], sum[6] = {0};
        rbv_linkage_frame(w, c, 0, A, P);
        rbv_linkage_frame(w, c, 1, B, P);
        for (int32_t row = c->row; row < c->row + c->rows; row++)
            for (int e = 0; e < 6; e++)
                sum[e] += w->lambda[row] * w->wrench[6 * (ptrdiff_t)row + e];
        const double *f = sum + 3, r[3] = {P[0] - O[0], P[1] - O[1], P[2] - O[2]};
        double N[3] = {sum[0] - (r[1] * f[2] - r[2] * f[1]), sum[1] - (r[2] * f[0] - r[0] * f[2]), sum[2] - (r[0] * f[1] - r[1] * f[0])};
        for (int e = 0; e < 3; e++) {
            out[6 * k + e] = A[3 * e] * f[0] + A[3 * e + 1] * f[1] + A[3 * e + 2] * f[2];
            out[6 * k + 3 + e] = A[3 * e] * N[0] + A[3 * e + 1] * N[1] + A[3 * e + 2] * N[2];
        }
    }
}

/* The arrays of one sample. */
typedef struct Sample {
    const double *q, *v, *a, *wrenches;
    double *efforts, *reactions, *closing_reactions, *motion;
} Sample;

static RbvStatus move_to(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const Sample *s) {
    memcpy(w->target, s->q, (size_t)w->driven_count * sizeof *w->target);
    RbvStatus status = rbv_linkage_go(linkage, w);
    if (status != RBV_OK)
        return status;
    if (!rates(linkage, w, s->v, NULL, w->v))
        return RBV_INCONSISTENT;
    rbv_linkage_bias(linkage, w);
    if (!rates(linkage, w, s->a, w->bias, w->a))
        return RBV_INCONSISTENT;
    for (int32_t k = 0; k < w->nv; k++)
        if (!isfinite(w->v[k]) || !isfinite(w->a[k]))
            return RBV_NOT_FINITE;
    return RBV_OK;
}

static void react(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const Sample *s) {
    if (s->closing_reactions)
        closing_reactions(linkage, w, s->closing_reactions);
    if (!s->reactions)
        return;
    size_t size = 6 * (size_t)w->bodies * sizeof *w->loads;
    if (s->wrenches)
        memcpy(w->loads, s->wrenches, size);
    else
        memset(w->loads, 0, size);
    add_loads(linkage, w, w->loads);
    rbv_tree_inverse(linkage->tree, w->tree, NULL, w->q, w->v, w->a, w->loads, w->tau, s->reactions);
}

static RbvStatus one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const Sample *s) {
    RbvStatus status = move_to(linkage, w, s);
    if (status != RBV_OK)
        return status;
    rbv_tree_inverse(linkage->tree, w->tree, NULL, w->q, w->v, w->a, s->wrenches, w->tau, NULL);
    for (int32_t k = 0; k < w->free_count; k++)
        w->x[k] = w->tau[linkage->free[k]];
    rbv_linkage_solve_transposed(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++) {
        const double *C = w->C + (ptrdiff_t)w->rows * linkage->driven[k];
        double effort = w->tau[linkage->driven[k]];
        for (int32_t row = 0; row < w->rows; row++)
            effort -= C[row] * w->lambda[row];
        s->efforts[k] = effort;
        if (!isfinite(effort))
            return RBV_NOT_FINITE;
    }
    react(linkage, w, s);
    if (s->motion) {
        memcpy(s->motion, w->q, (size_t)w->nq * sizeof *w->q);
        memcpy(s->motion + w->nq, w->v, (size_t)w->nv * sizeof *w->v);
        memcpy(s->motion + w->nq + w->nv, w->a, (size_t)w->nv * sizeof *w->a);
    }
    return RBV_OK;
}

/* --- batches --- */

/* Numbers of a sample in an array of all; layout by number or by sample. */
typedef struct Column {
    int64_t count, at, n;
    bool by_number;
} Column;

static int64_t place(const Column *c, int64_t k) {
    return c->by_number ? k * c->count + c->at : c->at * c->n + k;
}
static void fetch(const Column *c, const double *from, double *to) {
    for (int64_t k = 0; k < c->n; k++)
        to[k] = from[place(c, k)];
}
static void store(const Column *c, const double *from, double *to) {
    for (int64_t k = 0; k < c->n; k++)
        to[place(c, k)] = from ? from[k] : NAN;
}

/* All outputs of the samples from `at` on are no numbers. */
static void blank(const Sample *all, const int64_t sizes[4], int64_t at, int64_t count, bool by_number) {
    double *out[4] = {all->efforts, all->reactions, all->closing_reactions, all->motion};
    for (int k = 0; k < 4; k++)
        for (int64_t e = at; out[k] && e < count; e++)
            store(&(Column){count, e, sizes[k], by_number}, NULL, out[k]);
}

/* A sample by number: through the workspace. */
static RbvStatus scattered(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const Sample *all, const int64_t sizes[4], int64_t at, int64_t count) {
    int64_t n = w->driven_count;
    Column c = {count, at, n, true}, loads = {count, at, sizes[1], true};
    fetch(&c, all->q, w->given);
    fetch(&c, all->v, w->given + n);
    fetch(&c, all->a, w->given + 2 * n);
    Sample s = {w->given, w->given + n, w->given + 2 * n, all->wrenches ? w->sample + 3 * n : NULL, w->sample, all->reactions ? w->reactions : NULL, all->closing_reactions ? w->closing_reactions : NULL, NULL};
    if (all->wrenches)
        fetch(&loads, all->wrenches, w->sample + 3 * n);
    RbvStatus status = one_sample(linkage, w, &s);
    if (status != RBV_OK)
        return status;
    store(&c, s.efforts, all->efforts);
    if (all->reactions)
        store(&loads, s.reactions, all->reactions);
    if (all->closing_reactions)
        store(&(Column){count, at, sizes[2], true}, s.closing_reactions, all->closing_reactions);
    for (int32_t k = 0; all->motion && k < w->nq; k++)
        all->motion[k * count + at] = w->q[k];
    for (int32_t k = 0; all->motion && k < w->nv; k++)
        all->motion[(w->nq + k) * count + at] = w->v[k], all->motion[(w->nq + w->nv + k) * count + at] = w->a[k];
    return RBV_OK;
}

static double *advance(double *array, int64_t step) {
    return array ? array + step : NULL;
}

RbvStatus rbv_linkage_inverse(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvTreeBatch *batch, const double *q, const double *v, const double *a, const double *wrenches, double *efforts,
                              double *reactions, double *closing, double *motion, RbvLinkageReport *report) {
    if (!rbv_linkage_fits(linkage, w) || !w->started || !q || !v || !a || !efforts || (batch && (batch->count < 0 || (unsigned)batch->layout > RBV_BY_NUMBER)))
        return RBV_BAD_ARGUMENT;
    const Sample all = {q, v, a, wrenches, efforts, reactions, closing, motion};
    int64_t count = batch ? batch->count : 1, at = 0, n = w->driven_count, sizes[4] = {n, 6 * (int64_t)w->bodies, 6 * (int64_t)w->count, w->nq + 2 * (int64_t)w->nv};
    bool by_number = batch && batch->layout == RBV_BY_NUMBER;
    RbvStatus status = RBV_OK;
    w->iterations = 0;
    for (; at < count; at++) {
        if (by_number) {
            status = scattered(linkage, w, &all, sizes, at, count);
        } else {
            Sample s = {q + at * n, v + at * n, a + at * n, wrenches ? wrenches + at * sizes[1] : NULL, advance(efforts, at * n), advance(reactions, at * sizes[1]), advance(closing, at * sizes[2]),
                        advance(motion, at * sizes[3])};
            status = one_sample(linkage, w, &s);
        }
        if (status != RBV_OK)
            break;
    }
    if (status != RBV_OK)
        blank(&all, sizes, at, count, by_number);
    if (report)
        *report = (RbvLinkageReport){at, w->iterations};
    return status;
}

/* --- uniqueness: what self-stress adds --- */

static void mark(const double *x, int64_t count, double length, uint8_t *unique) {
    for (int64_t k = 0; unique && k < count; k++)
        if (fabs(x[k]) > UNIQUE * (k % 6 < 3 ? 1 : 1 + length))
            unique[k] = 0;
}

/* Loads on bodies without mass, inward through the joints. */
static void pass_inward(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    const RbvTree *tree = linkage->tree;
    const double *pose = w->tree->scratch->pose;
    for (int32_t k = tree->body_count - 1; k >= 0; k--) {
        int32_t up = tree->body[k].parent;
        if (up < 0)
            continue;
        const double *R = pose + POSE * (ptrdiff_t)tree->last[k], *S = pose + POSE * (ptrdiff_t)tree->last[up], *A = tree->axes[k], *B = tree->axes[up];
        const double *from = w->loads + 6 * (ptrdiff_t)k;
        double u[2][3], g[2][3], *to = w->loads + 6 * (ptrdiff_t)up, r[3] = {R[9] - S[9], R[10] - S[10], R[11] - S[11]};
        for (int part = 0; part < 2; part++) {
            for (int e = 0; e < 3; e++)
                u[part][e] = A[e] * from[3 * part] + A[3 + e] * from[3 * part + 1] + A[6 + e] * from[3 * part + 2];
            for (int e = 0; e < 3; e++)
                g[part][e] = R[3 * e] * u[part][0] + R[3 * e + 1] * u[part][1] + R[3 * e + 2] * u[part][2];
        }
        g[1][0] += r[1] * g[0][2] - r[2] * g[0][1], g[1][1] += r[2] * g[0][0] - r[0] * g[0][2], g[1][2] += r[0] * g[0][1] - r[1] * g[0][0];
        for (int part = 0; part < 2; part++) {
            for (int e = 0; e < 3; e++)
                u[part][e] = S[e] * g[part][0] + S[3 + e] * g[part][1] + S[6 + e] * g[part][2];
            for (int e = 0; e < 3; e++)
                to[3 * part + e] += B[3 * e] * u[part][0] + B[3 * e + 1] * u[part][1] + B[3 * e + 2] * u[part][2];
        }
    }
}

RbvStatus rbv_linkage_unique(const RbvLinkage *linkage, RbvLinkageWorkspace *w, uint8_t *reactions, uint8_t *closing) {
    if (!rbv_linkage_fits(linkage, w) || !w->started)
        return RBV_BAD_ARGUMENT;
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->q);
    rbv_linkage_rows(linkage, w);
    if (!rbv_linkage_factor(linkage, w))
        return RBV_LOCKED;
    int64_t n = 6 * (int64_t)w->bodies, m = 6 * (int64_t)w->count;
    if (reactions)
        memset(reactions, 1, (size_t)n);
    if (closing)
        memset(closing, 1, (size_t)m);
    for (int32_t k = 0; k < w->rows - w->free_count; k++) {
        rbv_linkage_null(linkage, w, k);
        memset(w->loads, 0, (size_t)n * sizeof *w->loads);
        add_loads(linkage, w, w->loads);
        pass_inward(linkage, w);
        mark(w->loads, n, linkage->length, reactions);
        closing_reactions(linkage, w, w->closing_reactions);
        mark(w->closing_reactions, m, linkage->length, closing);
    }
    return RBV_OK;
}
