/* Workspaces of linkages: all memory of a thread, and of the other threads of a batch. */
#include "arrays/linkage.h"

#include <stdlib.h>
#include <string.h>

/* Set the arrays of both knots: numbers of free and driven coordinates. */
static void place_knots(RbvLinkageWorkspace *w, double *knots, size_t nfree, size_t driven) {
    for (int k = 0; k < 2; k++) {
        double *y = knots + 3 * (size_t)k * (nfree + driven), *x = y + 3 * nfree;
        w->knot[k].y = y, w->knot[k].dy = y + nfree, w->knot[k].ddy = y + 2 * nfree;
        w->knot[k].x = x, w->knot[k].v = x + driven, w->knot[k].a = x + 2 * driven;
    }
}

/* An array, and how many numbers it has. */
typedef struct LinkagePart {
    double **at;
    size_t count;
} LinkagePart;

/* One zeroed block for all arrays, to be freed; NULL: out of memory. */
static double *one_block(const LinkagePart *parts, size_t count) {
    size_t total = 0;
    for (size_t k = 0; k < count; k++)
        total += parts[k].count;
    double *block = calloc(total + 1, sizeof *block), *next = block;
    for (size_t k = 0; block && k < count; next += parts[k].count, k++)
        *parts[k].at = next;
    return block;
}

static bool allot_linkage(const RbvLinkage *l, RbvLinkageWorkspace *w) {
    size_t rows = (size_t)l->rows, driven = (size_t)l->driven_count, nfree = (size_t)l->free_count,
           nq = (size_t)l->tree->nq, nv = (size_t)l->tree->nv, bodies = (size_t)l->tree->body_count;
    size_t count = (size_t)l->count, diagonal = (size_t)l->diagonal_count, fronts = (size_t)l->front_count,
           values = (size_t)l->value_count;
    double *order, *signs, *kept_signs, *knots, *frames; /* memory for as many integers; arrays of both knots; frames */
    LinkagePart parts[] = {{&w->q, nq},
                           {&w->now, nq},
                           {&w->trial, nq},
                           {&w->begin, nq},
                           {&w->v, nv},
                           {&w->a, nv},
                           {&w->step, nv},
                           {&w->tau, nv},
                           {&w->effort_terms, nv},
                           {&w->target, driven},
                           {&w->part, driven},
                           {&w->held, driven},
                           {&w->set, driven},
                           {&w->given, 3 * driven},
                           {&w->c, rows},
                           {&w->bias, rows},
                           {&w->wrench, 6 * rows},
                           {&w->sum, 6 * count},
                           {&w->C, values},
                           {&w->kept_C, values},
                           {&w->QR, (size_t)l->QR_count},
                           {&w->diagonal, diagonal},
                           {&w->scale, diagonal},
                           {&w->y, (size_t)l->y_count},
                           {&w->right, rows},
                           {&w->x, nfree},
                           {&w->lambda, rows},
                           {&w->loads, 6 * bodies},
                           {&w->reactions, 6 * bodies},
                           {&w->closing_reactions, 6 * count},
                           {&w->sample, driven + 6 * bodies},
                           {&knots, 6 * (nfree + driven)},
                           {&order, diagonal},
                           {&signs, fronts},
                           {&kept_signs, fronts},
                           {&frames, count * (sizeof *w->frames / sizeof *frames)}};
    w->memory = one_block(parts, sizeof parts / sizeof *parts);
    if (!w->memory)
        return false;
    place_knots(w, knots, nfree, driven);
    w->order = (int32_t *)(void *)order, w->signs = (int32_t *)(void *)signs,
    w->kept_signs = (int32_t *)(void *)kept_signs;
    w->frames = (RbvLinkageFrames *)(void *)frames;
    return true;
}

/* Prepare kernel calls with now, v, a, tau. */
static void linkage_prepare(RbvLinkageWorkspace *w) {
    w->flow = (RbvTreeFlow){.call = &w->call, .in = {w->now, w->v, w->a}, .out = {w->tau}};
    for (int k = 0; k < RBV_TREE_INPUTS; k++)
        w->flow.in_step[k] = 1;
    for (int k = 0; k < RBV_TREE_OUTPUTS; k++)
        w->flow.out_step[k] = w->flow.apart[k] = 1;
}

static RbvStatus create(const RbvLinkage *l, RbvLinkageWorkspace **out) {
    RbvLinkageWorkspace *w = calloc(1, sizeof *w);
    if (!w)
        return RBV_NO_MEMORY;
    w->rows = l->rows, w->driven_count = l->driven_count, w->free_count = l->free_count, w->nq = l->tree->nq,
    w->nv = l->tree->nv, w->bodies = l->tree->body_count, w->count = l->count;
    w->threads = 1;
    RbvStatus status = rbv_tree_workspace_create(l->tree, 1, &w->tree);
    if (status == RBV_OK && !allot_linkage(l, w))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        linkage_prepare(w);
        *out = w;
    } else {
        rbv_linkage_workspace_destroy(w);
    }
    return status;
}

RbvStatus rbv_linkage_workspace_create(const RbvLinkage *l, int32_t threads, RbvLinkageWorkspace **out) {
    if (out)
        *out = NULL;
    if (!l || !out || threads < 1)
        return RBV_BAD_ARGUMENT;
    if (threads > RBV_LINKAGE_MOST_THREADS)
        threads = RBV_LINKAGE_MOST_THREADS;
    RbvLinkageWorkspace *w = NULL;
    RbvStatus status = create(l, &w);
    if (status == RBV_OK && threads > 1 && !(w->others = calloc((size_t)threads - 1, sizeof *w->others)))
        status = RBV_NO_MEMORY;
    for (; status == RBV_OK && w->threads < threads; w->threads += status == RBV_OK)
        status = create(l, w->others + w->threads - 1);
    if (status != RBV_OK) {
        rbv_linkage_workspace_destroy(w);
        return status;
    }
    *out = w;
    return RBV_OK;
}

void rbv_linkage_workspace_destroy(RbvLinkageWorkspace *w) {
    if (!w)
        return;
    for (int32_t k = 0; w->others && k < w->threads - 1; k++)
        rbv_linkage_workspace_destroy(w->others[k]);
    free(w->others);
    rbv_tree_workspace_destroy(w->tree);
    free(w->memory);
    free(w);
}

bool rbv_linkage_fits(const RbvLinkage *l, const RbvLinkageWorkspace *w) {
    return l && w && w->rows == l->rows && w->driven_count == l->driven_count && w->free_count == l->free_count &&
           w->count == l->count && rbv_tree_fits(l->tree, w->tree);
}
