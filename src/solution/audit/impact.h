/* The audit of jumps of velocities, by the printed impulses and the model alone, body by body.
 *
 *   m (v+ - v-) = sum of impulses,  J (w+ - w-) = sum of their moments,
 *   M (q'+ - q'-) = impulses on generalized coordinates
 *   T+ <= T-, unless rows whose rate is prescribed take part
 *   a contact that is hit pushes, P >= 0, and the rate u of its gap obeys 0 <= u+ <= e |u-|,
 *   and u+ = e |u-| where nothing else takes up energy (Newton's restitution) */
#ifndef RBV_SOLUTION_AUDIT_IMPACT_H
#define RBV_SOLUTION_AUDIT_IMPACT_H

#include "solution/audit/audit.h"

/* Verifies contacts, limited drives and actuators in the sample that rbv_audit_sample has audited last, in analyses
 * where contacts can open and actuators have limits. */
void rbv_audit_one_sided(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);

typedef struct RbvImpactAudit {
    RbvAudit audit;   /* sums up the impulses */
    RbvTwist *before; /* [bodies] twists before the jump */
    double *rate;     /* [possible contacts] rates of gaps before the jump */
    double *rotor;    /* [drives] rates before the jump of the coordinates of drives with rotors */
    double kinetic;   /* [J] kinetic energy before the jump */
} RbvImpactAudit;

/* Properties of a jump that decide which laws apply. */
typedef struct RbvJump {
    bool moved;         /* rows with a prescribed nonzero rate take part: they may supply energy */
    bool engaged;       /* rows have engaged: they may take more energy than contacts */
    double least, slow; /* impulse below which contacts that come to rest may pull, and rate by which they may differ */
    double energy;      /* [J] rounding of energy */
} RbvJump;

/* False: no memory; to be destroyed all the same. */
bool rbv_impact_audit_create(RbvImpactAudit *audit, const RbvSystem *system);
void rbv_impact_audit_destroy(RbvImpactAudit *audit);
/* Stores the state before the jump, whose positions and velocities are evaluated. */
void rbv_impact_audit_begin(RbvImpactAudit *audit, const RbvState *state);
/* Compares the stored state with the state after the jump and the printed impulses. False: a law is violated;
 * text[size] names it: "...: it gains 2 J". */
bool rbv_impact_audit_verify(RbvImpactAudit *audit, const RbvState *state, const RbvReactions *impulses,
                             const RbvJump *jump, char *text, size_t size);
/* Kinetic energy [J] of a state whose positions and velocities are evaluated, by the audit's own formulas. */
double rbv_impact_audit_kinetic(RbvImpactAudit *audit, const RbvState *state);

#endif
