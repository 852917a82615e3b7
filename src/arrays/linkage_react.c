/* Reactions of closings: their wrenches, the loads on the bodies of the tree, and which reactions are unique. */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

#define UNIQUE 1e-9 /* relative to a unit vector of multipliers: a smaller contribution to a reaction is rounding */

enum { POSE = 12 };

/* Add the side forces that accompany the line of teeth. */
static void add_teeth(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, bool real, double sum[6]) {
    const double lambda = w->lambda[c->row], factor[4] = {0, lambda, fabs(lambda), real ? 1 : 0};
    for (int which = 1; which < 4; which++) {
        double W[6];
        rbv_linkage_teeth_wrench(w, c, which, W);
        for (int e = 0; e < 6; e++)
            sum[e] += factor[which] * W[e];
    }
}

void rbv_linkage_sum(const RbvLinkage *linkage, RbvLinkageWorkspace *w, bool real) {
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double sum[6] = {0};
        for (int32_t row = c->row; row < c->row + c->rows; row++) {
            const double *W = w->wrench + 6 * (ptrdiff_t)row, factor = w->lambda[row];
            for (int e = 0; e < 6; e++)
                sum[e] += factor * W[e];
        }
        if (c->slope)
            add_teeth(w, c, real, sum);
        memcpy(w->sum + 6 * (ptrdiff_t)k, sum, sizeof sum);
    }
}

/* Wrench of a closing on the link of a side, along the link's axes about its origin: force, torque. */
static void on_link(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int side, const double *sum,
                    double F[6]) {
    const double *O = w->tree->scratch->pose + 9, *R = w->tree->scratch->pose + POSE * (ptrdiff_t)c->link[side],
                 sign = side ? 1 : -1;
    double f[3] = {sign * sum[3], sign * sum[4], sign * sum[5]}, r[3] = {R[9] - O[0], R[10] - O[1], R[11] - O[2]};
    double N[3] = {sign * sum[0] - (r[1] * f[2] - r[2] * f[1]), sign * sum[1] - (r[2] * f[0] - r[0] * f[2]),
                   sign * sum[2] - (r[0] * f[1] - r[1] * f[0])};
    for (int e = 0; e < 3; e++) {
        F[e] = R[e] * f[0] + R[3 + e] * f[1] + R[6 + e] * f[2];
        F[3 + e] = R[e] * N[0] + R[3 + e] * N[1] + R[6 + e] * N[2];
    }
}

void rbv_linkage_add_loads(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *loads) {
    for (int32_t k = 0; k < 2 * linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k / 2;
        if (c->link[k % 2] < 0)
            continue;
        const double *A = linkage->tree->axes[linkage->body[k]];
        double F[6], *to = loads + 6 * (ptrdiff_t)linkage->body[k];
        on_link(w, c, k % 2, w->sum + 6 * (ptrdiff_t)(k / 2), F);
        for (int e = 0; e < 3; e++) {
            to[e] += A[3 * e] * F[0] + A[3 * e + 1] * F[1] + A[3 * e + 2] * F[2];
            to[3 + e] += A[3 * e] * F[3] + A[3 * e + 1] * F[4] + A[3 * e + 2] * F[5];
        }
    }
}

void rbv_linkage_load_links(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    for (int32_t k = 0; k < 2 * linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k / 2;
        if (c->link[k % 2] < 0)
            continue;
        double F[6], *to = w->tree->scratch->total + 6 * (ptrdiff_t)c->link[k % 2];
        on_link(w, c, k % 2, w->sum + 6 * (ptrdiff_t)(k / 2), F);
        for (int e = 0; e < 6; e++)
            to[e] -= F[e];
    }
}

void rbv_linkage_closing_reactions(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *out) {
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double sum[6];
        memcpy(sum, w->sum + 6 * (ptrdiff_t)k, sizeof sum);
        for (int32_t row = c->row + c->held; row < c->row + c->rows; row++) /* without driven coordinates */
            for (int e = 0; e < 6; e++)
                sum[e] -= w->lambda[row] * w->wrench[6 * (ptrdiff_t)row + e];
        const double *A = w->frames[k].A1, *r = w->frames[k].r, *f = sum + 3;
        double N[3] = {sum[0] - (r[1] * f[2] - r[2] * f[1]), sum[1] - (r[2] * f[0] - r[0] * f[2]),
                       sum[2] - (r[0] * f[1] - r[1] * f[0])};
        for (int e = 0; e < 3; e++) {
            out[6 * k + e] = A[3 * e] * f[0] + A[3 * e + 1] * f[1] + A[3 * e + 2] * f[2];
            out[6 * k + 3 + e] = A[3 * e] * N[0] + A[3 * e + 1] * N[1] + A[3 * e + 2] * N[2];
        }
    }
}

/* --- uniqueness: reactions of self-stress --- */

static void mark(const double *x, int64_t count, double length, uint8_t *unique) {
    for (int64_t k = 0; unique && k < count; k++)
        if (fabs(x[k]) > UNIQUE * (k % 6 < 3 ? 1 : 1 + length))
            unique[k] = 0;
}

/* Transfer loads on bodies inward through the joints, without mass. */
static void pass_inward(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    const RbvTree *tree = linkage->tree;
    const double *pose = w->tree->scratch->pose;
    for (int32_t k = tree->body_count - 1; k >= 0; k--) {
        int32_t up = tree->body[k].parent;
        if (up < 0)
            continue;
        const double *R = pose + POSE * (ptrdiff_t)tree->last[k], *S = pose + POSE * (ptrdiff_t)tree->last[up],
                     *A = tree->axes[k], *B = tree->axes[up];
        const double *from = w->loads + 6 * (ptrdiff_t)k;
        double u[2][3], g[2][3], *to = w->loads + 6 * (ptrdiff_t)up, r[3] = {R[9] - S[9], R[10] - S[10], R[11] - S[11]};
        for (int part = 0; part < 2; part++) {
            for (int e = 0; e < 3; e++)
                u[part][e] = A[e] * from[3 * part] + A[3 + e] * from[3 * part + 1] + A[6 + e] * from[3 * part + 2];
            for (int e = 0; e < 3; e++)
                g[part][e] = R[3 * e] * u[part][0] + R[3 * e + 1] * u[part][1] + R[3 * e + 2] * u[part][2];
        }
        g[1][0] += r[1] * g[0][2] - r[2] * g[0][1], g[1][1] += r[2] * g[0][0] - r[0] * g[0][2],
            g[1][2] += r[0] * g[0][1] - r[1] * g[0][0];
        for (int part = 0; part < 2; part++) {
            for (int e = 0; e < 3; e++)
                u[part][e] = S[e] * g[part][0] + S[3 + e] * g[part][1] + S[6 + e] * g[part][2];
            for (int e = 0; e < 3; e++)
                to[3 * part + e] += B[3 * e] * u[part][0] + B[3 * e + 1] * u[part][1] + B[3 * e + 2] * u[part][2];
        }
    }
}

/* Rows and factors at the last sample. */
static bool at_last(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    memcpy(w->now, w->q, (size_t)w->nq * sizeof *w->q);
    memcpy(w->set, w->held, (size_t)w->driven_count * sizeof *w->set);
    rbv_linkage_rows(linkage, w);
    return rbv_linkage_factor(linkage, w);
}

RbvStatus rbv_linkage_unique(const RbvLinkage *linkage, RbvLinkageWorkspace *w, uint8_t *reactions, uint8_t *closing) {
    if (!rbv_linkage_fits(linkage, w) || !w->started)
        return RBV_BAD_ARGUMENT;
    if (!at_last(linkage, w))
        return RBV_LOCKED;
    int64_t n = 6 * (int64_t)w->bodies, m = 6 * (int64_t)w->count;
    if (reactions)
        memset(reactions, 1, (size_t)n);
    if (closing)
        memset(closing, 1, (size_t)m);
    for (int32_t k = 0; k < w->rows - w->free_count; k++) {
        rbv_linkage_null(linkage, w, k);
        memset(w->loads, 0, (size_t)n * sizeof *w->loads);
        rbv_linkage_sum(linkage, w, false);
        rbv_linkage_add_loads(linkage, w, w->loads);
        pass_inward(linkage, w);
        mark(w->loads, n, linkage->length, reactions);
        rbv_linkage_closing_reactions(linkage, w, w->closing_reactions);
        mark(w->closing_reactions, m, linkage->length, closing);
    }
    return RBV_OK;
}

RbvStatus rbv_linkage_unique_efforts(const RbvLinkage *linkage, RbvLinkageWorkspace *w, uint8_t *efforts) {
    if (!rbv_linkage_fits(linkage, w) || !w->started || !efforts)
        return RBV_BAD_ARGUMENT;
    if (!at_last(linkage, w))
        return RBV_LOCKED;
    memset(efforts, 1, (size_t)w->driven_count);
    for (int32_t n = 0; n < w->rows - w->free_count; n++) {
        rbv_linkage_null(linkage, w, n);
        memset(w->part, 0, (size_t)w->driven_count * sizeof *w->part);
        for (int32_t k = 0; k < linkage->drive_count; k++) {
            const RbvLinkageDrive *d = linkage->drive + k;
            for (int32_t row = 0; row < d->rows; row++)
                w->part[d->driven] += w->C[d->values + row] * w->lambda[d->row + row];
        }
        for (int32_t k = 0; k < linkage->coordinate_count; k++)
            w->part[linkage->coordinate[k].driven] = w->lambda[linkage->coordinate[k].row];
        for (int32_t k = 0; k < w->driven_count; k++)
            if (fabs(w->part[k]) > UNIQUE * (1 + linkage->length))
                efforts[k] = 0;
    }
    return RBV_OK;
}
