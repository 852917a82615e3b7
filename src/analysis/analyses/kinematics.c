/* The kinematics analysis: positions, velocities and accelerations of a driven motion, without masses. */
#include "analysis/analyses/sample_run.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "dynamics/events/driven.h"
#include "model/result/result.h"
#include "solution/audit/audit.h"

#include <math.h>

typedef struct Kinematics {
    RbvDriven driven;
    RbvMotion *motion;
    RbvStopViolations violations;
    RbvAudit audit;
    double error; /* largest residual of the constraints [m or rad] */
} Kinematics;

static RbvStatus admit_kinematics(RbvSampleRun *run) {
    RbvStatus status = rbv_model_without_motion(run->model, "kinematics",
                                                RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS |
                                                    RBV_TAKES_STOPS | RBV_TAKES_TIME,
                                                run->diagnostics);
    return status == RBV_OK && !run->from ? rbv_samples_open(run->model, &run->options, run->diagnostics, &run->samples)
                                          : status;
}

/* The motion at its first instant; record, audit and scene. */
static RbvStatus start_kinematics(RbvSampleRun *run) {
    Kinematics *kinematics = run->own;
    RbvSamples *samples = &run->samples;
    RbvStatus status = run->from ? rbv_driven_continue(&kinematics->driven, run->from, &samples->progress,
                                                       run->diagnostics, &kinematics->motion)
                                 : rbv_driven_create(&kinematics->driven, run->system, samples->from, samples->step,
                                                     NULL, samples->targets, run->options.motion.tolerance,
                                                     &samples->progress, run->diagnostics, &kinematics->motion);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions what = {.analysis = "kinematics", .orders = 2, .series = true, .states = true};
    const RbvState *state = kinematics->motion->state;
    RbvMachine machine = rbv_machine_of(state);
    bool good = rbv_run_record(run, rbv_record_create(run->system, NULL, &what), state) &&
                rbv_audit_create(&kinematics->audit, run->system) &&
                rbv_stop_violations_create(&kinematics->violations, run->system) &&
                rbv_record_machine(run->record->result, run->model, &machine) &&
                rbv_record_mobility(run->record, state, kinematics->motion->solvability);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* The sample at t, and whether its accelerations satisfy the constraints. AUDIT_FAILED, reported. */
static RbvStatus sample_kinematics(RbvSampleRun *run, int32_t k, double t) {
    Kinematics *kinematics = run->own;
    RbvState *state = kinematics->motion->state;
    char why[400];
    (void)k;
    RbvStatus status = rbv_record_reserve(run->record) ? rbv_driven_go(&kinematics->driven, t) : RBV_NO_MEMORY;
    if (status != RBV_OK)
        return status;
    if (run->model->loads.count > 0) { /* outputs may read their values */
        rbv_state_load(state);
    } else {
        rbv_state_measure(state);
        rbv_state_accelerate(state);
    }
    rbv_stop_violations_look(&kinematics->violations, state, kinematics->driven.activity.truth);
    kinematics->error = rbv_max(kinematics->error, kinematics->motion->constraint_error);
    rbv_record_sample(run->record, state, NULL, why, sizeof why);
    rbv_audit_motion(&kinematics->audit, state);
    status = rbv_audit_verify(&kinematics->audit, "the result", why, sizeof why);
    if (status != RBV_OK)
        rbv_diagnose(run->diagnostics, RBV_ERROR, run->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", state->t,
                     why);
    return status;
}

static bool finish_kinematics(RbvSampleRun *run) {
    const Kinematics *kinematics = run->own;
    RbvResult *result = run->record->result;
    result->has_audit = true;
    result->audit_force = result->audit_torque = result->audit_power = NAN;
    result->audit_constraint = kinematics->error;
    rbv_stop_violations_note(&kinematics->violations, run->diagnostics);
    rbv_note_valueless(run->record, run->model, run->diagnostics);
    return true;
}

static RbvMotion *motion_of(const RbvSampleRun *run) {
    return ((const Kinematics *)run->own)->motion;
}

static RbvStatus join_kinematics(RbvSampleRun *run, RbvSampleRun *block, bool last) {
    Kinematics *kinematics = run->own;
    const Kinematics *later = block->own;
    (void)last;
    kinematics->error = rbv_max(kinematics->error, later->error);
    rbv_stop_violations_join(&kinematics->violations, &later->violations);
    rbv_audit_join(&kinematics->audit, &later->audit);
    return RBV_OK;
}

static void destroy_kinematics(RbvSampleRun *run) {
    Kinematics *kinematics = run->own;
    rbv_record_destroy(run->record);
    rbv_motion_destroy(kinematics->motion);
    rbv_driven_destroy(&kinematics->driven);
    rbv_stop_violations_destroy(&kinematics->violations);
    rbv_audit_destroy(&kinematics->audit);
}

RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                         RbvResult **result) {
    static const RbvDivision division = {sizeof(Kinematics), NULL, motion_of, join_kinematics};
    static const RbvSampledAnalysis analysis = {.name = "kinematics",
                                                .division = &division,
                                                .keeps = true,
                                                .admit = admit_kinematics,
                                                .start = start_kinematics,
                                                .sample = sample_kinematics,
                                                .finish = finish_kinematics,
                                                .destroy = destroy_kinematics};
    return rbv_run_samples(&analysis, &(Kinematics){0}, system, options, diagnostics, result);
}
