/* Everything that acts on the bodies but joints, by plain formulas: one function for each kind of load, then friction, drives, constraints. */
#include "audit/points.h"

static const RbvVec3 zero = {0, 0, 0};

/* A load's k-th value. */
static double value_of(const RbvState *state, const RbvLoad *load, int k, const RbvLocal *local) {
    const RbvScene at = rbv_state_scene(state);
    return rbv_scene_value(&at, load->value[k], local);
}

/* Its up to three values as a vector along the body's axes or ground's. */
static RbvVec3 vector_of(const RbvAudit *audit, const RbvState *state, const RbvLoad *load, int32_t body) {
    double x[3] = {0, 0, 0};
    for (int k = 0; k < 3 && load->value[k]; k++)
        x[k] = value_of(state, load, k, NULL);
    RbvVec3 v = load->value[1] ? rbv_vec3(x[0], x[1], x[2]) : rbv_vec3(0, 0, x[0]); /* a single one is about z */
    return load->body_frame ? rbv_apply(&audit->pose[body].A, v) : v;
}

static void force(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint p = rbv_audit_point(audit, state, load->marker[0]);
    rbv_audit_push(audit, audit->applied, p.body, p.p, vector_of(audit, state, load, p.body), zero);
}

static void torque(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint p = rbv_audit_point(audit, state, load->marker[0]);
    rbv_audit_push(audit, audit->applied, p.body, p.p, zero, vector_of(audit, state, load, p.body));
}

/* Of the distances from which it is computed, a length that is their rounding. */
#define NO_LENGTH 1e-12

/* Two points that pass through each other: pulled by k (0 - m0) - c |d'| + f against the way the second goes, which is where it came from. */
static bool spring_in_passing(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    RbvAuditPoint i = rbv_audit_point(audit, state, load->marker[0]), j = rbv_audit_point(audit, state, load->marker[1]);
    double size = fmax(rbv_state_body_size(state, i.body), rbv_state_body_size(state, j.body));
    RbvVec3 going = rbv_sub(j.v, i.v);
    double speed = rbv_norm(going);
    if (rbv_norm(rbv_sub(j.p, i.p)) > NO_LENGTH * (size + rbv_norm(i.arm) + rbv_norm(j.arm) + rbv_norm(i.p)) || !(speed > 0))
        return false;
    double pull = -load->stiffness[0] * load->free - load->damping[0] * speed;
    if (load->value[0])
        pull += value_of(state, load, 0, &(RbvLocal){.length = {0, -speed}});
    RbvVec3 F = rbv_scale(pull / speed, going);
    rbv_audit_push(audit, audit->applied, j.body, j.p, F, zero);
    rbv_audit_push(audit, audit->applied, i.body, i.p, rbv_scale(-1, F), zero);
    return true;
}

/* -k (m - m0) - c m' - f(m, m', t) */
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

/* -m (W' x rho + 2 W x v + W x (W x rho)); the change of J(w + W) that the frame does not see. */
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
        RbvVec3 place = audit->pose[b].r, rho = rbv_sub(place, load->center), sum = rbv_add(v.w, W);
        RbvVec3 a = rbv_add(rbv_cross(dW, rho), rbv_add(rbv_scale(2, rbv_cross(W, v.v)), rbv_cross(W, rbv_cross(W, rho))));
        RbvVec3 T = rbv_sub(rbv_cross(v.w, rbv_audit_momentum(audit, b, v.w)), rbv_cross(sum, rbv_audit_momentum(audit, b, sum)));
        T = rbv_sub(T, rbv_audit_momentum(audit, b, rbv_add(dW, rbv_cross(W, v.w))));
        rbv_audit_push(audit, audit->applied, b, place, rbv_scale(-body->mass, a), body->particle ? zero : T);
    }
}

static void field(RbvAudit *audit, const RbvState *state, const RbvLoad *load) {
    const RbvModel *model = audit->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        if (model->bodies.items[b].generalized)
            continue;
        RbvVec3 place = audit->pose[b].r;
        RbvLocal local = {.place = {place.x, place.y, place.z}};
        double a[3] = {0, 0, 0};
        for (int k = 0; k < 3 && load->value[k]; k++)
            a[k] = value_of(state, load, k, &local);
        rbv_audit_push(audit, audit->applied, b, place, rbv_scale(model->bodies.items[b].mass, rbv_vec3(a[0], a[1], a[2])), zero);
    }
}

/* -dV/dm on each coordinate m. */
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
    rbv_expr_jet(load->value[0], x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = rbv_variable_of(model, load->value[0], v);
        if (variable.kind == RBV_VARIABLE_COORDINATE)
            rbv_audit_push_coordinate(audit, state, variable.index, -gradient[v]);
    }
}

#define ROW(KIND, name) [RBV_LOAD_##KIND] = name,
static void (*const loads[])(RbvAudit *, const RbvState *, const RbvLoad *) = {RBV_LOAD_LIST(ROW)};
#undef ROW

/* Of the largest rate of the machine: slower is rounding of zero, whose sign says nothing. */
#define ROUNDED_RATE 1e-12
/* Instants are known to this part of the time, or of a second: within it a rate comes to zero, and has no sign. */
#define INSTANT 1e-12

/* A body's rates, or accelerations, as one number of the kind of a joint's coordinate. */
static double size_of(const RbvState *state, const RbvTwist *twists, int32_t body, bool angular) {
    double v = rbv_norm(twists[body].v), w = rbv_norm(twists[body].w), size = rbv_state_body_size(state, body);
    return angular ? w + v / size : v + w * size;
}

/* Is the rate of a joint so slow that its sign is rounding, or the instant at which it turns? */
static bool has_no_sign(const RbvAudit *audit, const RbvState *state, const RbvJoint *joint, double rate) {
    bool angular = joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y);
    double fastest = 0, second = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        fastest = fmax(fastest, size_of(state, state->twists, b, angular));
    for (int side = 0; side < 2; side++)
        second = fmax(second, size_of(state, state->accelerations, state->system->model->markers.items[joint->marker[side]].body, angular));
    return fabs(rate) <= fmax(ROUNDED_RATE, audit->tolerance) * fastest || fabs(rate) <= INSTANT * fmax(1, fabs(state->t)) * second;
}

/* Coulomb's law on the printed reaction: what slides is pushed back with mu times the load on its faces. Where the rate has no sign the printed one counts, and it may print none. */
double rbv_audit_friction(const RbvAudit *audit, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvJoint *joint = &audit->system->model->joints.items[k];
    const double *w = reactions->value[k];
    double load, value, rate, across = w[RBV_FY];
    if (reactions->frame == RBV_FRAME_GROUND)
        across = rbv_dot(rbv_audit_axes(audit, joint->marker[0]).column[1], rbv_vec3(w[RBV_FX], w[RBV_FY], 0));
    if (joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y)) {
        load = joint->friction_radius * hypot(w[RBV_FX], w[RBV_FY]);
    } else {
        double couple = joint->locks & RBV_DIRECTION_RZ && joint->friction_radius > 0 ? w[RBV_TZ] / (2 * joint->friction_radius) : 0;
        load = fmax(fabs(across), 2 * fabs(couple)); /* of two ends that carry across/2 +- couple */
    }
    rbv_audit_coordinate(audit, state, audit->system->friction_measure[k], &value, &rate);
    int32_t stick = audit->system->stick_row[k];
    if (stick >= 0 && state->active && state->active[stick]) /* sticking: anything up to the limit */
        return fmax(-joint->friction_static * load, fmin(joint->friction_static * load, w[RBV_FRICTION]));
    if (has_no_sign(audit, state, joint, rate)) /* about to slide, or to stick */
        return w[RBV_FRICTION] == 0 ? 0 : copysign(joint->friction * load, w[RBV_FRICTION]);
    return rate > 0 ? -joint->friction * load : joint->friction * load;
}

/* The work that constraints are said to do, by the ideal efforts. */
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

/* The force of the expression f of a row is that of its coordinates m: lambda df/dm. */
static void push_equation(RbvAudit *audit, const RbvState *state, int32_t k, double lambda) {
    const RbvRow *row = &audit->system->rows[k];
    for (int32_t n = row->first; n < row->first + row->count; n++)
        rbv_audit_push_coordinate(audit, state, audit->system->terms[n].measure, lambda * state->coefficient[n]);
}

void rbv_audit_rows(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        if (model->drives.items[k].of.named < 0)
            rbv_audit_push_coordinate(audit, state, model->drives.items[k].of.measure, reactions->effort[k]);
        else
            push_equation(audit, state, system->drive_row[k], reactions->effort[k]);
    }
    for (int32_t k = 0; k < model->actuators.count; k++)
        if (reactions->actuator[k] != 0)
            rbv_audit_push_coordinate(audit, state, model->actuators.items[k].measure, reactions->actuator[k]);
    for (int32_t k = 0; k < model->constraints.count; k++)
        push_equation(audit, state, system->constraint_row[k], reactions->carried[k]);
    for (int32_t k = 0; k < model->stops.count; k++)
        if (reactions->stop[k] != 0)
            rbv_audit_push_coordinate(audit, state, model->stops.items[k].measure, reactions->stop[k]);
}

void rbv_audit_loads(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions) {
    const RbvSystem *system = audit->system;
    const RbvModel *model = system->model;
    for (int32_t b = 1; b < model->bodies.count; b++)
        rbv_audit_push(audit, audit->applied, b, audit->pose[b].r, rbv_scale(model->bodies.items[b].mass, model->gravity), zero);
    for (int32_t k = 0; k < model->loads.count; k++)
        if (rbv_state_acts(state, k))
            loads[model->loads.items[k].kind](audit, state, &model->loads.items[k]);
    for (int32_t k = 0; k < model->joints.count; k++)
        if (system->friction_measure[k] >= 0)
            rbv_audit_push_coordinate(audit, state, system->friction_measure[k], rbv_audit_friction(audit, state, reactions, k));
    nonideal(audit, state, reactions);
    for (int32_t k = 0; k < model->generalized.count; k++) {
        double force = rbv_state_expression(state, model->generalized.items[k].force, NULL, state->work);
        rbv_audit_push(audit, audit->applied, model->generalized.items[k].body, zero, rbv_vec3(force, 0, 0), zero);
    }
}
