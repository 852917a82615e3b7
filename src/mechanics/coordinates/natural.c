/* Natural coordinates: q are the components of points and unit vectors, v = q'; see natural.h, and natural_layout.c for
 * the choice of points and vectors.
 *
 * A body has the axes [a1 a2 a3] X^-1. Where the rigid rows are not satisfied yet, these are A S, and the body has the
 * nearest rotation A; w is the rate of A. Behind the numbers that v moves, q has the angle and whole turns of each body
 * of the plane, and the quaternion of each body in space: they follow from the other numbers up to whole turns or the
 * sign, which continue from the previous values. */
#include "mechanics/coordinates/natural.h"

#include "core/base/extremes.h"

#include <math.h>
#include <string.h>

static bool layout(RbvCoordinates *c, RbvArena *arena) {
    RbvNatural *natural = rbv_arena_alloc(arena, sizeof *natural);
    if (!natural)
        return false;
    *natural = (RbvNatural){0};
    c->own = natural;
    if (!rbv_natural_layout(c, arena, natural))
        return false;
    c->own_rows = natural->row_count + natural->number_count;
    c->own_pattern = &natural->pattern;
    c->kept = natural->kept;
    c->keeps_spins = true;
    return true;
}

/* The rotation A nearest to F = A S: Newton's iteration A <- (A + A^-T)/2. */
static RbvMat3 nearest_rotation(RbvMat3 F) {
    for (int pass = 0; pass < 30; pass++) {
        const RbvVec3 *f = F.column;
        RbvVec3 inverse[3] = {rbv_cross(f[1], f[2]), rbv_cross(f[2], f[0]), rbv_cross(f[0], f[1])};
        double volume = rbv_dot(f[0], inverse[0]), change = 0;
        for (int k = 0; k < 3; k++) {
            RbvVec3 next = rbv_scale(0.5, rbv_add_scaled(f[k], 1 / volume, inverse[k]));
            change = rbv_max(change, rbv_norm(rbv_sub(next, f[k])));
            F.column[k] = next;
        }
        if (!(change > 1e-14))
            break;
    }
    return F;
}

static RbvVec3 centroid(const RbvNaturalBody *body, const RbvCore *core) {
    RbvVec3 r = core->r1;
    for (int k = 0; k < 3; k++)
        r = rbv_add_scaled(r, body->g[k], core->a[k]);
    return r;
}

/* Axes, angle or quaternion of a body that turns; whole turns and sign continue from those in q. */
static void place_axes(const RbvCoordinates *c, int32_t b, const RbvCore *core, const double *q, RbvBodyState *to) {
    const RbvNaturalBody *body = &rbv_natural_of(c)->bodies[b];
    const double *extra = q + body->extra;
    if (body->form == RBV_NATURAL_ROD) {
        to->p = rbv_rod_turned(body->line, (RbvQuat){extra[0], {extra[1], extra[2], extra[3]}}, core->a[0]);
        to->A = rbv_mat3_of_quat(to->p);
        return;
    }
    RbvMat3 F = rbv_natural_axes(body, core);
    if (c->bodies->spatial) {
        to->A = nearest_rotation(F);
        to->p = rbv_quat_of_mat3(&to->A);
        double same = to->p.w * extra[0] + to->p.e.x * extra[1] + to->p.e.y * extra[2] + to->p.e.z * extra[3];
        if (same < 0)
            to->p = (RbvQuat){-to->p.w, rbv_scale(-1, to->p.e)};
        return;
    }
    double turn = atan2(F.column[0].y, F.column[0].x);
    RbvTurns angle = rbv_turns_reduced(
        (RbvTurns){turn + RBV_TWO_PI * nearbyint((extra[0] - turn) / RBV_TWO_PI), nearbyint(extra[1])});
    to->turn = angle.turn;
    to->whole = angle.whole;
    to->A = rbv_mat3_about_z(angle.turn);
}

static void positions(const RbvCoordinates *c, const double *q, RbvBodyState *bodies) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvBodyState none = {{0, 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
    bodies[0] = none;
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        bodies[b] = none;
        if (body->form == RBV_NATURAL_SCALAR) {
            bodies[b].r = rbv_vec3(q[body->column], 0, 0);
        } else if (body->form == RBV_NATURAL_PARTICLE) {
            bodies[b].r = rbv_sub(rbv_use_at(n, body->point, q, false), n->uses[body->point].local);
        } else {
            RbvCore core = rbv_natural_core(n, b, q);
            bodies[b].r = centroid(body, &core);
            place_axes(c, b, &core, q, &bodies[b]);
        }
    }
}

/* Recomputes the angles or quaternions in q from its other numbers. */
static void renew(const RbvCoordinates *c, double *q) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        if (body->extra < 0)
            continue;
        RbvBodyState at;
        RbvCore core = rbv_natural_core(n, b, q);
        double *extra = q + body->extra;
        place_axes(c, b, &core, q, &at);
        if (c->bodies->spatial)
            extra[0] = at.p.w, extra[1] = at.p.e.x, extra[2] = at.p.e.y, extra[3] = at.p.e.z;
        else
            extra[0] = at.turn, extra[1] = at.whole;
    }
}

/* Each basic in out[] as the mean of its values from all bodies that use it. With `rates` (twists or accelerations)
 * their rates; `spins`: twists of the centripetal terms of accelerations (NULL: none). */
static void gather(const RbvCoordinates *c, const RbvBodyState *bodies, const RbvTwist *rates, const RbvTwist *spins,
                   double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t k = 0; k < n->basics_size; k++)
        out[k] = 0;
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        if (body->form == RBV_NATURAL_SCALAR)
            out[body->column] = rates ? rates[b].v.x : bodies[b].r.x;
        for (int32_t u = body->first; u < body->first + body->count; u++) {
            const RbvBasicUse *use = &n->uses[u];
            const RbvBasic *basic = &n->basics[use->basic];
            RbvVec3 arm = rbv_apply(&bodies[b].A, use->local), value = arm;
            if (rates)
                value = rbv_add(rbv_cross(rates[b].w, arm), basic->vector ? rbv_vec3(0, 0, 0) : rates[b].v);
            else if (!basic->vector)
                value = rbv_add(bodies[b].r, arm);
            if (spins)
                value = rbv_add(value, rbv_cross(spins[b].w, rbv_cross(spins[b].w, arm)));
            rbv_use_push(n, u, rbv_scale(1.0 / basic->users, value), RBV_USE_IN_ALL, out);
        }
    }
}

static void from_bodies(const RbvCoordinates *c, const RbvBodyState *bodies, double *q) {
    const RbvNatural *n = rbv_natural_of(c);
    gather(c, bodies, NULL, NULL, q);
    for (int32_t k = 0; k < n->basic_count; k++) {
        double *at = q + n->basics[k].column, length = 0;
        for (int d = 0; n->basics[k].vector && n->basics[k].column >= 0 && d < n->dims; d++)
            length += at[d] * at[d];
        for (int d = 0; length > 0 && d < n->dims; d++)
            at[d] /= sqrt(length);
    }
    for (int32_t b = 1; b < c->bodies->count; b++) {
        double *extra = q + n->bodies[b].extra;
        if (n->bodies[b].extra < 0)
            continue;
        if (c->bodies->spatial)
            extra[0] = bodies[b].p.w, extra[1] = bodies[b].p.e.x, extra[2] = bodies[b].p.e.y,
            extra[3] = bodies[b].p.e.z;
        else
            extra[0] = bodies[b].turn, extra[1] = bodies[b].whole;
    }
    renew(c, q);
    rbv_natural_take_numbers(c, bodies, q);
}

static void take_rates(const RbvCoordinates *c, RbvPosed at, const RbvTwist *twists, double *v) {
    gather(c, at.bodies, twists, NULL, v);
    rbv_natural_take_number_rates(c, at.q, v);
}

/* Accelerations of points and vectors with their centripetal terms; those of numbers of q from the second rates of
 * their rows. */
static void take_accelerations(const RbvCoordinates *c, RbvPosed at, const double *v, const RbvTwist *twists,
                               const RbvTwist *accelerations, double *out, double *drift) {
    const RbvNatural *n = rbv_natural_of(c);
    gather(c, at.bodies, accelerations, twists, out);
    rbv_natural_take_number_rates(c, at.q, out);
    rbv_natural_drift(c, at.q, v, drift);
    for (int32_t k = 0; k < n->number_count; k++)
        out[n->numbers[k].column] += drift[n->row_count + k] / rbv_natural_number_slope(n, &n->numbers[k], at.q);
}

/* Angular velocity from the rate of a core: 1/2 sum_j e_j x (F' e_j) in body axes, times the stretch factor. */
static RbvVec3 spin(const RbvNaturalBody *body, const RbvMat3 *A, const RbvMat3 *stretch, const RbvCore *rate) {
    RbvMat3 F = rbv_natural_axes(body, rate);
    RbvVec3 sum = {0, 0, 0};
    for (int j = 0; j < 3; j++)
        sum = rbv_add_scaled(sum, 0.5, rbv_cross(rbv_mat3_identity().column[j], rbv_apply_transposed(A, F.column[j])));
    return rbv_apply(A, rbv_apply(stretch, sum));
}

static RbvTwist twist_of(const RbvCoordinates *c, int32_t b, const RbvBodyState *at, const RbvCore *core,
                         const RbvCore *rate) {
    const RbvNaturalBody *body = &rbv_natural_of(c)->bodies[b];
    RbvTwist twist = {centroid(body, rate), {0, 0, 0}};
    if (body->form == RBV_NATURAL_PLANE) {
        twist.w.z = rbv_cross(core->a[0], rate->a[0]).z / rbv_dot(core->a[0], core->a[0]);
        return twist;
    }
    if (body->form == RBV_NATURAL_ROD) {
        twist.w = rbv_rod_spin(core->a[0], rate->a[0]);
        return twist;
    }
    RbvMat3 F = rbv_natural_axes(body, core), stretch = rbv_natural_stretch(&at->A, &F);
    twist.w = spin(body, &at->A, &stretch, rate);
    return twist;
}

static void velocities(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *twists) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t b = 0; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        twists[b] = (RbvTwist){{0, 0, 0}, {0, 0, 0}};
        if (b == 0)
            continue;
        if (body->form == RBV_NATURAL_SCALAR) {
            twists[b].v.x = v[body->column];
        } else if (body->form == RBV_NATURAL_PARTICLE) {
            twists[b].v = rbv_use_at(n, body->point, v, true);
        } else {
            RbvCore core = rbv_natural_core(n, b, at.q), rate = rbv_natural_core_rate(n, b, &core, v);
            twists[b] = twist_of(c, b, &at.bodies[b], &core, &rate);
        }
    }
}

/* At satisfied rigid rows: e x e' of the axes has the rate e x e''. Only a derived a3 has second rates for v' = 0. */
static void bias(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *accelerations) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t b = 1; b < c->bodies->count; b++) {
        if (n->bodies[b].form != RBV_NATURAL_CROSSED)
            continue;
        RbvCore core = rbv_natural_core(n, b, at.q), rate = rbv_natural_core_rate(n, b, &core, v),
                second = rbv_natural_core_drift(n, b, &rate);
        RbvTwist more = twist_of(c, b, &at.bodies[b], &core, &second);
        accelerations[b].v = rbv_add(accelerations[b].v, more.v);
        accelerations[b].w = rbv_add(accelerations[b].w, more.w);
    }
}

/* out += k P_b^T wrench. */
static void pull_body(const RbvCoordinates *c, RbvPosed at, int32_t b, double k, const RbvWrench *wrench,
                      RbvUsePlace positions, double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    if (body->form == RBV_NATURAL_SCALAR) {
        out[positions == RBV_USE_IN_BODY ? 0 : body->column] += k * wrench->force.x;
        return;
    }
    if (body->form == RBV_NATURAL_PARTICLE) {
        rbv_use_push(n, body->point, rbv_scale(k, wrench->force), positions, out);
        return;
    }
    RbvCore core = rbv_natural_core(n, b, at.q), force;
    RbvWrench scaled = {rbv_scale(k, wrench->force), rbv_scale(k, wrench->torque)};
    if (body->form == RBV_NATURAL_PLANE) {
        double T = scaled.torque.z / rbv_dot(core.a[0], core.a[0]);
        force = (RbvCore){scaled.force,
                          {rbv_scale(body->g[0], scaled.force), rbv_scale(body->g[1], scaled.force), {0, 0, 0}}};
        force.a[0] = rbv_add(force.a[0], rbv_vec3(-T * core.a[0].y, T * core.a[0].x, 0));
    } else if (body->form == RBV_NATURAL_ROD) {
        force = (RbvCore){
            scaled.force,
            {rbv_add_scaled(rbv_rod_pull(core.a[0], scaled.torque), body->g[0], scaled.force), {0, 0, 0}, {0, 0, 0}}};
    } else {
        RbvMat3 F = rbv_natural_axes(body, &core), stretch = rbv_natural_stretch(&at.bodies[b].A, &F);
        force = rbv_natural_force(body, &at.bodies[b].A, &stretch, scaled);
    }
    rbv_natural_core_push(n, b, &core, &force, positions, out);
}

static void generalized_forces(const RbvCoordinates *c, RbvPosed at, const RbvWrench *wrenches, double *Q) {
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = 0;
    for (int32_t b = 1; b < c->bodies->count; b++)
        pull_body(c, at, b, 1, &wrenches[b], RBV_USE_IN_ALL, Q);
}

static int32_t columns(const RbvCoordinates *c, int32_t b, int32_t *column) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    int32_t count = 0;
    if (b > 0 && body->form == RBV_NATURAL_SCALAR)
        column[count++] = body->column;
    for (int32_t u = body->first; b > 0 && u < body->first + body->count; u++)
        for (int d = 0; d < n->dims && n->uses[u].slot >= 0; d++)
            column[count++] = n->basics[n->uses[u].basic].column + d;
    return count;
}

static void add(const RbvCoordinates *c, RbvPosed at, int32_t b, double k, const RbvWrench *wrench, double *out) {
    if (b > 0)
        pull_body(c, at, b, k, wrench, RBV_USE_IN_BODY, out);
}

static void step(const RbvCoordinates *c, double *q, const double *dv) {
    for (int32_t k = 0; k < c->size; k++)
        q[k] += dv[k];
    renew(c, q);
}

static void difference(const RbvCoordinates *c, const double *from, const double *to, double *dv) {
    for (int32_t k = 0; k < c->size; k++)
        dv[k] = to[k] - from[k];
}

static void rate(const RbvCoordinates *c, const double *q, const double *v, double *rate) {
    const RbvNatural *n = rbv_natural_of(c);
    memcpy(rate, v, (size_t)c->size * sizeof *rate);
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        if (body->extra < 0)
            continue;
        RbvBodyState at;
        RbvCore core = rbv_natural_core(n, b, q), speed = rbv_natural_core_rate(n, b, &core, v);
        place_axes(c, b, &core, q, &at);
        RbvVec3 w = twist_of(c, b, &at, &core, &speed).w;
        double *out = rate + body->extra;
        if (c->bodies->spatial) {
            RbvQuat p = rbv_quat_product((RbvQuat){0, rbv_scale(0.5, w)}, at.p);
            out[0] = p.w, out[1] = p.e.x, out[2] = p.e.y, out[3] = p.e.z;
        } else {
            out[0] = w.z, out[1] = 0;
        }
    }
}

static void scale(const RbvCoordinates *c, const double *size, const double *arm, double *of_q, double *of_v) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t k = 0; k < n->basic_count; k++)
        for (int d = 0; d < n->dims && n->basics[k].column >= 0; d++) {
            int32_t owner = n->basics[k].owner, column = n->basics[k].column + d;
            double value = (n->basics[k].vector ? arm[owner] : 1) / size[owner];
            if (of_q)
                of_q[column] = value;
            if (of_v)
                of_v[column] = value;
        }
    for (int32_t k = 0; k < n->number_count; k++) {
        const RbvMeasure *measure = &c->model->measures.items[n->numbers[k].measure];
        int32_t second = c->model->markers.items[measure->marker[1]].body,
                owner = second > 0 ? second : c->model->markers.items[measure->marker[0]].body;
        double value = (n->numbers[k].kind == RBV_NUMBER_ANGLE ? arm[owner] : 1) / size[owner];
        if (of_q)
            of_q[n->numbers[k].column] = value;
        if (of_v)
            of_v[n->numbers[k].column] = value;
    }
    for (int32_t b = 1; b < c->bodies->count; b++) {
        const RbvNaturalBody *body = &n->bodies[b];
        if (body->form == RBV_NATURAL_SCALAR && of_q)
            of_q[body->column] = 1 / size[b];
        if (body->form == RBV_NATURAL_SCALAR && of_v)
            of_v[body->column] = 1 / size[b];
        static const double plane[2] = {1, RBV_TWO_PI}, space[4] = {2, 2, 2, 2};
        const double *turn = c->bodies->spatial ? space : plane;
        for (int k = 0; of_q && body->extra >= 0 && k < (c->bodies->spatial ? 4 : 2); k++)
            of_q[body->extra + k] = turn[k] * arm[b] / size[b];
    }
}

/* Mass of a body times x: V' (c4 kron I) V x; constant where no vector is derived by a cross product. */
static void body_mass(const RbvCoordinates *c, RbvPosed at, int32_t b, const double *x, RbvUsePlace positions,
                      double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    if (body->form == RBV_NATURAL_PARTICLE) {
        rbv_use_push(n, body->point, rbv_scale(body->c4[0][0], rbv_use_at(n, body->point, x, true)), positions, out);
        return;
    }
    RbvCore core = rbv_natural_core(n, b, at.q), rates = rbv_natural_core_rate(n, b, &core, x),
            force = rbv_natural_inertia(body, &rates);
    rbv_natural_core_push(n, b, &core, &force, positions, out);
}

/* V' (c4 kron I) V' q': change of the mass of a body with a derived vector. */
static void body_drift(const RbvCoordinates *c, RbvPosed at, int32_t b, const double *v, RbvUsePlace positions,
                       double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    if (body->form != RBV_NATURAL_CROSSED)
        return;
    RbvCore core = rbv_natural_core(n, b, at.q), speed = rbv_natural_core_rate(n, b, &core, v),
            second = rbv_natural_core_drift(n, b, &speed);
    RbvCore force = rbv_natural_inertia(body, &second);
    rbv_natural_core_push(n, b, &core, &force, positions, out);
}

static void mass(const RbvCoordinates *c, RbvPosed at, const double *x, double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    for (int32_t k = 0; k < c->size; k++)
        out[k] = 0;
    for (int32_t b = 1; b < c->bodies->count; b++)
        if (n->bodies[b].form == RBV_NATURAL_SCALAR)
            out[n->bodies[b].column] += c->model->bodies.items[b].mass * x[n->bodies[b].column];
        else
            body_mass(c, at, b, x, RBV_USE_IN_ALL, out);
}

static bool constant_mass(const RbvCoordinates *c) {
    for (int32_t b = 1; b < c->bodies->count; b++)
        if (rbv_natural_of(c)->bodies[b].form == RBV_NATURAL_CROSSED)
            return false;
    return true;
}

static void inertia_drift(const RbvCoordinates *c, RbvPosed at, const double *v, double *out) {
    for (int32_t b = 1; b < c->bodies->count; b++)
        body_drift(c, at, b, v, RBV_USE_IN_ALL, out);
}

void rbv_natural_wrench_push(const RbvCoordinates *c, RbvPosed at, int32_t b, double k, const RbvWrench *wrench,
                             double *uses) {
    if (b > 0 && rbv_natural_of(c)->bodies[b].form != RBV_NATURAL_SCALAR)
        pull_body(c, at, b, k, wrench, RBV_USE_ALONE, uses);
}

/* The symmetric part of the moments acts on a_k by row k of X^-1, on a rod only along its line; the antisymmetric part
 * is the torque of the wrench. */
void rbv_natural_spread_push(const RbvCoordinates *c, RbvPosed at, int32_t b, double k, const RbvMat3 *moments,
                             RbvUsePlace positions, double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    if (b == 0 || body->form < RBV_NATURAL_PLANE)
        return;
    RbvCore core = rbv_natural_core(n, b, at.q), force = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int j = 0; j < (body->form == RBV_NATURAL_ROD ? 1 : n->dims); j++) {
        const RbvVec3 *x = body->X_inverse.column;
        RbvVec3 row = j == 0   ? rbv_vec3(x[0].x, x[1].x, x[2].x)
                      : j == 1 ? rbv_vec3(x[0].y, x[1].y, x[2].y)
                               : rbv_vec3(x[0].z, x[1].z, x[2].z);
        RbvVec3 along = body->form == RBV_NATURAL_ROD ? rbv_scale(1 / rbv_dot(core.a[0], core.a[0]), core.a[0])
                                                      : rbv_apply(&at.bodies[b].A, row);
        force.a[j] = rbv_scale(0.5 * k, rbv_add(rbv_apply(moments, along), rbv_apply_transposed(moments, along)));
        if (body->form == RBV_NATURAL_ROD)
            force.a[j] = rbv_scale(rbv_dot(force.a[j], along) / rbv_dot(along, along), along);
    }
    rbv_natural_core_push(n, b, &core, &force, positions, out);
}

void rbv_natural_inertia_push(const RbvCoordinates *c, RbvPosed at, int32_t b, const double *v, const double *a,
                              double *uses) {
    if (b == 0 || rbv_natural_of(c)->bodies[b].form == RBV_NATURAL_SCALAR)
        return;
    body_mass(c, at, b, a, RBV_USE_ALONE, uses);
    body_drift(c, at, b, v, RBV_USE_ALONE, uses);
}

/* The functions of natural and of mixed coordinates, which differ in their layout only. */
#define NATURAL_FUNCTIONS                                                                                              \
    .name = "natural", .layout = layout, .from_bodies = from_bodies, .take_rates = take_rates,                         \
    .take_accelerations = take_accelerations, .positions = positions, .velocities = velocities,                        \
    .generalized_forces = generalized_forces, .bias = bias, .columns = columns, .add = add, .step = step,              \
    .difference = difference, .rate = rate, .renew = renew, .scale = scale, .mass = mass,                              \
    .constant_mass = constant_mass, .inertia_drift = inertia_drift, .rows = rbv_natural_rows,                          \
    .rows_drift = rbv_natural_drift, .rows_second = rbv_natural_second, .place_second = rbv_natural_place_second,      \
    .compatible = rbv_natural_compatible, .adopt_layout = rbv_natural_adopt_layout

const RbvCoordinatesKind rbv_natural_coordinates = {NATURAL_FUNCTIONS};
const RbvCoordinatesKind rbv_mixed_coordinates = {NATURAL_FUNCTIONS, .mixed = true};
