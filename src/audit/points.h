/* What the audit knows of geometry: points and axes from poses, the user's coordinates, and forces at points. None of
 * it calls the formulas of element/. */
#ifndef RBV_AUDIT_POINTS_H
#define RBV_AUDIT_POINTS_H

#include "audit/audit.h"

/* A marker's place, its arm from the centroid, its velocity. */
typedef struct RbvAuditPoint {
    RbvVec3 p, arm, v;
    int32_t body;
} RbvAuditPoint;

/* Centroid and axes of a body from the state's turn or quaternion. */
void rbv_audit_place(RbvAudit *audit, const RbvState *state, int32_t body);
/* All of them, with nothing applied yet. */
void rbv_audit_begin(RbvAudit *audit, const RbvState *state);
/* The second rate of a coordinate from points and poses, of hinges' angles, offsets, distances and products of axes; of
 * others from the state. */
double rbv_audit_second(const RbvAudit *audit, const RbvState *state, int32_t index);
/* Axes of a body that has been placed, ground's. */
RbvMat3 rbv_audit_body_axes(const RbvAudit *audit, int32_t body);
RbvAuditPoint rbv_audit_point(const RbvAudit *audit, const RbvState *state, int32_t marker);
/* Axes of a marker in ground's. */
RbvMat3 rbv_audit_axes(const RbvAudit *audit, int32_t marker);
/* |x| + |y| + |z|. */
double rbv_audit_size(RbvVec3 a);
/* J w of a body. */
RbvVec3 rbv_audit_momentum(const RbvAudit *audit, int32_t body, RbvVec3 w);
/* What has been pushed on a body, of the audit's applied or joints. */
RbvWrench rbv_audit_sum(const RbvAudit *audit, const double *of, int32_t body);
/* Add force F at place p and torque T, on a body, to `to` (the audit's applied or joints). */
void rbv_audit_push(RbvAudit *audit, double *to, int32_t body, RbvVec3 p, RbvVec3 F, RbvVec3 T);
/* The generalized force `effort` on a coordinate (a measure's index), as forces at points. */
/* A coordinate by its name: value and rate of its expression f of the user's coordinates, from points and poses, its
 * slopes f_m in the jet (in the state's room); and the generalized force `effort` on it. */
RbvJet rbv_audit_expression(const RbvAudit *audit, const RbvState *state, const RbvExpr *f, double *rate);
void rbv_audit_push_expression(RbvAudit *audit, const RbvState *state, const RbvExpr *f, double effort);
void rbv_audit_push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort);
/* Value and rate of a coordinate from points and poses; turns, and what curves and meshes measure, come from the state.
 */
void rbv_audit_coordinate(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate);

/* Does what pushes the wheels of gears apart belong to what drives them? gear_off where it does not. */
void rbv_audit_gears(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Forces, or impulses, that joints print, into `joints`. */
void rbv_audit_joints(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* loads.c: those of drives, actuators, constraints and stops into `applied`; and gravity, loads, friction, the work of
 * constraints. */
void rbv_audit_rows(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
void rbv_audit_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Friction of friction contacts (the system's rubs), on each way, as Coulomb's law says of the joint's printed
 * reaction: effort[ways]; and such efforts on the bodies, into `applied`. */
void rbv_audit_friction(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t friction,
                        double *effort);
void rbv_audit_push_friction(RbvAudit *audit, const RbvState *state, int32_t friction, const double *effort);
/* rolling.c: of what holds by friction of its own the rate and the printed force along way c; and a belt's load. */
double rbv_audit_own_rate(const RbvAudit *audit, const RbvState *state, const struct RbvFrictionContact *friction,
                          int c);
double rbv_audit_own_force(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                           const struct RbvFrictionContact *friction, int c);
/* Force f along way c of it, on the bodies. */
void rbv_audit_push_own(RbvAudit *audit, const RbvState *state, const struct RbvFrictionContact *friction, int c,
                        double f, double *to);
/* Of the ends of a bar: the rate of the bar on its first body, or of the second body on it, about its axis c (in space
 * there are two); the couple that puts on both; what all couples push across the bar. */
double rbv_audit_end_rate(const RbvAudit *audit, const RbvState *state, int32_t joint, bool second, int c);
void rbv_audit_push_end(RbvAudit *audit, const RbvState *state, int32_t joint, bool second, int c, double couple);
double rbv_audit_across_bar(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t joint);
/* Is it teeth that roll? Then the turn of the second against the first about the line through their pitch point, and
 * the couple that opposes it, on the bodies. */
bool rbv_audit_rolls(const RbvModel *model, const struct RbvFrictionContact *friction);
double rbv_audit_rolling_rate(const RbvAudit *audit, const RbvState *state, int32_t joint);
void rbv_audit_push_rolling(RbvAudit *audit, const RbvState *state, int32_t joint, double couple);
double rbv_audit_wrap_load(const RbvAudit *audit, const RbvState *state, int32_t joint);

/* Has the thing an active: of its own? */
bool rbv_audit_has_condition(const RbvModel *model, RbvConditionOf of, int32_t index);

#endif
