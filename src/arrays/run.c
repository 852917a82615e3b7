/* Runs a kernel for one sample or many: blocks of lanes, remaining samples one by one, and shares of a batch on
 * threads. */
#include "arrays/kernels.h"

#include <threads.h>

/* Shares of threads are multiples of this number of samples: some blocks of lanes, whose numbers are in cache lines of
 * their own. */
#define SHARE 64

/* Most threads of one call. */
#define MOST_THREADS 256

/* Work of one thread: samples from..to of a batch. */
typedef struct Share {
    const RbvTree *tree;
    RbvTreeScratch *scratch;
    const RbvTreeTarget *target;
    const RbvTreeBatch *batch;
    const RbvTreeCall *call;
    int64_t from, to;
} Share;

/* Set the arrays of the samples from `at` on, and the distance between their numbers. */
static void aim(const Share *s, int64_t at, RbvTreeFlow *flow) {
    const RbvTreeCall *call = s->call;
    bool by_number = s->batch->layout == RBV_BY_NUMBER;
    for (int k = 0; k < RBV_TREE_INPUTS; k++) {
        flow->in[k] = call->in[k] ? call->in[k] + at * (by_number ? 1 : call->in_size[k]) : NULL;
        flow->in_step[k] = by_number ? s->batch->count : 1;
    }
    for (int k = 0; k < RBV_TREE_OUTPUTS; k++) {
        flow->out[k] = call->out[k] ? call->out[k] + at * (by_number ? 1 : call->out_size[k]) : NULL;
        flow->out_step[k] = by_number ? s->batch->count : 1;
        flow->apart[k] = by_number ? 1 : call->out_size[k];
    }
}

/* Velocities and accelerations that are not given are zero. */
static void zero_missing(const RbvTreeCall *call, const RbvTreeScratch *scratch, RbvTreeFlow *flow) {
    for (int k = 1; k <= 2; k++)
        if (!flow->in[k] && call->in_size[k] > 0)
            flow->in[k] = scratch->zeros, flow->in_step[k] = 0;
}

/* Transpose the inputs of a block stored by sample into lanes. */
static void gather(const Share *s, int64_t at, RbvTreeFlow *flow) {
    const RbvTreeKernels *kernels = s->target->many;
    double *to = s->scratch->block;
    for (int k = 0; k < RBV_TREE_INPUTS; k++) {
        if (!flow->in[k])
            continue;
        int64_t n = s->call->in_size[k];
        kernels->gather(flow->in[k], n, (s->batch->count - at - kernels->lanes) * n, to);
        flow->in[k] = to;
        flow->in_step[k] = kernels->lanes;
        to += n * kernels->lanes;
    }
}

static int run_share(void *share) {
    const Share *s = share;
    RbvTreeFlow flow;
    flow.call = s->call;
    int64_t at = s->from, lanes = s->target->many->lanes;
    RbvTreeKernel *many = s->target->many->kernel[s->call->kernel], *one = s->target->one->kernel[s->call->kernel];
    for (; lanes > 1 && at + lanes <= s->to; at += lanes) {
        aim(s, at, &flow);
        if (s->batch->layout == RBV_BY_SAMPLE)
            gather(s, at, &flow);
        zero_missing(s->call, s->scratch, &flow);
        many(s->tree, s->scratch, &flow);
    }
    for (; at < s->to; at++) {
        aim(s, at, &flow);
        zero_missing(s->call, s->scratch, &flow);
        one(s->tree, s->scratch, &flow);
    }
    return 0;
}

/* Run the batch in shares; the calling thread takes the first, and those for which no thread can be started. */
static void run_threads(Share whole, RbvTreeWorkspace *workspace, int32_t threads) {
    Share shares[MOST_THREADS];
    thrd_t started[MOST_THREADS];
    bool runs[MOST_THREADS];
    int64_t blocks = (whole.batch->count + SHARE - 1) / SHARE;
    if (threads > blocks)
        threads = (int32_t)blocks;
    for (int32_t k = 0; k < threads; k++) {
        shares[k] = whole;
        shares[k].scratch = workspace->scratch + k;
        shares[k].from = blocks * k / threads * SHARE;
        shares[k].to = k + 1 < threads ? blocks * (k + 1) / threads * SHARE : whole.batch->count;
        runs[k] = k > 0 && thrd_create(started + k, run_share, shares + k) == thrd_success;
    }
    for (int32_t k = 0; k < threads; k++)
        if (!runs[k])
            run_share(shares + k);
    for (int32_t k = 0; k < threads; k++)
        if (runs[k])
            thrd_join(started[k], NULL);
}

static void run_one(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeCall *call) {
    RbvTreeFlow flow; /* every member is set: clearing all first would take a tenth of the time of a small tree */
    flow.call = call;
    for (int k = 0; k < RBV_TREE_INPUTS; k++)
        flow.in[k] = call->in[k], flow.in_step[k] = 1;
    for (int k = 0; k < RBV_TREE_OUTPUTS; k++)
        flow.out[k] = call->out[k], flow.out_step[k] = 1, flow.apart[k] = 1;
    zero_missing(call, workspace->scratch, &flow);
    workspace->target->one->kernel[call->kernel](tree, workspace->scratch, &flow);
}

RbvStatus rbv_tree_run(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                       const RbvTreeCall *call) {
    if (!rbv_tree_fits(tree, workspace))
        return RBV_BAD_ARGUMENT;
    if (!batch) {
        run_one(tree, workspace, call);
        return RBV_OK;
    }
    if (batch->count < 0 || (unsigned)batch->layout > RBV_BY_NUMBER || batch->threads < 0)
        return RBV_BAD_ARGUMENT;
    Share whole = {tree, workspace->scratch, workspace->target, batch, call, 0, batch->count};
    int32_t threads = batch->threads < workspace->threads ? batch->threads : workspace->threads;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    if (threads > 1)
        run_threads(whole, workspace, threads);
    else
        run_share(&whole);
    return RBV_OK;
}
