/* Inverse dynamics of a linkage for one sample: positions, velocities, accelerations of all joints; inverse dynamics of
 * the tree; multipliers of the closings; reactions, and which of them are unique; audit. */
#include "arrays/linkage.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

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

static double larger_or_nan(double most, double x) {
    return !(x <= most) ? x : most;
}
static double largest(const double *x, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = larger_or_nan(most, fabs(x[k]));
    return most;
}
static double all_of(const double *x, int32_t count) {
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += fabs(x[k]);
    return sum;
}

/* x relative to its terms; INFINITY if not finite. */
static double relative_error(double x, double terms) {
    double ratio = x > 0 ? x / terms : 0;
    return isfinite(x + terms) ? ratio : INFINITY;
}

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
            const double *s = w->tree->scratch->column + RBV_COLUMN_SIZE * (ptrdiff_t)(j->column + f),
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
static double wrench_power(const double *W, const double *k) {
    return W[0] * k[0] + W[1] * k[1] + W[2] * k[2] + W[3] * k[3] + W[4] * k[4] + W[5] * k[5];
}

/* Size of the terms that cancel in a loop: velocities and accelerations of the freedoms between the bodies of a
 * closing, and the part RBV_FITS of all that carry them, with their squares. */
static void terms_of(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, int32_t k, double *speed,
                     double *change) {
    const RbvLinkageBlock *b = linkage->block + k;
    for (int32_t s = b->step; s < b->step + b->steps; s++)
        *speed += fabs(linkage->step[s].ratio * w->v[linkage->step[s].v]),
            *change += fabs(linkage->step[s].ratio * w->a[linkage->step[s].v]);
}

static double motion_error(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    /* Part of the motion of all bodies that counts as a term for a loop carried by them: rounding relative to this part
     * is below RBV_ROOT_EPS. */
    double speed = RBV_FITS * all_of(w->v, w->nv), change = RBV_FITS * all_of(w->a, w->nv), worst = 0;
    add_accelerations(linkage, w);
    for (int32_t k = 0; k < linkage->count; k++) {
        const RbvLinkageClosing *c = linkage->closing + k;
        double motion[6], more[6], rate = 0, acceleration = 0, v = speed, a = change;
        against(w->tree->scratch->twist, RBV_TWIST_SIZE, c->link, motion);
        against(w->tree->scratch->total, 6, c->link, more);
        terms_of(linkage, w, k, &v, &a);
        for (int32_t row = c->row; row < c->row + c->rows; row++) {
            const int32_t driven = linkage->row_driven[row];
            const double *W = w->wrench + 6 * (ptrdiff_t)row,
                         one = fabs(wrench_power(W, motion) - (driven < 0 ? 0 : s->v[driven])),
                         two = fabs(w->bias[row] + wrench_power(W, more) - (driven < 0 ? 0 : s->a[driven]));
            rate = larger_or_nan(rate, one), acceleration = larger_or_nan(acceleration, two);
        }
        worst = rbv_larger(worst, rbv_larger(relative_error(rate, (1 + c->reach) * v),
                                             relative_error(acceleration, (1 + c->reach) * (v * v + a))));
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
        most = rbv_larger(most, largest(M, 3) + (1 + linkage->closing[k].reach) * largest(f, 3));
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
        reach = rbv_larger(reach, linkage->closing[k].reach);
    for (int32_t i = 0; i < linkage->tree->link_count; i++) {
        force = rbv_larger(force, largest(w->tree->scratch->total + 6 * (ptrdiff_t)i, 3));
        torque = rbv_larger(torque, largest(w->tree->scratch->total + 6 * (ptrdiff_t)i + 3, 3));
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
                 error = relative_error(left, terms);
    /* Largest error relative to the terms that cancel: the permitted contradiction of redundant velocities
     * (CONSISTENT); rounding is about 1e-14. */
    return error <= RBV_ROOT_EPS ? error : relative_error(left, terms + force_terms(linkage, w));
}

/* Verify the laws of mechanics for the sample computed last; tau holds the efforts of the tree under all wrenches
 * (after REACTIONS) and is overwritten. */
static bool linkage_audit(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    double motion = motion_error(linkage, w, s), balance = balance_error(linkage, w, s->efforts);
    w->motion_error = motion > w->motion_error ? motion : w->motion_error;
    w->balance_error = balance > w->balance_error ? balance : w->balance_error;
    return motion <= RBV_ROOT_EPS && balance <= RBV_ROOT_EPS;
}

/* Reactions of closings: their wrenches, the loads on the bodies of the tree, and which reactions are unique. */

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

/* Compute the wrenches of the closings (moment about O, force) from lambda, with the side forces of teeth, into sum;
 * `real` adds the parts independent of lambda. */
static void linkage_sum(const RbvLinkage *linkage, RbvLinkageWorkspace *w, bool real) {
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
    const double *O = w->tree->scratch->pose + 9,
                 *R = w->tree->scratch->pose + RBV_POSE_SIZE * (ptrdiff_t)c->link[side], sign = side ? 1 : -1;
    double f[3] = {sign * sum[3], sign * sum[4], sign * sum[5]}, r[3] = {R[9] - O[0], R[10] - O[1], R[11] - O[2]};
    double N[3] = {sign * sum[0] - (r[1] * f[2] - r[2] * f[1]), sign * sum[1] - (r[2] * f[0] - r[0] * f[2]),
                   sign * sum[2] - (r[0] * f[1] - r[1] * f[0])};
    for (int e = 0; e < 3; e++) {
        F[e] = R[e] * f[0] + R[3 + e] * f[1] + R[6 + e] * f[2];
        F[3 + e] = R[e] * N[0] + R[3 + e] * N[1] + R[6 + e] * N[2];
    }
}

/* Add the wrenches of the closings to loads[bodies][6], along the body's axes about its origin. */
static void linkage_add_loads(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *loads) {
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

/* Subtract the wrenches of the closings from the forces that links need (scratch->total, after FORCES). */
static void linkage_load_links(const RbvLinkage *linkage, const RbvLinkageWorkspace *w) {
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

/* Write the wrenches of the closings to out[count][6], along the axes of the first frames about the origins of the
 * second. */
static void linkage_closing_reactions(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, double *out) {
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
    /* Relative to a unit vector of multipliers: a smaller contribution to a reaction is rounding. */
    for (int64_t k = 0; unique && k < count; k++)
        if (fabs(x[k]) > RBV_SAME * (k % 6 < 3 ? 1 : 1 + length))
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
        const double *R = pose + RBV_POSE_SIZE * (ptrdiff_t)tree->last[k],
                     *S = pose + RBV_POSE_SIZE * (ptrdiff_t)tree->last[up], *A = tree->axes[k], *B = tree->axes[up];
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
        linkage_sum(linkage, w, false);
        linkage_add_loads(linkage, w, w->loads);
        pass_inward(linkage, w);
        mark(w->loads, n, linkage->length, reactions);
        linkage_closing_reactions(linkage, w, w->closing_reactions);
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
            if (fabs(w->part[k]) > RBV_SAME * (1 + linkage->length))
                efforts[k] = 0;
    }
    return RBV_OK;
}

#define CONSISTENT                                                                                                     \
    1e-8 /* contradiction of velocities relative to the terms that cancel: far above rounding by a matrix whose        \
            columns are independent to 1e-10 with rows closed to 1e-12, at the limit of independence */

/* Size of the terms that may cancel in C and bias: velocities, their squares, times lengths. */
static double terms(const RbvLinkage *linkage, const RbvLinkageWorkspace *w, const double *given, const double *bias) {
    double size = 1 + linkage->length, speed = 0, most = 0;
    for (int32_t k = 0; bias && k < w->nv; k++)
        speed += fabs(w->v[k]);
    for (int32_t row = 0; bias && row < w->rows; row++)
        most += fabs(bias[row]);
    for (int32_t k = 0; k < w->driven_count; k++)
        most += 2 * size * fabs(given[k]);
    return most + size * speed * speed;
}

/* x of the free coordinates for driven ones with given[stride] and rows with `bias` (NULL: 0); both to all[nv]. */
static bool rates(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *given, const double *bias,
                  double *all) {
    for (int32_t row = 0; row < w->rows; row++)
        w->right[row] = bias ? -bias[row] : 0;
    rbv_linkage_drive(linkage, w, given);
    double rest = rbv_linkage_solve(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++)
        if (linkage->driven[k] < w->nv)
            all[linkage->driven[k]] = given[k];
    for (int32_t k = 0; k < w->free_count; k++)
        all[linkage->free[k]] = w->x[k];
    return w->rows == w->free_count || rest <= CONSISTENT * terms(linkage, w, given, bias);
}

static bool all_numbers_finite(const double *x, int32_t count) {
    double sum = 0; /* 0 times a number that is not finite is not zero */
    for (int32_t k = 0; k < count; k++)
        sum += 0 * x[k];
    return sum == 0;
}

static RbvStatus move_to(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    memcpy(w->target, s->q, (size_t)w->driven_count * sizeof *w->target);
    RbvStatus status = rbv_linkage_go(linkage, w, s->v, s->a);
    if (status != RBV_OK)
        return status;
    bool consistent = rates(linkage, w, s->v, NULL, w->v);
    if (consistent) {
        rbv_linkage_bias(linkage, w);
        consistent = rates(linkage, w, s->a, w->bias, w->a);
    }
    if (!consistent)
        return RBV_INCONSISTENT;
    return all_numbers_finite(w->v, w->nv) && all_numbers_finite(w->a, w->nv) ? RBV_OK : RBV_NOT_FINITE;
}

/* Multipliers from the efforts tau of the tree, and the remaining efforts at the driven joints. For a driven coordinate
 * of a closing the multiplier of its row moves the bodies; damper and rotor are between the row and the drive. */
static void multipliers(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    double *efforts = s->efforts;
    for (int32_t k = 0; k < w->free_count; k++)
        w->x[k] = w->tau[linkage->free[k]];
    rbv_linkage_solve_transposed(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++)
        efforts[k] = linkage->driven[k] < w->nv ? w->tau[linkage->driven[k]] : 0;
    for (const RbvLinkageDrive *d = linkage->drive, *end = d + linkage->drive_count; d < end; d++) {
        const double *C = w->C + d->values, *lambda = w->lambda + d->row;
        double sum = 0;
        for (int32_t row = 0; row < d->rows; row++)
            sum += C[row] * lambda[row];
        efforts[d->driven] -= sum;
    }
    for (const RbvLinkageCoordinate *c = linkage->coordinate, *end = c + linkage->coordinate_count; c < end; c++)
        efforts[c->driven] = w->lambda[c->row] + c->damping * s->v[c->driven] + c->rotor * s->a[c->driven];
    linkage_sum(linkage, w, true);
}

/* Efforts of the tree under wrenches (NULL: none), to tau. Kernel FORCES, or REACTIONS after it, which also gives
 * reactions (NULL: not requested). */
static void run(const RbvLinkage *linkage, RbvLinkageWorkspace *w, RbvKernelName kernel, const double *wrenches,
                double *reactions) {
    memcpy(w->call.gravity, linkage->tree->gravity, sizeof w->call.gravity);
    w->flow.in[2] = w->a, w->flow.in_step[2] = 1;
    w->flow.in[3] = wrenches, w->flow.out[1] = reactions;
    rbv_linkage_run(linkage, w, kernel);
}

/* Reactions of the tree with the closings' reactions on the links, and the audit. */
static RbvStatus react(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s,
                       const double *wrenches) {
    linkage_load_links(linkage, w);
    memcpy(w->effort_terms, w->tau, (size_t)w->nv * sizeof *w->tau);
    run(linkage, w, RBV_KERNEL_REACTIONS, wrenches, s->reactions);
    return linkage_audit(linkage, w, s) ? RBV_OK : RBV_AUDIT_FAILED;
}

/* Wrenches on the bodies besides the reactions of closings: the caller's, and those of dampers of closings. NULL: none.
 */
static const double *loads_of(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    const size_t size = 6 * (size_t)w->bodies * sizeof *w->loads;
    if (!linkage->damped)
        return s->wrenches;
    if (s->wrenches)
        memcpy(w->loads, s->wrenches, size);
    else
        memset(w->loads, 0, size);
    rbv_linkage_damp(linkage, w);
    linkage_add_loads(linkage, w, w->loads);
    return w->loads;
}

RbvStatus rbv_linkage_one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    RbvStatus status = move_to(linkage, w, s);
    if (status != RBV_OK)
        return status;
    const double *wrenches = loads_of(linkage, w, s);
    run(linkage, w, RBV_KERNEL_FORCES, wrenches, NULL);
    multipliers(linkage, w, s);
    if (!all_numbers_finite(s->efforts, w->driven_count))
        return RBV_NOT_FINITE;
    if (!rbv_linkage_spins_idle(linkage, w))
        return RBV_INCONSISTENT;
    if (s->closing_reactions)
        linkage_closing_reactions(linkage, w, s->closing_reactions);
    status = react(linkage, w, s, wrenches);
    if (status != RBV_OK)
        return status;
    rbv_linkage_remember(linkage, w, s->v, s->a);
    if (s->motion) {
        memcpy(s->motion, w->q, (size_t)w->nq * sizeof *w->q);
        memcpy(s->motion + w->nq, w->v, (size_t)w->nv * sizeof *w->v);
        memcpy(s->motion + w->nq + w->nv, w->a, (size_t)w->nv * sizeof *w->a);
    }
    return RBV_OK;
}
