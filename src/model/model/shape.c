/* Plane shapes; see shape.h. */
#include "model/model/shape.h"

#include <math.h>

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
