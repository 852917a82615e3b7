/* The recipe of kinematics: positions, velocities and accelerations of a driven motion, without masses. */
#include <roberval/analysis.h>

#include "base/diagnostics.h"
#include "dynamics/driven.h"
#include "dynamics/passed.h"
#include "record/record.h"
#include "record/samples.h"
#include "result/rows.h"
#include "scene/scene.h"

#include <math.h>

/* Sample by sample; *error: the largest of the constraints [m or rad]. */
static RbvStatus run(RbvDriven *driven, RbvSamples *samples, RbvRecord *record, RbvPassed *passed, double *error) {
    RbvState *state = driven->motion->state;
    char why[256];
    for (int32_t k = 0; k < samples->count; k++) {
        if (!rbv_samples_go_on(samples, k))
            return RBV_INTERRUPTED;
        RbvStatus status = rbv_driven_go(driven, rbv_samples_time(samples, k));
        if (status != RBV_OK)
            return status;
        rbv_state_load(state);
        rbv_passed_look(passed, state, driven->activity.truth);
        *error = fmax(*error, driven->motion->constraint_error);
        rbv_record_sample(record, state, NULL, why, sizeof why);
    }
    return RBV_OK;
}

RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    RbvNotes notes;
    RbvSamples samples;
    RbvMotion *motion = NULL;
    RbvDriven driven = {0};
    RbvPassed passed = {0};
    RbvRecord *record = NULL;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(system->model, "kinematics", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS | RBV_TAKES_STOPS | RBV_TAKES_TIME, notes.heard);
    if (status == RBV_OK)
        status = rbv_samples_create(system->model, &options, notes.heard, &samples);
    if (status == RBV_OK)
        status = rbv_driven_create(&driven, system, samples.from, samples.step, NULL, options.tolerance, &samples.watch, notes.heard, &motion);
    if (status == RBV_OK) {
        RbvRecordOptions what = {.analysis = "kinematics", .orders = 2, .series = true, .states = true};
        record = rbv_record_create(system, NULL, &what);
        if (!record || !rbv_passed_create(&passed, system) || !rbv_result_reserve_in(record->result, samples.count, options.rows_folder, options.rows_memory))
            status = RBV_NO_MEMORY;
        RbvMachine machine = rbv_machine_of(motion->state);
        if (status == RBV_OK && !rbv_scene_show(record->result, motion->state, &options))
            status = RBV_NO_MEMORY;
        if (status == RBV_OK && (!rbv_record_machine(record->result, system->model, &machine) || !rbv_record_mobility(record, motion->state, motion->solvability)))
            status = RBV_NO_MEMORY;
    }
    double error = 0;
    if (status == RBV_OK)
        status = run(&driven, &samples, record, &passed, &error);
    if (record && record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
        record->result->has_audit = true;
        record->result->audit_force = record->result->audit_torque = record->result->audit_power = NAN;
        record->result->audit_constraint = error;
        rbv_passed_note(&passed, notes.heard);
        rbv_note_valueless(record, system->model, notes.heard);
        if (rbv_notes_keep(&notes, system->model, record->result)) {
            *result = record->result;
            record->result = NULL;
        } else {
            status = RBV_NO_MEMORY;
        }
    }
    status = rbv_scene_end(system, &options, "kinematics", status, notes.heard, result);
    rbv_record_destroy(record);
    rbv_motion_destroy(motion);
    rbv_driven_destroy(&driven);
    rbv_passed_destroy(&passed);
    rbv_notes_close(&notes);
    return status;
}
