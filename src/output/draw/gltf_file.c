/* Parts of a glTF file; see gltf_file.h. */
#include "output/draw/gltf_file.h"

#include "core/base/characters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    rbv_gltf_string(text, name);
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

void rbv_gltf_string(RbvText *text, const char *words) {
    rbv_text_json_string(text, words);
}

static void add_base64(RbvText *text, const unsigned char *data, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char block[4 * 256];
    size_t used = 0;
    for (size_t k = 0; k < size; k += 3) {
        unsigned a = data[k], b = k + 1 < size ? data[k + 1] : 0, c = k + 2 < size ? data[k + 2] : 0;
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
    rbv_gltf_string(&text, title);
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
