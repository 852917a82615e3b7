/* Unilateral constraints: stops and unilateral joints push and never pull, push only where they touch, and are not
 * penetrated; drives and actuators stay within their limits.
 *
 *   gap g >= 0,   push p >= 0,   p > 0 only where g = 0
 * Verified from the printed forces and the poses; see audit.h. */
#ifndef RBV_SOLUTION_AUDIT_ONE_SIDED_H
#define RBV_SOLUTION_AUDIT_ONE_SIDED_H

#include "solution/audit/points.h"

/* One limit of a stop, or a unilateral joint. The gap is `sign` times the row's value minus its target. */
typedef struct RbvAuditContact {
    const char *name; /* name in the model, owned by it */
    int32_t row;
    double sign, restitution;
    int32_t stop, joint; /* index of its stop or joint; -1: none */
} RbvAuditContact;

/* Number of possible contacts. */
int32_t rbv_audit_contact_count(const RbvSystem *system);
/* Contact number k of rbv_audit_contact_count. False: the model has no contact of that number. */
bool rbv_audit_contact(const RbvSystem *system, int32_t k, RbvAuditContact *contact);
/* Does the contact exist, by the condition (active:) of its stop or joint? */
bool rbv_audit_contact_exists(const RbvState *state, const RbvAuditContact *contact);
/* Gap [m or rad] and its rate at a state whose bodies have been placed in the audit. */
void rbv_audit_gap(const RbvAudit *audit, const RbvState *state, const RbvAuditContact *contact, double *gap,
                   double *rate);
/* Unit of the contact's push, or of its gap. */
const char *rbv_audit_contact_unit(const RbvSystem *system, const RbvAuditContact *contact, bool push);
/* Push of the contact by printed forces or impulses; negative: it pulls. */
double rbv_audit_contact_push(const RbvReactions *printed, const RbvAuditContact *contact);

/* Verifies contacts, limited drives and actuators in the sample that rbv_audit_sample has audited last, in analyses
 * where contacts can open and actuators have limits. */
void rbv_audit_one_sided(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);

#endif
