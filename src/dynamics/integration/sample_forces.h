/* Forces of a sample of a motion whose accelerations are known: solves M a + C^T lambda = Q, chooses among equally
 * valid multipliers, adds the forces along lines of centres (gears and belts), decides verdicts and errors. Inverse
 * dynamics gives the same results for the same q, v, a. */
#ifndef RBV_DYNAMICS_INTEGRATION_SAMPLE_FORCES_H
#define RBV_DYNAMICS_INTEGRATION_SAMPLE_FORCES_H

#include "dynamics/contact/shares.h"
#include "dynamics/integration/flow.h"
#include "dynamics/integration/singular.h"
#include "solution/reaction/choice.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/error.h"
#include "solution/solvability/solvability.h"

/* Errors of forces from those of positions and velocities (sample_forces.c). */
typedef struct RbvSampleErrors {
    RbvArena arena; /* owns the arrays */
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

typedef struct RbvSampleForces {
    RbvArena arena; /* owns the arrays */
    RbvFlow *flow;
    RbvSolvability *solvability;
    RbvSolvability
        *shared; /* ranks of the last sample including contacts that touch without load; NULL: there were none */
    RbvChoice *choice;
    RbvShares shares; /* least-norm multipliers within the limits of sticking friction */
    bool least;       /* true: open multipliers are of least norm, unless compliances decide them */
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics;
    RbvWrench *wrenches;     /* [bodies] workspace */
    double *before, *lambda; /* [rows] multipliers of the pass before; multipliers */
    RbvFrictionPhase *phase; /* [friction contacts] phase of each */
    double *Q, *x;           /* [n] workspace */
    RbvSampleErrors errors;
    RbvSingular singular;
    RbvSingularKind kind; /* kind of the last sample */
    bool noted[3];        /* notes already reported: growing reactions, branching motions, loaded singular positions */
    RbvCriterion criterion;
    RbvVec3 *places;     /* [joints] initial places of joints: blocks are measured there, whichever rows act later */
    const bool *holding; /* [rows] active rows, kept while contacts without load are added */
    double kappa;        /* 1 / smallest singular value of the last decision */
} RbvSampleForces;

/* The flow stays the caller's. Statuses as of rbv_choice_create, or NO_MEMORY; the object must be destroyed in any
 * case. */
RbvStatus rbv_sample_forces_create(RbvSampleForces *forces, RbvFlow *flow, const RbvOptions *options,
                                   RbvDiagnostics *diagnostics);
void rbv_sample_forces_destroy(RbvSampleForces *forces);
/* To be called when other rows become active: ranks are decided anew. Status NO_MEMORY if out of memory. */
RbvStatus rbv_sample_forces_renew(RbvSampleForces *forces);
/* Returns the ranks that decide verdicts. Queries about verdicts are valid while rbv_sample_forces_share has added the
 * contacts that touch without load. */
RbvSolvability *rbv_sample_forces_decides(const RbvSampleForces *forces);
/* Sets the active rows of the state to those that could share the load (share), or back to the rows that act (!share).
 */
void rbv_sample_forces_share(RbvSampleForces *forces, bool share);
/* Finds ranks, reactions and verdicts at the state that the flow has evaluated. `tolerance`: possible error of the
 * motion, relative to the size of each quantity. INCONSISTENT, BAD_INPUT: reported. LOCKED: no solution, or tooth
 * forces do not settle (only the latter is reported here). NO_MEMORY. */
RbvStatus rbv_sample_forces_solve(RbvSampleForces *forces, double tolerance);

#endif
