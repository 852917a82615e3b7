/* What may be left over of the forces on a body: one rule for all analyses.
 *
 *   left <= 1e-7 F + floor,   F the largest single force on the body so far: a load, inertia, a reaction, an effort
 * Nothing else on the machine excuses it but rounding, in the floor: of the largest force in the body's part of the
 * machine, from which its own are solved for; and of its place, times the stiffness of what it hangs on. That one
 * counts up to a thousandth of F, beyond which no number is sure, unless all forces of the part are such rounding.
 */
#ifndef RBV_AUDIT_ALLOWED_H
#define RBV_AUDIT_ALLOWED_H

#include "audit/audit.h"

/* Of the largest force involved: forces that are no larger are rounding of it, times the condition of mechanisms that
 * still make sense. */
#define RBV_FORCE_ROUNDED 1e-12

/* [N or N m] What is none of a force, beside the largest force of what it was solved with. */
double rbv_audit_no_force(double largest);
/* [N] What may be left over of a force on a body since accelerations are sums in other coordinates. */
double rbv_audit_motion_rounding(const RbvAudit *audit, const RbvState *state, int32_t body);
/* allowed: [N], [N m] at a body, by the sizes so far. */
void rbv_audit_allowed(const RbvAudit *audit, const RbvState *state, int32_t body, double allowed[2]);

#endif
