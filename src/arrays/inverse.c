/* Public calls of inverse dynamics (inverse_kernel.h) and its terms. */
#include "arrays/kernels.h"

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
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_gravity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                 const double *q, double *tau) {
    if (!tree || !q || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call;
    recursion(tree, true, q, NULL, NULL, NULL, tau, NULL, &call);
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_velocity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                  const double *q, const double *v, double *tau) {
    if (!tree || !q || !v || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call;
    recursion(tree, false, q, v, NULL, NULL, tau, NULL, &call);
    return rbv_tree_run(tree, workspace, batch, &call);
}
