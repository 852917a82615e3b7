/* The forces of a sample of a motion whose accelerations are known: M a + C^T lambda = Q, the choice among equally
 * right multipliers, what they push along lines of centres, verdicts and errors. What inverse dynamics prints for the
 * same q, v, a is the same. */
#ifndef RBV_DYNAMICS_SAMPLE_FORCES_H
#define RBV_DYNAMICS_SAMPLE_FORCES_H

#include "dynamics/sample_errors.h"
#include "dynamics/shares.h"
#include "dynamics/singular.h"
#include "reaction/choice.h"
#include "reaction/dependent_loads.h"
#include "reaction/error.h"
#include "solvability/solvability.h"

typedef struct RbvSampleForces {
    RbvFlow *flow;
    RbvSolvability *solvability;
    RbvSolvability
        *shared; /* of the last sample, with contacts that touch without being pressed; NULL: there were none */
    RbvChoice *choice;
    RbvShares shares; /* least norms within the limits of friction that sticks */
    bool least;       /* what is open is of least norm, unless compliances decide it */
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics;
    RbvWrench *wrenches;     /* [bodies] */
    double *before, *lambda; /* [rows] */
    RbvFrictionPhase *phase; /* [friction contacts] */
    double *Q, *x;           /* [n] */
    RbvSampleErrors errors;
    RbvSingular singular;
    RbvSingularKind kind; /* of the last sample */
    bool told[3];         /* notes about samples where reactions grow, and about those that are open */
    RbvCriterion criterion;
    RbvVec3 *places;     /* [joints] at the start: blocks are measured there, whichever rows hold later */
    const bool *holding; /* [rows] while contacts share */
    double kappa;        /* 1 / smallest singular value of the last decision */
} RbvSampleForces;

/* The flow stays the caller's. Statuses as of rbv_choice_create; to be destroyed all the same. */
RbvStatus rbv_sample_forces_create(RbvSampleForces *forces, RbvFlow *flow, const RbvOptions *options,
                                   RbvDiagnostics *diagnostics);
void rbv_sample_forces_destroy(RbvSampleForces *forces);
/* Other rows hold than before: their ranks are decided anew. NO_MEMORY. */
RbvStatus rbv_sample_forces_renew(RbvSampleForces *forces);
/* What decides on verdicts: for a question about them while rbv_sample_forces_share lets contacts share that touch
 * without being pressed. */
RbvSolvability *rbv_sample_forces_decides(const RbvSampleForces *forces);
/* Rows of the state's C are those that could share the load, or those that hold again. */
void rbv_sample_forces_share(RbvSampleForces *forces, bool share);
/* Ranks, reactions and verdicts at the state that the flow has evaluated. `tolerance`: what the motion itself may be
 * off by, of the size of each quantity. LOCKED, BAD_INPUT, NO_MEMORY: said. */
RbvStatus rbv_sample_forces_solve(RbvSampleForces *forces, double tolerance);

#endif
