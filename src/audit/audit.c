/* Balances from the reported numbers with plain formulas; see audit.h. Nothing here calls element/. */
#include "audit/audit.h"

#include <stdlib.h>
#include <string.h>

/* A marker's place, its arm from the centroid, its velocity. */
typedef struct Point {
    RbvVec3 p, arm, v;
    int32_t body;
} Point;

static const RbvVec3 zero = {0, 0, 0};

bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system) {
    size_t bodies = (size_t)system->model->bodies.count;
    *audit = (RbvAudit){.system = system};
    audit->pose = calloc(bodies, sizeof *audit->pose);
    audit->applied = calloc(bodies, sizeof *audit->applied);
    audit->joints = calloc(bodies, sizeof *audit->joints);
    audit->sizes = calloc(bodies, sizeof *audit->sizes);
    audit->left = calloc(bodies, sizeof *audit->left);
    audit->floor = calloc(bodies, sizeof *audit->floor);
    audit->scale = calloc(bodies, sizeof *audit->scale);
    return audit->scale && audit->floor && audit->left && audit->pose && audit->applied && audit->joints && audit->sizes;
}

void rbv_audit_destroy(RbvAudit *audit) {
    free(audit->pose);
    free(audit->applied);
    free(audit->joints);
    free(audit->sizes);
    free(audit->left);
    free(audit->floor);
    free(audit->scale);
}

/* Centroid and axes: a turn about z, or a quaternion (w, e): x -> x + 2w e x x + 2 e x (e x x). */
static void place_body(RbvAudit *audit, const RbvState *state, int32_t body) {
    const RbvBodyState *placed = &state->bodies[body];
    RbvAuditPose *pose = &audit->pose[body];
    pose->r = placed->r;
    const RbvVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        if (!audit->system->bodies.spatial) {
            double c = cos(placed->turn), s = sin(placed->turn);
            pose->A.column[k] = rbv_vec3(c * unit[k].x - s * unit[k].y, s * unit[k].x + c * unit[k].y, unit[k].z);
        } else {
            RbvVec3 e = placed->p.e, once = rbv_cross(e, unit[k]);
            pose->A.column[k] = rbv_add_scaled(rbv_add_scaled(unit[k], 2 * placed->p.w, once), 2, rbv_cross(e, once));
        }
    }
}

static Point point_of(const RbvAudit *audit, const RbvState *state, int32_t marker) {
    const RbvModel *model = audit->system->model;
    const RbvMarker *m = &model->markers.items[marker];
    const RbvAuditPose *pose = &audit->pose[m->body];
    RbvTwist v = state->twists[m->body];
    RbvVec3 arm = rbv_apply(&pose->A, rbv_sub(m->at, model->bodies.items[m->body].centroid));
    return (Point){rbv_add(pose->r, arm), arm, rbv_add(v.v, rbv_cross(v.w, arm)), m->body};
}

/* Axes of a marker in ground's. */
static RbvMat3 axes_of(const RbvAudit *audit, int32_t marker) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    return rbv_mat3_product(&audit->pose[m->body].A, &m->axes);
}

static double size_of(RbvVec3 a) {
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* Force F at place p with torque T, on a body. */
static void push(RbvAudit *audit, RbvWrench *to, int32_t body, RbvVec3 p, RbvVec3 F, RbvVec3 T) {
    RbvVec3 moment = rbv_cross(rbv_sub(p, audit->pose[body].r), F);
    to[body].force = rbv_add(to[body].force, F);
    to[body].torque = rbv_add(to[body].torque, rbv_add(T, moment));
    audit->sizes[body][0] += size_of(F);
    audit->sizes[body][1] += size_of(T) + size_of(moment);
}

/* The couple that is the generalized force 1 on a turning coordinate. About a single axis it is that axis; a component k of the rotation vector theta
 * has (I + theta~/2 + (1 - (f/2) cot(f/2)) theta~^2/f^2) e_k in i's axes, f = |theta|. */
static RbvVec3 couple_of(const RbvAudit *audit, const RbvMeasure *measure) {
    RbvMat3 axes = axes_of(audit, measure->marker[0]);
    if (measure->kind == RBV_MEASURE_SPIN) {
        RbvMat3 own = axes_of(audit, measure->marker[measure->axis / 3]);
        return own.column[measure->axis % 3];
    }
    if (measure->kind == RBV_MEASURE_DOT) { /* d(l.b) = (b x l).(turn of the second against the first) */
        RbvMat3 other = axes_of(audit, measure->marker[1]);
        return rbv_cross(other.column[measure->axis % 3], axes.column[measure->axis / 3]);
    }
    if (measure->kind != RBV_MEASURE_ROTATION)
        return axes.column[measure->kind == RBV_MEASURE_TWIST ? measure->axis : measure->kind == RBV_MEASURE_TILT ? measure->axis % 3 : 2];
    RbvMat3 second = axes_of(audit, measure->marker[1]);
    /* theta from the antisymmetric part, 2 sin(f) n, and the trace, 1 + 2 cos(f), of R = A_i^T A_j */
    RbvVec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = rbv_apply_transposed(&axes, second.column[k]);
    RbvVec3 twice = {c[1].z - c[2].y, c[2].x - c[0].z, c[0].y - c[1].x};
    double f = atan2(rbv_norm(twice), c[0].x + c[1].y + c[2].z - 1), k = f > 1e-4 ? 1 / (f * f) - 0.5 / (f * tan(0.5 * f)) : 1.0 / 12;
    RbvVec3 theta = rbv_scale(f > 1e-7 ? f / rbv_norm(twice) : 0.5, twice), e = {measure->axis == 0, measure->axis == 1, measure->axis == 2};
    RbvVec3 once = rbv_cross(theta, e);
    return rbv_apply(&axes, rbv_add_scaled(rbv_add_scaled(e, 0.5, once), k, rbv_cross(theta, once)));
}

/* The generalized force `effort` on a coordinate of the user, as forces at points. */
static void push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    Point i = point_of(audit, state, measure->marker[0]), j = point_of(audit, state, measure->marker[1]);
    if (rbv_measure_is_angle(measure->kind)) {
        RbvVec3 couple = rbv_scale(effort, couple_of(audit, measure));
        push(audit, audit->applied, j.body, j.p, zero, couple);
        push(audit, audit->applied, i.body, i.p, zero, rbv_scale(-1, couple));
        return;
    }
    RbvVec3 d = rbv_sub(j.p, i.p), along = zero;
    double l = rbv_norm(d);
    if (measure->kind == RBV_MEASURE_OFFSET)
        along = axes_of(audit, measure->marker[0]).column[measure->axis];
    else if (measure->kind == RBV_MEASURE_DISTANCE && l > 0)
        along = rbv_scale(1 / l, d);
    push(audit, audit->applied, j.body, j.p, rbv_scale(effort, along), zero);
    push(audit, audit->applied, i.body, j.p, rbv_scale(-effort, along), zero);
}

static const RbvVec3 nowhere = {NAN, NAN, NAN};

/* Value and rate of a user's coordinate from points and poses; turns come from the state. */
static void coordinate_of(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    Point i = point_of(audit, state, measure->marker[0]), j = point_of(audit, state, measure->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p), u = rbv_sub(j.v, i.v), wi = state->twists[i.body].w;
    RbvVec3 turning = rbv_sub(state->twists[j.body].w, wi);
    *value = state->measures[index].value;
    *rate = rbv_measure_is_angle(measure->kind) ? rbv_dot(couple_of(audit, measure), turning) : 0;
    if (measure->kind == RBV_MEASURE_DISTANCE) {
        *value = rbv_norm(d);
        *rate = *value > 0 ? rbv_dot(d, u) / *value : 0;
    } else if (measure->kind == RBV_MEASURE_OFFSET) {
        RbvVec3 e = axes_of(audit, measure->marker[0]).column[measure->axis];
        *value = rbv_dot(e, d);
        *rate = rbv_dot(e, u) + rbv_dot(rbv_cross(wi, e), d);
    }
}

/* J w from the tensor in body axes. */
static RbvVec3 momentum_of(const RbvAudit *audit, int32_t body, RbvVec3 w) {
    const double *I = audit->system->model->bodies.items[body].inertia;
    const RbvMat3 *A = &audit->pose[body].A;
    if (!audit->system->bodies.spatial)
        return rbv_vec3(0, 0, I[2] * w.z);
    double x = rbv_dot(A->column[0], w), y = rbv_dot(A->column[1], w), z = rbv_dot(A->column[2], w);
    RbvVec3 own = {I[0] * x + I[3] * y + I[4] * z, I[3] * x + I[1] * y + I[5] * z, I[4] * x + I[5] * y + I[2] * z};
    return rbv_apply(A, own);
}

static void load_field(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    double speed = 0, rate = 0, second = 0;
    if (load->kind == RBV_LOAD_ROTATING_FRAME) {
        if (rbv_expr_variable_count(load->value[0]) == 1)
            speed = rbv_expr_jet(load->value[0], &state->t, state->work, &rate, &second);
        else
            speed = rbv_expr_value(load->value[0], NULL, state->work);
    }
    RbvVec3 W = rbv_scale(speed, load->axis), dW = rbv_scale(rate, load->axis);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvVec3 place = audit->pose[b].r, T = zero;
        RbvTwist v = state->twists[b];
        double a[3] = {0, 0, 0};
        for (int k = 0; load->kind == RBV_LOAD_FIELD && k < 3 && load->value[k]; k++)
            a[k] = rbv_state_expression(state, load->value[k], NAN, NAN, place, NULL, state->work);
        RbvVec3 acceleration = {a[0], a[1], a[2]};
        if (load->kind == RBV_LOAD_ROTATING_FRAME) {
            /* -(W' x rho) - 2 W x v - W x (W x rho); the change of J(w + W) that the frame does not see */
            RbvVec3 rho = rbv_sub(place, load->center), sum = rbv_add(v.w, W);
            acceleration = rbv_scale(-1, rbv_add(rbv_cross(dW, rho), rbv_add(rbv_scale(2, rbv_cross(W, v.v)), rbv_cross(W, rbv_cross(W, rho)))));
            T = rbv_sub(rbv_cross(v.w, momentum_of(audit, b, v.w)), rbv_cross(sum, momentum_of(audit, b, sum)));
            T = rbv_sub(T, momentum_of(audit, b, rbv_add(dW, rbv_cross(W, v.w))));
        }
        push(audit, audit->applied, b, place, rbv_scale(body->mass, acceleration), body->particle ? zero : T);
    }
}

static void load_point(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    Point p = point_of(audit, state, load->marker[0]);
    double x[3] = {0, 0, 0};
    for (int k = 0; k < 3 && load->value[k]; k++)
        x[k] = rbv_state_expression(state, load->value[k], NAN, NAN, nowhere, NULL, state->work);
    bool torque = load->kind == RBV_LOAD_TORQUE;
    RbvVec3 v = torque && !audit->system->bodies.spatial ? rbv_vec3(0, 0, x[0]) : rbv_vec3(x[0], x[1], x[2]);
    if (load->body_frame)
        v = rbv_apply(&audit->pose[p.body].A, v);
    push(audit, audit->applied, p.body, p.p, torque ? zero : v, torque ? v : zero);
}

static void load_on_coordinates(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    bool pulls = load->kind == RBV_LOAD_SPRING || load->kind == RBV_LOAD_TORSION;
    for (int k = 0; k < load->measure_count; k++) {
        double value, rate;
        coordinate_of(audit, state, load->measure[k], &value, &rate);
        double effort = -load->stiffness[k] * (pulls ? value - load->free : value) - load->damping[k] * rate;
        if (pulls && load->value[0])
            effort -= rbv_state_expression(state, load->value[0], value, rate, nowhere, NULL, state->work);
        push_coordinate(audit, state, load->measure[k], effort);
    }
}

static void load_energy(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    int32_t n = rbv_expr_variable_count(load->value[0]);
    double *x = state->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + n * n;
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(load->value[0], v)];
        double rate;
        x[v] = state->t;
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            coordinate_of(audit, state, variable.index, &x[v], &rate);
    }
    rbv_expr_jet(load->value[0], x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(load->value[0], v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            push_coordinate(audit, state, variable.index, -gradient[v]);
    }
}

/* Coulomb's law on the printed reaction: what slides is pushed back with mu times the load on its faces. */
static void apply_friction(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvJoint *joint = &audit->system->model->joints.items[k];
    const double *w = reactions->value[k];
    double load, value, rate, across = w[RBV_FY];
    if (reactions->frame == RBV_FRAME_GROUND)
        across = rbv_dot(axes_of(audit, joint->marker[0]).column[1], rbv_vec3(w[RBV_FX], w[RBV_FY], 0));
    if (joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y)) {
        load = joint->friction_radius * hypot(w[RBV_FX], w[RBV_FY]);
    } else {
        double couple = joint->locks & RBV_DIRECTION_RZ && joint->friction_radius > 0 ? w[RBV_TZ] / (2 * joint->friction_radius) : 0;
        load = fmax(fabs(across), 2 * fabs(couple)); /* of two ends that carry across/2 +- couple */
    }
    coordinate_of(audit, state, audit->system->friction_measure[k], &value, &rate);
    double effort = w[RBV_FRICTION] == 0 ? 0 : rate > 0 ? -joint->friction * load : joint->friction * load;
    push_coordinate(audit, state, audit->system->friction_measure[k], effort);
}

static void apply_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        push(audit, audit->applied, b, audit->pose[b].r, rbv_scale(model->bodies.items[b].mass, model->gravity), zero);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        switch (load->kind) {
        case RBV_LOAD_FORCE:
        case RBV_LOAD_TORQUE: load_point(audit, state, load); break;
        case RBV_LOAD_SPRING:
        case RBV_LOAD_TORSION:
        case RBV_LOAD_BUSHING:
        case RBV_LOAD_DAMPING: load_on_coordinates(audit, state, load); break;
        case RBV_LOAD_ROTATING_FRAME:
        case RBV_LOAD_FIELD: load_field(audit, state, load); break;
        case RBV_LOAD_ENERGY: load_energy(audit, state, load); break;
        case RBV_LOAD_KINDS: break;
        }
    }
    for (int32_t k = 0; k < model->joints.count; k++)
        if (system->friction_measure[k] >= 0)
            apply_friction(audit, state, reactions, k);
    for (int32_t k = 0; k < model->drives.count; k++)
        push_coordinate(audit, state, model->drives.items[k].measure, reactions->effort[k]);
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const RbvRow *row = &system->rows[system->constraint_row[k]];
        for (int32_t n = row->first; n < row->first + row->count; n++)
            push_coordinate(audit, state, system->terms[n].measure, reactions->multiplier[k] * state->coefficient[n]);
    }
}

/* What pushes the wheels apart belongs to what drives them. */
static void check_gear(RbvAudit *audit, const RbvJoint *joint, const double *value) {
    double along = fabs(value[RBV_LINE_FT]), Fr = along * tan(joint->pressure_angle) / cos(joint->helix_angle);
    if (joint->spatial) {
        const RbvMesh *mesh = &audit->system->model->meshes.items[joint->mesh];
        Fr = along * joint->radii[1] / mesh->turn[1] * mesh->apart;
    }
    double floor = 0, scale = 0;
    for (int side = 0; side < 2; side++) {
        int32_t body = audit->system->model->markers.items[joint->marker[side]].body;
        floor = fmax(floor, audit->floor[body]);
        scale = body > 0 ? audit->scale[audit->system->part[body]].force : scale;
    }
    if (!(fabs(Fr - value[RBV_LINE_FR]) <= RBV_AUDIT_TOLERANCE * (scale + Fr) + floor))
        audit->gear_off = true;
}

static void apply_joints(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        Point second = point_of(audit, state, joint->marker[1]);
        const double *value = reactions->value[k];
        RbvVec3 F = {value[RBV_FX], value[RBV_FY], value[RBV_FZ]}, T = {value[RBV_TX], value[RBV_TY], value[RBV_TZ]};
        if (reactions->frame == RBV_FRAME_JOINT) {
            RbvMat3 axes = axes_of(audit, rbv_joint_axes(joint));
            F = rbv_apply(&axes, F);
            T = rbv_apply(&axes, T);
        }
        push(audit, audit->joints, second.body, second.p, F, T);
        push(audit, audit->joints, model->markers.items[joint->marker[0]].body, second.p, rbv_scale(-1, F), rbv_scale(-1, T));
    }
}

static void fail(RbvAudit *audit, int32_t body, double t) {
    if (audit->failed)
        return;
    audit->failed = true;
    audit->worst_body = body;
    audit->worst_time = t;
}

/* Of the distance from the origin: what coordinates are rounded to, as an arm, over the tolerance. */
#define ROUNDED_ARM 1e-8
/* Of the size, an arm that forces are taken to have at least. */
#define LEAST_ARM 1e-3

/* Newton and Euler for one body: what is left over, {force, torque}; its share of the power. */
static void balance(RbvAudit *audit, const RbvState *state, int32_t b, double left[2]) {
    const RbvSystem *system = audit->system;
    const RbvBody *body = &system->model->bodies.items[b];
    RbvTwist v = state->twists[b], a = state->accelerations[b];
    RbvVec3 ma = rbv_scale(body->mass, a.v), Ja = zero;
    if (!body->particle)
        Ja = rbv_add(momentum_of(audit, b, a.w), rbv_cross(v.w, momentum_of(audit, b, v.w)));
    const RbvWrench *applied = &audit->applied[b], *joints = &audit->joints[b];
    double force = rbv_norm(rbv_sub(rbv_add(applied->force, joints->force), ma));
    double torque = body->particle ? 0 : rbv_norm(rbv_sub(rbv_add(applied->torque, joints->torque), Ja));
    if (!system->bodies.spatial && !body->particle) /* in the plane others carry what is out of it */
        torque = fabs(applied->torque.z + joints->torque.z - Ja.z);
    double force_size = audit->sizes[b][0] + size_of(ma);
    double spin = rbv_norm(v.w) * rbv_norm(momentum_of(audit, b, v.w)); /* what w x J w is the rounding of, when both are parallel */
    double torque_size = audit->sizes[b][1] + size_of(Ja) + spin + force_size * (LEAST_ARM * rbv_state_body_size(state, b) + ROUNDED_ARM * size_of(audit->pose[b].r));
    RbvAuditScale *scale = &audit->scale[system->part[b]];
    scale->force = fmax(scale->force, force_size);
    scale->torque = fmax(scale->torque, torque_size);
    audit->force_scale = fmax(audit->force_scale, force_size);
    audit->torque_scale = fmax(audit->torque_scale, torque_size);
    left[0] = force, left[1] = torque;
    audit->force = force > audit->force || isnan(force) ? force : audit->force;
    audit->torque = torque > audit->torque || isnan(torque) ? torque : audit->torque;
    scale->power_left += rbv_dot(rbv_sub(applied->force, ma), v.v) + rbv_dot(rbv_sub(applied->torque, Ja), v.w);
    scale->power_size += (size_of(applied->force) + size_of(ma)) * size_of(v.v) + (size_of(applied->torque) + size_of(Ja)) * size_of(v.w) +
                   audit->sizes[b][0] * rbv_norm(v.v) + (audit->sizes[b][1] + spin) * rbv_norm(v.w);
}

/* What joints would have done, part by part: joints end at ground or within the part. */
static void check_power(RbvAudit *audit, double t) {
    double power = 0, power_size = 0;
    for (int32_t p = 0; p < audit->system->part_count; p++) {
        RbvAuditScale *scale = &audit->scale[p];
        scale->power = fmax(scale->power, scale->power_size);
        if (!(fabs(scale->power_left) <= RBV_AUDIT_TOLERANCE * scale->power))
            fail(audit, 0, t);
        power += scale->power_left;
        power_size += scale->power_size;
        scale->power_left = scale->power_size = 0;
    }
    audit->power = fmax(audit->power, fabs(power));
    audit->power_scale = fmax(audit->power_scale, power_size);
}

void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    size_t bodies = (size_t)audit->system->model->bodies.count;
    memset(audit->applied, 0, bodies * sizeof *audit->applied);
    memset(audit->joints, 0, bodies * sizeof *audit->joints);
    memset(audit->sizes, 0, bodies * sizeof *audit->sizes);
    for (int32_t b = 0; b < (int32_t)bodies; b++)
        place_body(audit, state, b);
    apply_loads(audit, state, reactions);
    apply_joints(audit, state, reactions);
    for (int32_t b = 1; b < (int32_t)bodies; b++)
        balance(audit, state, b, audit->left[b]);
    for (int32_t b = 1; b < (int32_t)bodies; b++) { /* against the largest of its part; torques alone leave forces that are their rounding */
        const RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
        double size = rbv_state_body_size(state, b), force_scale = scale->force + LEAST_ARM * scale->torque / size;
        if (!(audit->left[b][0] <= RBV_AUDIT_TOLERANCE * force_scale + audit->floor[b]) ||
            !(audit->left[b][1] <= RBV_AUDIT_TOLERANCE * scale->torque + audit->floor[b] * size))
            fail(audit, b, state->t);
    }
    for (int32_t k = 0; k < audit->system->model->joints.count; k++) /* against the scales of this sample, too */
        if (audit->system->model->joints.items[k].form == RBV_FORM_GEAR)
            check_gear(audit, &audit->system->model->joints.items[k], reactions->value[k]);
    if (audit->gear_off)
        fail(audit, 0, state->t);
    check_power(audit, state->t);
}
