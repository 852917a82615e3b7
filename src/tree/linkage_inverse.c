/* Inverse dynamics of a linkage, one sample: positions, rates, accelerations of all joints; inverse dynamics of the tree; multipliers of the closings; reactions; and the laws of mechanics on what came out
 * (linkage_audit.c). */
#include "tree/linkage.h"

#include <math.h>
#include <string.h>

#define CONSISTENT 1e-8 /* of the terms of rates that cancel: far above rounding by a matrix whose columns are told apart to 1e-10 of rows closed to 1e-12, at the edge of what is told */

/* Terms that may have cancelled in C and bias: rates, their squares, times lengths. */
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

/* x of the free numbers where those driven go with given[stride], the rows with `bias` (NULL: 0); both to all[nv]. */
static bool rates(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *given, const double *bias, double *all) {
    for (int32_t row = 0; row < w->rows; row++)
        w->right[row] = bias ? -bias[row] : 0;
    rbv_linkage_drive(linkage, w, given);
    double rest = rbv_linkage_solve(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++)
        all[linkage->driven[k]] = given[k];
    for (int32_t k = 0; k < w->free_count; k++)
        all[linkage->free[k]] = w->x[k];
    return w->rows == w->free_count || rest <= CONSISTENT * terms(linkage, w, given, bias);
}

static bool finite(const double *x, int32_t count) {
    double sum = 0; /* 0 times what is not finite is not zero */
    for (int32_t k = 0; k < count; k++)
        sum += 0 * x[k];
    return sum == 0;
}

static RbvStatus move_to(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    memcpy(w->target, s->q, (size_t)w->driven_count * sizeof *w->target);
    RbvStatus status = rbv_linkage_go(linkage, w, s->v);
    if (status != RBV_OK)
        return status;
    bool consistent = rates(linkage, w, s->v, NULL, w->v);
    if (consistent) {
        rbv_linkage_motions(linkage, w, NULL, NULL, w->bias);
        consistent = rates(linkage, w, s->a, w->bias, w->a);
    }
    if (!consistent) {
        rbv_linkage_forget(w);
        return RBV_INCONSISTENT;
    }
    if (!finite(w->v, w->nv) || !finite(w->a, w->nv)) {
        rbv_linkage_forget(w);
        return RBV_NOT_FINITE;
    }
    return RBV_OK;
}

/* Multipliers from the efforts tau of the tree, and what is left of these at the driven joints. */
static void multipliers(const RbvLinkage *linkage, RbvLinkageWorkspace *w, double *efforts) {
    for (int32_t k = 0; k < w->free_count; k++)
        w->x[k] = w->tau[linkage->free[k]];
    rbv_linkage_solve_transposed(linkage, w);
    for (int32_t k = 0; k < w->driven_count; k++)
        efforts[k] = w->tau[linkage->driven[k]];
    for (int32_t k = 0; k < linkage->block_count; k++) {
        const RbvLinkageBlock *b = linkage->block + k;
        const double *C = w->C + b->values;
        for (int32_t e = b->entry; e < b->entry + b->entries; e++, C += b->rows)
            for (int32_t row = 0; linkage->entry[e].driven >= 0 && row < b->rows; row++)
                efforts[linkage->entry[e].driven] -= C[row] * w->lambda[b->row + row];
    }
    rbv_linkage_sum(linkage, w);
}

RbvStatus rbv_linkage_one_sample(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvLinkageSample *s) {
    RbvStatus status = move_to(linkage, w, s);
    if (status != RBV_OK)
        return status;
    rbv_tree_inverse(linkage->tree, w->tree, NULL, w->q, w->v, w->a, s->wrenches, w->tau, NULL);
    multipliers(linkage, w, s->efforts);
    if (!finite(s->efforts, w->driven_count))
        return RBV_NOT_FINITE;
    if (s->closing_reactions)
        rbv_linkage_closing_reactions(linkage, w, s->closing_reactions);
    size_t size = 6 * (size_t)w->bodies * sizeof *w->loads;
    if (s->wrenches)
        memcpy(w->loads, s->wrenches, size);
    else
        memset(w->loads, 0, size);
    rbv_linkage_add_loads(linkage, w, w->loads);
    memcpy(w->effort_terms, w->tau, (size_t)w->nv * sizeof *w->tau);
    rbv_tree_inverse(linkage->tree, w->tree, NULL, w->q, w->v, w->a, w->loads, w->tau, s->reactions);
    if (!rbv_linkage_audit(linkage, w, s->efforts))
        return RBV_AUDIT_FAILED;
    rbv_linkage_remember(linkage, w, s->v, s->a);
    if (s->motion) {
        memcpy(s->motion, w->q, (size_t)w->nq * sizeof *w->q);
        memcpy(s->motion + w->nq, w->v, (size_t)w->nv * sizeof *w->v);
        memcpy(s->motion + w->nq + w->nv, w->a, (size_t)w->nv * sizeof *w->a);
    }
    return RBV_OK;
}
