/* Contacts, limited drives and actuators from the printed forces; the balance of impulses, body by body, where rates
 * jump. Calls neither element/ nor the solver of the impact. */
#include "solution/audit/impact.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/audit/points.h"

#include <stdio.h>
#include <string.h>

/* Unilateral constraints: stops and unilateral joints push and never pull, push only where they touch, and are not
 * penetrated; drives and actuators stay within their limits.
 *
 *   gap g >= 0,   push p >= 0,   p > 0 only where g = 0
 * Verified from the printed forces and the poses. */

/* Relative to the size of the part: a gap below it is closed, and no gap is below its negative, as rows that engage
 * and starts have errors of this size. In integrated motions a few tolerances of the motion. */
#define TOLERANCES 10

/* One limit of a stop, or a unilateral joint. The gap is `sign` times the row's value minus its target. */
typedef struct AuditContact {
    const char *name; /* name in the model, owned by it */
    int32_t row;
    double sign, restitution;
    int32_t stop, joint; /* index of its stop or joint; -1: none */
} AuditContact;

/* Number of possible contacts. */
static int32_t audit_contact_count(const RbvSystem *system) {
    return 2 * system->model->stops.count + system->model->joints.count;
}

/* Contact number k of audit_contact_count. False: the model has no contact of that number. */
static bool audit_contact(const RbvSystem *system, int32_t k, AuditContact *contact) {
    const RbvModel *model = system->model;
    if (k < 2 * model->stops.count) {
        const RbvStop *stop = &model->stops.items[k / 2];
        *contact = (AuditContact){stop->name, system->stop_row[k], k % 2 == 0 ? 1 : -1, stop->restitution, k / 2, -1};
        return contact->row >= 0;
    }
    int32_t j = k - 2 * model->stops.count;
    const RbvJoint *joint = &model->joints.items[j]; /* a rope has a largest length */
    *contact = (AuditContact){
        joint->name, system->joint_row[j], joint->form == RBV_FORM_DISTANCE ? -1 : 1, joint->sizes->restitution, -1, j};
    return joint->unilateral;
}

/* Does the contact exist, by the condition (active:) of its stop or joint? */
static bool audit_contact_exists(const RbvState *state, const AuditContact *contact) {
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

/* Gap [m or rad] and its rate at a state whose bodies have been placed in the audit. */
static void audit_gap(const RbvAudit *audit, const RbvState *state, const AuditContact *contact, double *gap,
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

/* Push of the contact by printed forces or impulses; negative: it pulls. A stop prints one number for both limits: up
 * at the least value, down at the largest. A pull at one limit is a push at the other. */
static double audit_contact_push(const RbvReactions *printed, const AuditContact *contact) {
    if (contact->stop < 0)
        return printed->value[contact->joint][RBV_LINE_F];
    const RbvStop *stop = &printed->system->model->stops.items[contact->stop];
    double push = contact->sign * printed->stop[contact->stop];
    return isfinite(stop->limit[0]) && isfinite(stop->limit[1]) ? rbv_max(push, 0) : push;
}

static void fail_item(RbvAudit *audit, double t, const char *name, const char *fault, double by, const char *unit) {
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

/* Unit of the contact's push, or of its gap. */
static const char *audit_contact_unit(const RbvSystem *system, const AuditContact *contact, bool push) {
    const RbvStop *stop = contact->stop < 0 ? NULL : &system->model->stops.items[contact->stop];
    if (stop && stop->of.named >= 0)
        return push ? stop->force_unit : stop->unit;
    if (system->rows[contact->row].angular)
        return push ? "N m" : "rad";
    return push ? "N" : "m";
}

static void check_contact(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                          const AuditContact *contact) {
    const char *force = audit_contact_unit(audit->system, contact, true),
               *length = audit_contact_unit(audit->system, contact, false);
    double gap, rate, push = audit_contact_push(reactions, contact), least = no_force(audit, state, contact->row);
    double closed = rbv_max(RBV_FITS, TOLERANCES * audit->tolerance) * rbv_state_row_scale(state, contact->row);
    closed += rbv_state_row_rounding(state, contact->row) *
              (audit->system->rows[contact->row].equation
                   ? rbv_state_row_scale(state, contact->row) / rbv_state_row_size(state, contact->row)
                   : 1);
    audit_gap(audit, state, contact, &gap, &rate);
    if (!(push >= -least))
        fail_item(audit, state->t, contact->name, "pulls with", -push, force);
    if (!(gap <= closed || push <= least))
        fail_item(audit, state->t, contact->name, "pushes where it is apart by", gap, length);
    if (!(gap >= -closed) && audit_contact_exists(state, contact))
        fail_item(audit, state->t, contact->name, "is passed by", -gap, length);
}

/* A drive with a limit (max:) follows its motion below the limit, or acts with the limit. */
static void check_drive(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvDrive *drive = &audit->system->model->drives.items[k];
    int32_t row = audit->system->drive_row[k];
    double limit = rbv_max(rbv_state_expression(state, drive->most, NULL, state->work), 0),
           effort = fabs(reactions->effort[k]);
    /* Rounding relative to an actuator's limit. */
    double least = RBV_SAME * limit + no_force(audit, state, row);
    const char *unit = audit->system->rows[row].angular ? "N m" : "N";
    if (drive->of.named >= 0)
        unit = drive->unit;
    if (!(effort <= limit + least))
        fail_item(audit, state->t, drive->name, "exceeds its limit by", effort - limit, unit);
    bool inactive = effort == 0 && rbv_audit_has_condition(audit->system->model, RBV_CONDITION_DRIVE,
                                                           k); /* an inactive drive has no effort */
    if (!rbv_state_holds(state, row) && !inactive && !(effort >= limit - least))
        fail_item(audit, state->t, drive->name, "falls behind with less than its limit, by", limit - effort, unit);
}

void rbv_audit_one_sided(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < audit_contact_count(audit->system); k++) {
        AuditContact contact;
        if (audit_contact(audit->system, k, &contact))
            check_contact(audit, state, reactions, &contact);
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            check_drive(audit, state, reactions, k);
    for (int32_t k = 0; k < model->actuators.count; k++) {
        const RbvActuator *actuator = &model->actuators.items[k];
        double effort = fabs(reactions->actuator[k]);
        if (!(effort <= actuator->most * (1 + RBV_SAME)))
            fail_item(audit, state->t, actuator->name, "exceeds its limit by", effort - actuator->most, actuator->unit);
    }
}

/* Impulses. */

/* Residual of bodies that have come to rest, rounding of rounding: relative to the momentum of a body with the
 * energy that counts as rounding. */
#define NOTHING 1e-24

bool rbv_impact_audit_create(RbvImpactAudit *a, const RbvSystem *system) {
    bool good = rbv_audit_create(&a->audit, system);
    a->before = rbv_arena_array(&a->audit.arena, (size_t)system->model->bodies.count + 1, sizeof *a->before);
    a->rate = rbv_arena_array(&a->audit.arena, (size_t)audit_contact_count(system) + 1, sizeof *a->rate);
    a->rotor = rbv_arena_array(&a->audit.arena, (size_t)system->model->drives.count + 1, sizeof *a->rotor);
    a->kinetic = 0;
    return good && a->before && a->rate && a->rotor;
}

void rbv_impact_audit_destroy(RbvImpactAudit *a) {
    rbv_audit_destroy(&a->audit);
    *a = (RbvImpactAudit){0};
}

/* (M (q'+ - q'-))_k of generalized coordinate k; `before` NULL: (M q')_k. */
static double generalized_momentum(const RbvState *state, int32_t k, const RbvTwist *before) {
    const RbvModel *model = state->system->model;
    int32_t n = model->generalized.count;
    double sum = 0;
    for (int32_t j = 0; j < n; j++) {
        int32_t b = model->generalized.items[j].body;
        sum += state->mass[k * n + j] * (state->twists[b].v.x - (before ? before[b].v.x : 0));
    }
    return sum;
}

/* Inertia m of the rotor of drive k, reduced to its coordinate, and the rate of that coordinate; m 0: no rotor. */
static double rotor_of(const RbvAudit *audit, const RbvState *state, int32_t k, double *rate) {
    const RbvDrive *drive = &audit->system->model->drives.items[k];
    double value;
    if (!drive->has_rotor)
        return 0;
    rbv_audit_coordinate(audit, state, drive->of.measure, &value, rate);
    return drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio;
}

/* Impulses of rotors on the bodies, as their rates change. */
static void push_rotors(RbvImpactAudit *a, const RbvState *state) {
    const RbvModel *model = a->audit.system->model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        double rate = 0, m = rotor_of(&a->audit, state, k, &rate);
        if (m > 0)
            rbv_audit_push_coordinate(&a->audit, state, model->drives.items[k].of.measure, -m * (rate - a->rotor[k]));
    }
}

double rbv_impact_audit_kinetic(RbvImpactAudit *a, const RbvState *state) {
    const RbvModel *model = a->audit.system->model;
    double sum = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        RbvTwist t = state->twists[b];
        rbv_audit_place(&a->audit, state, b);
        sum += 0.5 * (model->bodies.items[b].mass * rbv_dot(t.v, t.v) +
                      (model->bodies.items[b].particle ? 0 : rbv_dot(t.w, rbv_audit_momentum(&a->audit, b, t.w))));
    }
    for (int32_t k = 0; k < model->generalized.count; k++)
        sum += 0.5 * state->twists[model->generalized.items[k].body].v.x * generalized_momentum(state, k, NULL);
    for (int32_t k = 0; k < model->drives.count; k++) {
        double rate = 0, m = rotor_of(&a->audit, state, k, &rate);
        sum += 0.5 * m * rate * rate;
    }
    return sum;
}

void rbv_impact_audit_begin(RbvImpactAudit *a, const RbvState *state) {
    const RbvSystem *system = a->audit.system;
    for (int32_t b = 0; b < system->model->bodies.count; b++)
        rbv_audit_place(&a->audit, state, b);
    memcpy(a->before, state->twists, (size_t)system->model->bodies.count * sizeof *a->before);
    a->kinetic = rbv_impact_audit_kinetic(a, state);
    for (int32_t k = 0; k < system->model->drives.count; k++)
        rotor_of(&a->audit, state, k, &a->rotor[k]);
    for (int32_t k = 0; k < audit_contact_count(system); k++) {
        AuditContact contact;
        double gap;
        if (audit_contact(system, k, &contact))
            audit_gap(&a->audit, state, &contact, &gap, &a->rate[k]);
    }
}

/* Sums up the printed impulses on bodies. */
static void gather(RbvAudit *audit, const RbvState *state, const RbvReactions *impulses) {
    const RbvSystem *system = audit->system;
    size_t bodies = (size_t)system->model->bodies.count;
    rbv_audit_begin(audit, state);
    memset(audit->scale, 0, bodies * sizeof *audit->scale);
    memset(audit->largest, 0, bodies * sizeof *audit->largest);
    rbv_audit_joints(audit, impulses);
    rbv_audit_rows(audit, state, impulses);
    for (int32_t i = 0; i < system->friction_count; i++) { /* sticking friction has impulses */
        const RbvFrictionContact *friction = &system->friction[i];
        double effort[RBV_MOST_SLIP_DIRECTIONS] = {0};
        for (int c = 0; c < friction->count && friction->stick_row >= 0; c++)
            effort[c] = impulses->value[friction->joint][friction->slip[c].component];
        if (!friction->own) /* friction of its own is printed with the joint */
            rbv_audit_push_friction(audit, state, i, effort);
    }
}

/* Residual impulse and moment of one body against the change of its momentum; enlarges the sizes of its part. */
static void balance_impulses(RbvImpactAudit *a, const RbvState *state, int32_t b, double left[2]) {
    RbvAudit *audit = &a->audit;
    const RbvBody *body = &audit->system->model->bodies.items[b];
    RbvTwist after = state->twists[b], before = a->before[b];
    RbvVec3 p = rbv_scale(body->mass, rbv_sub(after.v, before.v)), L = rbv_vec3(0, 0, 0);
    double p_size = body->mass * (rbv_audit_size(after.v) + rbv_audit_size(before.v)), L_size = 0;
    if (body->generalized) {
        p = rbv_vec3(generalized_momentum(state, body->generalized - 1, a->before), 0, 0);
        p_size = fabs(generalized_momentum(state, body->generalized - 1, NULL)) + fabs(p.x);
    }
    if (!body->particle) {
        L = rbv_audit_momentum(audit, b, rbv_sub(after.w, before.w));
        L_size = rbv_audit_size(rbv_audit_momentum(audit, b, after.w)) +
                 rbv_audit_size(rbv_audit_momentum(audit, b, before.w));
    }
    const RbvWrench applied = rbv_audit_sum(audit, audit->applied, b), joints = rbv_audit_sum(audit, audit->joints, b);
    RbvVec3 torque = rbv_sub(rbv_add(applied.torque, joints.torque), L);
    left[0] = rbv_norm(rbv_sub(rbv_add(applied.force, joints.force), p));
    left[1] = audit->system->bodies.spatial ? rbv_norm(torque) : fabs(torque.z);
    if (body->particle)
        left[1] = 0;
    double size = rbv_state_body_size(state, b);
    RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
    /* Rounding relative to the momenta of a part, times the condition number of mechanisms that still make sense. */
    scale->force = rbv_max(scale->force, audit->sizes[b][0] + RBV_SOLVED / RBV_AUDIT_TOLERANCE * p_size);
    audit->largest[b][0] = audit->sizes[b][0], audit->largest[b][1] = audit->sizes[b][1];
    scale->torque = rbv_max(scale->torque, audit->sizes[b][1] + RBV_LEAST_SCALE * size * audit->sizes[b][0] +
                                               RBV_SOLVED / RBV_AUDIT_TOLERANCE * (L_size + p_size * size));
}

static bool check_balance(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses, const RbvJump *jump,
                          char *text, size_t text_size) {
    RbvAudit *audit = &a->audit;
    const RbvModel *model = audit->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        balance_impulses(a, state, b, audit->left[b]);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
        /* [N s] Below it squares underflow. */
        double size = rbv_state_body_size(state, b), *left = audit->left[b],
               none = RBV_UNDERFLOW + NOTHING * sqrt(2 * model->bodies.items[b].mass * jump->energy);
        if (left[0] <= RBV_AUDIT_TOLERANCE * (scale->force + RBV_LEAST_SCALE * scale->torque / size) + none &&
            left[1] <= RBV_AUDIT_TOLERANCE * scale->torque + none * size)
            continue;
        snprintf(text, text_size, "left over %.3g N s, %.3g N m s at body '%s'", left[0], left[1],
                 model->bodies.items[b].name);
        return false;
    }
    rbv_audit_reset(audit);
    rbv_audit_gears(audit, state, impulses);
    if (audit->gear_off)
        snprintf(text, text_size, "what pushes the wheels of a gear apart does not belong to what drives them");
    return !audit->gear_off;
}

/* Verifies pushes and rates, before and after, of the contacts that were hit. */
static bool check_contacts(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses, const RbvJump *jump,
                           bool lost, char *text, size_t size) {
    const RbvSystem *system = a->audit.system;
    int32_t count = audit_contact_count(system);
    bool resting = false;
    double fastest = 0, gap, rate;
    AuditContact contact;
    for (int32_t k = 0; k < count; k++) {
        if (!audit_contact(system, k, &contact) || audit_contact_push(impulses, &contact) == 0)
            continue;
        audit_gap(&a->audit, state, &contact, &gap, &rate);
        resting = resting || rbv_state_holds(state, contact.row);
        fastest = rbv_max(fastest, rbv_max(fabs(a->rate[k]), fabs(rate)));
    }
    for (int32_t k = 0; k < count; k++) {
        if (!audit_contact(system, k, &contact))
            continue;
        double push = audit_contact_push(impulses, &contact), least = jump->least;
        audit_gap(&a->audit, state, &contact, &gap, &rate);
        /* Tolerances relative to the rates of gaps, and to the energy. */
        double back = contact.restitution * rbv_max(-a->rate[k], 0), difference = RBV_BALANCED * fastest + jump->slow;
        if (fabs(push) * (fabs(rate) + fabs(a->rate[k])) <=
            jump->energy) /* the work of the contact is rounding, and so are its rates */
            continue;
        if (push < -least)
            snprintf(text, size, "'%s' pulls with %.3g %s s", contact.name, -push,
                     audit_contact_unit(system, &contact, true));
        else if (push > least && (rate < -difference || rate > back + difference ||
                                  (rate < back - difference && !resting && !jump->engaged && !jump->moved && lost)))
            snprintf(text, size, "'%s' leaves at %.9g of a rate of approach of %.9g", contact.name, rate, -a->rate[k]);
        else
            continue;
        return false;
    }
    return true;
}

bool rbv_impact_audit_verify(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses,
                             const RbvJump *jump, char *text, size_t size) {
    gather(&a->audit, state, impulses);
    push_rotors(a, state);
    double after = rbv_impact_audit_kinetic(a, state), gain = after - a->kinetic;
    double rounding = RBV_SAME * rbv_max(after, a->kinetic) + jump->energy;
    if (!check_balance(a, state, impulses, jump, text, size) ||
        !check_contacts(a, state, impulses, jump, gain < -rounding, text, size))
        return false;
    if (jump->moved || gain <= rounding)
        return true;
    snprintf(text, size, "%.3g J of kinetic energy become %.3g J", a->kinetic, after);
    return false;
}
