/* Rods in natural coordinates: two points, six numbers and one rigid row |d|^2 = L^2; see natural.h.
 *
 * The spin about the line is not among these numbers. It is idle (decision 0012): a rod turns only as its line does,
 * w = d x d' / |d|^2 with w.d = 0, and the rotation about the line continues from its previous value. With w.d = 0 and
 * an inertia symmetric about the line, the momentum J w = b w does not depend on the inertia about the line, and
 *
 *   M_e = c4 kron 1, of r1 and d:  c4 = [m, m g; m g, (b + m s^2)/L^2]      (SPEC-000 B2)
 *
 * b: inertia across the line at the centroid, which is at s = g L from r1. */
#include "mechanics/coordinates/natural.h"

#include <math.h>

/* 1 + cosine of the angle between two lines, below which they are opposite and there is no least turn: any axis across
 * the line is taken. */
#define AGAINST 1e-12

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
    if (!(least.w > AGAINST))
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
