/* Balances from the reported numbers with plain planar formulas; see audit.h. Nothing here calls element/. */
#include "analysis/audit.h"

#include <stdlib.h>
#include <string.h>

typedef struct Point {
    double x, y;   /* place */
    double ax, ay; /* arm from the centroid */
    double vx, vy;
    int32_t body;
} Point;

bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system) {
    size_t bodies = (size_t)system->model->bodies.count;
    *audit = (RbvAudit){.system = system};
    audit->memory = calloc(bodies * 12 + 1, sizeof(double));
    if (!audit->memory)
        return false;
    audit->pose = (double(*)[4])(void *)audit->memory;
    audit->applied = (double(*)[3])(void *)(audit->memory + 4 * bodies);
    audit->joints = (double(*)[3])(void *)(audit->memory + 7 * bodies);
    audit->sizes = (double(*)[2])(void *)(audit->memory + 10 * bodies);
    return true;
}

void rbv_audit_destroy(RbvAudit *audit) {
    free(audit->memory);
}

/* x, y and turn of q, v or a for a body; zero for ground and for a particle's turn. */
static void motion_of(const RbvSystem *system, const double *x, int32_t body, double out[3]) {
    int32_t start = system->absolute.start[body], count = system->absolute.start[body + 1] - start;
    for (int32_t k = 0; k < 3; k++)
        out[k] = k < count ? x[start + k] : 0;
}

static Point point_of(const RbvAudit *audit, const RbvState *state, int32_t marker) {
    const RbvModel *model = audit->system->model;
    const RbvMarker *m = &model->markers.items[marker];
    const RbvBody *body = &model->bodies.items[m->body];
    const double *pose = audit->pose[m->body];
    double sx = m->at.x - body->centroid.x, sy = m->at.y - body->centroid.y, v[3];
    motion_of(audit->system, state->v, m->body, v);
    Point p = {.body = m->body};
    p.ax = pose[2] * sx - pose[3] * sy;
    p.ay = pose[3] * sx + pose[2] * sy;
    p.x = pose[0] + p.ax;
    p.y = pose[1] + p.ay;
    p.vx = v[0] - v[2] * p.ay;
    p.vy = v[1] + v[2] * p.ax;
    return p;
}

/* Direction of a marker's x in the plane. */
static void direction_of(const RbvAudit *audit, int32_t marker, double *c, double *s) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    const double *pose = audit->pose[m->body];
    double mc = cos(m->angle), ms = sin(m->angle);
    *c = pose[2] * mc - pose[3] * ms;
    *s = pose[3] * mc + pose[2] * ms;
}

/* Force F at place P with torque T, on a body. */
static void push(RbvAudit *audit, double (*to)[3], int32_t body, double px, double py, double fx, double fy, double torque) {
    const double *pose = audit->pose[body];
    double moment = torque + (px - pose[0]) * fy - (py - pose[1]) * fx;
    to[body][0] += fx;
    to[body][1] += fy;
    to[body][2] += moment;
    audit->sizes[body][0] += fabs(fx) + fabs(fy);
    audit->sizes[body][1] += fabs(torque) + fabs((px - pose[0]) * fy) + fabs((py - pose[1]) * fx);
}

/* The generalized force `effort` on a coordinate of the user, as forces at points. */
static void push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    Point i = point_of(audit, state, measure->marker[0]), j = point_of(audit, state, measure->marker[1]);
    if (measure->kind == RBV_MEASURE_ANGLE) {
        push(audit, audit->applied, j.body, j.x, j.y, 0, 0, effort);
        push(audit, audit->applied, i.body, i.x, i.y, 0, 0, -effort);
    } else if (measure->kind == RBV_MEASURE_DISTANCE) {
        double dx = j.x - i.x, dy = j.y - i.y, l = sqrt(dx * dx + dy * dy);
        double fx = l > 0 ? effort * dx / l : 0, fy = l > 0 ? effort * dy / l : 0;
        push(audit, audit->applied, j.body, j.x, j.y, fx, fy, 0);
        push(audit, audit->applied, i.body, i.x, i.y, -fx, -fy, 0);
    } else if (measure->kind == RBV_MEASURE_OFFSET) {
        double c, s;
        direction_of(audit, measure->marker[0], &c, &s);
        double fx = effort * (measure->axis == 0 ? c : -s), fy = effort * (measure->axis == 0 ? s : c);
        push(audit, audit->applied, j.body, j.x, j.y, fx, fy, 0);
        push(audit, audit->applied, i.body, j.x, j.y, -fx, -fy, 0);
    }
}

static const RbvVec3 nowhere = {NAN, NAN, NAN};

/* Value and rate of a user's coordinate from points and poses. */
static void coordinate_of(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    Point i = point_of(audit, state, measure->marker[0]), j = point_of(audit, state, measure->marker[1]);
    double dx = j.x - i.x, dy = j.y - i.y, dvx = j.vx - i.vx, dvy = j.vy - i.vy, vi[3], vj[3];
    motion_of(audit->system, state->v, i.body, vi);
    motion_of(audit->system, state->v, j.body, vj);
    *value = state->measures[index].value;
    *rate = vj[2] - vi[2];
    if (measure->kind == RBV_MEASURE_DISTANCE) {
        *value = sqrt(dx * dx + dy * dy);
        *rate = *value > 0 ? (dx * dvx + dy * dvy) / *value : 0;
    } else if (measure->kind == RBV_MEASURE_OFFSET) {
        double c, s;
        direction_of(audit, measure->marker[0], &c, &s);
        double ex = measure->axis == 0 ? c : -s, ey = measure->axis == 0 ? s : c;
        *value = ex * dx + ey * dy;
        *rate = ex * (dvx + vi[2] * dy) + ey * (dvy - vi[2] * dx);
    }
}

static void load_field(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    double w = 0, rate = 0, second = 0;
    if (load->kind == RBV_LOAD_ROTATING_FRAME) {
        if (rbv_expr_variable_count(load->value[0]) == 1)
            w = rbv_expr_jet(load->value[0], &state->t, state->work, &rate, &second);
        else
            w = rbv_expr_value(load->value[0], NULL, state->work);
    }
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const double *pose = audit->pose[b];
        double v[3], ax, ay;
        motion_of(audit->system, state->v, b, v);
        if (load->kind == RBV_LOAD_FIELD) {
            RbvVec3 place = {pose[0], pose[1], 0};
            ax = rbv_state_expression(state, load->value[0], NAN, NAN, place, NULL, state->work);
            ay = rbv_state_expression(state, load->value[1], NAN, NAN, place, NULL, state->work);
        } else {
            /* -(dw/dt x rho) - 2 w x v - w x (w x rho) */
            double rx = pose[0] - load->center.x, ry = pose[1] - load->center.y;
            ax = rate * ry + 2 * w * v[1] + w * w * rx;
            ay = -rate * rx - 2 * w * v[0] + w * w * ry;
        }
        push(audit, audit->applied, b, pose[0], pose[1], body->mass * ax, body->mass * ay, -body->inertia[2] * rate);
    }
}

static void load_force(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    Point p = point_of(audit, state, load->marker[0]);
    double fx = rbv_state_expression(state, load->value[0], NAN, NAN, nowhere, NULL, state->work);
    double fy = rbv_state_expression(state, load->value[1], NAN, NAN, nowhere, NULL, state->work);
    const double *pose = audit->pose[p.body];
    if (load->body_frame)
        push(audit, audit->applied, p.body, p.x, p.y, pose[2] * fx - pose[3] * fy, pose[3] * fx + pose[2] * fy, 0);
    else
        push(audit, audit->applied, p.body, p.x, p.y, fx, fy, 0);
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
    double load, value, rate, c = 1, s = 0;
    if (reactions->frame == RBV_FRAME_GROUND)
        direction_of(audit, joint->marker[0], &c, &s);
    double across = c * w[RBV_FY] - s * w[RBV_FX];
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
        double mass = model->bodies.items[b].mass;
        push(audit, audit->applied, b, audit->pose[b][0], audit->pose[b][1], mass * model->gravity.x, mass * model->gravity.y, 0);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        switch (load->kind) {
        case RBV_LOAD_FORCE: load_force(audit, state, load); break;
        case RBV_LOAD_TORQUE: {
            int32_t body = model->markers.items[load->marker[0]].body;
            double torque = rbv_state_expression(state, load->value[0], NAN, NAN, nowhere, NULL, state->work);
            push(audit, audit->applied, body, audit->pose[body][0], audit->pose[body][1], 0, 0, torque);
            break;
        }
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

static void apply_joints(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvModel *model = audit->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        Point second = point_of(audit, state, joint->marker[1]);
        const double *value = reactions->value[k];
        if (joint->kind->form == RBV_FORM_GEAR) { /* what pushes the wheels apart belongs to what drives them */
            double Fr = fabs(value[RBV_LINE_FT]) * tan(joint->pressure_angle) / cos(joint->helix_angle);
            if (!(fabs(Fr - value[RBV_LINE_FR]) <= RBV_AUDIT_TOLERANCE * (audit->force_scale + Fr)))
                audit->gear_off = true;
        }
        double c = 1, s = 0, torque = value[RBV_TZ];
        if (reactions->frame == RBV_FRAME_JOINT)
            direction_of(audit, rbv_joint_axes(joint), &c, &s);
        double fx = c * value[RBV_FX] - s * value[RBV_FY], fy = s * value[RBV_FX] + c * value[RBV_FY];
        push(audit, audit->joints, second.body, second.x, second.y, fx, fy, torque);
        push(audit, audit->joints, model->markers.items[joint->marker[0]].body, second.x, second.y, -fx, -fy, -torque);
    }
}

void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    int32_t bodies = model->bodies.count;
    memset(audit->applied, 0, (size_t)bodies * 8 * sizeof(double)); /* applied, joints, sizes */
    for (int32_t b = 0; b < bodies; b++) {
        double q[3];
        motion_of(system, state->q, b, q);
        double *pose = audit->pose[b];
        pose[0] = q[0], pose[1] = q[1], pose[2] = cos(q[2]), pose[3] = sin(q[2]);
    }
    apply_loads(audit, state, reactions);
    apply_joints(audit, state, reactions);
    double power = 0, power_size = 0;
    for (int32_t b = 1; b < bodies; b++) {
        const RbvBody *body = &model->bodies.items[b];
        double v[3], a[3], inertia[3];
        motion_of(system, state->v, b, v);
        motion_of(system, state->a, b, a);
        inertia[0] = body->mass * a[0], inertia[1] = body->mass * a[1], inertia[2] = body->inertia[2] * a[2];
        const double *applied = audit->applied[b], *joints = audit->joints[b];
        double force = hypot(applied[0] + joints[0] - inertia[0], applied[1] + joints[1] - inertia[1]);
        double torque = fabs(applied[2] + joints[2] - inertia[2]);
        double force_size = audit->sizes[b][0] + fabs(inertia[0]) + fabs(inertia[1]);
        double torque_size = audit->sizes[b][1] + fabs(inertia[2]) + force_size * 1e-3 * system->size_length;
        audit->force_scale = fmax(audit->force_scale, force_size);
        audit->torque_scale = fmax(audit->torque_scale, torque_size);
        if (body->particle)
            torque = 0;
        bool bad = !(force <= RBV_AUDIT_TOLERANCE * audit->force_scale) || !(torque <= RBV_AUDIT_TOLERANCE * audit->torque_scale);
        if (bad && !audit->failed) {
            audit->failed = true;
            audit->worst_body = b;
            audit->worst_time = state->t;
        }
        audit->force = force > audit->force || isnan(force) ? force : audit->force;
        audit->torque = torque > audit->torque || isnan(torque) ? torque : audit->torque;
        for (int k = 0; k < 3; k++) {
            power += (applied[k] - inertia[k]) * v[k];
            power_size += (fabs(applied[k]) + fabs(inertia[k])) * fabs(v[k]);
        }
        power_size += audit->sizes[b][0] * hypot(v[0], v[1]) + audit->sizes[b][1] * fabs(v[2]);
    }
    if (audit->gear_off && !audit->failed) {
        audit->failed = true;
        audit->worst_body = 0;
        audit->worst_time = state->t;
    }
    audit->power = fmax(audit->power, fabs(power));
    audit->power_scale = fmax(audit->power_scale, power_size);
    if (!(fabs(power) <= RBV_AUDIT_TOLERANCE * audit->power_scale) && !audit->failed) {
        audit->failed = true;
        audit->worst_body = 0;
        audit->worst_time = state->t;
    }
}
