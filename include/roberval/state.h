/* A state from the caller: kinematics, forces, reactions and verdicts at any instant, one at a time, at the cost of a
 * sample.
 *
 * An evaluation is made once from a system and allocates what it needs. Then, as often as wanted: say the time and what
 * drives (or bodies) do there, evaluate, and read the numbers through pointers that stay where they are. What is said
 * holds until it is said again. Control loops, studies and other programs stand on this.
 */
#ifndef ROBERVAL_STATE_H
#define ROBERVAL_STATE_H

#include <roberval/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvEvaluation RbvEvaluation;

/* An evaluation of a fully driven system, at first at `from` of the options (NaN: of the model, else 0), all drives
 * by their own motions. Of the options frame, method, criterion, redundant and eliminated count. `diagnostics` (may
 * be NULL) is kept and takes what later calls say. The system stays the caller's and must outlive it; any number of
 * evaluations of one system may work, each on one thread. BAD_INPUT: not fully driven, or as for rbv_inverse, or
 * something holds where it stands (value: here), since an instant has no history. When drives do not fit at `from`
 * the first evaluation assembles, with what was said until then. */
RBV_API RbvStatus rbv_evaluation_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                        RbvEvaluation **evaluation);
RBV_API void rbv_evaluation_destroy(RbvEvaluation *evaluation);

/* The instant [s]: for expressions of t, and for the drives that follow their own motions. */
RBV_API RbvStatus rbv_evaluation_set_time(RbvEvaluation *evaluation, double t);
/* What drive number `drive` (rbv_system_find_drive) does there instead of its own motion: value [m or rad, turns
 * counted], rate, second rate. */
RBV_API RbvStatus rbv_evaluation_set_drive(RbvEvaluation *evaluation, int32_t drive, double value, double rate,
                                           double second_rate);
/* By its own motion again. */
RBV_API RbvStatus rbv_evaluation_release_drive(RbvEvaluation *evaluation, int32_t drive);

/* What state number `state` (rbv_system_find_state) of the model's own (states:) is there; at first its start. Nothing
 * integrates it: its rate is the caller's. */
RBV_API RbvStatus rbv_evaluation_set_state(RbvEvaluation *evaluation, int32_t state, double value);

/* How a body is and moves: the origin of its frame and its axes, in ground axes. */
typedef struct RbvBodyMotion {
    double at[3];                   /* [m] */
    double angle;                   /* [rad] about z, turns counted (plane) */
    double rotation[4];             /* unit quaternion w x y z (space) */
    double velocity[3];             /* [m/s] of the origin */
    double angular_velocity[3];     /* [rad/s]; in the plane the third */
    double acceleration[3];         /* [m/s^2] of the origin */
    double angular_acceleration[3]; /* [rad/s^2] */
} RbvBodyMotion;
RBV_API RbvBodyMotion rbv_body_motion_default(void);
/* For the next evaluation alone: body number `body` (rbv_system_find_body) is there, and moves so. Drives then do
 * what their coordinates do at the bodies given, the others as they were last; joints and constraints are met exactly
 * by the nearest motion of the same drives, and what that takes is in the report. */
RBV_API RbvStatus rbv_evaluation_set_body(RbvEvaluation *evaluation, int32_t body, const RbvBodyMotion *motion);

/* Conditions (active:) hold as they are at the time, the states and the place that is reached: where they change other
 * joints, constraints, drives and loads do from one evaluation to the next, which then allocates. */

/* Positions, rates, accelerations at what was said; and efforts, reactions, verdicts, audit. They allocate only where
 * the mechanism is assembled anew or its rank changes. NOT_ASSEMBLED, INCONSISTENT, LOCKED, NOT_FINITE, AUDIT_FAILED,
 * NO_MEMORY, BAD_INPUT: said; the numbers are none then. The next evaluation goes on from the last place that was
 * reached, which is the last good one, or one on the way to where it failed, or, after an attempt to assemble, from the
 * starting poses.
 *
 * Parameters of the system may be given other values between two evaluations (rbv_system_set_parameters). The next
 * one then goes on from the last place by a leap, or assembles; it forgets the places it knew, decides ranks anew and
 * allocates. Those after it cost what they did before. */
RBV_API RbvStatus rbv_evaluation_kinematics(RbvEvaluation *evaluation);
RBV_API RbvStatus rbv_evaluation_inverse(RbvEvaluation *evaluation);

/* How the last evaluation came to its positions. */
typedef enum RbvAdvance {
    RBV_FOLLOWED,  /* from the last ones, as a sample follows another */
    RBV_LEAPT,     /* from those known that are nearest, in steps that keep the branch */
    RBV_ASSEMBLED, /* anew, from the starting poses: it may be another branch */
    RBV_GIVEN      /* from bodies that the caller gave */
} RbvAdvance;

typedef struct RbvEvaluationReport {
    RbvAdvance advance;
    double constraint_error; /* [m or rad] the largest left in any row */
    double correction;       /* [m, turns times an arm] GIVEN: how far bodies were moved, and by how much the rates and
                                accelerations given were changed */
    double rate_correction;
    double acceleration_correction;
    double force_imbalance, torque_imbalance, power_imbalance; /* the audit's [N, N.m, W]; NaN after kinematics */
} RbvEvaluationReport;
RBV_API RbvEvaluationReport rbv_evaluation_report(const RbvEvaluation *evaluation);

/* The value called `name` (as the columns of kinematics and inverse are, "motor.effort", "rod.angle", "hinge.angle'")
 * in the last evaluation; the pointer stays good as long as the evaluation. NaN where the evaluation did not give it.
 * NULL: there is none of that name. */
RBV_API const double *rbv_evaluation_column(const RbvEvaluation *evaluation, const char *name);
/* Its verdict there; RBV_UNIQUE for what is no reaction. */
RBV_API const RbvVerdict *rbv_evaluation_verdict(const RbvEvaluation *evaluation, const char *name);
/* What rounding may have moved the value by there, in its unit; NaN for what is no reaction. */
RBV_API const double *rbv_evaluation_error(const RbvEvaluation *evaluation, const char *name);
/* All of it: one sample with the names and units of its columns. It belongs to the evaluation. */
RBV_API const RbvResult *rbv_evaluation_result(const RbvEvaluation *evaluation);

#ifdef __cplusplus
}
#endif
#endif
