/* An equilibrium judged and written down: rank, reactions with verdicts, audit, one sample of the record. */
#ifndef RBV_STATICS_VERIFY_H
#define RBV_STATICS_VERIFY_H

#include "record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

typedef struct RbvEquilibriumVerifier {
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    const char *method;
    const RbvSystem *given;    /* in whatever coordinates: of natural ones multipliers are noted; NULL */
    const RbvSystem *found_in; /* as of RbvFind */
    const RbvFamily *family;   /* the parameter that is followed, or NULL */
    RbvRecord *record;         /* made at the first place */
    int32_t doubts;            /* places where curvature or stability is left out because of rank or self-stresses */
} RbvEquilibriumVerifier;

/* The place in search->balance, at rest, whose stability is known; `open` is set there where curvature hangs on
 * self-stresses. At the first place mobility, self-stress modes and the equilibrium are written, too. `parameter`:
 * the value of the first column with a family. Room for the sample is made. AUDIT_FAILED, NOT_FINITE, INCONSISTENT,
 * LOCKED, BAD_INPUT, NO_MEMORY: said. */
RbvStatus rbv_equilibrium_verify(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search,
                                 RbvStability *stability, double parameter);

/* A place that is not written down as a sample, of several that are listed or to start from: its forces are found and
 * audited, the audit's figures go to the record, if there is one. AUDIT_FAILED, said: "<which> fails its audit ..."
 * (NULL: not said); any other failure but NO_MEMORY: no forces are found there, nothing is said. `stability` as
 * above. */
RbvStatus rbv_equilibrium_audit(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search, RbvStability *stability,
                                const char *which);

#endif
