/* Each body by the distance and the direction of its centroid from one point, and by its turn; see polar.h. */
#include "support/polar.h"

#include <math.h>
#include <string.h>

#define POLE_X -31.7
#define POLE_Y -17.3

static bool polar_layout(RbvCoordinates *c, RbvArena *arena) {
    if (c->bodies->spatial) {
        c->kind = &rbv_absolute_coordinates;
        return c->kind->layout(c, arena);
    }
    c->size = c->position_size = c->bodies->size;
    return true;
}

static void polar_take(const RbvCoordinates *c, const RbvBodyState *from, double *q) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double *x = q + c->bodies->start[b];
        if (rbv_bodies_columns(c->bodies, b) == 1) {
            x[0] = from[b].r.x;
            continue;
        }
        x[0] = hypot(from[b].r.x - POLE_X, from[b].r.y - POLE_Y);
        x[1] = atan2(from[b].r.y - POLE_Y, from[b].r.x - POLE_X);
        if (rbv_bodies_turns(c->bodies, b))
            x[2] = from[b].turn;
    }
}

static void polar_place(const RbvCoordinates *c, const double *q, RbvBodyState *bodies) {
    bodies[0] = (RbvBodyState){{0, 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *x = q + c->bodies->start[b];
        if (rbv_bodies_columns(c->bodies, b) == 1) {
            bodies[b] = (RbvBodyState){{x[0], 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
            continue;
        }
        double turn = rbv_bodies_turns(c->bodies, b) ? x[2] : 0;
        bodies[b] = (RbvBodyState){{POLE_X + x[0] * cos(x[1]), POLE_Y + x[0] * sin(x[1]), 0},
                                   rbv_mat3_about_z(turn),
                                   turn,
                                   rbv_quat_identity(),
                                   0};
    }
}

static void polar_push(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *twists) {
    twists[0] = (RbvTwist){{0, 0, 0}, {0, 0, 0}};
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *x = at.q + c->bodies->start[b], *u = v + c->bodies->start[b];
        double cosine = cos(x[1]), sine = sin(x[1]);
        if (rbv_bodies_columns(c->bodies, b) == 1) {
            twists[b] = (RbvTwist){{u[0], 0, 0}, {0, 0, 0}};
            continue;
        }
        twists[b] = (RbvTwist){{u[0] * cosine - x[0] * u[1] * sine, u[0] * sine + x[0] * u[1] * cosine, 0},
                               {0, 0, rbv_bodies_turns(c->bodies, b) ? u[2] : 0}};
    }
}

static void polar_take_rates(const RbvCoordinates *c, RbvPosed at, const RbvTwist *twists, double *v) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double *u = v + c->bodies->start[b];
        RbvVec3 from_pole = {at.bodies[b].r.x - POLE_X, at.bodies[b].r.y - POLE_Y, 0};
        double distance = rbv_norm(from_pole);
        u[0] = twists[b].v.x;
        if (rbv_bodies_columns(c->bodies, b) == 1)
            continue;
        u[0] = rbv_dot(from_pole, twists[b].v) / distance;
        u[1] = rbv_cross(from_pole, twists[b].v).z / (distance * distance);
        if (rbv_bodies_turns(c->bodies, b))
            u[2] = twists[b].w.z;
    }
}

static void polar_bias(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *accelerations) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *x = at.q + c->bodies->start[b], *u = v + c->bodies->start[b];
        if (rbv_bodies_columns(c->bodies, b) == 1)
            continue;
        RbvVec3 inwards = {-cos(x[1]), -sin(x[1]), 0}, across = {-sin(x[1]), cos(x[1]), 0};
        RbvVec3 sum = rbv_add(rbv_scale(x[0] * u[1] * u[1], inwards), rbv_scale(2 * u[0] * u[1], across));
        accelerations[b].v = rbv_add(accelerations[b].v, sum);
    }
}

static int32_t polar_columns(const RbvCoordinates *c, int32_t body, int32_t *column) {
    int32_t count = rbv_bodies_columns(c->bodies, body);
    for (int32_t k = 0; k < count; k++)
        column[k] = c->bodies->start[body] + count - 1 - k; /* in an order of its own */
    return count;
}

static void polar_add(const RbvCoordinates *c, RbvPosed at, int32_t body, double k, const RbvWrench *wrench,
                      double *out) {
    int32_t count = rbv_bodies_columns(c->bodies, body);
    if (count < 2) {
        if (count)
            out[0] += k * wrench->force.x;
        return;
    }
    const double *x = at.q + c->bodies->start[body];
    double cosine = cos(x[1]), sine = sin(x[1]);
    out[count - 1] += k * (wrench->force.x * cosine + wrench->force.y * sine);
    out[count - 2] += k * x[0] * (wrench->force.y * cosine - wrench->force.x * sine);
    if (count == 3)
        out[0] += k * wrench->torque.z;
}

static void polar_pull(const RbvCoordinates *c, RbvPosed at, const RbvWrench *wrenches, double *Q) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double part[3] = {0};
        int32_t column[3], count = polar_columns(c, b, column);
        polar_add(c, at, b, 1, &wrenches[b], part);
        for (int32_t k = 0; k < count; k++)
            Q[column[k]] = part[k];
    }
}

static void polar_step(const RbvCoordinates *c, double *q, const double *dv) {
    for (int32_t k = 0; k < c->size; k++)
        q[k] += dv[k];
}

static void polar_difference(const RbvCoordinates *c, const double *from, const double *to, double *dv) {
    for (int32_t k = 0; k < c->size; k++)
        dv[k] = to[k] - from[k];
}

static void polar_rate(const RbvCoordinates *c, const double *q, const double *v, double *rate) {
    (void)q;
    memcpy(rate, v, (size_t)c->size * sizeof *rate);
}

static void polar_renew(const RbvCoordinates *c, double *q) {
    (void)c, (void)q;
}

static void polar_worth(const RbvCoordinates *c, const double *size, const double *arm, double *of_q, double *of_v) {
    for (int32_t b = 1; b < c->bodies->count; b++)
        for (int32_t k = c->bodies->start[b]; k < c->bodies->start[b + 1]; k++) {
            double scale = (k == c->bodies->start[b]       ? 1
                            : k == c->bodies->start[b] + 1 ? hypot(POLE_X, POLE_Y)
                                                           : arm[b]) /
                           size[b];
            if (of_q)
                of_q[k] = scale;
            if (of_v)
                of_v[k] = scale;
        }
}

static void polar_mass(const RbvCoordinates *c, RbvPosed at, const double *x, double *out) {
    (void)at;
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvBody *body = &c->model->bodies.items[b];
        int32_t s = c->bodies->start[b];
        out[s] = body->mass * x[s];
        if (rbv_bodies_columns(c->bodies, b) == 1)
            continue;
        out[s + 1] = body->mass * at.q[s] * at.q[s] * x[s + 1];
        if (rbv_bodies_turns(c->bodies, b))
            out[s + 2] = body->inertia[2] * x[s + 2];
    }
}

static int32_t polar_positions(const RbvCoordinates *c, int32_t body, int32_t *first) {
    *first = c->bodies->start[body];
    return rbv_bodies_columns(c->bodies, body);
}

/* Of the centroid: by the direction twice -rho outwards, by both across. */
static void polar_place_second(const RbvCoordinates *c, RbvPosed at, int32_t body, const RbvWrench *wrench,
                               double *zero, double *out) {
    (void)zero;
    int32_t count = rbv_bodies_columns(c->bodies, body);
    memset(out, 0, (size_t)count * (size_t)count * sizeof *out);
    if (count < 2)
        return;
    const double *x = at.q + c->bodies->start[body];
    int32_t rho = count - 1, phi = count - 2; /* in the order of polar_columns */
    out[phi * count + phi] = -x[0] * (wrench->force.x * cos(x[1]) + wrench->force.y * sin(x[1]));
    out[phi * count + rho] = out[rho * count + phi] = wrench->force.y * cos(x[1]) - wrench->force.x * sin(x[1]);
}

const RbvCoordinatesKind polar_coordinates = {
    .name = "polar",
    .layout = polar_layout,
    .from_bodies = polar_take,
    .take_rates = polar_take_rates,
    .positions = polar_place,
    .velocities = polar_push,
    .generalized_forces = polar_pull,
    .bias = polar_bias,
    .columns = polar_columns,
    .add = polar_add,
    .position_columns = polar_positions,
    .step = polar_step,
    .difference = polar_difference,
    .rate = polar_rate,
    .renew = polar_renew,
    .scale = polar_worth,
    .mass = polar_mass,
    .place_second = polar_place_second,
};
