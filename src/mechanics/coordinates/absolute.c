/* Absolute coordinates: position of the centroid and orientation of each body; the velocities are the body twists.
 *
 * A generalized coordinate has its value only. In the plane a body has q = (x, y, turn) and v = (vx, vy, w), a particle
 * q = (x, y); behind these numbers of all bodies stand the whole turns that are not in each body's `turn`.
 * In space a body has q = (r, unit quaternion), 7 numbers, and v = (r', w), 6 numbers, all in ground axes; a particle
 * has 3 and
 * 3. Ground has none. P = 1, bias = 0: v is the vector of body twists. A step is (r + dr, exp(dtheta) A). */
#include "mechanics/coordinates/coordinates.h"

typedef struct Absolute {
    int32_t *position; /* [bodies + 1] first column of each body in q */
} Absolute;

static const int32_t *position_count(const RbvCoordinates *c) {
    return ((const Absolute *)c->own)->position;
}

static int32_t positions_of(const RbvCoordinates *c, int32_t body, int32_t *first) {
    *first = position_count(c)[body];
    return position_count(c)[body + 1] - position_count(c)[body];
}

static bool layout(RbvCoordinates *c, RbvArena *arena) {
    const RbvBodyColumns *bodies = c->bodies;
    Absolute *own = rbv_arena_alloc(arena, sizeof *own);
    if (!own || (own->position = rbv_arena_alloc(arena, ((size_t)bodies->count + 1) * sizeof *own->position)) == NULL)
        return false;
    own->position[0] = 0;
    for (int32_t b = 0; b < bodies->count; b++)
        own->position[b + 1] = own->position[b] + rbv_bodies_columns(bodies, b) + (rbv_bodies_columns(bodies, b) == 6);
    c->own = own;
    c->size = bodies->size;
    c->position_size = own->position[bodies->count] + (bodies->spatial ? 0 : bodies->count - 1);
    c->of_bodies = true;
    return true;
}

static RbvQuat quat_at(const double *x) {
    return (RbvQuat){x[0], {x[1], x[2], x[3]}};
}

static void store_quat(RbvQuat p, double *x) {
    x[0] = p.w, x[1] = p.e.x, x[2] = p.e.y, x[3] = p.e.z;
}

/* Angle of a body of the plane that can turn, with its whole turns. */
static RbvTurns turns_at(const RbvCoordinates *c, const double *q, int32_t b) {
    return (RbvTurns){q[position_count(c)[b] + 2], q[position_count(c)[c->bodies->count] + b - 1]};
}

static void store_turns(const RbvCoordinates *c, RbvTurns angle, int32_t b, double *q) {
    angle = rbv_turns_reduced(angle);
    q[position_count(c)[b] + 2] = angle.turn;
    q[position_count(c)[c->bodies->count] + b - 1] = angle.whole;
}

static void from_bodies(const RbvCoordinates *c, const RbvBodyState *from, double *q) {
    const RbvBodyColumns *bodies = c->bodies;
    for (int32_t k = position_count(c)[bodies->count]; k < c->position_size; k++)
        q[k] = 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        double *x = q + position_count(c)[b];
        x[0] = from[b].r.x;
        if (rbv_bodies_columns(bodies, b) == 1)
            continue;
        x[1] = from[b].r.y;
        if (bodies->spatial)
            x[2] = from[b].r.z;
        if (!rbv_bodies_turns(bodies, b))
            continue;
        if (bodies->spatial)
            store_quat(from[b].p, x + 3);
        else
            store_turns(c, (RbvTurns){from[b].turn, from[b].whole}, b, q);
    }
}

static void positions(const RbvCoordinates *c, const double *q, RbvBodyState *bodies) {
    bodies[0] = (RbvBodyState){{0, 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *x = q + position_count(c)[b];
        RbvBodyState *body = &bodies[b];
        if (rbv_bodies_columns(c->bodies, b) == 1) {
            *body = (RbvBodyState){{x[0], 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
            continue;
        }
        if (!c->bodies->spatial) {
            body->r = rbv_vec3(x[0], x[1], 0);
            RbvTurns angle = rbv_bodies_turns(c->bodies, b) ? turns_at(c, q, b) : (RbvTurns){0, 0};
            body->turn = angle.turn;
            body->whole = angle.whole;
            body->A = rbv_mat3_about_z(body->turn);
            continue;
        }
        body->r = rbv_vec3(x[0], x[1], x[2]);
        body->p = rbv_bodies_turns(c->bodies, b) ? rbv_quat_normalised(quat_at(x + 3)) : rbv_quat_identity();
        body->A = rbv_mat3_of_quat(body->p);
    }
}

static void velocities(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *twists) {
    (void)at;
    for (int32_t b = 0; b < c->bodies->count; b++)
        twists[b] = rbv_bodies_twist(c->bodies, b, v);
}

static void generalized_forces(const RbvCoordinates *c, RbvPosed at, const RbvWrench *wrenches, double *Q) {
    (void)at;
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = 0;
    for (int32_t b = 1; b < c->bodies->count; b++)
        rbv_bodies_add(c->bodies, b, 1, &wrenches[b], Q + c->bodies->start[b]);
}

static int32_t columns(const RbvCoordinates *c, int32_t body, int32_t *column) {
    int32_t count = rbv_bodies_columns(c->bodies, body);
    for (int32_t k = 0; k < count; k++)
        column[k] = c->bodies->start[body] + k;
    return count;
}

static void add(const RbvCoordinates *c, RbvPosed at, int32_t body, double k, const RbvWrench *wrench, double *out) {
    (void)at;
    if (body)
        rbv_bodies_add(c->bodies, body, k, wrench, out);
}

/* Number of columns of q whose rates are columns of v. */
static int32_t moves(const RbvBodyColumns *bodies, int32_t b) {
    int32_t count = rbv_bodies_columns(bodies, b);
    return bodies->spatial && count > 3 ? 3 : count;
}

static void step(const RbvCoordinates *c, double *q, const double *dv) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double *x = q + position_count(c)[b];
        const double *d = dv + c->bodies->start[b];
        for (int32_t k = 0; k < moves(c->bodies, b); k++)
            x[k] += d[k];
        if (!rbv_bodies_turns(c->bodies, b))
            continue;
        if (!c->bodies->spatial)
            store_turns(c, turns_at(c, q, b), b, q);
        else
            store_quat(
                rbv_quat_normalised(rbv_quat_product(rbv_quat_of_vector(rbv_vec3(d[3], d[4], d[5])), quat_at(x + 3))),
                x + 3);
    }
}

static void difference(const RbvCoordinates *c, const double *from, const double *to, double *dv) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *x = from + position_count(c)[b], *y = to + position_count(c)[b];
        double *d = dv + c->bodies->start[b];
        int32_t plain = moves(c->bodies, b);
        for (int32_t k = 0; k < plain; k++)
            d[k] = y[k] - x[k];
        if (!rbv_bodies_turns(c->bodies, b))
            continue;
        if (!c->bodies->spatial) {
            d[2] += RBV_TWO_PI * (turns_at(c, to, b).whole - turns_at(c, from, b).whole);
            continue;
        }
        RbvVec3 turn = rbv_vector_of_quat(rbv_quat_product(quat_at(y + 3), rbv_quat_conjugate(quat_at(x + 3))));
        d[3] = turn.x, d[4] = turn.y, d[5] = turn.z;
    }
}

static void without_turns(const RbvCoordinates *c, double *dv) {
    for (int32_t b = 1; !c->bodies->spatial && b < c->bodies->count; b++)
        if (rbv_bodies_turns(c->bodies, b))
            dv[c->bodies->start[b] + 2] = remainder(dv[c->bodies->start[b] + 2], RBV_TWO_PI);
}

static void rate(const RbvCoordinates *c, const double *q, const double *v, double *rate) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const double *d = v + c->bodies->start[b];
        double *out = rate + position_count(c)[b];
        int32_t plain = moves(c->bodies, b);
        for (int32_t k = 0; k < plain; k++)
            out[k] = d[k];
        if (c->bodies->spatial && rbv_bodies_turns(c->bodies, b))
            store_quat(rbv_quat_product((RbvQuat){0, {0.5 * d[3], 0.5 * d[4], 0.5 * d[5]}},
                                        quat_at(q + position_count(c)[b] + 3)),
                       out + 3);
    }
    for (int32_t k = position_count(c)[c->bodies->count]; k < c->position_size; k++)
        rate[k] = 0;
}

static void renew(const RbvCoordinates *c, double *q) {
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double *x = q + position_count(c)[b];
        if (!rbv_bodies_turns(c->bodies, b))
            continue;
        if (c->bodies->spatial)
            store_quat(rbv_quat_normalised(quat_at(x + 3)), x + 3);
        else
            store_turns(c, turns_at(c, q, b), b, q);
    }
}

/* Scales of coordinates.h; a unit of a quaternion number counts as 2 radians, as it is the sine or cosine of half the
 * angle. */
static void scale(const RbvCoordinates *c, const double *size, const double *arm, double *of_q, double *of_v) {
    const RbvBodyColumns *bodies = c->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        int32_t plain = bodies->spatial ? 3 : 2;
        double turn = (bodies->spatial ? 2 : 1) * arm[b];
        for (int32_t k = position_count(c)[b]; of_q && k < position_count(c)[b + 1]; k++)
            of_q[k] = (k - position_count(c)[b] < plain ? 1 : turn) / size[b];
        for (int32_t k = bodies->start[b]; of_v && k < bodies->start[b + 1]; k++)
            of_v[k] = (rbv_bodies_is_rotation(bodies, b, k) ? arm[b] : 1) / size[b];
    }
    for (int32_t b = 1, k = position_count(c)[bodies->count]; of_q && k < c->position_size; b++, k++)
        of_q[k] = RBV_TWO_PI * arm[b] / size[b];
}

/* m I and J = A J' A^T for each body; in the plane the moment about z alone. */
static void mass(const RbvCoordinates *c, RbvPosed at, const double *x, double *out) {
    const RbvBodyColumns *bodies = c->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &c->model->bodies.items[b];
        RbvTwist a = rbv_bodies_twist(bodies, b, x);
        RbvWrench inertia = {rbv_scale(body->mass, a.v), rbv_body_momentum(body, &at.bodies[b].A, a.w)};
        double *to = out + bodies->start[b];
        for (int32_t k = 0; k < rbv_bodies_columns(bodies, b); k++)
            to[k] = 0;
        rbv_bodies_add(bodies, b, 1, &inertia, to);
    }
}

const RbvCoordinatesKind rbv_absolute_coordinates = {
    .name = "absolute",
    .live = true,
    .layout = layout,
    .from_bodies = from_bodies,
    .positions = positions,
    .velocities = velocities,
    .generalized_forces = generalized_forces,
    .columns = columns,
    .position_columns = positions_of,
    .add = add,
    .step = step,
    .difference = difference,
    .without_turns = without_turns,
    .rate = rate,
    .renew = renew,
    .scale = scale,
    .mass = mass,
};
