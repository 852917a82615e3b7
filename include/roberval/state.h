/* States given by the caller: kinematics, forces, reactions and verdicts at any instant, one state at a time, at the
 * cost of a sample.
 *
 * An evaluation is created once from a system and allocates its memory then. After that, as often as needed: set the
 * time and what drives (or bodies) do at that time, evaluate, and read the numbers through pointers that stay valid. A
 * value that was set holds until it is set again. For control loops, studies and other programs.
 *
 *     RbvEvaluation *evaluation;
 *     rbv_evaluation_create(system, NULL, diagnostics, &evaluation);
 *     const double *effort = rbv_evaluation_column(evaluation, "motor.effort").value;
 *     rbv_evaluation_set_drive(evaluation, motor, angle, rate, second_rate);
 *     if (rbv_evaluation_inverse(evaluation) == RBV_OK)
 *         printf("%g\n", *effort); */
#ifndef ROBERVAL_STATE_H
#define ROBERVAL_STATE_H

#include <roberval/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvEvaluation RbvEvaluation;

/* An evaluation of a fully driven system, initially at `from` of the options (NaN: from the model, else 0), with all
 * drives following their own motions. Options used: frame, method, criterion, redundant and the eliminated components;
 * progress, which is asked while a motion is followed over many steps, and ends the evaluation by INTERRUPTED.
 * `diagnostics` (may be NULL) is kept and takes the messages of later calls. The system stays the caller's and must
 * outlive the evaluation; any number of evaluations of one system may work, each on one thread. BAD_INPUT: not fully
 * driven, an error as of rbv_inverse, or the model has an item that keeps its value from an earlier instant (value:
 * here). If the drives do not fit at `from`, the first evaluation assembles, with the values set until then. */
RBV_API RbvStatus rbv_evaluation_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                        RbvEvaluation **evaluation);
RBV_API void rbv_evaluation_destroy(RbvEvaluation *evaluation);

/* Set the time [s], for expressions of t and for drives that follow their own motions. */
RBV_API RbvStatus rbv_evaluation_set_time(RbvEvaluation *evaluation, double t);
/* Set the motion of drive number `drive` (rbv_system_find) instead of its own: value [m or rad, whole turns
 * counted], rate, second rate. BAD_ARGUMENT: no such drive, a number that is not finite, or an angle beyond 1e10 rad,
 * where numbers are too far apart for a position. */
RBV_API RbvStatus rbv_evaluation_set_drive(RbvEvaluation *evaluation, int32_t drive, double value, double rate,
                                           double second_rate);
/* Let the drive follow its own motion again. */
RBV_API RbvStatus rbv_evaluation_release_drive(RbvEvaluation *evaluation, int32_t drive);

/* Set the value of state number `state` (rbv_system_find) of the model's own states (states:); initially its
 * start value. The evaluation does not integrate it: its rate is the caller's business. */
RBV_API RbvStatus rbv_evaluation_set_state(RbvEvaluation *evaluation, int32_t state, double value);

/* Position and motion of a body: origin and axes of its frame, in ground axes. */
typedef struct RbvBodyMotion {
    double at[3];                   /* [m] */
    double angle;                   /* [rad] about z, whole turns counted (plane) */
    double rotation[4];             /* unit quaternion w x y z (space) */
    double velocity[3];             /* [m/s] of the origin */
    double angular_velocity[3];     /* [rad/s]; in the plane the third component */
    double acceleration[3];         /* [m/s^2] of the origin */
    double angular_acceleration[3]; /* [rad/s^2] */
} RbvBodyMotion;
RBV_API extern const RbvBodyMotion rbv_body_motion_default;
/* Set position and motion of body number `body` (rbv_system_find), for the next evaluation only. Drives then
 * follow their coordinates at the given bodies; drives of other coordinates keep their last values. The nearest motion
 * of the same drives satisfies joints and constraints exactly; the report holds the corrections needed. */
RBV_API RbvStatus rbv_evaluation_set_body(RbvEvaluation *evaluation, int32_t body, const RbvBodyMotion *motion);

/* Conditions (active:) are decided at the time, the states and the positions of each evaluation. If they change, the
 * active joints, constraints, drives and loads change from one evaluation to the next, which then allocates. */

/* Evaluate positions, velocities and accelerations (kinematics), or also efforts, reactions, verdicts and the audit
 * (inverse). Memory is allocated only if the mechanism is assembled anew or its rank changes. NOT_ASSEMBLED,
 * INCONSISTENT, LOCKED, NOT_FINITE, AUDIT_FAILED, NO_MEMORY, BAD_INPUT (see diagnostics): no numbers are available. The
 * next evaluation continues from the last position that was reached: the last good one, or one on the way to the
 * failure, or, after an attempt to assemble, the starting poses.
 *
 * Parameters of the system may get other values between two evaluations (rbv_system_set_parameters). The next
 * evaluation then continues from the last position by a leap, or assembles; it discards the positions known, decides
 * ranks anew and allocates. Later evaluations cost as much as before. */
RBV_API RbvStatus rbv_evaluation_kinematics(RbvEvaluation *evaluation);
RBV_API RbvStatus rbv_evaluation_inverse(RbvEvaluation *evaluation);

/* How the last evaluation found its positions. */
typedef enum RbvAdvance {
    RBV_FOLLOWED,  /* from the last positions, as one sample follows another */
    RBV_LEAPT,     /* from the nearest known positions, in steps that keep the branch */
    RBV_ASSEMBLED, /* anew, from the starting poses: possibly another branch */
    RBV_GIVEN      /* from bodies given by the caller */
} RbvAdvance;

typedef struct RbvEvaluationReport {
    RbvAdvance advance;
    double constraint_error; /* [m or rad] the largest residual of all rows */
    double correction;       /* [m; rotations times an arm] GIVEN: the largest correction of the positions given, of the
                                velocities and of the accelerations */
    double rate_correction;
    double acceleration_correction;
    double force_imbalance, torque_imbalance,
        power_imbalance; /* residuals of the audit [N, N m, W]; NaN after kinematics */
} RbvEvaluationReport;
RBV_API RbvEvaluationReport rbv_evaluation_report(const RbvEvaluation *evaluation);

/* A column of the last evaluation. The pointers are valid as long as the evaluation and show each evaluation's numbers;
 * NULL: no such column. */
typedef struct RbvEvaluationColumn {
    const double *value;       /* SI; NaN if the last evaluation did not compute it */
    const RbvVerdict *verdict; /* RBV_UNIQUE for columns that are not reactions */
    const double *error;       /* estimate of the rounding error, in the column's unit; NaN: not a reaction */
} RbvEvaluationColumn;
/* The column `name`, as in kinematics and inverse: "motor.effort", "rod.angle", "hinge.angle'". */
RBV_API RbvEvaluationColumn rbv_evaluation_column(const RbvEvaluation *evaluation, const char *name);
/* All values of the last evaluation: one sample with the names and units of the columns. The result belongs to the
 * evaluation. */
RBV_API const RbvResult *rbv_evaluation_result(const RbvEvaluation *evaluation);

#ifdef __cplusplus
}
#endif
#endif
