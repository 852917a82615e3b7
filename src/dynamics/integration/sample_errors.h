/* Error of the forces of a sample that the tolerance of the motion itself may cause. */
#ifndef RBV_DYNAMICS_INTEGRATION_SAMPLE_ERRORS_H
#define RBV_DYNAMICS_INTEGRATION_SAMPLE_ERRORS_H

#include "dynamics/integration/flow.h"
#include "solution/reaction/error.h"

typedef struct RbvSampleErrors {
    RbvFlow *flow;
    RbvForceValues values;
    double *q, *v, *Q;       /* [positions], [n], [n] of the sample */
    double *loads;           /* [n] part of Q that comes from loads */
    RbvWrench *wrenches;     /* [bodies] of the sample */
    RbvWrench *loaded;       /* [bodies] wrenches of loads alone */
    RbvTwist *accelerations; /* [bodies] of the sample */
    double *share, *step;    /* [n] factors: share |v| is a speed relative to the size of its part; workspace */
    double *mu, *lambda;     /* [rows] multipliers that answer to the changed loads; multipliers of the sample */
} RbvSampleErrors;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_sample_errors_create(RbvSampleErrors *errors, RbvFlow *flow, const RbvReactions *reactions);
void rbv_sample_errors_destroy(RbvSampleErrors *errors);
/* Widens the errors in `reactions` by the change of its printed values when positions and velocities change by
 * `tolerance` relative to their sizes; stiff springs and strong dampers show this most. The printed values stay. The
 * flow's state is restored. False: no forces are found at the changed state; the errors are then unknown. */
bool rbv_sample_errors_widen(RbvSampleErrors *errors, RbvReactions *reactions, double tolerance);
/* Widens the errors by the part of the multipliers that the saddle point system leaves open near a singular position.
 * False: no solution. */
bool rbv_sample_errors_settle(RbvSampleErrors *errors, RbvReactions *reactions);

#endif
