/* Inverse dynamics of a linkage for one sample: positions, velocities, accelerations of all joints; inverse dynamics of
 * the tree; multipliers of the closings; reactions; audit (linkage_audit.c). */
#include "arrays/linkage.h"

#include <math.h>
#include <string.h>

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

static bool finite(const double *x, int32_t count) {
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
    return finite(w->v, w->nv) && finite(w->a, w->nv) ? RBV_OK : RBV_NOT_FINITE;
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
    rbv_linkage_sum(linkage, w, true);
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
    rbv_linkage_load_links(linkage, w);
    memcpy(w->effort_terms, w->tau, (size_t)w->nv * sizeof *w->tau);
    run(linkage, w, RBV_KERNEL_REACTIONS, wrenches, s->reactions);
    return rbv_linkage_audit(linkage, w, s) ? RBV_OK : RBV_AUDIT_FAILED;
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
    rbv_linkage_add_loads(linkage, w, w->loads);
    return w->loads;
}

RbvStatus rbv_linkage_one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    RbvStatus status = move_to(linkage, w, s);
    if (status != RBV_OK)
        return status;
    const double *wrenches = loads_of(linkage, w, s);
    run(linkage, w, RBV_KERNEL_FORCES, wrenches, NULL);
    multipliers(linkage, w, s);
    if (!finite(s->efforts, w->driven_count))
        return RBV_NOT_FINITE;
    if (!rbv_linkage_spins_idle(linkage, w))
        return RBV_INCONSISTENT;
    if (s->closing_reactions)
        rbv_linkage_closing_reactions(linkage, w, s->closing_reactions);
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
