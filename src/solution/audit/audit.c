/* Balances from the reported numbers with plain formulas; see audit.h. Calls no formula of element/. */
#include "mechanics/system/contacts.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/audit/allowed.h"
#include "solution/audit/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of velocities relative to the fastest, rotations at the distance from the origin plus the size, since
 * coordinates are what is rounded. */
#define RATES_ROUNDED 1e-14

static const RbvVec3 zero = {0, 0, 0};

bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system) {
    size_t bodies = (size_t)system->model->bodies.count;
    *audit = (RbvAudit){.system = system};
    const bool spatial = system->bodies.spatial;
    const size_t columns = spatial ? 6 : 3;
    audit->r = calloc(bodies, sizeof *audit->r);
    audit->A = calloc(spatial ? bodies : 1, sizeof *audit->A);
    audit->turn = calloc(spatial ? 1 : bodies, sizeof *audit->turn);
    audit->applied = calloc(bodies * columns, sizeof *audit->applied);
    audit->joints = calloc(bodies * columns, sizeof *audit->joints);
    audit->sizes = calloc(bodies, sizeof *audit->sizes);
    audit->left = calloc(bodies, sizeof *audit->left);
    audit->single = calloc(bodies, sizeof *audit->single);
    audit->largest = calloc(bodies, sizeof *audit->largest);
    audit->floor = calloc(bodies, sizeof *audit->floor);
    audit->rounding = calloc(bodies, sizeof *audit->rounding);
    audit->scale = calloc(bodies, sizeof *audit->scale);
    bool sizes = audit->sizes && audit->single && audit->largest && audit->scale && audit->floor && audit->rounding;
    return sizes && audit->left && audit->r && audit->A && audit->turn && audit->applied && audit->joints;
}

void rbv_audit_reset(RbvAudit *audit) {
    audit->force = audit->torque = audit->power = audit->constraint = 0;
    audit->worst_body = 0;
    audit->fault = (RbvAuditFault){0};
    audit->failed = audit->gear_off = false;
}

void rbv_audit_destroy(RbvAudit *audit) {
    free(audit->r);
    free(audit->A);
    free(audit->turn);
    free(audit->applied);
    free(audit->joints);
    free(audit->sizes);
    free(audit->left);
    free(audit->single);
    free(audit->largest);
    free(audit->floor);
    free(audit->rounding);
    free(audit->scale);
}

/* Verifies that the radial force of a gear fits its tangential force. */
static void check_gear(RbvAudit *audit, const RbvState *state, const RbvJoint *joint, const double *value) {
    double along = fabs(value[RBV_LINE_FT]),
           Fr = along * tan(joint->sizes->pressure_angle) / cos(joint->sizes->helix_angle);
    if (joint->spatial) {
        const RbvMesh *mesh = &audit->system->model->meshes.items[joint->mesh];
        Fr = along * joint->sizes->radii[1] / mesh->turn[1] * mesh->apart;
    }
    double most = 0, allowed[2];
    for (int side = 0; side < 2; side++) {
        int32_t body = audit->system->model->markers.items[joint->marker[side]].body;
        if (body > 0)
            rbv_audit_allowed(audit, state, body, allowed);
        most = body > 0 ? fmax(most, allowed[0]) : most;
    }
    if (!(fabs(Fr - value[RBV_LINE_FR]) <= RBV_AUDIT_TOLERANCE * Fr + most))
        audit->gear_off = true;
}

void rbv_audit_gears(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    for (int32_t k = 0; k < audit->system->model->joints.count; k++)
        if (audit->system->model->joints.items[k].form == RBV_FORM_GEAR)
            check_gear(audit, state, &audit->system->model->joints.items[k], reactions->value[k]);
}

void rbv_audit_joints(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        RbvAuditPoint second = rbv_audit_point(audit, state, joint->marker[1]);
        const double *value = reactions->value[k];
        RbvVec3 F = {value[RBV_FX], value[RBV_FY], value[RBV_FZ]}, T = {value[RBV_TX], value[RBV_TY], value[RBV_TZ]};
        if (reactions->frame == RBV_FRAME_JOINT) {
            RbvMat3 axes = rbv_audit_axes(audit, rbv_joint_axes(joint));
            F = rbv_apply(&axes, F);
            T = rbv_apply(&axes, T);
        }
        rbv_audit_push(audit, audit->joints, second.body, second.p, F, T);
        rbv_audit_push(audit, audit->joints, model->markers.items[joint->marker[0]].body, second.p, rbv_scale(-1, F),
                       rbv_scale(-1, T));
    }
}

static void fail(RbvAudit *audit, int32_t body, double t) {
    if (audit->failed)
        return;
    audit->failed = true;
    audit->worst_body = body;
    audit->worst_time = t;
    memcpy(audit->worst, audit->left[body], sizeof audit->worst);
}

/* Rounding of coordinates relative to the distance from the origin, as an arm; over the tolerance. */
#define ROUNDED_ARM 1e-8
/* Least arm of forces, relative to the size. */
#define LEAST_ARM 1e-3

/* Newton and Euler for one body: left: residual {force, torque}; adds its share of the power. */
static void balance(RbvAudit *audit, const RbvState *state, int32_t b, double left[2]) {
    const RbvSystem *system = audit->system;
    const RbvBody *body = &system->model->bodies.items[b];
    RbvTwist v = state->twists[b], a = state->accelerations[b];
    RbvVec3 ma = rbv_scale(body->mass, a.v), Ja = zero;
    if (body->generalized) /* generalized coordinate: M q'' instead of m a */
        ma = rbv_vec3(rbv_state_generalized_inertia(state, body->generalized - 1), 0, 0);
    if (!body->particle)
        Ja = rbv_add(rbv_audit_momentum(audit, b, a.w), rbv_cross(v.w, rbv_audit_momentum(audit, b, v.w)));
    const RbvWrench applied = rbv_audit_sum(audit, audit->applied, b), joints = rbv_audit_sum(audit, audit->joints, b);
    double force = rbv_norm(rbv_sub(rbv_add(applied.force, joints.force), ma));
    double torque = body->particle ? 0 : rbv_norm(rbv_sub(rbv_add(applied.torque, joints.torque), Ja));
    if (!system->bodies.spatial && !body->particle) /* in the plane only torques about z count */
        torque = fabs(applied.torque.z + joints.torque.z - Ja.z);
    double force_size = audit->sizes[b][0] + rbv_audit_size(ma);
    double spin =
        rbv_norm(v.w) * rbv_norm(rbv_audit_momentum(audit, b, v.w)); /* size of terms that cancel in w x J w */
    double arm = LEAST_ARM * rbv_state_body_size(state, b) + ROUNDED_ARM * rbv_audit_size(audit->r[b]),
           torque_size = audit->sizes[b][1] + rbv_audit_size(Ja) + spin + force_size * arm;
    double *largest = audit->largest[b], single = fmax(audit->single[b][0], rbv_audit_size(ma));
    largest[0] = fmax(largest[0], single);
    largest[1] = fmax(largest[1], fmax(audit->single[b][1], rbv_audit_size(Ja) + spin) + single * arm);
    RbvAuditScale *scale = &audit->scale[system->part[b]];
    scale->force = fmax(scale->force, force_size);
    scale->torque = fmax(scale->torque, torque_size);
    audit->force_scale = fmax(audit->force_scale, force_size);
    audit->torque_scale = fmax(audit->torque_scale, torque_size);
    left[0] = force, left[1] = torque;
    audit->force = force > audit->force || isnan(force) ? force : audit->force;
    audit->torque = torque > audit->torque || isnan(torque) ? torque : audit->torque;
    scale->power_left += rbv_dot(rbv_sub(applied.force, ma), v.v) + rbv_dot(rbv_sub(applied.torque, Ja), v.w);
    scale->power_size += (rbv_audit_size(applied.force) + rbv_audit_size(ma)) * rbv_audit_size(v.v) +
                         (rbv_audit_size(applied.torque) + rbv_audit_size(Ja)) * rbv_audit_size(v.w) +
                         audit->sizes[b][0] * rbv_norm(v.v) + (audit->sizes[b][1] + spin) * rbv_norm(v.w);
}

/* [W] Speeds below 1e-154 m/s have no squares as floating point numbers, and so no sizes: nothing moves. */
#define NO_POWER 1e-140

/* Power that joints would have, part by part: joints end at ground or within the part. */
static void check_power(RbvAudit *audit, const RbvState *state) {
    double power = 0, power_size = 0, v = 0, w = 0, moves = 0;
    for (int32_t b = 1; b < audit->system->model->bodies.count; b++) {
        double size = rbv_state_body_size(state, b), speed = rbv_norm(state->twists[b].v),
               turning = rbv_norm(state->twists[b].w);
        v = fmax(v, speed + turning * (size + rbv_norm(audit->r[b]))); /* rounding of a centroid on the axis */
        w = fmax(w, turning + speed / size);
        moves += rbv_audit_motion_rounding(audit, state, b) * (speed + turning * size);
    }
    for (int32_t p = 0; p < audit->system->part_count; p++) {
        RbvAuditScale *scale = &audit->scale[p];
        scale->power = fmax(scale->power, scale->power_size);
        double rounding = RATES_ROUNDED * (scale->force * v + scale->torque * w); /* of velocities that are zero */
        if (!(fabs(scale->power_left) <= RBV_AUDIT_TOLERANCE * scale->power + fmax(rounding + moves, NO_POWER)))
            fail(audit, 0, state->t);
        power += scale->power_left;
        power_size += scale->power_size;
        scale->power_left = scale->power_size = 0;
    }
    audit->power = fmax(audit->power, fabs(power));
    audit->power_scale = fmax(audit->power_scale, power_size);
}

/* Verifies that the printed friction follows Coulomb's law from the joint's reaction. */
static void check_friction(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t i) {
    const RbvFrictionContact *friction = &audit->system->friction[i];
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    double effort[RBV_MOST_SLIP_DIRECTIONS];
    rbv_audit_friction(audit, state, reactions, i, effort);
    for (int c = 0; c < friction->count; c++) {
        double off = fabs(reactions->value[friction->joint][friction->slip[c].component] - effort[c]), most = 0,
               allowed[2];
        bool angular = friction->slip[c].angular;
        for (int side = 0; side < 2; side++) {
            int32_t b = audit->system->model->markers.items[joint->marker[side]].body;
            if (b > 0)
                rbv_audit_allowed(audit, state, b, allowed);
            most = b > 0 ? fmax(most, allowed[angular]) : most;
        }
        if (off <= most)
            continue;
        if (!audit->failed)
            audit->fault = (RbvAuditFault){joint->name, "has friction that is off Coulomb's law by", off,
                                           angular ? "N m" : "N", 0};
        fail(audit, 0, state->t);
    }
}

RbvStatus rbv_audit_verify(const RbvAudit *audit, const char *which, char *text, size_t size) {
    const RbvAuditFault *fault = &audit->fault;
    const char *body = audit->worst_body > 0 ? audit->system->model->bodies.items[audit->worst_body].name : NULL;
    char row[160];
    if (!audit->failed)
        return RBV_OK;
    if (fault->row > 0) {
        rbv_system_row_name(audit->system, fault->row - 1, row, sizeof row);
        snprintf(text, size, "%s fails its audit: the accelerations do not keep %s: its second rate is off by %.3g %s",
                 which, row, fault->by, fault->unit);
    } else if (fault->name)
        snprintf(text, size, "%s fails its audit: '%s' %s %.3g %s", which, fault->name, fault->does, fault->by,
                 fault->unit);
    else if (body)
        snprintf(text, size, "%s fails its audit at body '%s': left over %.3g N, %.3g N.m", which, body,
                 audit->worst[0], audit->worst[1]);
    else
        snprintf(text, size, "%s fails its audit at the power balance: left over %.3g N, %.3g N.m, %.3g W", which,
                 audit->force, audit->torque, audit->power);
    return RBV_AUDIT_FAILED;
}

/* Name of the row's owner in the model; NULL: the row need not be kept, as requirements of limited actuators. */
static const char *owner_of(const RbvModel *model, const RbvRow *row) {
    switch (row->owner) {
    case RBV_OWNER_JOINT: return model->joints.items[row->index].name;
    case RBV_OWNER_CONSTRAINT:
        return model->constraints.items[row->index].required ? NULL : model->constraints.items[row->index].name;
    case RBV_OWNER_DRIVE: return model->drives.items[row->index].name;
    case RBV_OWNER_STOP: return model->stops.items[row->index].name;
    default: return NULL;
    }
}

/* Verifies positions: Phi = 0 for joints, constraints and drives. Errors are relative to the scale of the row: the
 * size of the machine for lengths, a radian for angles. */
static void check_rows(RbvAudit *audit, const RbvState *state) {
    const RbvSystem *system = audit->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        bool asked = !row->on_rates && rbv_state_holds(state, k) && !(audit->given && row->owner == RBV_OWNER_DRIVE);
        const char *name = asked ? owner_of(system->model, row) : NULL;
        if (!name)
            continue;
        double size = rbv_state_row_size(state, k), scale = rbv_state_row_scale(state, k), off = fabs(state->phi[k]);
        double excused = (rbv_state_row_rounding(state, k) + audit->apart) * scale / size;
        if (off <= RBV_AUDIT_TOLERANCE * scale + excused)
            continue;
        if (!audit->failed)
            audit->fault = (RbvAuditFault){name, "is off by", off,
                                           row->equation  ? "of its unit"
                                           : row->angular ? "rad"
                                                          : "m",
                                           0};
        fail(audit, 0, state->t);
    }
}

void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    size_t bodies = (size_t)audit->system->model->bodies.count;
    rbv_audit_begin(audit, state);
    rbv_audit_loads(audit, state, reactions);
    rbv_audit_rows(audit, state, reactions);
    rbv_audit_joints(audit, state, reactions);
    for (int32_t b = 1; audit->missing && b < (int32_t)bodies; b++)
        rbv_audit_push(audit, audit->applied, b, audit->r[b], audit->missing[b].force, audit->missing[b].torque);
    for (int32_t b = 1; b < (int32_t)bodies; b++)
        balance(audit, state, b, audit->left[b]);
    for (int32_t b = 1; b < (int32_t)bodies; b++) {
        double allowed[2];
        rbv_audit_allowed(audit, state, b, allowed);
        if (!(audit->left[b][0] <= allowed[0]) || !(audit->left[b][1] <= allowed[1]))
            fail(audit, b, state->t);
    }
    check_rows(audit, state);
    rbv_audit_gears(audit, state, reactions); /* after the scales of this sample are known */
    for (int32_t i = 0; i < audit->system->friction_count; i++)
        check_friction(audit, state, reactions, i);
    if (audit->gear_off)
        fail(audit, 0, state->t);
    check_power(audit, state);
}
