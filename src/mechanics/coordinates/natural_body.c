/* The core of a body in natural coordinates: values, rates, forces and masses; see natural.h.
 *
 *   derived vectors: plane a2 = rot(a1)
 *                    crossed a3 = a1 x a2 / c0, a3' = (a1' x a2 + a1 x a2') / c0
 *                    crossed a3'' = 2 a1' x a2' / c0 where a1'' = a2'' = 0
 *   M_e = V' (c4 kron I) V with the linear map V from rates of basics to rates of the core */
#include "mechanics/coordinates/natural.h"

#include "core/base/tolerances.h"

#include <math.h>

bool rbv_natural_in_core(const RbvNatural *n, int32_t b, int32_t use) {
    const RbvNaturalBody *body = &n->bodies[b];
    bool core = use == body->point;
    for (int k = 0; k < body->core; k++)
        core = core || use == body->a[k].head || use == body->a[k].tail;
    return core;
}

static RbvVec3 rot(RbvVec3 a) {
    return rbv_vec3(-a.y, a.x, 0);
}

/* r1 and the core vectors that are not derived, of values or rates. */
static RbvCore plain(const RbvNatural *n, const RbvNaturalBody *body, const double *x, bool rate) {
    RbvCore core = {.r1 = rbv_use_at(n, body->point, x, rate)};
    for (int k = 0; k < body->core; k++) {
        core.a[k] = rbv_use_at(n, body->a[k].head, x, rate);
        if (body->a[k].tail >= 0)
            core.a[k] = rbv_sub(core.a[k], rbv_use_at(n, body->a[k].tail, x, rate));
    }
    return core;
}

RbvCore rbv_natural_core(const RbvNatural *n, int32_t b, const double *q) {
    const RbvNaturalBody *body = &n->bodies[b];
    RbvCore core = plain(n, body, q, false);
    if (body->form == RBV_NATURAL_PLANE) {
        core.a[1] = rot(core.a[0]);
        core.a[2] = rbv_vec3(0, 0, 1);
    } else if (body->form == RBV_NATURAL_CROSSED) {
        core.a[2] = rbv_scale(1 / body->c0, rbv_cross(core.a[0], core.a[1]));
    }
    return core;
}

RbvCore rbv_natural_core_rate(const RbvNatural *n, int32_t b, const RbvCore *core, const double *v) {
    const RbvNaturalBody *body = &n->bodies[b];
    RbvCore rate = plain(n, body, v, true);
    if (body->form == RBV_NATURAL_PLANE)
        rate.a[1] = rot(rate.a[0]);
    else if (body->form == RBV_NATURAL_CROSSED)
        rate.a[2] =
            rbv_scale(1 / body->c0, rbv_add(rbv_cross(rate.a[0], core->a[1]), rbv_cross(core->a[0], rate.a[1])));
    return rate;
}

RbvCore rbv_natural_core_drift(const RbvNatural *n, int32_t b, const RbvCore *rate) {
    const RbvNaturalBody *body = &n->bodies[b];
    RbvCore second = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    if (body->form == RBV_NATURAL_CROSSED)
        second.a[2] = rbv_scale(2 / body->c0, rbv_cross(rate->a[0], rate->a[1]));
    return second;
}

void rbv_natural_core_push(const RbvNatural *n, int32_t b, const RbvCore *core, const RbvCore *force,
                           RbvUsePlace positions, double *out) {
    const RbvNaturalBody *body = &n->bodies[b];
    RbvVec3 f[3] = {force->a[0], force->a[1], force->a[2]};
    if (body->form == RBV_NATURAL_PLANE) {
        f[0] = rbv_sub(f[0], rot(f[1]));
    } else if (body->form == RBV_NATURAL_CROSSED) {
        f[0] = rbv_add_scaled(f[0], 1 / body->c0, rbv_cross(core->a[1], f[2]));
        f[1] = rbv_add_scaled(f[1], 1 / body->c0, rbv_cross(f[2], core->a[0]));
    }
    rbv_use_push(n, body->point, force->r1, positions, out);
    for (int k = 0; k < body->core; k++) {
        rbv_use_push(n, body->a[k].head, f[k], positions, out);
        if (body->a[k].tail >= 0)
            rbv_use_push(n, body->a[k].tail, rbv_scale(-1, f[k]), positions, out);
    }
}

RbvMat3 rbv_natural_axes(const RbvNaturalBody *body, const RbvCore *core) {
    RbvMat3 axes;
    for (int j = 0; j < 3; j++)
        axes.column[j] = rbv_apply(&(RbvMat3){{core->a[0], core->a[1], core->a[2]}}, body->X_inverse.column[j]);
    return axes;
}

RbvMat3 rbv_natural_stretch(const RbvMat3 *A, const RbvMat3 *F) {
    RbvMat3 G;
    double trace = 0;
    for (int k = 0; k < 3; k++) {
        G.column[k] = rbv_apply_transposed(A, F->column[k]);
        trace += rbv_vec3_part(G.column[k], k);
    }
    for (int k = 0; k < 3; k++) {
        G.column[k] = rbv_scale(-0.5, G.column[k]);
    }
    G.column[0].x += 0.5 * trace, G.column[1].y += 0.5 * trace, G.column[2].z += 0.5 * trace;
    const RbvVec3 *g = G.column;
    RbvVec3 rows[3] = {rbv_cross(g[1], g[2]), rbv_cross(g[2], g[0]), rbv_cross(g[0], g[1])};
    double volume = rbv_dot(g[0], rows[0]);
    return (RbvMat3){{rbv_scale(1 / volume, rbv_vec3(rows[0].x, rows[1].x, rows[2].x)),
                      rbv_scale(1 / volume, rbv_vec3(rows[0].y, rows[1].y, rows[2].y)),
                      rbv_scale(1 / volume, rbv_vec3(rows[0].z, rows[1].z, rows[2].z))}};
}

/* For the axes e_j of a rigid motion w = 1/2 sum_j e_j x e_j' (B3). For axes A S with the stretch S, w of A is
 * 2 (tr S - S)^-1 times that sum in body axes; `stretch` is this factor. */
RbvCore rbv_natural_force(const RbvNaturalBody *body, const RbvMat3 *A, const RbvMat3 *stretch, RbvWrench wrench) {
    RbvCore force = {.r1 = wrench.force};
    RbvVec3 y = rbv_apply(stretch, rbv_apply_transposed(A, wrench.torque)), e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++)
        force.a[k] = rbv_scale(body->g[k], wrench.force);
    for (int j = 0; j < 3; j++) {
        RbvVec3 across = rbv_scale(0.5, rbv_apply(A, rbv_cross(y, e[j])));
        for (int k = 0; k < 3; k++)
            force.a[k] = rbv_add_scaled(force.a[k], rbv_vec3_part(body->X_inverse.column[j], k), across);
    }
    return force;
}

RbvCore rbv_natural_inertia(const RbvNaturalBody *body, const RbvCore *rates) {
    const RbvVec3 x[4] = {rates->r1, rates->a[0], rates->a[1], rates->a[2]};
    RbvVec3 out[4];
    for (int i = 0; i < 4; i++) {
        out[i] = rbv_vec3(0, 0, 0);
        for (int j = 0; j < 4; j++)
            out[i] = rbv_add_scaled(out[i], body->c4[i][j], x[j]);
    }
    return (RbvCore){out[0], {out[1], out[2], out[3]}};
}

/* Rods in natural coordinates: two points, six numbers and one rigid row |d|^2 = L^2; see natural.h.
 *
 * The spin about the line is not among these numbers. It is idle (decision 0012): a rod turns only as its line does,
 * w = d x d' / |d|^2 with w.d = 0, and the rotation about the line continues from its previous value. With w.d = 0 and
 * an inertia symmetric about the line, the momentum J w = b w does not depend on the inertia about the line, and
 *
 *   M_e = c4 kron 1, of r1 and d:  c4 = [m, m g; m g, (b + m s^2)/L^2]      (SPEC-000 B2)
 *
 * b: inertia across the line at the centroid, which is at s = g L from r1. */

static RbvVec3 across(RbvVec3 u) {
    RbvVec3 e = fabs(u.x) < 0.6 ? rbv_vec3(1, 0, 0) : rbv_vec3(0, 1, 0), normal = rbv_cross(u, e);
    return rbv_scale(1 / rbv_norm(normal), normal);
}

/* The least turn from the unit vector u to w is the quaternion (1 + u.w, u x w), made unit. */
RbvQuat rbv_rod_turned(RbvVec3 line, RbvQuat p, RbvVec3 along) {
    p = rbv_quat_normalised(p);
    RbvMat3 A = rbv_mat3_of_quat(p);
    RbvVec3 u = rbv_apply(&A, rbv_scale(1 / rbv_norm(line), line)), w = rbv_scale(1 / rbv_norm(along), along);
    RbvQuat least = {1 + rbv_dot(u, w), rbv_cross(u, w)};
    /* 1 + cosine of the angle between two lines, below which they are opposite and there is no least turn: any axis
     * across the line is taken. */
    if (!(least.w > RBV_CANCELLED))
        least = (RbvQuat){0, across(u)};
    return rbv_quat_normalised(rbv_quat_product(rbv_quat_normalised(least), p));
}

RbvVec3 rbv_rod_spin(RbvVec3 along, RbvVec3 rate) {
    return rbv_scale(1 / rbv_dot(along, along), rbv_cross(along, rate));
}

RbvVec3 rbv_rod_pull(RbvVec3 along, RbvVec3 torque) {
    return rbv_scale(1 / rbv_dot(along, along), rbv_cross(torque, along));
}

void rbv_rod_core(const RbvBody *model, RbvVec3 line, RbvVec3 arm, RbvNaturalBody *body) {
    RbvMat3 one = rbv_mat3_identity();
    double L = rbv_norm(line), s = rbv_dot(arm, line) / L;
    RbvVec3 e = across(rbv_scale(1 / L, line));
    double b = rbv_dot(e, rbv_body_momentum(model, &one, e));
    body->line = line;
    body->g[0] = s / L;
    body->c4[0][0] = model->mass;
    body->c4[0][1] = body->c4[1][0] = model->mass * body->g[0];
    body->c4[1][1] = (b + model->mass * s * s) / (L * L);
}
