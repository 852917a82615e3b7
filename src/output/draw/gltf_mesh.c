/* The parts of a glTF file: meshes of figures, then lists of JSON objects and the buffer of numbers they refer to. */
#include "output/draw/gltf_mesh.h"

#include "core/base/text.h"
#include "core/linalg/small.h"
#include "output/draw/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 32
#define TWO_PI 6.283185307179586

static void *grow_items(void *items, int32_t requested, int32_t *capacity, size_t size, bool *no_memory) {
    if (requested <= *capacity || *no_memory)
        return items;
    int32_t larger = requested > 2 * *capacity ? requested : 2 * *capacity;
    void *grown = realloc(items, (size_t)larger * size);
    if (!grown) {
        *no_memory = true;
        return items;
    }
    *capacity = larger;
    return grown;
}

/* Adds a point with its normal; returns its number. */
static uint32_t mesh_point(RbvMesh3 *mesh, RbvVec3 p, RbvVec3 n) {
    int32_t capacity = mesh->capacity;
    mesh->point = grow_items(mesh->point, mesh->count + 1, &capacity, sizeof *mesh->point, &mesh->no_memory);
    if (!mesh->lines)
        mesh->normal =
            grow_items(mesh->normal, mesh->count + 1, &mesh->capacity, sizeof *mesh->normal, &mesh->no_memory);
    if (mesh->no_memory)
        return 0;
    mesh->capacity = capacity;
    float at[3] = {(float)p.x, (float)p.y, (float)p.z}, normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    for (int k = 0; k < 3; k++) {
        mesh->point[mesh->count][k] = at[k];
        if (!mesh->lines)
            mesh->normal[mesh->count][k] = normal[k];
    }
    return (uint32_t)mesh->count++;
}

static void mesh_index(RbvMesh3 *mesh, uint32_t index) {
    mesh->index =
        grow_items(mesh->index, mesh->index_count + 1, &mesh->index_capacity, sizeof *mesh->index, &mesh->no_memory);
    if (!mesh->no_memory)
        mesh->index[mesh->index_count++] = index;
}

static void mesh_triangle(RbvMesh3 *mesh, uint32_t a, uint32_t b, uint32_t c) {
    mesh_index(mesh, a);
    mesh_index(mesh, b);
    mesh_index(mesh, c);
}

static RbvVec3 around(double angle, double r, double z) {
    return (RbvVec3){r * cos(angle), r * sin(angle), z};
}

/* Adds the surface of revolution about z between (r0, z0) and (r1, z1). */
static void add_frustum(RbvMesh3 *mesh, double r0, double z0, double r1, double z1) {
    double slope = hypot(r1 - r0, z1 - z0), nr = (z1 - z0) / slope, nz = (r0 - r1) / slope;
    uint32_t first = (uint32_t)mesh->count;
    for (int k = 0; k <= AROUND; k++) {
        double a = TWO_PI * k / AROUND;
        RbvVec3 n = around(a, nr, nz);
        mesh_point(mesh, around(a, r0, z0), n);
        mesh_point(mesh, around(a, r1, z1), n);
    }
    for (uint32_t k = 0; k < AROUND; k++) {
        mesh_triangle(mesh, first + 2 * k, first + 2 * k + 2, first + 2 * k + 1);
        mesh_triangle(mesh, first + 2 * k + 1, first + 2 * k + 2, first + 2 * k + 3);
    }
}

/* Adds a disk of radius r at z, visible from above (side 1) or from below (-1). */
static void add_disk(RbvMesh3 *mesh, double r, double z, int side) {
    RbvVec3 n = {0, 0, side};
    uint32_t middle = mesh_point(mesh, (RbvVec3){0, 0, z}, n);
    for (int k = 0; k <= AROUND; k++)
        mesh_point(mesh, around(side * TWO_PI * k / AROUND, r, z), n);
    for (uint32_t k = 0; k < AROUND; k++)
        mesh_triangle(mesh, middle, middle + 1 + k, middle + 2 + k);
}

static void box_mesh(RbvMesh3 *mesh) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t first = (uint32_t)mesh->count;
            for (int k = 0; k < 4; k++) {
                double c[3], n[3] = {0, 0, 0};
                c[axis] = 0.5 * side;
                c[(axis + 1) % 3] = (k == 1 || k == 2 ? 0.5 : -0.5) * side;
                c[(axis + 2) % 3] = k >= 2 ? 0.5 : -0.5;
                n[axis] = side;
                mesh_point(mesh, (RbvVec3){c[0], c[1], c[2]}, (RbvVec3){n[0], n[1], n[2]});
            }
            mesh_triangle(mesh, first, first + 1, first + 2);
            mesh_triangle(mesh, first, first + 2, first + 3);
        }
}

static void sphere_mesh(RbvMesh3 *mesh) {
    const int up = AROUND / 2;
    uint32_t row = AROUND + 1;
    for (int i = 0; i <= up; i++)
        for (int k = 0; k <= AROUND; k++) {
            double tilt = TWO_PI / 2 * i / up;
            RbvVec3 p = around(TWO_PI * k / AROUND, sin(tilt), -cos(tilt));
            mesh_point(mesh, p, p);
        }
    for (uint32_t i = 0; i < (uint32_t)up; i++)
        for (uint32_t k = 0; k < AROUND; k++) {
            uint32_t a = i * row + k, b = a + row;
            if (i > 0)
                mesh_triangle(mesh, a, a + 1, b + 1);
            if (i + 1 < (uint32_t)up)
                mesh_triangle(mesh, a, b + 1, b);
        }
}

/* Adds a thin tube along an arc of radius 1 about z, with a cone at its end. */
static void turn_mesh(RbvMesh3 *mesh) {
    const double tube = 0.05, end = 0.68 * TWO_PI, head = 0.07 * TWO_PI;
    const int along = 36, thick = 8;
    uint32_t row = (uint32_t)thick + 1;
    for (int i = 0; i <= along + 1; i++)
        for (int k = 0; k <= thick; k++) {
            bool tip = i > along;
            double a = tip ? end : end * i / along, b = TWO_PI * k / thick;
            double r = tip ? 3 * tube : tube;
            RbvVec3 out = around(a, cos(b), sin(b));
            mesh_point(mesh, (RbvVec3){cos(a) + r * out.x, sin(a) + r * out.y, r * out.z}, out);
        }
    uint32_t apex = mesh_point(mesh, around(end + head, 1, 0), around(end + head + TWO_PI / 4, 1, 0));
    for (uint32_t i = 0; i <= (uint32_t)along; i++)
        for (uint32_t k = 0; k < (uint32_t)thick; k++) {
            uint32_t a = i * row + k, b = a + row;
            mesh_triangle(mesh, a, b, b + 1);
            mesh_triangle(mesh, a, b + 1, a + 1);
        }
    for (uint32_t k = 0; k < (uint32_t)thick; k++)
        mesh_triangle(mesh, (uint32_t)(along + 1) * row + k, apex, (uint32_t)(along + 1) * row + k + 1);
}

/* Adds a line from the last point to p, or (lift) the first point of a new line. */
static void line_to(RbvMesh3 *mesh, RbvVec3 p, bool lift) {
    uint32_t to = mesh_point(mesh, p, p);
    if (lift)
        return;
    mesh_index(mesh, to - 1);
    mesh_index(mesh, to);
}

static void coil_mesh(RbvMesh3 *mesh) {
    const int turns = 6, points = 24 * 6;
    line_to(mesh, (RbvVec3){0, 0, 0}, true);
    for (int k = 0; k <= points; k++)
        line_to(mesh, around(TWO_PI * turns * k / points, 1, 0.15 + 0.7 * k / points), false);
    line_to(mesh, (RbvVec3){0, 0, 1}, false);
}

static void dashpot_mesh(RbvMesh3 *mesh) {
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
    case RBV_UNIT_BOX: box_mesh(&mesh); break;
    case RBV_UNIT_CYLINDER:
        add_frustum(&mesh, 1, 0, 1, 1);
        add_disk(&mesh, 1, 0, -1);
        add_disk(&mesh, 1, 1, 1);
        break;
    case RBV_UNIT_CONE:
        add_frustum(&mesh, 1, 0, 0, 1);
        add_disk(&mesh, 1, 0, -1);
        break;
    case RBV_UNIT_SPHERE: sphere_mesh(&mesh); break;
    case RBV_UNIT_DISK: add_disk(&mesh, 1, 0, 1); break;
    case RBV_UNIT_RING:
        for (int k = 0; k <= 2 * AROUND; k++)
            line_to(&mesh, around(TWO_PI * (k % (2 * AROUND)) / (2 * AROUND), 1, 0), k == 0);
        break;
    case RBV_UNIT_COIL: coil_mesh(&mesh); break;
    case RBV_UNIT_DASHPOT: dashpot_mesh(&mesh); break;
    case RBV_UNIT_ARROW:
        add_frustum(&mesh, 0.025, 0, 0.025, 0.8);
        add_disk(&mesh, 0.025, 0, -1);
        add_frustum(&mesh, 0.07, 0.8, 0, 1);
        add_disk(&mesh, 0.07, 0.8, -1);
        break;
    default: turn_mesh(&mesh);
    }
    return mesh;
}

RbvMesh3 rbv_line_mesh(int32_t count, const double *points, bool closed) {
    RbvMesh3 mesh = {.lines = true};
    for (int32_t k = 0; k < count; k++)
        line_to(&mesh, rbv_vec3_at(&points[3 * k]), k == 0);
    if (closed && count > 1)
        line_to(&mesh, rbv_vec3_at(points), false);
    return mesh;
}

/* Unit normal of a plane polygon (Newell's method). */
static RbvVec3 newell(int32_t count, const double *points) {
    RbvVec3 n = {0, 0, 0};
    for (int32_t k = 0; k < count; k++)
        n = rbv_add(n, rbv_cross(rbv_vec3_at(&points[3 * k]), rbv_vec3_at(&points[3 * ((k + 1) % count)])));
    double length = rbv_norm(n);
    return length > 0 ? rbv_scale(1 / length, n) : (RbvVec3){0, 0, 1};
}

static double corner_area(const double *points, RbvVec3 n, int32_t a, int32_t b, int32_t c) {
    RbvVec3 p = rbv_vec3_at(&points[3 * a]);
    return rbv_dot(n, rbv_cross(rbv_sub(rbv_vec3_at(&points[3 * b]), p), rbv_sub(rbv_vec3_at(&points[3 * c]), p)));
}

/* Is corner k of the remaining polygon an ear: convex, with no other corner inside? */
static bool is_ear(const double *points, RbvVec3 n, const int32_t *left, int32_t count, int32_t k) {
    int32_t a = left[(k + count - 1) % count], b = left[k], c = left[(k + 1) % count];
    if (corner_area(points, n, a, b, c) <= 0)
        return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = left[i];
        if (p != a && p != b && p != c && corner_area(points, n, a, b, p) >= 0 &&
            corner_area(points, n, b, c, p) >= 0 && corner_area(points, n, c, a, p) >= 0)
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
        left[k] = (int32_t)mesh_point(&mesh, rbv_vec3_at(&points[3 * k]), n);
    for (int32_t k = 0, refused = 0; left && rest >= 3 && !mesh.no_memory; k = (k + 1) % rest) {
        if (!is_ear(points, n, left, rest, k) && refused++ < rest)
            continue; /* a polygon that crosses itself may have no ear: any corner is cut then */
        mesh_triangle(&mesh, (uint32_t)left[(k + rest - 1) % rest], (uint32_t)left[k], (uint32_t)left[(k + 1) % rest]);
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
            p[i] = rbv_vec3_at(&points[3 * triangles[3 * k + i]]);
        RbvVec3 n = rbv_cross(rbv_sub(p[1], p[0]), rbv_sub(p[2], p[0]));
        double length = rbv_norm(n);
        n = length > 0 ? rbv_scale(1 / length, n) : (RbvVec3){0, 0, 1};
        uint32_t a = mesh_point(&mesh, p[0], n), b = mesh_point(&mesh, p[1], n), c = mesh_point(&mesh, p[2], n);
        mesh_triangle(&mesh, a, b, c);
    }
    return mesh;
}

void rbv_mesh3_clear(RbvMesh3 *mesh) {
    free(mesh->point);
    free(mesh->normal);
    free(mesh->index);
    *mesh = (RbvMesh3){0};
}

/* Builds a glTF 2.0 file: lists of JSON objects, and the buffer of numbers they refer to. (Khronos Group: glTF 2.0
 * specification.) */

enum {
    BYTES_FLOAT = 5126,
    BYTES_UINT = 5125,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963,
    MODE_LINES = 1,
    MODE_TRIANGLES = 4
};

static int32_t add_view(RbvGltf *file, const void *data, size_t size, int target) {
    size_t at = file->bytes.length;
    rbv_text_append(&file->bytes, data, size); /* all items have four bytes: every view begins at a multiple of four */
    rbv_text_format(&file->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", file->view_count ? "," : "",
                    at, size);
    if (target)
        rbv_text_format(&file->views, ",\"target\":%d", target);
    rbv_text_add(&file->views, "}");
    return file->view_count++;
}

static void add_bounds(RbvText *text, const char *name, int32_t count, int width, const float *values, float sign) {
    rbv_text_format(text, ",\"%s\":[", name);
    for (int k = 0; k < width; k++) {
        float most = values[k];
        for (int32_t n = 1; n < count; n++)
            most = sign * values[n * width + k] > sign * most ? values[n * width + k] : most;
        rbv_text_add(text, k ? "," : "");
        rbv_text_number(text, (double)most);
    }
    rbv_text_add(text, "]");
}

static int32_t add_accessor(RbvGltf *file, int32_t view, int type, int32_t count, int width) {
    static const char *const names[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    rbv_text_format(&file->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                    file->accessor_count ? "," : "", (int)view, type, (int)count, names[width]);
    return file->accessor_count++;
}

int32_t rbv_gltf_floats(RbvGltf *file, int32_t count, int width, const float *values, bool bounds, bool vertices) {
    int32_t view =
        add_view(file, values, (size_t)count * (size_t)width * sizeof *values, vertices ? TARGET_VERTICES : 0);
    int32_t accessor = add_accessor(file, view, BYTES_FLOAT, count, width);
    if (bounds) {
        add_bounds(&file->accessors, "min", count, width, values, -1);
        add_bounds(&file->accessors, "max", count, width, values, 1);
    }
    rbv_text_add(&file->accessors, "}");
    return accessor;
}

int32_t rbv_gltf_mesh(RbvGltf *file, const RbvMesh3 *mesh, int32_t material) {
    if (mesh->no_memory)
        file->meshes.no_memory = true;
    if (mesh->no_memory || mesh->index_count == 0)
        return -1;
    int32_t points = rbv_gltf_floats(file, mesh->count, 3, &mesh->point[0][0], true, true);
    int32_t normals = mesh->lines ? -1 : rbv_gltf_floats(file, mesh->count, 3, &mesh->normal[0][0], false, true);
    int32_t view = add_view(file, mesh->index, (size_t)mesh->index_count * sizeof *mesh->index, TARGET_INDICES);
    int32_t indices = add_accessor(file, view, BYTES_UINT, mesh->index_count, 1);
    rbv_text_add(&file->accessors, "}");
    rbv_text_format(&file->meshes, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d", file->mesh_count ? "," : "",
                    (int)points);
    if (normals >= 0)
        rbv_text_format(&file->meshes, ",\"NORMAL\":%d", (int)normals);
    rbv_text_format(&file->meshes, "},\"indices\":%d,\"mode\":%d,\"material\":%d}]}", (int)indices,
                    mesh->lines ? MODE_LINES : MODE_TRIANGLES, (int)material);
    return file->mesh_count++;
}

/* Linear intensity of an sRGB component in hex, as glTF requires. */
static double light_of(const char *hex) {
    char two[3] = {hex[0], hex[1], 0};
    double c = (double)strtol(two, NULL, 16) / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

int32_t rbv_gltf_material(RbvGltf *file, const char *name, const char *colour, double opacity) {
    RbvText *text = &file->materials;
    rbv_text_add(text, file->material_count ? ",{\"name\":" : "{\"name\":");
    rbv_text_json_string(text, name);
    rbv_text_add(text, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    for (int k = 0; k < 3; k++) {
        rbv_text_number(text, round(1e4 * light_of(colour + 1 + 2 * k)) / 1e4);
        rbv_text_add(text, ",");
    }
    rbv_text_number(text, opacity);
    rbv_text_format(text, "],\"metallicFactor\":0,\"roughnessFactor\":0.7},\"doubleSided\":true%s}",
                    opacity < 1 ? ",\"alphaMode\":\"BLEND\"" : "");
    return file->material_count++;
}

void rbv_gltf_animate(RbvGltf *file, int32_t node, const char *path, int32_t times, int32_t values) {
    rbv_text_format(&file->samplers, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}",
                    file->sampler_count ? "," : "", (int)times, (int)values);
    rbv_text_format(&file->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                    file->sampler_count ? "," : "", (int)file->sampler_count, (int)node, path);
    file->sampler_count++;
}

static void add_base64(RbvText *text, const unsigned char *data, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char block[4 * 256];
    size_t used = 0;
    for (size_t k = 0; k < size; k += 3) {
        unsigned a = data[k], b = k + 1 < size ? data[k + 1] : 0;
        unsigned c = k + 2 < size ? data[k + 2] : 0;
        block[used++] = letters[a >> 2];
        block[used++] = letters[(a & 3) << 4 | b >> 4];
        block[used++] = k + 1 < size ? letters[(b & 15) << 2 | c >> 6] : '=';
        block[used++] = k + 2 < size ? letters[c & 63] : '=';
        if (used == sizeof block || k + 3 >= size) {
            rbv_text_append(text, block, used);
            used = 0;
        }
    }
}

static void add_list(RbvText *text, const char *name, const RbvText *items) {
    if (items->length)
        rbv_text_format(text, ",\"%s\":[", name);
    if (items->length) {
        rbv_text_append(text, items->data, items->length);
        rbv_text_add(text, "]");
    }
    text->no_memory = text->no_memory || items->no_memory;
}

static void put32(RbvText *text, size_t number) {
    const char bytes[4] = {(char)(number & 255), (char)(number >> 8 & 255), (char)(number >> 16 & 255),
                           (char)(number >> 24 & 255)};
    rbv_text_append(text, bytes, sizeof bytes);
}

/* Writes a chunk: length, kind, bytes padded to a multiple of four with `fill`. */
static void put_chunk(RbvText *text, const char *kind, const RbvText *bytes, char fill) {
    put32(text, (bytes->length + 3) / 4 * 4);
    rbv_text_append(text, kind, 4);
    if (bytes->length > 0)
        rbv_text_append(text, bytes->data, bytes->length);
    for (size_t k = bytes->length; k % 4 != 0; k++)
        rbv_text_append(text, &fill, 1);
}

/* Binary glTF (section 4 of the specification): magic, version, length; a chunk of JSON and one of numbers. */
static RbvText pack(const RbvText *json, const RbvText *bytes) {
    RbvText text = {.no_memory = json->no_memory};
    size_t chunk = bytes->length > 0 ? 8 + (bytes->length + 3) / 4 * 4 : 0,
           length = 12 + 8 + (json->length + 3) / 4 * 4 + chunk;
    text.no_memory = text.no_memory || length > UINT32_MAX;
    if (text.no_memory)
        return text;
    rbv_text_append(&text, "glTF", 4);
    put32(&text, 2);
    put32(&text, length);
    put_chunk(&text, "JSON", json, ' ');
    if (chunk > 0)
        put_chunk(&text, "BIN\0", bytes, '\0');
    return text;
}

char *rbv_gltf_take(RbvGltf *file, const char *roots, const char *title, const char *extras, bool binary,
                    size_t *length) {
    RbvText text = {0};
    rbv_text_format(&text,
                    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Roberval "
                    "%s\"},\"extras\":%s,\"scene\":0,\"scenes\":[{\"name\":",
                    rbv_version(), extras);
    rbv_text_json_string(&text, title);
    rbv_text_format(&text, ",\"nodes\":[%s]}]", roots);
    add_list(&text, "nodes", &file->nodes);
    add_list(&text, "meshes", &file->meshes);
    add_list(&text, "materials", &file->materials);
    if (file->sampler_count) {
        rbv_text_add(&text, ",\"animations\":[{\"name\":\"motion\"");
        add_list(&text, "samplers", &file->samplers);
        add_list(&text, "channels", &file->channels);
        rbv_text_add(&text, "}]");
    }
    add_list(&text, "accessors", &file->accessors);
    add_list(&text, "bufferViews", &file->views);
    if (file->bytes.length) {
        rbv_text_format(&text, ",\"buffers\":[{\"byteLength\":%zu", file->bytes.length);
        if (!binary) {
            rbv_text_add(&text, ",\"uri\":\"data:application/octet-stream;base64,");
            add_base64(&text, (const unsigned char *)file->bytes.data, file->bytes.length);
            rbv_text_add(&text, "\"");
        }
        rbv_text_add(&text, "}]");
    }
    rbv_text_add(&text, "}\n");
    text.no_memory = text.no_memory || file->bytes.no_memory;
    if (binary) {
        RbvText packed = pack(&text, &file->bytes);
        rbv_text_clear(&text);
        text = packed;
    }
    *length = text.length;
    RbvText *parts[] = {&file->bytes,     &file->views, &file->accessors, &file->meshes,
                        &file->materials, &file->nodes, &file->samplers,  &file->channels};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        rbv_text_clear(parts[k]);
    return rbv_text_take(&text);
}
