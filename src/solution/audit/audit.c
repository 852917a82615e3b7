/* Balances from the reported numbers with plain formulas, body by body, and what may be left over of them; rows that
 * positions keep. Calls no formula of element/. */
#include "solution/audit/audit.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/audit/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The force that may remain unbalanced on a body: one rule for all analyses.
 *
 *   left <= 1e-7 F + floor,   F the largest single force on the body so far: a load, inertia, a reaction, an effort
 * Other forces of the machine count only through rounding, in the floor: rounding of the largest force in the body's
 * part of the machine, from which the body's forces are solved for; and rounding of its position, times the
 * stiffness of its supports. The latter counts up to a thousandth of F, beyond which no number is sure, unless all
 * forces of the part are such rounding. */

/* [N or N m] Force that counts as zero, for the largest force it was solved together with. */
static double audit_no_force(double largest) {
    /* Part of the largest force involved that is its rounding, times the condition number of mechanisms that still make
     * sense. [N] Where no force acts, residual of numbers so small that their squares underflow. */
    return RBV_CANCELLED * largest + RBV_UNDERFLOW;
}

/* [N] Force that may remain on a body because its acceleration is a sum in other coordinates. */
static double audit_motion_rounding(const RbvAudit *audit, const RbvState *state, int32_t body) {
    if (audit->system->coordinates.of_bodies)
        return 0;
    double size = rbv_state_body_size(state, body),
           speed = rbv_norm(state->twists[body].v) + size * rbv_norm(state->twists[body].w);
    /* Rounding of accelerations of bodies that are sums in other coordinates, relative to the accelerations by the
     * speed. */
    return RBV_ROUNDING * audit->system->model->bodies.items[body].mass * speed * speed / size;
}

/* [N] Force by rounding of the position of a body. */
static double rounding_of_place(const RbvAudit *audit, int32_t body, double force, const RbvAuditScale *part) {
    double rounding = audit->rounding[body];
    bool all = part->given == 0 && part->force <= rounding;
    /* A value with a larger relative error is `unsure` (docs/results.md), and no rounding excuses the error. */
    return all ? rounding : rbv_min(rounding, rbv_max(RBV_NOTICEABLE * force, RBV_AUDIT_TOLERANCE * part->force));
}

/* allowed: force [N] and torque [N m] that may remain on a body, by the largest forces so far. */
static void audit_allowed(const RbvAudit *audit, const RbvState *state, int32_t body, double allowed[2]) {
    const RbvAuditScale *part = &audit->scale[audit->system->part[body]];
    double size = rbv_state_body_size(state, body), *own = audit->largest[body];
    double force = own[0] + RBV_LEAST_SCALE * own[1] / size; /* torques alone leave forces that are their rounding */
    double floor =
        audit->floor[body] + audit_motion_rounding(audit, state, body) + rounding_of_place(audit, body, force, part);
    floor += audit_no_force(part->force + RBV_LEAST_SCALE * part->torque / size);
    allowed[0] = RBV_AUDIT_TOLERANCE * force + floor;
    allowed[1] = RBV_AUDIT_TOLERANCE * own[1] + allowed[0] * size +
                 audit_no_force(part->torque); /* the residual force may act anywhere on the body */
}

/* The balances of a sample. */

bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system) {
    size_t bodies = (size_t)system->model->bodies.count;
    *audit = (RbvAudit){.system = system};
    RbvArena *arena = &audit->arena;
    const bool spatial = system->bodies.spatial;
    const size_t columns = spatial ? 6 : 3;
    audit->r = rbv_arena_array(arena, bodies, sizeof *audit->r);
    audit->A = rbv_arena_array(arena, spatial ? bodies : 1, sizeof *audit->A);
    audit->turn = rbv_arena_array(arena, spatial ? 1 : bodies, sizeof *audit->turn);
    audit->applied = rbv_arena_array(arena, bodies * columns, sizeof *audit->applied);
    audit->joints = rbv_arena_array(arena, bodies * columns, sizeof *audit->joints);
    audit->sizes = rbv_arena_array(arena, bodies, sizeof *audit->sizes);
    audit->left = rbv_arena_array(arena, bodies, sizeof *audit->left);
    audit->single = rbv_arena_array(arena, bodies, sizeof *audit->single);
    audit->largest = rbv_arena_array(arena, bodies, sizeof *audit->largest);
    audit->floor = rbv_arena_array(arena, bodies, sizeof *audit->floor);
    audit->rounding = rbv_arena_array(arena, bodies, sizeof *audit->rounding);
    audit->scale = rbv_arena_array(arena, bodies, sizeof *audit->scale);
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
    rbv_arena_clear(&audit->arena);
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
            audit_allowed(audit, state, body, allowed);
        most = body > 0 ? rbv_max(most, allowed[0]) : most;
    }
    if (!(fabs(Fr - value[RBV_LINE_FR]) <= RBV_AUDIT_TOLERANCE * Fr + most))
        audit->gear_off = true;
}

void rbv_audit_gears(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    for (int32_t k = 0; k < audit->system->model->joints.count; k++)
        if (audit->system->model->joints.items[k].form == RBV_FORM_GEAR)
            check_gear(audit, state, &audit->system->model->joints.items[k], reactions->value[k]);
}

/* A joint's printed force or torque, in ground axes. */
RBV_UNROLLED RbvVec3 printed_in(bool spatial, const RbvAudit *audit, const RbvReactions *reactions,
                                const RbvJoint *joint, RbvVec3 x) {
    if (reactions->frame != RBV_FRAME_JOINT)
        return x;
    const RbvMarker *m = &audit->system->model->markers.items[rbv_joint_axes(joint)];
    return rbv_audit_turned_in(spatial, audit, m->body, rbv_apply(&rbv_marker_axes(m)->A, x));
}

RBV_UNROLLED void joints_in(bool spatial, RbvAudit *audit, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        const RbvAuditPoint second = rbv_audit_position_in(spatial, audit, joint->marker[1]);
        const double *value = reactions->value[k];
        RbvVec3 F = {value[RBV_FX], value[RBV_FY], spatial ? value[RBV_FZ] : 0}, T = {0, 0, value[RBV_TZ]};
        F = printed_in(spatial, audit, reactions, joint, F);
        if (spatial)
            T = printed_in(true, audit, reactions, joint, (RbvVec3){value[RBV_TX], value[RBV_TY], value[RBV_TZ]});
        rbv_audit_push_in(spatial, audit, audit->joints, second.body, second.p, F, T);
        rbv_audit_push_in(spatial, audit, audit->joints, model->markers.items[joint->marker[0]].body, second.p,
                          rbv_scale(-1, F), rbv_scale(-1, T));
    }
}

void rbv_audit_joints(RbvAudit *audit, const RbvReactions *reactions) {
    RBV_AUDIT_BY_SPACE(audit, joints_in, audit, reactions);
}

static void fail_body(RbvAudit *audit, int32_t body, double t) {
    if (audit->failed)
        return;
    audit->failed = true;
    audit->worst_body = body;
    audit->worst_time = t;
    memcpy(audit->worst, audit->left[body], sizeof audit->worst);
}

/* m a of a body, and J alpha + w x J w with the size of the terms that cancel in w x J w. */
RBV_UNROLLED void inertia_of(bool spatial, const RbvAudit *audit, const RbvState *state, int32_t b, RbvVec3 *ma,
                             RbvVec3 *Ja, double *spin) {
    const RbvBody *body = &audit->system->model->bodies.items[b];
    const RbvTwist *v = &state->twists[b], *a = &state->accelerations[b];
    const double m = body->mass;
    *ma = (RbvVec3){m * a->v.x, m * a->v.y, spatial ? m * a->v.z : 0};
    *Ja = (RbvVec3){0, 0, 0};
    if (body->generalized) /* generalized coordinate: M q'' instead of m a */
        *ma = rbv_vec3(rbv_state_generalized_inertia(state, body->generalized - 1), 0, 0);
    if (spatial) {
        RbvVec3 L = rbv_audit_momentum(audit, b, v->w);
        *spin = rbv_norm(v->w) * rbv_norm(L);
        if (!body->particle)
            *Ja = rbv_add(rbv_audit_momentum(audit, b, a->w), rbv_cross(v->w, L));
        return;
    }
    *spin = fabs(v->w.z) * fabs(body->inertia[2] * v->w.z);
    Ja->z = body->particle ? 0 : body->inertia[2] * a->w.z;
}

static double larger_or_nan(double x, double most) {
    return x > most || isnan(x) ? x : most;
}

/* Newton and Euler for one body: left: residual {force, torque}; adds its share of the power. */
RBV_UNROLLED void balance_body(bool spatial, RbvAudit *audit, const RbvState *state, int32_t b, double left[2]) {
    const RbvSystem *system = audit->system;
    const RbvVec3 v = state->twists[b].v, w = state->twists[b].w;
    const bool particle = system->model->bodies.items[b].particle;
    const double *sizes = audit->sizes[b];
    const RbvWrench applied = rbv_audit_sum(audit, audit->applied, b), joints = rbv_audit_sum(audit, audit->joints, b);
    RbvVec3 ma, Ja;
    double spin;
    inertia_of(spatial, audit, state, b, &ma, &Ja, &spin);
    const RbvVec3 F = rbv_audit_difference_in(spatial, applied.force, ma);
    left[0] = rbv_audit_length_in(spatial, rbv_audit_sum_in(spatial, F, joints.force));
    /* in the plane only torques about z count */
    left[1] = spatial ? rbv_norm(rbv_sub(rbv_add(applied.torque, joints.torque), Ja))
                      : fabs(applied.torque.z + joints.torque.z - Ja.z);
    left[1] = particle ? 0 : left[1];
    double ma_size = rbv_audit_size_in(spatial, ma), Ja_size = spatial ? rbv_audit_size_in(true, Ja) : fabs(Ja.z),
           force_size = sizes[0] + ma_size;
    /* Rounding of coordinates relative to the distance from the origin, as an arm; over the tolerance. */
    double arm = RBV_LEAST_SCALE * state->size[b] + RBV_ROOT_EPS * rbv_audit_size_in(spatial, audit->r[b]),
           torque_size = sizes[1] + Ja_size + spin + force_size * arm;
    double *largest = audit->largest[b], single = rbv_max(audit->single[b][0], ma_size);
    largest[0] = rbv_max(largest[0], single);
    largest[1] = rbv_max(largest[1], rbv_max(audit->single[b][1], Ja_size + spin) + single * arm);
    RbvAuditScale *scale = &audit->scale[system->part[b]];
    scale->force = rbv_max(scale->force, force_size);
    scale->torque = rbv_max(scale->torque, torque_size);
    audit->force_scale = rbv_max(audit->force_scale, force_size);
    audit->torque_scale = rbv_max(audit->torque_scale, torque_size);
    audit->force = larger_or_nan(left[0], audit->force);
    audit->torque = larger_or_nan(left[1], audit->torque);
    double speed = rbv_audit_length_in(spatial, v), turning = spatial ? rbv_norm(w) : fabs(w.z);
    double turning_size = spatial ? rbv_audit_size_in(true, w) : turning,
           torques = spatial ? rbv_audit_size_in(true, applied.torque) : fabs(applied.torque.z);
    scale->power_left += rbv_audit_dot_in(spatial, F, v) +
                         (spatial ? rbv_dot(rbv_sub(applied.torque, Ja), w) : (applied.torque.z - Ja.z) * w.z);
    scale->power_size += (rbv_audit_size_in(spatial, applied.force) + ma_size) * rbv_audit_size_in(spatial, v) +
                         (torques + Ja_size) * turning_size + sizes[0] * speed + (sizes[1] + spin) * turning;
}

RBV_UNROLLED void balance_bodies(bool spatial, RbvAudit *audit, const RbvState *state) {
    for (int32_t b = 1; b < audit->system->model->bodies.count; b++)
        balance_body(spatial, audit, state, b, audit->left[b]);
}

/* Power that joints would have, part by part: joints end at ground or within the part. */
static void check_power(RbvAudit *audit, const RbvState *state) {
    double power = 0, power_size = 0, v = 0, w = 0, moves = 0, most = 0;
    for (int32_t b = 1; b < audit->system->model->bodies.count; b++) {
        double size = rbv_state_body_size(state, b), speed = rbv_norm(state->twists[b].v),
               turning = rbv_norm(state->twists[b].w);
        v = rbv_max(v, speed + turning * (size + rbv_norm(audit->r[b]))); /* rounding of a centroid on the axis */
        w = rbv_max(w, turning + speed / size);
        most = rbv_max(most, size);
        moves += audit_motion_rounding(audit, state, b) * (speed + turning * size);
    }
    for (int32_t p = 0; p < audit->system->part_count; p++) {
        RbvAuditScale *scale = &audit->scale[p];
        scale->power = rbv_max(scale->power, scale->power_size);
        /* Rounding of velocities relative to the fastest, rotations at the distance from the origin plus the size,
         * since coordinates are what is rounded. */
        double rounding = RBV_SUM_EXACT * (scale->force * v + scale->torque * w); /* of velocities that are zero */
        /* Of a mechanism at rest, whose rates are rounding and have no scale but the least one [rad/s] (scales.h). */
        double rest = RBV_ROUNDING * RBV_LEAST_SCALE * (scale->force * most + scale->torque);
        /* [W] Speeds below 1e-154 m/s have no squares as floating point numbers, and so no sizes: nothing moves. */
        double allowed = RBV_AUDIT_TOLERANCE * scale->power + rbv_max(rounding + moves + rest, RBV_UNDERFLOW);
        if (!(fabs(scale->power_left) <= allowed))
            fail_body(audit, 0, state->t);
        power += scale->power_left;
        power_size += scale->power_size;
        scale->power_left = scale->power_size = 0;
    }
    audit->power = rbv_max(audit->power, fabs(power));
    audit->power_scale = rbv_max(audit->power_scale, power_size);
}

/* Verifies that the printed friction follows Coulomb's law from the joint's reaction. */
static void check_friction(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t i) {
    const RbvFrictionContact *friction = &audit->system->friction[i];
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    double effort[RBV_MOST_SLIP_DIRECTIONS];
    rbv_audit_friction(audit, state, reactions, i, effort);
    for (int c = 0; c < friction->count; c++) {
        double error = fabs(reactions->value[friction->joint][friction->slip[c].component] - effort[c]), most = 0,
               allowed[2];
        bool angular = friction->slip[c].angular;
        for (int side = 0; side < 2; side++) {
            int32_t b = audit->system->model->markers.items[joint->marker[side]].body;
            if (b > 0)
                audit_allowed(audit, state, b, allowed);
            most = b > 0 ? rbv_max(most, allowed[angular]) : most;
        }
        if (error <= most)
            continue;
        if (!audit->failed)
            audit->fault = (RbvAuditFault){joint->name, "has friction that is off Coulomb's law by", error,
                                           angular ? "N m" : "N", 0};
        fail_body(audit, 0, state->t);
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
        if (row->on_rates || !rbv_state_holds(state, k) || (audit->prescribed && row->owner == RBV_OWNER_DRIVE))
            continue;
        double size = rbv_state_row_size(state, k), scale = rbv_state_row_scale(state, k), error = fabs(state->phi[k]);
        if (error <= RBV_AUDIT_TOLERANCE * scale ||
            error <= RBV_AUDIT_TOLERANCE * scale + (rbv_state_row_rounding(state, k) + audit->apart) * scale / size)
            continue;
        const char *name = owner_of(system->model, row);
        if (!name)
            continue;
        if (!audit->failed)
            audit->fault = (RbvAuditFault){name, "is off by", error,
                                           row->equation  ? "of its unit"
                                           : row->angular ? "rad"
                                                          : "m",
                                           0};
        fail_body(audit, 0, state->t);
    }
}

void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    size_t bodies = (size_t)audit->system->model->bodies.count;
    rbv_audit_begin(audit, state);
    rbv_audit_loads(audit, state, reactions);
    rbv_audit_rows(audit, state, reactions);
    rbv_audit_joints(audit, reactions);
    for (int32_t b = 1; audit->missing && b < (int32_t)bodies; b++)
        rbv_audit_push(audit, audit->applied, b, audit->r[b], audit->missing[b].force, audit->missing[b].torque);
    RBV_AUDIT_BY_SPACE(audit, balance_bodies, audit, state);
    for (int32_t b = 1; b < (int32_t)bodies; b++) {
        double allowed[2];
        audit_allowed(audit, state, b, allowed);
        if (!(audit->left[b][0] <= allowed[0]) || !(audit->left[b][1] <= allowed[1]))
            fail_body(audit, b, state->t);
    }
    check_rows(audit, state);
    rbv_audit_gears(audit, state, reactions); /* after the scales of this sample are known */
    for (int32_t i = 0; i < audit->system->friction_count; i++)
        check_friction(audit, state, reactions, i);
    if (audit->gear_off)
        fail_body(audit, 0, state->t);
    check_power(audit, state);
}
