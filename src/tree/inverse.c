/* The calls of inverse dynamics (inverse_kernel.h) and its parts. */
#include "tree/kernels.h"

/* A call of the recursion with the arrays q, v, a (NULL: zeros); gravity or not. */
static RbvTreeCall recursion(const RbvTree *tree, bool weights, const double *q, const double *v, const double *a, double *tau) {
    RbvTreeCall call = {.kernel = RBV_KERNEL_INVERSE, .in = {q, v, a}, .in_size = {tree->nq, tree->nv, tree->nv, 6 * (int64_t)tree->body_count}, .out = {tau}, .out_size = {tree->nv, 6 * (int64_t)tree->body_count}};
    for (int k = 0; weights && k < 3; k++)
        call.gravity[k] = tree->gravity[k];
    return call;
}

RbvStatus rbv_tree_inverse(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q, const double *v, const double *a, const double *wrenches, double *tau,
                           double *reactions) {
    if (!tree || !q || !v || !a || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = recursion(tree, true, q, v, a, tau);
    call.in[3] = wrenches;
    call.out[1] = reactions;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_gravity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q, double *tau) {
    if (!tree || !q || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = recursion(tree, true, q, NULL, NULL, tau);
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_velocity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q, const double *v, double *tau) {
    if (!tree || !q || !v || !tau)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = recursion(tree, false, q, v, NULL, tau);
    return rbv_tree_run(tree, workspace, batch, &call);
}
