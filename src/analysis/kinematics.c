/* The recipe of kinematics: positions, velocities and accelerations of a driven motion, without masses. */
#include <roberval/analysis.h>

#include "base/diagnostics.h"
#include "motion/motion.h"
#include "record/record.h"
#include "record/samples.h"

#include <math.h>

RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    RbvNotes notes;
    RbvSamples samples;
    RbvMotion *motion = NULL;
    RbvRecord *record = NULL;
    char why[256];
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(system->model, "kinematics", RBV_TAKES_EQUATIONS, notes.heard);
    if (status == RBV_OK)
        status = rbv_samples_create(system->model, &options, notes.heard, &samples);
    if (status == RBV_OK)
        status = rbv_motion_create(system, samples.from, NULL, &samples.watch, notes.heard, &motion);
    if (status == RBV_OK) {
        RbvRecordOptions what = {.analysis = "kinematics", .orders = 2, .series = true};
        record = rbv_record_create(system, NULL, &what);
        if (!record || !rbv_result_reserve(record->result, samples.count))
            status = RBV_NO_MEMORY;
        RbvMachine machine = rbv_machine_of(motion->state);
        if (status == RBV_OK && (!rbv_record_machine(record->result, system->model, &machine) || !rbv_record_mobility(record, motion->state, motion->solvability)))
            status = RBV_NO_MEMORY;
    }
    double error = 0;
    for (int32_t k = 0; status == RBV_OK && k < samples.count; k++) {
        if (!rbv_samples_go_on(&samples, k)) {
            status = RBV_INTERRUPTED;
            break;
        }
        status = rbv_motion_go(motion, rbv_samples_time(&samples, k));
        if (status == RBV_OK) {
            rbv_state_load(motion->state);
            error = fmax(error, motion->constraint_error);
            rbv_record_sample(record, motion->state, NULL, why, sizeof why);
        }
    }
    if (record && record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
        record->result->has_audit = true;
        record->result->audit_force = record->result->audit_torque = record->result->audit_power = NAN;
        record->result->audit_constraint = error;
        rbv_note_valueless(record, system->model, notes.heard);
        if (rbv_notes_keep(&notes, system->model, record->result)) {
            *result = record->result;
            record->result = NULL;
        } else {
            status = RBV_NO_MEMORY;
        }
    }
    rbv_record_destroy(record);
    rbv_motion_destroy(motion);
    rbv_notes_close(&notes);
    return status;
}
