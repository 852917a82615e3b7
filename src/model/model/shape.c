/* Mass properties of plane shapes (Haug, table 6.1.1), of solids, and of composites of them.
 *
 * A composite sums mass m_i, first moments m_i c_i and second moments m_i (S_i + c_i c_i^T) about the origin, S_i the
 * second moments per unit of mass about the centroid c_i of a part; those about the composite's centroid c follow from
 * Steiner's theorem, S = sum/m - c c^T. A void has negative mass. */
#include "model/model/shape.h"

#include <math.h>
#include <string.h>

#define PI 3.141592653589793

RbvPlaneShape rbv_shape_rod(const double from[2], const double to[2], double height) {
    double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
    return (RbvPlaneShape){sqrt(square) * height, {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])}, square / 12};
}

RbvPlaneShape rbv_shape_rectangle(const double at[2], double width, double height) {
    return (RbvPlaneShape){width * height, {at[0], at[1]}, (width * width + height * height) / 12};
}

/* centroid a third of the height above the base; m (b^2/24 + h^2/18) */
RbvPlaneShape rbv_shape_triangle(const double at[2], double base, double height, double angle) {
    double up = height / 3;
    return (RbvPlaneShape){0.5 * base * height,
                           {at[0] - up * sin(angle), at[1] + up * cos(angle)},
                           base * base / 24 + height * height / 18};
}

RbvPlaneShape rbv_shape_disk(const double at[2], double radius) {
    return (RbvPlaneShape){PI * radius * radius, {at[0], at[1]}, 0.5 * radius * radius};
}

/* centroid 4R/(3 pi) from the centre; m R^2 (1/2 - 16/(9 pi^2)) */
RbvPlaneShape rbv_shape_semicircle(const double at[2], double radius, double angle) {
    double out = 4 * radius / (3 * PI);
    return (RbvPlaneShape){0.5 * PI * radius * radius,
                           {at[0] + out * cos(angle), at[1] + out * sin(angle)},
                           radius * radius * (0.5 - 16 / (9 * PI * PI))};
}

RbvPlaneShape rbv_shape_ring(const double at[2], double radius, double width) {
    return (RbvPlaneShape){2 * PI * radius * width, {at[0], at[1]}, radius * radius};
}

/* Sums over triangles (origin moved to the first corner, against cancellation): area c/2, centroid (p+q)/3,
 * polar second moment c/12 (p.p + p.q + q.q), c = p x q. */
RbvPlaneShape rbv_shape_polygon(int32_t count, const double (*points)[2]) {
    double area = 0, mx = 0, my = 0, second = 0;
    for (int32_t k = 1; k + 1 < count; k++) {
        double px = points[k][0] - points[0][0], py = points[k][1] - points[0][1];
        double qx = points[k + 1][0] - points[0][0], qy = points[k + 1][1] - points[0][1], c = px * qy - py * qx;
        area += 0.5 * c;
        mx += c * (px + qx) / 6;
        my += c * (py + qy) / 6;
        second += c / 12 * (px * px + py * py + px * qx + py * qy + qx * qx + qy * qy);
    }
    RbvPlaneShape shape = {0};
    if (area == 0)
        return shape;
    double cx = mx / area, cy = my / area;
    shape.area = fabs(area);
    shape.centroid[0] = points[0][0] + cx;
    shape.centroid[1] = points[0][1] + cy;
    shape.gyration2 = second / area - cx * cx - cy * cy;
    return shape;
}

void rbv_composite_add(RbvComposite *composite, const RbvPlaneShape *shape, double mass) {
    const double *c = shape->centroid;
    composite->mass += mass;
    composite->first[0] += mass * c[0];
    composite->first[1] += mass * c[1];
    composite->second += mass * (shape->gyration2 + c[0] * c[0] + c[1] * c[1]);
}

bool rbv_composite_finish(const RbvComposite *composite, double centroid[2], double *inertia) {
    if (!(composite->mass > 0))
        return false;
    for (int k = 0; k < 2; k++)
        centroid[k] = composite->first[k] / composite->mass;
    *inertia = composite->second - composite->mass * (centroid[0] * centroid[0] + centroid[1] * centroid[1]);
    return true;
}

/* Solids: volume, centroid, second moments. */

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
