/* Verification and record of an equilibrium: rank, reactions with verdicts, audit, one sample of the record. */
#ifndef RBV_STATICS_VERIFY_H
#define RBV_STATICS_VERIFY_H

#include "solution/record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

typedef struct RbvEquilibriumVerifier {
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    const char *method;
    const RbvSystem *given; /* in the model's coordinates: of natural ones the multipliers are recorded; NULL: none */
    const RbvSystem *found_in; /* coordinates of the search, as in RbvFind */
    const RbvFamily *family;   /* family of the parameter that is followed, or NULL */
    RbvRecord *record;         /* created at the first equilibrium */
    int32_t doubts; /* equilibria whose curvature or stability is left out because of rank or self-stresses */
} RbvEquilibriumVerifier;

/* Verifies the equilibrium in search->balance, at rest, whose stability is known, and appends a sample; stability->open
 * is set if the curvature depends on self-stresses. At the first equilibrium mobility, self-stress modes and the
 * equilibrium are recorded, too. `parameter`: value of the first column, with a family. AUDIT_FAILED, NOT_FINITE,
 * INCONSISTENT, LOCKED, BAD_INPUT, NO_MEMORY: reported. */
RbvStatus rbv_equilibrium_verify(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search,
                                 RbvStability *stability, double parameter);

/* For an equilibrium that is no sample, one of several that are listed or a start of another analysis: its forces are
 * computed and audited, and the audit's figures go to the record, if there is one. AUDIT_FAILED: reported as "<which>
 * fails its audit ..." (which NULL: not reported); other failures but NO_MEMORY: no forces were found, nothing is
 * reported. `stability` as in rbv_equilibrium_verify. */
RbvStatus rbv_equilibrium_audit(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search, RbvStability *stability,
                                const char *which);

#endif
