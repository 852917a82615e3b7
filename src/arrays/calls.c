/* The public calls that compute on a tree: their arrays and sizes, given to a kernel (kernels.h) for one sample, or for
 * all samples of a batch in blocks of lanes and shares of threads. */
#include "arrays/kernels.h"

#include <threads.h>

/* --- running a kernel for one sample or many: blocks of lanes, remaining samples one by one, shares on threads --- */

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
        int64_t apart = by_number ? 1 : call->in_size[k];
        flow->in[k] = call->in[k] ? call->in[k] + at * apart : NULL;
        flow->in_step[k] = by_number ? s->batch->count : 1;
    }
    for (int k = 0; k < RBV_TREE_OUTPUTS; k++) {
        int64_t apart = by_number ? 1 : call->out_size[k];
        flow->out[k] = call->out[k] ? call->out[k] + at * apart : NULL;
        flow->out_step[k] = by_number ? s->batch->count : 1;
        flow->apart[k] = apart;
    }
}

/* Velocities and accelerations that are not given are zero. */
static void zero_missing(const RbvTreeCall *call, const RbvTreeScratch *scratch, RbvTreeFlow *flow) {
    for (int k = 1; k <= 2; k++)
        if (!flow->in[k] && call->in_size[k] > 0)
            flow->in[k] = scratch->zeros, flow->in_step[k] = 0;
}

/* Transpose the inputs of a block stored by sample into lanes. */
static void gather_lanes(const Share *s, int64_t at, RbvTreeFlow *flow) {
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
            gather_lanes(s, at, &flow);
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

static RbvStatus run_call(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
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

/* --- calls of kernels --- */

/* An empty call; `weights`: with the tree's gravity, else without. */
static RbvTreeCall empty_call(const RbvTree *tree, RbvKernelName kernel, bool weights) {
    RbvTreeCall call; /* every member is set below */
    call.kernel = kernel;
    for (int k = 0; k < RBV_TREE_INPUTS; k++)
        call.in[k] = NULL;
    call.in_size[0] = call.in_size[4] = tree->nq, call.in_size[1] = call.in_size[2] = tree->nv,
    call.in_size[3] = 6 * (int64_t)tree->body_count;
    for (int k = 0; k < RBV_TREE_OUTPUTS; k++)
        call.out[k] = NULL, call.out_size[k] = 0;
    call.body = -1;
    for (int k = 0; k < 3; k++)
        call.point[k] = 0, call.gravity[k] = weights ? tree->gravity[k] : 0;
    return call;
}

/* --- inverse dynamics (inverse_kernel.h) and its terms --- */

/* A call of the recursion with the arrays q, v, a (NULL: zeros), with or without gravity. Sets every member that is
 * read: clearing all first would take a tenth of the time of a small tree. */
static void recursion(const RbvTree *tree, bool weights, const double *q, const double *v, const double *a,
                      const double *wrenches, double *tau, double *reactions, RbvTreeCall *call) {
    int64_t of_bodies = 6 * (int64_t)tree->body_count;
    call->kernel = RBV_KERNEL_INVERSE;
    call->in[0] = q, call->in[1] = v, call->in[2] = a, call->in[3] = wrenches, call->in[4] = NULL;
    call->in_size[0] = tree->nq, call->in_size[1] = call->in_size[2] = tree->nv, call->in_size[3] = of_bodies,
    call->in_size[4] = 0;
    call->out[0] = tau, call->out[1] = reactions, call->out[2] = NULL;
    call->out_size[0] = tree->nv, call->out_size[1] = of_bodies, call->out_size[2] = 0;
    for (int k = 0; k < 3; k++)
        call->gravity[k] = weights ? tree->gravity[k] : 0;
}

RbvStatus rbv_tree_inverse(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q,
                           const double *v, const double *a, const double *wrenches, double *tau, double *reactions) {
    if (!tree || !q || !v || !a || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call;
    recursion(tree, true, q, v, a, wrenches, tau, reactions, &call);
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_gravity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                 const double *q, double *tau) {
    if (!tree || !q || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call;
    recursion(tree, true, q, NULL, NULL, NULL, tau, NULL, &call);
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_velocity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                  const double *q, const double *v, double *tau) {
    if (!tree || !q || !v || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call;
    recursion(tree, false, q, v, NULL, NULL, tau, NULL, &call);
    return run_call(tree, workspace, batch, &call);
}

/* --- mass matrix, forward dynamics, derivatives, Coriolis matrix, regressor, energies, centre of mass, momentum --- */

RbvStatus rbv_tree_mass_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                               const double *q, double *M) {
    if (!tree || !q || !M)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_MASS_MATRIX, false);
    call.in[0] = q;
    call.out[0] = M, call.out_size[0] = (int64_t)tree->nv * tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_forward(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q,
                           const double *v, const double *tau, const double *wrenches, double *a) {
    if (!tree || !q || !v || !tau || !a)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, rbv_tree_is_dense(tree) ? RBV_KERNEL_FORWARD_DENSE : RBV_KERNEL_FORWARD, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = tau, call.in[3] = wrenches;
    call.out[0] = a, call.out_size[0] = tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_derivatives(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                               const double *q, const double *v, const double *a, const double *wrenches, double *dq,
                               double *dv, double *tau) {
    if (!tree || !q || !v || !a || !dq || !dv)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_DERIVATIVES, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = a, call.in[3] = wrenches;
    call.out[0] = dq, call.out[1] = dv, call.out[2] = tau;
    call.out_size[0] = call.out_size[1] = (int64_t)tree->nv * tree->nv, call.out_size[2] = tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_coriolis_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, double *C) {
    if (!tree || !q || !v || !C)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_CORIOLIS, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = C, call.out_size[0] = (int64_t)tree->nv * tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_regressor(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                             const double *q, const double *v, const double *a, double *Y) {
    if (!tree || !q || !v || !a || !Y)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_REGRESSOR, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = a;
    call.out[0] = Y, call.out_size[0] = 10 * (int64_t)tree->nv * tree->body_count;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_parameters(const RbvTree *tree, double *x) {
    if (!tree || !x)
        return RBV_BAD_ARGUMENT;
    for (int32_t k = 0; k < tree->body_count; k++, x += 10) {
        const RbvTreeBody *b = tree->body + k;
        const double *c = b->centre, *I = b->inertia, m = b->mass;
        x[0] = m;
        for (int e = 0; e < 3; e++)
            x[1 + e] = m * c[e];
        x[4] = I[0] + m * (c[1] * c[1] + c[2] * c[2]), x[5] = I[1] + m * (c[0] * c[0] + c[2] * c[2]),
        x[6] = I[2] + m * (c[0] * c[0] + c[1] * c[1]);
        x[7] = I[3] - m * c[0] * c[1], x[8] = I[4] - m * c[0] * c[2], x[9] = I[5] - m * c[1] * c[2];
    }
    return RBV_OK;
}

RbvStatus rbv_tree_energies(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                            const double *q, const double *v, double *energies) {
    if (!tree || !q || !v || !energies)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_ENERGIES, true);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = energies, call.out_size[0] = 2;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_centre_of_mass(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                  const double *q, double *centre, double *J) {
    if (!tree || !q || !centre)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_CENTRE_OF_MASS, false);
    call.in[0] = q;
    call.out[0] = centre, call.out[1] = J;
    call.out_size[0] = 3, call.out_size[1] = 3 * (int64_t)tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_momentum(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                            const double *q, const double *v, double *h, double *A) {
    if (!tree || !q || (h && !v) || (!h && !A))
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_MOMENTUM, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = h, call.out[1] = A;
    call.out_size[0] = 6, call.out_size[1] = 6 * (int64_t)tree->nv;
    return run_call(tree, workspace, batch, &call);
}

/* --- markers; displacements of q by v --- */

/* A call for a marker; false: no such body. */
static bool marker_call(const RbvTree *tree, RbvKernelName kernel, int32_t body, const double *point, const double *q,
                        RbvTreeCall *call) {
    if (!tree || !q || body < -1 || body >= tree->body_count)
        return false;
    *call = empty_call(tree, kernel, false);
    call->in[0] = q;
    call->body = body;
    for (int k = 0; point && k < 3; k++)
        call->point[k] = point[k];
    return true;
}

RbvStatus rbv_tree_pose(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, int32_t body,
                        const double *point, const double *q, double *pose) {
    RbvTreeCall call;
    if (!pose || !marker_call(tree, RBV_KERNEL_POSE, body, point, q, &call))
        return RBV_BAD_ARGUMENT;
    call.out[0] = pose, call.out_size[0] = 7;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_jacobian(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, int32_t body,
                            const double *point, const double *q, double *J) {
    RbvTreeCall call;
    if (!J || !marker_call(tree, RBV_KERNEL_JACOBIAN, body, point, q, &call))
        return RBV_BAD_ARGUMENT;
    call.out[0] = J, call.out_size[0] = 6 * (int64_t)tree->nv;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_marker_rates(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                int32_t body, const double *point, const double *q, const double *v, double *twist,
                                double *bias) {
    RbvTreeCall call;
    if (!v || (!twist && !bias) || !marker_call(tree, RBV_KERNEL_MARKER_RATES, body, point, q, &call))
        return RBV_BAD_ARGUMENT;
    call.in[1] = v;
    call.out[0] = twist, call.out[1] = bias;
    call.out_size[0] = call.out_size[1] = 6;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_move(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q,
                        const double *v, double *moved) {
    if (!tree || !q || !v || !moved)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_MOVE, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = moved, call.out_size[0] = tree->nq;
    return run_call(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_difference(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                              const double *from, const double *to, double *v) {
    if (!tree || !from || !to || !v)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = empty_call(tree, RBV_KERNEL_DIFFERENCE, false);
    call.in[0] = from, call.in[4] = to;
    call.out[0] = v, call.out_size[0] = tree->nv;
    return run_call(tree, workspace, batch, &call);
}
