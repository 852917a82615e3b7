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

/* Two markers, the second as seen from the first: difference of positions, velocities, accelerations. */
typedef struct RbvAuditPair {
    int32_t marker[2]; /* -1: none yet */
    int32_t body;      /* of the second */
    RbvVec3 d, u, a;
} RbvAuditPair;

/* Centroid and axes of a body from the state's rotation or quaternion. */
void rbv_audit_place(RbvAudit *audit, const RbvState *state, int32_t body);
/* Centroids and axes of all bodies; sums of forces become zero. */
void rbv_audit_begin(RbvAudit *audit, const RbvState *state);
/* Second rate of a coordinate from points and poses, for angles of hinges, offsets, distances and products of axes;
 * of other coordinates from the state. *pair: markers of the coordinate before, at the same state; then of this. */
double rbv_audit_second(const RbvAudit *audit, const RbvState *state, int32_t index, RbvAuditPair *pair);
/* Axes of a body that has been placed, or of ground. */
RbvMat3 rbv_audit_body_axes(const RbvAudit *audit, int32_t body);
/* A marker at the state, whose bodies have been placed. */
RbvAuditPoint rbv_audit_point(const RbvAudit *audit, const RbvState *state, int32_t marker);
/* Velocity of the point p of a body. */
RbvVec3 rbv_audit_velocity(const RbvAudit *audit, const RbvState *state, int32_t body, RbvVec3 p);
/* Axes of a marker, in ground axes. */
RbvMat3 rbv_audit_axes(const RbvAudit *audit, int32_t marker);
/* A vector of a marker's axes in ground axes. */
RbvVec3 rbv_audit_turned(const RbvAudit *audit, int32_t marker, RbvVec3 x);
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
/* Couple that is the generalized force 1 on an angular coordinate. About a single axis it is that axis; for a component
 * k of the rotation vector theta it is (I + theta~/2 + (1 - (f/2) cot(f/2)) theta~^2/f^2) e_k in i's axes, f = |theta|.
 */
RbvVec3 rbv_audit_couple(const RbvAudit *audit, const RbvMeasure *measure);
/* Adds the generalized force `effort` on the coordinate `index` (a measure) to the bodies, as forces at points. */
void rbv_audit_push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort);
/* Value and rate of a coordinate from points and poses; values of rotations, and those of curves and meshes, come
 * from the state. */
void rbv_audit_coordinate(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate);

/* Verifies that radial tooth forces fit the tangential ones; else sets gear_off. */
void rbv_audit_gears(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Adds the forces, or impulses, that joints print to audit->joints. */
void rbv_audit_joints(RbvAudit *audit, const RbvReactions *reactions);
/* Adds the efforts of drives, actuators, constraints and stops to audit->applied. */
void rbv_audit_rows(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Adds gravity, loads, friction, the work of constraints, inertia of rotors to audit->applied. */
void rbv_audit_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Friction of a friction contact along each slip direction, by Coulomb's law from the joint's printed reaction:
 * effort[slip directions]. */
void rbv_audit_friction(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t friction,
                        double *effort);
/* Adds effort[slip directions] of a friction contact on the bodies to audit->applied. */
void rbv_audit_push_friction(RbvAudit *audit, const RbvState *state, int32_t friction, const double *effort);

/* Has the item a condition active: of its own? */
bool rbv_audit_has_condition(const RbvModel *model, RbvConditionOf of, int32_t index);

#endif
