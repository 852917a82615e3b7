/* Verifies contacts, limited drives and actuators from the printed forces; see one_sided.h. */
#include "solution/audit/one_sided.h"

#include "mechanics/system/contacts.h"

/* Relative to the size of the part: a gap below it is closed, and no gap is below its negative, as rows that engage
 * and starts have errors of this size. In integrated motions a few tolerances of the motion. */
#define CLOSED 1e-6
#define TOLERANCES 10
/* Rounding relative to an actuator's limit. */
#define ROUNDED 1e-9

int32_t rbv_audit_contact_count(const RbvSystem *system) {
    return 2 * system->model->stops.count + system->model->joints.count;
}

bool rbv_audit_contact(const RbvSystem *system, int32_t k, RbvAuditContact *contact) {
    const RbvModel *model = system->model;
    if (k < 2 * model->stops.count) {
        const RbvStop *stop = &model->stops.items[k / 2];
        *contact =
            (RbvAuditContact){stop->name, system->stop_row[k], k % 2 == 0 ? 1 : -1, stop->restitution, k / 2, -1};
        return contact->row >= 0;
    }
    int32_t j = k - 2 * model->stops.count;
    const RbvJoint *joint = &model->joints.items[j]; /* a rope has a largest length */
    *contact = (RbvAuditContact){
        joint->name, system->joint_row[j], joint->form == RBV_FORM_DISTANCE ? -1 : 1, joint->sizes->restitution, -1, j};
    return joint->unilateral;
}

bool rbv_audit_contact_exists(const RbvState *state, const RbvAuditContact *contact) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        bool own = (condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) ||
                   (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint);
        if (own)
            return rbv_state_expression(state, condition->active, NULL, state->work) != 0;
    }
    return true;
}

void rbv_audit_gap(const RbvAudit *audit, const RbvState *state, const RbvAuditContact *contact, double *gap,
                   double *rate) {
    const RbvSystem *system = audit->system;
    const RbvRow *row = &system->rows[contact->row];
    *gap = -row->constant - state->row_turn[contact->row];
    *rate = 0;
    if (row->equation)
        *gap += rbv_audit_expression(audit, state, row->equation, rate).value;
    for (int32_t n = row->first; !row->equation && n < row->first + row->count; n++) {
        double value, change;
        rbv_audit_coordinate(audit, state, system->terms[n].measure, &value, &change);
        *gap += system->terms[n].coefficient * value;
        *rate += system->terms[n].coefficient * change;
    }
    *gap *= contact->sign;
    *rate *= contact->sign;
}

/* A stop prints one number for both limits: up at the least value, down at the largest. A pull at one limit is a
 * push at the other. */
double rbv_audit_contact_push(const RbvReactions *printed, const RbvAuditContact *contact) {
    if (contact->stop < 0)
        return printed->value[contact->joint][RBV_LINE_F];
    const RbvStop *stop = &printed->system->model->stops.items[contact->stop];
    double push = contact->sign * printed->stop[contact->stop];
    return isfinite(stop->limit[0]) && isfinite(stop->limit[1]) ? fmax(push, 0) : push;
}

static void fail(RbvAudit *audit, double t, const char *name, const char *fault, double by, const char *unit) {
    if (audit->failed)
        return;
    audit->failed = true;
    audit->worst_time = t;
    audit->fault = (RbvAuditFault){name, fault, by, unit, 0};
}

/* [N or N m] Force on the row that is rounding. */
static double no_force(const RbvAudit *audit, const RbvState *state, int32_t row) {
    int32_t part = audit->system->row_part[row];
    double size = rbv_state_row_size(state, row), force = audit->force_scale, torque = audit->torque_scale;
    if (part >= 0) {
        force = audit->scale[part].force;
        torque = audit->scale[part].torque;
    }
    if (audit->system->rows[row].equation)
        return RBV_AUDIT_TOLERANCE * (torque + force * size) / rbv_state_equation_scale(state, row);
    return RBV_AUDIT_TOLERANCE * (audit->system->rows[row].angular ? torque + force * size : force + torque / size);
}

const char *rbv_audit_contact_unit(const RbvSystem *system, const RbvAuditContact *contact, bool push) {
    const RbvStop *stop = contact->stop < 0 ? NULL : &system->model->stops.items[contact->stop];
    if (stop && stop->of.named >= 0)
        return push ? stop->force_unit : stop->unit;
    return system->rows[contact->row].angular ? (push ? "N m" : "rad") : (push ? "N" : "m");
}

static void check_contact(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                          const RbvAuditContact *contact) {
    const char *force = rbv_audit_contact_unit(audit->system, contact, true),
               *length = rbv_audit_contact_unit(audit->system, contact, false);
    double gap, rate, push = rbv_audit_contact_push(reactions, contact), least = no_force(audit, state, contact->row);
    double closed = fmax(CLOSED, TOLERANCES * audit->tolerance) * rbv_state_row_scale(state, contact->row);
    closed += rbv_state_row_rounding(state, contact->row) *
              (audit->system->rows[contact->row].equation
                   ? rbv_state_row_scale(state, contact->row) / rbv_state_row_size(state, contact->row)
                   : 1);
    rbv_audit_gap(audit, state, contact, &gap, &rate);
    if (!(push >= -least))
        fail(audit, state->t, contact->name, "pulls with", -push, force);
    if (!(gap <= closed || push <= least))
        fail(audit, state->t, contact->name, "pushes where it is apart by", gap, length);
    if (!(gap >= -closed) && rbv_audit_contact_exists(state, contact))
        fail(audit, state->t, contact->name, "is passed by", -gap, length);
}

/* A drive with a limit (max:) follows its motion below the limit, or acts with the limit. */
static void check_drive(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvDrive *drive = &audit->system->model->drives.items[k];
    int32_t row = audit->system->drive_row[k];
    double limit = fmax(rbv_state_expression(state, drive->most, NULL, state->work), 0),
           effort = fabs(reactions->effort[k]);
    double least = ROUNDED * limit + no_force(audit, state, row);
    const char *unit = drive->of.named >= 0 ? drive->unit : audit->system->rows[row].angular ? "N m" : "N";
    if (!(effort <= limit + least))
        fail(audit, state->t, drive->name, "exceeds its limit by", effort - limit, unit);
    bool off = effort == 0 && rbv_audit_has_condition(audit->system->model, RBV_CONDITION_DRIVE,
                                                      k); /* an inactive drive has no effort */
    if (!rbv_state_holds(state, row) && !off && !(effort >= limit - least))
        fail(audit, state->t, drive->name, "falls behind with less than its limit, by", limit - effort, unit);
}

void rbv_audit_one_sided(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < rbv_audit_contact_count(audit->system); k++) {
        RbvAuditContact contact;
        if (rbv_audit_contact(audit->system, k, &contact))
            check_contact(audit, state, reactions, &contact);
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            check_drive(audit, state, reactions, k);
    for (int32_t k = 0; k < model->actuators.count; k++) {
        const RbvActuator *actuator = &model->actuators.items[k];
        double effort = fabs(reactions->actuator[k]);
        if (!(effort <= actuator->most * (1 + ROUNDED)))
            fail(audit, state->t, actuator->name, "exceeds its limit by", effort - actuator->most, actuator->unit);
    }
}
