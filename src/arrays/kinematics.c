/* Public calls of poses, Jacobians and velocities of markers; displacement of q by v; inverse kinematics. */
#include "arrays/kernels.h"
#include "core/linalg/small.h"

#include <math.h>

RbvTreeCall rbv_tree_call(const RbvTree *tree, RbvKernelName kernel, bool weights) {
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

/* A call for a marker; false: no such body. */
static bool marker_call(const RbvTree *tree, RbvKernelName kernel, int32_t body, const double *point, const double *q,
                        RbvTreeCall *call) {
    if (!tree || !q || body < -1 || body >= tree->body_count)
        return false;
    *call = rbv_tree_call(tree, kernel, false);
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
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_jacobian(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, int32_t body,
                            const double *point, const double *q, double *J) {
    RbvTreeCall call;
    if (!J || !marker_call(tree, RBV_KERNEL_JACOBIAN, body, point, q, &call))
        return RBV_BAD_ARGUMENT;
    call.out[0] = J, call.out_size[0] = 6 * (int64_t)tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
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
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_move(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q,
                        const double *v, double *moved) {
    if (!tree || !q || !v || !moved)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_MOVE, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = moved, call.out_size[0] = tree->nq;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_difference(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                              const double *from, const double *to, double *v) {
    if (!tree || !from || !to || !v)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_DIFFERENCE, false);
    call.in[0] = from, call.in[4] = to;
    call.out[0] = v, call.out_size[0] = tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}
