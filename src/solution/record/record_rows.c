/* Describes the constraint rows one by one: what each keeps constant, and whether its multiplier is determined.
 *
 * The rows C_X of a joint X may have a unique force C_X^T lambda_X while multipliers in lambda_X are not unique
 * (where the joint's own rows are dependent), and a multiplier may be unique where the force is not. lambda_i is
 * unique if and only if row i is no combination of the others; where row i is one, it can be removed alone without
 * any new motion. */
#include "solution/record/record.h"

#include <string.h>

const char *rbv_record_joint_row(const RbvSystem *system, int32_t row) {
    const RbvRow *r = &system->rows[row];
    const RbvJoint *joint = &system->model->joints.items[r->index];
    int32_t part = row - system->joint_row[r->index];
    if (r->direction >= 0)
        return rbv_direction_name(r->direction);
    switch (joint->form) {
    case RBV_FORM_LOCKS:
        return joint->extra == RBV_EXTRA_SCREW ? "lead" : joint->extra == RBV_EXTRA_SQUARE ? "right angle" : "twist";
    case RBV_FORM_DISTANCE: return "length";
    case RBV_FORM_GEAR:
    case RBV_FORM_BELT:
    case RBV_FORM_RACK: return "ratio";
    case RBV_FORM_CAM: return !joint->track ? "contact" : part == 0 ? "on the curve" : "on the curve, across";
    case RBV_FORM_EDGE: return "slip";
    case RBV_FORM_ROLL: return part == 0 ? "height" : part == 1 ? "slip along" : "slip across";
    }
    return "";
}

RbvRowVerdict rbv_record_row(const RbvSystem *system, const RbvResult *result, int32_t row, RbvVerdict verdict) {
    const RbvRow *r = &system->rows[row];
    RbvRowVerdict out = {.on_rates = r->on_rates, .verdict = verdict};
    if (r->owner == RBV_OWNER_JOINT) {
        out.entry = &result->joints.items[r->index];
        out.element = "joint";
        out.holds = rbv_record_joint_row(system, row);
    } else {
        bool drive = r->owner == RBV_OWNER_DRIVE;
        out.entry = &(drive ? &result->drives : &result->constraints)->items[r->index];
        out.element = drive ? "drive" : "constraint";
        out.holds = drive ? "motion" : r->on_rates ? "velocity" : "equation";
    }
    return out;
}

bool rbv_record_rows(RbvRecord *record, RbvSolvability *solvability) {
    const RbvSystem *system = record->system;
    RbvResult *result = record->result;
    const double one = 1;
    result->rows = rbv_arena_alloc(&result->arena, ((size_t)system->row_count + 1) * sizeof *result->rows);
    if (!result->rows)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        if (rbv_solvability_holds(solvability, k))
            result->rows[result->row_count++] =
                rbv_record_row(system, result, k, rbv_solvability_verdict(solvability, k, 1, &one));
    return true;
}
