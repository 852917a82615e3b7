/* The forces at one instant of a driven motion: loads, multipliers, reactions, verdicts, audit, and one row of the
 * record. Inverse dynamics solves every sample with it, an evaluation of a caller's state one sample.
 */
#ifndef RBV_ANALYSIS_ANALYSES_INSTANT_H
#define RBV_ANALYSIS_ANALYSES_INSTANT_H

#include "solution/audit/audit.h"
#include "solution/reaction/body_balance.h"
#include "solution/reaction/error.h"
#include "solution/reaction/surplus.h"
#include "solution/record/record.h"

typedef struct RbvInstant {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvForces *forces;
    RbvErrors *errors;
    RbvRecord *record;
    RbvBodyBalance *balance; /* balance of selected bodies, whose verdicts are recorded; NULL: verdicts of all */
    RbvSurplus *surplus;     /* excess of forces in a prescribed motion; NULL: drives supply the effort */
    RbvAudit audit;
    int32_t decided;         /* number of the rank decision whose verdicts are recorded; -1: none */
    RbvRequested *requested; /* the requested reactions; NULL: all */
    bool alone, partly; /* alone: the last sample was solved for the requested reactions only; partly: some sample was,
                           so that balances of bodies are unknown */
    double *rates;      /* [size of v] scratch for a virtual motion */
    double *felt;       /* [drives] inertia that drives feel; NULL: not recorded */
    bool *passing;      /* [loads] springs whose two points pass through each other, already reported */
} RbvInstant;

/* rbv_instant_create: reactions, audit and an empty record. rbv_instant_begin: the forces, once there is a motion.
 * `instant` has its system and diagnostics, and the rest zero. Statuses of rbv_forces_create. */
RbvStatus rbv_instant_create(RbvInstant *instant, const RbvOptions *options, const RbvRecordOptions *what);
RbvStatus rbv_instant_begin(RbvInstant *instant, const RbvOptions *options);
/* Parameters of the system have changed: all data made from joints and loads is made again. */
RbvStatus rbv_instant_renew(RbvInstant *instant, const RbvOptions *options);
/* Frees all members of the instant that it owns. */
void rbv_instant_destroy(RbvInstant *instant);
/* Report "at t = 0.3 s ..." as an error; returns the status. */
RbvStatus rbv_instant_fail(const RbvInstant *instant, RbvStatus status, const char *text);
/* At the motion's accepted state: forces, multipliers, reactions, verdicts and audit, recorded as a sample. Allocates
 * only where a rank was decided again, and where selected bodies are balanced. */
RbvStatus rbv_instant_solve(RbvInstant *instant);
/* Record the virtual motions of the requested reactions into the result and its scene, with notes on reactions that
 * have none: at the first state, after its forces, self-stresses and sums are recorded. False: no memory. */
bool rbv_instant_record_motions(RbvInstant *instant);
/* AUDIT_FAILED, reported, when the audit has failed. */
RbvStatus rbv_instant_decide(const RbvInstant *instant);

#endif
