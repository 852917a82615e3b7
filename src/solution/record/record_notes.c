/* Notes of a result, figures of the audit, warnings of contacts that pull. */
#include "core/base/extremes.h"
#include "solution/record/record.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [N] Largest force of the run; torques count as forces at the arm of the machine's size. */
static double largest_force(const RbvResult *result) {
    double largest = 0;
    for (int32_t c = 1; c < result->column_count; c++) {
        bool force = strcmp(result->columns[c].unit, "N") == 0, torque = strcmp(result->columns[c].unit, "N.m") == 0;
        if (force || (torque && result->machine.size > 0))
            largest = rbv_max(largest, rbv_result_summary(result, c).peak / (torque ? result->machine.size : 1));
    }
    return largest;
}

void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics) {
    const RbvColumn *along = &result->columns[0];
    bool time = !result->followed.parameter;
    RbvShownUnit unit = result->followed.shown.text ? result->followed.shown : (RbvShownUnit){along->unit, 1};
    /* Relative to the largest force: a smaller force has no sign, since it may be rounding of others (decision 0042).
     */
    double none = RBV_SAME * largest_force(result);
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        const RbvFormTraits *form = &rbv_forms[joint->form];
        bool cam = form->outlines, belt = form->strands, rope = form->bar && joint->unilateral,
             contact = form->rolls || form->directions;
        char name[RBV_NAME_SIZE], when[200];
        if ((!form->only_pushes && !rope) || (joint->unilateral && (strcmp(result->analysis, "simulate") == 0 ||
                                                                    strcmp(result->analysis, "statics") == 0)))
            continue;
        snprintf(name, sizeof name, "%s.F", joint->name);
        int32_t column = rbv_result_find(result, name);
        double least =
            column >= 0 && result->columns[column].has_error ? rbv_max(none, result->columns[column].error) : none;
        for (int32_t n = 0; column >= 0 && n < result->sample_count; n++) {
            double force = rbv_result_value(result, n, column);
            bool slack = belt && joint->sizes->preload > 0 && joint->sizes->preload < 0.5 * fabs(force);
            if (!(force < -least) && !slack)
                continue;
            snprintf(when, sizeof when, "%s = %.6g %s", time ? "t" : along->name,
                     rbv_result_value(result, n, 0) / unit.factor, unit.text);
            rbv_diagnose(
                diagnostics, RBV_WARNING, model->file, joint->where,
                cam ? "the contact of cam '%s' would have to pull from %s on (F = %.4g N): a real follower lifts off"
                : contact ? "the contact of '%s' would have to pull from %s on (F = %.4g N): a real one lifts off"
                : rope    ? "the rope '%s' would have to push from %s on (F = %.4g N): a real one goes slack"
                : slack   ? "a strand of belt '%s' goes slack at %s (F = %.4g N needs a preload above half of it)"
                          : "the force of belt '%s' turns negative at %s (F = %.4g N): the other strand becomes the "
                            "tight one",
                joint->name, when, force);
            break;
        }
    }
}

void rbv_note_valueless(const RbvRecord *record, const RbvModel *model, RbvDiagnostics *diagnostics) {
    const RbvResult *result = record->result;
    RbvShownUnit unit =
        result->followed.shown.text ? result->followed.shown : (RbvShownUnit){result->columns[0].unit, 1};
    for (int32_t k = 0; k < model->outputs.count; k++) {
        const RbvValueless *valueless = &record->valueless[k];
        char when[RBV_NAME_SIZE] = "";
        if (valueless->count == 0)
            continue;
        if (valueless->count < result->sample_count)
            snprintf(when, sizeof when, " at %d of %d samples, first at %s = %.6g %s", (int)valueless->count,
                     (int)result->sample_count, result->followed.parameter ? result->columns[0].name : "t",
                     valueless->at / unit.factor, unit.text);
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->outputs.items[k].where,
                     "output '%s' has no value%s: %s", model->outputs.items[k].name, when, valueless->why);
    }
}

bool rbv_notes_open(RbvNotes *notes, RbvDiagnostics *diagnostics) {
    *notes = (RbvNotes){.report = rbv_diagnostics_create(), .to = diagnostics};
    rbv_diagnostics_spell(notes->report, rbv_diagnostics_speller(diagnostics));
    return notes->report != NULL;
}

bool rbv_notes_keep(const RbvNotes *notes, const RbvModel *model, RbvResult *result) {
    bool good = !rbv_diagnostics_lost(notes->report);
    result->speller = rbv_diagnostics_speller(notes->to);
    for (int32_t k = 0; good && k < model->notes.count; k++) {
        const char *note = rbv_result_spelt(result, model->notes.items[k]);
        good = note && rbv_result_note(result, note);
    }
    for (int32_t k = 0; good && k < rbv_diagnostics_count(notes->report); k++) {
        RbvDiagnostic diagnostic = rbv_diagnostics_at(notes->report, k);
        good = diagnostic.severity == RBV_ERROR || rbv_result_note(result, diagnostic.message);
    }
    return good;
}

void rbv_notes_close(RbvNotes *notes) {
    rbv_diagnostics_append(notes->to, notes->report);
    rbv_diagnostics_destroy(notes->report);
    *notes = (RbvNotes){0};
}

static void keep_largest(double *to, double value, bool more) {
    *to = more && !(value > *to) ? *to : value;
}

void rbv_record_audit(RbvResult *result, const RbvAudit *audit) {
    bool more = result->has_audit;
    result->has_audit = true;
    keep_largest(&result->audit_force, audit->force, more);
    keep_largest(&result->audit_torque, audit->torque, more);
    keep_largest(&result->audit_power, audit->power, more);
    keep_largest(&result->audit_constraint, audit->constraint, more);
    keep_largest(&result->audit_force_scale, audit->force_scale, more);
    keep_largest(&result->audit_torque_scale, audit->torque_scale, more);
    keep_largest(&result->audit_power_scale, audit->power_scale, more);
}
