/* Public calls of mass matrix, forward dynamics, derivatives, Coriolis matrix, regressor, energies, centre of mass and
 * momentum. */
#include "arrays/kernels.h"

RbvStatus rbv_tree_mass_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                               const double *q, double *M) {
    if (!tree || !q || !M)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_MASS_MATRIX, false);
    call.in[0] = q;
    call.out[0] = M, call.out_size[0] = (int64_t)tree->nv * tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_forward(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch, const double *q,
                           const double *v, const double *tau, const double *wrenches, double *a) {
    if (!tree || !q || !v || !tau || !a)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call =
        rbv_tree_call(tree, rbv_tree_is_dense(tree) ? RBV_KERNEL_FORWARD_DENSE : RBV_KERNEL_FORWARD, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = tau, call.in[3] = wrenches;
    call.out[0] = a, call.out_size[0] = tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_derivatives(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                               const double *q, const double *v, const double *a, const double *wrenches, double *dq,
                               double *dv, double *tau) {
    if (!tree || !q || !v || !a || !dq || !dv)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_DERIVATIVES, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = a, call.in[3] = wrenches;
    call.out[0] = dq, call.out[1] = dv, call.out[2] = tau;
    call.out_size[0] = call.out_size[1] = (int64_t)tree->nv * tree->nv, call.out_size[2] = tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_coriolis_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, double *C) {
    if (!tree || !q || !v || !C)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_CORIOLIS, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = C, call.out_size[0] = (int64_t)tree->nv * tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_regressor(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                             const double *q, const double *v, const double *a, double *Y) {
    if (!tree || !q || !v || !a || !Y)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_REGRESSOR, true);
    call.in[0] = q, call.in[1] = v, call.in[2] = a;
    call.out[0] = Y, call.out_size[0] = 10 * (int64_t)tree->nv * tree->body_count;
    return rbv_tree_run(tree, workspace, batch, &call);
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
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_ENERGIES, true);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = energies, call.out_size[0] = 2;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_centre_of_mass(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                  const double *q, double *centre, double *J) {
    if (!tree || !q || !centre)
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_CENTRE_OF_MASS, false);
    call.in[0] = q;
    call.out[0] = centre, call.out[1] = J;
    call.out_size[0] = 3, call.out_size[1] = 3 * (int64_t)tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}

RbvStatus rbv_tree_momentum(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                            const double *q, const double *v, double *h, double *A) {
    if (!tree || !q || (h && !v) || (!h && !A))
        return RBV_BAD_ARGUMENT;
    RbvTreeCall call = rbv_tree_call(tree, RBV_KERNEL_MOMENTUM, false);
    call.in[0] = q, call.in[1] = v;
    call.out[0] = h, call.out[1] = A;
    call.out_size[0] = 6, call.out_size[1] = 6 * (int64_t)tree->nv;
    return rbv_tree_run(tree, workspace, batch, &call);
}
