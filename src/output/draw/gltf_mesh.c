/* Unit meshes; see gltf_mesh.h. */
#include "output/draw/gltf_mesh.h"

#include "core/linalg/vec3.h"

#include <stdlib.h>

#define AROUND 32
#define TWO_PI 6.283185307179586

static void *room_for(void *items, int32_t requested, int32_t *room, size_t size, bool *no_memory) {
    if (requested <= *room || *no_memory)
        return items;
    int32_t larger = requested > 2 * *room ? requested : 2 * *room;
    void *grown = realloc(items, (size_t)larger * size);
    if (!grown) {
        *no_memory = true;
        return items;
    }
    *room = larger;
    return grown;
}

/* Adds a point with its normal; returns its number. */
static uint32_t point(RbvMesh3 *mesh, RbvVec3 p, RbvVec3 n) {
    int32_t room = mesh->room;
    mesh->point = room_for(mesh->point, mesh->count + 1, &room, sizeof *mesh->point, &mesh->no_memory);
    if (!mesh->lines)
        mesh->normal = room_for(mesh->normal, mesh->count + 1, &mesh->room, sizeof *mesh->normal, &mesh->no_memory);
    if (mesh->no_memory)
        return 0;
    mesh->room = room;
    float at[3] = {(float)p.x, (float)p.y, (float)p.z}, normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    for (int k = 0; k < 3; k++) {
        mesh->point[mesh->count][k] = at[k];
        if (!mesh->lines)
            mesh->normal[mesh->count][k] = normal[k];
    }
    return (uint32_t)mesh->count++;
}

static void index_of(RbvMesh3 *mesh, uint32_t index) {
    mesh->index =
        room_for(mesh->index, mesh->index_count + 1, &mesh->index_room, sizeof *mesh->index, &mesh->no_memory);
    if (!mesh->no_memory)
        mesh->index[mesh->index_count++] = index;
}

static void triangle(RbvMesh3 *mesh, uint32_t a, uint32_t b, uint32_t c) {
    index_of(mesh, a);
    index_of(mesh, b);
    index_of(mesh, c);
}

static RbvVec3 around(double angle, double r, double z) {
    return (RbvVec3){r * cos(angle), r * sin(angle), z};
}

/* Adds the surface of revolution about z between (r0, z0) and (r1, z1). */
static void frustum(RbvMesh3 *mesh, double r0, double z0, double r1, double z1) {
    double slope = hypot(r1 - r0, z1 - z0), nr = (z1 - z0) / slope, nz = (r0 - r1) / slope;
    uint32_t first = (uint32_t)mesh->count;
    for (int k = 0; k <= AROUND; k++) {
        double a = TWO_PI * k / AROUND;
        RbvVec3 n = around(a, nr, nz);
        point(mesh, around(a, r0, z0), n);
        point(mesh, around(a, r1, z1), n);
    }
    for (uint32_t k = 0; k < AROUND; k++) {
        triangle(mesh, first + 2 * k, first + 2 * k + 2, first + 2 * k + 1);
        triangle(mesh, first + 2 * k + 1, first + 2 * k + 2, first + 2 * k + 3);
    }
}

/* Adds a disk of radius r at z, visible from above (side 1) or from below (-1). */
static void disk(RbvMesh3 *mesh, double r, double z, int side) {
    RbvVec3 n = {0, 0, side};
    uint32_t middle = point(mesh, (RbvVec3){0, 0, z}, n);
    for (int k = 0; k <= AROUND; k++)
        point(mesh, around(side * TWO_PI * k / AROUND, r, z), n);
    for (uint32_t k = 0; k < AROUND; k++)
        triangle(mesh, middle, middle + 1 + k, middle + 2 + k);
}

static void box(RbvMesh3 *mesh) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t first = (uint32_t)mesh->count;
            for (int k = 0; k < 4; k++) {
                double c[3], n[3] = {0, 0, 0};
                c[axis] = 0.5 * side;
                c[(axis + 1) % 3] = (k == 1 || k == 2 ? 0.5 : -0.5) * side;
                c[(axis + 2) % 3] = k >= 2 ? 0.5 : -0.5;
                n[axis] = side;
                point(mesh, (RbvVec3){c[0], c[1], c[2]}, (RbvVec3){n[0], n[1], n[2]});
            }
            triangle(mesh, first, first + 1, first + 2);
            triangle(mesh, first, first + 2, first + 3);
        }
}

static void sphere(RbvMesh3 *mesh) {
    const int up = AROUND / 2;
    uint32_t row = AROUND + 1;
    for (int i = 0; i <= up; i++)
        for (int k = 0; k <= AROUND; k++) {
            double tilt = TWO_PI / 2 * i / up;
            RbvVec3 p = around(TWO_PI * k / AROUND, sin(tilt), -cos(tilt));
            point(mesh, p, p);
        }
    for (uint32_t i = 0; i < (uint32_t)up; i++)
        for (uint32_t k = 0; k < AROUND; k++) {
            uint32_t a = i * row + k, b = a + row;
            if (i > 0)
                triangle(mesh, a, a + 1, b + 1);
            if (i + 1 < (uint32_t)up)
                triangle(mesh, a, b + 1, b);
        }
}

/* Adds a thin tube along an arc of radius 1 about z, with a cone at its end. */
static void turn(RbvMesh3 *mesh) {
    const double tube = 0.05, end = 0.68 * TWO_PI, head = 0.07 * TWO_PI;
    const int along = 36, thick = 8;
    uint32_t row = (uint32_t)thick + 1;
    for (int i = 0; i <= along + 1; i++)
        for (int k = 0; k <= thick; k++) {
            bool tip = i > along;
            double a = tip ? end : end * i / along, b = TWO_PI * k / thick, r = tip ? 3 * tube : tube;
            RbvVec3 out = around(a, cos(b), sin(b));
            point(mesh, (RbvVec3){cos(a) + r * out.x, sin(a) + r * out.y, r * out.z}, out);
        }
    uint32_t apex = point(mesh, around(end + head, 1, 0), around(end + head + TWO_PI / 4, 1, 0));
    for (uint32_t i = 0; i <= (uint32_t)along; i++)
        for (uint32_t k = 0; k < (uint32_t)thick; k++) {
            uint32_t a = i * row + k, b = a + row;
            triangle(mesh, a, b, b + 1);
            triangle(mesh, a, b + 1, a + 1);
        }
    for (uint32_t k = 0; k < (uint32_t)thick; k++)
        triangle(mesh, (uint32_t)(along + 1) * row + k, apex, (uint32_t)(along + 1) * row + k + 1);
}

/* Adds a line from the last point to p, or (lift) the first point of a new line. */
static void line_to(RbvMesh3 *mesh, RbvVec3 p, bool lift) {
    uint32_t to = point(mesh, p, p);
    if (lift)
        return;
    index_of(mesh, to - 1);
    index_of(mesh, to);
}

static void coil(RbvMesh3 *mesh) {
    const int turns = 6, points = 24 * 6;
    line_to(mesh, (RbvVec3){0, 0, 0}, true);
    for (int k = 0; k <= points; k++)
        line_to(mesh, around(TWO_PI * turns * k / points, 1, 0.15 + 0.7 * k / points), false);
    line_to(mesh, (RbvVec3){0, 0, 1}, false);
}

static void dashpot(RbvMesh3 *mesh) {
    static const double cup[][2] = {{-1, 0.7}, {-1, 0.3}, {1, 0.3}, {1, 0.7}};
    for (int k = 0; k < 4; k++)
        line_to(mesh, (RbvVec3){cup[k][0], 0, cup[k][1]}, k == 0);
    line_to(mesh, (RbvVec3){0, 0, 0}, true);
    line_to(mesh, (RbvVec3){0, 0, 0.3}, false);
    line_to(mesh, (RbvVec3){-0.8, 0, 0.5}, true);
    line_to(mesh, (RbvVec3){0.8, 0, 0.5}, false);
    line_to(mesh, (RbvVec3){0, 0, 0.5}, true);
    line_to(mesh, (RbvVec3){0, 0, 1}, false);
}

RbvMesh3 rbv_unit_mesh(RbvUnitShape shape) {
    RbvMesh3 mesh = {.lines = shape == RBV_UNIT_RING || shape == RBV_UNIT_COIL || shape == RBV_UNIT_DASHPOT};
    switch (shape) {
    case RBV_UNIT_BOX: box(&mesh); break;
    case RBV_UNIT_CYLINDER:
        frustum(&mesh, 1, 0, 1, 1);
        disk(&mesh, 1, 0, -1);
        disk(&mesh, 1, 1, 1);
        break;
    case RBV_UNIT_CONE:
        frustum(&mesh, 1, 0, 0, 1);
        disk(&mesh, 1, 0, -1);
        break;
    case RBV_UNIT_SPHERE: sphere(&mesh); break;
    case RBV_UNIT_DISK: disk(&mesh, 1, 0, 1); break;
    case RBV_UNIT_RING:
        for (int k = 0; k <= 2 * AROUND; k++)
            line_to(&mesh, around(TWO_PI * (k % (2 * AROUND)) / (2 * AROUND), 1, 0), k == 0);
        break;
    case RBV_UNIT_COIL: coil(&mesh); break;
    case RBV_UNIT_DASHPOT: dashpot(&mesh); break;
    case RBV_UNIT_ARROW:
        frustum(&mesh, 0.025, 0, 0.025, 0.8);
        disk(&mesh, 0.025, 0, -1);
        frustum(&mesh, 0.07, 0.8, 0, 1);
        disk(&mesh, 0.07, 0.8, -1);
        break;
    default: turn(&mesh);
    }
    return mesh;
}

static RbvVec3 vector(const double *p) {
    return (RbvVec3){p[0], p[1], p[2]};
}

RbvMesh3 rbv_line_mesh(int32_t count, const double *points, bool closed) {
    RbvMesh3 mesh = {.lines = true};
    for (int32_t k = 0; k < count; k++)
        line_to(&mesh, vector(&points[3 * k]), k == 0);
    if (closed && count > 1)
        line_to(&mesh, vector(points), false);
    return mesh;
}

/* Unit normal of a plane polygon (Newell's method). */
static RbvVec3 newell(int32_t count, const double *points) {
    RbvVec3 n = {0, 0, 0};
    for (int32_t k = 0; k < count; k++)
        n = rbv_add(n, rbv_cross(vector(&points[3 * k]), vector(&points[3 * ((k + 1) % count)])));
    double length = rbv_norm(n);
    return length > 0 ? rbv_scale(1 / length, n) : (RbvVec3){0, 0, 1};
}

static double area(const double *points, RbvVec3 n, int32_t a, int32_t b, int32_t c) {
    RbvVec3 p = vector(&points[3 * a]);
    return rbv_dot(n, rbv_cross(rbv_sub(vector(&points[3 * b]), p), rbv_sub(vector(&points[3 * c]), p)));
}

/* Is corner k of the remaining polygon an ear: convex, with no other corner inside? */
static bool is_ear(const double *points, RbvVec3 n, const int32_t *left, int32_t count, int32_t k) {
    int32_t a = left[(k + count - 1) % count], b = left[k], c = left[(k + 1) % count];
    if (area(points, n, a, b, c) <= 0)
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = left[i];
        if (p != a && p != b && p != c && area(points, n, a, b, p) >= 0 && area(points, n, b, c, p) >= 0 &&
            area(points, n, c, a, p) >= 0)
            return false;
    }
    return true;
}

RbvMesh3 rbv_area_mesh(int32_t count, const double *points) {
    RbvMesh3 mesh = {0};
    RbvVec3 n = newell(count, points);
    int32_t *left = malloc((size_t)(count > 0 ? count : 1) * sizeof *left), rest = count;
    mesh.no_memory = !left;
    for (int32_t k = 0; left && k < count; k++)
        left[k] = (int32_t)point(&mesh, vector(&points[3 * k]), n);
    for (int32_t k = 0, refused = 0; left && rest >= 3 && !mesh.no_memory; k = (k + 1) % rest) {
        if (!is_ear(points, n, left, rest, k) && refused++ < rest)
            continue; /* a polygon that crosses itself may have no ear: any corner is cut then */
        triangle(&mesh, (uint32_t)left[(k + rest - 1) % rest], (uint32_t)left[k], (uint32_t)left[(k + 1) % rest]);
        for (int32_t i = k; i + 1 < rest; i++)
            left[i] = left[i + 1];
        rest--;
        refused = 0;
        k = k % (rest > 0 ? rest : 1);
    }
    free(left);
    return mesh;
}

RbvMesh3 rbv_face_mesh(const double *points, int32_t triangle_count, const int32_t *triangles) {
    RbvMesh3 mesh = {0};
    for (int32_t k = 0; k < triangle_count; k++) {
        RbvVec3 p[3];
        for (int i = 0; i < 3; i++)
            p[i] = vector(&points[3 * triangles[3 * k + i]]);
        RbvVec3 n = rbv_cross(rbv_sub(p[1], p[0]), rbv_sub(p[2], p[0]));
        double length = rbv_norm(n);
        n = length > 0 ? rbv_scale(1 / length, n) : (RbvVec3){0, 0, 1};
        uint32_t a = point(&mesh, p[0], n), b = point(&mesh, p[1], n), c = point(&mesh, p[2], n);
        triangle(&mesh, a, b, c);
    }
    return mesh;
}

void rbv_mesh3_clear(RbvMesh3 *mesh) {
    free(mesh->point);
    free(mesh->normal);
    free(mesh->index);
    *mesh = (RbvMesh3){0};
}
