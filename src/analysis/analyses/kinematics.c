/* The kinematics analysis: positions, velocities and accelerations of a driven motion, without masses. */
#include <roberval/analysis.h>

#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/driven.h"
#include "model/result/result.h"
#include "solution/audit/audit.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <math.h>

typedef struct Run {
    RbvDriven driven;
    RbvStopViolations violations;
    RbvRecord *record;
    RbvAudit audit;
    double error; /* largest residual of the constraints [m or rad] */
} Run;

/* Verify that the accelerations satisfy the constraints. AUDIT_FAILED, reported. */
static RbvStatus decide(Run *run, const RbvState *state, RbvDiagnostics *diagnostics) {
    char why[400];
    rbv_audit_motion(&run->audit, state);
    RbvStatus status = rbv_audit_verify(&run->audit, "the result", why, sizeof why);
    if (status != RBV_OK)
        rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                     state->t, why);
    return status;
}

/* Compute all samples. */
static RbvStatus follow(Run *run, const RbvOptions *options, RbvSamples *samples, RbvDiagnostics *diagnostics) {
    RbvDriven *driven = &run->driven;
    RbvState *state = driven->motion->state;
    char why[256];
    for (int32_t k = 0;; k++) {
        double t;
        bool more;
        RbvStatus status = rbv_samples_next(samples, k, &t, &more);
        if (status == RBV_OK && more)
            status = rbv_record_reserve(run->record) ? rbv_driven_go(driven, t) : RBV_NO_MEMORY;
        if (status != RBV_OK || !more)
            return status;
        rbv_state_load(state);
        rbv_stop_violations_look(&run->violations, state, driven->activity.truth);
        run->error = fmax(run->error, driven->motion->constraint_error);
        rbv_record_sample(run->record, state, NULL, why, sizeof why);
        status = decide(run, state, diagnostics);
        if (status == RBV_OK)
            status = rbv_samples_keep(options, run->record->result, diagnostics);
        if (status != RBV_OK)
            return status;
    }
}

/* Create record, audit and scene before the first sample. */
static RbvStatus begin(Run *run, const RbvSystem *system, const RbvOptions *options, const RbvSamples *samples) {
    RbvRecordOptions what = {.analysis = "kinematics", .orders = 2, .series = true, .states = true};
    RbvState *state = run->driven.motion->state;
    RbvRecord *record = run->record = rbv_record_create(system, NULL, &what);
    if (!record || !rbv_audit_create(&run->audit, system) || !rbv_stop_violations_create(&run->violations, system) ||
        !rbv_result_reserve_in(record->result, samples->count, options->rows_folder, options->rows_memory))
        return RBV_NO_MEMORY;
    RbvMachine machine = rbv_machine_of(state);
    bool good = rbv_scene_show(record->result, state, options) &&
                rbv_record_machine(record->result, system->model, &machine) &&
                rbv_record_mobility(record, state, run->driven.motion->solvability);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                         RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvNotes notes;
    RbvSamples samples = {0};
    RbvMotion *motion = NULL;
    Run run = {0};
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(system->model, "kinematics",
                                          RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS |
                                              RBV_TAKES_STOPS | RBV_TAKES_TIME,
                                          notes.report);
    if (status == RBV_OK)
        status = rbv_samples_open(system->model, &options, notes.report, &samples);
    if (status == RBV_OK)
        status = rbv_driven_create(&run.driven, system, samples.from, samples.step, NULL, rbv_samples_guides(&samples),
                                   options.tolerance, &samples.progress, notes.report, &motion);
    if (status == RBV_OK)
        status = begin(&run, system, &options, &samples);
    if (status == RBV_OK)
        status = follow(&run, &options, &samples, notes.report);
    RbvRecord *record = run.record;
    if (record && record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
        record->result->has_audit = true;
        record->result->audit_force = record->result->audit_torque = record->result->audit_power = NAN;
        record->result->audit_constraint = run.error;
        rbv_stop_violations_note(&run.violations, notes.report);
        rbv_note_valueless(record, system->model, notes.report);
        if (rbv_notes_keep(&notes, system->model, record->result)) {
            *result = record->result;
            record->result = NULL;
        } else {
            status = RBV_NO_MEMORY;
        }
    }
    status = rbv_scene_end(system, &options, "kinematics", status, notes.report, result);
    rbv_record_destroy(record);
    rbv_motion_destroy(motion);
    rbv_driven_destroy(&run.driven);
    rbv_stop_violations_destroy(&run.violations);
    rbv_audit_destroy(&run.audit);
    rbv_samples_close(&samples);
    rbv_notes_close(&notes);
    return status;
}
