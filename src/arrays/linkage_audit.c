/* Audit of a sample by the laws of mechanics, with sums independent of its computation:
 *
 *   closings stay closed      velocities and accelerations of the second frames relative to the first, in the
 *                             constrained directions, vanish: from the motions of the bodies, summed
 *                             outward along the tree (not from the columns of C)
 *   forces balance            with the reactions of the closings as wrenches on its bodies the tree needs zero
 *                             effort at freedoms that are not driven, and the efforts found at driven ones:
 *                             summed inward, in the axes of the links (not C^T lambda in the ground's)
 *
 * Newton's method has checked that the loops are closed. The power of the efforts then equals the rate of the energy.
 */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

/* Largest error relative to the terms that cancel: the permitted contradiction of redundant velocities
 * (linkage_inverse.c); rounding is about 1e-14. */
#define LAW 1e-8

/* Part of the motion of all bodies that counts as a term for a loop carried by them: rounding relative to this part is
 * below LAW. */
#define CARRIED 1e-6

static double largest(const double *x, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = !(fabs(x[k]) <= most) ? fabs(x[k]) : most;
    return most;
}
static double larger(double a, double b) {
    return a > b ? a : b;
}
static double all_of(const double *x, int32_t count) {
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += fabs(x[k]);
    return sum;
}

/* x relative to its terms; INFINITY if not finite. */
static double beside(double x, double terms) {
    double ratio = x > 0 ? x / terms : 0;
    return isfinite(x + terms) ? ratio : INFINITY;
}

enum { COLUMN = 24, TWIST = 12 };

/* Add the accelerations a to those of the links at a = 0. */
static void add_accelerations(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    const RbvTree *tree = linkage->tree;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        double *to = w->tree->scratch->total + 6 * (ptrdiff_t)i;
        if (j->parent < 0)
            memset(to, 0, 6 * sizeof *to);
        else
            memcpy(to, w->tree->scratch->total + 6 * (ptrdiff_t)j->parent, 6 * sizeof *to);
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++) {
            const double *s = w->tree->scratch->column + COLUMN * (ptrdiff_t)(j->column + f),
                         a = (j->own ? tree->own[i].ratio : 1) * w->a[j->v + f];
            for (int e = 0; e < 6; e++)
                to[e] += s[e] * a;
        }
    }
}

/* Motion of the second link relative to the first. */
static void against(const double *motions, int stride, const int32_t link[2], double k[6]) {
    const double *one = link[0] < 0 ? NULL : motions + (ptrdiff_t)stride * link[0],
                 *two = link[1] < 0 ? NULL : motions + (ptrdiff_t)stride * link[1];
    if (!one)
        memcpy(k, two, 6 * sizeof *k);
    else
        for (int e = 0; e < 6; e++)
            k[e] = two ? two[e] - one[e] : -one[e];
}
static double dot(const double *W, const double *k) {
    return W[0] * k[0] + W[1] * k[1] + W[2] * k[2] + W[3] * k[3] + W[4] * k[4] + W[5] * k[5];
}

/* Size of the terms that cancel in a loop: velocities and accelerations of the freedoms between the bodies of a
 * closing, and the part CARRIED of all that carry them, with their squares. */
static void terms_of(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, int32_t k, double *speed,
                     double *change) {
    const RbvLinkageBlock *b = linkage->block + k;
    for (int32_t s = b->step; s < b->step + b->steps; s++)
        *speed += fabs(linkage->step[s].ratio * w->v[linkage->step[s].v]),
            *change += fabs(linkage->step[s].ratio * w->a[linkage->step[s].v]);
}

static double motion_error(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    double speed = CARRIED * all_of(w->v, w->nv), change = CARRIED * all_of(w->a, w->nv), worst = 0;
    add_accelerations(linkage, w);
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double motion[6], more[6], rate = 0, acceleration = 0, v = speed, a = change;
        against(w->tree->scratch->twist, TWIST, c->link, motion);
        against(w->tree->scratch->total, 6, c->link, more);
        terms_of(linkage, w, k, &v, &a);
        for (int32_t row = c->row; row < c->row + c->rows; row++) {
            const int32_t driven = linkage->row_driven[row];
            const double *W = w->wrench + 6 * (ptrdiff_t)row,
                         one = fabs(dot(W, motion) - (driven < 0 ? 0 : s->v[driven])),
                         two = fabs(w->bias[row] + dot(W, more) - (driven < 0 ? 0 : s->a[driven]));
            rate = !(one <= rate) ? one : rate, acceleration = !(two <= acceleration) ? two : acceleration;
        }
        worst =
            larger(worst, larger(beside(rate, (1 + c->reach) * v), beside(acceleration, (1 + c->reach) * (v * v + a))));
    }
    return worst;
}

/* Largest torque of a closing's reaction over its loop. */
static double torques(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
    double most = 0;
    for (int32_t k = 0; k < linkage->count; k++) {
        const double *N = w->sum + 6 * (ptrdiff_t)k, *f = N + 3, *r = w->frames[k].r;
        double M[3] = {N[0] - (r[1] * f[2] - r[2] * f[1]), N[1] - (r[2] * f[0] - r[0] * f[2]),
                       N[2] - (r[0] * f[1] - r[1] * f[0])};
        most = larger(most, largest(M, 3) + (1 + linkage->closing[k].reach) * largest(f, 3));
    }
    return most;
}

/* Largest force and torque that a link needs for its motion, over the loops: efforts contain centrifugal forces carried
 * by hinges only as rounding. The forces of links are computed again. */
static double force_terms(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double force = 0, torque = 0, reach = 0;
    w->flow.out[1] = NULL;
    rbv_linkage_run(linkage, w, RBV_KERNEL_FORCES);
    for (int32_t k = 0; k < linkage->count; k++)
        reach = larger(reach, linkage->closing[k].reach);
    for (int32_t i = 0; i < linkage->tree->link_count; i++) {
        force = larger(force, largest(w->tree->scratch->total + 6 * (ptrdiff_t)i, 3));
        torque = larger(torque, largest(w->tree->scratch->total + 6 * (ptrdiff_t)i + 3, 3));
    }
    return torque + reach * force;
}

/* Efforts of the tree under all wrenches minus the efforts found, relative to the efforts without the closings and the
 * wrenches of the closings; if these nearly vanish, to the forces of single links. */
static double balance_error(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *efforts) {
    for (int32_t k = 0; k < w->driven_count; k++)
        if (linkage->driven[k] < w->nv)
            w->tau[linkage->driven[k]] -= efforts[k];
    const double left = largest(w->tau, w->nv), terms = largest(w->effort_terms, w->nv) + torques(linkage, w),
                 error = beside(left, terms);
    return error <= LAW ? error : beside(left, terms + force_terms(linkage, w));
}

bool rbv_linkage_audit(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    double motion = motion_error(linkage, w, s), balance = balance_error(linkage, w, s->efforts);
    w->motion_error = motion > w->motion_error ? motion : w->motion_error;
    w->balance_error = balance > w->balance_error ? balance : w->balance_error;
    return motion <= LAW && balance <= LAW;
}
