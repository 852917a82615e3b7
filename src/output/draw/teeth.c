/* Outline of toothed wheels; see teeth.h. Seen from above the outline runs counterclockwise; an outer wheel is filled
 * to its axis, a ring gear to its rim. */
#include "output/draw/teeth.h"

#include "core/linalg/rotation.h"

#include <math.h>
#include <stdlib.h>

double rbv_tooth_corner(const RbvSceneFigure *wheel, int32_t k, int n, double *angle) {
    static const double part[4] = {-0.30, -0.14, 0.14, 0.30}; /* angles of the corners in pitches */
    double module = 2 * wheel->radius / wheel->count, out = n == 1 || n == 2 ? RBV_ADDENDUM : -RBV_DEDENDUM;
    *angle = RBV_TWO_PI * (k + part[n]) / wheel->count;
    return wheel->radius + (wheel->internal ? -1 : 1) * module * out;
}

typedef struct Solid {
    double *points;
    int32_t count; /* number of triangles */
} Solid;

static void triangle(Solid *s, RbvVec3 a, RbvVec3 b, RbvVec3 c) {
    const RbvVec3 corner[3] = {a, b, c};
    for (int n = 0; n < 3; n++) {
        double *to = &s->points[9 * s->count + 3 * n];
        to[0] = corner[n].x, to[1] = corner[n].y, to[2] = corner[n].z;
    }
    s->count++;
}

static RbvVec3 at(double radius, double angle, double z) {
    return (RbvVec3){radius * cos(angle), radius * sin(angle), z};
}

/* Adds the solid between an outer and an inner edge, from one angle to the next; an inner radius of 0 is the axis. */
static void sector(Solid *s, const double outer[2], const double inner[2], const double angle[2], double half) {
    RbvVec3 o[2][2], i[2][2]; /* [bottom, top][here, there] */
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            o[side][k] = at(outer[k], angle[k], side ? half : -half);
            i[side][k] = at(inner[k], angle[k], side ? half : -half);
        }
    triangle(s, i[1][0], o[1][0], o[1][1]);
    triangle(s, i[0][0], o[0][1], o[0][0]);
    triangle(s, o[0][0], o[0][1], o[1][1]);
    triangle(s, o[0][0], o[1][1], o[1][0]);
    if (!(inner[0] > 0))
        return;
    triangle(s, i[1][0], o[1][1], i[1][1]);
    triangle(s, i[0][0], i[0][1], o[0][1]);
    triangle(s, i[0][0], i[1][1], i[0][1]);
    triangle(s, i[0][0], i[1][0], i[1][1]);
}

double *rbv_toothed_solid(const RbvSceneFigure *wheel, double thick, int32_t *count) {
    int32_t corners = 4 * wheel->count;
    Solid s = {.points = malloc(((size_t)corners * 8 + 1) * 9 * sizeof *s.points)};
    for (int32_t k = 0; s.points && k < corners; k++) {
        const double none[2] = {0, 0}, rim[2] = {RBV_RIM * wheel->radius, RBV_RIM * wheel->radius};
        double angle[2], radius[2];
        radius[0] = rbv_tooth_corner(wheel, k / 4, k % 4, &angle[0]);
        radius[1] = rbv_tooth_corner(wheel, (k + 1) / 4, (k + 1) % 4, &angle[1]);
        sector(&s, wheel->internal ? rim : radius, wheel->internal ? radius : none, angle, thick / 2);
    }
    *count = s.count;
    return s.points;
}
