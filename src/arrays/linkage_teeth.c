/* Gears, racks and belts between coordinates of the tree.
 *
 * The line of teeth is a unit wrench l fixed in a body, the carrier. Its power is
 *
 *   l . (motion of the second - motion of the first) = sum_k k_k v_k
 *
 * If the wheels turn, and the racks slide, on the carrier, the k_k are constant and the constraint is  sum_k k_k q_k =
 * phase. That the k_k are constant is checked in some positions of the tree. */
#include "arrays/linkage.h"
#include "core/base/diagnostics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSITIONS 4   /* number of positions checked; the first has all coordinates 0 */
#define CONSTANT 1e-9 /* relative to the line's size: sums of some ten products with rounding */

enum { POSE = 12, COLUMN = 24 };

void rbv_linkage_teeth_wrench(const RbvLinkageWorkspace *w, const RbvLinkageClosing *c, int which, double W[6]) {
    const double *l = c->line[which], *pose = w->tree->scratch->pose, *O = pose + 9;
    static const double ground[POSE] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const double *R = c->carrier < 0 ? ground : pose + POSE * (ptrdiff_t)c->carrier;
    const double r[3] = {R[9] - O[0], R[10] - O[1], R[11] - O[2]};
    for (int e = 0; e < 3; e++) {
        W[e] = R[3 * e] * l[0] + R[3 * e + 1] * l[1] + R[3 * e + 2] * l[2];
        W[3 + e] = R[3 * e] * l[3] + R[3 * e + 1] * l[4] + R[3 * e + 2] * l[5];
    }
    W[0] += r[1] * W[5] - r[2] * W[4], W[1] += r[2] * W[3] - r[0] * W[5], W[2] += r[0] * W[4] - r[1] * W[3];
}

double rbv_linkage_teeth_row(RbvLinkageWorkspace *w, const RbvLinkage *linkage, const RbvLinkageClosing *c) {
    const RbvLinkageBlock *b = linkage->block + (c - linkage->closing);
    double sum = -c->phase, size = fabs(c->phase);
    rbv_linkage_teeth_wrench(w, c, 0, w->wrench + 6 * (ptrdiff_t)c->row);
    for (int32_t k = 0; k < b->steps; k++) {
        const RbvLinkageStep *step = linkage->step + b->step + k;
        if (c->slope[k] == 0)
            continue;
        sum += c->slope[k] * w->now[step->q];
        size += fabs(c->slope[k] * w->now[step->q]);
    }
    w->c[c->row] = sum;
    return fabs(sum) / (linkage->length + size);
}

/* Power of a wrench of teeth for a step; *size: size of the line for this step. */
static double power(const RbvLinkage *l, const RbvLinkageWorkspace *w, const RbvLinkageStep *step, const double W[6],
                    double *size) {
    const double *s = w->tree->scratch->column + COLUMN * (ptrdiff_t)step->column;
    double sum = 0;
    *size = 0;
    for (int e = 0; e < 6; e++)
        sum += W[e] * s[e], *size += fabs(W[e] * s[e]);
    *size += l->length * (fabs(W[3]) + fabs(W[4]) + fabs(W[5]));
    *size = CONSTANT * (*size);
    return step->ratio * sum;
}

static bool say(const RbvLinkage *l, int32_t k, const char *why, RbvDiagnostics *diagnostics) {
    if (l->names)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "joint '%s': %s", l->names[k], why);
    else
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "closing %d of the linkage: %s", (int)k, why);
    return false;
}

/* Coefficients of one closing in one position. */
static bool compile_here(RbvLinkage *l, const RbvLinkageWorkspace *w, int32_t index, int position,
                         RbvDiagnostics *diagnostics) {
    RbvLinkageClosing *c = l->closing + index;
    for (int32_t k = 0; k < l->block[index].steps; k++) {
        const RbvLinkageStep *step = l->step + l->block[index].step + k;
        for (int which = 0; which < 4; which++) {
            double W[6], size;
            rbv_linkage_teeth_wrench(w, c, which, W);
            double got = power(l, w, step, W, &size);
            got = fabs(got) <= size ? 0 : got;
            if (which > 0 && got != 0)
                return say(l, index,
                           "what comes with its line, as teeth that press the wheels apart, moves the tree: bearings "
                           "of the wheels have to hold them on its carrier",
                           diagnostics);
            if (which > 0)
                continue;
            if (got != 0 && step->q < 0)
                return say(l, index,
                           "a ball turns one of its wheels: they have to turn about axes that its carrier holds",
                           diagnostics);
            if (position > 0 && fabs(got - c->slope[k]) > size)
                return say(l, index,
                           "its ratio is not constant: wheels have to turn about axes, and racks to slide along lines, "
                           "that its carrier holds",
                           diagnostics);
            if (position == 0)
                c->slope[k] = got;
        }
    }
    return true;
}

/* A pseudo-random position, the same in each run. */
static void somewhere(const RbvLinkage *l, RbvLinkageWorkspace *w, uint32_t *seed) {
    rbv_tree_neutral(l->tree, w->q);
    for (int32_t k = 0; k < w->nv; k++) {
        *seed = *seed * 1664525u + 1013904223u;
        w->v[k] = (double)(*seed >> 8) / (1 << 24) - 0.5;
    }
    rbv_tree_move(l->tree, w->tree, NULL, w->q, w->v, w->now);
}

RbvStatus rbv_linkage_teeth_compile(RbvLinkage *l, RbvDiagnostics *diagnostics) {
    RbvLinkageWorkspace *w = NULL;
    bool any = false, good = true;
    for (int32_t k = 0; k < l->count; k++)
        any = any || l->closing[k].slope;
    if (!any)
        return RBV_OK;
    RbvStatus status = rbv_linkage_workspace_create(l, 1, &w);
    if (status != RBV_OK)
        return status;
    uint32_t seed = 1;
    rbv_tree_neutral(l->tree, w->now);
    for (int position = 0; position < POSITIONS && good; position++) {
        rbv_linkage_run(l, w, RBV_KERNEL_PLACES);
        for (int32_t k = 0; k < l->count; k++)
            good = (!l->closing[k].slope || compile_here(l, w, k, position, diagnostics)) && good;
        somewhere(l, w, &seed);
    }
    rbv_linkage_workspace_destroy(w);
    return good ? RBV_OK : RBV_BAD_INPUT;
}

void rbv_linkage_teeth_mesh(RbvLinkage *l, const double *q) {
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        for (int32_t e = 0; c->slope && e < l->block[k].steps; e++)
            if (c->slope[e] != 0)
                c->phase += c->slope[e] * q[l->step[l->block[k].step + e].q];
    }
}
