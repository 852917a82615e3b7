/* The balance of impulses, body by body; see impact.h. Calls neither element/ nor the solver of the impact. */
#include "solution/audit/impact.h"
#include "mechanics/system/friction_contacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounding relative to the momenta of a part, times the condition number of mechanisms that still make sense. */
#define MOMENTUM_ROUNDED 1e-11
/* Tolerances relative to the rates of gaps, and to the energy. */
#define RATES 1e-7
#define ENERGY 1e-9
/* Least arm of impulses, relative to the size. */
#define LEAST_ARM 1e-3
/* [N s] Below it squares underflow. */
#define NO_IMPULSE 1e-140
/* Residual of bodies that have come to rest, rounding of rounding: relative to the momentum of a body with the
 * energy that counts as rounding. */
#define NOTHING 1e-24

static const RbvVec3 zero = {0, 0, 0};

bool rbv_impact_audit_create(RbvImpactAudit *a, const RbvSystem *system) {
    bool good = rbv_audit_create(&a->audit, system);
    a->before = calloc((size_t)system->model->bodies.count + 1, sizeof *a->before);
    a->rate = calloc((size_t)rbv_audit_contact_count(system) + 1, sizeof *a->rate);
    a->rotor = calloc((size_t)system->model->drives.count + 1, sizeof *a->rotor);
    a->kinetic = 0;
    return good && a->before && a->rate && a->rotor;
}

void rbv_impact_audit_destroy(RbvImpactAudit *a) {
    rbv_audit_destroy(&a->audit);
    free(a->before);
    free(a->rate);
    free(a->rotor);
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
    for (int32_t k = 0; k < rbv_audit_contact_count(system); k++) {
        RbvAuditContact contact;
        double gap;
        if (rbv_audit_contact(system, k, &contact))
            rbv_audit_gap(&a->audit, state, &contact, &gap, &a->rate[k]);
    }
}

/* Sums up the printed impulses on bodies. */
static void gather(RbvAudit *audit, const RbvState *state, const RbvReactions *impulses) {
    const RbvSystem *system = audit->system;
    size_t bodies = (size_t)system->model->bodies.count;
    rbv_audit_begin(audit, state);
    memset(audit->scale, 0, bodies * sizeof *audit->scale);
    memset(audit->largest, 0, bodies * sizeof *audit->largest);
    rbv_audit_joints(audit, state, impulses);
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
static void balance(RbvImpactAudit *a, const RbvState *state, int32_t b, double left[2]) {
    RbvAudit *audit = &a->audit;
    const RbvBody *body = &audit->system->model->bodies.items[b];
    RbvTwist after = state->twists[b], before = a->before[b];
    RbvVec3 p = rbv_scale(body->mass, rbv_sub(after.v, before.v)), L = zero;
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
    left[1] = body->particle ? 0 : audit->system->bodies.spatial ? rbv_norm(torque) : fabs(torque.z);
    double size = rbv_state_body_size(state, b);
    RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
    scale->force = fmax(scale->force, audit->sizes[b][0] + MOMENTUM_ROUNDED / RBV_AUDIT_TOLERANCE * p_size);
    audit->largest[b][0] = audit->sizes[b][0], audit->largest[b][1] = audit->sizes[b][1];
    scale->torque = fmax(scale->torque, audit->sizes[b][1] + LEAST_ARM * size * audit->sizes[b][0] +
                                            MOMENTUM_ROUNDED / RBV_AUDIT_TOLERANCE * (L_size + p_size * size));
}

static bool check_balance(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses, const RbvJump *jump,
                          char *text, size_t room) {
    RbvAudit *audit = &a->audit;
    const RbvModel *model = audit->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        balance(a, state, b, audit->left[b]);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
        double size = rbv_state_body_size(state, b), *left = audit->left[b],
               none = NO_IMPULSE + NOTHING * sqrt(2 * model->bodies.items[b].mass * jump->energy);
        if (left[0] <= RBV_AUDIT_TOLERANCE * (scale->force + LEAST_ARM * scale->torque / size) + none &&
            left[1] <= RBV_AUDIT_TOLERANCE * scale->torque + none * size)
            continue;
        snprintf(text, room, "left over %.3g N s, %.3g N m s at body '%s'", left[0], left[1],
                 model->bodies.items[b].name);
        return false;
    }
    rbv_audit_reset(audit);
    rbv_audit_gears(audit, state, impulses);
    if (audit->gear_off)
        snprintf(text, room, "what pushes the wheels of a gear apart does not belong to what drives them");
    return !audit->gear_off;
}

/* Verifies pushes and rates, before and after, of the contacts that were hit. */
static bool check_contacts(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses, const RbvJump *jump,
                           bool lost, char *text, size_t room) {
    const RbvSystem *system = a->audit.system;
    int32_t count = rbv_audit_contact_count(system);
    bool resting = false;
    double fastest = 0, gap, rate;
    RbvAuditContact contact;
    for (int32_t k = 0; k < count; k++) {
        if (!rbv_audit_contact(system, k, &contact) || rbv_audit_contact_push(impulses, &contact) == 0)
            continue;
        rbv_audit_gap(&a->audit, state, &contact, &gap, &rate);
        resting = resting || rbv_state_holds(state, contact.row);
        fastest = fmax(fastest, fmax(fabs(a->rate[k]), fabs(rate)));
    }
    for (int32_t k = 0; k < count; k++) {
        if (!rbv_audit_contact(system, k, &contact))
            continue;
        double push = rbv_audit_contact_push(impulses, &contact), least = jump->least;
        rbv_audit_gap(&a->audit, state, &contact, &gap, &rate);
        double back = contact.restitution * fmax(-a->rate[k], 0), off = RATES * fastest + jump->slow;
        if (fabs(push) * (fabs(rate) + fabs(a->rate[k])) <=
            jump->energy) /* the work of the contact is rounding, and so are its rates */
            continue;
        if (push < -least)
            snprintf(text, room, "'%s' pulls with %.3g %s s", contact.name, -push,
                     rbv_audit_contact_unit(system, &contact, true));
        else if (push > least && (rate < -off || rate > back + off ||
                                  (rate < back - off && !resting && !jump->engaged && !jump->moved && lost)))
            snprintf(text, room, "'%s' leaves at %.9g of a rate of approach of %.9g", contact.name, rate, -a->rate[k]);
        else
            continue;
        return false;
    }
    return true;
}

bool rbv_impact_audit_verify(RbvImpactAudit *a, const RbvState *state, const RbvReactions *impulses,
                             const RbvJump *jump, char *text, size_t room) {
    gather(&a->audit, state, impulses);
    push_rotors(a, state);
    double after = rbv_impact_audit_kinetic(a, state), gain = after - a->kinetic;
    double rounding = ENERGY * fmax(after, a->kinetic) + jump->energy;
    if (!check_balance(a, state, impulses, jump, text, room) ||
        !check_contacts(a, state, impulses, jump, gain < -rounding, text, room))
        return false;
    if (jump->moved || gain <= rounding)
        return true;
    snprintf(text, room, "%.3g J of kinetic energy become %.3g J", a->kinetic, after);
    return false;
}
