/* The force that may remain unbalanced on a body: one rule for all analyses.
 *
 *   left <= 1e-7 F + floor,   F the largest single force on the body so far: a load, inertia, a reaction, an effort
 * Other forces of the machine count only through rounding, in the floor: rounding of the largest force in the body's
 * part of the machine, from which the body's forces are solved for; and rounding of its position, times the
 * stiffness of its supports. The latter counts up to a thousandth of F, beyond which no number is sure, unless all
 * forces of the part are such rounding. */
#ifndef RBV_SOLUTION_AUDIT_ALLOWED_H
#define RBV_SOLUTION_AUDIT_ALLOWED_H

#include "solution/audit/audit.h"

/* Part of the largest force involved that is its rounding, times the condition number of mechanisms that still make
 * sense. */
#define RBV_FORCE_ROUNDED 1e-12

/* [N or N m] Force that counts as zero, for the largest force it was solved together with. */
double rbv_audit_no_force(double largest);
/* [N] Force that may remain on a body because its acceleration is a sum in other coordinates. */
double rbv_audit_motion_rounding(const RbvAudit *audit, const RbvState *state, int32_t body);
/* allowed: force [N] and torque [N m] that may remain on a body, by the largest forces so far. */
void rbv_audit_allowed(const RbvAudit *audit, const RbvState *state, int32_t body, double allowed[2]);

#endif
