/* Many samples of a linkage: one after the other, or in shares on several threads.
 *
 * A share begins where the previous share ends. To avoid waiting, the workspace of each thread first moves to its
 * beginning from the beginning of the previous share, in steps as long as the branch allows (linkage_go.c). When all
 * shares are done, the end of the previous share is compared with this beginning. If they differ (with several driven
 * coordinates another path may lead to another branch) the share is computed again. */
#include "arrays/linkage.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>
#include <threads.h>

/* Fewest samples for which a thread pays off. */
#define LEAST_SHARE 64

/* Numbers of one sample in an array of all samples, stored by number or by sample. */
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

/* Samples from..to of a batch, on one thread. */
typedef struct LinkageShare {
    const RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    RbvLinkageSample all;
    int64_t count, from, to; /* to: afterwards the index where the share ended */
    bool by_number;
    RbvStatus status;
} LinkageShare;

/* Numbers per sample of the outputs: efforts, reactions, reactions of closings, motion. */
static void sizes_of(const RbvLinkageWorkspace *w, int64_t sizes[4]) {
    sizes[0] = w->driven_count, sizes[1] = 6 * (int64_t)w->bodies, sizes[2] = 6 * (int64_t)w->count,
    sizes[3] = w->nq + 2 * (int64_t)w->nv;
}

/* Set all outputs of the samples from `at` on to NaN. */
static void blank(const LinkageShare *s, int64_t at) {
    double *out[4] = {s->all.efforts, s->all.reactions, s->all.closing_reactions, s->all.motion};
    int64_t sizes[4];
    sizes_of(s->w, sizes);
    for (int k = 0; k < 4; k++)
        for (int64_t e = at; out[k] && e < s->count; e++)
            store(&(Column){s->count, e, sizes[k], s->by_number}, NULL, out[k]);
}

/* Compute one sample of a batch stored by number, through the workspace. */
static RbvStatus scattered(const LinkageShare *share, int64_t at) {
    RbvLinkageWorkspace *w = share->w;
    const RbvLinkageSample *all = &share->all;
    int64_t n = w->driven_count, count = share->count, sizes[4];
    sizes_of(w, sizes);
    Column c = {count, at, n, true}, loads = {count, at, sizes[1], true};
    fetch(&c, all->q, w->given);
    fetch(&c, all->v, w->given + n);
    fetch(&c, all->a, w->given + 2 * n);
    RbvLinkageSample s = {w->given,
                          w->given + n,
                          w->given + 2 * n,
                          all->wrenches ? w->sample + n : NULL,
                          w->sample,
                          all->reactions ? w->reactions : NULL,
                          all->closing_reactions ? w->closing_reactions : NULL,
                          NULL};
    if (all->wrenches)
        fetch(&loads, all->wrenches, w->sample + n);
    RbvStatus status = rbv_linkage_one_sample(share->linkage, w, &s);
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

static double *offset_array(double *array, int64_t step) {
    return array ? array + step : NULL;
}
static RbvStatus in_place(const LinkageShare *share, const int64_t sizes[4], int64_t at) {
    const RbvLinkageSample *all = &share->all;
    int64_t n = sizes[0];
    RbvLinkageSample s = {all->q + at * n,
                          all->v + at * n,
                          all->a + at * n,
                          all->wrenches ? all->wrenches + at * sizes[1] : NULL,
                          offset_array(all->efforts, at * n),
                          offset_array(all->reactions, at * sizes[1]),
                          offset_array(all->closing_reactions, at * sizes[2]),
                          offset_array(all->motion, at * sizes[3])};
    return rbv_linkage_one_sample(share->linkage, share->w, &s);
}

static int run_linkage_share(void *pointer) {
    LinkageShare *s = pointer;
    int64_t at = s->from, sizes[4];
    sizes_of(s->w, sizes);
    s->status = RBV_OK;
    s->w->iterations = 0;
    s->w->gap = s->w->motion_error = s->w->balance_error = 0;
    for (; at < s->to && s->status == RBV_OK; at += s->status == RBV_OK)
        s->status = s->by_number ? scattered(s, at) : in_place(s, sizes, at);
    s->to = at;
    if (s->status != RBV_OK)
        rbv_linkage_forget(s->w);
    return 0;
}

/* Move the workspaces of the shares to their beginnings. Returns the number of shares: fewer if a beginning cannot be
 * reached. */
static int32_t go_ahead(LinkageShare *shares, int32_t count) {
    for (int32_t k = 1; k < count; k++) {
        RbvLinkageWorkspace *w = shares[k].w;
        Column c = {shares->count, shares[k].from - 1, w->driven_count, shares->by_number};
        rbv_linkage_adopt(shares->linkage, w, shares[k - 1].w);
        fetch(&c, shares->all.q, w->target);
        if (rbv_linkage_go(shares->linkage, w, w->knot[0].v, w->knot[0].a) != RBV_OK)
            return k;
        memcpy(w->knot[0].x, w->target, (size_t)w->driven_count * sizeof *w->target);
        memcpy(w->begin, w->q, (size_t)w->nq * sizeof *w->q);
    }
    return count;
}

static bool same_place(const RbvLinkage *linkage, const RbvLinkageWorkspace *one, const RbvLinkageWorkspace *two) {
    /* Difference of two paths to the same position, relative to the length: loops are closed to 1e-12, which nearly
     * free freedoms amplify a thousand times. */
    double most = RBV_SAME * fmax(1, linkage->length);
    for (int32_t k = 0; k < one->nq; k++)
        if (!(fabs(one->q[k] - two->begin[k]) <= most))
            return false;
    return true;
}

/* Check the shares in their order; those with a wrong beginning are computed again. Returns the last valid share. */
static LinkageShare *settle(LinkageShare *shares, int32_t count) {
    for (int32_t k = 0; k + 1 < count; k++) {
        LinkageShare *next = shares + k + 1;
        if (shares[k].status != RBV_OK)
            return shares + k;
        if (same_place(shares->linkage, shares[k].w, next->w))
            continue;
        rbv_linkage_adopt(shares->linkage, next->w, shares[k].w);
        next->to = k + 2 < count ? shares[k + 2].from : shares->count;
        run_linkage_share(next);
    }
    return shares + count - 1;
}

static LinkageShare *run_linkage_threads(LinkageShare *shares, int32_t count) {
    thrd_t started[RBV_LINKAGE_MOST_THREADS];
    bool runs[RBV_LINKAGE_MOST_THREADS];
    int64_t blocks = shares->count / LEAST_SHARE;
    if (count > blocks)
        count = (int32_t)blocks;
    RbvLinkageWorkspace *w = shares->w;
    for (int32_t k = 0; k < count; k++) {
        shares[k] = *shares;
        shares[k].w = k == 0 ? w : w->others[k - 1];
        shares[k].from = shares->count * k / count;
        shares[k].to = shares->count * (k + 1) / count;
    }
    count = go_ahead(shares, count);
    shares[count - 1].to = shares->count;
    for (int32_t k = 0; k < count; k++)
        runs[k] = k > 0 && thrd_create(started + k, run_linkage_share, shares + k) == thrd_success;
    for (int32_t k = 0; k < count; k++)
        if (!runs[k])
            run_linkage_share(shares + k);
    for (int32_t k = 0; k < count; k++)
        if (runs[k])
            thrd_join(started[k], NULL);
    return settle(shares, count);
}

RbvStatus rbv_linkage_inverse(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const RbvTreeBatch *batch,
                              const double *q, const double *v, const double *a, const double *wrenches,
                              double *efforts, double *reactions, double *closing, double *motion,
                              RbvLinkageReport *report) {
    if (!rbv_linkage_fits(linkage, w) || !w->started || !q || !v || !a || !efforts ||
        (batch && (batch->count < 0 || batch->threads < 0 || (unsigned)batch->layout > RBV_BY_NUMBER)))
        return RBV_BAD_ARGUMENT;
    LinkageShare shares[RBV_LINKAGE_MOST_THREADS], *last = shares;
    int64_t count = batch ? batch->count : 1;
    int32_t threads = batch ? batch->threads : 1;
    if (threads > w->threads)
        threads = w->threads;
    shares[0] = (LinkageShare){linkage,
                               w,
                               {q, v, a, wrenches, efforts, reactions, closing, motion},
                               count,
                               0,
                               count,
                               batch && batch->layout == RBV_BY_NUMBER,
                               RBV_OK};
    if (threads > 1 && count >= 2 * LEAST_SHARE)
        last = run_linkage_threads(shares, threads);
    else
        run_linkage_share(shares);
    if (last->status != RBV_OK)
        blank(last, last->to);
    RbvLinkageReport all = {.samples = last->to};
    for (LinkageShare *s = shares; s <= last; s++) {
        all.iterations += s->w->iterations;
        all.gap = rbv_larger(all.gap, s->w->gap), all.motion = rbv_larger(all.motion, s->w->motion_error),
        all.balance = rbv_larger(all.balance, s->w->balance_error);
    }
    if (last != shares)
        rbv_linkage_adopt(linkage, w, last->w);
    if (report)
        *report = all;
    return last->status;
}
