/* The audit of rates that jump, by the printed impulses and the model alone.
 *
 *   m (v+ - v-) = sum of impulses,  J (w+ - w-) = sum of their moments,  M (q'+ - q'-) = those on generalized
 *     coordinates;   body by body
 *   T+ <= T-, unless rows whose rate is prescribed take part
 *   a contact that is hit pushes, P >= 0, and its gap's rate u obeys 0 <= u+ <= e |u-|, u+ = e |u-| where nothing else
 *     takes up energy (Newton's restitution)
 */
#ifndef RBV_AUDIT_IMPACT_H
#define RBV_AUDIT_IMPACT_H

#include "audit/one_sided.h"

typedef struct RbvImpactAudit {
    RbvAudit audit;   /* where impulses are summed up */
    RbvTwist *before; /* [bodies] */
    double *rate;     /* [contacts of one_sided.h] of their gaps before */
    double *rotor;    /* [drives] rates of the coordinates of those with rotors before */
    double kinetic;   /* [J] before */
} RbvImpactAudit;

/* What a jump is judged by, besides its impulses. */
typedef struct RbvJump {
    bool moved;         /* rows whose rate is prescribed, not zero, take part: they may bring energy */
    bool engaged;       /* rows began to hold: they may take more energy than contacts */
    double least, slow; /* contacts that come to rest may be held by such impulses, which change rates by so much */
    double energy;      /* [J] what is rounding of energy */
} RbvJump;

/* False: no memory; to be destroyed all the same. */
bool rbv_impact_audit_create(RbvImpactAudit *audit, const RbvSystem *system);
void rbv_impact_audit_destroy(RbvImpactAudit *audit);
/* The moved state before the jump, and after it with what was printed for its impulses. False: a law is broken;
 * text[size] says which: "...: it gains 2 J". */
void rbv_impact_audit_begin(RbvImpactAudit *audit, const RbvState *state);
bool rbv_impact_audit_verify(RbvImpactAudit *audit, const RbvState *state, const RbvReactions *impulses,
                             const RbvJump *jump, char *text, size_t size);
/* Kinetic energy [J] of the moved state, by the audit's own formulas. */
double rbv_impact_audit_kinetic(RbvImpactAudit *audit, const RbvState *state);

#endif
