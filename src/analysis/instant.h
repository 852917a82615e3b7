/* The forces at one instant of a driven motion: loads, multipliers, reactions, verdicts, audit, and a row of the
 * record. Inverse dynamics asks for it at every sample, a caller's state once. */
#ifndef RBV_ANALYSIS_INSTANT_H
#define RBV_ANALYSIS_INSTANT_H

#include "audit/audit.h"
#include "reaction/body_balance.h"
#include "reaction/error.h"
#include "reaction/surplus.h"
#include "record/record.h"

typedef struct RbvInstant {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvForces *forces;
    RbvErrors *errors;
    RbvRecord *record;
    RbvBodyBalance *balance; /* verdicts are those of some bodies; NULL: of all */
    RbvSurplus
        *surplus; /* of a motion that is given: what forces have too much of; NULL: drives bring what they lack */
    RbvAudit audit;
    int32_t judged;          /* rank decisions whose verdicts are recorded; -1: none */
    RbvRequested *requested; /* the reactions asked for; NULL: all */
    bool alone, partly; /* the last sample was solved for those alone; some sample was, so that the bodies' balances are
                           not known */
    double *rates;      /* [size of v] room for a virtual motion */
    bool *passing;      /* [loads] springs of which it has been said that their points pass through each other */
} RbvInstant;

/* Reactions, audit and an empty record; then, once there is a motion, its forces. `instant` has its system and
 * diagnostics, and the rest zero. Statuses of rbv_forces_create. */
RbvStatus rbv_instant_create(RbvInstant *instant, const RbvOptions *options, const RbvRecordOptions *what);
RbvStatus rbv_instant_begin(RbvInstant *instant, const RbvOptions *options);
/* The system has other numbers: all of it that is made from joints and loads, anew. */
RbvStatus rbv_instant_renew(RbvInstant *instant, const RbvOptions *options);
/* All that it holds. */
void rbv_instant_destroy(RbvInstant *instant);
/* "at t = 0.3 s ..." as an error; returns the status. */
RbvStatus rbv_instant_fail(const RbvInstant *instant, RbvStatus status, const char *text);
/* At the motion's accepted state: forces, multipliers, reactions, verdicts, audit, recorded as a sample. Allocates only
 * where a rank was decided anew, and where some bodies are balanced. */
RbvStatus rbv_instant_solve(RbvInstant *instant);
/* AUDIT_FAILED, said, when the audit has failed. */
RbvStatus rbv_instant_decide(const RbvInstant *instant);

#endif
