/* Geometry of the audit: points and axes from poses, the user's coordinates, and forces at points. It calls no
 * formula of element/. */
#ifndef RBV_SOLUTION_AUDIT_POINTS_H
#define RBV_SOLUTION_AUDIT_POINTS_H

#include "solution/audit/audit.h"

/* Position of a marker, arm from the centroid, velocity; ground axes. */
typedef struct RbvAuditPoint {
    RbvVec3 p, arm, v;
    int32_t body;
} RbvAuditPoint;

/* Centroid and axes of a body from the state's rotation or quaternion. */
void rbv_audit_place(RbvAudit *audit, const RbvState *state, int32_t body);
/* Centroids and axes of all bodies; sums of forces become zero. */
void rbv_audit_begin(RbvAudit *audit, const RbvState *state);
/* Second rate of a coordinate from points and poses, for angles of hinges, offsets, distances and products of axes;
 * of other coordinates from the state. */
double rbv_audit_second(const RbvAudit *audit, const RbvState *state, int32_t index);
/* Axes of a body that has been placed, or of ground. */
RbvMat3 rbv_audit_body_axes(const RbvAudit *audit, int32_t body);
/* A marker at the state, whose bodies have been placed. */
RbvAuditPoint rbv_audit_point(const RbvAudit *audit, const RbvState *state, int32_t marker);
/* Axes of a marker, in ground axes. */
RbvMat3 rbv_audit_axes(const RbvAudit *audit, int32_t marker);
/* |x| + |y| + |z|. */
double rbv_audit_size(RbvVec3 a);
/* Angular momentum J w of a body, ground axes. */
RbvVec3 rbv_audit_momentum(const RbvAudit *audit, int32_t body, RbvVec3 w);
/* Sum of the forces pushed on a body, from audit->applied or audit->joints, about the centroid. */
RbvWrench rbv_audit_sum(const RbvAudit *audit, const double *of, int32_t body);
/* Adds force F at point p and torque T on a body to `to` (audit->applied or audit->joints). */
void rbv_audit_push(RbvAudit *audit, double *to, int32_t body, RbvVec3 p, RbvVec3 F, RbvVec3 T);
/* Expression f of the user's coordinates, from points and poses: value and slopes f_m in the jet (stored in
 * state->work), and *rate. */
RbvJet rbv_audit_expression(const RbvAudit *audit, const RbvState *state, const RbvExpr *f, double *rate);
/* Adds the generalized force `effort` on f to the bodies, as forces at points. */
void rbv_audit_push_expression(RbvAudit *audit, const RbvState *state, const RbvExpr *f, double effort);
/* Adds the generalized force `effort` on the coordinate `index` (a measure) to the bodies, as forces at points. */
void rbv_audit_push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort);
/* Value and rate of a coordinate from points and poses; values of rotations, and those of curves and meshes, come
 * from the state. */
void rbv_audit_coordinate(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate);

/* Verifies that radial tooth forces fit the tangential ones; else sets gear_off. */
void rbv_audit_gears(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Adds the forces, or impulses, that joints print to audit->joints. */
void rbv_audit_joints(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Adds the efforts of drives, actuators, constraints and stops to audit->applied (loads.c). */
void rbv_audit_rows(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Adds gravity, loads, friction, the work of constraints, inertia of rotors to audit->applied (loads.c). */
void rbv_audit_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Friction of a friction contact along each slip direction, by Coulomb's law from the joint's printed reaction:
 * effort[slip directions]. */
void rbv_audit_friction(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t friction,
                        double *effort);
/* Adds effort[slip directions] of a friction contact on the bodies to audit->applied. */
void rbv_audit_push_friction(RbvAudit *audit, const RbvState *state, int32_t friction, const double *effort);
/* Slip rate along slip direction c of a contact with friction of its own (rolling.c). */
double rbv_audit_own_rate(const RbvAudit *audit, const RbvState *state, const struct RbvFrictionContact *friction,
                          int c);
/* Printed force along slip direction c of a contact with friction of its own. */
double rbv_audit_own_force(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                           const struct RbvFrictionContact *friction, int c);
/* Adds force f along slip direction c of a contact with friction of its own, on the bodies. */
void rbv_audit_push_own(RbvAudit *audit, const RbvState *state, const struct RbvFrictionContact *friction, int c,
                        double f, double *to);
/* End of a bar: rate of the bar relative to its first body, or (second) of the second body relative to the bar, about
 * axis c; in space there are two. */
double rbv_audit_end_rate(const RbvAudit *audit, const RbvState *state, int32_t joint, bool second, int c);
/* Adds the couple at an end of a bar about axis c to the bodies. */
void rbv_audit_push_end(RbvAudit *audit, const RbvState *state, int32_t joint, bool second, int c, double couple);
/* Force across a bar by all printed couples at its ends. */
double rbv_audit_across_bar(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t joint);
/* Does the friction contact consist of rolling teeth? */
bool rbv_audit_rolls(const RbvModel *model, const struct RbvFrictionContact *friction);
/* Rate of the second wheel relative to the first about the line through the pitch point. */
double rbv_audit_rolling_rate(const RbvAudit *audit, const RbvState *state, int32_t joint);
/* Adds a couple about that line to the bodies, which opposes rolling. */
void rbv_audit_push_rolling(RbvAudit *audit, const RbvState *state, int32_t joint, double couple);
/* Normal load of a belt's friction [N]. */
double rbv_audit_wrap_load(const RbvAudit *audit, const RbvState *state, int32_t joint);

/* Has the item a condition active: of its own? */
bool rbv_audit_has_condition(const RbvModel *model, RbvConditionOf of, int32_t index);

#endif
