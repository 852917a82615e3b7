/* What a result says besides its numbers: notes, the audit's figures, contacts that pull. */
#include "record/record.h"

#include "base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics) {
    const RbvColumn *along = &result->columns[0];
    bool time = !result->followed.parameter;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool cam = joint->form == RBV_FORM_CAM, belt = joint->form == RBV_FORM_BELT, roll = joint->form == RBV_FORM_ROLL;
        char name[200], when[200];
        if (!cam && !belt && !roll)
            continue;
        snprintf(name, sizeof name, "%s.F", joint->name);
        int32_t column = rbv_result_find(result, name);
        for (int32_t n = 0; column >= 0 && n < result->sample_count; n++) {
            double force = rbv_result_value(result, n, column);
            bool slack = belt && joint->preload > 0 && joint->preload < 0.5 * fabs(force);
            if (!(force < 0) && !slack)
                continue;
            snprintf(when, sizeof when, "%s = %.6g %s", time ? "t" : along->name, rbv_result_value(result, n, 0), along->unit);
            rbv_diagnose(diagnostics, RBV_WARNING, model->file, joint->where,
                         cam     ? "the contact of cam '%s' would have to pull from %s on (F = %.4g N): a real follower lifts off"
                         : roll  ? "the contact of '%s' would have to pull from %s on (F = %.4g N): a real one lifts off"
                         : slack ? "a strand of belt '%s' goes slack at %s (F = %.4g N needs a preload above half of it)"
                                 : "the force of belt '%s' turns negative at %s (F = %.4g N): the other strand becomes the tight one",
                         joint->name, when, force);
            break;
        }
    }
}

bool rbv_record_notes(RbvResult *result, const RbvDiagnostics *diagnostics, int32_t from, const RbvModel *model) {
    if (rbv_diagnostics_lost(diagnostics))
        return false;
    for (int32_t k = from; diagnostics && k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic diagnostic = rbv_diagnostics_at(diagnostics, k);
        if (diagnostic.severity != RBV_ERROR && !rbv_result_note(result, diagnostic.message))
            return false;
    }
    for (int32_t k = 0; k < model->tables.count; k++)
        if (model->tables.items[k].smooth > 0) {
            char text[256];
            snprintf(text, sizeof text, "table '%s' was smoothed: zero-phase low-pass, 3 dB down at %.9g cycles per unit of its x (Hz for time)",
                     model->tables.items[k].name, model->tables.items[k].smooth);
            if (!rbv_result_note(result, text))
                return false;
        }
    return true;
}

static void largest(double *to, double value, bool more) {
    *to = more && !(value > *to) ? *to : value;
}

void rbv_record_audit(RbvResult *result, const RbvAudit *audit) {
    bool more = result->has_audit;
    result->has_audit = true;
    largest(&result->audit_force, audit->force, more);
    largest(&result->audit_torque, audit->torque, more);
    largest(&result->audit_power, audit->power, more);
    largest(&result->audit_constraint, audit->constraint, more);
    largest(&result->audit_force_scale, audit->force_scale, more);
    largest(&result->audit_torque_scale, audit->torque_scale, more);
    largest(&result->audit_power_scale, audit->power_scale, more);
}
