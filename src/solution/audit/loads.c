/* Everything that acts on the bodies except joints, by plain formulas: contacts with friction of their own, one
 * function for each kind of load, then friction, drives, constraints. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/audit/points.h"

#define PI 3.14159265358979323846

static const RbvVec3 no_vector = {0, 0, 0};

/* Contacts with friction of their own (wheels, balls, knife edges, belts), ends of bars, and rolling teeth, by plain
 * geometry of points: slip rate, printed force along the slip direction, normal load.
 *
 *   contact: P below the centre of the ball, or the lowest point of the disk; slip directions along and across
 *            its path on the plane
 *   teeth:   the line through the pitch point P about which one wheel rotates relative to the other: along the
 *            first's axis, or from the intersection of the axes to P
 *   belt:    u = r2 w2 + s r1 w1 - (s r1 + r2) theta', w about the pulleys' axes, theta' the rate of the line of
 *            centres, s = 1 crossed, -1 open */

static RbvVec3 unit(RbvVec3 a) {
    return rbv_scale(1 / sqrt(rbv_dot(a, a)), a);
}

/* Does the friction contact consist of rolling teeth? */
static bool audit_rolls(const RbvModel *model, const RbvFrictionContact *friction) {
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

/* Rate of the second wheel relative to the first about the line through the pitch point. */
static double audit_rolling_rate(const RbvAudit *audit, const RbvState *state, int32_t index) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    const RbvMarker *markers = audit->system->model->markers.items;
    RbvVec3 turning =
        rbv_sub(state->twists[markers[joint->marker[1]].body].w, state->twists[markers[joint->marker[0]].body].w);
    return rbv_dot(rolling_line(audit, state, joint), turning);
}

/* Adds a couple about that line to the bodies, which opposes rolling. */
static void audit_push_rolling(RbvAudit *audit, const RbvState *state, int32_t index, double couple) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvVec3 line = rolling_line(audit, state, joint);
    for (int side = 0; side < 2; side++) {
        RbvAuditPoint at = rbv_audit_point(audit, state, joint->marker[side]);
        rbv_audit_push(audit, audit->applied, at.body, at.p, no_vector, rbv_scale(side ? couple : -couple, line));
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

/* Slip rate along slip direction c of a contact with friction of its own. */
static double audit_own_rate(const RbvAudit *audit, const RbvState *state, const RbvFrictionContact *friction, int c) {
    const RbvModel *model = audit->system->model;
    const RbvJoint *joint = &model->joints.items[friction->joint];
    if (joint->form == RBV_FORM_BELT)
        return belt_rate(audit, state, friction->joint);
    RbvVec3 slip, at = contact(audit, state, joint, c, &slip);
    RbvVec3 i = rbv_audit_velocity(audit, state, model->markers.items[joint->marker[0]].body, at),
            j = rbv_audit_velocity(audit, state, model->markers.items[joint->marker[1]].body, at);
    return rbv_dot(slip, rbv_sub(j, i));
}

/* Printed force along slip direction c of a contact with friction of its own. */
static double audit_own_force(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
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
    RbvVec3 d, u, z = belt_axis(audit, state, joint, &d, &u);
    double s = joint->crossed ? 1 : -1;
    RbvVec3 across = rbv_scale(-f * (s * r[0] + r[1]) / rbv_dot(d, d), rbv_cross(z, d));
    for (int side = 0; side < 2; side++) {
        RbvAuditPoint at = rbv_audit_point(audit, state, joint->marker[side]);
        rbv_audit_push(audit, to, at.body, at.p, rbv_scale(side ? 1 : -1, across), no_vector);
        rbv_audit_push(audit, to, at.body, at.p, no_vector, rbv_scale(side ? r[1] * f : s * r[0] * f, z));
    }
}

/* Adds force f along slip direction c of a contact with friction of its own, on the bodies. */
static void audit_push_own(RbvAudit *audit, const RbvState *state, const RbvFrictionContact *friction, int c, double f,
                           double *to) {
    const RbvModel *model = audit->system->model;
    const RbvJoint *joint = &model->joints.items[friction->joint];
    RbvVec3 slip;
    if (joint->form == RBV_FORM_BELT) {
        push_belt(audit, state, friction->joint, f, to);
        return;
    }
    RbvVec3 at = contact(audit, state, joint, c, &slip);
    rbv_audit_push(audit, to, model->markers.items[joint->marker[1]].body, at, rbv_scale(f, slip), no_vector);
    rbv_audit_push(audit, to, model->markers.items[joint->marker[0]].body, at, rbv_scale(-f, slip), no_vector);
}

/* Normal load of a belt's friction [N]. */
static double audit_wrap_load(const RbvAudit *audit, const RbvState *state, int32_t index) {
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

/* End of a bar: rate of the bar relative to its first body, or (second) of the second body relative to the bar, about
 * axis c; in space there are two. */
static double audit_end_rate(const RbvAudit *audit, const RbvState *state, int32_t index, bool second, int c) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, joint->marker[0]),
                  j = rbv_audit_point(audit, state, joint->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p), u = rbv_sub(j.v, i.v), e = bar_axis(audit, joint, d, c);
    double bar = rbv_dot(e, rbv_cross(d, u)) / rbv_dot(d, d);
    return second ? rbv_dot(e, state->twists[j.body].w) - bar : bar - rbv_dot(e, state->twists[i.body].w);
}

/* Adds the couple at an end of a bar about axis c to the bodies. A couple on the bar at one end is balanced by forces
 * across the bar at both ends, the couple over l: the bar has no mass. */
static void audit_push_end(RbvAudit *audit, const RbvState *state, int32_t index, bool second, int c, double couple) {
    const RbvJoint *joint = &audit->system->model->joints.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, joint->marker[0]),
                  j = rbv_audit_point(audit, state, joint->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p),
            T = rbv_scale(second ? couple : -couple, bar_axis(audit, joint, d, c)); /* couple on the body */
    RbvVec3 F = rbv_scale(1 / rbv_dot(d, d), rbv_cross(d, T));
    rbv_audit_push(audit, audit->applied, j.body, j.p, F, no_vector);
    rbv_audit_push(audit, audit->applied, i.body, i.p, rbv_scale(-1, F), no_vector);
    const RbvAuditPoint *end = second ? &j : &i;
    rbv_audit_push(audit, audit->applied, end->body, end->p, no_vector, T);
}

/* Force across a bar by all printed couples at its ends. */
static double audit_across_bar(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
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

/* The loads of the model. */

/* k-th value of a load. */
static double value_of(const RbvState *state, const RbvLoad *load, int k, const RbvLocal *local) {
    const RbvConfiguration at = rbv_state_configuration(state);
    return rbv_configuration_value(&at, load->value[k], local);
}

/* The up to three values of a load as a vector, along the body's axes or ground's; in ground axes. */
static RbvVec3 vector_of(const RbvAudit *audit, const RbvState *state, const RbvLoad *load, int32_t body) {
    double x[3] = {0, 0, 0};
    for (int k = 0; k < 3 && load->value[k]; k++)
        x[k] = value_of(state, load, k, NULL);
    RbvVec3 v = load->value[1] ? rbv_vec3(x[0], x[1], x[2]) : rbv_vec3(0, 0, x[0]); /* a single value is about z */
    RbvMat3 A = rbv_audit_body_axes(audit, body);
    return load->body_frame ? rbv_apply(&A, v) : v;
}

static void force(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint p = rbv_audit_point(audit, state, load->marker[0]);
    rbv_audit_push(audit, audit->applied, p.body, p.p, vector_of(audit, state, load, p.body), no_vector);
}

static void torque(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint p = rbv_audit_point(audit, state, load->marker[0]);
    rbv_audit_push(audit, audit->applied, p.body, p.p, no_vector, vector_of(audit, state, load, p.body));
}

/* Spring between two points that coincide: the second has come from the direction opposite to its relative velocity d',
 * and the force on it along that velocity is k (0 - m0) - c |d'| + f. False: the points do not coincide. */
static bool spring_in_passing(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint i = rbv_audit_point(audit, state, load->marker[0]),
                  j = rbv_audit_point(audit, state, load->marker[1]);
    double size = rbv_max(rbv_state_body_size(state, i.body), rbv_state_body_size(state, j.body));
    RbvVec3 going = rbv_sub(j.v, i.v);
    double speed = rbv_norm(going);
    /* Distance that is rounding, relative to the lengths from which it is computed. */
    if (rbv_norm(rbv_sub(j.p, i.p)) > RBV_CANCELLED * (size + rbv_norm(i.arm) + rbv_norm(j.arm) + rbv_norm(i.p)) ||
        !(speed > 0))
        return false;
    double pull = -load->stiffness[0] * load->free - load->damping[0] * speed;
    if (load->value[0])
        pull += value_of(state, load, 0, &(RbvLocal){.length = {0, -speed}});
    RbvVec3 F = rbv_scale(pull / speed, going);
    rbv_audit_push(audit, audit->applied, j.body, j.p, F, no_vector);
    rbv_audit_push(audit, audit->applied, i.body, i.p, rbv_scale(-1, F), no_vector);
    return true;
}

/* Effort of a spring on its coordinate m: -k (m - m0) - c m' - f(m, m', t). */
static void spring(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    double m, rate;
    if (load->kind == RBV_LOAD_SPRING && load->joint < 0 && spring_in_passing(audit, state, load))
        return;
    rbv_audit_coordinate(audit, state, load->measure[0], &m, &rate);
    double effort = -load->stiffness[0] * (m - load->free) - load->damping[0] * rate;
    if (load->value[0])
        effort -= value_of(state, load, 0, &(RbvLocal){.length = {m, rate}});
    rbv_audit_push_coordinate(audit, state, load->measure[0], effort);
}

static void torsion(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    spring(audit, state, load);
}

static void bushing(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    for (int k = 0; k < load->measure_count; k++) {
        double m, rate;
        rbv_audit_coordinate(audit, state, load->measure[k], &m, &rate);
        rbv_audit_push_coordinate(audit, state, load->measure[k], -load->stiffness[k] * m - load->damping[k] * rate);
    }
}

static void damping(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    bushing(audit, state, load);
}

/* -m (W' x rho + 2 W x v + W x (W x rho)); the rate of J(w + W) that the rotating frame does not show. */
static void rotating_frame(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    double speed, rate = 0, second = 0;
    if (rbv_expr_variable_count(load->value[0]) == 1)
        speed = rbv_expr_jet(load->value[0], &state->t, state->work, &rate, &second);
    else
        speed = rbv_expr_value(load->value[0], NULL, state->work);
    RbvVec3 W = rbv_scale(speed, load->axis), dW = rbv_scale(rate, load->axis);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvTwist v = state->twists[b];
        RbvVec3 place = audit->r[b], rho = rbv_sub(place, load->center), sum = rbv_add(v.w, W);
        RbvVec3 a =
            rbv_add(rbv_cross(dW, rho), rbv_add(rbv_scale(2, rbv_cross(W, v.v)), rbv_cross(W, rbv_cross(W, rho))));
        RbvVec3 T = rbv_sub(rbv_cross(v.w, rbv_audit_momentum(audit, b, v.w)),
                            rbv_cross(sum, rbv_audit_momentum(audit, b, sum)));
        T = rbv_sub(T, rbv_audit_momentum(audit, b, rbv_add(dW, rbv_cross(W, v.w))));
        rbv_audit_push(audit, audit->applied, b, place, rbv_scale(-body->mass, a), body->particle ? no_vector : T);
    }
}

static void field(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        if (model->bodies.items[b].generalized)
            continue;
        RbvVec3 place = audit->r[b];
        RbvLocal local = {.place = {place.x, place.y, place.z}, .body = b};
        double a[3] = {0, 0, 0};
        for (int k = 0; k < 3 && load->value[k]; k++)
            a[k] = value_of(state, load, k, &local);
        rbv_audit_push(audit, audit->applied, b, place,
                       rbv_scale(model->bodies.items[b].mass, rbv_vec3(a[0], a[1], a[2])), no_vector);
    }
}

/* Forces -dV/dm on each coordinate m. */
static void energy(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    int32_t n = rbv_expr_variable_count(load->value[0]);
    double *x = state->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + n * n;
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = rbv_variable_of(model, load->value[0], v);
        double rate;
        x[v] = state->t;
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            rbv_audit_coordinate(audit, state, variable.index, &x[v], &rate);
    }
    rbv_pieces_jet(state->pieces, load->value[0], 0, x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = rbv_variable_of(model, load->value[0], v);
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            rbv_audit_push_coordinate(audit, state, variable.index, -gradient[v]);
    }
}

#define ROW(KIND, name) [RBV_LOAD_##KIND] = name,
static void (*const loads[])(RbvAudit *, const RbvState *, const RbvLoad *) = {RBV_LOAD_LIST(ROW)};
#undef ROW

/* A body's twist or acceleration as one number, in the unit of a joint's coordinate. */
static double size_of(const RbvState *state, const RbvTwist *twists, int32_t body, bool angular) {
    double v = rbv_norm(twists[body].v), w = rbv_norm(twists[body].w), size = rbv_state_body_size(state, body);
    return angular ? w + v / size : v + w * size;
}

/* Is the rate of a joint so small that its sign is rounding, or does it pass zero at this instant? */
static bool has_no_sign(const RbvAudit *audit, const RbvState *state, const RbvJoint *joint, bool angular, double rate,
                        double instant) {
    double fastest = 0, second = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        fastest = rbv_max(fastest, size_of(state, state->twists, b, angular));
    for (int side = 0; side < 2; side++)
        second = rbv_max(second, size_of(state, state->accelerations,
                                         state->system->model->markers.items[joint->marker[side]].body, angular));
    /* A rate below this part of the machine's largest is rounding of zero, and has no sign. */
    return fabs(rate) <= rbv_max(RBV_CANCELLED, audit->tolerance) * fastest ||
           fabs(rate) <= instant * rbv_max(1, fabs(state->t)) * second;
}

/* Normal load of a guide along axis k: two ends carry half the force each, and the couple as a pair of forces. */
static double guide_load(int k, double h, RbvVec3 F, RbvVec3 T) {
    const double f[3] = {F.x, F.y, F.z}, c[3] = {T.x, T.y, T.z};
    int u = (k + 1) % 3, v = (k + 2) % 3; /* right-handed: about u the couple is -2 h G_v, about v it is 2 h G_u */
    if (!(h > 0))
        return hypot(f[u], f[v]);
    double Gu = c[v] / (2 * h), Gv = -c[u] / (2 * h);
    return hypot(f[u] / 2 + Gu, f[v] / 2 + Gv) + hypot(f[u] / 2 - Gu, f[v] / 2 - Gv) + fabs(c[k]) / h;
}

/* Lead angle of the thread of a screw [rad]; 0 of other contacts. */
static double lead_angle(const RbvJoint *joint, const RbvFrictionContact *friction) {
    return friction->surfaces->press == RBV_PRESS_THREAD
               ? atan2(joint->sizes->pitch, 2 * PI * joint->sizes->friction_radius)
               : 0;
}

/* Normal load of a friction contact [N], from the printed reaction. */
static double pressing(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions,
                       const RbvFrictionContact *friction) {
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    const double *w = reactions->value[friction->joint];
    RbvVec3 F = rbv_vec3(w[RBV_FX], w[RBV_FY], w[RBV_FZ]), T = rbv_vec3(w[RBV_TX], w[RBV_TY], w[RBV_TZ]);
    RbvMat3 printed = rbv_audit_axes(audit, rbv_joint_axes(joint)),
            own = rbv_audit_axes(audit, joint->marker[friction->surfaces->second]);
    if (reactions->frame == RBV_FRAME_JOINT) {
        F = rbv_apply(&printed, F);
        T = rbv_apply(&printed, T);
    }
    F = rbv_apply_transposed(&own, F);
    T = rbv_apply_transposed(&own, T);
    switch (friction->surfaces->press) {
    case RBV_PRESS_RADIAL: return hypot(F.x, F.y);
    case RBV_PRESS_BEARING: return hypot(F.x, F.y) + fabs(F.z);
    case RBV_PRESS_ENDS:
        return joint->spatial ? guide_load(2, joint->sizes->friction_radius, F, T)
                              : guide_load(0, joint->sizes->friction_radius, rbv_vec3(0, F.y, 0), rbv_vec3(0, 0, T.z));
    case RBV_PRESS_ACROSS: return fabs(F.y);
    case RBV_PRESS_NORMAL: return fabs(F.z);
    case RBV_PRESS_TOTAL:
        return hypot(sqrt(F.x * F.x + F.y * F.y + F.z * F.z),
                     audit_across_bar(audit, state, reactions, friction->joint));
    case RBV_PRESS_BALLS:
        return rbv_norm(F) + (joint->sizes->friction_radius > 0 ? rbv_norm(T) / joint->sizes->friction_radius : 0);
    case RBV_PRESS_THREAD: return fabs(F.z) / cos(lead_angle(joint, friction));
    case RBV_PRESS_TEETH: return w[RBV_LINE_F];
    case RBV_PRESS_GIVEN: return joint->sizes->friction_normal;
    case RBV_PRESS_WRAP: return audit_wrap_load(audit, state, friction->joint);
    }
    return NAN;
}

/* Is the joint's condition (active:) false, so that there is no friction, whatever load is prescribed? */
static bool is_inactive(const RbvAudit *audit, const RbvReactions *reactions, const RbvFrictionContact *friction) {
    bool off = rbv_audit_has_condition(audit->system->model, RBV_CONDITION_JOINT, friction->joint);
    for (int c = 0; c < friction->count; c++)
        off = off && reactions->value[friction->joint][friction->slip[c].component] == 0;
    return off;
}

/* Where the slip velocity has no direction, that of the printed friction counts, which may be zero; also where a
 * contact sticks, up to its limit. */
void rbv_audit_friction(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t i,
                        double *effort) {
    const RbvFrictionContact *friction = &audit->system->friction[i];
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    double load = is_inactive(audit, reactions, friction) ? 0 : pressing(audit, state, reactions, friction),
           r = joint->sizes->friction_radius, u[RBV_MOST_SLIP_DIRECTIONS] = {0}, f[RBV_MOST_SLIP_DIRECTIONS] = {0},
           lever[RBV_MOST_SLIP_DIRECTIONS], speed = 0, printed = 0, value, rate;
    for (int c = 0; c < friction->count; c++) {
        if (friction->own)
            rate = audit_own_rate(audit, state, friction, c);
        else if (joint->form == RBV_FORM_DISTANCE)
            rate = audit_end_rate(audit, state, friction->joint, friction->surfaces->second, c);
        else if (audit_rolls(audit->system->model, friction))
            rate = audit_rolling_rate(audit, state, friction->joint);
        else
            rbv_audit_coordinate(audit, state, friction->slip[c].measure[0], &value, &rate);
        lever[c] = friction->slip[c].angular ? r / cos(lead_angle(joint, friction))
                                             : 1; /* on a thread the slip path is longer than the rotation */
        u[c] = lever[c] * rate;
        f[c] = friction->own ? audit_own_force(audit, state, reactions, friction, c)
                             : reactions->value[friction->joint][friction->slip[c].component] / lever[c];
        speed += u[c] * u[c];
        printed += f[c] * f[c];
    }
    speed = sqrt(speed), printed = sqrt(printed);
    /* where several joints share the force of sticking, least norm may put one of them beyond its limit */
    bool open = reactions->verdict[friction->joint][friction->slip[0].component] == RBV_NOT_UNIQUE,
         sticks = friction->stick_row >= 0 && (friction->own || state->active) &&
                  rbv_state_holds(state, friction->stick_row);
    open = open || (friction->own && !audit->slips);
    /* Instants are known to this part of the time, or of a second: within it a rate that passes zero has no sign. With
     * several slip directions all of them vanish at one instant only approximately: the slip direction is known to
     * about the tolerance of the motion. */
    bool rests = sticks || has_no_sign(audit, state, joint, friction->slip[0].angular,
                                       friction->slip[0].angular ? speed / r : speed,
                                       friction->count > 1 ? RBV_BALANCED : RBV_CANCELLED);
    double size = !sticks ? joint->sizes->friction * load
                  : open  ? printed
                          : rbv_min(printed, joint->sizes->friction_static * load);
    for (int c = 0; c < friction->count; c++) {
        double along = printed > 0 ? f[c] / printed : 0;
        if (!rests)
            along = -u[c] / speed;
        effort[c] = lever[c] * size * along;
    }
}

void rbv_audit_push_friction(RbvAudit *audit, const RbvState *state, int32_t i, const double *effort) {
    const RbvFrictionContact *friction = &audit->system->friction[i];
    const RbvJoint *joint = &audit->system->model->joints.items[friction->joint];
    double alpha = lead_angle(joint, friction), along = cos(alpha);
    if (audit_rolls(audit->system->model, friction)) {
        audit_push_rolling(audit, state, friction->joint, effort[0]);
        return;
    }
    for (int c = 0; c < friction->count; c++) {
        if (joint->form == RBV_FORM_DISTANCE) {
            audit_push_end(audit, state, friction->joint, friction->surfaces->second, c, effort[c]);
            continue;
        }
        rbv_audit_push_coordinate(audit, state, friction->slip[c].measure[0], effort[c] * along * along);
        if (friction->slip[c].terms > 1) /* the force along the thread has a part along the axis */
            rbv_audit_push_coordinate(audit, state, friction->slip[c].measure[1],
                                      effort[c] * along * sin(alpha) / joint->sizes->friction_radius);
    }
}

/* Friction of a sliding contact is printed in the joint's reaction, but does work like a load: Coulomb's law
 * replaces it. */
static void own_friction(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t i) {
    const RbvFrictionContact *friction = &audit->system->friction[i];
    double effort[RBV_MOST_SLIP_DIRECTIONS];
    if (rbv_state_holds(state, friction->stick_row))
        return;
    rbv_audit_friction(audit, state, reactions, i, effort);
    for (int c = 0; c < friction->count; c++) {
        audit_push_own(audit, state, friction, c, effort[c], audit->applied);
        audit_push_own(audit, state, friction, c, -audit_own_force(audit, state, reactions, friction, c),
                       audit->joints);
    }
}

/* Work of non-ideal constraints, from the ideal efforts. */
static void nonideal(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    const RbvResultValues values = {.multiplier = reactions->ideal};
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        if (!rbv_state_holds(state, audit->system->constraint_row[model->nonideals.items[k].constraint]))
            continue;
        double force = rbv_state_expression(state, model->nonideals.items[k].force, &values, state->work);
        rbv_audit_push_coordinate(audit, state, model->nonideals.items[k].measure, force);
    }
}

/* Force of a row's expression f on its coordinates m: lambda df/dm. */
static void push_equation(RbvAudit *audit, const RbvState *state, int32_t k, double lambda) {
    const RbvRow *row = &audit->system->rows[k];
    for (int32_t n = row->first; n < row->first + row->count; n++)
        rbv_audit_push_coordinate(audit, state, audit->system->terms[n].measure, lambda * state->coefficient[n]);
}

/* Force of an expression without an active row, from the audit's own points. */
static void push_effort(RbvAudit *audit, const RbvState *state, const RbvCoordinateRef *of, double effort) {
    if (effort != 0 && of->named < 0)
        rbv_audit_push_coordinate(audit, state, of->measure, effort);
    else if (effort != 0)
        rbv_audit_push_expression(audit, state, rbv_coordinate_value(audit->system->model, of), effort);
}

void rbv_audit_rows(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        if (model->drives.items[k].of.named >= 0 && rbv_state_holds(state, system->drive_row[k]))
            push_equation(audit, state, system->drive_row[k], reactions->effort[k]);
        else
            push_effort(audit, state, &model->drives.items[k].of, reactions->effort[k]);
    }
    for (int32_t k = 0; k < model->actuators.count; k++)
        push_effort(audit, state, &model->actuators.items[k].of, reactions->actuator[k]);
    for (int32_t k = 0; k < model->constraints.count; k++)
        push_equation(audit, state, system->constraint_row[k], reactions->carried[k]);
    for (int32_t k = 0; k < model->stops.count; k++)
        push_effort(audit, state, &model->stops.items[k].of, reactions->stop[k]);
}

/* Largest weights, forces and torques that the model prescribes, independent of any yielding. */
static void note_given(RbvAudit *audit, const RbvState *state) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        audit->scale[system->part[b]].given =
            rbv_max(audit->scale[system->part[b]].given, model->bodies.items[b].mass * rbv_norm(model->gravity));
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        if ((load->kind != RBV_LOAD_FORCE && load->kind != RBV_LOAD_TORQUE) || !rbv_state_acts(state, k))
            continue;
        int32_t b = model->markers.items[load->marker[0]].body;
        double *given = &audit->scale[system->part[b]].given;
        *given = b > 0 ? rbv_max(*given, rbv_audit_size(vector_of(audit, state, load, b))) : *given;
    }
}

void rbv_audit_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        rbv_audit_push(audit, audit->applied, b, audit->r[b], rbv_scale(model->bodies.items[b].mass, model->gravity),
                       no_vector);
    note_given(audit, state);
    for (int32_t k = 0; k < model->loads.count; k++)
        if (rbv_state_acts(state, k))
            loads[model->loads.items[k].kind](audit, state, &model->loads.items[k]);
    for (int32_t i = 0; i < system->friction_count; i++) {
        double effort[RBV_MOST_SLIP_DIRECTIONS];
        if (system->friction[i].own) {
            own_friction(audit, state, reactions, i);
            continue;
        }
        rbv_audit_friction(audit, state, reactions, i, effort);
        rbv_audit_push_friction(audit, state, i, effort);
    }
    nonideal(audit, state, reactions);
    for (int32_t k = 0; k < model->drives.count; k++) { /* inertia force of a rotor on its coordinate */
        const RbvDrive *drive = &model->drives.items[k];
        RbvAuditPair pair = {.marker = {-1, -1}};
        if (drive->has_rotor)
            rbv_audit_push_coordinate(audit, state, drive->of.measure,
                                      -drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio *
                                          rbv_audit_second(audit, state, drive->of.measure, &pair));
    }
    for (int32_t k = 0; k < model->generalized.count; k++) {
        double force = rbv_state_expression(state, model->generalized.items[k].force, NULL, state->work);
        rbv_audit_push(audit, audit->applied, model->generalized.items[k].body, no_vector, rbv_vec3(force, 0, 0),
                       no_vector);
    }
}
