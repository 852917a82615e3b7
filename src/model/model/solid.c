/* Solids; see solid.h. With S = (1/m) integral (x - c)(x - c)^T dm the inertia tensor is I = m (tr(S) 1 - S); for a
 * sum of solids, S is added up about the origin as m (S + c c^T). */
#include "model/model/solid.h"

#include <string.h>

/* out += k a b^T, its symmetric part. */
static void add_outer(double out[6], double k, RbvVec3 a, RbvVec3 b) {
    out[0] += k * a.x * b.x;
    out[1] += k * a.y * b.y;
    out[2] += k * a.z * b.z;
    out[3] += 0.5 * k * (a.x * b.y + a.y * b.x);
    out[4] += 0.5 * k * (a.x * b.z + a.z * b.x);
    out[5] += 0.5 * k * (a.y * b.z + a.z * b.y);
}

/* Second moments of a body of revolution: `along` the unit vector u, `across` perpendicular to it. */
static void about_axis(double out[6], RbvVec3 u, double along, double across) {
    memset(out, 0, 6 * sizeof *out);
    out[0] = out[1] = out[2] = across;
    add_outer(out, along - across, u, u);
}

RbvSolid rbv_solid_box(RbvVec3 at, RbvVec3 size, RbvQuat rotation) {
    RbvSolid solid = {.volume = size.x * size.y * size.z, .centroid = at};
    RbvMat3 A = rbv_mat3_of_quat(rotation);
    const double edge[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++)
        add_outer(solid.second, edge[k] * edge[k] / 12, A.column[k], A.column[k]);
    return solid;
}

RbvSolid rbv_solid_cylinder(RbvVec3 from, RbvVec3 to, double radius) {
    RbvVec3 d = rbv_sub(to, from);
    double length = rbv_norm(d), area = 3.141592653589793 * radius * radius;
    RbvSolid solid = {.volume = area * length, .centroid = rbv_scale(0.5, rbv_add(from, to))};
    about_axis(solid.second, rbv_scale(1 / length, d), length * length / 12, radius * radius / 4);
    return solid;
}

/* Centroid a quarter of the height above the base; second moments 3 h^2/80 along, 3 R^2/20 across. */
RbvSolid rbv_solid_cone(RbvVec3 from, RbvVec3 to, double radius) {
    RbvVec3 d = rbv_sub(to, from);
    double height = rbv_norm(d);
    RbvSolid solid = {.volume = 3.141592653589793 * radius * radius * height / 3,
                      .centroid = rbv_add_scaled(from, 0.25, d)};
    about_axis(solid.second, rbv_scale(1 / height, d), 3 * height * height / 80, 3 * radius * radius / 20);
    return solid;
}

RbvSolid rbv_solid_sphere(RbvVec3 at, double radius) {
    RbvSolid solid = {.volume = 4 * 3.141592653589793 / 3 * radius * radius * radius, .centroid = at};
    solid.second[0] = solid.second[1] = solid.second[2] = radius * radius / 5;
    return solid;
}

RbvSolid rbv_solid_rod(RbvVec3 from, RbvVec3 to) {
    RbvVec3 d = rbv_sub(to, from);
    RbvSolid solid = {.centroid = rbv_scale(0.5, rbv_add(from, to))};
    add_outer(solid.second, 1.0 / 12, d, d);
    return solid;
}

/* Tetrahedra from one corner o to each triangle a b c: volume det/6, first moment (a + b + c)/4 of it, second moment
 * det/120 (a a^T + b b^T + c c^T + s s^T), s = a + b + c. */
RbvSolid rbv_solid_mesh(int32_t count, const RbvVec3 *corner) {
    RbvSolid solid = {.volume = 0};
    RbvVec3 first = {0, 0, 0}, o = count > 0 ? corner[0] : first;
    double second[6] = {0};
    for (int32_t k = 0; k < count; k++) {
        RbvVec3 a = rbv_sub(corner[3 * k], o), b = rbv_sub(corner[3 * k + 1], o), c = rbv_sub(corner[3 * k + 2], o);
        RbvVec3 s = rbv_add(a, rbv_add(b, c));
        double det = rbv_dot(a, rbv_cross(b, c));
        solid.volume += det / 6;
        first = rbv_add_scaled(first, det / 24, s);
        add_outer(second, det / 120, a, a);
        add_outer(second, det / 120, b, b);
        add_outer(second, det / 120, c, c);
        add_outer(second, det / 120, s, s);
    }
    if (solid.volume == 0)
        return solid;
    RbvVec3 middle = rbv_scale(1 / solid.volume, first);
    for (int k = 0; k < 6; k++)
        solid.second[k] = second[k] / solid.volume;
    add_outer(solid.second, -1, middle, middle);
    solid.centroid = rbv_add(o, middle);
    return solid;
}

void rbv_mass_add(RbvMassSum *sum, const RbvSolid *solid, double mass) {
    sum->mass += mass;
    sum->first = rbv_add_scaled(sum->first, mass, solid->centroid);
    for (int k = 0; k < 6; k++)
        sum->second[k] += mass * solid->second[k];
    add_outer(sum->second, mass, solid->centroid, solid->centroid);
}

bool rbv_mass_finish(const RbvMassSum *sum, double centroid[3], double inertia[6]) {
    if (!(sum->mass > 0))
        return false;
    RbvVec3 c = rbv_scale(1 / sum->mass, sum->first);
    double S[6];
    memcpy(S, sum->second, sizeof S);
    add_outer(S, -sum->mass, c, c);
    centroid[0] = c.x, centroid[1] = c.y, centroid[2] = c.z;
    const double tensor[6] = {S[1] + S[2], S[0] + S[2], S[0] + S[1], -S[3], -S[4], -S[5]};
    memcpy(inertia, tensor, sizeof tensor);
    return true;
}
