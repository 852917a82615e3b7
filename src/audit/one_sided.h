/* What one-sided things may do: stops and unilateral joints push and never pull, touch where they push, and are not
 * passed; drives and actuators stay within their limits.
 *
 *   gap g >= 0,   push p >= 0,   p > 0 only where g = 0
 * From the printed forces and the poses; see audit.h.
 */
#ifndef RBV_AUDIT_ONE_SIDED_H
#define RBV_AUDIT_ONE_SIDED_H

#include "audit/points.h"

/* A limit of a stop, or a unilateral joint. The gap is sign times what its row measures beyond what it is to be. */
typedef struct RbvAuditContact {
    const char *name; /* the model's */
    int32_t row;
    double sign, restitution;
    int32_t stop, joint; /* what it belongs to; -1: not to one */
} RbvAuditContact;

/* Contact number k of rbv_audit_contact_count. False: the model has none of that number. */
int32_t rbv_audit_contact_count(const RbvSystem *system);
bool rbv_audit_contact(const RbvSystem *system, int32_t k, RbvAuditContact *contact);
/* Is it there, by the condition (active:) of what it belongs to? */
bool rbv_audit_contact_exists(const RbvState *state, const RbvAuditContact *contact);
/* Its gap [m or rad] and the gap's rate at the state, whose bodies have been placed in the audit. */
void rbv_audit_gap(const RbvAudit *audit, const RbvState *state, const RbvAuditContact *contact, double *gap,
                   double *rate);
/* The unit of its push, or of its gap. */
const char *rbv_audit_contact_unit(const RbvSystem *system, const RbvAuditContact *contact, bool push);
/* What it pushes with, of printed forces or impulses; negative: it pulls. */
double rbv_audit_contact_push(const RbvReactions *printed, const RbvAuditContact *contact);

/* Take the sample that rbv_audit_sample has taken last into account, of an analysis in which contacts let go and
 * actuators have limits. */
void rbv_audit_one_sided(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);

#endif
