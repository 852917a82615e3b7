/* Contacts with friction of their own (wheels, balls, knife edges, belts), ends of bars, and rolling teeth, by plain
 * geometry of points: slip rate, printed force along the slip direction, normal load.
 *
 *   contact: P below the centre of the ball, or the lowest point of the disk; slip directions along and across
 *            its path on the plane
 *   teeth:   the line through the pitch point P about which one wheel rotates relative to the other: along the
 *            first's axis, or from the intersection of the axes to P
 *   belt:    u = r2 w2 + s r1 w1 - (s r1 + r2) theta', w about the pulleys' axes, theta' the rate of the line of
 *            centres, s = 1 crossed, -1 open */
#include "solution/audit/points.h"

#include "mechanics/system/friction_contacts.h"

static RbvVec3 unit(RbvVec3 a) {
    return rbv_scale(1 / sqrt(rbv_dot(a, a)), a);
}

bool rbv_audit_rolls(const RbvModel *model, const RbvFrictionContact *friction) {
    const RbvJoint *joint = &model->joints.items[friction->joint];
    return (joint->form == RBV_FORM_GEAR || joint->form == RBV_FORM_RACK) && friction->slip[0].angular;
}

/* Line about which the wheels of a gear, or the pinion and the rack, rotate relative to each other. For intersecting
 * axes s h0 = d + t h1 gives the intersection, d between the centres. */
static RbvVec3 rolling_line(const RbvAudit *audit, const RbvState *state, const RbvJoint *joint) {
    if (!joint->spatial)
        return rbv_vec3(0, 0, 1);
    RbvVec3 h0 = rbv_audit_axes(audit, joint->marker[0]).column[2],
            h1 = rbv_audit_axes(audit, joint->marker[1]).column[2];
    if (joint->form == RBV_FORM_RACK)
        return h1;
    const RbvMesh *mesh = &audit->system->model->meshes.items[joint->mesh];
    if (mesh->parallel)
        return h0;
    RbvVec3 i = rbv_audit_point(audit, state, joint->marker[0]).p,
            d = rbv_sub(rbv_audit_point(audit, state, joint->marker[1]).p, i), across = rbv_cross(h0, h1);
    RbvVec3 apex = rbv_add_scaled(i, rbv_dot(rbv_cross(d, h1), across) / rbv_dot(across, across), h0);
    return unit(rbv_sub(rbv_audit_point(audit, state, mesh->line[0]).p, apex));
}

double rbv_audit_rolling_rate(const RbvAudit *audit, const RbvState *state, int32_t index) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const RbvMarker *markers = audit->system->model->markers.items;
    RbvVec3 turning =
        rbv_sub(state->twists[markers[joint->marker[1]].body].w, state->twists[markers[joint->marker[0]].body].w);
    return rbv_dot(rolling_line(audit, state, joint), turning);
}

void rbv_audit_push_rolling(RbvAudit *audit, const RbvState *state, int32_t index, double couple) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvVec3 line = rolling_line(audit, state, joint), zero = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        RbvAuditPoint at = rbv_audit_point(audit, state, joint->marker[side]);
        rbv_audit_push(audit, audit->applied, at.body, at.p, zero, rbv_scale(side ? couple : -couple, line));
    }
}

/* Contact point, and its slip direction c. */
static RbvVec3 contact(const RbvAudit *audit, const RbvState *state, const RbvJoint *joint, int c, RbvVec3 *slip) {
    RbvMat3 first = rbv_audit_axes(audit, joint->marker[0]), second = rbv_audit_axes(audit, joint->marker[1]);
    RbvVec3 N = first.column[2], axle = second.column[2], centre = rbv_audit_point(audit, state, joint->marker[1]).p;
    double R = joint->sizes->radii[1];
    if (joint->form == RBV_FORM_EDGE) {
        *slip = unit(rbv_cross(N, second.column[0]));
        return centre;
    }
    if (joint->ball) {
        *slip = first.column[c];
        return rbv_add_scaled(centre, -R, N);
    }
    RbvVec3 along = unit(rbv_cross(axle, N));
    *slip = c == 0 ? along : rbv_cross(N, along);
    return rbv_add_scaled(centre, R, unit(rbv_add_scaled(rbv_scale(rbv_dot(N, axle), axle), -1, N)));
}

static RbvVec3 velocity_at(const RbvAudit *audit, const RbvState *state, int32_t body, RbvVec3 p) {
    RbvTwist v = state->twists[body];
    return rbv_add(v.v, rbv_cross(v.w, rbv_sub(p, audit->r[body])));
}

/* Axis of a belt's second pulley; d: line of centres orthogonal to it; u: relative velocity of the centres. */
static RbvVec3 belt_axis(const RbvAudit *audit, const RbvState *state, const RbvJoint *joint, RbvVec3 *d, RbvVec3 *u) {
    RbvVec3 z = joint->spatial ? rbv_audit_axes(audit, joint->marker[1]).column[2] : rbv_vec3(0, 0, 1);
    RbvAuditPoint i = rbv_audit_point(audit, state, joint->marker[0]),
                  j = rbv_audit_point(audit, state, joint->marker[1]);
    *d = rbv_sub(j.p, i.p);
    *d = rbv_add_scaled(*d, -rbv_dot(*d, z), z);
    *u = rbv_sub(j.v, i.v);
    return z;
}

static double belt_rate(const RbvAudit *audit, const RbvState *state, int32_t index) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const double *r = audit->system->wheel[index];
    RbvVec3 d, u, z = belt_axis(audit, state, joint, &d, &u);
    double s = joint->crossed ? 1 : -1, w[2];
    for (int side = 0; side < 2; side++)
        w[side] = rbv_dot(z, state->twists[audit->system->model->markers.items[joint->marker[side]].body].w);
    return r[1] * w[1] + s * r[0] * w[0] - (s * r[0] + r[1]) * rbv_dot(z, rbv_cross(d, u)) / rbv_dot(d, d);
}

double rbv_audit_own_rate(const RbvAudit *audit, const RbvState *state, const RbvFrictionContact *friction, int c) {
    const RbvModel *model = audit->system->model;
    const RbvJoint *joint = &model->joints.items[friction->joint];
    if (joint->form == RBV_FORM_BELT)
        return belt_rate(audit, state, friction->joint);
    RbvVec3 slip, at = contact(audit, state, joint, c, &slip);
    RbvVec3 i = velocity_at(audit, state, model->markers.items[joint->marker[0]].body, at),
            j = velocity_at(audit, state, model->markers.items[joint->marker[1]].body, at);
    return rbv_dot(slip, rbv_sub(j, i));
}

double rbv_audit_own_force(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                           const RbvFrictionContact *friction, int c) {
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    const double *value = reactions->value[friction->joint];
    if (joint->form == RBV_FORM_BELT)
        return value[RBV_LINE_F];
    RbvVec3 slip, F = {value[RBV_FX], value[RBV_FY], value[RBV_FZ]};
    contact(audit, state, joint, c, &slip);
    if (reactions->frame == RBV_FRAME_JOINT) {
        RbvMat3 axes = rbv_audit_axes(audit, rbv_joint_axes(joint));
        F = rbv_apply(&axes, F);
    }
    return rbv_dot(slip, F);
}

/* Force f along u on the pulleys: torque r2 f about the second's axis, s r1 f about the first's, and the reaction
 * across the line of centres. */
static void push_belt(RbvAudit *audit, const RbvState *state, int32_t index, double f, double *to) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const double *r = audit->system->wheel[index];
    RbvVec3 d, u, z = belt_axis(audit, state, joint, &d, &u), zero = {0, 0, 0};
    double s = joint->crossed ? 1 : -1;
    RbvVec3 across = rbv_scale(-f * (s * r[0] + r[1]) / rbv_dot(d, d), rbv_cross(z, d));
    for (int side = 0; side < 2; side++) {
        RbvAuditPoint at = rbv_audit_point(audit, state, joint->marker[side]);
        rbv_audit_push(audit, to, at.body, at.p, rbv_scale(side ? 1 : -1, across), zero);
        rbv_audit_push(audit, to, at.body, at.p, zero, rbv_scale(side ? r[1] * f : s * r[0] * f, z));
    }
}

void rbv_audit_push_own(RbvAudit *audit, const RbvState *state, const RbvFrictionContact *friction, int c, double f,
                        double *to) {
    const RbvModel *model = audit->system->model;
    const RbvJoint *joint = &model->joints.items[friction->joint];
    RbvVec3 slip, zero = {0, 0, 0};
    if (joint->form == RBV_FORM_BELT) {
        push_belt(audit, state, friction->joint, f, to);
        return;
    }
    RbvVec3 at = contact(audit, state, joint, c, &slip);
    rbv_audit_push(audit, to, model->markers.items[joint->marker[1]].body, at, rbv_scale(f, slip), zero);
    rbv_audit_push(audit, to, model->markers.items[joint->marker[0]].body, at, rbv_scale(-f, slip), zero);
}

double rbv_audit_wrap_load(const RbvAudit *audit, const RbvState *state, int32_t index) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const double *r = audit->system->wheel[index];
    RbvVec3 d, u;
    belt_axis(audit, state, joint, &d, &u);
    double beta = 2 * acos((joint->crossed ? -r[0] - r[1] : fabs(r[0] - r[1])) / sqrt(rbv_dot(d, d))),
           mu = joint->sizes->friction, pull = exp(mu * beta); /* ratio T1/T2 of the strand forces */
    return mu > 0 ? 2 * joint->sizes->preload * (pull - 1) / (pull + 1) / mu : 0;
}

/* Axis c of rotations of a bar along d: z in the plane. In space y is k without its part along the bar, x = y x n; k
 * is the z of the first marker, or its x where the bar starts within 45 degrees of that z. */
static RbvVec3 bar_axis(const RbvAudit *audit, const RbvJoint *joint, RbvVec3 d, int c) {
    const RbvModel *model = audit->system->model;
    if (!joint->spatial)
        return rbv_vec3(0, 0, 1);
    RbvMat3 start, other;
    RbvVec3 from = rbv_marker_start(model, joint->marker[0], &start),
            along = rbv_sub(rbv_marker_start(model, joint->marker[1], &other), from), n = unit(d);
    bool upright = 2 * pow(rbv_dot(along, start.column[2]), 2) > rbv_dot(along, along);
    RbvVec3 k = rbv_audit_axes(audit, joint->marker[0]).column[upright ? 0 : 2],
            y = unit(rbv_add_scaled(k, -rbv_dot(k, n), n));
    return c ? y : rbv_cross(y, n);
}

double rbv_audit_end_rate(const RbvAudit *audit, const RbvState *state, int32_t index, bool second, int c) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, joint->marker[0]),
                  j = rbv_audit_point(audit, state, joint->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p), u = rbv_sub(j.v, i.v), e = bar_axis(audit, joint, d, c);
    double bar = rbv_dot(e, rbv_cross(d, u)) / rbv_dot(d, d);
    return second ? rbv_dot(e, state->twists[j.body].w) - bar : bar - rbv_dot(e, state->twists[i.body].w);
}

/* A couple on the bar at one end is balanced by forces across the bar at both ends, the couple over l: the bar has
 * no mass. */
void rbv_audit_push_end(RbvAudit *audit, const RbvState *state, int32_t index, bool second, int c, double couple) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, joint->marker[0]),
                  j = rbv_audit_point(audit, state, joint->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p), zero = {0, 0, 0},
            T = rbv_scale(second ? couple : -couple, bar_axis(audit, joint, d, c)); /* couple on the body */
    RbvVec3 F = rbv_scale(1 / rbv_dot(d, d), rbv_cross(d, T));
    rbv_audit_push(audit, audit->applied, j.body, j.p, F, zero);
    rbv_audit_push(audit, audit->applied, i.body, i.p, rbv_scale(-1, F), zero);
    rbv_audit_push(audit, audit->applied, second ? j.body : i.body, second ? j.p : i.p, zero, T);
}

double rbv_audit_across_bar(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                            int32_t index) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const double *value = reactions->value[index];
    if (joint->form != RBV_FORM_DISTANCE)
        return 0;
    RbvVec3 d =
        rbv_sub(rbv_audit_point(audit, state, joint->marker[1]).p, rbv_audit_point(audit, state, joint->marker[0]).p);
    if (!joint->spatial)
        return (value[RBV_FRICTION_FIRST] - value[RBV_FRICTION_SECOND]) / rbv_norm(d);
    return hypot(value[RBV_FRICTION_FIRST_RX] - value[RBV_FRICTION_SECOND_RX],
                 value[RBV_FRICTION_FIRST_RY] - value[RBV_FRICTION_SECOND_RY]) /
           rbv_norm(d);
}
