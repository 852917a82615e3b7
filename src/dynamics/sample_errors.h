/* What the motion's own tolerance may have moved the forces of a sample by. */
#ifndef RBV_DYNAMICS_SAMPLE_ERRORS_H
#define RBV_DYNAMICS_SAMPLE_ERRORS_H

#include "dynamics/flow.h"
#include "reaction/error.h"

typedef struct RbvSampleErrors {
    RbvFlow *flow;
    RbvForceValues values;
    double *q, *v, *Q;       /* [positions], [n], [n] of the sample */
    double *loads;           /* [n] what of Q is loads */
    RbvWrench *wrenches;     /* [bodies] of the sample */
    RbvWrench *loaded;       /* [bodies] of loads alone */
    RbvTwist *accelerations; /* [bodies] of the sample */
    double *share, *step;    /* [n] what one of each number of v is worth as a share of its part; scratch */
    double *mu, *lambda;     /* [rows] what rows answer with; those of the sample */
} RbvSampleErrors;

/* False: no memory; to be destroyed all the same. */
bool rbv_sample_errors_create(RbvSampleErrors *errors, RbvFlow *flow, const RbvReactions *reactions);
void rbv_sample_errors_destroy(RbvSampleErrors *errors);
/* Widen the errors in `reactions`, whose values are printed and stay, by what changes when positions and rates are
 * off by `tolerance` of the size of each: stiff springs and strong dampers show it most. The flow's state is as it
 * was. False: no forces are found beside it; then nothing is known. */
bool rbv_sample_errors_widen(RbvSampleErrors *errors, RbvReactions *reactions, double tolerance);
/* And by what the saddle point system has left open near a singular position. False: no solution. */
bool rbv_sample_errors_settle(RbvSampleErrors *errors, RbvReactions *reactions);

#endif
