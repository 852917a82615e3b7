/* Analyses: one question each to a compiled system, answered by a result. */
#ifndef ROBERVAL_ANALYSIS_H
#define ROBERVAL_ANALYSIS_H

#include <roberval/result.h>
#include <roberval/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbvFrame {
    RBV_FRAME_JOINT, /* reactions in the axes of the joint's first marker */
    RBV_FRAME_GROUND
} RbvFrame;

typedef enum RbvInverseMethod {
    RBV_METHOD_TWO_STEP, /* C v' = gamma, then C^T lambda = Q - M v' (R003-07) */
    RBV_METHOD_LAGRANGE  /* [M C^T; C 0] [v'; lambda] = [Q; gamma] in one (R003-08) */
} RbvInverseMethod;

typedef struct RbvOptions {
    RbvFrame frame;
    RbvInverseMethod method;
    double from, to, step; /* [s] NaN: as the model says */
    /* Called now and then with the share done, 0 to 1; returning false stops the analysis with RBV_INTERRUPTED. May be NULL. */
    bool (*progress)(void *context, double share);
    void *context;
} RbvOptions;
RBV_API RbvOptions rbv_options_default(void);

/* Each returns RBV_OK and a new *result; on other statuses *result is NULL, or, when samples were done before it went wrong (LOCKED,
 * INCONSISTENT, NOT_FINITE, INTERRUPTED), holds them. The reason stands in diagnostics. The system is not changed; analyses of one system may
 * run on several threads. `options` NULL: the defaults. */

/* Mobility, redundancy and the verdict of every reaction at the assembled state at `from`. */
RBV_API RbvStatus rbv_check(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* Positions, velocities and accelerations along the motion; needs no masses. */
RBV_API RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                 RbvResult **result);
/* Drive efforts and reactions along the motion. AUDIT_FAILED: the numbers did not satisfy the laws of mechanics. */
RBV_API RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);

#ifdef __cplusplus
}
#endif
#endif
